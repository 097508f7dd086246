"""The comparison: equality first, and a walk only through what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from driftwarden.compare import siblings
from driftwarden.compare.arrivals import arrivals
from driftwarden.compare.canonical.document import parsed, substituted
from driftwarden.compare.canonical.policy import is_policy
from driftwarden.compare.canonical.tags import authored_by_aws
from driftwarden.compare.canonical.text import version_covers
from driftwarden.compare.canonical.transform import reproduces
from driftwarden.compare.cloud_control import MANAGED
from driftwarden.compare.context import Comparison, Context
from driftwarden.compare.lists import ListRules
from driftwarden.compare.rules import Place, root
from driftwarden.compare.values import Values, alike, is_empty
from driftwarden.model import ABSENT, UNKNOWN, Change, Record, SecretText


def compare(
    record: Record, baseline: Mapping[str, Any], live: Mapping[str, Any], context: Context
) -> Comparison:
    """Report what differs between the baseline and the live properties of one resource.

    `baseline` is `record.baseline` with dynamic references replaced: by a `SecretText`, or by UNKNOWN. A
    change carries both original values; a list is reported whole at its own path.
    """
    if baseline == live:
        return Comparison()
    changes: list[Change] = []
    appeared: list[Change] = []
    differ: Differ | None = None
    for key, state in baseline.items():
        aws = live.get(key, ABSENT)
        if state == aws:
            continue
        differ = differ or Differ.of(record, baseline, context)
        if aws is ABSENT:
            aws = live.get(differ.root.rules.alternates.get(key, ""), ABSENT)
        if record.observed is not None and key not in record.properties and is_empty(state):
            appeared.extend(differ.appeared(key, state, aws))
        else:
            changes.extend(differ.changes(key, state, aws))
    if not live.keys() <= baseline.keys() or record.observed is None:
        differ = differ or Differ.of(record, baseline, context)
        appeared.extend(arrivals(differ, live))
    return Comparison(changes=tuple(changes), appeared=tuple(appeared))


@dataclass(frozen=True, slots=True, kw_only=True)
class Differ:
    """Walks the two sides of one resource.

    On an observed baseline a nested key that only AWS has is a change; on a template-only baseline only
    what the template declares is judged, since AWS fills in the rest.
    """

    record: Record
    baseline: Mapping[str, Any]
    context: Context
    root: Place
    values: Values
    observed: bool

    @classmethod
    def of(cls, record: Record, baseline: Mapping[str, Any], context: Context) -> Differ:
        observed = record.observed is not None
        return cls(
            record=record,
            baseline=baseline,
            context=context,
            root=root(record.resource_type),
            values=Values(context=context, observed=observed),
            observed=observed,
        )

    def covers(self, place: Place, template: Any, aws: Any) -> bool:
        """Whether a live value is what a template asks for, with whatever AWS filled in."""
        values = replace(self.values, observed=False)
        return replace(self, observed=False, values=values).same(place, template, aws)

    def changes(self, key: str, state: Any, aws: Any) -> tuple[Change, ...]:
        """Drift at one top-level property, less what siblings explain."""
        place = self.root.member(key)
        names = self.record.properties.get(place.rules.substitutions.get(key, ""))
        if isinstance(names, Mapping) and self.same(place, substituted(state, names), aws):
            return ()
        return tuple(self.member(place, self.baseline, state, aws))

    def appeared(self, key: str, state: Any, aws: Any) -> tuple[Change, ...]:
        """What stands where the template declared, and the deploy captured, nothing."""
        place = self.root.member(key)
        rest = self._unexplained(place, state, aws)
        if self.same(place, state, rest) or self.is_nothing(place, rest):
            return ()
        if is_policy(parsed(rest)) and siblings.has_policy_of_its_own(self.record, self.context):
            return ()
        return (Change(path=(key,), state=state, aws=rest),)

    def same(self, place: Place, state: Any, aws: Any) -> bool:
        """Whether nothing differs at and below this place."""
        return next(self.walk(place, state, aws), None) is None

    def walk(self, place: Place, state: Any, aws: Any) -> Iterator[Change]:
        """All differences at and below this place."""
        if state is UNKNOWN or state == aws or self._is_aws_business(place, state):
            return
        if aws is ABSENT or aws is None:
            differs = not (self._absent_is_same(place, state) or self._cannot_be_removed(place, state))
        elif state is ABSENT or state is None:
            differs = (self.observed or state is ABSENT) and not self._addition_is_same(place, aws)
        else:
            if (found := self._inside(place, state, aws)) is not None:
                yield from found
                return
            differs = not (self._is_siblings_doing(place, state, aws) or self._is_as_declared(place, aws))
        if differs:
            yield Change(path=place.path, state=state, aws=aws)

    def _is_siblings_doing(self, place: Place, state: Any, aws: Any) -> bool:
        """A number that scaling moved, or a value that was captured before a sibling set it."""
        if siblings.in_band(self.record, self.context, place.pattern, aws):
            return True
        return state == "" and bool(self._unexplained(place, state, aws) == "")

    def _is_as_declared(self, place: Place, aws: Any) -> bool:
        """A version that AWS raised within the one that the template asks for."""
        declared = self._declared(place)
        return (
            self.observed
            and self.values.is_version(place)
            and isinstance(declared, str)
            and isinstance(aws, str)
            and version_covers(declared, aws)
        )

    def _is_aws_business(self, place: Place, state: Any) -> bool:
        """What AWS alone writes, by the schema or by its name, unless the template declares it too."""
        alone = (
            place.read_only
            or place.path in place.rules.service_written
            or (place.name in MANAGED and not place.free)
        )
        return alone and (self._declared(place) if self.observed else state) is ABSENT

    def _inside(self, place: Place, state: Any, aws: Any) -> Iterator[Change] | None:
        """The differences inside two values that are there; None when they simply differ."""
        if self.values.same(place, state, aws):
            return iter(())
        if isinstance(state, Mapping) and isinstance(aws, Mapping):
            if self.values.is_tags(place):
                return self._tag_maps(place, state, aws)
            documents = self.values.policies(state, aws)
            if documents is not None:
                return self._policies(place, state, aws, documents)
            return self._maps(place, state, aws)
        lists = isinstance(state, list) and isinstance(aws, list)
        return iter(()) if lists and self._same_lists(place, state, aws) else None

    def _same_lists(self, place: Place, state: list[Any], aws: list[Any]) -> bool:
        rules = ListRules(place=place, observed=self.observed, same=self.same)
        declared = self._declared(place)
        if rules.same_lists(state, aws, declared):
            return True
        rest = self._unexplained(place, state, aws)
        return rest is not aws and rules.same_lists(state, rest, declared)

    def _unexplained(self, place: Place, state: Any, aws: Any) -> Any:
        return siblings.unexplained(self.record, self.context, place, state, aws, self.covers)

    def _policies(
        self, place: Place, state: Mapping[str, Any], aws: Mapping[str, Any], canonical: tuple[Any, Any]
    ) -> Iterator[Change]:
        ours, theirs = canonical
        for key in {**ours, **theirs}:
            if not alike(ours.get(key, ABSENT), theirs.get(key, ABSENT)):
                path = (*place.path, key)
                yield Change(path=path, state=state.get(key, ABSENT), aws=aws.get(key, ABSENT))

    def _tag_maps(self, place: Place, state: Mapping[str, Any], aws: Mapping[str, Any]) -> Iterator[Change]:
        for key in {**state, **aws}:
            ours, theirs = state.get(key, ABSENT), aws.get(key, ABSENT)
            if not authored_by_aws(key) and not alike(ours, theirs):
                yield Change(path=(*place.path, key), state=ours, aws=theirs)

    def _maps(self, place: Place, state: Mapping[str, Any], aws: Mapping[str, Any]) -> Iterator[Change]:
        seen = set()
        for key, value in state.items():
            theirs = key if key in aws else place.spelled(key)
            seen.add(theirs)
            yield from self.member(place.member(theirs), state, value, aws.get(theirs, ABSENT))
        if self.observed or place.literal:
            for key, value in aws.items():
                if key not in seen:
                    yield from self.member(place.member(key), state, ABSENT, value)

    def member(self, place: Place, around: Mapping[str, Any], state: Any, aws: Any) -> Iterator[Change]:
        """Differences at a member of an object; `around` is that object on the baseline's side."""
        found = tuple(self.walk(place, state, aws))
        if found and not self._is_stored_so(place, around, aws):
            yield from found

    def _is_stored_so(self, place: Place, around: Mapping[str, Any], aws: Any) -> bool:
        """Whether the live value is what the service is known to make of the declared one."""
        if (form := place.rules.stores.get(place.pattern)) is not None:
            return aws is not ABSENT and bool(form(around) == (aws.strip() if type(aws) is str else aws))
        expressions = place.rules.transforms.get(place.pattern)
        if isinstance(aws, bool) and isinstance(around.get(place.name), bool):
            return False
        return expressions is not None and reproduces(expressions, (self.baseline, around), aws)

    def _declared(self, place: Place) -> Any:
        """What the template declares at a place, for lists of which AWS owns the rest."""
        value: Any = self.record.properties
        for step in place.path:
            value = value.get(step, ABSENT) if isinstance(value, Mapping) else ABSENT
        return value

    def _absent_is_same(self, place: Place, state: Any) -> bool:
        if isinstance(state, SecretText) or self.is_nothing(place, state):
            return True
        if not self.observed and self._cannot_be_gone(place, state):
            return True
        if isinstance(state, Mapping) and not place.shape.free_map and not place.free:
            return self._only_defaults(place, state)
        return False

    def _cannot_be_gone(self, place: Place, state: Any) -> bool:
        """What AWS leaves out of a read-back although it is there: inputs, fixed values, switches that are
        off.
        """
        if place.never_read_back or place.create_only:
            return True
        if isinstance(state, Mapping | list) or place.free:
            return False
        off = state is False or (place.shape.kinds == ("boolean",) and str(state).lower() == "false")
        return off and not place.shape.default

    def _cannot_be_removed(self, place: Place, state: Any) -> bool:
        """A single value without which the object around, which is there, cannot be: no read returns it."""
        alone = not isinstance(state, Mapping | list)
        return alone and not self.observed and not place.free and place.shape.required

    def _only_defaults(self, place: Place, state: Mapping[str, Any]) -> bool:
        """A block of nothing but documented defaults and unreadable inputs is as good as no block."""
        for key, value in state.items():
            inner = place.member(key)
            if isinstance(value, SecretText) or value is UNKNOWN:
                return False
            switched_off = value is False and key.endswith("Enabled")
            if not switched_off and not self._absent_is_same(inner, value):
                return False
        return True

    def _addition_is_same(self, place: Place, aws: Any) -> bool:
        return self.is_nothing(place, aws) or self._unexplained(place, [], aws) == []

    def is_nothing(self, place: Place, value: Any) -> bool:
        """A value that is as good as none: empty, what AWS holds by default, or only tags of its own."""
        if is_empty(value) or place.holds_by_default(value):
            return True
        return (value == "" and not place.free) or self.values.no_tags(place, value)
