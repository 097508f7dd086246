"""The execution that waits for a decision."""

from __future__ import annotations

import json
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from driftwarden.clients import Clients
from driftwarden.errors import ApprovalExpired, PublishError
from driftwarden.gate.documents import Approval, Decision
from driftwarden.report.publish import describe

_NOT_WAITING: Final = frozenset({"TaskDoesNotExist", "TaskTimedOut", "InvalidToken"})


def hand_over(clients: Clients, approval: Approval, decision: Decision, *, delivered_before: bool) -> None:
    """Wake the waiting execution. `delivered_before`: an earlier try may have done so, with this decision.

    Raises ApprovalExpired when nothing waits any more, PublishError when Step Functions does not answer.
    """
    client = clients.writer("stepfunctions")
    output = {"decision": decision.decision, "execution": decision.execution}
    try:
        client.send_task_success(taskToken=approval.task_token, output=json.dumps(output))
    except (BotoCoreError, ClientError) as error:
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else ""
        if code not in _NOT_WAITING:
            raise PublishError(
                f"The execution that waits for plan {approval.plan_id} could not be told of the decision "
                f"({describe(error)}). The decision is on record; it is told again, unless this goes on."
            ) from error
        # A token works once: where our own earlier try recorded the decision, that try has used it.
        if not delivered_before:
            raise ApprovalExpired(
                f"The request for plan {approval.plan_id} expired or was stopped a moment ago; nothing was "
                "changed. Request the revert again."
            ) from error
