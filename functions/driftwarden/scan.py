"""The pipeline: state -> read -> compare -> report. Readable top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias, TypeVar

from driftwarden.clients import Clients
from driftwarden.compare import Context
from driftwarden.examine import Examination, Examiner, Undeclared
from driftwarden.ignore import IgnoreRule, apply_rules
from driftwarden.model import Finding, Outcome, Record, StackReport, StackState, UnreadableRow
from driftwarden.read.limits import Limits
from driftwarden.read.pool import Job, run_all
from driftwarden.read.reading import Place
from driftwarden.resources.registry import find
from driftwarden.secrets import LiveResolver, Redactor, Resolver
from driftwarden.skipped import INVISIBLE, is_skipped

T = TypeVar("T")

Progress: TypeAlias = Callable[[int, int], None]
"""Told (finished, all) after each resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSettings:
    """How to judge what a scan finds.

    `undeclared`: what becomes of values that came up where neither template nor capture had any. `ignore`:
    rules that accept differences for a while.
    """

    undeclared: Undeclared = "report"
    ignore: tuple[IgnoreRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StackExamination:
    """One stack's report, and the examinations behind it (none for what was not read)."""

    examiner: Examiner
    examinations: tuple[Examination, ...]
    report: StackReport


def scan(
    states: Sequence[StackState],
    clients: Clients,
    *,
    settings: ScanSettings | None = None,
    progress: Progress | None = None,
    redactor: Redactor | None = None,
) -> list[StackReport]:
    """Compare every recorded resource of `states` with AWS; one report per state, in the same order.

    What cannot be read becomes `notCompared` for that resource alone. `redactor` learns the secrets that the
    scan resolves; no report holds one. Raises ConfigurationError when the credentials do not work at all.
    """
    settings = settings or ScanSettings()
    resolver = LiveResolver(clients, redactor)
    found = _look(_examiners(states, clients, resolver, settings), Examiner.examine, progress)
    return _redacted(_judged(states, found, settings), states, resolver)


def examine_all(
    states: Sequence[StackState],
    clients: Clients,
    *,
    settings: ScanSettings | None = None,
    progress: Progress | None = None,
    redactor: Redactor | None = None,
) -> list[StackExamination]:
    """The same as `scan`, with what every verdict was made of. For remedies: it holds secrets."""
    settings = settings or ScanSettings()
    resolver = LiveResolver(clients, redactor)
    examiners = _examiners(states, clients, resolver, settings)
    found = _look(examiners, Examiner.look_into, progress)
    judged = _judged(states, [[each.finding for each in stack] for stack in found], settings)
    reports = _redacted(judged, states, resolver)
    return [
        StackExamination(examiner=examiner, examinations=_as_judged(stack, verdicts), report=report)
        for examiner, stack, verdicts, report in zip(examiners, found, judged, reports, strict=True)
    ]


def _as_judged(stack: Sequence[Examination], judged: StackReport) -> tuple[Examination, ...]:
    findings = {finding.logical_id: finding for finding in judged.findings}
    return tuple(replace(one, finding=findings[one.record.logical_id]) for one in stack)


def _look(
    examiners: Sequence[Examiner], look: Callable[[Examiner, Record], T], progress: Progress | None
) -> list[list[T]]:
    """What `look` finds for every comparable record, by examiner."""
    jobs: list[Job[T]] = []
    owners: list[int] = []
    for number, examiner in enumerate(examiners):
        for record in _comparable(examiner.state):
            jobs.append(_job(record, examiner, look))
            owners.append(number)
    found = run_all(jobs, done=(lambda n: progress(n, len(jobs))) if progress else None)
    by_examiner: list[list[T]] = [[] for _ in examiners]
    for number, one in zip(owners, found, strict=True):
        by_examiner[number].append(one)
    return by_examiner


def _judged(
    states: Sequence[StackState], found: Sequence[Sequence[Finding]], settings: ScanSettings
) -> list[StackReport]:
    """One report per state, under the ignore rules."""
    reports = [
        _report(state, (*_without_reading(state), *findings))
        for state, findings in zip(states, found, strict=True)
    ]
    return list(apply_rules(reports, settings.ignore, datetime.now(UTC).date()))


def _redacted(
    reports: Iterable[StackReport], states: Iterable[StackState], resolver: LiveResolver
) -> list[StackReport]:
    for state in states:
        resolver.learn(state)
    return [resolver.redactor.redact_report(report) for report in reports]


def _examiners(
    states: Sequence[StackState], clients: Clients, resolver: Resolver, settings: ScanSettings
) -> list[Examiner]:
    limits = Limits()
    return [examiner_of(state, clients, resolver, limits, settings) for state in states]


def examiner_of(
    state: StackState, clients: Clients, resolver: Resolver, limits: Limits, settings: ScanSettings
) -> Examiner:
    """What reads and compares the resources of one stack."""
    region = state.ref.region
    return Examiner(
        state=state,
        place=Place(region=region, clients=clients, limits=limits),
        resolver=resolver,
        context=Context(
            region=region,
            account_id=clients.account_id,
            stack=state.ref.name,
            siblings=state.records,
        ),
        undeclared=settings.undeclared,
    )


def under_rules(finding: Finding, state: StackState, settings: ScanSettings) -> Finding:
    """The verdict on one resource of a stack as a report would hold it."""
    report = StackReport(ref=state.ref, findings=(finding,))
    (judged,) = apply_rules([report], settings.ignore, datetime.now(UTC).date())
    return judged.findings[0]


def _comparable(state: StackState) -> Iterable[Record]:
    return (
        r for r in state.records.values() if r.resource_type != INVISIBLE and not is_skipped(r.resource_type)
    )


def _job(record: Record, examiner: Examiner, look: Callable[[Examiner, Record], T]) -> Job[T]:
    spec = None if record.provisioned_by == "cc-api" else find(record.resource_type)
    return Job(
        service=spec.service if spec else "cloudcontrol",
        region=examiner.place.region,
        calls=len(spec.calls) + len(spec.more) if spec else 1,
        run=partial(look, examiner, record),
    )


def _without_reading(state: StackState) -> Iterable[Finding]:
    """The verdicts that take no read: rows that cannot be understood, and types that nobody compares."""
    yield from map(_unreadable, state.unreadable)
    for record in state.records.values():
        if is_skipped(record.resource_type):
            yield Finding(
                logical_id=record.logical_id, resource_type=record.resource_type, outcome=Outcome.SKIPPED
            )


def _unreadable(row: UnreadableRow) -> Finding:
    return Finding(
        logical_id=row.logical_id,
        resource_type=row.resource_type,
        outcome=Outcome.NOT_COMPARED,
        cause=row.cause,
        reason=row.reason,
    )


def _report(state: StackState, findings: Iterable[Finding]) -> StackReport:
    return StackReport(
        ref=state.ref,
        findings=tuple(sorted(findings, key=lambda f: f.logical_id)),
        origin=state.origin,
        warnings=state.warnings,
    )
