"""Documents to alert about, and a reports bucket and an alerts topic in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from driftwarden.clients import Clients
from driftwarden.model import Change, Finding, Outcome, StackRef, StackReport
from driftwarden.report.document import Document, ScanId, completed, crashed
from driftwarden.report.publish import ReportBucket
from driftwarden.secrets.redact import Redactor

REF = StackRef("Shop", "us-east-1")
FINISHED = datetime(2025, 1, 31, 8, 16, 30, tzinfo=UTC)


@pytest.fixture
def redactor() -> Redactor:
    return Redactor()


@pytest.fixture
def finding() -> Callable[..., Finding]:
    def make(outcome: Outcome, logical_id: str = "Bucket", **more: Any) -> Finding:
        kind = more.pop("resource_type", "AWS::S3::Bucket")
        return Finding(logical_id=logical_id, resource_type=kind, outcome=outcome, **more)

    return make


@pytest.fixture
def document(redactor: Redactor) -> Callable[..., Document]:
    def make(*findings: Finding, finished: datetime = FINISHED, ref: StackRef = REF, **more: Any) -> Document:
        report = StackReport(ref=ref, findings=findings, **more)
        return completed(report, scan=scan_id(), finished=finished, redactor=redactor)

    return make


@pytest.fixture
def crash_document(redactor: Redactor) -> Callable[..., Document]:
    def make(error: Exception, *, finished: datetime = FINISHED, ref: StackRef = REF) -> Document:
        return crashed(ref, error, scan=scan_id(), finished=finished, redactor=redactor)

    return make


def scan_id() -> ScanId:
    return ScanId(scan_id="scan-1", account="111122223333", started=datetime(2025, 1, 31, 8, 15, tzinfo=UTC))


@pytest.fixture
def drifted(finding: Callable[..., Finding]) -> Finding:
    return finding(
        Outcome.DRIFTED,
        changes=(Change(path=("VersioningConfiguration", "Status"), state="Enabled", aws="Suspended"),),
    )


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """An account with a reports bucket, an alerts topic and a queue that gets what the topic sends."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        s3, sns, sqs = (boto3.client(name, region_name="us-east-1") for name in ("s3", "sns", "sqs"))
        s3.create_bucket(Bucket="reports")
        topic = sns.create_topic(Name="alerts")["TopicArn"]
        queue = sqs.create_queue(QueueName="inbox")["QueueUrl"]
        arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
        clients = Clients()
        yield SimpleNamespace(
            s3=s3, sqs=sqs, queue=queue, topic=topic, clients=clients, bucket=ReportBucket(clients, "reports")
        )


@pytest.fixture
def failing() -> Callable[..., Any]:
    """Makes an operation of a client fail: `failing(client, "put_object", "AccessDenied", when=...)`."""

    def make(
        client: Any, operation: str, code: str, *, status: int = 403, when: Callable[..., bool] | None = None
    ) -> None:
        real = getattr(client, operation)

        def call(**arguments: Any) -> Any:
            if when is not None and not when(**arguments):
                return real(**arguments)
            answer = {
                "Error": {"Code": code, "Message": "not today"},
                "ResponseMetadata": {"HTTPStatusCode": status},
            }
            raise ClientError(answer, operation)

        setattr(client, operation, call)

    return make
