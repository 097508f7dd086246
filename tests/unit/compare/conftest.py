"""How the tests of this folder write a comparison down: a resource, its two sides, its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from driftwarden.compare import Comparison, Context, compare
from driftwarden.model import Record

ACCOUNT, REGION = "111122223333", "eu-west-1"

Diff = Callable[..., Comparison]


def record(logical_id: str, resource_type: str, **fields: Any) -> Record:
    return Record(
        logical_id=logical_id,
        resource_type=resource_type,
        physical_id=fields.pop("physical_id", logical_id.lower()),
        properties=fields.pop("properties", {}),
        **fields,
    )


@pytest.fixture
def neighbour() -> Callable[..., Record]:
    """Another resource of the stack: `neighbour(type, physical_id=..., properties=..., attributes=...)`."""

    def make(resource_type: str, **fields: Any) -> Record:
        return record("Neighbour", resource_type, **fields)

    return make


@pytest.fixture
def diff() -> Diff:
    """Compare one resource: `diff(type, template, live, observed=None, neighbours=(), physical_id=...)`."""

    def run(
        resource_type: str,
        template: Mapping[str, Any],
        live: Mapping[str, Any],
        *,
        observed: Mapping[str, Any] | None = None,
        neighbours: tuple[Record, ...] = (),
        physical_id: str = "subject",
    ) -> Comparison:
        subject = record(
            "Subject", resource_type, properties=template, observed=observed, physical_id=physical_id
        )
        siblings = {f"N{number}": other for number, other in enumerate(neighbours)}
        context = Context(
            region=REGION, account_id=ACCOUNT, stack="Shop", siblings={**siblings, "Subject": subject}
        )
        return compare(subject, subject.baseline, live, context)

    return run
