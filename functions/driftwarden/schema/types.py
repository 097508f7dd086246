"""What the CloudFormation registry says about one resource type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SchemaPath = tuple[str, ...]
"""Property names; `*` stands for any list position or map key."""

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Shape:
    """One node of a type's schema: what stands at a place, and how it may be compared."""

    node: Mapping[str, Any] = field(default_factory=dict)
    definitions: Mapping[str, Any] = field(default_factory=dict)

    def _resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        for _ in range(8):
            name = node.get("ref")
            if name is None:
                break
            local = {key: value for key, value in node.items() if key != "ref"}
            node = {**self.definitions.get(name, _NOTHING), **local}
        return node

    def member(self, name: str) -> Shape:
        """The shape of a named property or of a map's value."""
        named = self.node.get("properties", _NOTHING).get(name)
        found = self.node.get("map", _NOTHING) if named is None else named
        return Shape(self._resolved(found), self.definitions)

    @property
    def element(self) -> Shape:
        """The shape of a list's elements."""
        return Shape(self._resolved(self.node.get("items", _NOTHING)), self.definitions)

    @property
    def known(self) -> bool:
        return bool(self.node)

    @property
    def kinds(self) -> tuple[str, ...]:
        """JSON types allowed here; empty when the schema does not say."""
        kind = self.node.get("type", ())
        return (kind,) if isinstance(kind, str) else tuple(kind)

    @property
    def unordered(self) -> bool:
        """The service keeps no order of these elements (`insertionOrder: false`)."""
        return bool(self.node.get("unordered"))

    @property
    def unique(self) -> bool:
        return bool(self.node.get("unique"))

    @property
    def caseless(self) -> bool:
        """An enumeration without two values that differ only in case."""
        return bool(self.node.get("caseless"))

    @property
    def required(self) -> bool:
        """The resource, or the object around, cannot exist without this property."""
        return bool(self.node.get("required"))

    @property
    def format(self) -> str:
        return str(self.node.get("format", ""))

    @property
    def free_map(self) -> bool:
        """A map whose keys the user chooses."""
        return "map" in self.node

    @property
    def properties(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.node.get("properties", _NOTHING)
        return found

    def has_default(self) -> bool:
        return "default" in self.node

    @property
    def default(self) -> Any:
        return self.node.get("default")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSchema:
    """One resource type of the registry."""

    name: str
    root: Shape
    read_only: tuple[SchemaPath, ...] = ()
    write_only: tuple[SchemaPath, ...] = ()
    create_only: tuple[SchemaPath, ...] = ()
    conditional_create_only: tuple[SchemaPath, ...] = ()
    identifier: tuple[str, ...] = ()
    tag_property: str | None = None
    transforms: Mapping[SchemaPath, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def from_entry(cls, name: str, entry: Mapping[str, Any]) -> TypeSchema:
        """Build from a decoded entry of the data file."""

        def paths(word: str) -> tuple[SchemaPath, ...]:
            return tuple(tuple(path) for path in entry.get(word, ()))

        return cls(
            name=name,
            root=Shape({"properties": entry.get("properties", {})}, entry.get("definitions", {})),
            read_only=paths("readOnly"),
            write_only=paths("writeOnly"),
            create_only=paths("createOnly"),
            conditional_create_only=paths("conditionalCreateOnly"),
            identifier=tuple(entry.get("identifier", ())),
            tag_property=entry.get("tagProperty"),
            transforms={
                tuple(path.split("/")): tuple(expressions)
                for path, expressions in entry.get("transforms", {}).items()
            },
        )
