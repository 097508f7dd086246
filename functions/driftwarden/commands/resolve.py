"""Resolving drift: `--accept` takes AWS's values into the state, `--revert` pushes recorded values to AWS."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from driftwarden.commands.session import FAILED, Selection, Session, load_selected
from driftwarden.errors import DriftwardenError, StateUnreadable
from driftwarden.model import Outcome, StackReport, StackState
from driftwarden.remedy import text
from driftwarden.remedy.accept import accept, plan_accept
from driftwarden.remedy.plan import plan_stack
from driftwarden.remedy.revert import CONCURRENCY, Fate, Result, Reverter, unreadable_rows
from driftwarden.remedy.steps import Kind, Plan
from driftwarden.scan import ScanSettings, StackExamination, examine_all

Direction: TypeAlias = Literal["accept", "revert"]

DONE: Final = 0
PARTIAL: Final = 2
"""The run came to its end, and something that drifted was not resolved."""

_HARMLESS: Final = frozenset({Kind.NOT_COMPARED, Kind.LEFT_ALONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What the user wants done. `yes`: without being asked. `concurrency`: updates at the same time."""

    direction: Direction
    dry_run: bool = False
    yes: bool = False
    concurrency: int = CONCURRENCY


def resolve(session: Session, selection: Selection, settings: ScanSettings, wanted: Resolution) -> int:
    """Scan the selected stacks and resolve what drifted, stack by stack; answer the exit status.

    A stack that cannot be worked on fails the run; the others are worked on.
    """
    loaded = load_selected(session, selection)
    states = [one for one in loaded if isinstance(one, StackState)]
    with session.out.progress("reading") as progress:
        examined = examine_all(
            states, session.clients, settings=settings, progress=progress, redactor=session.redactor
        )
    _print_reports(session, loaded, examined)
    statuses = [_resolved(session, one, settings, wanted) for one in examined]
    if len(states) < len(loaded) or FAILED in statuses:
        return FAILED
    return max(statuses, default=DONE)


def _print_reports(
    session: Session, loaded: Sequence[StackState | StackReport], examined: Iterable[StackExamination]
) -> None:
    """Under --json the report of the scan; else only why a stack cannot be used."""
    scanned = iter(examined)
    reports = [next(scanned).report if isinstance(one, StackState) else one for one in loaded]
    if session.out.json:
        session.out.reports(reports)
    for one in loaded:
        if isinstance(one, StackReport):
            session.out.fail(f"{one.ref.name} ({one.ref.region}): {one.findings[0].reason}")


def _resolved(
    session: Session, examined: StackExamination, settings: ScanSettings, wanted: Resolution
) -> int:
    report = examined.report
    if not any(f.outcome in (Outcome.DRIFTED, Outcome.DELETED) for f in report.findings):
        session.out.lines(text.nothing_lines(report, wanted.direction))
        return DONE
    try:
        if examined.examiner.state.unreadable:
            raise StateUnreadable(unreadable_rows(examined.examiner.state))
        if wanted.direction == "accept":
            return _accept(session, examined, wanted)
        return _revert(session, examined, settings, wanted)
    except DriftwardenError as error:
        session.out.fail(str(error))
        return FAILED


def _accept(session: Session, examined: StackExamination, wanted: Resolution) -> int:
    plan = plan_accept(examined)
    session.out.lines(text.accept_plan_lines(plan))
    session.out.lines(text.uncompared_lines(examined.report))
    if not _go_on(
        session, wanted, plan.edits, f"Write {plan.edits} value(s) into the state of {text.stack(plan.ref)}?"
    ):
        return DONE if wanted.dry_run else _accept_status(plan.deleted)
    accept(session.store, plan)
    session.out.say(f"✓ State updated: {text.stack(plan.ref)}, {plan.edits} value(s) taken over")
    return _accept_status(plan.deleted)


def _accept_status(deleted: Sequence[object]) -> int:
    """A deleted resource stays recorded, so its drift is not resolved."""
    return PARTIAL if deleted else DONE


def _revert(session: Session, examined: StackExamination, settings: ScanSettings, wanted: Resolution) -> int:
    plan = plan_stack(examined)
    session.out.lines(text.revert_plan_lines(plan))
    session.out.lines(text.uncompared_lines(examined.report))
    question = f"Push recorded values to {len(plan.steps)} resource(s) of {text.stack(plan.ref)}?"
    results: list[Result] = []
    if _go_on(session, wanted, len(plan.steps), question):
        reverter = Reverter(
            store=session.store,
            clients=session.clients,
            redactor=session.redactor,
            settings=settings,
            concurrency=wanted.concurrency,
        )
        results = reverter.revert(
            plan,
            told=lambda result: session.out.lines(text.result_lines(plan.ref, result)),
            warn=session.out.warn,
        )
    elif wanted.dry_run or plan.steps:
        return DONE
    session.out.lines([text.summary_line(results, plan.refusals)])
    return _revert_status(plan, results)


def _revert_status(plan: Plan, results: Iterable[Result]) -> int:
    undone = any(result.fate is not Fate.REVERTED for result in results)
    refused = any(refusal.kind not in _HARMLESS for refusal in plan.refusals)
    return PARTIAL if undone or refused else DONE


def _go_on(session: Session, wanted: Resolution, number: int, question: str) -> bool:
    """Whether to change anything: there is something to change, it is no dry run, and the user agrees."""
    if wanted.dry_run:
        session.out.say("Dry run — nothing was locked, and nothing was changed.")
        return False
    if not number:
        session.out.say(f"Nothing here can be {wanted.direction}ed.")
        return False
    if wanted.yes or session.out.confirm(question):
        return True
    session.out.say("Cancelled — nothing was changed.")
    return False
