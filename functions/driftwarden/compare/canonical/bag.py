"""Lists without an order: equality by matching, so that an unknown element can stand for any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Same = Callable[[Any, Any], bool]


def leftovers(state: Sequence[Any], aws: Sequence[Any], same: Same) -> tuple[list[Any], list[Any]]:
    """Pair off as many elements as possible; answer what stays unpaired on either side.

    Elements that are equal as they stand are paired first; the rest by augmenting paths (a maximum bipartite
    matching), so that an element that would do for two is never spent on the wrong one.
    """
    left, right = _drop_equal(list(state), list(aws))
    owner: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for candidate, value in enumerate(right):
            if candidate in tried or not same(left[index], value):
                continue
            tried.add(candidate)
            if candidate not in owner or place(owner[candidate], tried):
                owner[candidate] = index
                return True
        return False

    unpaired = [left[index] for index in range(len(left)) if not place(index, set())]
    return unpaired, [value for index, value in enumerate(right) if index not in owner]


def _drop_equal(left: list[Any], right: list[Any]) -> tuple[list[Any], list[Any]]:
    rest: list[Any] = []
    for value in left:
        try:
            right.remove(value)
        except ValueError:
            rest.append(value)
    return rest, right
