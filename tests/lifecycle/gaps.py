"""Operations that the emulator lacks, answered by the tests themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator

from tests.lifecycle.conftest import READS, Life

Answer = Callable[[dict[str, Any]], Any]
Through = Callable[[dict[str, Any]], dict[str, Any]]


def fill(
    life: Life,
    monkeypatch: pytest.MonkeyPatch,
    answers: Mapping[str, Answer],
    *,
    amended: Mapping[str, Callable[[dict[str, Any], dict[str, Any]], Any]] | None = None,
) -> None:
    """Answer operations by functions of the request, which is held against the service model first.

    `amended`: operations that the emulator answers, and what a function of (request, answer) makes of that.
    """
    below = BaseClient._make_api_call

    def call(client: Any, operation: str, params: dict[str, Any]) -> Any:
        if amended and operation in amended:
            return amended[operation](params, below(client, operation, params))
        if operation not in answers:
            return below(client, operation, params)
        shape = client.meta.service_model.operation_model(operation).input_shape
        report = ParamValidator().validate(params, shape)
        assert not report.has_errors(), f"{operation}: {report.generate_report()}"
        if not operation.startswith(READS):
            life.calls.append((operation, params))
        return answers[operation](params) or {}

    monkeypatch.setattr(BaseClient, "_make_api_call", call)


def refusing(code: str, operation: str) -> Answer:
    """An operation that always fails with a code."""

    def answer(params: dict[str, Any]) -> Any:
        raise ClientError({"Error": {"Code": code, "Message": "refused"}}, operation)

    return answer
