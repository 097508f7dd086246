"""What every command on recorded stacks works with."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from driftwarden.clients import Clients
from driftwarden.console import Output
from driftwarden.errors import StateError
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


def _unusable(ref: StackRef, error: StateError) -> StackReport:
    nothing = Finding(
        logical_id="(state record)",
        resource_type="",
        outcome=Outcome.NOT_COMPARED,
        cause=Cause.UNREADABLE_MAP,
        reason=str(error),
    )
    return StackReport(ref=ref, findings=(nothing,))
