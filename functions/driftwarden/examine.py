"""The verdict on one resource: read it, resolve its baseline, compare, conceal what no report may show."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from driftwarden.compare import Comparison, Context, compare
from driftwarden.model import (
    Cause,
    Finding,
    Gone,
    Live,
    Outcome,
    Properties,
    Record,
    StackState,
    Unreadable,
    Unsupported,
)
from driftwarden.read.api import read_into, reading_of
from driftwarden.read.reading import Place, Reading
from driftwarden.secrets import Bound, Resolver, bind, conceal, learn_live

log = logging.getLogger(__name__)

Undeclared: TypeAlias = Literal["report", "drift", "ignore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """A verdict with what it was made of, secrets included: for deciding on a remedy, in memory only.

    Where nothing was compared there is no `bound` and no `live`. `reading` holds AWS's answers.
    """

    record: Record
    finding: Finding
    bound: Bound | None = field(default=None, repr=False)
    live: Properties | None = field(default=None, repr=False)
    reading: Reading | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examiner:
    """Reads and compares the resources of one stack. Safe to share between threads.

    `undeclared`: what becomes of values that came up where neither template nor capture had any.
    """

    state: StackState
    place: Place
    resolver: Resolver
    context: Context
    undeclared: Undeclared

    def examine(self, record: Record) -> Finding:
        """The verdict on one resource. A fault in reading or comparing it stays with it."""
        return self.look_into(record).finding

    def look_into(self, record: Record) -> Examination:
        """The same, with everything that the verdict was made of."""
        try:
            examination = self._examine(record)
        except Exception as error:
            kind = type(error).__name__
            finding = _not_compared(
                record,
                Cause.READ_FAILED,
                f"the comparison failed ({kind}); run the scan again, and report it if it stays",
            )
            examination = Examination(record=record, finding=finding)
        outcome = examination.finding.outcome
        log.debug("%s/%s (%s): %s", self.state.ref.name, record.logical_id, record.resource_type, outcome)
        return examination

    def _examine(self, record: Record) -> Examination:
        if record.baseline_refused:
            why = "an import refused to capture a baseline; deploy the stack to record one"
            return _nothing_compared(_not_compared(record, Cause.BASELINE_REFUSED, why), record)
        reading = reading_of(record, self.place, self.state.records)
        match read_into(reading):
            case Live(properties):
                return self._verdict(record, properties, reading)
            case Gone():
                return _nothing_compared(_plain(record, Outcome.DELETED), record)
            case Unsupported(reason):
                return _nothing_compared(_plain(record, Outcome.NOT_SUPPORTED, reason), record)
            case Unreadable(reason=reason):
                return _nothing_compared(_not_compared(record, Cause.READ_FAILED, reason), record)

    def _verdict(self, record: Record, live: Properties, reading: Reading) -> Examination:
        bound = bind(record, self.state, self.resolver)
        learn_live(live, record, bound)
        comparison = self.compare(record, bound.values, live)
        changes = conceal(comparison.changes, bound, record)
        incomplete = bound.cause is not None
        quiet = Outcome.NOT_COMPARED if incomplete else Outcome.CLEAN
        finding = Finding(
            logical_id=record.logical_id,
            resource_type=record.resource_type,
            outcome=Outcome.DRIFTED if changes else quiet,
            changes=changes,
            cause=bound.cause,
            reason=bound.reason,
            references_unresolved=incomplete,
            masked=bound.masked,
            appeared=conceal(comparison.appeared, bound, record),
        )
        return Examination(record=record, finding=finding, bound=bound, live=live, reading=reading)

    def compare(self, record: Record, baseline: Properties, live: Properties) -> Comparison:
        """What differs, with undeclared values where this scan wants them."""
        found = compare(record, baseline, live, self.context)
        if self.undeclared == "drift":
            return Comparison(changes=(*found.changes, *found.appeared))
        return found if self.undeclared == "report" else Comparison(changes=found.changes)


def _nothing_compared(finding: Finding, record: Record) -> Examination:
    return Examination(record=record, finding=finding)


def _plain(record: Record, outcome: Outcome, reason: str = "") -> Finding:
    return Finding(
        logical_id=record.logical_id, resource_type=record.resource_type, outcome=outcome, reason=reason
    )


def _not_compared(record: Record, cause: Cause, reason: str) -> Finding:
    return Finding(
        logical_id=record.logical_id,
        resource_type=record.resource_type,
        outcome=Outcome.NOT_COMPARED,
        cause=cause,
        reason=reason,
    )
