"""Zones and records: a record is written whole under its own name, and a zone keeps a network."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from driftwarden.remedy.writes import push
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, failure, sent, update_of

TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
LOGS, OTHER_LOGS = (f"arn:aws:logs:us-east-1:{ACCOUNT}:log-group:/aws/route53/{n}" for n in ("a", "b"))
OURS = {"Value": "192.0.2.1"}
FIRST, SECOND = ({"VPCRegion": "us-east-1", "VPCId": vpc} for vpc in ("vpc-1", "vpc-2"))


class Zone:
    """A public zone with a record in it."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.client = life.client("route53")
        made = self.client.create_hosted_zone(
            Name="shop.example", CallerReference="once", HostedZoneConfig={"Comment": "ours"}
        )
        self.id = made["HostedZone"]["Id"].removeprefix("/hostedzone/")
        self.named = {"ResourceType": "hostedzone", "ResourceId": self.id}
        self.client.change_tags_for_resource(**self.named, AddTags=TAGS)

    def record_zone(self) -> None:
        self.life.record("Zone", "AWS::Route53::HostedZone", self.id, {"HostedZoneTags": TAGS})

    def change(self, action: str = "UPSERT", **members: Any) -> None:
        record = {"Name": "www.shop.example.", "Type": "A", **members}
        batch = {"Changes": [{"Action": action, "ResourceRecordSet": record}]}
        self.client.change_resource_record_sets(HostedZoneId=self.id, ChangeBatch=batch)

    def record_record(self) -> None:
        self.change(TTL=300, ResourceRecords=[OURS])
        template = {
            "HostedZoneId": self.id,
            "Name": "www.shop.example.",
            "Type": "A",
            "TTL": "300",
            "ResourceRecords": ["192.0.2.1"],
        }
        physical = f"{self.id}|www.shop.example.|A"
        self.life.record("Www", "AWS::Route53::RecordSet", physical, template)

    def upserted(self, **members: Any) -> list[tuple[str, dict[str, Any]]]:
        record = {"Name": "www.shop.example.", "Type": "A", **members}
        batch = {"Changes": [{"Action": "UPSERT", "ResourceRecordSet": record}]}
        return [("ChangeResourceRecordSets", {"HostedZoneId": self.id, "ChangeBatch": batch})]


@pytest.fixture
def zone(life: Life) -> Zone:
    return Zone(life)


def test_the_comment_of_a_zone_goes_back(zone: Zone) -> None:
    zone.record_zone()

    def edit() -> None:
        zone.client.update_hosted_zone_comment(Id=zone.id, Comment="mine")

    calls = zone.life.goes_round("Zone", edit, expect=["HostedZoneConfig.Comment"])
    assert calls == [("UpdateHostedZoneComment", {"Id": zone.id, "Comment": "ours"})]


def test_only_the_difference_of_tags_is_sent(zone: Zone) -> None:
    zone.record_zone()

    def edit() -> None:
        tags = [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
        zone.client.change_tags_for_resource(**zone.named, AddTags=tags, RemoveTagKeys=["Team"])

    calls = zone.life.goes_round("Zone", edit, expect=["HostedZoneTags"])
    assert calls == [
        ("ChangeTagsForResource", {**zone.named, "RemoveTagKeys": ["Owner"]}),
        ("ChangeTagsForResource", {**zone.named, "AddTags": TAGS}),
    ]


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        ({"TTL": 60, "ResourceRecords": [OURS]}, "TTL"),
        ({"TTL": 300, "ResourceRecords": [{"Value": "198.51.100.9"}]}, "ResourceRecords"),
        (
            {"TTL": 300, "ResourceRecords": [{"Value": "192.0.2.1"}, {"Value": "192.0.2.2"}]},
            "ResourceRecords",
        ),
    ],
)
def test_a_record_is_written_whole(zone: Zone, edit: dict[str, Any], path: str) -> None:
    zone.record_record()
    calls = zone.life.goes_round("Www", lambda: zone.change(**edit), expect=[path])
    assert calls == zone.upserted(TTL=300, ResourceRecords=[OURS])


ALIAS = {"HostedZoneId": "Z2", "DNSName": "lb.example.", "EvaluateTargetHealth": False}


def test_a_record_gets_its_values_back_from_an_alias(zone: Zone) -> None:
    zone.record_record()
    zone.change("DELETE", TTL=300, ResourceRecords=[OURS])
    zone.change(AliasTarget=ALIAS)
    zone.life.forget_calls()
    zone.life.revert()
    assert zone.life.calls == zone.upserted(TTL=300, ResourceRecords=[OURS])


