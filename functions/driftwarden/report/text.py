"""The human report of one stack, as lines of styled text; the caller decides about colours.

Nothing here is markup: every name and value is escaped text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from driftwarden.model import ABSENT, Cause, Finding, Outcome, Path, StackReport
from driftwarden.plain_text import escape_controls
from driftwarden.report.json import dumps
from driftwarden.report.lists import one_sided
from driftwarden.report.paths import dotted

LONGEST_VALUE: Final = 400
"""Characters of one value; the JSON report has the whole of it."""

Style: TypeAlias = Literal["", "good", "bad", "warn", "added", "removed", "dim", "title"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report and what it is."""

    text: str
    style: Style = ""


def report_lines(report: StackReport) -> Iterator[Line]:
    """The whole report of one stack: findings first, then what was not compared, then the summary line.

    A stack of which there is nothing to tell has the summary line alone.
    """
    told = [*_findings(report), *(Line(f"  ! {_safe(warning)}", "warn") for warning in report.warnings)]
    if told:
        yield Line(_stack(report), "title")
        yield from told
    yield _summary(report)


def _findings(report: StackReport) -> Iterator[Line]:
    yield from _drifted(report)
    yield from _deleted(report)
    yield from _appeared(report)
    yield from _ignored(report)
    yield from _masked(report)
    yield from _incomplete(report)
    yield from _unsupported(report)


def _of(report: StackReport, outcome: Outcome) -> list[Finding]:
    return [f for f in report.findings if f.outcome is outcome]


def _name(finding: Finding) -> str:
    kind = f" ({_safe(finding.resource_type)})" if finding.resource_type else ""
    return _safe(finding.logical_id) + kind


def _drifted(report: StackReport) -> Iterator[Line]:
    for finding in _of(report, Outcome.DRIFTED):
        yield Line(f"  ~ {_name(finding)}", "bad")
        for change in finding.changes:
            yield from change_lines(change.path, change.state, change.aws)


def _deleted(report: StackReport) -> Iterator[Line]:
    for finding in _of(report, Outcome.DELETED):
        yield Line(f"  - {_name(finding)}: deleted in AWS, still recorded in state", "bad")


def _appeared(report: StackReport) -> Iterator[Line]:
    found = [f for f in report.findings if f.appeared]
    if found:
        yield Line(f"  {_count(found, 'resource')} with values that the template never declared:", "warn")
    for finding in found:
        yield Line(f"    + {_name(finding)}", "warn")
        for change in finding.appeared:
            yield from change_lines(change.path, change.state, change.aws)


def _ignored(report: StackReport) -> Iterator[Line]:
    for finding in report.findings:
        for ignored in finding.ignored:
            path = _safe(dotted(ignored.change.path))
            yield Line(f"  . {_name(finding)} {path}: ignored ({_safe(ignored.reason)})", "dim")


def _masked(report: StackReport) -> Iterator[Line]:
    found = [f for f in report.findings if f.masked]
    if found:
        yield Line(f"  {_count(found, 'resource')} with NoEcho values, which nobody can compare:", "dim")
    for finding in found:
        paths = ", ".join(_safe(dotted(p)) for p in finding.masked)
        yield Line(f"    {_name(finding)}: {paths}", "dim")


def _incomplete(report: StackReport) -> Iterator[Line]:
    found = [f for f in report.findings if f.cause is not None]
    if not found:
        return
    failed = [f for f in found if _not_at_all(f)]
    if failed:
        heading = (
            f"  {_count(found, 'resource')} NOT fully compared — {len(failed)} not compared AT ALL "
            "(the read or comparison failed, or there was nothing to compare with):"
        )
    else:
        heading = f"  {_count(found, 'resource')} only PARTIALLY compared:"
    yield Line(heading, "warn")
    for finding in found:
        cause = finding.cause.value if finding.cause else ""
        reason = f": {_safe(finding.reason)}" if finding.reason else ""
        yield Line(f"    ! {_name(finding)} [{cause}]{reason}", "warn")


def _unsupported(report: StackReport) -> Iterator[Line]:
    found = _of(report, Outcome.NOT_SUPPORTED)
    if found:
        yield Line(f"  {_count(found, 'resource')} with drift unknown (nothing reads the type back):", "dim")
    for finding in found:
        yield Line(f"    ? {_name(finding)}", "dim")


