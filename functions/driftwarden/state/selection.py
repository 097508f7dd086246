"""Which stacks a command works on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from driftwarden.errors import StateNotFound, UsageError
from driftwarden.model import StackRef
from driftwarden.state.text import shown, stack_name

_MOST_LISTED = 20


def select_stacks(
    stacks: Sequence[StackRef],
    *,
    names: Sequence[str] = (),
    every: bool = False,
    region: str | None = None,
) -> tuple[StackRef, ...]:
    """The named stacks, every stack, or the only one there is; in order of name, then region.

    `region` picks one of a stack's records. Raises UsageError where the request does not say enough,
    StateNotFound where there is nothing of that name.
    """
    if names and every:
        raise UsageError("Stack names and --all exclude each other: give one of them.")
    if not stacks:
        raise StateNotFound(
            "The state bucket holds no stack. Deploy one, or check the bucket and the prefix."
        )
    if every:
        return _in_region(stacks, region)
    wanted = tuple(dict.fromkeys(names)) or (_the_only_name(stacks),)
    return tuple(sorted(_one(stacks, name, region) for name in wanted))


def _in_region(stacks: Sequence[StackRef], region: str | None) -> tuple[StackRef, ...]:
    chosen = tuple(sorted(ref for ref in stacks if region is None or _may_lie_in(ref, region)))
    if not chosen:
        regions = _listing({ref.region for ref in stacks})
        raise StateNotFound(f"No stack has state in {shown(region)}. There is state in: {regions}.")
    return chosen


def _the_only_name(stacks: Sequence[StackRef]) -> str:
    names = {ref.name for ref in stacks}
    if len(names) > 1:
        listing = _listing(map(stack_name, sorted(stacks)))
        raise UsageError(
            f"The state bucket holds several stacks: {listing}. Name the ones to use, or give --all."
        )
    return names.pop()


def _one(stacks: Sequence[StackRef], name: str, region: str | None) -> StackRef:
    records = [ref for ref in stacks if ref.name == name]
    if not records:
        raise StateNotFound(f"There is no state for stack {shown(name)}. {_suggestion(stacks, name)}")
    chosen = [ref for ref in records if region is None or _may_lie_in(ref, region)]
    regions = _listing(ref.region for ref in records)
    if not chosen:
        raise StateNotFound(
            f"Stack {shown(name)} has no state in {shown(region)}. It has state in: {regions}. "
            "Give one of them as --stack-region."
        )
    if len(chosen) > 1:
        raise UsageError(f"Stack {shown(name)} has state in several regions: {regions}. Give --stack-region.")
    return chosen[0]


def _may_lie_in(ref: StackRef, region: str) -> bool:
    """A legacy record that names no region stays selected: loading it says what to do about it."""
    return ref.region in {region, ""}


def _suggestion(stacks: Sequence[StackRef], name: str) -> str:
    by_folded = {ref.name.casefold(): ref.name for ref in stacks}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=3)
    if close:
        return f"Did you mean: {_listing(by_folded[folded] for folded in close)}?"
    return f"There is state for: {_listing({ref.name for ref in stacks})}."


def _listing(values: Iterable[str]) -> str:
    texts = sorted(shown(value) for value in values)
    more = f" and {len(texts) - _MOST_LISTED} more" if len(texts) > _MOST_LISTED else ""
    return ", ".join(texts[:_MOST_LISTED]) + more
