"""The command line on an emulated AWS: one state bucket, one account, captured streams."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from moto import mock_aws

from driftwarden.cli import main

REGION = "us-east-1"
ACCOUNT = "123456789012"
BUCKET = f"cdkd-state-{ACCOUNT}"
SECRET = "tr0ub4dor-and-3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a run of the command line left behind."""

    status: int
    out: str
    err: str

    @property
    def reports(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (
        "AWS_PROFILE",
        "AWS_SESSION_TOKEN",
        "AWS_ENDPOINT_URL",
        "CDKD_STATE_BUCKET",
        "CDKD_ROLE_ARN",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing-credentials")
    monkeypatch.setenv("AWS_REGION", REGION)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        yield


@pytest.fixture
def run(aws: None, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        log = logging.getLogger("driftwarden")
        log.handlers.clear()
        log.setLevel(logging.NOTSET)
        captured = capsys.readouterr()
        return Done(status=int(ended.value.code or 0), out=captured.out, err=captured.err)

    return call


def queue(name: str, **attributes: str) -> str:
    return str(boto3.client("sqs").create_queue(QueueName=name, Attributes=attributes)["QueueUrl"])


def record(url: str, **properties: Any) -> dict[str, Any]:
    return {"physicalId": url, "resourceType": "AWS::SQS::Queue", "properties": properties}


def put_state(
    stack: str, resources: Any, *, version: Any = 8, region: str = REGION, body: bytes = b""
) -> None:
    document = {"version": version, "stackName": stack, "region": region, "resources": resources}
    boto3.client("s3").put_object(
        Bucket=BUCKET, Key=f"cdkd/{stack}/{region}/state.json", Body=body or json.dumps(document).encode()
    )
