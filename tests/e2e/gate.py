"""The approval gate as operators use it: executions started, notices read, the command line called."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from driftwarden.gate.notice_text import approval_text, outcome_text
from tests.e2e.deployment import Deployment, Notice
from tests.e2e.emulator import REGION, Emulator

_PATIENCE: Final = 120.0
RUNNING: Final = "RUNNING"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A plan that waits for a decision."""

    plan_id: str
    number: int
    execution: str


@dataclass(slots=True, kw_only=True)
class Operators:
    """Somebody who asks for reverts, and somebody who decides on them."""

    emulator: Emulator
    deployment: Deployment
    seen: list[Notice] = field(default_factory=list)

    def request(self, stack: str, reason: str = "undo what was changed by hand") -> dict[str, Any]:
        """Start `revert` as the console does; answers the output of that execution."""
        given = {"stack": stack, "region": REGION, "reason": reason}
        return self.finished(self.start("RevertStateMachineArn", given))

    def open(self, stack: str) -> Run:
        """Ask for a revert, and wait until somebody is asked to decide."""
        answer = self.request(stack)
        output = json.loads(answer["output"])
        plan = output["plan"]
        assert plan["outcome"] == "planned", answer
        run = Run(plan_id=plan["planId"], number=plan["number"], execution=output["run"]["ExecutionArn"])
        self.notice("approvalWanted", run)
        return run

    def decide(self, run: Run, decision: str, **more: Any) -> dict[str, Any]:
        """Start `decide` as the console does; answers the finished execution."""
        given = {"planId": run.plan_id, "decision": decision, "reason": "looked at it", **more}
        return self.finished(self.start("DecideStateMachineArn", given))

    def start(self, machine: str, given: dict[str, Any], **more: Any) -> str:
        """Start an execution; answers its ARN."""
        arn = self.deployment.outputs[machine]
        client = self.emulator.client("stepfunctions")
        return str(
            client.start_execution(stateMachineArn=arn, input=json.dumps(given), **more)["executionArn"]
        )

    def finished(self, execution: str) -> dict[str, Any]:
        """Wait for the end of an execution."""
        client = self.emulator.client("stepfunctions")

        def ended() -> dict[str, Any] | None:
            found: dict[str, Any] = client.describe_execution(executionArn=execution)
            return None if found["status"] == RUNNING else found

        return _until(ended, lambda: f"{execution} goes on: {self.history(execution)} {self.emulator.log()}")

    def last_state(self, execution: str) -> str:
        """The state in which an execution ended."""
        return self.history(execution)[-1]

    def history(self, execution: str) -> list[str]:
        """The states that an execution entered, in order."""
        client = self.emulator.client("stepfunctions")
        events = client.get_execution_history(executionArn=execution, maxResults=1000)["events"]
        return [e["stateEnteredEventDetails"]["name"] for e in events if "stateEnteredEventDetails" in e]

    def notice(self, kind: str, run: Run) -> Notice:
        """Wait for a notice about a run."""

        def arrived() -> Notice | None:
            self.seen.extend(self.deployment.notices())
            about = [n for n in self.seen if n.body["planId"] == run.plan_id and n.body["kind"] == kind]
            return next((n for n in about if n.body["number"] == run.number), None)

        return _until(arrived, lambda: f"no {kind} for {run}: {self.seen} {self.emulator.log()}")

    def text(self, kind: str, run: Run) -> str:
        """A notice as people read it, made from what the queue gets."""
        body = self.notice(kind, run).body
        return approval_text(body) if kind == "approvalWanted" else outcome_text(body)

    def stored(self, key: str) -> dict[str, Any]:
        """A document of the reports bucket."""
        s3 = self.emulator.client("s3")
        found = s3.get_object(Bucket=self.deployment.outputs["ReportsBucket"], Key=key)
        return dict(json.loads(found["Body"].read()))

    def everything_stored_by_key(self) -> dict[str, str]:
        """Every object of the reports bucket."""
        s3, bucket = self.emulator.client("s3"), self.deployment.outputs["ReportsBucket"]
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        keys = [item["Key"] for page in pages for item in page.get("Contents", [])]
        return {key: s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode() for key in keys}

    def every_history(self) -> str:
        """The history of every execution of both state machines, as one text."""
        client = self.emulator.client("stepfunctions")
        texts = []
        for name in ("RevertStateMachineArn", "DecideStateMachineArn"):
            found = client.list_executions(stateMachineArn=self.deployment.outputs[name])["executions"]
            for execution in found:
                arn = execution["executionArn"]
                texts.append(json.dumps(client.describe_execution(executionArn=arn), default=str))
                texts.append(json.dumps(client.get_execution_history(executionArn=arn), default=str))
        return "\n".join(texts)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Call the command line."""
        return subprocess.run(
            ["driftwarden", *arguments],
            env=self.emulator.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def drifted(self, stack: str) -> list[str]:
        """What a scan from the command line finds drifted or deleted, by logical id."""
        done = self.command("drift", stack, "--undeclared", "drift", "--json")
        (report,) = json.loads(done.stdout)
        return sorted(row["logicalId"] for row in (*report["drifted"], *report["deleted"]))


def _until(look: Callable[[], T | None], why: Callable[[], str]) -> T:
    end = time.monotonic() + _PATIENCE
    while (found := look()) is None:
        if time.monotonic() > end:
            raise RuntimeError(why())
        time.sleep(0.5)
    return found
