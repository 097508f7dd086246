"""A plan of two resources and a refused one, an open question about it, and where notices link to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from driftwarden.gate.documents import (
    SCHEMA_VERSION,
    Approval,
    Decision,
    PlanContent,
    PlanDocument,
    Proof,
    ResourceResult,
    Status,
    Verification,
    VerifiedResource,
)
from driftwarden.gate.notice import Where
from driftwarden.gate.rules import Answered, decide, plan_document
from driftwarden.report.location import ReportLocation

NOW = datetime(2025, 1, 31, 8, 15, tzinfo=UTC)
EXECUTION = "arn:aws:states:eu-central-1:111122223333:execution:Driftwarden-revert:run"


def resource(name: str, **more: Any) -> dict[str, Any]:
    return {
        "logicalId": name,
        "type": "AWS::SQS::Queue",
        "physicalId": f"https://sqs/{name.lower()}",
        "properties": ["VisibilityTimeout"],
        "changes": [{"path": "VisibilityTimeout", "from": 120, "to": 30}],
        "preserved": [],
        "leftAlone": [],
        "kept": [],
        "warnings": [],
        "liveDigest": "d" * 64,
        **more,
    }


def refusal(name: str, **more: Any) -> dict[str, Any]:
    return {
        "logicalId": name,
        "type": "AWS::SNS::Topic",
        "physicalId": f"arn:{name}",
        "kind": "deleted",
        "reason": "AWS does not have it any more; deploy the stack",
        "changes": [],
        "leftAlone": [],
        **more,
    }


@pytest.fixture
def content() -> Callable[..., PlanContent]:
    def make(**more: Any) -> PlanContent:
        return PlanContent.model_validate(
            {
                "account": "111122223333",
                "stack": "Shop",
                "region": "eu-central-1",
                "state": {"bucket": "state", "key": "k", "etag": '"e"', "versionId": None},
                "resources": [resource("Orders"), resource("Returns")],
                "refused": [refusal("Events")],
                **more,
            }
        )

    return make


@pytest.fixture
def plan(content: Callable[..., PlanContent]) -> PlanDocument:
    return plan_document(content(), now=NOW)


@pytest.fixture
def approval(plan: PlanDocument) -> Callable[..., Approval]:
    def make(**more: Any) -> Approval:
        known = {
            "schema_version": SCHEMA_VERSION,
            "plan_id": plan.plan_id,
            "number": 1,
            "stack": "Shop",
            "region": "eu-central-1",
            "task_token": "the-task-token",
            "execution": EXECUTION,
            "requested_by": "arn:aws:iam::111122223333:user/ann",
            "reason": "undo",
            "requested_at": "2025-01-31T08:15:00Z",
            "expires_at": "2025-02-01T08:15:00Z",
        }
        return Approval.model_validate(known | more)

    return make


@pytest.fixture
def answered() -> Callable[..., Answered]:
    def make(decision: Any = "approve", resources: list[str] | None = None) -> Answered:
        return Answered(
            decision=decision, resources=resources, reason="fine", decided_by="bob", execution=EXECUTION
        )

    return make


@pytest.fixture
def decision(
    approval: Callable[..., Approval], plan: PlanDocument, answered: Callable[..., Answered]
) -> Decision:
    return decide(approval(), plan, answered(), now=NOW)


@pytest.fixture
def result(decision: Decision) -> Callable[..., ResourceResult]:
    def make(name: str, status: Status = Status.REVERTED, **more: Any) -> ResourceResult:
        known: dict[str, Any] = {
            "reason": "",
            "remaining": [],
            "at": "2025-01-31T08:20:00Z",
            "execution": EXECUTION,
        }
        return ResourceResult.model_validate(
            {
                **_head(decision),
                "logicalId": name,
                "type": "AWS::SQS::Queue",
                "status": status,
                **known,
                **more,
            }
        )

    return make


@pytest.fixture
def verification(decision: Decision) -> Callable[..., Verification]:
    def make(**proofs: Proof) -> Verification:
        resources = [VerifiedResource(logical_id=n, proof=p, reason="") for n, p in proofs.items()]
        return Verification.model_validate(
            {**_head(decision), "verifiedAt": "2025-01-31T08:21:00Z", "resources": resources}
        )

    return make


@pytest.fixture
def where() -> Where:
    return Where(
        document=ReportLocation(bucket="reports", key="plans/Shop/p.json", region="eu-central-1"),
        decide="arn:aws:states:eu-central-1:111122223333:stateMachine:Driftwarden-decide",
    )


def _head(decision: Decision) -> dict[str, Any]:
    names = ("schemaVersion", "planId", "number", "stack", "region")
    return {name: value for name, value in decision.plain().items() if name in names}
