"""The planner Lambda's entry point. Its role cannot write to anything that is watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.errors import GateError
from driftwarden.gate.documents import SCHEMA_VERSION, Proof, Verification
from driftwarden.gate.rules import plan_document, verified
from driftwarden.report.document import timestamp
from gate_runtime import GateEnvironment, RevertRequest, Run, now, parse
from plan_revert.runs import next_run
from runtime import guarded, logger

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Plan what a request asks for, or prove what came of an approved plan."""
    steps = {"plan": _plan, "verify": _verify}
    return guarded(lambda: steps[event["step"]](event, GateEnvironment.load()))


def _plan(event: dict[str, Any], environment: GateEnvironment) -> dict[str, Any]:
    request = parse(RevertRequest, event["request"], "a request for a revert")
    _, content = environment.watched_stack(request.ref).plan()
    plan = plan_document(content, now=now())
    key = environment.archive.keep_plan(plan)
    answer = {
        "planId": plan.plan_id,
        "plan": environment.archive.location(key).uri,
        "resources": len(content.resources),
        "refused": len(content.refused),
        "requestedBy": request.requested_by,
    }
    logger.info("planned", extra={"result": answer})
    if not content.resources:
        return {**answer, "outcome": "nothingToRevert", "number": 0, "name": ""}
    return {**answer, **next_run(environment.clients, plan.plan_id, event["execution"])}


def _verify(event: dict[str, Any], environment: GateEnvironment) -> dict[str, Any]:
    run = parse(Run, event["run"], "a run of a plan")
    decision = environment.archive.decision(run.plan_id, run.number)
    if decision is None:
        raise GateError(f"There is no decision on plan {run.plan_id}, so there is nothing to prove.")
    _, content = environment.watched_stack(run.ref).plan()
    verification = Verification(
        schema_version=SCHEMA_VERSION,
        plan_id=run.plan_id,
        number=run.number,
        stack=run.stack,
        region=run.region,
        verified_at=timestamp(now()),
        resources=verified(decision.resources, content),
    )
    environment.archive.keep_verification(verification)
    return {"inSync": sum(each.proof is Proof.IN_SYNC for each in verification.resources)}
