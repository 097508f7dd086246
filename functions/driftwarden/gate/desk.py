"""The gate as its users see it from outside: it starts executions, and reads the record."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from driftwarden.clients import Clients
from driftwarden.errors import ConfigurationError, GateError
from driftwarden.gate.archive import Archive
from driftwarden.gate.documents import Answer, Decision, Outcome, PlanDocument
from driftwarden.gate.keys import run_name
from driftwarden.report.publish import describe

_OUTPUTS: Final = {
    "reports": "ReportsBucket",
    "revert": "RevertStateMachineArn",
    "decide": "DecideStateMachineArn",
}
_PATIENCE: Final = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """Where a deployment's gate is: a bucket's name, and ARNs of state machines."""

    reports: str
    revert: str
    decide: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is on record about the latest run of a plan; `status` is the execution's, empty without one."""

    plan: PlanDocument
    number: int
    execution: str
    status: str
    decision: Decision | None
    outcome: Outcome | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The gate of one deployment, used with the caller's own permissions."""

    clients: Clients
    deployed: Deployed
    sleep: Callable[[float], None] = field(default=time.sleep)

    @classmethod
    def find(cls, clients: Clients, deployment: str) -> Desk:
        """The gate of the CloudFormation stack `deployment`. Raises ConfigurationError."""
        try:
            answer = clients.reader("cloudformation").describe_stacks(StackName=deployment)
        except (BotoCoreError, ClientError) as error:
            raise ConfigurationError(
                f"The deployment {deployment} was not found ({describe(error)}). Name the CloudFormation "
                "stack of Driftwarden with --deployment, and check account and region."
            ) from error
        told = {each["OutputKey"]: each["OutputValue"] for each in answer["Stacks"][0].get("Outputs", [])}
        missing = sorted(name for name in _OUTPUTS.values() if name not in told)
        if missing:
            raise ConfigurationError(
                f"The deployment {deployment} has no approval gate ({', '.join(missing)} missing). Set "
                "revert = true for a stack in infra/watched-stacks.toml, and deploy."
            )
        return cls(clients=clients, deployed=Deployed(**{key: told[name] for key, name in _OUTPUTS.items()}))

    def request(self, stack: str, region: str, reason: str) -> dict[str, Any]:
        """Ask for a revert; answers what the planner did once that is known. Raises GateError."""
        given = {"stack": stack, "region": region, "reason": reason, "requestedBy": self.caller()}
        answer: dict[str, Any] = self._run(self.deployed.revert, given)["plan"]
        return answer

    def decide(
        self, plan_id: str, answer: Answer, *, reason: str, resources: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """Decide on a plan. Raises GateError when the decision was not taken."""
        given: dict[str, Any] = {"planId": plan_id, "decision": answer, "reason": reason}
        if resources is not None:
            given["resources"] = list(resources)
        return self._run(self.deployed.decide, {**given, "decidedBy": self.caller()})

    def show(self, plan_id: str) -> Standing:
        """What is on record about a plan. Raises UnknownPlan, PlanMismatch, PublishError."""
        archive = Archive(self.clients, self.deployed.reports)
        plan = archive.find_plan(plan_id)
        runs = self.deployed.revert.replace(":stateMachine:", ":execution:")
        number, status = 0, ""
        while found := self._status(f"{runs}:{run_name(plan_id, number + 1)}"):
            number, status = number + 1, found
        name = run_name(plan_id, number)
        return Standing(
            plan=plan,
            number=number,
            execution=f"{runs}:{name}" if number else "",
            status=status,
            decision=archive.decision(plan_id, number) if number else None,
            outcome=archive.outcome(plan.plan.ref, name) if number else None,
        )

    def caller(self) -> str:
        """Who this is: an ARN."""
        try:
            return str(self.clients.reader("sts").get_caller_identity()["Arn"])
        except (BotoCoreError, ClientError) as error:
            raise ConfigurationError(
                f"AWS did not say whose credentials these are ({describe(error)})."
            ) from error

    def _run(self, machine: str, given: dict[str, Any]) -> dict[str, Any]:
        """Start an execution that ends soon, and wait for its output."""
        client = self.clients.reader("stepfunctions")
        try:
            arn = client.start_execution(stateMachineArn=machine, input=json.dumps(given))["executionArn"]
            for _ in range(int(_PATIENCE)):
                found = client.describe_execution(executionArn=arn)
                if found["status"] != "RUNNING":
                    break
                self.sleep(1)
        except (BotoCoreError, ClientError) as error:
            raise GateError(
                f"{machine.rpartition(':')[2]} could not be started or followed ({describe(error)})."
            ) from error
        if found["status"] != "SUCCEEDED":
            raise GateError(f"{_cause(found)} (execution {arn})")
        output: dict[str, Any] = json.loads(found["output"])
        return output

    def _status(self, execution: str) -> str:
        client = self.clients.reader("stepfunctions")
        try:
            return str(client.describe_execution(executionArn=execution)["status"])
        except client.exceptions.ExecutionDoesNotExist:
            return ""
        except (BotoCoreError, ClientError) as error:
            raise GateError(f"{execution} could not be looked up ({describe(error)}).") from error


def _cause(found: dict[str, Any]) -> str:
    """Why an execution ended badly: a Lambda's own words where there are any."""
    cause = str(found.get("cause") or found["status"])
    try:
        told = json.loads(cause)
        return str(told["errorMessage"])
    except (ValueError, KeyError, TypeError):
        return f"{found.get('error', '')}: {cause}".removeprefix(": ")
