"""The human report: glyphs, blocks and counts, and no line that a hostile name could forge."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import (
    ABSENT,
    Cause,
    Change,
    Finding,
    IgnoredChange,
    Outcome,
    StackRef,
    StackReport,
)
from driftwarden.report.text import LONGEST_VALUE, report_lines


def _finding(outcome: Outcome, logical_id: str = "Queue", **more: Any) -> Finding:
    return Finding(logical_id=logical_id, resource_type="AWS::SQS::Queue", outcome=outcome, **more)


def _lines(*findings: Finding, warnings: tuple[str, ...] = ()) -> list[str]:
    report = StackReport(ref=StackRef("Shop", "eu-west-1"), findings=findings, warnings=warnings)
    return [line.text for line in report_lines(report)]


def _drifted(*changes: Change) -> list[str]:
    return _lines(_finding(Outcome.DRIFTED, changes=changes))


CLEAN = _finding(Outcome.CLEAN, "Clean")
PARTLY = _finding(
    Outcome.NOT_COMPARED,
    "Partly",
    cause=Cause.REFUSED,
    references_unresolved=True,
    reason="spell it as an ARN",
)
FAILED = _finding(Outcome.NOT_COMPARED, "Failed", cause=Cause.READ_FAILED, reason="Grant sqs:ListQueueTags.")
UNKNOWN = _finding(Outcome.NOT_SUPPORTED, "Unknown")
SKIPPED = _finding(Outcome.SKIPPED, "Skipped")


@pytest.mark.parametrize(
    ("findings", "summary"),
    [
        ((CLEAN,), "✓ Shop (eu-west-1): no drift detected — 1 resource checked"),
        ((CLEAN, SKIPPED), "✓ Shop (eu-west-1): no drift detected — 1 resource checked, 1 skipped"),
        ((CLEAN, UNKNOWN), "⚠ Shop (eu-west-1): no drift detected — 1 resource checked, 1 unsupported"),
        (
            (CLEAN, PARTLY, PARTLY, UNKNOWN),
            "⚠ Shop (eu-west-1): no drift detected — "
            "1 of 3 resources fully checked (2 only partially compared), 1 unsupported",
        ),
        (
            (CLEAN, PARTLY, FAILED),
            "⚠ Shop (eu-west-1): no drift detected — "
            "1 of 3 resources fully checked (1 only partially compared, 1 not compared at all)",
        ),
        (
            (PARTLY,),
            "⚠ Shop (eu-west-1): no drift detected — "
            "0 of 1 resource fully checked (1 only partially compared)",
        ),
        (
            (FAILED,),
            "⚠ Shop (eu-west-1): no drift detected, but NOTHING was compared — "
            "0 of 1 resource fully checked (1 not compared at all)",
        ),
        (
            (UNKNOWN,),
            "⚠ Shop (eu-west-1): no drift detected, but NOTHING was compared — "
            "0 of 1 resource checked (1 unsupported)",
        ),
        (
            (SKIPPED, SKIPPED),
            "⚠ Shop (eu-west-1): no drift detected, but NOTHING was compared — "
            "0 of 2 resources checked (2 skipped)",
        ),
        ((), "⚠ Shop (eu-west-1): no drift detected, but NOTHING was compared — 0 of 0 resources checked"),
    ],
)
def test_a_tick_stands_only_where_everything_was_compared(
    findings: tuple[Finding, ...], summary: str
) -> None:
    assert _lines(*findings)[-1] == summary


def test_a_record_whose_region_nobody_knows_says_so() -> None:
    (summary,) = report_lines(StackReport(ref=StackRef("Shop", ""), findings=()))
    assert summary.text.startswith("⚠ Shop (region unknown):")


def test_a_stack_with_nothing_to_tell_takes_one_line() -> None:
    assert len(_lines(CLEAN)) == 1
    assert _lines(CLEAN, warnings=("look here",))[0] == "Shop (eu-west-1)"


def test_drift_and_deletion_are_counted_apart_from_what_was_checked() -> None:
    drifted = _finding(Outcome.DRIFTED, changes=(Change(path=("DelaySeconds",), state=0, aws=9),))
    lines = _lines(drifted, _finding(Outcome.DELETED, "Gone"), CLEAN)
    assert lines[-1] == "✗ Shop (eu-west-1): 1 resource drifted, 1 deleted — 3 resources checked"
    assert "  - Gone (AWS::SQS::Queue): deleted in AWS, still recorded in state" in lines


@pytest.mark.parametrize(
    ("state", "aws", "line"),
    [
        ("Enabled", "Suspended", '      +/- Versioning.Status: "Enabled" -> "Suspended"'),
        (ABSENT, "x", '      + Versioning.Status: "x"'),
        ({"a": 1}, ABSENT, '      - Versioning.Status: {"a":1}'),
    ],
)
def test_each_difference_shows_both_sides(state: object, aws: object, line: str) -> None:
    assert line in _drifted(Change(path=("Versioning", "Status"), state=state, aws=aws))


def test_of_a_list_only_the_elements_of_one_side_are_shown() -> None:
    lines = _drifted(Change(path=("Rules",), state=[{"p": 1}, {"p": 2}], aws=[{"p": 2}, {"p": 3}]))
    assert lines[2:5] == ["      +/- Rules:", '          - {"p":1}', '          + {"p":3}']


def test_a_list_in_another_order_is_shown_whole() -> None:
    assert '      +/- Layers: ["a","b"] -> ["b","a"] (order)' in _drifted(
        Change(path=("Layers",), state=["a", "b"], aws=["b", "a"])
    )


def test_a_huge_value_is_shortened_and_says_how_long_it_is() -> None:
    (line,) = [text for text in _drifted(Change(path=("Body",), aws="x" * 5000)) if "Body" in text]
    assert line.endswith("… (5,002 characters)")
    assert len(line) < LONGEST_VALUE + 60


def test_what_was_not_compared_names_cause_and_remedy() -> None:
    lines = _lines(CLEAN, PARTLY)
    assert "  1 resource only PARTIALLY compared:" in lines
    assert "    ! Partly (AWS::SQS::Queue) [refused]: spell it as an ARN" in lines


def test_a_resource_that_was_not_read_at_all_is_never_called_partial() -> None:
    (heading,) = [text for text in _lines(CLEAN, PARTLY, FAILED) if "NOT fully compared" in text]
    assert heading.startswith("  2 resources NOT fully compared — 1 not compared AT ALL")


def test_a_drifted_resource_can_be_partly_compared_too() -> None:
    partly = _finding(
        Outcome.DRIFTED,
        changes=(Change(path=("DelaySeconds",), state=0, aws=9),),
        cause=Cause.UNRESOLVED_TOKEN,
        references_unresolved=True,
    )
    lines = _lines(partly)
    assert "    ! Queue (AWS::SQS::Queue) [unresolvedToken]" in lines
    assert lines[-1].endswith("0 of 1 resource fully checked (1 only partially compared)")


def test_masked_appeared_and_ignored_values_have_blocks_of_their_own() -> None:
    hidden = IgnoredChange(change=Change(path=("Tags",), aws=[]), reason="billing sets it")
    lines = _lines(
        _finding(
            Outcome.CLEAN,
            masked=(("Environment", "Variables", "TOKEN"),),
            appeared=(Change(path=("Policies",), aws=["admin"]),),
            ignored=(hidden,),
        ),
        warnings=("the older bucket name is deprecated",),
    )
    assert "    Queue (AWS::SQS::Queue): Environment.Variables.TOKEN" in lines
    assert '      + Policies: ["admin"]' in lines
    assert "  . Queue (AWS::SQS::Queue) Tags: ignored (billing sets it)" in lines
    assert "  ! the older bucket name is deprecated" in lines


def test_names_and_values_cannot_forge_a_line_or_a_colour() -> None:
    evil = "x\n✓ all clean\x1b[32m\u202e"
    change = Change(path=(evil,), state=evil, aws=evil)
    lines = _lines(
        Finding(logical_id=evil, resource_type=evil, outcome=Outcome.DRIFTED, changes=(change,)),
        Finding(
            logical_id=evil,
            resource_type=evil,
            outcome=Outcome.NOT_COMPARED,
            cause=Cause.READ_FAILED,
            reason=evil,
        ),
        warnings=(evil,),
    )
    assert not any(c in line for line in lines for c in "\n\x1b\u202e")
