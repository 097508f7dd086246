"""The entry point of the Lambda that takes decisions: the only one that can read a task token, and use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from driftwarden.gate.documents import PLAN_ID, Answer
from driftwarden.gate.rules import Answered, already_decided, decide, is_expired
from gate_runtime import Event, GateEnvironment, now, parse
from record_decision.waiting import hand_over
from runtime import guarded, logger, redactor

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


class DecisionInput(Event):
    """What a person starts `decide` with."""

    plan_id: str = Field(pattern=PLAN_ID)
    decision: Answer
    resources: list[str] | None = None
    reason: str = Field(min_length=1, max_length=2000)
    decided_by: str | None = Field(default=None, max_length=512)

    def answer(self, execution: str) -> Answered:
        """What was decided, and by which execution of `decide`."""
        return Answered(
            decision=self.decision,
            resources=self.resources,
            reason=redactor.redact_text(self.reason),
            decided_by=self.decided_by,
            execution=execution,
        )


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Record one decision and hand it to the execution that waits for it."""
    return guarded(lambda: _decide(event, GateEnvironment.load()))


def _decide(event: dict[str, Any], environment: GateEnvironment) -> dict[str, Any]:
    given = parse(DecisionInput, event["decision"], "a decision")
    archive, execution = environment.archive, event["execution"]
    approval = archive.approval(given.plan_id)
    decision = archive.decision(approval.plan_id, approval.number)
    repeated = decision is not None and decision.execution == execution
    if decision is not None and not repeated:
        raise already_decided(decision)
    if decision is None:
        plan = archive.plan(approval.ref, approval.plan_id)
        decision = decide(approval, plan, given.answer(execution), now=now())
        # On record before it takes effect: of two decisions at once, one gets no further than this.
        archive.decide(decision)
    delivered_before = repeated and not is_expired(approval, now())
    hand_over(environment.clients, approval, decision, delivered_before=delivered_before)
    answer = {"planId": decision.plan_id, "decision": decision.decision, "resources": len(decision.resources)}
    logger.info("decided", extra={"result": answer})
    return {**answer, "revert": approval.execution}
