"""What services answer: finding a part of it, and the two ways in which it can say that there is nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from driftwarden.errors import ReadError
from driftwarden.model import ABSENT


class ResourceGone(Exception):
    """AWS says that the resource does not exist."""


class NotAddressable(Exception):
    """The record lacks what the main call needs to name the resource."""


class EmptyAnswer(ReadError):
    """AWS answered without error, and without the resource."""

    def __init__(self, operation: str, lacks: str) -> None:
        super().__init__(
            f"{operation} answered without {lacks}. Run the scan again.",
            operation=operation,
            code="UnexpectedAnswer",
        )


class PhysicalId(str):
    """A physical id whose parts can be asked for by position."""

    __slots__ = ("parts",)
    parts: list[str]

    def __new__(cls, whole: str, parts: list[str]) -> PhysicalId:
        made = super().__new__(cls, whole)
        made.parts = parts
        return made


def dig(value: Any, path: str) -> Any:
    """The value at a dotted path below `value`, or ABSENT. Null counts as absent, as in service models."""
    for segment in path.split(".") if path else ():
        if isinstance(value, PhysicalId):
            value = value.parts
        if isinstance(value, Mapping):
            value = value.get(segment, ABSENT)
        elif isinstance(value, list) and segment.isdigit() and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return ABSENT
    return ABSENT if value is None else value
