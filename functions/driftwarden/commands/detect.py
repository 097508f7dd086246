"""Detection: scan and report."""

from __future__ import annotations

from driftwarden.commands.session import FAILED, Selection, Session, load_selected
from driftwarden.exit_status import detection_status
from driftwarden.model import StackState
from driftwarden.scan import ScanSettings, scan


def drift(session: Session, selection: Selection, settings: ScanSettings) -> int:
    """Scan the selected stacks, print the reports, answer the exit status.

    A stack whose state cannot be used is reported as not compared and fails the run; the others are scanned.
    """
    loaded = load_selected(session, selection)
    states = [one for one in loaded if isinstance(one, StackState)]
    with session.out.progress("reading") as progress:
        scanned = iter(
            scan(states, session.clients, settings=settings, progress=progress, redactor=session.redactor)
        )
    reports = [next(scanned) if isinstance(one, StackState) else one for one in loaded]
    session.out.reports(reports)
    return FAILED if len(states) < len(loaded) else detection_status(reports)
