"""What a report may show of a resource's changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from driftwarden.model import ABSENT, UNKNOWN, Change, Path, Record, SecretText
from driftwarden.secrets.bind import Bound
from driftwarden.secrets.credentials import in_secret_pair, veil_credentials
from driftwarden.secrets.references import MASK
from driftwarden.secrets.shape import Shape, at, located, veiled


def conceal(changes: Iterable[Change], bound: Bound, record: Record) -> tuple[Change, ...]:
    """The changes as any output may show them.

    At a secret place our side is the recorded reference and AWS's side `***`; at a recorded mask both are
    `***`. Credentials known by their place or name become `*** (#1f3a)`, equal digits for equal values.
    Known secrets inside any other text become `***`. Paths count as text. Our side never comes from what
    the comparison made of the baseline wherever the record itself can be asked.
    """
    return tuple(_concealed(change, bound, record) for change in changes)


def _concealed(change: Change, bound: Bound, record: Record) -> Change:
    shape = located(bound.shape, change.path)
    state = _ours(change, bound, shape)
    aws = veiled(change.aws, shape)
    return Change(
        path=tuple(_shown_part(part, bound) for part in change.path),
        state=_screened(state, change.path, bound, record),
        aws=_screened(aws, change.path, bound, record),
    )


def _ours(change: Change, bound: Bound, shape: Shape | None) -> Any:
    if bound.shape is None or change.state is ABSENT:
        return change.state
    if at(bound.values, change.path) == change.state:
        return at(bound.shown, change.path)
    return veiled(_recorded(change.state, bound), shape, frozenset(bound.originals.values()))


def _recorded(value: Any, bound: Bound) -> Any:
    """A value as the comparison made it, with recorded texts in place of resolved ones."""
    if isinstance(value, SecretText):
        return bound.originals.get(value, MASK)
    if value is UNKNOWN:
        return MASK
    if isinstance(value, Mapping):
        return {key: _recorded(item, bound) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_recorded(item, bound) for item in value]
    return value


def _screened(value: Any, path: Path, bound: Bound, record: Record) -> Any:
    if value is ABSENT:
        return value

    def mark(credential: Any) -> str:
        return f"{MASK} (#{bound.redactor.fingerprint(credential)})"

    pair_of = at(bound.shown, path[:-1]) if path else ABSENT
    siblings = at(bound.shown, path[:-2]) if len(path) > 1 else ABSENT
    if in_secret_pair(path, pair_of, siblings):
        value = veil_credentials(value, ("Password",), "", mark)
    value = veil_credentials(value, path, record.resource_type, mark)
    return bound.redactor.redact(_with_recorded_keys(value, bound.keys))


def _with_recorded_keys(value: Any, keys: Mapping[str, str]) -> Any:
    if not keys:
        return value
    if isinstance(value, Mapping):
        return {keys.get(key, key): _with_recorded_keys(item, keys) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_recorded_keys(item, keys) for item in value]
    return value


def _shown_part(part: str | int, bound: Bound) -> str | int:
    return bound.redactor.redact_text(bound.keys.get(part, part)) if isinstance(part, str) else part
