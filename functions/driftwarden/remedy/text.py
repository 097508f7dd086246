"""Plans and results of remedies as lines for people. No markup: every name and value is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from driftwarden.model import Cause, Finding, Outcome, StackRef, StackReport
from driftwarden.plain_text import escape_controls
from driftwarden.remedy.accept import AcceptPlan
from driftwarden.remedy.revert import Fate, Result
from driftwarden.remedy.steps import Kind, Plan, Refusal, Step
from driftwarden.report.paths import dotted
from driftwarden.report.text import Line, change_lines

REPLACE: Final = "Deploy the stack with `cdkd deploy --replace`, or destroy it and deploy it again."

_GLYPHS: Final = {Kind.UPDATE_NOT_SUPPORTED: "⊘", Kind.LEFT_ALONE: "="}
_COUNTED: Final = {
    Fate.REVERTED: "reverted",
    Fate.UPDATE_NOT_SUPPORTED: "update-not-supported",
    Fate.NOT_CONVERGED: "failed",
    Fate.FAILED: "failed",
    Fate.CHANGED: "changed since planned",
    Fate.UNRESOLVABLE: "unresolvable",
}
_COUNTED_REFUSALS: Final = {
    Kind.UPDATE_NOT_SUPPORTED: "update-not-supported",
    Kind.UNRESOLVABLE: "unresolvable",
    Kind.REFUSED: "refused",
    Kind.DELETED: "deleted",
    Kind.LEFT_ALONE: "left alone",
}


def revert_plan_lines(plan: Plan) -> Iterator[Line]:
    """What a revert would do, before anybody is asked."""
    yield Line(f"{stack(plan.ref)}: --revert plan (AWS <- state), {_resources(len(plan.steps))}", "title")
    for step in plan.steps:
        yield from _step(step)
    for refusal in plan.refusals:
        if refusal.kind is not Kind.NOT_COMPARED:
            yield from _refusal(plan.ref, refusal)


def accept_plan_lines(plan: AcceptPlan) -> Iterator[Line]:
    """What an accept would do, before anybody is asked."""
    drifted = [one for one in plan.acceptances if one.edits]
    yield Line(f"{stack(plan.ref)}: --accept plan (state <- AWS), {_resources(len(drifted))}", "title")
    for one in plan.acceptances:
        yield Line(f"  ~ {_name(one.logical_id, one.resource_type)}", "bad")
        for edit in one.edits:
            yield from change_lines(edit.shown.path, edit.shown.state, edit.shown.aws)
        for change, reason in one.refused:
            yield Line(f"      ! {_safe(dotted(change.path))}: NOT accepted — {_safe(reason)}", "warn")
    for finding in plan.deleted:
        yield Line(
            f"  - {_name(finding.logical_id, finding.resource_type)}: deleted in AWS; its record is kept. "
            "Deploy the stack to create it again",
            "bad",
        )


def result_lines(ref: StackRef, result: Result) -> Iterator[Line]:
    """What became of one resource."""
    name = f"{_safe(ref.name)}/{_name(result.logical_id, result.resource_type)}"
    reason = f" — {_safe(result.reason)}" if result.reason else ""
    match result.fate:
        case Fate.REVERTED:
            yield Line(f"  ✓ {name}: reverted{reason}", "good")
        case Fate.UPDATE_NOT_SUPPORTED:
            yield Line(f"  ⊘ {name}: could not revert{reason}. {REPLACE}", "warn")
        case Fate.NOT_CONVERGED:
            yield Line(f"  ✗ {name}: did not converge — AWS took the update, and these still differ:", "bad")
        case Fate.CHANGED:
            yield Line(f"  ✗ {name}: left alone{reason}", "bad")
        case _:
            yield Line(f"  ✗ {name}: could not revert{reason}", "bad")
    for change in result.remaining:
        yield from change_lines(change.path, change.state, change.aws)


def summary_line(results: Iterable[Result], refusals: Iterable[Refusal]) -> Line:
    """`Revert summary: 2 reverted, 1 update-not-supported`."""
    counts = Counter(_COUNTED[result.fate] for result in results)
    counts.update(_COUNTED_REFUSALS[r.kind] for r in refusals if r.kind in _COUNTED_REFUSALS)
    counts.setdefault("reverted", 0)
    order = dict.fromkeys([*_COUNTED.values(), *_COUNTED_REFUSALS.values()])
    text = ", ".join(f"{counts[word]} {word}" for word in order if word in counts)
    return Line(f"Revert summary: {text}", "good" if set(counts) <= {"reverted", "left alone"} else "warn")


def nothing_lines(report: StackReport, verb: str) -> Iterator[Line]:
    """What to say of a stack without drift: whether that is certain. `verb`: accept or revert."""
    uncertain = [f for f in report.findings if f.cause is not None]
    by_design = [f for f in report.findings if f.outcome in (Outcome.SKIPPED, Outcome.NOT_SUPPORTED)]
    if not uncertain and not by_design:
        yield Line(f"{stack(report.ref)}: No drift detected — nothing to {verb}.", "good")
        return
    claim = f"Comparison INCOMPLETE — nothing to {verb}, and that is NOT a clean bill of health"
    yield Line(f"{stack(report.ref)}: {claim}", "warn")
    yield from uncompared_lines(report)


def uncompared_lines(report: StackReport) -> Iterator[Line]:
    """The resources that a remedy does not touch because they were not, or not wholly, compared."""
    uncertain = [f for f in report.findings if f.cause is not None]
    by_design = [f for f in report.findings if f.outcome in (Outcome.SKIPPED, Outcome.NOT_SUPPORTED)]
    if not uncertain and not by_design:
        return
    count = len(uncertain) + len(by_design)
    yield Line(f"  {count} of {_resources(len(report.findings))} not, or not wholly, compared:", "warn")
    if uncertain:
        yield Line(
            f"    {len(uncertain)} uncertain (a read failed, or a reference was not resolved):", "warn"
        )
    for finding in uncertain:
        yield Line(f"      ! {_finding(finding)}", "warn")
    if by_design:
        yield Line(f"    {len(by_design)} never drift-checked by design:", "dim")
    for finding in by_design:
        yield Line(f"      ? {_name(finding.logical_id, finding.resource_type)}", "dim")
    if any(finding.cause is not Cause.UNRESOLVED_TOKEN for finding in uncertain):
        yield Line(
            "    Run `driftwarden drift` without --accept or --revert: it reports this as exit 2.", "dim"
        )


def stack(ref: StackRef) -> str:
    """`MyStack (eu-west-1)`, safe to print."""
    return f"{_safe(ref.name)} ({_safe(ref.region)})"


def _step(step: Step) -> Iterator[Line]:
    yield Line(f"  ~ {_name(step.logical_id, step.resource_type)}", "bad")
    for change in step.changes:
        yield from change_lines(change.path, change.aws, change.state)
    for key in step.preserved:
        yield Line(f"      = preserves the tag {_safe(key)}, which an AWS service wrote", "dim")
    yield from _left_alone(step.left_alone)
    if step.kept:
        yield Line(
            f"      = keeps as AWS has it, since the record does not tell: {_listed(step.kept)}", "dim"
        )
    for warning in step.warnings:
        yield Line(f"      ! {_safe(warning)}", "warn")


def _refusal(ref: StackRef, refusal: Refusal) -> Iterator[Line]:
    glyph = _GLYPHS.get(refusal.kind, "✗")
    verdict = "left alone" if refusal.kind is Kind.LEFT_ALONE else "could not revert"
    advice = f". {REPLACE}" if refusal.kind is Kind.UPDATE_NOT_SUPPORTED else ""
    name = f"{_safe(ref.name)}/{_name(refusal.logical_id, refusal.resource_type)}"
    yield Line(f"  {glyph} {name}: {verdict} — {_safe(refusal.reason)}{advice}", "warn")
    for change in refusal.changes:
        yield from change_lines(change.path, change.aws, change.state)
    yield from _left_alone(refusal.left_alone)


def _left_alone(paths: tuple[str, ...]) -> Iterator[Line]:
    if paths:
        values = "value" if len(paths) == 1 else "values"
        yield Line(
            "      ! this resource has no observed-capture baseline, so the revert LEAVES "
            f"{len(paths)} AWS-authored {values} untouched: {_listed(paths)}",
            "warn",
        )


def _finding(finding: Finding) -> str:
    reason = f": {_safe(finding.reason)}" if finding.reason else ""
    return f"{_name(finding.logical_id, finding.resource_type)} [{finding.cause}]{reason}"


def _name(logical_id: str, resource_type: str) -> str:
    return f"{_safe(logical_id)} ({_safe(resource_type)})"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(_safe, texts))


def _resources(number: int) -> str:
    return f"{number} resource{'' if number == 1 else 's'}"


def _safe(text: str) -> str:
    return escape_controls(text)
