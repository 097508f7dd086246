"""The entry point of the Lambda that talks to people. It cannot read a task token that it has stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.errors import PlanMismatch
from driftwarden.gate.keys import plan_key
from driftwarden.gate.notice import Where, approval_notice, outcome_notice
from driftwarden.report.publish import publish_alert
from gate_runtime import GateEnvironment, Run, parse
from request_approval.events import Question, Telling
from runtime import emit_approval_metric, guarded, logger

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Ask for a decision, or tell how it ended."""
    steps = {"ask": _ask, "tell": _tell}
    return guarded(lambda: steps[event["step"]](event, GateEnvironment.load()))


def _ask(event: dict[str, Any], environment: GateEnvironment) -> dict[str, Any]:
    run = parse(Run, event["run"], "a run of a plan")
    question = parse(Question, event, "a question")
    if run.name != question.name:
        raise PlanMismatch(
            f"This execution is named {question.name}, and the plan's would be {run.name}. Start the state "
            "machine with stack, region and reason: it opens the plan itself."
        )
    plan = environment.archive.plan(run.ref, run.plan_id)
    approval = question.approval(run)
    # Before the notice: nobody may be asked for a decision that could not be taken.
    environment.archive.ask(approval)
    location = environment.archive.location(plan_key(run.ref, run.plan_id))
    notice = approval_notice(approval, plan, Where(document=location, decide=environment.decide_arn))
    emit_approval_metric()
    publish_alert(environment.clients, environment.approvals_topic_arn, notice)
    return {"askedUntil": approval.expires_at}


def _tell(event: dict[str, Any], environment: GateEnvironment) -> dict[str, Any]:
    telling = parse(Telling, event, "an ending")
    outcome = telling.outcome(environment.archive)
    key = environment.archive.keep_outcome(outcome, telling.name)
    where = Where(document=environment.archive.location(key), decide=environment.decide_arn)
    publish_alert(environment.clients, environment.approvals_topic_arn, outcome_notice(outcome, where))
    return {"ending": outcome.ending.value, "outcome": where.document.uri}