def _not_at_all(finding: Finding) -> bool:
    return finding.cause not in {None, Cause.REFUSED, Cause.UNRESOLVED_TOKEN}


def _partly(finding: Finding) -> bool:
    return finding.cause is not None and not _not_at_all(finding)


def _summary(report: StackReport) -> Line:
    """A tick only where everything was compared and nothing differs."""
    drifted, deleted = _of(report, Outcome.DRIFTED), _of(report, Outcome.DELETED)
    coverage = _coverage(report)
    if drifted or deleted:
        parts = [_count(drifted, "resource") + " drifted"] if drifted else []
        parts += [f"{len(deleted)} deleted"] if deleted else []
        return Line(f"✗ {_stack(report)}: {', '.join(parts)} — {coverage}", "bad")
    if any(f.outcome is Outcome.CLEAN or _partly(f) for f in report.findings):
        complete = not any(f.cause or f.outcome is Outcome.NOT_SUPPORTED for f in report.findings)
        glyph, style = ("✓", "good") if complete else ("⚠", "warn")
        return Line(f"{glyph} {_stack(report)}: no drift detected — {coverage}", style)  # type: ignore[arg-type]
    return Line(f"⚠ {_stack(report)}: no drift detected, but NOTHING was compared — {coverage}", "warn")


def _stack(report: StackReport) -> str:
    return f"{_safe(report.ref.name)} ({_safe(report.ref.region) or 'region unknown'})"


def _coverage(report: StackReport) -> str:
    """`5 resources checked`, or `1 of 3 resources fully checked (2 only partially compared)`."""
    partly = [f for f in report.findings if f.cause is not None]
    unsupported, skipped = _of(report, Outcome.NOT_SUPPORTED), _of(report, Outcome.SKIPPED)
    attempted = len(report.findings) - len(unsupported) - len(skipped)
    whole = attempted - len(partly)
    if partly:
        failed = sum(map(_not_at_all, partly))
        kinds = [f"{len(partly) - failed} only partially compared"] if len(partly) > failed else []
        kinds += [f"{failed} not compared at all"] if failed else []
        text = f"{whole} of {attempted} resource{_s(attempted)} fully checked ({', '.join(kinds)})"
    elif attempted:
        text = f"{attempted} resource{_s(attempted)} checked"
    else:
        total = len(report.findings)
        text = f"0 of {total} resource{_s(total)} checked"
    extra = [f"{len(unsupported)} unsupported"] if unsupported else []
    extra += [f"{len(skipped)} skipped"] if skipped else []
    if attempted or not extra:
        return ", ".join([text, *extra])
    return f"{text} ({', '.join(extra)})"


def change_lines(path: Path, before: Any, after: Any) -> Iterator[Line]:
    """One difference, indented below its resource's name; a side that holds nothing is ABSENT."""
    name = _safe(dotted(path))
    if before is ABSENT:
        yield Line(f"      + {name}: {_value(after)}", "added")
    elif after is ABSENT:
        yield Line(f"      - {name}: {_value(before)}", "removed")
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_change(name, before, after)
    else:
        yield Line(f"      +/- {name}: {_value(before)} -> {_value(after)}", "bad")


def _list_change(path: str, before: list[Any], after: list[Any]) -> Iterator[Line]:
    """Only the elements that one side alone has; where there are none, the order is what differs."""
    removed, added = one_sided(before, after)
    if not removed and not added:
        yield Line(f"      +/- {path}: {_value(before)} -> {_value(after)} (order)", "bad")
        return
    yield Line(f"      +/- {path}:", "bad")
    for element in removed:
        yield Line(f"          - {_value(element)}", "removed")
    for element in added:
        yield Line(f"          + {_value(element)}", "added")


def _value(value: Any) -> str:
    text = dumps(value).decode()
    if len(text) <= LONGEST_VALUE:
        return text
    return f"{text[:LONGEST_VALUE]}… ({len(text):,} characters)"


def _safe(text: str) -> str:
    return escape_controls(text)


def _count(things: Iterable[object], noun: str) -> str:
    number = len(list(things))
    return f"{number} {noun}{_s(number)}"


def _s(number: int) -> str:
    return "" if number == 1 else "s"
