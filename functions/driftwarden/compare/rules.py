"""Everything known about how one resource type compares: registry schema and declared facts, by place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from driftwarden.compare import names
from driftwarden.model import Path
from driftwarden.resources.comparing import Rule, TypeFacts
from driftwarden.resources.registry import facts_of
from driftwarden.schema import SchemaPath, Shape, TypeSchema, schema_of

ANY: Final = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeRules:
    """The rules of one type, with paths as tuples."""

    root: Shape
    kinds: Mapping[SchemaPath, Rule]
    defaults: Mapping[SchemaPath, Any]
    never_read_back: frozenset[SchemaPath]
    read_only: frozenset[SchemaPath]
    create_only: frozenset[SchemaPath]
    alternates: Mapping[str, str]
    service_written: frozenset[SchemaPath]
    users_own: frozenset[SchemaPath]
    stores: Mapping[SchemaPath, Callable[[Mapping[str, Any]], Any]]
    substitutions: Mapping[str, str]
    transforms: Mapping[SchemaPath, tuple[str, ...]]
    tag_property: str | None
    lower_cases: bool


def _tuples(paths: Iterable[str]) -> frozenset[SchemaPath]:
    return frozenset(tuple(path.split(".")) for path in paths)


@cache
def rules_of(type_name: str) -> TypeRules:
    """The rules of a type; empty ones for a type that nobody has described."""
    schema = schema_of(type_name) or TypeSchema(name=type_name, root=Shape())
    facts = facts_of(type_name) or TypeFacts()
    return TypeRules(
        root=schema.root,
        kinds={tuple(path.split(".")): rule for path, rule in facts.kinds.items()},
        defaults={tuple(path.split(".")): value for path, value in facts.defaults.items()},
        never_read_back=_tuples(facts.never_read_back) | frozenset(schema.write_only),
        read_only=frozenset(schema.read_only),
        create_only=frozenset(schema.create_only),
        alternates=facts.alternates,
        service_written=_tuples(facts.service_written),
        users_own=_tuples(facts.users_own),
        stores={tuple(path.split(".")): form for path, form in facts.stores.items()},
        substitutions=facts.substitutions,
        transforms=schema.transforms,
        tag_property=schema.tag_property,
        lower_cases=type_name.split("::")[1:2] in names.LOWER_CASING_SERVICES,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A position inside a resource: its real path, its path in the schema, and what the schema says there.

    `free` is true inside maps and documents whose content belongs to the user: a text there is only equal
    to itself. `literal` is true in documents that AWS keeps as they were written: a number there is not its
    text either.
    """

    rules: TypeRules
    path: Path = ()
    pattern: SchemaPath = ()
    shape: Shape = field(default_factory=Shape)
    free: bool = False
    literal: bool = False

    def member(self, name: str) -> Place:
        """The place of a map's value or an object's property."""
        named = name in self.shape.properties
        free_map = self.shape.free_map and not named
        inner = replace(
            self,
            path=(*self.path, name),
            pattern=(*self.pattern, ANY if free_map else name),
            shape=self.shape.member(name),
            free=self.free or not named,
        )
        return replace(inner, literal=True) if inner.document and names.DOCUMENT.search(name) else inner

    def spelled(self, name: str) -> str:
        """The schema's spelling of a member name that differs from it in case only."""
        known = self.shape.properties
        if name in known:
            return name
        return next((other for other in known if other.lower() == name.lower()), name)

    @property
    def element(self) -> Place:
        """The place of any element of this list; its path stays the list's, where changes are reported."""
        return replace(self, pattern=(*self.pattern, ANY), shape=self.shape.element)

    @property
    def document(self) -> bool:
        """A JSON document: the schema takes it as an object or as a text."""
        kinds = set(self.shape.kinds)
        either = {"object", "string"} <= kinds <= {"object", "string", "array"}
        return self.shape.format == "json" or (either and not self.shape.properties)

    @property
    def name(self) -> str:
        """The innermost property name on the way here."""
        return next((str(step) for step in reversed(self.pattern) if step != ANY), "")

    @property
    def list_name(self) -> str:
        """The name that a list goes by; CloudFront writes `AllowedMethods.Items`."""
        return self.pattern[-2] if self.name == "Items" and len(self.pattern) > 1 else self.name

    @property
    def rule(self) -> Rule | None:
        return self.rules.kinds.get(self.pattern)

    @property
    def is_list(self) -> bool:
        """Not an element of a list of lists, whose own order the list's rule does not speak of."""
        return self.pattern[-1:] != (ANY,)

    @property
    def create_only(self) -> bool:
        """Itself or something around it cannot be changed once the resource exists."""
        fixed = self.rules.create_only
        return any(self.pattern[:length] in fixed for length in range(1, len(self.pattern) + 1))

    @property
    def caseless(self) -> bool:
        """No edit can lie in the case of a text here: fixed words, windows, names that cannot be changed."""
        return (
            self.shape.caseless
            or self.create_only
            or self.name in names.DNS_NAMES
            or names.ENUMERATED.search(self.name) is not None
            or self.pattern[-2:] in names.HEADER_NAMES
            or self._lower_cased
            or names.WINDOW.search(self.name) is not None
        )

    @property
    def _lower_cased(self) -> bool:
        """A name that a database service keeps in small letters, on the resource itself or where another
        refers to it.
        """
        return self.rules.lower_cases and names.DATABASE_NAME.search(self.name) is not None

    @property
    def read_only(self) -> bool:
        return self.pattern in self.rules.read_only

    @property
    def never_read_back(self) -> bool:
        """Itself or something around it is an input that no read returns."""
        hidden = self.rules.never_read_back
        return names.CREDENTIAL.search(self.name) is not None or any(
            self.pattern[:length] in hidden for length in range(1, len(self.pattern) + 1)
        )

    def holds_by_default(self, value: Any) -> bool:
        """Whether AWS holds this value here when nobody declares one."""
        if self.pattern in self.rules.defaults and self.rules.defaults[self.pattern] == value:
            return True
        return not self.free and self.shape.has_default() and bool(self.shape.default == value)


def root(type_name: str) -> Place:
    """The place of a whole resource."""
    rules = rules_of(type_name)
    return Place(rules=rules, shape=rules.root)
