"""AWS answers by hand: a reader's requests are answered from a small table, and any other request fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ConnectionClosedError
from botocore.validate import ParamValidator

from driftwarden.clients import Clients
from driftwarden.model import Live, ReadResult, Record, Unreadable
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place

REGION = "eu-central-1"


class Answers(dict[str, Any]):
    """`service:Operation` -> its answer: a list holds one per call, a function makes it of the parameters.

    `calls` holds what was asked, in order. Request parameters are checked against the service model, and so
    are the names of the members that an answer has at its top.
    """

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def fails(self, operation: str, code: str, *, status: int = 400) -> None:
        """The operation answers with this error code."""
        self[operation] = ClientError(
            {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}},
            operation.partition(":")[2],
        )

    def breaks(self, operation: str) -> None:
        """The connection is reset before the operation answers."""
        self[operation] = ConnectionClosedError(endpoint_url="https://example.invalid")

    def asked(self, operation: str) -> list[dict[str, Any]]:
        """The parameters of every request of the operation."""
        return [params for name, params in self.calls if name == operation]

    def answer(self, client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        name = f"{client.meta.service_model.service_name}:{operation}"
        model = client.meta.service_model.operation_model(operation)
        if model.input_shape is not None:
            report = ParamValidator().validate(params, model.input_shape)
            assert not report.has_errors(), f"{name}: {report.generate_report()}"
        self.calls.append((name, params))
        assert name in self, f"{name} was asked, and the test has no answer for it"
        found = self[name]
        if isinstance(found, list):
            count = len(self.asked(name))
            assert count <= len(found), f"{name} was asked {count} times, the test has {len(found)} answers"
            found = found[count - 1]
        if callable(found):
            found = found(params)
        if isinstance(found, Exception):
            raise found
        assert set(found) <= set(model.output_shape.members), f"{name} has no such members: {sorted(found)}"
        return {**found, "ResponseMetadata": {"HTTPStatusCode": 200}}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """The table from which every AWS call of the test is answered."""
    for name, value in {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}.items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    table = Answers()

    def answer(client: Any, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        return table.answer(client, operation, params)

    monkeypatch.setattr(BaseClient, "_make_api_call", answer)
    return table


class Read(Protocol):
    def __call__(
        self,
        resource_type: str,
        physical_id: str,
        properties: Mapping[str, Any] | None = None,
        siblings: Mapping[str, Record] | None = None,
    ) -> ReadResult: ...


_CLIENTS = Clients(region=REGION)


@pytest.fixture
def read(answers: Answers) -> Read:
    """Reads one resource in REGION: `read("AWS::SQS::Queue", url, template_properties)` -> Live, Gone, ..."""

    def run(
        resource_type: str,
        physical_id: str,
        properties: Mapping[str, Any] | None = None,
        siblings: Mapping[str, Record] | None = None,
    ) -> ReadResult:
        record = record_of("Subject", resource_type, physical_id, properties)
        place = Place(region=REGION, clients=_CLIENTS, limits=Limits())
        return read_record(record, place, {"Subject": record, **(siblings or {})})

    return run


def record_of(
    logical_id: str,
    resource_type: str,
    physical_id: str,
    properties: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    provisioned_by: str = "sdk",
) -> Record:
    """A state record, for a resource or its sibling."""
    return Record(
        logical_id=logical_id,
        resource_type=resource_type,
        physical_id=physical_id,
        properties=properties or {},
        attributes=attributes or {},
        provisioned_by=provisioned_by,
    )


def live(result: ReadResult) -> dict[str, Any]:
    """The properties of a resource that was read."""
    assert isinstance(result, Live), result
    return dict(result.properties)


def unreadable(result: ReadResult) -> Unreadable:
    """The reason why a resource was not read."""
    assert isinstance(result, Unreadable), result
    return result
