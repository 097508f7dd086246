"""Where secrets stand inside a value, and the masking of whatever stands there in another one.

A live value does not line up with the recorded one: lists change their order, maps become lists, a text
becomes the document it holds. On any doubt the larger part is masked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final

from driftwarden.model import ABSENT, Path
from driftwarden.secrets.references import MASK

_IDENTITIES: Final = (
    "Name", "Key", "Id", "ID", "Sid", "Arn", "OptionName", "ParameterName", "ParameterKey", "HeaderName",
    "name", "key", "id",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The secret places below one place; a secret place is secret all the way down.

    `elements` pairs every recorded list element with its own shape (None: nothing secret in it);
    `harmless` are the elements that may be shown wherever they turn up in the list.
    """

    secret: bool = False
    fields: Mapping[str, Shape] = field(default_factory=dict)
    elements: tuple[tuple[Any, Shape | None], ...] = field(default=(), repr=False)
    harmless: tuple[Any, ...] = field(default=(), repr=False)


SECRET: Final = Shape(secret=True)


def list_shape(elements: list[tuple[Any, Shape | None]]) -> Shape | None:
    """The shape of a list from its elements and their shapes."""
    if not any(shape for _, shape in elements):
        return None
    return Shape(elements=tuple(elements), harmless=tuple(raw for raw, shape in elements if shape is None))


def json_document(text: str) -> Any:
    """The JSON object or list that a text holds, else ABSENT."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            document = json.loads(text)
        except ValueError:
            return ABSENT
        if isinstance(document, dict | list):
            return document
    return ABSENT


def merged(one: Shape | None, other: Shape | None) -> Shape | None:
    """Secret wherever either is."""
    if one is None or other is None:
        return one or other
    names = {**one.fields, **other.fields}
    both = {name: merged(one.fields.get(name), other.fields.get(name)) for name in names}
    return Shape(
        secret=one.secret or other.secret,
        fields={name: shape for name, shape in both.items() if shape},
        elements=one.elements + other.elements,
        harmless=_harmless(one, other),
    )


def located(shape: Shape | None, path: Path) -> Shape | None:
    """The shape at `path`. A comparison's list positions are not the record's: any element may be meant."""
    for part in path:
        if shape is None or shape.secret:
            return shape
        shape = _step(shape, part)
    return shape


def veiled(value: Any, shape: Shape | None, kept: frozenset[str] = frozenset()) -> Any:
    """A copy of `value` with `***` at every secret place, but for texts in `kept` (recorded references)."""
    if shape is None or value is ABSENT:
        return value
    if shape.secret:
        return value if isinstance(value, str) and value in kept else MASK
    if value in (None, "", {}, []):
        return value
    if isinstance(value, Mapping) and shape.fields:
        return {key: veiled(item, shape.fields.get(key), kept) for key, item in value.items()}
    if isinstance(value, list | tuple) and shape.elements:
        return _veiled_list(value, shape, kept)
    return MASK


def at(value: Any, path: Path) -> Any:
    """What stands at `path`, also inside of JSON documents held as text; ABSENT when there is nothing."""
    for part in path:
        if isinstance(value, str):
            value = json_document(value)
        if not _holds(value, part):
            return ABSENT
        value = value[part]
    return value


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, Mapping):
        return part in value
    return isinstance(value, list | tuple) and isinstance(part, int) and 0 <= part < len(value)


def _step(shape: Shape, part: str | int) -> Shape | None:
    if shape.fields:
        # A list position inside of what the record holds as a map: the comparison turned it into a list.
        return shape.fields.get(part) if isinstance(part, str) else SECRET
    if isinstance(part, str):
        named = [s for raw, s in shape.elements if isinstance(raw, Mapping) and part in _names(raw)]
        if named:
            return union(named)
    return union(s for _, s in shape.elements)


def _names(element: Mapping[str, Any]) -> set[Any]:
    return {element[name] for name in _IDENTITIES if isinstance(element.get(name), str)}


def union(shapes: Iterable[Shape | None]) -> Shape | None:
    return reduce(merged, shapes, None)


def _harmless(one: Shape, other: Shape) -> tuple[Any, ...]:
    """What is harmless in both, lest what one list holds as a reference be shown from the other."""
    if not one.elements or not other.elements:
        return one.harmless or other.harmless
    return tuple(item for item in one.harmless if item in other.harmless)


def _veiled_list(values: list[Any] | tuple[Any, ...], shape: Shape, kept: frozenset[str]) -> list[Any]:
    anywhere = union(each for _, each in shape.elements)
    named = by_identity(shape.elements)

    def one(item: Any) -> Any:
        if isinstance(item, Mapping) and named is not None:
            name, shapes = named
            identity = item.get(name)
            if isinstance(identity, str) and identity in shapes:
                return veiled(item, shapes[identity], kept)
        return item if item in shape.harmless else veiled(item, anywhere, kept)

    return [one(item) for item in values]


def by_identity(
    elements: tuple[tuple[Any, Shape | None], ...],
) -> tuple[str, dict[str, Shape | None]] | None:
    """The field that names every element, and the shape by name; None when no field does."""
    for name in _IDENTITIES:
        if all(
            isinstance(raw, Mapping) and isinstance(raw.get(name), str) for raw, _ in elements
        ) and not any(shape and name in shape.fields for _, shape in elements):
            shapes: dict[str, Shape | None] = {}
            for raw, shape in elements:
                shapes[raw[name]] = merged(shapes.get(raw[name]), shape)
            return name, shapes
    return None
