"""Values at places of which the baseline says nothing at all, where they can only be somebody's doing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.compare.canonical.document import parsed
from driftwarden.compare.canonical.policy import is_policy
from driftwarden.compare.canonical.tags import tags
from driftwarden.compare.rules import Place
from driftwarden.model import ABSENT, Change

if TYPE_CHECKING:
    from driftwarden.compare.differ import Differ


def arrivals(differ: Differ, live: Mapping[str, Any]) -> Iterator[Change]:
    """What appeared beside the baseline.

    A property that the capture did not name though the template declares it is held against the template.
    An undeclared one counts where AWS puts nothing by itself (`users_own`, tags, resource policies since
    the capture), or where it is not what AWS documents for a property that nobody declares.
    """
    for key, aws in live.items():
        if key in differ.baseline or is_hollow(aws):
            continue
        place = differ.root.member(key)
        if key in differ.record.properties:
            declared = differ.record.properties[key]
            if not (_is_secret(declared) or differ.covers(place, declared, aws)):
                yield Change(path=(key,), state=declared, aws=aws)
        elif _is_somebodys(differ, place, aws):
            yield from differ.appeared(key, ABSENT, aws)
    if not differ.observed:
        yield from _map_entries(differ, live)


def is_hollow(value: Any) -> bool:
    """Nothing, or containers of nothing."""
    if isinstance(value, Mapping):
        return all(map(is_hollow, value.values()))
    if isinstance(value, list):
        return all(map(is_hollow, value))
    return value is None or value == ""


def _is_secret(declared: Any) -> bool:
    """Whether a dynamic reference or a mask stands in it: the template tells nothing about the live value
    then.
    """
    if isinstance(declared, Mapping):
        return any(map(_is_secret, declared.values()))
    if isinstance(declared, list):
        return any(map(_is_secret, declared))
    return isinstance(declared, str) and ("{{resolve:" in declared or declared == "***")


def _is_somebodys(differ: Differ, place: Place, aws: Any) -> bool:
    if (differ.values.is_tags(place) and tags(aws)) or place.pattern in place.rules.users_own:
        return True
    default = place.rules.defaults.get(place.pattern, ABSENT)
    if default is not ABSENT:
        return not differ.same(place, default, aws)
    return differ.observed and is_policy(parsed(aws))


def _map_entries(differ: Differ, live: Mapping[str, Any]) -> Iterator[Change]:
    """Undeclared entries of maps that AWS never adds to."""
    for pattern in differ.root.rules.users_own:
        place, ours, theirs = differ.root, differ.baseline, live
        for step in pattern:
            place, ours, theirs = place.member(step), _entry(ours, step), _entry(theirs, step)
        for key, aws in theirs.items() if ours and place.shape.free_map else ():
            if key not in ours:
                yield Change(path=(*place.path, key), aws=aws)


def _entry(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}
