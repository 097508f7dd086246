"""What an alert means and what to do about it, in words."""

from __future__ import annotations

import json
import shlex
from typing import Final

from driftwarden.model import Cause
from driftwarden.report.document import Document

_BY_CAUSE: Final = {
    Cause.READ_FAILED: "Reads that failed: grant the scanner the action named beside the resource; "
    "if it was a throttle or a timeout, scan again.",
    Cause.REFUSED: "Secret references that were not resolved: grant the scanner the action named beside the "
    "resource, or spell the reference as a full ARN, which names its region.",
    Cause.BASELINE_REFUSED: "Resources without a baseline: deploy the stack, which records one.",
    Cause.UNREADABLE_RECORD: "Records that nobody can read: deploy the stack again, or restore an earlier "
    "version of the state object.",
}
_SAME_AS: Final = {Cause.UNREADABLE_MAP: Cause.UNREADABLE_RECORD}


def meaning(document: Document) -> str:
    """One or two sentences on what the outcome says, and what it does not say."""
    if document.error:
        return (
            "The scan did not come to its end, so nothing is known about this stack: "
            "neither that it drifted nor that it did not."
        )
    if document.summary.drifted or document.summary.deleted:
        text = "Live resources no longer match what the last deploy recorded: something else changed them."
        if document.summary.not_compared:
            text += " There may be more, because not everything was compared."
        return text
    return (
        "Nothing was found to differ, but not everything was compared. "
        "This is not a clean bill of health: a change may hide in what was not looked at."
    )


def next_steps(document: Document) -> list[str]:
    """What to do, most useful first. Names are quoted for a shell."""
    if document.error:
        return [
            "Remove the cause that the error names.",
            f"If that is not enough, search the scanner's log for {document.scan_id}.",
            "Scan again: run the stack's schedule target once, or wait for the next scheduled scan.",
        ]
    return [*_drift_steps(document), *_coverage_steps(document)]


def _drift_steps(document: Document) -> list[str]:
    steps = []
    if document.summary.drifted:
        command = (
            f"driftwarden drift {shlex.quote(document.stack)} --stack-region {shlex.quote(document.region)}"
        )
        order = json.dumps({"stack": document.stack, "region": document.region, "reason": "why"})
        steps = [
            "Open the full report and find out who made the change (CloudTrail, by resource name).",
            f"A change that is wanted: put it into the template and deploy, or record it: {command} --accept",
            "A change that is not wanted: ask for an approved revert, by starting the `revert` state machine "
            f"with {order}, or undo it yourself: {command} --revert",
        ]
    if document.summary.deleted:
        steps.append("A deleted resource: deploy the stack again, which creates it anew.")
    return steps


def _coverage_steps(document: Document) -> list[str]:
    entries = document.report.not_compared if document.report else []
    causes = {_SAME_AS.get(entry.cause, entry.cause) for entry in entries}
    return [text for cause, text in _BY_CAUSE.items() if cause in causes]
