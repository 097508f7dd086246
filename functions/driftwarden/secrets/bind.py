"""The baseline of one record, made ready for comparison: references resolved, masked places set aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from driftwarden.model import ABSENT, UNKNOWN, Cause, Path, Properties, Record, SecretText, StackState
from driftwarden.secrets.known import recorded_credentials
from driftwarden.secrets.redact import Redactor
from driftwarden.secrets.references import MASK, TOKEN, mentions_secrets
from driftwarden.secrets.resolve import Answer, Resolver, Unresolved
from driftwarden.secrets.shape import SECRET, Shape, at, list_shape, merged, veiled

_REASONS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The baseline of one record, ready to compare. Drop it once the resource is compared: it holds secrets.

    `values` is the baseline with every token replaced: by `SecretText` for a secret, by its text for a String
    parameter, by UNKNOWN where nobody can tell, and at masked coordinates. A `***` stays, so that the
    comparison reports it. `cause` and `reason` say what was not compared. `masked` are the masked
    coordinates that exist. The rest is for `conceal`: `shown` is the baseline as a report may show it,
    `shape` says where secrets stand, `originals` lead from a resolved text to its recorded one, `keys` do
    so for map keys.
    """

    values: Properties = field(repr=False)
    cause: Cause | None = None
    reason: str = ""
    masked: tuple[Path, ...] = ()
    shown: Properties = field(default_factory=dict, repr=False)
    shape: Shape | None = field(default=None, repr=False)
    originals: Mapping[str, str] = field(default_factory=dict, repr=False)
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    redactor: Redactor = field(default_factory=Redactor, repr=False)


def bind(record: Record, state: StackState, resolver: Resolver) -> Bound:
    """Make the baseline of `record` comparable. Costs microseconds where the record holds no secret.

    Never raises for a reference that cannot be resolved: its place becomes UNKNOWN and `cause` is set.
    """
    redactor = resolver.redactor
    for credential in recorded_credentials(record):
        redactor.add(credential)
    if not mentions_secrets(record):
        return Bound(values=record.baseline, shown=record.baseline, redactor=redactor)
    answers = resolver.resolve_all(record, state)
    redactor.add_references(answers)
    binder = _Binder(answers, frozenset(record.no_echo_leaves))
    place = binder.bind(record.baseline, ())
    shape, shown = place.shape, place.shown
    if record.observed is not None:
        # An older record may have observed in plain text what was sent as a reference.
        shape = merged(_Binder(answers, binder.leaves).bind(record.properties, ()).shape, shape)
        shown = veiled(shown, shape, binder.kept)
    return Bound(
        values=place.value if isinstance(place.value, Mapping) else {},
        cause=_cause(binder.problems),
        reason=_reason(binder.problems),
        masked=tuple(leaf for leaf in dict.fromkeys(record.no_echo_leaves) if _exists(leaf, record)),
        shown=shown,
        shape=shape,
        originals=binder.originals,
        keys=binder.keys,
        redactor=redactor,
    )


@dataclass(frozen=True, slots=True)
class _Place:
    value: Any
    shown: Any
    shape: Shape | None = None


class _Binder:
    """Walks one bag of properties."""

    def __init__(self, answers: Mapping[str, Answer], leaves: frozenset[Path]) -> None:
        self.leaves = leaves
        self.problems: dict[Unresolved, None] = {}
        self.originals: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self._kept: set[str] = set()
        self._answers = answers

    @property
    def kept(self) -> frozenset[str]:
        return frozenset(self._kept)

    def bind(self, raw: Any, path: Path) -> _Place:
        if path in self.leaves:
            return _Place(UNKNOWN, MASK, SECRET)
        if isinstance(raw, str):
            return self._bind_text(raw)
        if isinstance(raw, Mapping):
            return self._bind_map(raw, path)
        if isinstance(raw, list | tuple):
            return self._bind_list(raw, path)
        return _Place(raw, raw)

    def _bind_text(self, raw: str) -> _Place:
        if raw == MASK:
            return _Place(raw, raw, SECRET)
        if "{{resolve:" not in raw or not TOKEN.search(raw):
            return _Place(raw, raw)
        text, secret = self._resolve(raw)
        if text is None:
            self._kept.add(raw)
            return _Place(UNKNOWN, raw, SECRET)
        if not secret:
            return _Place(text, text)
        self._kept.add(raw)
        self.originals[text] = raw
        return _Place(SecretText(text), raw, SECRET)

    def _bind_map(self, raw: Mapping[str, Any], path: Path) -> _Place:
        values: dict[str, Any] = {}
        shown: dict[str, Any] = {}
        fields: dict[str, Shape] = {}
        known = True
        for key, item in raw.items():
            place = self.bind(item, (*path, key))
            name: str | None = key
            if "{{resolve:" in key and TOKEN.search(key):
                name, secret = self._resolve(key)
                if name is not None and secret:
                    self.keys[name] = key
            known = known and name is not None
            values[name or key] = place.value
            shown[name or key] = place.shown
            if place.shape:
                fields[name or key] = place.shape
        if not known:
            # Without the key's name, the live entry would look like one that somebody added.
            return _Place(UNKNOWN, shown, SECRET)
        return _Place(values, shown, Shape(fields=fields) if fields else None)

    def _bind_list(self, raw: list[Any] | tuple[Any, ...], path: Path) -> _Place:
        places = [self.bind(item, (*path, index)) for index, item in enumerate(raw)]
        values, shown = [place.value for place in places], [place.shown for place in places]
        return _Place(values, shown, list_shape([(place.shown, place.shape) for place in places]))

    def _resolve(self, raw: str) -> tuple[str | None, bool]:
        """The text with every token replaced (None: not all can be), and whether a secret is in it."""
        answers = [self._answers[token] for token in TOKEN.findall(raw)]
        unresolved = [answer for answer in answers if isinstance(answer, Unresolved)]
        if unresolved:
            self.problems.update(dict.fromkeys(unresolved))
            return None, True
        parts = iter(answers)
        resolved = TOKEN.sub(lambda _: _text(next(parts)), raw)
        return resolved, any(not isinstance(answer, Unresolved) and answer.secret for answer in answers)


def _text(answer: Answer) -> str:
    return "" if isinstance(answer, Unresolved) else answer.text


def _cause(problems: Mapping[Unresolved, None]) -> Cause | None:
    """A refusal outranks a spelling that nobody resolves: somebody can act on it."""
    causes = {problem.cause for problem in problems}
    return Cause.REFUSED if Cause.REFUSED in causes else next(iter(causes), None)


def _reason(problems: Mapping[Unresolved, None]) -> str:
    reasons = [problem.reason for problem in problems]
    more = len(reasons) - _REASONS
    return "; ".join(reasons[:_REASONS]) + (f"; and {more} more" if more > 0 else "")


def _exists(leaf: Path, record: Record) -> bool:
    return at(record.properties, leaf) is not ABSENT or at(record.baseline, leaf) is not ABSENT
