"""Every declared fact speaks of a property that exists, and says what the schema does not say."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.compare import names
from driftwarden.compare.rules import root
from driftwarden.resources.comparing import Kind
from driftwarden.resources.registry import all_facts, facts_of
from driftwarden.schema import schema_of

each_described_type = pytest.mark.parametrize("resource_type", sorted(all_facts()))


def paths_of(resource_type: str) -> Any:
    facts = facts_of(resource_type)
    assert facts is not None
    yield from facts.kinds
    yield from facts.defaults
    yield from facts.never_read_back
    yield from facts.alternates
    yield from facts.alternates.values()
    yield from facts.users_own
    yield from facts.stores
    yield from facts.substitutions
    yield from facts.substitutions.values()


@each_described_type
def test_every_fact_names_a_property_of_the_registry_schema(resource_type: str) -> None:
    schema = schema_of(resource_type)
    assert schema is not None
    for path in paths_of(resource_type):
        shape = schema.root
        for step in path.split("."):
            shape = shape.element if step == "*" else shape.member(step)
        assert shape.known, f"{resource_type} has no {path}"


@each_described_type
def test_what_the_schema_calls_write_only_is_not_said_twice(resource_type: str) -> None:
    facts = facts_of(resource_type)
    schema = schema_of(resource_type)
    assert facts is not None
    assert schema is not None
    said = {".".join(path) for path in schema.write_only}
    assert not said & set(facts.never_read_back)


def test_no_name_is_both_a_set_and_a_sequence() -> None:
    assert not (names.SETS | names.HEADERS) & names.SEQUENCES


def test_a_fact_outranks_the_schema() -> None:
    functions = root("AWS::AppSync::Resolver").member("PipelineConfig").member("Functions")
    assert functions.shape.unordered
    assert functions.list_name in names.SEQUENCES
    assert root("AWS::Lambda::Function").member("Layers").rule is Kind.ORDERED
