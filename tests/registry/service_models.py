"""Service models as the lint sees them: shapes by dotted path, exactly as the readers write them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from botocore import loaders
from botocore.model import ListShape, MapShape, OperationModel, ServiceModel, Shape, StructureShape
from botocore.session import Session

_SESSION = Session()

_NOT_A_STRUCTURE = {
    "integer": 1,
    "long": 1,
    "float": 1.5,
    "double": 1.5,
    "boolean": True,
    "timestamp": datetime(2024, 1, 2, tzinfo=UTC),
    "blob": b"x",
}
_DEPTH = 8


@cache
def service_model(service: str) -> ServiceModel:
    """botocore's model of a service, by boto3's name."""
    return _SESSION.get_service_model(service)


@cache
def paginators(service: str) -> dict[str, Any]:
    """Operation -> botocore's paginator."""
    try:
        found: dict[str, Any] = _SESSION.get_paginator_model(service)._paginator_config
    except loaders.UnknownServiceError:
        return {}
    return found


def operation_model(service: str, operation: str) -> OperationModel:
    """The model of an operation; the test fails where the service has none of that name."""
    names = service_model(service).operation_names
    if operation not in names:
        pytest.fail(f"{service} has no operation {operation}")
    return service_model(service).operation_model(operation)


def shape_at(shape: Shape | None, path: str) -> Shape | None:
    """The shape at a dotted path (numbers are list positions), or None where the model has no such member."""
    for segment in path.split(".") if path else ():
        if isinstance(shape, StructureShape):
            shape = shape.members.get(segment)
        elif isinstance(shape, ListShape):
            shape = shape.member if segment.isdigit() else None
        elif isinstance(shape, MapShape):
            shape = shape.value
        else:
            return None
    return shape


def full_answer(shape: Shape | None, text: str, depth: int = 0) -> Any:
    """An answer that holds every member of the model, with `text` for every string."""
    if depth > _DEPTH:
        return None
    if isinstance(shape, StructureShape):
        members = {name: full_answer(member, text, depth + 1) for name, member in shape.members.items()}
        return {name: value for name, value in members.items() if value is not None}
    if isinstance(shape, ListShape):
        element = full_answer(shape.member, text, depth + 1)
        return None if element is None else [element]
    if isinstance(shape, MapShape):
        value = full_answer(shape.value, text, depth + 1)
        return None if value is None else {text: value}
    return {} if shape is None else _NOT_A_STRUCTURE.get(shape.type_name, text)
