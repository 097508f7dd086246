"""The scanner as Lambda runs it: an environment, a context, a bucket, a topic with a queue, and its log."""

from __future__ import annotations

import io
import json
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

import runtime
import scan_stack.pipeline
from driftwarden.model import Finding, StackRef, StackReport
from driftwarden.secrets.redact import Redactor
from scan_stack.event import ScanEvent
from scan_stack.handler import handler

EVENTS = Path(__file__).parents[2] / "events"
ACCOUNT = "123456789012"


class World:
    """What the tests look at from outside of the function."""

    def __init__(self, log: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
        self.s3, sns, self.sqs = (boto3.client(name) for name in ("s3", "sns", "sqs"))
        self.s3.create_bucket(Bucket="reports")
        self.topic = sns.create_topic(Name="alerts")["TopicArn"]
        self.queue = self.sqs.create_queue(QueueName="inbox")["QueueUrl"]
        queue_arn = f"arn:aws:sqs:us-east-1:{ACCOUNT}:inbox"
        sns.subscribe(TopicArn=self.topic, Protocol="sqs", Endpoint=queue_arn)
        self._log = log
        self._capsys = capsys
        self._printed = ""

    def invoke(self, event: Any, *, request_id: str = "request-1", milliseconds: int = 900_000) -> Any:
        """Call the handler as Lambda does."""
        context: Any = SimpleNamespace(
            function_name="driftwarden-shop",
            memory_limit_in_mb=1024,
            invoked_function_arn=f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:driftwarden-shop",
            aws_request_id=request_id,
            get_remaining_time_in_millis=lambda: milliseconds,
        )
        return handler(event, context)

    def alerts(self) -> list[dict[str, Any]]:
        """The envelopes that reached the subscribed queue since the last look."""
        answer = self.sqs.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10)
        found = []
        for message in answer.get("Messages", []):
            self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
            found.append(json.loads(message["Body"]))
        return found

    def stored(self) -> list[str]:
        return [each["Key"] for each in self.s3.list_objects_v2(Bucket="reports").get("Contents", [])]

    def report(self, key: str) -> dict[str, Any]:
        stored: dict[str, Any] = json.loads(self.s3.get_object(Bucket="reports", Key=key)["Body"].read())
        return stored

    def log(self) -> str:
        return self._log.getvalue()

    def printed(self) -> str:
        """Everything written to stdout and stderr so far, metrics included."""
        captured = self._capsys.readouterr()
        self._printed += captured.out + captured.err
        return self._printed

    def metrics(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.printed().splitlines() if line.startswith("{")]
        return [line for line in lines if "_aws" in line]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[World]:
    for name in [name for name in os.environ if name.startswith(("AWS_", "POWERTOOLS_", "STATE_", "CDKD_"))]:
        monkeypatch.delenv(name)
    variables = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "REPORTS_BUCKET": "reports",
        "REPORTS_BUCKET_OWNER": ACCOUNT,
        "ALERTS_TOPIC_ARN": f"arn:aws:sns:us-east-1:{ACCOUNT}:alerts",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    log = io.StringIO()
    monkeypatch.setattr(runtime.logger.registered_handler, "stream", log)
    for name in ("driftwarden", "botocore", "boto3", "urllib3"):
        for attribute in ("handlers", "level", "propagate"):
            library = logging.getLogger(name)
            monkeypatch.setattr(library, attribute, getattr(library, attribute))
    with mock_aws():
        yield World(log, capsys)
    runtime.redactor.forget()


@pytest.fixture
def event() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((EVENTS / "scan-stack.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Says what the scan finds, or raises; `learns` are secrets that it meets on the way."""

    def make(
        *findings: Finding,
        error: Exception | None = None,
        learns: tuple[str, ...] = (),
        warnings: tuple[str, ...] = (),
    ) -> None:
        def scan_one(event: ScanEvent, redactor: Redactor) -> StackReport:
            for secret in learns:
                redactor.add(secret)
            if error is not None:
                raise error
            return StackReport(ref=StackRef(event.stack, event.region), findings=findings, warnings=warnings)

        monkeypatch.setattr(scan_stack.pipeline, "scan_one", scan_one)

    return make


@pytest.fixture
def denied(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes S3 refuse to put what lies under a prefix, or SNS to publish."""

    def make(*, prefix: str | None = None, publishing: bool = False, message: str = "not today") -> None:
        import botocore.client

        real = botocore.client.BaseClient._make_api_call

        def call(self: Any, operation: str, arguments: dict[str, Any]) -> Any:
            put = prefix is not None and operation == "PutObject" and arguments["Key"].startswith(prefix)
            if put or (publishing and operation == "Publish"):
                answer = {"Error": {"Code": "AccessDenied", "Message": message}}
                raise ClientError(answer, operation)
            return real(self, operation, arguments)

        monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", call)

    return make
