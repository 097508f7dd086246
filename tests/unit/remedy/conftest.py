"""Writes without AWS: a type's writes run on hand-made bags, and the requests are caught."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator

from driftwarden.clients import Clients
from driftwarden.model import Record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place, Reading
from driftwarden.remedy.update import Patience, Update
from driftwarden.remedy.writes import push
from driftwarden.resources.registry import find
from driftwarden.resources.spec import ResourceType

Requests = list[tuple[str, dict[str, Any]]]
Sent = Callable[..., Requests]

HASTY = Patience(retries=(0, 0), polls=(0,) * 5, settling=(0,))


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> tuple[Requests, dict[str, Any]]:
    """What is asked of AWS, in order, and the answers by operation: an answer, a code, or a list of them."""
    for name, value in {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}.items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    made: Requests = []
    answers: dict[str, Any] = {}

    def answer(client: Any, operation: str, params: dict[str, Any]) -> Any:
        shape = client.meta.service_model.operation_model(operation).input_shape
        if shape is not None:
            report = ParamValidator().validate(params, shape)
            assert not report.has_errors(), f"{operation}: {report.generate_report()}"
        made.append((operation, params))
        found = answers.get(operation, {})
        if isinstance(found, list):
            found = found.pop(0) if found else {}
        if isinstance(found, str):
            raise ClientError({"Error": {"Code": found, "Message": "no"}}, operation)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(BaseClient, "_make_api_call", answer)
    return made, answers


@pytest.fixture
def sent(requests: tuple[Requests, dict[str, Any]]) -> Sent:
    """`sent(type, id, live=..., desired=...)`: the requests of the type's writes.

    `live` is the whole live bag, `desired` the properties that drifted. `main` and further keywords are what
    the reader kept of its answers; `answers` maps operations to answers or error codes.
    """
    made, table = requests

    def run(
        kind: str | ResourceType,
        physical_id: str,
        *,
        live: Mapping[str, Any],
        desired: Mapping[str, Any],
        properties: Mapping[str, Any] | None = None,
        answers: Mapping[str, Any] | None = None,
        **kept: Any,
    ) -> Requests:
        spec = find(kind) if isinstance(kind, str) else kind
        assert spec is not None
        record = Record(
            logical_id="Subject",
            resource_type=spec.name,
            physical_id=physical_id,
            properties=properties or {},
        )
        place = Place(region="eu-central-1", clients=Clients(region="eu-central-1"), limits=Limits())
        reading = Reading(spec, record, place, {})
        reading.answers.update(kept)
        table.update(answers or {})
        update = Update(
            reading,
            clients=place.clients,
            desired={**live, **desired},
            live=live,
            drifted=frozenset(desired),
            patience=HASTY,
        )
        push(update)
        return list(made)

    return run
