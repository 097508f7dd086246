"""Why a drifted resource cannot be pushed back, all of it known before the first request. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from driftwarden.answers import dig
from driftwarden.compare import Context
from driftwarden.compare.rules import rules_of
from driftwarden.compare.siblings import moved
from driftwarden.model import ABSENT, Properties, Record
from driftwarden.remedy.desired import Desired
from driftwarden.remedy.writes import unwritable
from driftwarden.report.paths import dotted
from driftwarden.resources.registry import find
from driftwarden.resources.spec import Caution, ResourceType
from driftwarden.schema import SchemaPath, schema_of


def type_for_update(record: Record) -> ResourceType | None:
    """The declaration that an update goes by; None where Cloud Control makes it."""
    return None if record.provisioned_by == "cc-api" else find(record.resource_type)


def fixed(record: Record, desired: Desired, live: Properties) -> str:
    """Why only a new resource could hold the desired values; "" when this one can."""
    for pattern in sorted(rules_of(record.resource_type).create_only):
        if pattern[0] in desired.drifted and _differs(desired.values, live, pattern):
            return f"{dotted(pattern)} can only be set when the resource is created"
    return ""


def no_update(record: Record, desired: Desired) -> str:
    """Why AWS offers no update in place to the desired values; "" when it does."""
    spec = type_for_update(record)
    if spec is None:
        return ""
    if not spec.writes:
        return "resources of this type cannot be updated in place"
    found = (unwritable(spec, key, desired.values) for key in sorted(desired.drifted))
    return next((reason for reason in found if reason), "")


def refusal(record: Record, desired: Desired, live: Properties, context: Context) -> str:
    """Why an update is not made although AWS may offer it; "" when nothing speaks against it."""
    for pattern in moved(record, context):
        if pattern[0] in desired.drifted and _moves(desired.values, live, pattern):
            return f"{dotted(pattern)} is set by scaling, which a revert would undo"
    spec = type_for_update(record)
    cautions = _applicable(spec.refuses, desired, live) if spec else iter(())
    return next((f"{path}: {text}" for path, text in cautions), "")


def risks(record: Record, desired: Desired, live: Properties) -> tuple[str, ...]:
    """What a person should know before the desired values are pushed back."""
    spec = type_for_update(record)
    known = tuple(f"{path}: {text}" for path, text in _applicable(spec.warns, desired, live)) if spec else ()
    conditional = [
        f"{dotted(pattern)}: AWS may not be able to change it without a replacement"
        for pattern in _conditional(record)
        if pattern[0] in desired.drifted and _differs(desired.values, live, pattern)
    ]
    return (*known, *conditional)


def _applicable(
    declared: Mapping[str, str | Caution], desired: Desired, live: Properties
) -> Iterator[tuple[str, str]]:
    for path, caution in declared.items():
        if path.partition(".")[0] not in desired.drifted:
            continue
        ours, theirs = dig(desired.values, path), dig(live, path)
        if ours == theirs:
            continue
        if isinstance(caution, str):
            yield path, caution
        elif caution.when(ours, theirs):
            yield path, caution.text


def _conditional(record: Record) -> tuple[SchemaPath, ...]:
    schema = schema_of(record.resource_type)
    return schema.conditional_create_only if schema else ()


def _differs(desired: Mapping[str, Any], live: Properties, pattern: SchemaPath) -> bool:
    """Whether the two bags differ at a place of the schema. Inside of lists nobody can pair the elements."""
    return "*" not in pattern and dig(desired, ".".join(pattern)) != dig(live, ".".join(pattern))


def _moves(desired: Mapping[str, Any], live: Properties, pattern: SchemaPath) -> bool:
    ours, theirs = (dict(_numbers(bag, pattern, ())) for bag in (desired, live))
    return any(ours[where] != theirs[where] for where in ours.keys() & theirs.keys())


def _numbers(
    value: Any, pattern: SchemaPath, where: tuple[Any, ...]
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The values at a pattern, by where they stand; list elements go by their name."""
    if not pattern:
        yield where, value
    elif pattern[0] == "*":
        for item in value if isinstance(value, list) else ():
            name = item.get("IndexName") if isinstance(item, Mapping) else None
            yield from _numbers(item, pattern[1:], (*where, name))
    elif isinstance(value, Mapping) and value.get(pattern[0], ABSENT) is not ABSENT:
        yield from _numbers(value[pattern[0]], pattern[1:], (*where, pattern[0]))
