"""The exit status of a detection, in one place for the command line, the scanner and the alert."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from driftwarden.model import Cause, Finding, Outcome, StackReport

CLEAN: Final = 0
DRIFTED: Final = 1
"""Something drifted or is gone; a crash has the same status."""
INCOMPLETE: Final = 2
"""Nothing drifted as far as anybody looked, and something that could have been compared was not."""


def detection_status(reports: Iterable[StackReport]) -> int:
    """The status of a whole run. A reference that nobody resolves is permanent, so it never counts."""
    incomplete = False
    for report in reports:
        for finding in report.findings:
            if finding.outcome in (Outcome.DRIFTED, Outcome.DELETED):
                return DRIFTED
            incomplete = incomplete or uncompared_cause(finding) not in (None, Cause.UNRESOLVED_TOKEN)
    return INCOMPLETE if incomplete else CLEAN


def uncompared_cause(finding: Finding) -> Cause | None:
    """Why `finding` was not wholly compared; None when it was.

    A verdict of "not compared" that names no cause counts as a failed read: it must not look clean.
    """
    if finding.cause is None and finding.outcome is Outcome.NOT_COMPARED:
        return Cause.READ_FAILED
    return finding.cause
