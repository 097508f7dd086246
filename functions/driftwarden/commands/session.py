"""What every command on recorded stacks works with."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from driftwarden.clients import Clients
from driftwarden.console import Output
from driftwarden.errors import ConfigurationError, StateBucketError, StateError
from driftwarden.ignore import IgnoreRule, parse_rules
from driftwarden.model import Cause, Finding, Outcome, StackRef, StackReport, StackState
from driftwarden.secrets import Redactor
from driftwarden.state.store import StateStore

FAILED: Final = 1
"""Drift and a crash share an exit status, as in the deploy tool."""

_LOADS_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The state, the clients, and where output goes."""

    store: StateStore
    clients: Clients
    redactor: Redactor
    out: Output


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which stacks the user means; with neither names nor `every`, the only one there is."""

    names: Sequence[str]
    every: bool = False
    region: str | None = None


def load_selected(session: Session, selection: Selection) -> list[StackState | StackReport]:
    """The state of every selected stack, or a report that says why it cannot be used.

    Where only one stack is selected, its StateError is raised instead.
    """
    refs = session.store.select(selection.names, every=selection.every, stack_region=selection.region)
    for warning in session.store.warnings:
        session.out.warn(warning)

    def load(ref: StackRef) -> StackState | StackReport:
        try:
            return session.store.load(ref)
        except StateError as error:
            if len(refs) == 1:
                raise
            return _unusable(ref, error)

    with ThreadPoolExecutor(_LOADS_AT_ONCE) as pool:
        return list(pool.map(load, refs))


def ignore_rules(session: Session, file: Path | None) -> tuple[IgnoreRule, ...]:
    """The ignore rules of `file`, else those in the state bucket.

    Rules in the bucket that the caller may not read are a warning: what they would hide is reported. Raises
    ConfigurationError for a bad rule, StateError where there is no bucket to look in.
    """
    if file is not None:
        try:
            return parse_rules(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{file} cannot be read as text ({type(error).__name__}).") from error
    _ = session.store.bucket  # Where there is none, that is the error, and no matter of rules.
    try:
        return session.store.ignore_rules()
    except StateBucketError as error:
        session.out.warn(f"no ignore rule is applied: {error}")
        return ()


def _unusable(ref: StackRef, error: StateError) -> StackReport:
    nothing = Finding(
        logical_id="(state record)",
        resource_type="",
        outcome=Outcome.NOT_COMPARED,
        cause=Cause.UNREADABLE_MAP,
        reason=str(error),
    )
    return StackReport(ref=ref, findings=(nothing,))
