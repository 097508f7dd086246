"""For every type of the registry: an edit of a declared value is reported, whatever rules the type has."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from driftwarden.compare import Context, compare
from driftwarden.model import Record
from driftwarden.schema import Shape, known_types, schema_of

SERVICES = sorted({name.split("::")[1] for name in known_types()})
TEXTS = (
    *("alpha", "12", "007", "true", "8.0", "tcp", "default", "$LATEST", "ENABLED", "1700000000"),
    *("arn:aws:iam::111122223333:role/team/r", "arn:aws:logs:eu-west-1:111122223333:log-group:/g:*"),
    *("alias/aws/sns", "10.0.0.0/16", "rate(1 hour)", "s3://bucket/path", "example.org.", "1 vCPU"),
    *("2030-01-01T00:00:00Z", '{"a": 1}', "-----BEGIN KEY-----\nQUJD", "ssh-rsa AAAA comment"),
)
STATEMENT = {
    "Sid": "Read",
    "Effect": "Allow",
    "Action": ["s3:GetObject"],
    "Principal": {"AWS": "111122223333"},
}
DOCUMENTS = ({"name": "text", "count": 5, "on": True, "list": ["x", "y"]}, {"Statement": [STATEMENT]})
IDENTITIES = ("Key", "Name", "Id", "Priority")
DEEP = 5


def sample(shape: Shape, pick: random.Random, depth: int = 0) -> Any:
    """A value of this shape; None where the schema goes too deep."""
    if depth > DEEP:
        return None
    if shape.properties:
        members = {name: sample(shape.member(name), pick, depth + 1) for name in shape.properties}
        return {name: value for name, value in members.items() if value is not None} or None
    if "array" in shape.kinds:
        items = [sample(shape.element, pick, depth + 1) for _ in range(2)]
        return told_apart([item for item in items if item is not None]) or None
    if "object" in shape.kinds or shape.free_map:
        return (
            {"Some.key": "text", "Other": "12"} if shape.free_map else copy.deepcopy(pick.choice(DOCUMENTS))
        )
    return scalar(shape.kinds, pick)


def scalar(kinds: tuple[str, ...], pick: random.Random) -> Any:
    if "boolean" in kinds:
        return pick.choice((True, False))
    return pick.choice((0, 5, 443, -1)) if {"integer", "number"} & set(kinds) else pick.choice(TEXTS)


def told_apart(items: list[Any]) -> list[Any]:
    """Elements that do not share an identity, as AWS would have them."""
    for number, item in enumerate(items):
        for name in IDENTITIES if isinstance(item, dict) else ():
            if name in item:
                item[name] = number if isinstance(item[name], int) else f"{name.lower()}{number}"
    return items


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path


def edited(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 7
    if value.isdigit():
        return str(int(value) + 7)
    return "false" if value == "true" else f"{value}-edited-by-hand"


def with_edit(bag: Any, path: tuple[Any, ...]) -> Any:
    live = copy.deepcopy(bag)
    node = live
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = edited(node[path[-1]])
    return live


@pytest.mark.parametrize("service", SERVICES)
def test_an_edit_of_a_declared_value_is_reported(service: str) -> None:
    pick = random.Random(service)  # noqa: S311
    hidden: list[str] = []
    for name in sorted(known_types()):
        schema = schema_of(name)
        if not name.startswith(f"AWS::{service}::") or schema is None:
            continue
        bag = sample(schema.root, pick) or {}
        record = Record(logical_id="R", resource_type=name, physical_id="r", properties=bag)
        context = Context(region="eu-west-1", account_id="111122223333", siblings={"R": record})
        places = list(leaves(bag))
        for path in pick.sample(places, min(8, len(places))):
            found = compare(record, bag, with_edit(bag, path), context)
            if path[0] not in {change.path[0] for change in found.changes}:
                hidden.append(f"{name}: {path}")
    assert hidden == []
