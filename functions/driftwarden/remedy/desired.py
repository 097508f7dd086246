"""What a resource should look like after a revert: live, with the drifted parts of the baseline laid over it.

Wherever the two sides mean the same, the live spelling stays. Pure: no clients, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from driftwarden.compare import Context
from driftwarden.compare.canonical.policy import is_policy
from driftwarden.compare.canonical.tags import SPELLINGS, authored_by_aws, is_tag_property
from driftwarden.compare.differ import Differ
from driftwarden.compare.rules import Place
from driftwarden.compare.siblings import unexplained
from driftwarden.model import ABSENT, UNKNOWN, Path, Properties, Record
from driftwarden.report.paths import dotted
from driftwarden.resources.comparing import Keyed
from driftwarden.secrets import MASK, Bound
from driftwarden.secrets.references import TOKEN

_IDENTITIES: Final = ("Key", "Name", "Id", "IndexName", "Sid", "key", "name", "id", "TagKey")


@dataclass(slots=True, kw_only=True)
class Desired:
    """The wanted bag, whole, and what was decided on the way. It holds resolved secrets.

    `drifted` are the top-level names that have to be written. `preserved` are tag keys that a service wrote,
    `left_alone` values that AWS alone has on a baseline that was not observed, `kept` live values at places
    that nobody can tell. `lost` are masked places where AWS has nothing, `literal` texts that go out with an
    unresolved token in them.
    """

    values: dict[str, Any] = field(default_factory=dict, repr=False)
    drifted: frozenset[str] = frozenset()
    preserved: list[str] = field(default_factory=list)
    left_alone: list[str] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)
    lost: list[Path] = field(default_factory=list)
    literal: list[Path] = field(default_factory=list)


def masks_unknown(value: Any) -> Any:
    """A bound baseline in which a recorded mask is as unknown as a masked coordinate."""
    if value == MASK and isinstance(value, str):
        return UNKNOWN
    if isinstance(value, Mapping):
        return {key: masks_unknown(item) for key, item in value.items()}
    return [masks_unknown(item) for item in value] if isinstance(value, list | tuple) else value


def desired_of(
    record: Record,
    bound: Bound,
    live: Properties,
    context: Context,
    keys: Iterable[str],
    ignored: frozenset[Path] = frozenset(),
) -> Desired:
    """The wanted bag of one resource. `keys` are its drifted top-level names; `ignored` places stay live."""
    overlay = _Overlay(record, bound, context, ignored)
    desired = overlay.desired
    desired.values = dict(live)
    alternates = overlay.differ.root.rules.alternates
    for key in keys:
        raw, state = record.baseline.get(key, ABSENT), bound.values.get(key, ABSENT)
        found = live.get(key, live.get(alternates.get(key, ""), ABSENT))
        value = overlay.lay(overlay.differ.root.member(key), raw, state, found, (key,))
        if value is ABSENT:
            desired.values.pop(key, None)
        else:
            desired.values[key] = value
    desired.drifted = frozenset(
        key for key in keys if desired.values.get(key, ABSENT) != live.get(key, ABSENT)
    )
    return desired


class _Overlay:
    """Lays one baseline over one live bag. `path` is always the baseline's own, `raw` its recorded text."""

    def __init__(self, record: Record, bound: Bound, context: Context, ignored: frozenset[Path]) -> None:
        self.desired = Desired()
        self.differ = Differ.of(record, masks_unknown(bound.values), context)
        self._record = record
        self._context = context
        self._ignored = ignored
        self._masked = frozenset(record.no_echo_leaves)
        self._observed = record.observed is not None

    def lay(self, place: Place, raw: Any, state: Any, aws: Any, path: Path, *, narrow: bool = True) -> Any:
        """The wanted value at a place. `narrow`: on a template alone, keep what only AWS has."""
        if state is UNKNOWN or (isinstance(state, str) and state == MASK):
            return self._unknown(raw, aws, path)
        if place.path in self._ignored:
            return aws
        if aws is not ABSENT and self.differ.same(place, masks_unknown(state), aws):
            return aws
        if isinstance(state, Mapping):
            return self._map(place, raw, state, aws, path, narrow=narrow)
        if isinstance(state, list):
            return self._list(place, raw, state, aws, path)
        return state

    def _unknown(self, raw: Any, aws: Any, path: Path) -> Any:
        masked = path in self._masked or raw == MASK
        if not masked and isinstance(raw, str) and not TOKEN.fullmatch(raw):
            self.desired.literal.append(path)
            return raw
        if aws is not ABSENT:
            self.desired.kept.append(path)
        elif masked:
            self.desired.lost.append(path)
        return aws

    def _map(
        self, place: Place, raw: Any, state: Mapping[str, Any], aws: Any, path: Path, *, narrow: bool
    ) -> dict[str, Any]:
        theirs = aws if isinstance(aws, Mapping) else {}
        written = raw if isinstance(raw, Mapping) else {}
        wanted: dict[str, Any] = {}
        for key, value in state.items():
            name = key if key in theirs else place.spelled(key)
            found = theirs.get(name, ABSENT)
            item = self.lay(
                place.member(name), written.get(key, ABSENT), value, found, (*path, key), narrow=narrow
            )
            if item is not ABSENT:
                wanted[name] = item
        tags = _holds_service_tags(place)
        for name, value in theirs.items():
            if name in wanted or name in state:
                continue
            if tags and authored_by_aws(name):
                self.desired.preserved.append(name)
            elif self._only_live_stays(place, state, narrow=narrow):
                self.desired.left_alone.append(dotted((*place.path, name)))
            elif not self.differ.same(place.member(name), ABSENT, value):
                continue
            wanted[name] = value
        return wanted

    def _only_live_stays(self, place: Place, state: Any, *, narrow: bool) -> bool:
        """On a template alone nobody can tell what AWS wrote; but into documents AWS writes nothing."""
        return narrow and not self._observed and not place.literal and not is_policy(state)

    def _list(self, place: Place, raw: Any, state: list[Any], aws: Any, path: Path) -> list[Any]:
        theirs = aws if isinstance(aws, list) else []
        written = raw if isinstance(raw, list) else []
        wanted = []
        for index, value in enumerate(state):
            partner = self._partner(place, value, index, state, theirs)
            text = written[index] if index < len(written) else ABSENT
            item = self.lay(place.element, text, value, partner, (*path, index), narrow=False)
            if item is not ABSENT:
                wanted.append(item)
        return [*wanted, *self._only_live(place, state, theirs)]

    def _partner(self, place: Place, value: Any, index: int, state: list[Any], theirs: list[Any]) -> Any:
        """The live element that a recorded one stands for, or ABSENT."""
        rule = place.rule
        members = rule.members if isinstance(rule, Keyed) else ()
        for name in (*members, *_IDENTITIES):
            if isinstance(value, Mapping) and isinstance(value.get(name), str):
                return next(
                    (e for e in theirs if isinstance(e, Mapping) and e.get(name) == value[name]), ABSENT
                )
        same = next((e for e in theirs if self.differ.same(place.element, masks_unknown(value), e)), ABSENT)
        if same is not ABSENT or len(state) != len(theirs):
            return same
        return theirs[index]

    def _only_live(self, place: Place, state: list[Any], theirs: list[Any]) -> list[Any]:
        """The live elements beyond the baseline's that have to stay: siblings', services', untold ones."""
        rest = unexplained(self._record, self._context, place, state, theirs, self.differ.covers)
        kept = [item for item in theirs if not any(item is other for other in rest)]
        spelling = _spelling(state, theirs)
        if spelling is None:
            return kept
        known = {item.get(spelling) for item in state}
        tags, untold = _holds_service_tags(place), not self._observed
        for item in rest:
            key = item[spelling]
            if key in known:
                continue
            if tags and authored_by_aws(key):
                self.desired.preserved.append(key)
                kept.append(item)
            elif untold:
                self.desired.left_alone.append(f"{dotted(place.path)}[{key}]")
                kept.append(item)
        return kept


def _holds_service_tags(place: Place) -> bool:
    """A top-level tag list or map; a nested one goes back as it was recorded."""
    return len(place.path) == 1 and is_tag_property(place.name)


def _spelling(state: list[Any], theirs: list[Any]) -> str | None:
    """The member that names the elements of a key-value list; None when it is not one."""
    for key, value in SPELLINGS:
        if theirs and all(isinstance(item, Mapping) and key in item for item in (*state, *theirs)):
            return key if all(value in item for item in theirs) else None
    return None
