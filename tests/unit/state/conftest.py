"""An S3 in memory, records to put into it, and faults to make it answer with."""

from __future__ import annotations

import functools
import io
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import botocore.session
import orjson
import pytest
from botocore.awsrequest import AWSResponse
from botocore.loaders import create_loader
from moto import mock_aws

from driftwarden.clients import Clients
from driftwarden.state import StateStore

ACCOUNT = "123456789012"
BUCKET = f"cdkd-state-{ACCOUNT}"
NOW = 1_700_000_000.0


@pytest.fixture(autouse=True)
def aws_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith(("AWS_", "CDKD_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))


@pytest.fixture(autouse=True, scope="session")
def service_models_parsed_once() -> Iterator[None]:
    """Every test makes sessions of its own, and each would parse botocore's data files again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", functools.cache(create_loader))
        yield


@pytest.fixture
def aws() -> Iterator[None]:
    with mock_aws():
        yield


@pytest.fixture
def clients(aws: None) -> Clients:
    return Clients()


@pytest.fixture
def s3(aws: None) -> Any:
    """A plain client, for what the tests do themselves; the state bucket exists."""
    client = boto3.client("s3", region_name="us-east-1")
    client.create_bucket(Bucket=BUCKET)
    return client


class Clock:
    """Unix seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clients: Clients, s3: Any, clock: Clock) -> StateStore:
    return StateStore(clients, clock=clock)


Put = Callable[..., None]


@pytest.fixture
def put(s3: Any) -> Put:
    """Put a record under `key` (below the prefix); a body that is not bytes is written as JSON."""

    def put_record(key: str, body: Any = None, **fields: Any) -> None:
        if body is None:
            body = {"version": 8, "resources": {}, **fields}
        raw = body if isinstance(body, bytes) else orjson.dumps(body)
        s3.put_object(Bucket=BUCKET, Key=f"cdkd/{key}", Body=raw)

    return put_record


class Faults:
    """Answers of S3 that a healthy bucket does not give, put on the wire where the client would hear them."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    def answer(
        self,
        operation: str,
        status: int,
        code: str,
        *,
        message: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        body = b"" if operation == "HeadBucket" else _error_body(code, message)

        def respond(request: Any, **_: Any) -> AWSResponse:
            raw = _Raw(body)
            return AWSResponse(
                request.url, status, {"content-type": "application/xml", **(headers or {})}, raw
            )

        self._hook(operation, respond)

    def raise_error(self, operation: str, error: Exception) -> None:
        def fail(**_: Any) -> None:
            raise error

        self._hook(operation, fail)

    def after(self, operation: str, error: Exception) -> None:
        """The operation takes effect, but its answer gets lost: once."""
        pending = [error]

        def lose(**_: Any) -> None:
            if pending:
                raise pending.pop()

        for client in self._s3_clients():
            client.meta.events.register(f"needs-retry.s3.{operation}", lose)

    def run_before(self, operation: str, action: Callable[[], Any]) -> None:
        """Somebody else acts just before our next call of `operation` reaches S3: once."""
        pending = [action]

        def act(**_: Any) -> None:
            if pending:
                pending.pop()()

        self._hook(operation, act)

    def _hook(self, operation: str, handler: Callable[..., Any]) -> None:
        for client in self._s3_clients():
            client.meta.events.register_first(f"before-send.s3.{operation}", handler)

    def _s3_clients(self) -> list[Any]:
        return [self._clients.reader("s3"), self._clients.writer("s3")]


class _Raw(io.BytesIO):
    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


def _error_body(code: str, message: str) -> bytes:
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()


@pytest.fixture
def faults(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> Faults:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    return Faults(clients)


@pytest.fixture
def calls(clients: Clients) -> list[tuple[str, dict[str, Any]]]:
    """Every S3 call made through `clients`: operation and parameters."""
    seen: list[tuple[str, dict[str, Any]]] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        seen.append((model.name, dict(params)))

    for client in (clients.reader("s3"), clients.writer("s3")):
        client.meta.events.register("provide-client-params.s3", note)
    return seen
