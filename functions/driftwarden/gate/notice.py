"""What people are told: that a decision is wanted, and how it ended. Pure: no clients, no clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from driftwarden.gate.console import execution_page, start_page
from driftwarden.gate.documents import (
    SCHEMA_VERSION,
    Approval,
    ChangeEntry,
    Ending,
    Outcome,
    PlanDocument,
    PlannedResource,
    RefusedResource,
    ResourceResult,
)
from driftwarden.gate.notice_text import approval_text, outcome_text
from driftwarden.report.alert import MAX_BYTES, MAX_SUBJECT, Alert
from driftwarden.report.excerpt import shorten
from driftwarden.report.json import dumps
from driftwarden.report.location import ReportLocation
from driftwarden.report.message_change import change_entry

_NAME: Final = 255
_PROSE: Final = 600
_LINES: Final = 10
_LIST_LIMITS: Final = (60, 20, 5, 0)
_SUBJECTS: Final = {
    Ending.REVERTED: "reverted",
    Ending.PARTIALLY_REVERTED: "not all of it could be reverted",
    Ending.REJECTED: "rejected, nothing was changed",
    Ending.EXPIRED: "nobody decided in time, nothing was changed",
    Ending.FAILED: "the revert failed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What a notice links to: the stored document, and the state machine that takes decisions (an ARN)."""

    document: ReportLocation
    decide: str


def approval_notice(approval: Approval, plan: PlanDocument, where: Where) -> Alert:
    """The notice that a decision is wanted. It does not hold the token."""
    return _smallest(
        lambda limit: _made(
            _question(approval, plan, where, limit),
            approval_text,
            f"{_counted(len(plan.plan.resources), 'resource')} to approve",
        )
    )


def outcome_notice(outcome: Outcome, where: Where) -> Alert:
    """The notice how it ended."""
    return _smallest(
        lambda limit: _made(_ended(outcome, where, limit), outcome_text, _SUBJECTS[outcome.ending])
    )


def _smallest(make: Callable[[int], Alert]) -> Alert:
    """The longest notice that SNS takes: its lists are cut until it fits."""
    for limit in _LIST_LIMITS:
        made = make(limit)
        if len(made.message().encode()) <= MAX_BYTES:
            break
    return made


def _made(told: dict[str, Any], text: Callable[[dict[str, Any]], str], facts: str) -> Alert:
    tail = f" {told['region']}: {facts}"
    room = MAX_SUBJECT - len("[revert] ") - len(tail)
    stack = told["stack"] if len(told["stack"]) <= room else f"{told['stack'][: max(room - 3, 0)]}..."
    subject = f"[revert] {stack}{tail}"[:MAX_SUBJECT]
    attributes = {"stack": told["stack"], "region": told["region"], "kind": told["kind"]}
    return Alert(
        subject=subject.encode("ascii", "replace").decode(),
        text=text(told),
        json=dumps(told).decode(),
        attributes=attributes | ({"planId": told["planId"]} if told["planId"] else {}),
    )


def _question(approval: Approval, plan: PlanDocument, where: Where, limit: int) -> dict[str, Any]:
    content = plan.plan
    answer = {"planId": plan.plan_id, "decision": "approve", "reason": "..."}
    some = [resource.logical_id for resource in content.resources[:1]]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "kind": "approvalWanted",
        "planId": plan.plan_id,
        "number": approval.number,
        "stack": shorten(content.stack, _NAME),
        "region": shorten(content.region, _NAME),
        "account": content.account,
        "requestedBy": _maybe(approval.requested_by),
        "reason": shorten(approval.reason, _PROSE),
        "requestedAt": approval.requested_at,
        "expiresAt": approval.expires_at,
        "execution": approval.execution,
        "resources": [_resource(resource) for resource in content.resources[:limit]],
        "refused": [_refused(resource) for resource in content.refused[:limit]],
        "omitted": _omitted(limit, resources=len(content.resources), refused=len(content.refused)),
        "decide": {
            "stateMachine": where.decide,
            "console": start_page(where.decide),
            "approve": answer,
            "approveSome": {**answer, "resources": some},
            "reject": {**answer, "decision": "reject"},
        },
        "plan": {"uri": where.document.uri, "console": where.document.console_url},
        "watch": execution_page(approval.execution),
    }


