"""When two lists mean the same: in order, as sets, by key, or with more in them than was declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from driftwarden.compare import names
from driftwarden.compare.canonical.bag import leftovers
from driftwarden.compare.rules import Place
from driftwarden.model import UNKNOWN
from driftwarden.resources.comparing import Keyed, Kind

EC2_ID = re.compile(r"[a-z]{1,8}-(?:[0-9a-f]{8}|[0-9a-f]{12,17})")
ID_LISTS = frozenset({"AWS::EC2::SecurityGroup.Ids", "AWS::EC2::Subnet.Ids", "AWS::EC2::SecurityGroup.Names"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRules:
    """Compares two lists at one place. `same` compares two elements."""

    place: Place
    observed: bool
    same: Callable[[Place, Any, Any], bool]

    def same_lists(self, state: list[Any], aws: list[Any], declared: Any) -> bool:
        """Nulls inside lists mean nothing. `declared` is what the template holds at this place."""
        left = [item for item in state if item is not None]
        right = [item for item in aws if item is not None]
        rule = self.place.rule
        if rule is Kind.ATTRIBUTES:
            return self._same_attributes(left, right, declared)
        if isinstance(rule, Keyed):
            return self._same_keyed(left, right, rule)
        if rule is Kind.AT_LEAST:
            missing, extra = leftovers(left, right, self._same)
            return not missing and (not extra or not self.observed)
        if self.place.list_name in names.HEADERS:
            return sorted(map(_lower, left), key=repr) == sorted(map(_lower, right), key=repr)
        if rule is Kind.SET or (rule is not Kind.ORDERED and self._is_set(left, right)):
            return len(left) == len(right) and leftovers(left, right, self._same) == ([], [])
        return len(left) == len(right) and all(map(self._same, left, right))

    def _same(self, state: Any, aws: Any) -> bool:
        return self.same(self.place.element, state, aws)

    def _is_set(self, left: list[Any], right: list[Any]) -> bool:
        shape = self.place.shape
        if not self.place.is_list or self.place.list_name in names.SEQUENCES:
            return False
        if not self.place.free and (
            shape.unordered or shape.format in ID_LISTS or self.place.list_name in names.SETS
        ):
            return True
        both = [*left, *right]
        return all(map(_is_ec2_id, both)) or _are_pairs(both) or _are_ranked(left, right)

    def _same_keyed(self, left: list[Any], right: list[Any], rule: Keyed) -> bool:
        if len(left) != len(right):
            return False
        ours, theirs = _by_key(left, rule.members), _by_key(right, rule.members)
        if ours is None or theirs is None:
            return leftovers(left, right, self._same) == ([], [])
        return ours.keys() == theirs.keys() and all(
            self._same(item, theirs[key]) for key, item in ours.items()
        )

    def _same_attributes(self, left: list[Any], right: list[Any], declared: Any) -> bool:
        ours, theirs = _by_key(left, ("Key",)), _by_key(right, ("Key",))
        if ours is None or theirs is None:
            return leftovers(left, right, self._same) == ([], [])
        wanted = (_by_key(declared, ("Key",)) if isinstance(declared, list) else None) or {}
        for key, item in ours.items():
            if key not in theirs:
                if key in wanted:
                    return False
            elif not self._same(item, theirs[key]):
                return False
        return True


def _is_ec2_id(item: Any) -> bool:
    """Lists of EC2 ids (subnets, security groups, volumes) have no order."""
    return item is UNKNOWN or (isinstance(item, str) and EC2_ID.fullmatch(item) is not None)


def _lower(item: Any) -> Any:
    return item.lower() if type(item) is str else item


def _are_pairs(items: list[Any]) -> bool:
    """Whether every element is a name and its value and nothing else."""
    return any(
        all(isinstance(item, Mapping) and pair[0] in item and item.keys() <= set(pair) for item in items)
        for pair in names.PAIRS
    )


def _are_ranked(left: list[Any], right: list[Any]) -> bool:
    """Whether the elements of both sides carry ranks of their own, no two the same."""
    return any(
        (_by_key(left, (rank,)) is not None and _by_key(right, (rank,)) is not None) for rank in names.RANKS
    )


def _by_key(items: list[Any], members: tuple[str, ...]) -> dict[tuple[Any, ...], Any] | None:
    """Elements by identity; None when an element has none or two share one."""
    found: dict[tuple[Any, ...], Any] = {}
    for item in items:
        if not isinstance(item, Mapping):
            return None
        key = tuple(item.get(member) for member in members)
        if key in found or not all(type(part) in (str, int) for part in key[:1]):
            return None
        found[key] = item
    return found
