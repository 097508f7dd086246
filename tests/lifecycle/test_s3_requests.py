"""Buckets: the requests for what no emulator keeps, made from S3's answers and checked by S3's model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from driftwarden.model import ABSENT
from tests.lifecycle.buckets import (
    ACCOUNT,
    BUCKET,
    KEEP,
    MOVE,
    NAME,
    ON_ARRIVAL,
    ROLE,
    TOPIC,
    WEBSITE,
)
from tests.lifecycle.requests import Requests, a_record, member, sent


class TestWithoutAnEmulator:
    """What moto cannot keep: the requests alone, made against S3's answers and checked by S3's model."""

    @staticmethod
    def sent(answers: dict[str, Any], **wanted: Any) -> Requests:
        return sent(a_record("AWS::S3::Bucket", BUCKET), answers, wanted)

    def test_a_drifted_replication_rule_keeps_what_no_property_shows(self) -> None:
        first, second = replication("first", Priority=1), replication("second", Priority=2)
        answers = {
            "GetBucketReplication": {"ReplicationConfiguration": {"Role": ROLE, "Rules": [first, second]}}
        }
        requests = self.sent(
            answers,
            ReplicationConfiguration={
                "Role": ROLE,
                "Rules": [
                    recorded_replication("first", Priority=7),
                    recorded_replication("second", Priority=2),
                ],
            },
        )
        assert member(requests, "PutBucketReplication", "ReplicationConfiguration") == {
            "Role": ROLE,
            "Rules": [{**first, "Priority": 7}, second],
        }

    @pytest.mark.parametrize("nothing", [{}, None, ABSENT])
    def test_replication_that_was_not_recorded_goes_by_a_delete_call(self, nothing: Any) -> None:
        answers = {
            "GetBucketReplication": {
                "ReplicationConfiguration": {"Role": ROLE, "Rules": [replication("first")]}
            }
        }
        assert self.sent(answers, ReplicationConfiguration=nothing) == [("DeleteBucketReplication", NAME)]

    @pytest.mark.parametrize("nothing", [{}, None, ABSENT])
    def test_an_empty_website_is_never_put(self, nothing: Any) -> None:
        answers = {"GetBucketWebsite": WEBSITE}
        assert self.sent(answers, WebsiteConfiguration=nothing) == [("DeleteBucketWebsite", NAME)]

    def test_acceleration_without_a_status_is_suspended(self) -> None:
        answers = {"GetBucketAccelerateConfiguration": {"Status": "Enabled"}}
        requests = self.sent(answers, AccelerateConfiguration={})
        assert member(requests, "PutBucketAccelerateConfiguration", "AccelerateConfiguration") == {
            "Status": "Suspended"
        }

    def test_a_retention_goes_back(self) -> None:
        lock = {
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 30}},
        }
        answers = {
            "GetObjectLockConfiguration": {"ObjectLockConfiguration": {"ObjectLockEnabled": "Enabled"}}
        }
        requests = self.sent(answers, ObjectLockConfiguration=lock)
        assert member(requests, "PutObjectLockConfiguration", "ObjectLockConfiguration") == lock

    def test_a_retention_that_was_not_recorded_is_removed_by_leaving_the_rule_out(self) -> None:
        live = {
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 1}},
        }
        requests = self.sent(
            {"GetObjectLockConfiguration": {"ObjectLockConfiguration": live}},
            ObjectLockConfiguration={"ObjectLockEnabled": "Enabled"},
        )
        assert member(requests, "PutObjectLockConfiguration", "ObjectLockConfiguration") == {
            "ObjectLockEnabled": "Enabled"
        }

    def test_versioning_is_enabled_before_replication_and_suspended_after_it(self) -> None:
        wanted = {"Role": ROLE, "Rules": [recorded_replication("first")]}
        on = self.sent({}, VersioningConfiguration={"Status": "Enabled"}, ReplicationConfiguration=wanted)
        assert [name for name, _ in on] == ["PutBucketVersioning", "PutBucketReplication"]
        answers = {
            "GetBucketVersioning": {"Status": "Enabled"},
            "GetBucketReplication": {
                "ReplicationConfiguration": {"Role": ROLE, "Rules": [replication("first")]}
            },
        }
        off = self.sent(answers, VersioningConfiguration={"Status": "Suspended"}, ReplicationConfiguration={})
        assert [name for name, _ in off] == ["DeleteBucketReplication", "PutBucketVersioning"]

    def test_logging_keeps_the_grants_that_no_property_shows(self) -> None:
        grants = [{"Grantee": {"Type": "Group", "URI": "http://example.com/group"}, "Permission": "READ"}]
        live = {"TargetBucket": "logs", "TargetPrefix": "elsewhere/", "TargetGrants": grants}
        requests = self.sent(
            {"GetBucketLogging": {"LoggingEnabled": live}},
            LoggingConfiguration={"DestinationBucketName": "logs", "LogFilePrefix": "log/"},
        )
        assert member(requests, "PutBucketLogging", "BucketLoggingStatus.LoggingEnabled") == {
            **live,
            "TargetPrefix": "log/",
        }

    def test_a_lifecycle_rule_that_did_not_drift_is_sent_as_it_is(self) -> None:
        odd = {**MOVE, "Filter": {"And": {"Prefix": "raw/"}}}
        rules = [{**KEEP, "Expiration": {"Days": 9}}, odd]
        keep = {"Id": "keep", "Status": "Enabled", "Filter": {"Prefix": "logs/"}, "ExpirationInDays": 90}
        move = {
            "Id": "move",
            "Status": "Enabled",
            "Filter": {"Prefix": "raw/"},
            "Transitions": [{"StorageClass": "GLACIER", "TransitionInDays": 30}],
            "NoncurrentVersionExpiration": {"NoncurrentDays": 7},
        }
        requests = self.sent(
            {
                "GetBucketLifecycleConfiguration": {
                    "Rules": rules,
                    "TransitionDefaultMinimumObjectSize": "varies_by_storage_class",
                }
            },
            LifecycleConfiguration={"Rules": [keep, move]},
        )
        assert member(requests, "PutBucketLifecycleConfiguration", "LifecycleConfiguration.Rules") == [
            KEEP,
            odd,
        ]
        size = member(requests, "PutBucketLifecycleConfiguration", "TransitionDefaultMinimumObjectSize")
        assert size == "varies_by_storage_class"

    @pytest.mark.parametrize(
        ("template", "expected"),
        [
            ({"Prefix": "a/"}, {"Prefix": "a/"}),
            ({"ObjectSizeLessThan": 5}, {"Filter": {"ObjectSizeLessThan": 5}}),
            (
                {"Prefix": "a/", "TagFilters": [{"Key": "k", "Value": "v"}]},
                {"Filter": {"And": {"Prefix": "a/", "Tags": [{"Key": "k", "Value": "v"}]}}},
            ),
            ({}, {"Filter": {}}),
        ],
    )
    def test_conditions_of_a_template_become_one_filter(
        self, template: dict[str, Any], expected: dict[str, Any]
    ) -> None:
        rule = {"Id": "r", "Status": "Enabled", "ExpirationInDays": 1, **template}
        requests = self.sent({}, LifecycleConfiguration={"Rules": [rule]})
        assert member(requests, "PutBucketLifecycleConfiguration", "LifecycleConfiguration.Rules") == [
            {"ID": "r", "Status": "Enabled", "Expiration": {"Days": 1}, **expected}
        ]

    def test_a_prefix_becomes_a_filter_beside_rules_that_have_one(self) -> None:
        older = {"Id": "older", "Status": "Enabled", "Prefix": "a/", "ExpirationInDays": 1}
        newer = {"Id": "newer", "Status": "Enabled", "Filter": {"Prefix": "b/"}, "ExpirationInDays": 1}
        requests = self.sent({}, LifecycleConfiguration={"Rules": [older, newer]})
        rules = member(requests, "PutBucketLifecycleConfiguration", "LifecycleConfiguration.Rules")
        assert [(rule["Filter"], "Prefix" in rule) for rule in rules] == [
            ({"Prefix": "a/"}, False),
            ({"Prefix": "b/"}, False),
        ]

    def test_a_rule_with_an_age_says_nothing_of_delete_markers(self) -> None:
        rule = {"Id": "r", "Status": "Enabled", "ExpirationInDays": 1, "ExpiredObjectDeleteMarker": False}
        requests = self.sent({}, LifecycleConfiguration={"Rules": [rule]})
        rules = member(requests, "PutBucketLifecycleConfiguration", "LifecycleConfiguration.Rules")
        assert rules[0]["Expiration"] == {"Days": 1}

    def test_replication_without_rules_is_none(self) -> None:
        answers = {
            "GetBucketReplication": {
                "ReplicationConfiguration": {"Role": ROLE, "Rules": [replication("first")]}
            }
        }
        requests = self.sent(answers, ReplicationConfiguration={"Role": ROLE})
        assert requests == [("DeleteBucketReplication", NAME)]

    def test_tags_of_aws_are_sent_along_as_they_are(self) -> None:
        stack = {"Key": "aws:cloudformation:stack-name", "Value": "Shop"}
        answers = {"GetBucketTagging": {"TagSet": [stack, {"Key": "team", "Value": "other"}]}}
        requests = self.sent(answers, Tags=[{"Key": "team", "Value": "shop"}])
        assert member(requests, "PutBucketTagging", "Tagging.TagSet") == [
            stack,
            {"Key": "team", "Value": "shop"},
        ]

    def test_an_event_bus_switch_goes_back_with_the_notifications_as_they_are(self) -> None:
        answers = {
            "GetBucketNotificationConfiguration": {
                "TopicConfigurations": [ON_ARRIVAL],
                "EventBridgeConfiguration": {},
            }
        }
        topic = {
            "Id": "arrivals",
            "Topic": TOPIC,
            "Event": "s3:ObjectCreated:*",
            "Filter": {"S3Key": {"Rules": [{"Name": "prefix", "Value": "in/"}]}},
        }
        requests = self.sent(
            answers,
            NotificationConfiguration={
                "EventBridgeConfiguration": {"EventBridgeEnabled": False},
                "TopicConfigurations": [topic],
            },
        )
        assert member(requests, "PutBucketNotificationConfiguration", "NotificationConfiguration") == {
            "TopicConfigurations": [ON_ARRIVAL]
        }


def replication(name: str, **more: Any) -> dict[str, Any]:
    """A live rule with a member that no property shows."""
    return {
        "ID": name,
        "Status": "Enabled",
        "Filter": {"Prefix": f"{name}/"},
        "Destination": {"Bucket": "arn:aws:s3:::copy"},
        "ExistingObjectReplication": {"Status": "Enabled"},
        **more,
    }


def recorded_replication(name: str, **more: Any) -> dict[str, Any]:
    """The same as a property."""
    return {
        "Id": name,
        "Status": "Enabled",
        "Filter": {"Prefix": f"{name}/"},
        "Destination": {"Bucket": "arn:aws:s3:::copy"},
        **more,
    }


@dataclass(frozen=True)
class Kept:
    """One of the configurations of which a bucket has many: live, as a property, and another of its kind."""

    name: str
    live: dict[str, Any]
    property: dict[str, Any]
    edited: dict[str, Any]


KEPT = (
    Kept(
        "Inventory",
        {
            "Id": "one",
            "IsEnabled": True,
            "IncludedObjectVersions": "Current",
            "Schedule": {"Frequency": "Weekly"},
            "Filter": {"Prefix": "in/"},
            "Destination": {
                "S3BucketDestination": {
                    "Bucket": "arn:aws:s3:::reports",
                    "Format": "CSV",
                    "Encryption": {"SSES3": {}},
                }
            },
        },
        {
            "Id": "one",
            "Enabled": True,
            "IncludedObjectVersions": "Current",
            "ScheduleFrequency": "Weekly",
            "Prefix": "in/",
            "Destination": {"BucketArn": "arn:aws:s3:::reports", "Format": "CSV"},
        },
        {"Schedule": {"Frequency": "Daily"}},
    ),
    Kept(
        "Metrics",
        {"Id": "one", "Filter": {"And": {"Prefix": "a/", "Tags": [{"Key": "k", "Value": "v"}]}}},
        {"Id": "one", "Prefix": "a/", "TagFilters": [{"Key": "k", "Value": "v"}]},
        {"Filter": {"Prefix": "b/"}},
    ),
    Kept(
        "Analytics",
        {
            "Id": "one",
            "Filter": {"Prefix": "a/"},
            "StorageClassAnalysis": {
                "DataExport": {
                    "OutputSchemaVersion": "V_1",
                    "Destination": {
                        "S3BucketDestination": {
                            "Format": "CSV",
                            "Bucket": "arn:aws:s3:::reports",
                            "BucketAccountId": ACCOUNT,
                        }
                    },
                }
            },
        },
        {
            "Id": "one",
            "Prefix": "a/",
            "StorageClassAnalysis": {
                "DataExport": {
                    "OutputSchemaVersion": "V_1",
                    "Destination": {
                        "Format": "CSV",
                        "BucketArn": "arn:aws:s3:::reports",
                        "BucketAccountId": ACCOUNT,
                    },
                }
            },
        },
        {"Filter": {"Tag": {"Key": "k", "Value": "v"}}},
    ),
    Kept(
        "IntelligentTiering",
        {
            "Id": "one",
            "Status": "Enabled",
            "Filter": {"Tag": {"Key": "k", "Value": "v"}},
            "Tierings": [{"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}],
        },
        {
            "Id": "one",
            "Status": "Enabled",
            "TagFilters": [{"Key": "k", "Value": "v"}],
            "Tierings": [{"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}],
        },
        {"Status": "Disabled"},
    ),
)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name)
class TestConfigurationsById:
    @staticmethod
    def sent(kept: Kept, live: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> Requests:
        answers = {
            f"ListBucket{kept.name}Configurations": {
                f"{kept.name}ConfigurationList": live,
                "IsTruncated": False,
            }
        }
        record = a_record("AWS::S3::Bucket", BUCKET)
        return sent(record, answers, {f"{kept.name}Configurations": wanted})

    def test_a_changed_one_is_put_alone_with_what_no_property_shows(self, kept: Kept) -> None:
        other = {**kept.live, "Id": "two"}
        wanted = [kept.property, {**kept.property, "Id": "two"}]
        requests = self.sent(kept, [{**kept.live, **kept.edited}, other], wanted)
        assert [name for name, _ in requests] == [f"PutBucket{kept.name}Configuration"]
        assert requests[0][1]["Id"] == "one"
        assert requests[0][1][f"{kept.name}Configuration"] == kept.live

    def test_an_added_one_is_deleted_alone(self, kept: Kept) -> None:
        requests = self.sent(kept, [kept.live, {**kept.live, "Id": "two"}], [kept.property])
        assert requests == [(f"DeleteBucket{kept.name}Configuration", {"Bucket": BUCKET, "Id": "two"})]

    def test_a_removed_one_is_put_again(self, kept: Kept) -> None:
        requests = self.sent(kept, [], [kept.property])
        assert [name for name, _ in requests] == [f"PutBucket{kept.name}Configuration"]
        shown = requests[0][1][f"{kept.name}Configuration"]
        assert {**shown, "Destination": ABSENT} == {**kept.live, "Destination": ABSENT}