def _ended(outcome: Outcome, where: Where, limit: int) -> dict[str, Any]:
    decision, verification = outcome.decision, outcome.verification
    results = sorted(outcome.results, key=lambda one: (one.status == "reverted", one.logical_id))
    looked = verification.resources if verification else []
    unproved = [one for one in looked if one.proof != "inSync"]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "kind": outcome.ending.value,
        "planId": outcome.plan_id,
        "number": outcome.number,
        "stack": shorten(outcome.stack, _NAME),
        "region": shorten(outcome.region, _NAME),
        "requestedBy": _maybe(outcome.requested_by),
        "reason": shorten(outcome.reason, _PROSE),
        "endedAt": outcome.ended_at,
        "execution": outcome.execution,
        "decision": None
        if decision is None
        else {
            "decision": decision.decision,
            "decidedBy": _maybe(decision.decided_by),
            "decidedAt": decision.decided_at,
            "reason": shorten(decision.reason, _PROSE),
            "execution": decision.execution,
            "resources": len(decision.resources),
        },
        "results": [_result(result) for result in results[:limit]],
        "unproved": [
            {"logicalId": shorten(one.logical_id, _NAME), "reason": shorten(one.reason, _PROSE)}
            for one in unproved[:limit]
        ],
        "omitted": _omitted(limit, results=len(results), unproved=len(unproved)),
        "error": None if outcome.error is None else shorten(outcome.error, 2 * _PROSE),
        "outcome": {"uri": where.document.uri, "console": where.document.console_url},
        "watch": execution_page(outcome.execution),
    }


def _resource(resource: PlannedResource) -> dict[str, Any]:
    return {
        **_head(resource),
        "physicalId": shorten(resource.physical_id, _NAME),
        "changes": [_change(change) for change in resource.changes[:_LINES]],
        **_more(len(resource.changes) - _LINES),
        "warnings": _texts(resource.warnings),
        "stays": {
            "preserved": _texts(resource.preserved),
            "leftAlone": _texts(resource.left_alone),
            "kept": _texts(resource.kept),
        },
    }


def _refused(resource: RefusedResource) -> dict[str, Any]:
    return {**_head(resource), "kind": resource.kind.value, "reason": shorten(resource.reason, _PROSE)}


def _result(result: ResourceResult) -> dict[str, Any]:
    return {
        **_head(result),
        "status": result.status.value,
        "reason": shorten(result.reason, _PROSE),
        "remaining": [_change(change) for change in result.remaining[:_LINES]],
    }


def _head(one: PlannedResource | RefusedResource | ResourceResult) -> dict[str, str]:
    return {"logicalId": shorten(one.logical_id, _NAME), "type": shorten(one.type, _NAME)}


def _change(change: ChangeEntry) -> dict[str, Any]:
    sides = {
        name: value
        for name, field, value in (("from", "from_", change.from_), ("to", "to", change.to))
        if field in change.model_fields_set
    }
    return change_entry(change.path, sides, most=_LINES)


def _texts(texts: list[str]) -> list[str]:
    shown = [shorten(text, _NAME) for text in texts[:_LINES]]
    return [*shown, f"and {len(texts) - _LINES:,} more"] if len(texts) > _LINES else shown


def _more(number: int) -> dict[str, int]:
    return {"changesMore": number} if number > 0 else {}


def _maybe(text: str | None) -> str | None:
    return None if text is None else shorten(text, _NAME)


def _omitted(limit: int, **totals: int) -> dict[str, int]:
    return {name: total - limit for name, total in totals.items() if total > limit}


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
