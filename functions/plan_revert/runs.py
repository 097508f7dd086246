"""Which run of a plan comes next. Step Functions keeps the name of an execution taken for ninety days."""

from __future__ import annotations

from itertools import count
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from driftwarden.clients import Clients
from driftwarden.errors import GateError
from driftwarden.gate.keys import run_name
from driftwarden.report.publish import describe


def next_run(clients: Clients, plan_id: str, execution: str) -> dict[str, Any]:
    """The number and the name of the next run, or that one is open. `execution` is any ARN of the machine.

    Two requests at the same moment get the same name, and Step Functions lets one of them have it.
    """
    client = clients.reader("stepfunctions")
    machine = execution.rpartition(":")[0]
    for number in count(1):
        name = run_name(plan_id, number)
        try:
            status = client.describe_execution(executionArn=f"{machine}:{name}")["status"]
        except client.exceptions.ExecutionDoesNotExist:
            return {"outcome": "planned", "number": number, "name": name}
        except (BotoCoreError, ClientError) as error:
            raise GateError(
                f"Whether plan {plan_id} is open already could not be found out ({describe(error)}). Allow "
                "states:DescribeExecution on the executions of the state machine."
            ) from error
        if status == "RUNNING":
            return {"outcome": "alreadyOpen", "number": number, "name": name}
    raise AssertionError("numbers do not end")
