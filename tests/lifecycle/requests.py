"""What a revert sends where no emulator answers: reads come from a table, writes are kept and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest import mock

from botocore.client import BaseClient
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator

from driftwarden.answers import dig
from driftwarden.clients import Clients
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT, Live, Record
from driftwarden.read.api import read_into, reading_of
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.remedy.update import Patience, Update
from driftwarden.remedy.writes import push
from driftwarden.resources.registry import find

REGION = "us-east-1"
Requests = list[tuple[str, dict[str, Any]]]
Answers = Mapping[str, Any]
HASTY = Patience(retries=(0,), polls=(0, 0), settling=(0,))


def failure(code: str, operation: str) -> ClientError:
    """An answer that is an error."""
    return ClientError({"Error": {"Code": code, "Message": "no"}}, operation)


@cache
def _clients() -> Clients:
    """No request leaves them, so that all tests can have the same."""
    return Clients(region=REGION)


@contextmanager
def update_of(
    record: Record,
    answers: Answers,
    wanted: Mapping[str, Any],
    *,
    siblings: Mapping[str, Record] | None = None,
) -> Iterator[tuple[Update, Requests]]:
    """An update of a resource that reads back as `answers` say; `wanted` is laid over that, ABSENT removes.

    A read that is not in the table finds nothing configured. A write may have an answer as well: a list has
    one for each request. Requests are checked against the service model.
    """
    spec = find(record.resource_type)
    assert spec is not None
    absent = {call.operation: call.absent for call in spec.calls if call.absent}
    requests: Requests = []
    asked: dict[str, int] = {}

    def call(client: Any, operation: str, params: dict[str, Any]) -> Any:
        shape = client.meta.service_model.operation_model(operation).input_shape
        report = ParamValidator().validate(params, shape)
        assert not report.has_errors(), f"{operation}: {report.generate_report()}"
        if not operation.startswith(("Describe", "Get", "Head", "List")):
            requests.append((operation, params))
        elif operation not in answers and operation in absent:
            raise failure(absent[operation][0], operation)
        found = answers.get(operation, {})
        if isinstance(found, list):
            asked[operation] = asked.get(operation, 0) + 1
            found = found[min(asked[operation], len(found)) - 1]
        if isinstance(found, Exception):
            raise found
        return found

    with (
        mock.patch.object(BaseClient, "_make_api_call", call),
        mock.patch.dict("os.environ", {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}),
    ):
        place = Place(region=REGION, clients=_clients(), limits=Limits())
        reading = reading_of(record, place, siblings or {record.logical_id: record})
        found = read_into(reading)
        assert isinstance(found, Live), found
        desired = {k: v for k, v in {**found.properties, **wanted}.items() if v is not ABSENT}
        yield (
            Update(
                reading,
                clients=_clients(),
                desired=desired,
                live=found.properties,
                drifted=frozenset(wanted),
                patience=HASTY,
                pause=lambda seconds: None,
            ),
            requests,
        )


def sent(
    record: Record,
    answers: Answers,
    wanted: Mapping[str, Any],
    *,
    siblings: Mapping[str, Record] | None = None,
) -> Requests:
    """The writing requests, in order, by which such a resource comes to hold what is wanted."""
    with update_of(record, answers, wanted, siblings=siblings) as (update, requests):
        push(update)
    return requests


def stopped(record: Record, answers: Answers, wanted: Mapping[str, Any], *, because: str) -> Requests:
    """The writing requests before the update stopped by itself, which it has to do for that reason."""
    with update_of(record, answers, wanted) as (update, requests):
        try:
            push(update)
        except UpdateFailed as error:
            assert because in str(error), error
        else:
            raise AssertionError(f"it did not stop; it sent {requests}")
    return requests


def a_record(resource_type: str, physical_id: str, **properties: Any) -> Record:
    """A record with only what these tests need."""
    return Record(
        logical_id="Subject",
        resource_type=resource_type,
        physical_id=physical_id,
        properties=properties,
    )


def member(requests: Requests, operation: str, path: str) -> Any:
    """What the only request of an operation holds at a dotted path; ABSENT where it has no such member."""
    (params,) = [params for name, params in requests if name == operation]
    return dig(params, path)
