"""What an alert says, as a JSON object: the programs' version, and what the readable text is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from driftwarden.exit_status import INCOMPLETE
from driftwarden.report.advice import meaning, next_steps
from driftwarden.report.document import ChangeEntry, Document, ResourceEntry
from driftwarden.report.excerpt import shorten
from driftwarden.report.location import ReportLocation
from driftwarden.report.message_change import change_entry

Kind: TypeAlias = Literal["drift", "incomplete", "failed"]

_NAME: Final = 255
_PROSE: Final = 600
_ELEMENTS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the document itself does not know.

    `location` is None when the report could not be stored, and `problem` then says why (redacted).
    `unchanged_since` is set when the same was alerted before: when that began.
    """

    location: ReportLocation | None = None
    unchanged_since: str | None = None
    problem: str = ""


def kind_of(document: Document) -> Kind:
    """`failed`: no verdict at all; `incomplete`: exit status 2; else `drift`."""
    if document.error:
        return "failed"
    return "incomplete" if document.exit_status == INCOMPLETE else "drift"


def content(document: Document, circumstances: Circumstances, *, limit: int) -> dict[str, Any]:
    """The alert with at most `limit` entries in each list; `omitted` counts what was left out."""
    lists, omitted = _lists(document, limit)
    return {
        "schemaVersion": document.schema_version,
        "kind": kind_of(document),
        "stack": shorten(document.stack, _NAME),
        "region": shorten(document.region, _NAME),
        "account": document.account,
        "scanId": document.scan_id,
        "startedAt": document.started_at,
        "finishedAt": document.finished_at,
        "exitStatus": document.exit_status,
        **_repeat(circumstances),
        "summary": document.summary.model_dump(by_alias=True),
        **_error(document),
        **lists,
        "omitted": omitted,
        "meaning": meaning(document),
        "nextSteps": [shorten(step, 2 * _PROSE) for step in next_steps(document)],
        "report": _report(circumstances),
    }


def _repeat(circumstances: Circumstances) -> dict[str, Any]:
    since = circumstances.unchanged_since
    return {"repeat": True, "unchangedSince": since} if since else {"repeat": False}


def _error(document: Document) -> dict[str, Any]:
    if document.error is None:
        return {}
    return {
        "error": {
            "class": shorten(document.error.error_class, _NAME),
            "message": shorten(document.error.message, 2 * _PROSE),
        }
    }


def _report(circumstances: Circumstances) -> dict[str, str]:
    if circumstances.location is None:
        return {"problem": shorten(circumstances.problem, _PROSE)}
    return {"uri": circumstances.location.uri, "console": circumstances.location.console_url}


def _lists(document: Document, limit: int) -> tuple[dict[str, Any], dict[str, int]]:
    if document.report is None:
        return {}, {}
    report = document.report
    reasons = {reason.logical_id: reason.reason for reason in document.reasons}
    changes = [(entry, change) for entry in report.drifted for change in entry.changes]
    lists = {
        "changes": [{**_head(entry), **_change(change)} for entry, change in changes[:limit]],
        "deleted": [_head(entry) for entry in report.deleted[:limit]],
        "notCompared": [
            {
                **_head(entry),
                "cause": entry.cause.value,
                "reason": shorten(reasons.get(entry.logical_id, ""), _PROSE),
            }
            for entry in report.not_compared[:limit]
        ],
    }
    totals = {
        "changes": len(changes),
        "deleted": len(report.deleted),
        "notCompared": len(report.not_compared),
    }
    left_out = {name: total - len(lists[name]) for name, total in totals.items()}
    return lists, {name: number for name, number in left_out.items() if number}


def _head(entry: ResourceEntry) -> dict[str, str]:
    return {"logicalId": shorten(entry.logical_id, _NAME), "type": shorten(entry.type, _NAME)}


def _change(change: ChangeEntry) -> dict[str, Any]:
    sides = {
        name: getattr(change, field)
        for name, field in (("from", "state_value"), ("to", "aws_value"))
        if field in change.model_fields_set
    }
    return change_entry(change.path, sides, most=_ELEMENTS)
