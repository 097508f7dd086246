"""Hosted zones and record sets."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

ZONE = "Z0123456789ABCDEF"
RECORD = f"{ZONE}|www.example.com.|A"


def listed(*records: dict[str, Any]) -> dict[str, Any]:
    return {"ResourceRecordSets": [{"Name": "www.example.com.", "Type": "A", **r} for r in records]}


def address(value: str, **members: Any) -> dict[str, Any]:
    return {"TTL": 300, "ResourceRecords": [{"Value": value}], **members}


@pytest.fixture
def zone(answers: Any) -> Any:
    answers["route53:GetHostedZone"] = {"HostedZone": {"Name": "example.com."}}
    answers["route53:ListTagsForResource"] = {}
    answers["route53:ListQueryLoggingConfigs"] = {"QueryLoggingConfigs": []}
    return answers


def test_a_public_zone_has_no_networks(zone: Any, read: Any) -> None:
    assert read("AWS::Route53::HostedZone", f"/hostedzone/{ZONE}") == Live(
        {
            "Name": "example.com.",
            "HostedZoneConfig": {"Comment": ""},
            "HostedZoneTags": [],
            "QueryLoggingConfig": {},
        }
    )
    assert zone.asked("route53:ListTagsForResource") == [{"ResourceType": "hostedzone", "ResourceId": ZONE}]


def test_a_private_zone_lists_its_networks(zone: Any, read: Any) -> None:
    config = {"Comment": "inner", "PrivateZone": True}
    networks = [{"VPCId": "vpc-1", "VPCRegion": "eu-central-1"}]
    zone["route53:GetHostedZone"] = {
        "HostedZone": {"Name": "in.example.", "Config": config},
        "VPCs": networks,
    }

    found = read("AWS::Route53::HostedZone", ZONE)

    assert isinstance(found, Live)
    assert found.properties["HostedZoneConfig"] == config
    assert found.properties["VPCs"] == networks


def test_a_deleted_zone_is_gone_with_its_records(answers: Any, read: Any) -> None:
    answers.fails("route53:GetHostedZone", "NoSuchHostedZone", status=404)
    answers.fails("route53:ListResourceRecordSets", "NoSuchHostedZone", status=404)

    assert read("AWS::Route53::HostedZone", ZONE) == Gone()
    assert read("AWS::Route53::RecordSet", RECORD) == Gone()


@pytest.mark.parametrize("operation", ["ListTagsForResource", "ListQueryLoggingConfigs"])
def test_a_denied_sub_call_is_unreadable_and_names_the_action(zone: Any, read: Any, operation: str) -> None:
    zone.fails(f"route53:{operation}", "AccessDenied", status=403)

    found = read("AWS::Route53::HostedZone", ZONE)

    assert isinstance(found, Unreadable)
    assert found.action == f"route53:{operation}"


def test_a_record_has_the_identity_of_the_state(answers: Any, read: Any) -> None:
    answers["route53:ListResourceRecordSets"] = listed(address("192.0.2.1", Weight=10))

    found = read("AWS::Route53::RecordSet", RECORD, {"Name": "WWW.example.com", "Type": "A"})

    assert found == Live(
        {
            "HostedZoneId": ZONE,
            "Name": "www.example.com.",
            "Type": "A",
            "TTL": 300,
            "ResourceRecords": ["192.0.2.1"],
            "Weight": 10,
        }
    )


def test_an_alias_has_neither_records_nor_a_lifetime(answers: Any, read: Any) -> None:
    alias = {"DNSName": "lb.example.", "HostedZoneId": "Z2", "EvaluateTargetHealth": False}
    answers["route53:ListResourceRecordSets"] = listed({"AliasTarget": alias})

    assert read("AWS::Route53::RecordSet", RECORD) == Live(
        {"HostedZoneId": ZONE, "Name": "www.example.com.", "Type": "A", "AliasTarget": alias}
    )


def test_a_wildcard_is_asked_for_and_recognised_as_route_53_escapes_it(answers: Any, read: Any) -> None:
    answers["route53:ListResourceRecordSets"] = {
        "ResourceRecordSets": [{"Name": r"\052.example.com.", "Type": "A", **address("192.0.2.1")}]
    }
    assert isinstance(read("AWS::Route53::RecordSet", f"{ZONE}|*.Example.com|A"), Live)
    assert answers.asked("route53:ListResourceRecordSets")[0]["StartRecordName"] == r"\052.example.com."


@pytest.mark.parametrize("other", [{"Name": "zzz.example.com."}, {"Type": "AAAA"}])
def test_a_list_that_starts_at_another_record_means_gone(
    answers: Any, read: Any, other: dict[str, Any]
) -> None:
    answers["route53:ListResourceRecordSets"] = listed({**address("192.0.2.1"), **other})

    assert read("AWS::Route53::RecordSet", RECORD) == Gone()


def test_of_weighted_records_the_declared_one_is_read(answers: Any, read: Any) -> None:
    blue = address("192.0.2.1", SetIdentifier="blue")
    green = address("192.0.2.2", SetIdentifier="green")
    answers["route53:ListResourceRecordSets"] = listed(blue, green)

    found = read("AWS::Route53::RecordSet", RECORD, {"SetIdentifier": "green"})

    assert isinstance(found, Live)
    assert found.properties["ResourceRecords"] == ["192.0.2.2"]
    assert answers.asked("route53:ListResourceRecordSets")[0]["StartRecordIdentifier"] == "green"
    assert read("AWS::Route53::RecordSet", RECORD, {"SetIdentifier": "red"}) == Gone()


def test_a_zone_that_the_template_names_is_looked_up(answers: Any, read: Any) -> None:
    answers["route53:ListHostedZonesByName"] = {
        "HostedZones": [{"Id": f"/hostedzone/{ZONE}", "Name": "Example.com."}]
    }
    answers["route53:ListResourceRecordSets"] = listed(address("192.0.2.1"))
    template = {"HostedZoneName": "example.com", "Name": "www.example.com.", "Type": "A"}

    found = read("AWS::Route53::RecordSet", "www.example.com", template)

    assert isinstance(found, Live)
    assert found.properties["HostedZoneId"] == ZONE
    answers["route53:ListHostedZonesByName"] = {"HostedZones": [{"Id": "Z9", "Name": "other.example."}]}
    assert read("AWS::Route53::RecordSet", "www.example.com", template) == Gone()


def test_a_record_without_zone_or_type_names_nothing(answers: Any, read: Any) -> None:
    assert isinstance(read("AWS::Route53::RecordSet", "www.example.com"), Unsupported)
    assert isinstance(read("AWS::Route53::RecordSet", "www.example.com", {"Type": "A"}), Unsupported)


@pytest.mark.parametrize(
    ("code", "action"), [("AccessDenied", "route53:ListResourceRecordSets"), ("Throttling", "")]
)
def test_a_record_that_cannot_be_read_is_not_gone(answers: Any, read: Any, code: str, action: str) -> None:
    answers.fails("route53:ListResourceRecordSets", code)

    found = read("AWS::Route53::RecordSet", RECORD)

    assert isinstance(found, Unreadable)
    assert (found.code, found.action) == (code, action)