def found(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A record set that answers with these members."""
    record = a_record("AWS::Route53::RecordSet", "Z1|www.shop.example.|A")
    listed = {"Name": "www.shop.example.", "Type": "A", **members}
    return record, {"ListResourceRecordSets": {"ResourceRecordSets": [listed]}}


def test_a_record_becomes_an_alias_again_without_its_values() -> None:
    record, answers = found(TTL=60, ResourceRecords=[OURS])
    wanted = {"AliasTarget": {"HostedZoneId": "Z2", "DNSName": "lb.example."}}
    ((_, request),) = sent(record, answers, wanted)
    (change,) = request["ChangeBatch"]["Changes"]
    assert change["ResourceRecordSet"] == {"Name": "www.shop.example.", "Type": "A", "AliasTarget": ALIAS}


def test_routing_that_did_not_drift_goes_along() -> None:
    record, answers = found(
        TTL=60, ResourceRecords=[OURS], SetIdentifier="blue", Weight=90, HealthCheckId="h1"
    )
    ((_, request),) = sent(record, answers, {"Weight": "10"})
    (change,) = request["ChangeBatch"]["Changes"]
    assert change["ResourceRecordSet"]["Weight"] == 10
    assert change["ResourceRecordSet"]["SetIdentifier"] == "blue"
    assert change["ResourceRecordSet"]["HealthCheckId"] == "h1"


def test_a_record_without_an_answer_is_never_written() -> None:
    record, answers = found(TTL=60, ResourceRecords=[OURS])
    with pytest.raises(UpdateFailed, match="neither values"):
        sent(record, answers, {"ResourceRecords": []})


def private_zone(**answers: Any) -> tuple[Record, dict[str, Any]]:
    """A private zone in one network."""
    zone = {"Id": "/hostedzone/Z1", "Name": "shop.internal.", "Config": {"PrivateZone": True}}
    record = a_record("AWS::Route53::HostedZone", "Z1")
    return record, {"GetHostedZone": {"HostedZone": zone, "VPCs": [SECOND]}, **answers}


def test_a_network_is_associated_before_the_other_goes() -> None:
    record, answers = private_zone()
    assert sent(record, answers, {"VPCs": [FIRST]}) == [
        ("AssociateVPCWithHostedZone", {"HostedZoneId": "Z1", "VPC": FIRST}),
        ("DisassociateVPCFromHostedZone", {"HostedZoneId": "Z1", "VPC": SECOND}),
    ]


def test_accelerated_recovery_goes_back() -> None:
    record, answers = private_zone()
    assert sent(record, answers, {"HostedZoneFeatures": {"AcceleratedRecoveryStatus": "ENABLED"}}) == [
        ("UpdateHostedZoneFeatures", {"HostedZoneId": "Z1", "EnableAcceleratedRecovery": True})
    ]


def logging_to(group: str) -> dict[str, Any]:
    config = {"Id": "q1", "HostedZoneId": "Z1", "CloudWatchLogsLogGroupArn": group}
    return {"QueryLoggingConfigs": [config]}


def create(group: str) -> tuple[str, dict[str, Any]]:
    return "CreateQueryLoggingConfig", {"HostedZoneId": "Z1", "CloudWatchLogsLogGroupArn": group}


def test_query_logging_moves_back_and_goes_away() -> None:
    record, answers = private_zone(ListQueryLoggingConfigs=logging_to(OTHER_LOGS))
    delete = ("DeleteQueryLoggingConfig", {"Id": "q1"})
    wanted = {"QueryLoggingConfig": {"CloudWatchLogsLogGroupArn": LOGS}}
    assert sent(record, answers, wanted) == [delete, create(LOGS)]
    assert sent(record, answers, {"QueryLoggingConfig": {}}) == [delete]


def test_the_former_log_group_comes_back_when_the_recorded_one_is_refused() -> None:
    refused = failure("NoSuchCloudWatchLogsLogGroup", "CreateQueryLoggingConfig")
    record, answers = private_zone(
        ListQueryLoggingConfigs=logging_to(OTHER_LOGS), CreateQueryLoggingConfig=[refused, {}]
    )
    wanted = {"QueryLoggingConfig": {"CloudWatchLogsLogGroupArn": LOGS}}
    with update_of(record, answers, wanted) as (update, requests):
        with pytest.raises(UpdateFailed, match="NoSuchCloudWatchLogsLogGroup"):
            push(update)
        assert requests[1:] == [create(LOGS), create(OTHER_LOGS)]
