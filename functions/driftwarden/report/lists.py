"""Two lists that differ: what only one of them holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def one_sided(state: Iterable[Any], aws: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """(removed, added): the elements that only the recorded, and only the live list holds, in their order.

    Both are empty where nothing but the order differs.
    """
    state, aws = list(state), list(aws)
    return _without(state, aws), _without(aws, state)


def _without(elements: list[Any], others: list[Any]) -> list[Any]:
    left = list(others)
    only = []
    for element in elements:
        if element in left:
            left.remove(element)
        else:
            only.append(element)
    return only
