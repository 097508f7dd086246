"""Updating through Cloud Control: the patch, following the request, and what cannot be updated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftwarden.clients import Clients
from driftwarden.errors import UpdateFailed, UpdateNotSupported
from driftwarden.model import Record
from driftwarden.read.api import reading_of
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.remedy.cloud_control import patch, push_patch, updatable
from driftwarden.remedy.update import Update
from tests.unit.remedy.conftest import HASTY, Requests

KIND = "AWS::Athena::WorkGroup"
Table = tuple[Requests, dict[str, Any]]


def progress(status: str, **more: Any) -> dict[str, Any]:
    return {"ProgressEvent": {"OperationStatus": status, "RequestToken": "token", **more}}


def push(live: dict[str, Any], desired: dict[str, Any]) -> None:
    clients = Clients(region="eu-west-1")
    record = Record(logical_id="Group", resource_type=KIND, physical_id="group", properties={})
    reading = reading_of(record, Place(region="eu-west-1", clients=clients, limits=Limits()), {})
    update = Update(
        reading,
        clients=clients,
        desired={**live, **desired},
        live=live,
        drifted=frozenset(desired),
        patience=HASTY,
        spec=updatable(reading),
    )
    push_patch(update)


@pytest.mark.parametrize(
    ("live", "desired", "expected"),
    [
        ({"A": 1, "B": 2}, {"A": 9, "B": 2}, [{"op": "replace", "path": "/A", "value": 9}]),
        ({"A": {"x": 1, "y": 2}}, {"A": {"x": 1, "y": 3}}, [{"op": "replace", "path": "/A/y", "value": 3}]),
        ({"A": {"x": 1}}, {"A": {"x": 1, "y": 3}}, [{"op": "add", "path": "/A/y", "value": 3}]),
        ({"A": {"x": 1, "y": 2}}, {"A": {"x": 1}}, [{"op": "remove", "path": "/A/y"}]),
        ({}, {"A": [1]}, [{"op": "add", "path": "/A", "value": [1]}]),
        ({"A": [1, 2]}, {"A": [2]}, [{"op": "replace", "path": "/A", "value": [2]}]),
        (
            {"A": {"a/b": 1, "c~d": 1}},
            {"A": {"a/b": 2, "c~d": 2}},
            [
                {"op": "replace", "path": "/A/a~1b", "value": 2},
                {"op": "replace", "path": "/A/c~0d", "value": 2},
            ],
        ),
    ],
)
def test_the_patch_holds_the_difference_and_nothing_else(
    live: dict[str, Any], desired: dict[str, Any], expected: list[dict[str, Any]]
) -> None:
    assert patch(desired, live, frozenset({"A"})) == expected


def test_a_request_is_followed_to_its_end(requests: Table) -> None:
    made, answers = requests
    answers["UpdateResource"] = progress("IN_PROGRESS")
    answers["GetResourceRequestStatus"] = [progress("IN_PROGRESS"), progress("SUCCESS")]
    push({"State": "DISABLED"}, {"State": "ENABLED"})
    assert [operation for operation, _ in made] == [
        "UpdateResource",
        "GetResourceRequestStatus",
        "GetResourceRequestStatus",
    ]
    request = made[0][1]
    assert (request["TypeName"], request["Identifier"]) == (KIND, "group")
    assert json.loads(request["PatchDocument"]) == [{"op": "replace", "path": "/State", "value": "ENABLED"}]


@pytest.mark.parametrize("code", ["UnsupportedActionException", "TypeNotFoundException"])
def test_a_type_without_an_update_handler_is_not_updatable(requests: Table, code: str) -> None:
    requests[1]["UpdateResource"] = code
    with pytest.raises(UpdateNotSupported):
        push({"State": "DISABLED"}, {"State": "ENABLED"})


def test_a_property_that_cannot_change_is_not_updatable(requests: Table) -> None:
    requests[1]["UpdateResource"] = progress("FAILED", ErrorCode="NotUpdatable", StatusMessage="createOnly")
    with pytest.raises(UpdateNotSupported, match="createOnly"):
        push({"Name": "a"}, {"Name": "b"})


@pytest.mark.parametrize("status", ["FAILED", "CANCEL_COMPLETE"])
def test_a_request_that_fails_says_why(requests: Table, status: str) -> None:
    requests[1]["UpdateResource"] = progress("PENDING")
    requests[1]["GetResourceRequestStatus"] = progress(
        status, ErrorCode="InvalidRequest", StatusMessage="too long"
    )
    with pytest.raises(UpdateFailed, match=r"InvalidRequest.*too long") as raised:
        push({"State": "DISABLED"}, {"State": "ENABLED"})
    assert not isinstance(raised.value, UpdateNotSupported)


def test_an_update_under_way_is_waited_for(requests: Table) -> None:
    made, answers = requests
    answers["UpdateResource"] = ["ConcurrentOperationException", progress("SUCCESS")]
    push({"State": "DISABLED"}, {"State": "ENABLED"})
    assert [operation for operation, _ in made] == ["UpdateResource", "UpdateResource"]


def test_a_replaced_tag_list_keeps_the_tags_that_aws_wrote(requests: Table) -> None:
    made, answers = requests
    system = {"Key": "aws:cloudformation:stack-name", "Value": "x"}
    stored = {"Tags": [system, {"Key": "team", "Value": "other"}]}
    answers["GetResource"] = {"ResourceDescription": {"Properties": json.dumps(stored)}}
    answers["UpdateResource"] = progress("SUCCESS")
    ours = {"Key": "team", "Value": "shop"}
    push({"Tags": [{"Key": "team", "Value": "other"}]}, {"Tags": [ours]})
    (operation,) = json.loads(made[-1][1]["PatchDocument"])
    assert operation == {"op": "replace", "path": "/Tags", "value": [system, ours]}
