"""Numbers and booleans written as texts: 5 is "5" and true is "true", but "007" is not 7."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

NUMBERS = frozenset({"number", "integer"})


def as_text(value: Any) -> Any:
    """The text that a number or boolean becomes where only texts are kept; anything else as it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return value


def same_by_type(state: str, aws: str, kinds: tuple[str, ...]) -> bool:
    """Equal as what the schema says: `60.0` and `60` as numbers, `True` and `true` as booleans."""
    if "string" not in kinds and NUMBERS & set(kinds):
        left, right = _number(state), _number(aws)
        return left is not None and left == right
    if kinds == ("boolean",):
        left_flag, right_flag = _flag(state), _flag(aws)
        return left_flag is not None and left_flag == right_flag
    return False


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _flag(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())
