"""A stack of 300 resources of seven types, the mix that the performance figures speak of."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

from driftwarden.clients import Clients
from driftwarden.model import Record, StackRef, StackState, StateOrigin
from tests.e2e.emulator import REGION

_TRUST: Final = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ],
    }
)
_POLICY: Final = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}
)


def _queue(client: Callable[[str], Any], name: str) -> str:
    return str(client("sqs").create_queue(QueueName=name)["QueueUrl"])


def _topic(client: Callable[[str], Any], name: str) -> str:
    return str(client("sns").create_topic(Name=name)["TopicArn"])


def _parameter(client: Callable[[str], Any], name: str) -> str:
    client("ssm").put_parameter(Name=f"/{name}", Value="v", Type="String")
    return f"/{name}"


def _log_group(client: Callable[[str], Any], name: str) -> str:
    client("logs").create_log_group(logGroupName=name)
    return name


def _role(client: Callable[[str], Any], name: str) -> str:
    client("iam").create_role(RoleName=name, AssumeRolePolicyDocument=_TRUST)
    client("iam").put_role_policy(RoleName=name, PolicyName="inline", PolicyDocument=_POLICY)
    return name


def _table(client: Callable[[str], Any], name: str) -> str:
    client("dynamodb").create_table(
        TableName=name,
        KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    return name


def _bucket(client: Callable[[str], Any], name: str) -> str:
    client("s3").create_bucket(Bucket=name)
    return name


_MIX: Final = (
    ("AWS::SQS::Queue", 60, _queue),
    ("AWS::SNS::Topic", 50, _topic),
    ("AWS::SSM::Parameter", 70, _parameter),
    ("AWS::Logs::LogGroup", 50, _log_group),
    ("AWS::IAM::Role", 30, _role),
    ("AWS::DynamoDB::Table", 20, _table),
    ("AWS::S3::Bucket", 20, _bucket),
)


def build(client: Callable[[str], Any]) -> StackState:
    """Create the 300 resources; answers the state that records them."""
    records: dict[str, Record] = {}
    for resource_type, count, create in _MIX:
        service = resource_type.split("::")[1].lower()
        for number in range(count):
            logical_id = f"{service}{number}"
            physical_id = create(client, f"bench-{service}-{number}")
            records[logical_id] = Record(
                logical_id=logical_id, resource_type=resource_type, physical_id=physical_id, properties={}
            )
    origin = StateOrigin(bucket="bench", key="bench", etag="bench")
    return StackState(ref=StackRef("Bench", REGION), version=8, records=records, origin=origin)


class FarAwayClients(Clients):
    """Clients of an endpoint that is `delay` seconds away. `requests` counts what was sent."""

    def __init__(self, delay: float) -> None:
        super().__init__(region=REGION)
        self.requests = 0
        self._delay = delay

    def reader(self, service: str, region: str | None = None) -> Any:
        client = super().reader(service, region)
        client.meta.events.register("before-send", self._travel, unique_id="travel")
        return client

    def _travel(self, **_: Any) -> None:
        self.requests += 1
        time.sleep(self._delay)
