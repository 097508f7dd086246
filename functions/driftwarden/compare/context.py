"""What a comparison needs to know beside the two sides, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from driftwarden.model import Change, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where the compared resource lives: one for all resources of a stack.

    `siblings` are all records of the stack by logical id, the compared one included.
    """

    region: str
    account_id: str | None
    stack: str = ""
    siblings: Mapping[str, Record]
    by_type: Mapping[str, Sequence[Record]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[str, list[Record]] = {}
        for record in self.siblings.values():
            found.setdefault(record.resource_type, []).append(record)
        object.__setattr__(self, "by_type", found)

    def of_type(self, *type_names: str) -> Iterator[Record]:
        """The stack's records of these types."""
        return chain.from_iterable(self.by_type.get(name, ()) for name in type_names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`changes` is drift; `appeared` is what came up where the template declared, and the deploy captured,
    nothing.
    """

    changes: tuple[Change, ...] = ()
    appeared: tuple[Change, ...] = ()
