"""The scanner Lambda's entry point."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from runtime import Environment, guarded, logger
from scan_stack.run import Invocation, run

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Scan one stack; the answer holds the counts, the exit status and the key of the report.

    Raises when the scan crashed or nobody could be told, so that Lambda counts an error and hands the event
    to the dead-letter queue.
    """
    return guarded(lambda: run(event, _invocation(context), Environment.load()))


def _invocation(context: LambdaContext) -> Invocation:
    account = context.invoked_function_arn.split(":")[4:5]
    return Invocation(
        request_id=context.aws_request_id,
        account=account[0] if account else "",
        remaining=timedelta(milliseconds=context.get_remaining_time_in_millis()),
    )
