"""In what words the facts about a type's values are declared. No logic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias


class Kind(Enum):
    """How the value at a path is compared, where the registry schema does not say or says it wrongly."""

    ORDERED = "a list whose order has a meaning, whatever the schema says"
    SET = "a list whose order has no meaning"
    AT_LEAST = "a set that holds more than the template declares: the rest belongs to AWS or to others"
    ATTRIBUTES = "Key/Value entries that always exist: the undeclared ones come and go with the service"
    CASELESS = "a text whose case the service does not keep"
    DNS_NAME = "a DNS name"
    VERSION = "a version of which only the leading parts may be declared"
    PROTOCOL = "an IP protocol by name or number"
    UNITS = "processing power or memory, as a plain number or with its unit"
    URL = "a URL whose scheme the service does not keep"
    CUSTOM_NAME = "an attribute's name, which the service puts its own prefix before"
    SERVICE_ROLE = "a role that the service replaces by the service-linked one"
    FILLED = "a JSON document to which the service adds what the template leaves out"


@dataclass(frozen=True, slots=True)
class Keyed:
    """A list in any order whose elements are told apart by these members."""

    members: tuple[str, ...]


Rule: TypeAlias = "Kind | Keyed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFacts:
    """What is known about one resource type beyond its registry schema. Paths are dotted; `*` is any
    position.

    kinds            how values are compared
    defaults         what the service holds where the template declares nothing
    never_read_back  inputs that no read returns, though the schema does not call them write-only
    alternates       a property that AWS may answer under another one's name
    service_written  what a service rewrites at run time, unless the template declares it
    users_own        what AWS never fills in by itself: something undeclared there is somebody's doing
    stores           what the service makes of a member, given the object around it; instead of the transform
    substitutions    a property with `${name}` in it, and the property that holds what goes in their place
    """

    kinds: Mapping[str, Rule] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    never_read_back: tuple[str, ...] = ()
    alternates: Mapping[str, str] = field(default_factory=dict)
    service_written: tuple[str, ...] = ()
    users_own: tuple[str, ...] = ()
    stores: Mapping[str, Callable[[Mapping[str, Any]], Any]] = field(default_factory=dict)
    substitutions: Mapping[str, str] = field(default_factory=dict)
