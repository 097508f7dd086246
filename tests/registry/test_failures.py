"""Whatever a service fails to say, no declared type may ever be taken for deleted because of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ReadTimeoutError
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from driftwarden.clients import Clients
from driftwarden.model import Gone, Live, ReadResult, Record, Unreadable
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.resources import registry
from driftwarden.resources.spec import ResourceType
from tests.registry.service_models import full_answer

TYPES = registry.all_types()
CALLING = tuple(spec for spec in TYPES if spec.calls or spec.more)

each_type = pytest.mark.parametrize("spec", CALLING, ids=lambda spec: spec.name)

PHYSICAL_IDS = {
    "AWS::DynamoDB::GlobalTable": "eu-west-1",
    "AWS::WAFv2::WebACL": "arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/name/id",
}
"""Where any other text names no resource. Every text of the made-up answers is the physical id, too."""

LOOKS_INSIDE = {
    "AWS::AppSync::ApiKey": "it must be among the API's keys",
    "AWS::EC2::NetworkAclEntry": "its number and direction must be among the list's entries",
    "AWS::EC2::Route": "its destination must be among the table's routes",
    "AWS::EC2::SecurityGroupIngress": "its ports must be among the group's permissions",
    "AWS::EC2::VPCGatewayAttachment": "its VPC must be among the gateway's attachments",
    "AWS::Lambda::Permission": "its statement must be in the policy document",
    "AWS::Route53::RecordSet": "its name and type must be among the zone's records",
    "AWS::SQS::QueuePolicy": "the policy must be among the attributes",
}
"""Types that a made-up answer does not hold, and why."""

ASKED_SOMETIMES = {
    ("AWS::DynamoDB::GlobalTable", "ListTagsOfResource"): "only with the table's ARN",
    ("AWS::DynamoDB::GlobalTable", "DescribeScalableTargets"): "only where capacity is provisioned",
    ("AWS::DynamoDB::GlobalTable", "DescribeScalingPolicies"): "only where capacity is provisioned",
    ("AWS::EMR::Cluster", "ListInstanceFleets"): "only where the cluster has fleets instead of groups",
    ("AWS::IAM::Policy", "GetGroupPolicy"): "only where no role has the policy",
    ("AWS::IAM::Policy", "GetUserPolicy"): "only where no role has the policy",
    ("AWS::KMS::Key", "GetKeyRotationStatus"): "only for symmetric keys",
    ("AWS::Route53::RecordSet", "ListHostedZonesByName"): "only where the zone is known by name",
    ("AWS::S3::BucketPolicy", "GetCloudFrontOriginAccessIdentity"): "only for such principals",
}
"""Calls that a made-up resource does not lead to; the tests of their services make them."""

NOTHING_MEANS_GONE = {
    "AWS::SQS::QueuePolicy": "SQS leaves the attributes out where a queue has no policy",
}
"""Types for which an empty answer is AWS's way to say that there is none."""

_TOKEN = re.compile("(?i)token|marker|truncated")

_ARN = "arn:aws:example:eu-west-1:123456789012:one"
_clients = Clients(region="eu-central-1")

Answer = Callable[[Any, str, dict[str, Any]], dict[str, Any]]


@cache
def properties_for(type_name: str) -> dict[str, Any]:
    """A value for every property, so that whatever a reader needs to name the resource is there."""
    properties = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", type_name).schema["properties"]
    return {name: sample(shape) for name, shape in properties.items()}


def physical_id_for(spec: ResourceType) -> str:
    return PHYSICAL_IDS.get(spec.name, "|".join([_ARN, "two", "3", "4"][: spec.id_parts or 4]))


def sample(shape: dict[str, Any]) -> Any:
    kinds = shape.get("type", "string")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    texts = ["x"] if shape.get("items", {}).get("type") == "string" else []
    samples = {"array": texts, "object": {}, "integer": 1, "number": 1, "boolean": True}
    return samples.get(kind, "x")


def read_when(spec: ResourceType, monkeypatch: pytest.MonkeyPatch, answer: Answer) -> ReadResult:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setattr(BaseClient, "_make_api_call", answer)
    record = Record(
        logical_id="Subject",
        resource_type=spec.name,
        physical_id=physical_id_for(spec),
        properties=properties_for(spec.name),
    )
    place = Place(region="eu-central-1", clients=_clients, limits=Limits())
    return read_record(record, place, {"Subject": record})


def failing_with(code: str) -> Answer:
    def answer(client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        raise ClientError({"Error": {"Code": code, "Message": "no"}}, operation)

    return answer


def denying_only(denied: str, text: str, asked: list[str]) -> Answer:
    """Every other operation answers with all members that its model knows, and has no further page."""

    def answer(client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        asked.append(operation)
        if operation == denied:
            raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, operation)
        model = client.meta.service_model.operation_model(operation)
        full = full_answer(model.output_shape, text)
        return {name: value for name, value in full.items() if not _TOKEN.search(name)}

    return answer


def timing_out(client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
    raise ReadTimeoutError(endpoint_url="https://example.invalid")


def answering_nothing(client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
    return {}


@each_type
@pytest.mark.parametrize("code", ["AccessDenied", "AccessDeniedException"])
def test_a_denied_read_is_unreadable_and_names_the_permission(
    spec: ResourceType, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = read_when(spec, monkeypatch, failing_with(code))
    assert isinstance(result, Unreadable)
    assert result.code == code
    assert result.action
    assert result.action in result.reason


@each_type
@pytest.mark.parametrize("code", ["Throttling", "ThrottlingException", "InternalFailure", ""])
def test_a_throttled_or_broken_service_leaves_the_resource_unreadable(
    spec: ResourceType, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = read_when(spec, monkeypatch, failing_with(code))
    assert isinstance(result, Unreadable)
    assert result.code == code


@each_type
def test_a_lost_connection_leaves_the_resource_unreadable(
    spec: ResourceType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(read_when(spec, monkeypatch, timing_out), Unreadable)


@pytest.mark.parametrize(
    ("spec", "operation"),
    [
        (spec, call.operation)
        for spec in TYPES
        for call in (*spec.calls, *spec.more)
        if (spec.name, call.operation) not in ASKED_SOMETIMES
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_single_denied_call_leaves_the_resource_unreadable(
    spec: ResourceType, operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    result = read_when(spec, monkeypatch, denying_only(operation, physical_id_for(spec), asked))
    assert operation in asked
    assert isinstance(result, Unreadable)
    assert result.operation.endswith(f":{operation}")
    assert result.action


@each_type
def test_a_full_answer_is_understood(spec: ResourceType, monkeypatch: pytest.MonkeyPatch) -> None:
    result = read_when(spec, monkeypatch, denying_only("", physical_id_for(spec), []))
    assert isinstance(result, Live) is (spec.name not in LOOKS_INSIDE), result


@each_type
def test_an_answer_without_the_resource_is_no_deletion(
    spec: ResourceType, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = read_when(spec, monkeypatch, answering_nothing)
    assert isinstance(result, Gone) is (spec.name in NOTHING_MEANS_GONE)


@pytest.mark.parametrize("spec", [s for s in TYPES if s.gone], ids=lambda spec: spec.name)
def test_the_services_own_not_found_is_a_deletion(
    spec: ResourceType, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = {
        code: read_when(spec, monkeypatch, failing_with(code)) for code in spec.gone if ": " not in code
    }
    assert {code for code, result in results.items() if isinstance(result, Live | Unreadable)} == set()
