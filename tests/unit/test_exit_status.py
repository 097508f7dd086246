"""The exit status is 1 for drift, 2 for a comparison that could have been made and was not, else 0."""

from __future__ import annotations

import pytest

from driftwarden.exit_status import detection_status
from driftwarden.model import Cause, Finding, Outcome, StackRef, StackReport


def _status(*verdicts: tuple[Outcome, Cause | None]) -> int:
    """The status of a run over one stack for each verdict."""
    return detection_status(
        StackReport(
            ref=StackRef("Shop", "us-east-1"),
            findings=(Finding(logical_id="A", resource_type="T", outcome=outcome, cause=cause),),
        )
        for outcome, cause in verdicts
    )


CLEAN = (Outcome.CLEAN, None)
DRIFTED = (Outcome.DRIFTED, None)
FAILED = (Outcome.NOT_COMPARED, Cause.READ_FAILED)


def test_no_stack_at_all_is_clean() -> None:
    assert _status() == 0


@pytest.mark.parametrize("outcome", [Outcome.DRIFTED, Outcome.DELETED])
def test_drift_and_deletion_are_status_1(outcome: Outcome) -> None:
    assert _status((outcome, None)) == 1


@pytest.mark.parametrize("outcome", [Outcome.CLEAN, Outcome.NOT_SUPPORTED, Outcome.SKIPPED])
def test_what_matches_and_what_nothing_reads_back_are_status_0(outcome: Outcome) -> None:
    assert _status((outcome, None)) == 0


@pytest.mark.parametrize("cause", [cause for cause in Cause if cause is not Cause.UNRESOLVED_TOKEN])
def test_a_comparison_that_somebody_can_repair_is_status_2(cause: Cause) -> None:
    assert _status((Outcome.NOT_COMPARED, cause)) == 2


def test_a_reference_that_nobody_resolves_never_counts() -> None:
    assert _status((Outcome.NOT_COMPARED, Cause.UNRESOLVED_TOKEN)) == 0


@pytest.mark.parametrize("verdicts", [(FAILED, DRIFTED), (DRIFTED, FAILED)])
def test_drift_outranks_an_incomplete_comparison_in_any_order(
    verdicts: tuple[tuple[Outcome, Cause | None], ...],
) -> None:
    assert _status(*verdicts) == 1


def test_one_incomplete_stack_among_clean_ones_decides() -> None:
    assert _status(CLEAN, FAILED, CLEAN) == 2


def test_a_verdict_without_its_cause_does_not_pass_for_clean() -> None:
    assert _status((Outcome.NOT_COMPARED, None)) == 2
