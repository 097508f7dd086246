"""The executor Lambda's entry point: the only function whose role can write to watched resources."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from driftwarden.errors import GateError
from driftwarden.gate.execution import Executor
from gate_runtime import GateEnvironment, Run, now, parse
from runtime import guarded, logger

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Push back what the recorded decision approves; the answer counts what became of the resources."""
    return guarded(lambda: _execute(event, GateEnvironment.load()))


def _execute(event: dict[str, Any], environment: GateEnvironment) -> dict[str, Any]:
    run = parse(Run, event["run"], "a run of a plan")
    archive = environment.archive
    plan = archive.plan(run.ref, run.plan_id)
    # What is on record counts, and not what the caller says was decided.
    decision = archive.decision(run.plan_id, run.number)
    if decision is None:
        raise GateError(f"There is no decision on plan {run.plan_id} on record; nothing is done.")
    execute = Executor(
        archive=archive, watched=environment.watched_stack(run.ref), execution=event["execution"], clock=now
    )
    results = execute(plan, decision)
    answer = {"results": dict(Counter(result.status.value for result in results))}
    logger.info("executed", extra={"result": answer})
    return answer
