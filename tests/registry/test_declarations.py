"""Every declared type is held against CloudFormation's schemas, botocore's models and IAM's actions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from botocore.model import ListShape, Shape, StructureShape
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from policy_sentry.querying.all import get_all_actions

from driftwarden.resources import registry
from driftwarden.resources.actions import action_for
from driftwarden.resources.spec import Call, From, ResourceType
from tests.registry.service_models import operation_model, paginators, shape_at

TYPES = registry.all_types()

each_type = pytest.mark.parametrize("spec", TYPES, ids=lambda spec: spec.name)

READ_BACK_ONLY: Mapping[tuple[str, str], str] = {
    ("AWS::EC2::NetworkAclEntry", "IcmpTypeCode"): "read back under both names, as baselines hold both",
    ("AWS::ECS::Service", "PlacementStrategy"): "read back under both spellings, as baselines hold both",
    ("AWS::ElastiCache::SubnetGroup", "CacheSubnetGroupDescription"): "read back under both names",
    ("AWS::Glue::Crawler", "LineageConfiguration"): "the API answers it, and baselines hold it",
    ("AWS::Glue::Job", "SourceControlDetails"): "the API answers it, and baselines hold it",
    ("AWS::IAM::ManagedPolicy", "Tags"): "AWS tags managed policies, the CloudFormation type does not",
    ("AWS::Neptune::DBInstance", "DeletionProtection"): "the API answers it for instances as well",
    ("AWS::S3Tables::Table", "Format"): "read back under both names",
    ("AWS::S3Tables::Table", "Name"): "read back under both names",
}
"""Properties that a read-back holds although CloudFormation has none of that name, and why."""

NEWER_THAN_THE_LIST: Mapping[str, str] = {
    "lambda:GetMicrovmImage": "the service signs as lambda; policy-sentry's list is older than it",
}
"""IAM actions that policy-sentry's list lacks, and why they are believed."""

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_CODE = re.compile(r"[A-Za-z0-9]+([.#][A-Za-z0-9]+)*(: \S.*)?")


def calls_of(spec: ResourceType) -> tuple[Call, ...]:
    return (*spec.calls, *spec.more, *spec.asks)


def service_of(spec: ResourceType, call: Call) -> str:
    return call.service or spec.service


def properties_of(spec: ResourceType) -> list[str]:
    return [*spec.same, *spec.camel, *spec.fields]


def paths_of(spec: ResourceType) -> Iterator[str]:
    """Every dotted path that a property is declared to come from."""
    yield from (f"main.{name}" for name in spec.same)
    yield from (f"main.{name[0].lower()}{name[1:]}" for name in spec.camel)
    for source in spec.fields.values():
        if isinstance(source, From):
            yield source.source
        elif isinstance(source, str):
            yield source


def texts_in(template: Any) -> Iterator[str]:
    if isinstance(template, Mapping):
        for value in template.values():
            yield from texts_in(value)
    elif isinstance(template, list | tuple):
        for value in template:
            yield from texts_in(value)
    elif isinstance(template, str):
        yield template


