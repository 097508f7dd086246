"""The scanner Lambda's entry point."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from driftwarden.errors import DriftwardenError, told
from runtime import Environment, logger, redact_library_logs, redactor, remember_own_credentials
from scan_stack.run import Invocation, run

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Scan one stack; the answer holds the counts, the exit status and the key of the report.

    Raises when the scan crashed or nobody could be told, so that Lambda counts an error, tries again and, in
    the end, hands the event to the dead-letter queue.
    """
    redact_library_logs()
    remember_own_credentials()
    try:
        return run(event, _invocation(context), Environment.load())
    except Exception as error:
        failure = _speakable(error)
    finally:
        redactor.forget()
    # Out here nothing is chained to it: Lambda logs what is raised, and hands it to whoever called.
    raise failure


def _speakable(error: Exception) -> DriftwardenError:
    kind = type(error) if isinstance(error, DriftwardenError) else DriftwardenError
    return kind(redactor.safe_text(told(error)))


def _invocation(context: LambdaContext) -> Invocation:
    account = context.invoked_function_arn.split(":")[4:5]
    return Invocation(
        request_id=context.aws_request_id,
        account=account[0] if account else "",
        remaining=timedelta(milliseconds=context.get_remaining_time_in_millis()),
    )
