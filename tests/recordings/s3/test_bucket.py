"""Buckets: seventeen configurations, each of which may be missing, denied or differently shaped."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from driftwarden.model import Gone
from tests.recordings.conftest import Answers, Read, live, unreadable

NOT_CONFIGURED = {
    "GetBucketEncryption": "ServerSideEncryptionConfigurationNotFoundError",
    "GetBucketOwnershipControls": "OwnershipControlsNotFoundError",
    "GetPublicAccessBlock": "NoSuchPublicAccessBlockConfiguration",
    "GetBucketTagging": "NoSuchTagSet",
    "GetBucketLifecycleConfiguration": "NoSuchLifecycleConfiguration",
    "GetBucketCors": "NoSuchCORSConfiguration",
    "GetBucketWebsite": "NoSuchWebsiteConfiguration",
    "GetBucketReplication": "ReplicationConfigurationNotFoundError",
    "GetObjectLockConfiguration": "ObjectLockConfigurationNotFoundError",
}
ALWAYS_ANSWERED = (
    "HeadBucket",
    "GetBucketVersioning",
    "GetBucketLogging",
    "GetBucketNotificationConfiguration",
    "GetBucketAccelerateConfiguration",
    "ListBucketMetricsConfigurations",
    "ListBucketAnalyticsConfigurations",
    "ListBucketIntelligentTieringConfigurations",
    "ListBucketInventoryConfigurations",
)
PLACEHOLDERS = {
    "BucketName": "app",
    "VersioningConfiguration": {"Status": "Suspended"},
    "BucketEncryption": {"ServerSideEncryptionConfiguration": []},
    "OwnershipControls": {"Rules": []},
    "PublicAccessBlockConfiguration": {
        "BlockPublicAcls": False,
        "BlockPublicPolicy": False,
        "IgnorePublicAcls": False,
        "RestrictPublicBuckets": False,
    },
    "Tags": [],
    "LifecycleConfiguration": {"Rules": []},
    "CorsConfiguration": {"CorsRules": []},
    "WebsiteConfiguration": {},
    "LoggingConfiguration": {},
    "NotificationConfiguration": {"EventBridgeConfiguration": {"EventBridgeEnabled": False}},
    "ReplicationConfiguration": {},
    "ObjectLockConfiguration": {},
    "AccelerateConfiguration": {"AccelerationStatus": "Suspended"},
    "MetricsConfigurations": [],
    "AnalyticsConfigurations": [],
    "IntelligentTieringConfigurations": [],
    "InventoryConfigurations": [],
}
ACTIONS = {
    "HeadBucket": "s3:ListBucket",
    "GetBucketEncryption": "s3:GetEncryptionConfiguration",
    "GetBucketTagging": "s3:GetBucketTagging",
    "GetBucketLifecycleConfiguration": "s3:GetLifecycleConfiguration",
    "GetBucketReplication": "s3:GetReplicationConfiguration",
    "GetPublicAccessBlock": "s3:GetBucketPublicAccessBlock",
    "GetObjectLockConfiguration": "s3:GetBucketObjectLockConfiguration",
    "GetBucketNotificationConfiguration": "s3:GetBucketNotification",
    "GetBucketAccelerateConfiguration": "s3:GetAccelerateConfiguration",
    "ListBucketMetricsConfigurations": "s3:GetMetricsConfiguration",
    "ListBucketInventoryConfigurations": "s3:GetInventoryConfiguration",
}


@pytest.fixture
def bucket(answers: Answers) -> Answers:
    """A bucket on which nothing is configured."""
    for operation in ALWAYS_ANSWERED:
        answers[f"s3:{operation}"] = {}
    for operation, code in NOT_CONFIGURED.items():
        answers.fails(f"s3:{operation}", code, status=404)
    return answers


def configured(bucket: Answers, read: Read, operation: str, answer: dict[str, Any], name: str) -> Any:
    bucket[f"s3:{operation}"] = answer
    properties = live(read("AWS::S3::Bucket", "app"))
    assert {k: v for k, v in properties.items() if k != name} == {
        k: v for k, v in PLACEHOLDERS.items() if k != name
    }
    return properties[name]


def test_a_bare_bucket_has_every_placeholder(bucket: Answers, read: Read) -> None:
    assert live(read("AWS::S3::Bucket", "app")) == PLACEHOLDERS


@pytest.mark.parametrize(
    ("operation", "answer", "name", "expected"),
    [
        ("GetBucketVersioning", {"Status": "Enabled"}, "VersioningConfiguration", {"Status": "Enabled"}),
        (
            "GetBucketEncryption",
            {
                "ServerSideEncryptionConfiguration": {
                    "Rules": [
                        {
                            "ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"},
                            "BucketKeyEnabled": False,
                            "BlockedEncryptionTypes": {"EncryptionType": ["SSE-C"]},
                        }
                    ]
                }
            },
            "BucketEncryption",
            {
                "ServerSideEncryptionConfiguration": [
                    {
                        "ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"},
                        "BucketKeyEnabled": False,
                        "BlockedEncryptionTypes": {"EncryptionType": ["SSE-C"]},
                    }
                ]
            },
        ),
        (
            "GetPublicAccessBlock",
            {"PublicAccessBlockConfiguration": {"BlockPublicAcls": True}},
            "PublicAccessBlockConfiguration",
            {
                "BlockPublicAcls": True,
                "BlockPublicPolicy": False,
                "IgnorePublicAcls": False,
                "RestrictPublicBuckets": False,
            },
        ),
        (
            "GetBucketOwnershipControls",
            {"OwnershipControls": {"Rules": [{"ObjectOwnership": "ObjectWriter"}]}},
            "OwnershipControls",
            {"Rules": [{"ObjectOwnership": "ObjectWriter"}]},
        ),
        (
            "GetBucketCors",
            {
                "CORSRules": [
                    {"ID": "a", "AllowedMethods": ["GET"], "ExposeHeaders": ["x"], "MaxAgeSeconds": 0}
                ]
            },
            "CorsConfiguration",
            {"CorsRules": [{"Id": "a", "AllowedMethods": ["GET"], "ExposedHeaders": ["x"], "MaxAge": 0}]},
        ),
        (
            "GetBucketWebsite",
            {
                "IndexDocument": {"Suffix": "index.html"},
                "ErrorDocument": {"Key": "error.html"},
                "RoutingRules": [{"Condition": {"KeyPrefixEquals": "a"}, "Redirect": {"HostName": "b"}}],
            },
            "WebsiteConfiguration",
            {
                "IndexDocument": "index.html",
                "ErrorDocument": "error.html",
                "RoutingRules": [
                    {"RoutingRuleCondition": {"KeyPrefixEquals": "a"}, "RedirectRule": {"HostName": "b"}}
                ],
            },
        ),
        (
            "GetBucketLogging",
            {
                "LoggingEnabled": {
                    "TargetBucket": "logs",
                    "TargetPrefix": "",
                    "TargetObjectKeyFormat": {"SimplePrefix": {}},
                }
            },
            "LoggingConfiguration",
            {
                "DestinationBucketName": "logs",
                "LogFilePrefix": "",
                "TargetObjectKeyFormat": {"SimplePrefix": {}},
            },
        ),
        (
            "GetObjectLockConfiguration",
            {
                "ObjectLockConfiguration": {
                    "ObjectLockEnabled": "Enabled",
                    "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 7}},
                }
            },
            "ObjectLockConfiguration",
            {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 7}}},
        ),
        (
            "GetBucketAccelerateConfiguration",
            {"Status": "Enabled"},
            "AccelerateConfiguration",
            {"AccelerationStatus": "Enabled"},
        ),
        (
            "ListBucketAnalyticsConfigurations",
            {
                "AnalyticsConfigurationList": [
                    {
                        "Id": "a",
                        "Filter": {"Tag": {"Key": "k", "Value": "v"}},
                        "StorageClassAnalysis": {
                            "DataExport": {
                                "OutputSchemaVersion": "V_1",
                                "Destination": {
                                    "S3BucketDestination": {"Format": "CSV", "Bucket": "arn:aws:s3:::out"}
                                },
                            }
                        },
                    }
                ]
            },
            "AnalyticsConfigurations",
            [
                {
                    "Id": "a",
                    "TagFilters": [{"Key": "k", "Value": "v"}],
                    "StorageClassAnalysis": {
                        "DataExport": {
                            "OutputSchemaVersion": "V_1",
                            "Destination": {"Format": "CSV", "BucketArn": "arn:aws:s3:::out"},
                        }
                    },
                }
            ],
        ),
        (
            "ListBucketIntelligentTieringConfigurations",
            {
                "IntelligentTieringConfigurationList": [
                    {
                        "Id": "a",
                        "Status": "Enabled",
                        "Filter": {"Prefix": "p"},
                        "Tierings": [{"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}],
                    }
                ]
            },
            "IntelligentTieringConfigurations",
            [
                {
                    "Id": "a",
                    "Status": "Enabled",
                    "Prefix": "p",
                    "Tierings": [{"Days": 90, "AccessTier": "ARCHIVE_ACCESS"}],
                }
            ],
        ),
        (
            "ListBucketInventoryConfigurations",
            {
                "InventoryConfigurationList": [
                    {
                        "Id": "a",
                        "IsEnabled": False,
                        "IncludedObjectVersions": "All",
                        "Filter": {"Prefix": "p"},
                        "Schedule": {"Frequency": "Daily"},
                        "Destination": {
                            "S3BucketDestination": {
                                "AccountId": "111122223333",
                                "Bucket": "arn:aws:s3:::out",
                                "Format": "CSV",
                                "Encryption": {"SSES3": {}},
                            }
                        },
                    }
                ]
            },
            "InventoryConfigurations",
            [
                {
                    "Id": "a",
                    "Enabled": False,
                    "IncludedObjectVersions": "All",
                    "Prefix": "p",
                    "ScheduleFrequency": "Daily",
                    "Destination": {
                        "BucketAccountId": "111122223333",
                        "BucketArn": "arn:aws:s3:::out",
                        "Format": "CSV",
                    },
                }
            ],
        ),
    ],
)
def test_each_configuration_reads_back_in_cloudformation_shape(
    bucket: Answers, read: Read, operation: str, answer: dict[str, Any], name: str, expected: object
) -> None:
    assert configured(bucket, read, operation, answer, name) == expected


def test_tags_are_sorted_and_those_of_aws_left_out(bucket: Answers, read: Read) -> None:
    tags = [{"Key": "team", "Value": "red"}, {"Key": "aws:x", "Value": "y"}, {"Key": "Env", "Value": "p"}]
    assert configured(bucket, read, "GetBucketTagging", {"TagSet": tags}, "Tags") == [
        {"Key": "Env", "Value": "p"},
        {"Key": "team", "Value": "red"},
    ]


def lifecycle_rule(bucket: Answers, read: Read, **members: Any) -> Any:
    answer = {"Rules": [{"Status": "Enabled", **members}]}
    made = configured(bucket, read, "GetBucketLifecycleConfiguration", answer, "LifecycleConfiguration")
    return {k: v for k, v in made["Rules"][0].items() if k != "Status"}


def test_a_lifecycle_rule_is_flattened(bucket: Answers, read: Read) -> None:
    assert lifecycle_rule(
        bucket,
        read,
        ID="a",
        Expiration={"Date": datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), "ExpiredObjectDeleteMarker": False},
        Transitions=[{"Days": 0, "StorageClass": "GLACIER"}],
        NoncurrentVersionTransitions=[{"NoncurrentDays": 30, "StorageClass": "GLACIER"}],
        NoncurrentVersionExpiration={"NoncurrentDays": 60},
        AbortIncompleteMultipartUpload={"DaysAfterInitiation": 7},
    ) == {
        "Id": "a",
        "ExpirationDate": "2024-01-02T03:04:05.000Z",
        "ExpiredObjectDeleteMarker": False,
        "Transitions": [{"TransitionInDays": 0, "StorageClass": "GLACIER"}],
        "NoncurrentVersionTransitions": [{"TransitionInDays": 30, "StorageClass": "GLACIER"}],
        "NoncurrentVersionExpiration": {"NoncurrentDays": 60},
        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7},
    }


@pytest.mark.parametrize(
    ("answered", "expected"),
    [
        ({"Prefix": ""}, {"Prefix": ""}),
        ({"Tag": {"Key": "k", "Value": "v"}}, {"TagFilters": [{"Key": "k", "Value": "v"}]}),
        ({"ObjectSizeGreaterThan": 0}, {"ObjectSizeGreaterThan": 0}),
        (
            {"And": {"Prefix": "a/", "Tags": [{"Key": "b", "Value": "2"}, {"Key": "a", "Value": "1"}]}},
            {"Prefix": "a/", "TagFilters": [{"Key": "b", "Value": "2"}, {"Key": "a", "Value": "1"}]},
        ),
    ],
)
def test_a_lifecycle_filter_keeps_its_conditions_side_by_side(
    bucket: Answers, read: Read, answered: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert lifecycle_rule(bucket, read, Filter=answered) == {"Filter": expected}


def test_an_empty_lifecycle_filter_is_left_out(bucket: Answers, read: Read) -> None:
    assert lifecycle_rule(bucket, read, Filter={}) == {}


def test_notifications_name_their_targets_and_rules_as_in_cloudformation(bucket: Answers, read: Read) -> None:
    answer = {
        "EventBridgeConfiguration": {},
        "TopicConfigurations": [],
        "QueueConfigurations": [{"QueueArn": "arn:q", "Events": ["a", "b"], "Filter": {}}],
        "LambdaFunctionConfigurations": [
            {
                "Id": "f",
                "LambdaFunctionArn": "arn:f",
                "Events": ["a"],
                "Filter": {"Key": {"FilterRules": [{"Name": "prefix", "Value": "p"}]}},
            }
        ],
    }
    name = "NotificationConfiguration"
    assert configured(bucket, read, "GetBucketNotificationConfiguration", answer, name) == {
        "EventBridgeConfiguration": {"EventBridgeEnabled": True},
        "QueueConfigurations": [{"Queue": "arn:q", "Events": ["a", "b"], "Filter": {}}],
        "LambdaConfigurations": [
            {
                "Id": "f",
                "Function": "arn:f",
                "Event": "a",
                "Filter": {"S3Key": {"Rules": [{"Name": "prefix", "Value": "p"}]}},
            }
        ],
    }


@pytest.mark.parametrize(
    ("answered", "expected"),
    [
        ({"Prefix": "p"}, {"Prefix": "p"}),
        ({"Tag": {"Key": "k", "Value": "v"}}, {"TagFilter": {"Key": "k", "Value": "v"}}),
        (
            {"And": {"Prefix": "p", "Tags": [{"Key": "k", "Value": "v"}]}},
            {"And": {"Prefix": "p", "TagFilters": [{"Key": "k", "Value": "v"}]}},
        ),
    ],
)
def test_a_replication_rule_keeps_the_form_of_its_filter(
    bucket: Answers, read: Read, answered: dict[str, Any], expected: dict[str, Any]
) -> None:
    rule = {
        "ID": "a",
        "Priority": 0,
        "Status": "Enabled",
        "Filter": answered,
        "Destination": {"Bucket": "arn:aws:s3:::copy", "EncryptionConfiguration": {}},
        "DeleteMarkerReplication": {"Status": "Disabled"},
        "ExistingObjectReplication": {"Status": "Enabled"},
    }
    answer = {"ReplicationConfiguration": {"Role": "arn:role", "Rules": [rule]}}
    assert configured(bucket, read, "GetBucketReplication", answer, "ReplicationConfiguration") == {
        "Role": "arn:role",
        "Rules": [
            {
                "Id": "a",
                "Priority": 0,
                "Status": "Enabled",
                "Filter": expected,
                "Destination": {"Bucket": "arn:aws:s3:::copy"},
                "DeleteMarkerReplication": {"Status": "Disabled"},
            }
        ],
    }


def test_all_pages_of_a_list_of_configurations_are_read(bucket: Answers, read: Read) -> None:
    bucket["s3:ListBucketMetricsConfigurations"] = [
        {"MetricsConfigurationList": [{"Id": "a"}], "IsTruncated": True, "NextContinuationToken": "2"},
        {
            "MetricsConfigurationList": [{"Id": "b", "Filter": {"AccessPointArn": "arn:ap"}}],
            "IsTruncated": False,
        },
    ]
    assert live(read("AWS::S3::Bucket", "app"))["MetricsConfigurations"] == [
        {"Id": "a"},
        {"Id": "b", "AccessPointArn": "arn:ap"},
    ]
    assert bucket.asked("s3:ListBucketMetricsConfigurations")[1] == {
        "Bucket": "app",
        "ContinuationToken": "2",
    }


def test_a_bucket_that_s3_does_not_know_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("s3:HeadBucket", "404", status=404)
    assert isinstance(read("AWS::S3::Bucket", "app"), Gone)


def test_a_forbidden_bucket_is_unreadable_and_never_a_deletion(answers: Answers, read: Read) -> None:
    answers.fails("s3:HeadBucket", "403", status=403)
    assert unreadable(read("AWS::S3::Bucket", "app")).action == "s3:ListBucket"


@pytest.mark.parametrize(("operation", "action"), ACTIONS.items())
def test_any_denied_configuration_is_unreadable_and_names_the_action_that_iam_knows(
    bucket: Answers, read: Read, operation: str, action: str
) -> None:
    bucket.fails(f"s3:{operation}", "AccessDenied", status=403)
    assert unreadable(read("AWS::S3::Bucket", "app")).action == action


@pytest.mark.parametrize("operation", [*NOT_CONFIGURED, *ALWAYS_ANSWERED])
def test_throttling_is_never_taken_for_not_configured(bucket: Answers, read: Read, operation: str) -> None:
    bucket.fails(f"s3:{operation}", "SlowDown", status=503)
    assert unreadable(read("AWS::S3::Bucket", "app")).code == "SlowDown"


def test_another_configurations_code_is_not_taken_for_not_configured(bucket: Answers, read: Read) -> None:
    bucket.fails("s3:GetBucketTagging", "NoSuchCORSConfiguration", status=404)
    assert unreadable(read("AWS::S3::Bucket", "app")).operation == "s3:GetBucketTagging"


def test_a_feature_that_the_region_does_not_have_counts_as_off(bucket: Answers, read: Read) -> None:
    bucket.fails("s3:GetBucketAccelerateConfiguration", "MethodNotAllowed", status=405)
    assert live(read("AWS::S3::Bucket", "app")) == PLACEHOLDERS


def test_a_reset_connection_is_unreadable(bucket: Answers, read: Read) -> None:
    bucket.breaks("s3:GetBucketReplication")
    assert unreadable(read("AWS::S3::Bucket", "app")).operation == "s3:GetBucketReplication"
