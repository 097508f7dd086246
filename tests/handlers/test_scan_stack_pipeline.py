"""The scanner with the real pipeline behind it, from the state record to the alert."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from driftwarden.errors import DriftwardenError

SECRET = "correct-horse/battery+staple"
ACCOUNT = "123456789012"


@pytest.fixture
def record_queue(world: Any) -> Any:
    """Makes a queue, and the state that a deploy of it leaves; returns what changes the live queue."""
    queue = world.sqs.create_queue(QueueName="orders", Attributes={"VisibilityTimeout": "30"})["QueueUrl"]
    world.s3.create_bucket(Bucket="state")

    def record(**observed: Any) -> Any:
        properties = {"QueueName": "orders", "VisibilityTimeout": 30, **observed}
        row = {"physicalId": queue, "resourceType": "AWS::SQS::Queue", "properties": properties}
        state = {
            "version": 8,
            "stackName": "Shop",
            "region": "us-east-1",
            "resources": {"Orders": row},
            "outputs": {},
            "lastModified": 1_738_310_000_000,
        }
        world.s3.put_object(Bucket="state", Key="cdkd/Shop/us-east-1/state.json", Body=json.dumps(state))
        return queue

    return record


def test_a_change_behind_the_state_arrives_as_an_alert(
    world: Any, event: dict[str, Any], record_queue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_BUCKET", "state")
    queue = record_queue()
    assert world.invoke(event)["exitStatus"] == 0
    world.sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "120"})
    answer = world.invoke(event, request_id="request-2")
    assert answer["exitStatus"] == 1
    (alert,) = world.alerts()
    assert json.loads(alert["Message"])["changes"] == [
        {"logicalId": "Orders", "type": "AWS::SQS::Queue", "path": "VisibilityTimeout", "from": 30, "to": 120}
    ]
    assert world.report(answer["report"])["state"]["key"] == "cdkd/Shop/us-east-1/state.json"


def test_a_deleted_resource_is_drift(
    world: Any, event: dict[str, Any], record_queue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_BUCKET", "state")
    world.sqs.delete_queue(QueueUrl=record_queue())
    answer = world.invoke(event)
    assert (answer["exitStatus"], answer["summary"]["deleted"]) == (1, 1)


def test_a_stack_without_state_is_a_crash_that_says_so(
    world: Any, event: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    world.s3.create_bucket(Bucket="state")
    monkeypatch.setenv("STATE_BUCKET", "state")
    with pytest.raises(DriftwardenError, match="StateNotFound"):
        world.invoke(event)
    (alert,) = world.alerts()
    assert alert["Subject"] == "[failed] Shop us-east-1: StateNotFound"


def test_a_secret_that_the_scan_resolves_leaves_it_nowhere(
    world: Any, event: dict[str, Any], record_queue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_BUCKET", "state")
    boto3.client("secretsmanager").create_secret(Name="db", SecretString=json.dumps({"password": SECRET}))
    reference = "{{resolve:secretsmanager:db:SecretString:password}}"
    queue = record_queue(Tags=[{"Key": "login", "Value": reference}, {"Key": "note", "Value": "plain"}])
    world.sqs.tag_queue(QueueUrl=queue, Tags={"login": "rotated", "note": f"old:{SECRET}"})
    answer = world.invoke(event)
    assert answer["summary"]["drifted"] == 1
    everything = "".join(
        (
            *(json.dumps(world.report(key)) for key in world.stored()),
            json.dumps(world.alerts()),
            world.log(),
            world.printed(),
            json.dumps(answer),
        )
    )
    assert reference in everything
    assert "battery" not in everything
