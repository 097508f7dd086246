"""Reports land under their documented keys, alerts at the topic, and every failure says what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from driftwarden.errors import ConfigurationError, PublishError
from driftwarden.model import Finding, StackRef
from driftwarden.report.alert import Alert
from driftwarden.report.publish import ReportBucket, Standing, publish_alert
from driftwarden.report.running import Mine, claim, release

Make = Callable[..., Any]
NOW = datetime(2025, 1, 31, tzinfo=UTC)
ALERT = Alert(
    subject="[drift] Shop us-east-1: 1 drifted",
    text="readable",
    json='{"kind":"drift"}',
    attributes={"stack": "Shop", "exitStatus": "1", "repeat": "false"},
)
TOLD = Standing(fingerprint="abc", since="2025-01-01T00:00:00Z")


def _keys(world: SimpleNamespace) -> list[str]:
    return [entry["Key"] for entry in world.s3.list_objects_v2(Bucket="reports").get("Contents", [])]


def test_a_report_lies_under_stack_region_day_time_and_scan(world: SimpleNamespace, document: Make) -> None:
    location = world.bucket.store(document())
    assert location.key == "reports/Shop/us-east-1/2025/01/31/20250131T081630Z-scan-1.json"
    stored = world.s3.get_object(Bucket="reports", Key=location.key)
    assert stored["Body"].read() == document().json_bytes()
    assert stored["ContentType"] == "application/json"


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("Shop~Payments", "Shop~Payments"),
        ("../../latest/Other", "..%2F..%2Flatest%2FOther"),
        ("..", "%2E%2E"),
        (".", "%2E"),
        ("a/b", "a%2Fb"),
        ("Größe\n", "Gr%C3%B6%C3%9Fe%0A"),
        ("half\ud83d", "half%3F"),
    ],
)
def test_no_stack_name_leaves_its_prefix(
    world: SimpleNamespace, document: Make, name: str, segment: str
) -> None:
    made = document(ref=StackRef(name, "us-east-1"))
    world.bucket.store(made)
    world.bucket.store_latest(made, None)
    assert _keys(world) == [
        f"latest/{segment}/us-east-1.json",
        f"reports/{segment}/us-east-1/2025/01/31/20250131T081630Z-scan-1.json",
    ]


def test_storing_the_same_scan_twice_changes_nothing(world: SimpleNamespace, document: Make) -> None:
    assert world.bucket.store(document()) == world.bucket.store(document())
    assert len(_keys(world)) == 1


def test_the_latest_report_remembers_what_was_told(world: SimpleNamespace, document: Make) -> None:
    world.bucket.store_latest(document(), TOLD)
    assert world.bucket.standing(document().ref) == TOLD


def test_an_alert_that_did_not_get_out_is_not_remembered(world: SimpleNamespace, document: Make) -> None:
    world.bucket.store_latest(document(), TOLD)
    world.bucket.store_latest(document(), None)
    assert world.bucket.standing(document().ref) is None


def test_a_stack_that_was_never_scanned_has_no_standing(world: SimpleNamespace) -> None:
    assert world.bucket.standing(StackRef("New", "us-east-1")) is None


def test_a_denial_for_an_object_that_may_not_exist_counts_as_none(
    world: SimpleNamespace, failing: Make
) -> None:
    failing(world.bucket.client, "head_object", "403", status=403)
    assert world.bucket.standing(StackRef("New", "us-east-1")) is None


def test_a_server_error_is_not_taken_for_a_missing_report(world: SimpleNamespace, failing: Make) -> None:
    failing(world.bucket.client, "head_object", "503", status=503)
    with pytest.raises(PublishError, match="HeadObject"):
        world.bucket.standing(StackRef("New", "us-east-1"))


def test_every_call_names_the_account_that_must_own_the_bucket(
    world: SimpleNamespace, document: Make
) -> None:
    owners: list[tuple[str, str | None]] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        owners.append((model.name, params.get("ExpectedBucketOwner")))

    bucket = ReportBucket(world.clients, "reports", owner="123456789012")
    bucket.client.meta.events.register("provide-client-params.s3.*", note)
    bucket.store(document())
    bucket.standing(document().ref)
    for scan_id in ("one", "two"):
        claimed = claim(bucket, document().ref, scan_id=scan_id, now=NOW, expires=NOW + timedelta(hours=1))
        if isinstance(claimed, Mine):
            mine = claimed
    release(bucket, document().ref, mine)
    assert {name for name, _ in owners} == {"PutObject", "HeadObject", "GetObject", "DeleteObject"}
    assert {owner for _, owner in owners} == {"123456789012"}


def test_a_missing_bucket_is_named(world: SimpleNamespace, document: Make) -> None:
    with pytest.raises(PublishError, match=r"PutObject on s3://nowhere/reports/Shop.*NoSuchBucket"):
        ReportBucket(world.clients, "nowhere").store(document())


def test_an_alert_arrives_with_its_attributes(world: SimpleNamespace) -> None:
    publish_alert(world.clients, world.topic, ALERT)
    (message,) = world.sqs.receive_message(QueueUrl=world.queue)["Messages"]
    envelope = json.loads(message["Body"])
    assert envelope["Subject"] == ALERT.subject
    assert envelope["Message"] == ALERT.json
    assert {name: each["Value"] for name, each in envelope["MessageAttributes"].items()} == ALERT.attributes
    assert envelope["MessageAttributes"]["exitStatus"]["Type"] == "Number"


def test_the_topic_is_called_in_its_own_region(world: SimpleNamespace) -> None:
    with pytest.raises(PublishError, match="eu-west-1"):
        publish_alert(world.clients, "arn:aws:sns:eu-west-1:123456789012:gone", ALERT)


@pytest.mark.parametrize("arn", ["alerts", "arn:aws:sqs:us-east-1:123456789012:alerts", ""])
def test_what_is_no_topic_is_refused(world: SimpleNamespace, arn: str) -> None:
    with pytest.raises(ConfigurationError, match="ALERTS_TOPIC_ARN"):
        publish_alert(world.clients, arn, ALERT)


def test_an_unreachable_service_is_a_publish_error(
    world: SimpleNamespace, document: Make, monkeypatch: pytest.MonkeyPatch, drifted: Finding
) -> None:
    from botocore.exceptions import EndpointConnectionError

    def unreachable(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3")

    monkeypatch.setattr(world.bucket.client, "put_object", unreachable)
    with pytest.raises(PublishError, match="EndpointConnectionError"):
        world.bucket.store(document(drifted))
