"""The gate from the command line: it starts executions and says what became of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import ConfigurationError, GateError
from driftwarden.gate.desk import Deployed, Desk

MACHINES = {
    name: f"arn:aws:states:eu-central-1:1:stateMachine:Driftwarden-{name}" for name in ("revert", "decide")
}


class Service:
    """Answers of AWS, and what it was asked."""

    def __init__(self, **execution: Any) -> None:
        self.execution = execution
        self.started: list[tuple[str, dict[str, Any]]] = []
        self.looks = 0

    def start_execution(self, *, stateMachineArn: str, input: str) -> dict[str, str]:
        self.started.append((stateMachineArn, json.loads(input)))
        return {"executionArn": "arn:run"}

    def describe_execution(self, *, executionArn: str) -> dict[str, Any]:
        self.looks += 1
        return {"status": "RUNNING"} if self.looks < 3 else self.execution

    def get_caller_identity(self) -> dict[str, str]:
        return {"Arn": "arn:aws:iam::1:user/ann"}


@pytest.fixture
def desk() -> Callable[[Service], Desk]:
    def make(service: Service) -> Desk:
        clients: Any = type("Clients", (), {"reader": lambda self, name, region=None: service})()
        return Desk(
            clients=clients, deployed=Deployed(reports="reports", **MACHINES), sleep=lambda seconds: None
        )

    return make


def test_a_request_starts_revert_and_waits_for_the_plan(desk: Callable[[Service], Desk]) -> None:
    service = Service(status="SUCCEEDED", output=json.dumps({"plan": {"planId": "p"}}))
    assert desk(service).request("Shop", "eu-central-1", "undo") == {"planId": "p"}
    assert service.started == [
        (
            MACHINES["revert"],
            {
                "stack": "Shop",
                "region": "eu-central-1",
                "reason": "undo",
                "requestedBy": "arn:aws:iam::1:user/ann",
            },
        )
    ]


@pytest.mark.parametrize("resources", [None, ["Orders"]])
def test_a_decision_starts_decide_and_says_who_decided(
    desk: Callable[[Service], Desk], resources: list[str] | None
) -> None:
    service = Service(status="SUCCEEDED", output=json.dumps({"decision": "approve"}))
    desk(service).decide("p", "approve", reason="fine", resources=resources)
    ((machine, given),) = service.started
    assert machine == MACHINES["decide"]
    assert given.get("resources") == resources
    assert ("resources" in given) is (resources is not None)
    assert given["decidedBy"] == "arn:aws:iam::1:user/ann"


def test_what_a_function_says_is_what_the_user_reads(desk: Callable[[Service], Desk]) -> None:
    cause = json.dumps({"errorType": "AlreadyDecided", "errorMessage": "That decision stands."})
    service = Service(status="FAILED", error="AlreadyDecided", cause=cause)
    with pytest.raises(GateError, match=r"^That decision stands\. \(execution arn:run\)$"):
        desk(service).decide("p", "reject", reason="no")


def test_a_failure_without_words_is_told_as_it_is(desk: Callable[[Service], Desk]) -> None:
    service = Service(status="ABORTED")
    with pytest.raises(GateError, match="ABORTED"):
        desk(service).decide("p", "reject", reason="no")


@pytest.mark.parametrize(
    ("outputs", "says"),
    [
        ([], "has no approval gate"),
        ([{"OutputKey": "ReportsBucket", "OutputValue": "r"}], "RevertStateMachineArn"),
    ],
)
def test_a_deployment_without_a_gate_says_how_to_get_one(outputs: Any, says: str) -> None:
    stack = {"Stacks": [{"Outputs": outputs}]}
    service = type("CloudFormation", (), {"describe_stacks": lambda self, **_: stack})()
    clients: Any = type("Clients", (), {"reader": lambda self, name, region=None: service})()
    with pytest.raises(ConfigurationError, match=says):
        Desk.find(clients, "Driftwarden")
