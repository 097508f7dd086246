"""What may pass the gate. Pure: no clients, no clock."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from driftwarden.errors import AlreadyDecided, ApprovalExpired, NotInPlan, PlanMismatch, UsageError
from driftwarden.gate.documents import (
    SCHEMA_VERSION,
    Answer,
    Approval,
    Decision,
    Ending,
    PlanContent,
    PlanDocument,
    PlannedResource,
    Proof,
    ResourceResult,
    Status,
    Verification,
    VerifiedResource,
)
from driftwarden.model import StackRef
from driftwarden.remedy.digest import digest_of
from driftwarden.remedy.steps import Kind, Plan, document
from driftwarden.report.document import timestamp
from driftwarden.secrets import MASK

_MARK: Final = re.compile(r"\*\*\* \(#[0-9a-f]+\)")
"""A masked value's mark is keyed afresh by every process, so it must not make two plans differ."""


def content_of(plan: Plan) -> PlanContent:
    """The content of a plan as it is stored and approved."""
    return PlanContent.model_validate(_unmarked(document(plan)))


def plan_document(content: PlanContent, *, now: datetime) -> PlanDocument:
    """A plan under the id that its content gives it."""
    return PlanDocument(
        schema_version=SCHEMA_VERSION,
        plan_id=plan_id(content),
        planned_at=timestamp(now),
        plan=content,
    )


def plan_id(content: PlanContent) -> str:
    """SHA-256 of the canonical content, in hexadecimal."""
    return digest_of(content.plain())


def checked(found: PlanDocument, wanted: str, ref: StackRef) -> PlanDocument:
    """The stored plan, if it is what its id says, for that stack. Raises PlanMismatch."""
    if found.plan_id != wanted or plan_id(found.plan) != wanted:
        raise PlanMismatch(
            f"The stored plan {wanted} does not have the content that its id was made from. Nothing is done; "
            "find out who wrote it, and request a new revert."
        )
    if found.plan.ref != ref:
        raise PlanMismatch(
            f"Plan {wanted} is for stack {found.plan.stack} in {found.plan.region}, "
            f"not for {ref.name} in {ref.region}."
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What somebody decided. Without `resources`, an approval is for all that the plan pushes back."""

    decision: Answer
    resources: Sequence[str] | None
    reason: str
    decided_by: str | None
    execution: str


def is_expired(approval: Approval, now: datetime) -> bool:
    """Whether the time to decide is over."""
    return timestamp(now) >= approval.expires_at


def decide(approval: Approval, plan: PlanDocument, answered: Answered, *, now: datetime) -> Decision:
    """The decision to record.

    Raises ApprovalExpired, NotInPlan, and UsageError for a decision that makes no sense.
    """
    if is_expired(approval, now):
        raise ApprovalExpired(
            f"The time to decide on plan {approval.plan_id} was over at {approval.expires_at}; nothing was "
            "changed. Request the revert again."
        )
    return Decision(
        schema_version=SCHEMA_VERSION,
        plan_id=approval.plan_id,
        number=approval.number,
        stack=approval.stack,
        region=approval.region,
        decision=answered.decision,
        resources=_approved(plan.plan, answered.decision, answered.resources),
        reason=answered.reason,
        decided_by=answered.decided_by,
        decided_at=timestamp(now),
        execution=answered.execution,
    )


def already_decided(standing: Decision) -> AlreadyDecided:
    """What somebody is told who decides after `standing`."""
    by = f" by {standing.decided_by}" if standing.decided_by else ""
    return AlreadyDecided(
        f"Plan {standing.plan_id} was decided on before: {standing.decision}{by} at {standing.decided_at} "
        f"({standing.execution}). That decision stands. For another one, request the revert again."
    )


def _approved(plan: PlanContent, answer: Answer, resources: Sequence[str] | None) -> list[str]:
    if answer == "reject":
        if resources is not None:
            raise UsageError(
                "A rejection is for the whole plan and names no resources. To revert some, approve those."
            )
        return []
    offered = {resource.logical_id for resource in plan.resources}
    if resources is None:
        return sorted(offered)
    if not resources:
        raise UsageError("An approval of no resources approves nothing. Name some, or reject the plan.")
    refused = {resource.logical_id for resource in plan.refused}
    unknown = sorted(set(resources) - offered)
    if unknown:
        why = "the plan refuses to push back" if set(unknown) <= refused else "the plan does not hold"
        raise NotInPlan(
            f"The decision names what {why}: {', '.join(unknown)}. It can name: {', '.join(sorted(offered))}."
        )
    return sorted(set(resources))


def unchanged(approved: PlannedResource, now: PlannedResource) -> bool:
    """Whether a resource is still planned exactly as somebody approved it."""
    return bool(_unmarked(approved.plain()) == _unmarked(now.plain()))


def what_changed(approved: PlannedResource, now: PlannedResource | None) -> str:
    """How a resource differs from what was approved, in words."""
    if now is None:
        return "it cannot be pushed back as it was planned any more"
    recorded = [(c.path, "to" in c.model_fields_set, c.to) for c in approved.changes]
    differs = {
        "its live values changed": approved.live_digest != now.live_digest,
        "its record changed": approved.physical_id != now.physical_id
        or recorded != [(c.path, "to" in c.model_fields_set, c.to) for c in now.changes],
    }
    found = [text for text, is_so in differs.items() if is_so]
    return " and ".join(found) or "what a revert would do to it changed"


def verified(approved: Collection[str], now: PlanContent) -> list[VerifiedResource]:
    """What a plan that was made after the revert says about the approved resources."""
    again = {resource.logical_id for resource in now.resources}
    unread = {r.logical_id: r for r in now.refused if r.kind in (Kind.NOT_COMPARED, Kind.DELETED)}
    found = []
    for name in sorted(approved):
        proof, reason = Proof.IN_SYNC, ""
        if name in again:
            proof, reason = Proof.DRIFTED, "it differs from its record again, or still"
        elif name in unread:
            proof, reason = Proof.UNKNOWN, unread[name].reason
        found.append(VerifiedResource(logical_id=name, proof=proof, reason=reason))
    return found


def ending(
    decision: Decision, results: Sequence[ResourceResult], verification: Verification | None
) -> Ending:
    """How the execution of an approved plan ended: reverted only where every approved resource is proved."""
    done = {result.logical_id for result in results if result.status is Status.REVERTED}
    proved = {
        one.logical_id
        for one in (verification.resources if verification else ())
        if one.proof is Proof.IN_SYNC
    }
    return Ending.REVERTED if set(decision.resources) <= done & proved else Ending.PARTIALLY_REVERTED


def _unmarked(value: Any) -> Any:
    if isinstance(value, str):
        return _MARK.sub(MASK, value)
    if isinstance(value, dict):
        return {key: _unmarked(item) for key, item in value.items()}
    return [_unmarked(item) for item in value] if isinstance(value, list) else value
