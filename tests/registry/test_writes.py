"""Every declared write is held against CloudFormation's schemas, botocore's models and IAM's actions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from botocore.model import Shape, StructureShape

from driftwarden.compare.rules import rules_of
from driftwarden.remedy.update import operations_of
from driftwarden.remedy.writes import members, properties_of
from driftwarden.resources import registry
from driftwarden.resources.actions import action_for
from driftwarden.resources.spec import By, ResourceType, Tags, Write
from driftwarden.schema import schema_of
from tests.registry.service_models import operation_model, shape_at
from tests.registry.test_declarations import (
    NEWER_THAN_THE_LIST,
    READ_BACK_ONLY,
    iam_actions,
    resolves,
    schema_properties,
    texts_in,
    unknown_members,
)
from tests.registry.test_declarations import (
    properties_of as read_properties_of,
)

WRITABLE = tuple(spec for spec in registry.all_types() if spec.writes)

each_writable = pytest.mark.parametrize("spec", WRITABLE, ids=lambda spec: spec.name)

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_OF_THE_MOMENT = {"member", "value"}

ADDRESSED_BY_PROPERTY: Mapping[tuple[str, str], str] = {}
"""Properties that are not create-only and yet name the resource in a request, and why that is safe."""

READ_IN_ANOTHER_WAY: Mapping[tuple[str, str], str] = {
    ("AWS::DynamoDB::GlobalTable", "DeletionProtectionEnabled"): "its own reader answers it for the table",
    ("AWS::DynamoDB::GlobalTable", "TableClass"): "its own reader answers it for the table",
    ("AWS::StepFunctions::StateMachine", "DefinitionString"): "it is compared with the Definition",
}
"""Written properties that no declaration reads, and how they are proved all the same."""


def requests_of(spec: ResourceType) -> Iterator[tuple[Write | Tags, str, str]]:
    """(declaration, service, operation) of every write that sends declared members."""
    for write in spec.writes:
        service = (write.service if not isinstance(write, By) else "") or spec.service
        if isinstance(write, Write):
            yield write, service, write.operation
        elif isinstance(write, Tags):
            yield write, service, write.tag
            yield write, service, write.untag


def input_of(service: str, operation: str) -> Shape | None:
    shape: Shape | None = operation_model(service, operation).input_shape
    return shape


def members_of(spec: ResourceType, write: Write | Tags, operation: str) -> list[str]:
    if isinstance(write, Tags):
        return [write.keys_at] if operation == write.untag and operation != write.tag else [write.pairs_at]
    placed = isinstance(write.params, Mapping) and "{value}" in write.params.values()
    return [] if placed else [member for member, _ in members(spec, write).values()]


@each_writable
def test_every_operation_exists_and_is_allowed_by_an_action_that_exists(spec: ResourceType) -> None:
    for write in spec.writes:
        for one in operations_of(write):
            service = one.service or spec.service
            operation_model(service, one.operation)
            action = one.action or action_for(service, one.operation)
            listed = action.lower() in iam_actions() or action in NEWER_THAN_THE_LIST
            assert listed, f"{one.operation}: there is no IAM action {action}"


@each_writable
def test_every_request_member_exists(spec: ResourceType) -> None:
    for write, service, operation in requests_of(spec):
        shape = input_of(service, operation)
        if not callable(write.params):
            assert unknown_members(shape, write.params) == [], operation
        for member in members_of(spec, write, operation):
            assert shape_at(shape, member) is not None, f"{operation} has no {member}"


@each_writable
def test_what_a_request_cannot_do_without_is_there(spec: ResourceType) -> None:
    for write, service, operation in requests_of(spec):
        shape = input_of(service, operation)
        if isinstance(shape, StructureShape) and not callable(write.params):
            sent = {*write.params, *(m.partition(".")[0] for m in members_of(spec, write, operation))}
            assert set(shape.required_members) <= sent, operation


@each_writable
def test_every_written_property_can_be_read_back_and_spelled(spec: ResourceType) -> None:
    known = set(read_properties_of(spec)) if spec.custom is None else set(schema_properties(spec.name))
    known |= set(rules_of(spec.name).alternates)
    for write in spec.writes:
        tops = {path.partition(".")[0] for path in properties_of(write)}
        tops = {top for top in tops if (spec.name, top) not in READ_IN_ANOTHER_WAY}
        assert tops <= known, "only what a read-back shows can be proved to be reverted"
        if isinstance(write, Write):
            members(spec, write)


@each_writable
def test_every_word_about_a_property_is_about_one_that_exists(spec: ResourceType) -> None:
    known = set(read_properties_of(spec)) | schema_properties(spec.name)
    known |= {name for kind, name in READ_IN_ANOTHER_WAY if kind == spec.name}
    tops = {path.partition(".")[0] for path in (*spec.refuses, *spec.warns)}
    assert {top for top in tops if top not in known and (spec.name, top) not in READ_BACK_ONLY} == set()
    for write in spec.writes:
        if isinstance(write, Write):
            assert set(write.unset) <= {*write.sets, *write.same, *write.camel}
            assert not (write.removes and (write.sets or write.same or write.camel))


@each_writable
def test_no_write_names_the_resource_by_a_value_that_can_drift(spec: ResourceType) -> None:
    schema = schema_of(spec.name)
    fixed = {path[0] for path in schema.create_only} if schema else set()
    for write in spec.writes:
        if isinstance(write, By):
            continue
        for text in texts_in(write.params):
            for path in _PLACEHOLDER.findall(text):
                head, _, rest = path.partition(".")
                if head in _OF_THE_MOMENT:
                    continue
                assert resolves(spec, path), f"{text} leads nowhere"
                if head == "props":
                    name = rest.partition(".")[0]
                    assert name in fixed or (spec.name, name) in ADDRESSED_BY_PROPERTY


@each_writable
def test_a_write_never_sends_what_only_creation_can_set(spec: ResourceType) -> None:
    schema = schema_of(spec.name)
    fixed = set(schema.create_only) if schema else set()
    written = {path for write in spec.writes for path in properties_of(write)}
    assert {path for path in written if tuple(path.split(".")) in fixed} == set()
