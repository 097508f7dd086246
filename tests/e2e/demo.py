"""`make demo`: watch Driftwarden find drift in real stacks, from the edit in the console to the alert.

Everything runs on this machine, on an AWS emulator that is started for it and stopped afterwards.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from driftwarden.report.alert_text import alert_text, counts
from tests.e2e.deployment import Deployment
from tests.e2e.edits import EDITS, make_all
from tests.e2e.emulator import REGION, Emulator
from tests.e2e.gate import Operators
from tests.e2e.world import World


class Narrator:
    """Says what happens, with the seconds since the start."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._step = 0

    def step(self, text: str) -> None:
        """The next step, in plain words."""
        self._step += 1
        print(f"\n[{time.monotonic() - self._start:5.1f} s] {self._step}. {text}", flush=True)

    def detail(self, text: str) -> None:
        """Something that belongs to the step."""
        for line in text.splitlines():
            print(f"          {line}", flush=True)


def main() -> int:
    """Run the demonstration; answers the exit status."""
    say = Narrator()
    say.step("Starting an AWS emulator on this machine (MiniStack; nothing leaves this machine)")
    with Emulator() as emulator:
        say.detail(f"it answers at {emulator.endpoint}")
        return _show(emulator, say)


def _show(emulator: Emulator, say: Narrator) -> int:
    say.step("Creating three stacks, with the state records that the deploy tool would write")
    world = World(emulator)
    world.build()
    for stack in world.stacks.values():
        say.detail(f"{stack.name}: {', '.join(stack.resources)}")

    say.step(
        "Deploying Driftwarden itself with the CDK: a scanner Lambda per stack, on a schedule of one minute"
    )
    deployment = Deployment(emulator)
    deployment.deploy(world.stacks)
    say.detail("and the approval gate: two state machines, four functions, a topic of its own")
    say.detail("reports go to S3, alerts to an SNS topic that a queue is subscribed to")

    say.step("Changing live resources by hand, behind the state's back")
    make_all(emulator, world)
    for edit in EDITS:
        say.detail(f"{edit.stack}/{edit.logical_id}: {edit.what}")

    say.step("Waiting for the schedule to start the scanners, and for their alerts (a minute or two)")
    alerts = deployment.alerts({edit.stack for edit in EDITS})
    say.step("The alerts: what the mail says, and the JSON that the on-call queue received")
    for name in sorted(alerts):
        say.detail(f"{alert_text(alerts[name].body)}\n\n{json.dumps(alerts[name].body)[:300]}...\n\n")

    say.step("The reports in S3")
    for name in world.stacks:
        report = deployment.latest_report(name)
        say.detail(f"s3://{deployment.outputs['ReportsBucket']}/latest/{name}/{REGION}.json")
        say.detail(f"    exit status {report['exitStatus']}: {_in_words(report['summary'])}")

    say.step("The same on the command line: driftwarden drift --all")
    done = subprocess.run(
        ["driftwarden", "drift", "--all"],
        env=emulator.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    say.detail(done.stdout + done.stderr)
    say.detail(f"exit status {done.returncode} (1 means drift)")
    undone = _revert(Operators(emulator=emulator, deployment=deployment), say)
    say.step("Stopping the emulator. Everything that was started is gone.")
    return 0 if done.returncode == 1 and undone else 1


def _in_words(summary: dict[str, int]) -> str:
    found = counts(summary) or "no drift"
    return f"{summary['checked']} of {summary['resources']} resources checked, {found}"


def _revert(operators: Operators, say: Narrator) -> bool:
    """Through the approval gate: one of two changes in the stack Network is undone, and the other is not."""
    say.step("Asking for a revert of Network: the state machine `revert` plans, and asks for approval")
    run = operators.open("Network")
    say.detail(f"plan {run.plan_id}, held by {run.execution}")
    say.step("The approval notice, as the approvers received it")
    say.detail(operators.text("approvalWanted", run))

    say.step("Approving one resource of the two, as the notice says: `decide` is started with this input")
    given = {"planId": run.plan_id, "decision": "approve", "resources": ["WebGroup"], "reason": "close ssh"}
    say.detail(json.dumps(given))
    decided = operators.finished(operators.start("DecideStateMachineArn", given))
    say.detail(f"{decided['status']}: {decided.get('output') or decided.get('cause')}")

    say.step("Execution, and verification by reading once more")
    ended = operators.finished(run.execution)
    say.detail(f"the execution went through: {' -> '.join(operators.history(run.execution))}")
    say.detail(operators.text("reverted", run))

    say.step("The record of it: driftwarden revert show")
    say.detail(operators.command("revert", "show", run.plan_id).stdout)
    say.step("A second scan: what was approved is as recorded again, and exactly the other one is left")
    say.detail(operators.command("drift", "Network", "--undeclared", "drift").stdout)
    return bool(ended["status"] == "SUCCEEDED" and operators.drifted("Network") == ["PrivateSubnet"])


if __name__ == "__main__":
    sys.exit(main())
