"""Driftwarden's own infrastructure on the emulator, deployed with the CDK command line as elsewhere."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from tests.e2e.emulator import ACCOUNT, REGION, ROOT, Emulator

STACK: Final = "Driftwarden"
_PATIENCE: Final = 150.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert as a subscribed queue received it."""

    stack: str
    kind: str
    body: dict[str, Any]
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice of the approval gate as a subscribed queue received it."""

    subject: str
    body: dict[str, Any]
    raw: str


class Deployment:
    """The deployed stack, and a queue that is subscribed to its alerts."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator
        self._inbox = ""
        self._approvals = ""
        self.outputs: dict[str, str] = {}

    def deploy(self, stacks: Iterable[str], *, approval_timeout: str = "24h") -> None:
        """Bootstrap and deploy with a scan of each stack every minute; all stacks allow reverts."""
        self._inbox, alerts = self._queue("on-call-inbox")
        self._approvals, approvals = self._queue("approvers-inbox")
        config = self._emulator.folder / "watched-stacks.toml"
        config.write_text(
            _configuration(stacks, alerts=alerts, approvals=approvals, approval_timeout=approval_timeout)
        )
        outputs = self._emulator.folder / "outputs.json"
        context = ("-c", "target=local", "-c", f"config={config}")
        self._cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}", *context)
        self._cdk("deploy", "--all", "--require-approval", "never", "--outputs-file", str(outputs), *context)
        self.outputs = json.loads(outputs.read_text())[STACK]

    def alerts(self, stacks: set[str]) -> dict[str, Alert]:
        """Wait until an alert on each of `stacks` has arrived; answers the first of each."""
        found: dict[str, Alert] = {}
        end = time.monotonic() + _PATIENCE
        sqs = self._emulator.client("sqs")
        while set(found) < stacks:
            if time.monotonic() > end:
                raise RuntimeError(f"alerts on {stacks - set(found)} did not arrive: {self._emulator.log()}")
            answer = sqs.receive_message(QueueUrl=self._inbox, WaitTimeSeconds=2, MaxNumberOfMessages=10)
            for message in answer.get("Messages", []):
                sqs.delete_message(QueueUrl=self._inbox, ReceiptHandle=message["ReceiptHandle"])
                alert = _alert(message["Body"])
                found.setdefault(alert.stack, alert)
        return found

    def notices(self) -> list[Notice]:
        """What reached the approvers since the last look, in order."""
        sqs = self._emulator.client("sqs")
        found: list[Notice] = []
        while messages := sqs.receive_message(QueueUrl=self._approvals, MaxNumberOfMessages=10).get(
            "Messages"
        ):
            for message in messages:
                sqs.delete_message(QueueUrl=self._approvals, ReceiptHandle=message["ReceiptHandle"])
                envelope = json.loads(message["Body"])
                body = json.loads(envelope["Message"])
                found.append(Notice(subject=envelope["Subject"], body=body, raw=message["Body"]))
        return found

    def latest_report(self, stack: str) -> dict[str, Any]:
        """The newest S3 report of a stack; waits until there is one."""
        s3 = self._emulator.client("s3")
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                found = s3.get_object(
                    Bucket=self.outputs["ReportsBucket"], Key=f"latest/{stack}/{REGION}.json"
                )
                return dict(json.loads(found["Body"].read()))
            except s3.exceptions.NoSuchKey:
                if time.monotonic() > end:
                    raise
                time.sleep(1)

    def everything_stored(self) -> str:
        """Every object of the reports bucket, as one text."""
        s3, bucket = self._emulator.client("s3"), self.outputs["ReportsBucket"]
        keys = [item["Key"] for item in s3.list_objects_v2(Bucket=bucket).get("Contents", [])]
        return "\n".join(s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode() for key in keys)

    def everything_logged(self) -> str:
        """Every log line of every function, as one text."""
        logs = self._emulator.client("logs")
        groups = [g["logGroupName"] for g in logs.describe_log_groups()["logGroups"]]
        lines: list[str] = []
        for group in groups:
            events = logs.filter_log_events(logGroupName=group).get("events", [])
            lines.extend(event["message"] for event in events)
        return "\n".join(lines)

    def _queue(self, name: str) -> tuple[str, str]:
        """URL and ARN of a new queue."""
        sqs = self._emulator.client("sqs")
        url = sqs.create_queue(QueueName=name)["QueueUrl"]
        return url, sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"][
            "QueueArn"
        ]

    def _cdk(self, *arguments: str) -> None:
        command = [
            str(ROOT / ".tools" / "cdk"),
            *arguments,
            "--output",
            str(self._emulator.folder / "cdk.out"),
        ]
        done = subprocess.run(
            command,
            cwd=ROOT / "infra",
            env=self._emulator.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"cdk {arguments[0]} failed: {done.stderr[-4000:]} {done.stdout[-2000:]}")


def _alert(text: str) -> Alert:
    envelope = json.loads(text)
    body = json.loads(envelope["Message"])
    attributes = {name: value["Value"] for name, value in envelope["MessageAttributes"].items()}
    return Alert(stack=attributes["stack"], kind=attributes["kind"], body=body, raw=text)


def _configuration(stacks: Iterable[str], *, alerts: str, approvals: str, approval_timeout: str) -> str:
    lines = [
        "[defaults]",
        'schedule = "rate(1 minute)"',
        f'alert_subscriptions = ["{alerts}"]',
        f'approval_subscriptions = ["{approvals}"]',
        f'approval_timeout = "{approval_timeout}"',
    ]
    for name in stacks:
        lines += ["[[stacks]]", f'name = "{name}"', f'region = "{REGION}"', "revert = true"]
    return "\n".join(lines) + "\n"