@cache
def schema_properties(type_name: str) -> frozenset[str]:
    return frozenset(PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", type_name).schema["properties"])


@cache
def iam_actions() -> frozenset[str]:
    return frozenset(action.lower() for action in get_all_actions())


def kept_shape(spec: ResourceType, call: Call) -> Shape | None:
    """The shape of what a call keeps of its answer; None where a function or a joined page decides."""
    if callable(call.at):
        return None
    shape = shape_at(operation_model(service_of(spec, call), call.operation).output_shape, call.at)
    return shape.member if call.one and isinstance(shape, ListShape) else shape


def test_the_table_of_modules_names_every_module_there_is() -> None:
    assert set(registry._MODULES.values()) == registry.modules()


@pytest.mark.parametrize("module", sorted(registry.modules()))
def test_every_module_says_something(module: str) -> None:
    declared = vars(import_module(f"driftwarden.resources.{module}"))
    assert declared.get("TYPES") or declared.get("FACTS")


@pytest.mark.parametrize("type_name", sorted(registry.all_facts()))
def test_a_comparison_finds_the_facts_by_the_name_of_the_type(type_name: str) -> None:
    assert registry.facts_of(type_name) is registry.all_facts()[type_name]


def test_no_type_is_declared_twice() -> None:
    names = [spec.name for spec in TYPES]
    assert len(names) == len(set(names))


@each_type
def test_a_scan_finds_the_type_by_its_name(spec: ResourceType) -> None:
    assert registry.find(spec.name) is spec


@each_type
def test_every_property_exists_in_cloudformation(spec: ResourceType) -> None:
    stated = [p for p in properties_of(spec) if (spec.name, p) not in READ_BACK_ONLY]
    assert [p for p in stated if p not in schema_properties(spec.name)] == []


def test_every_exception_from_the_schema_is_still_one() -> None:
    declared = {(spec.name, p) for spec in TYPES for p in properties_of(spec)}
    stale = [key for key in READ_BACK_ONLY if key not in declared or key[1] in schema_properties(key[0])]
    assert stale == []


@each_type
def test_every_property_has_one_origin(spec: ResourceType) -> None:
    properties = properties_of(spec)
    assert len(properties) == len(set(properties))


@each_type
def test_every_placeholder_belongs_to_a_declared_property(spec: ResourceType) -> None:
    assert set(spec.placeholders) <= set(properties_of(spec))


@each_type
def test_a_type_has_calls_or_a_reader_of_its_own(spec: ResourceType) -> None:
    if spec.custom is None:
        assert spec.calls
        assert spec.calls[0].into == ""
    else:
        assert spec.custom.__doc__ or not spec.more, "a reader of its own says why"
        assert not (spec.same or spec.camel or spec.fields or spec.placeholders)


@each_type
def test_every_sub_call_has_a_name_of_its_own(spec: ResourceType) -> None:
    names = [call.into for call in spec.calls[1:]]
    assert all(names)
    assert len(names) == len(set(names))
    assert not {"id", "props", "region", "account", "main"} & set(names)


@each_type
def test_every_operation_and_request_member_exists(spec: ResourceType) -> None:
    for call in calls_of(spec):
        model = operation_model(service_of(spec, call), call.operation)
        if not callable(call.params):
            assert unknown_members(model.input_shape, call.params) == [], call.operation


@each_type
def test_every_required_request_member_is_sent(spec: ResourceType) -> None:
    for call in spec.calls:
        shape = operation_model(service_of(spec, call), call.operation).input_shape
        if shape is not None and not callable(call.params):
            assert set(shape.required_members) <= set(call.params), call.operation


def unknown_members(shape: Shape | None, params: Any) -> list[str]:
    if isinstance(params, Mapping) and isinstance(shape, StructureShape):
        unknown = [name for name in params if name not in shape.members]
        known = [name for name in params if name in shape.members]
        return unknown + [bad for name in known for bad in unknown_members(shape.members[name], params[name])]
    if isinstance(params, list | tuple) and isinstance(shape, ListShape):
        return [bad for value in params for bad in unknown_members(shape.member, value)]
    return [str(params)] if isinstance(params, Mapping | list | tuple) and params else []


@each_type
def test_every_kept_part_exists_in_the_answer(spec: ResourceType) -> None:
    for call in spec.calls:
        if not callable(call.at):
            assert kept_shape(spec, call) is not None, f"{call.operation} has no {call.at}"


@each_type
def test_every_paged_call_has_a_paginator_for_what_it_joins(spec: ResourceType) -> None:
    for call in calls_of(spec):
        if call.pages is True and isinstance(call.at, str) and call.at:
            paginator = paginators(service_of(spec, call)).get(call.operation)
            assert paginator, f"boto3 has no paginator for {call.operation}"
            keys = paginator["result_key"]
            assert call.at in (keys if isinstance(keys, list) else [keys])
        elif isinstance(call.pages, tuple):
            model = operation_model(service_of(spec, call), call.operation)
            request, answer = call.pages
            assert shape_at(model.input_shape, request) is not None
            assert shape_at(model.output_shape, answer) is not None


@each_type
def test_every_path_resolves_in_the_service_model(spec: ResourceType) -> None:
    assert [path for path in paths_of(spec) if not resolves(spec, path)] == []


@each_type
def test_every_placeholder_in_a_request_resolves(spec: ResourceType) -> None:
    for position, call in enumerate(spec.calls):
        for text in texts_in(call.params):
            for path in _PLACEHOLDER.findall(text):
                assert resolves(spec, path, before=position), f"{call.operation}: {path}"


def resolves(spec: ResourceType, path: str, *, before: int | None = None) -> bool:
    head, _, rest = path.partition(".")
    if head == "id":
        return not rest or rest.isdigit()
    if head == "props":
        return rest.partition(".")[0] in schema_properties(spec.name)
    if head in {"region", "account"}:
        return not rest
    by_name = {call.into or "main": call for call in spec.calls[:before]}
    call = by_name.get(head)
    if call is None:
        call, rest = by_name.get("main"), path
    if call is None:
        return False
    return callable(call.at) or shape_at(kept_shape(spec, call), rest) is not None


@each_type
def test_error_codes_are_exact(spec: ResourceType) -> None:
    codes = [*spec.gone, *(code for call in spec.calls for code in call.absent)]
    assert [code for code in codes if not _CODE.fullmatch(code)] == []
    for call in spec.calls:
        assert not any("denied" in code.lower() or "throttl" in code.lower() for code in call.absent)


@each_type
def test_every_permission_exists(spec: ResourceType) -> None:
    for call in calls_of(spec):
        action = call.action or action_for(service_of(spec, call), call.operation)
        listed = action.lower() in iam_actions() or action in NEWER_THAN_THE_LIST
        assert listed, f"{call.operation}: there is no IAM action {action}"
