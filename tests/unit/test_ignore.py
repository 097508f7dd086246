"""Ignore rules: what they hide, for how long, and what is said about those that are wrong or of no use."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from driftwarden.errors import ConfigurationError
from driftwarden.ignore import apply_rules, parse_rules
from driftwarden.model import Cause, Change, Finding, Outcome, StackRef, StackReport

TODAY = date(2026, 3, 1)
RULE = """
[[ignore]]
stack = "Shop*"
logical_id = "Params"
path = "Parameters"
reason = "tuned by hand"
owner = "team-data"
expires = 2026-03-31
"""


def report(*changes: Any, stack: str = "Shop", appeared: tuple[Change, ...] = (), **fields: Any) -> Any:
    finding = Finding(
        logical_id="Params",
        resource_type="AWS::RDS::DBParameterGroup",
        outcome=Outcome.DRIFTED if changes else Outcome.CLEAN,
        changes=changes,
        appeared=appeared,
        **fields,
    )
    return StackReport(ref=StackRef(stack, "eu-west-1"), findings=(finding,))


def change(*path: Any) -> Any:
    return Change(path=path, state="1", aws="0")


def applied(text: str, *reports: StackReport, today: date = TODAY) -> Any:
    return apply_rules(reports, parse_rules(text), today)


def only(found: tuple[StackReport, ...]) -> Any:
    (one,) = found
    return one.findings[0]


def test_a_match_moves_to_ignored_with_the_reason_and_the_resource_is_clean() -> None:
    finding = only(applied(RULE, report(change("Parameters", "rds.force_ssl"))))
    assert finding.outcome is Outcome.CLEAN
    assert finding.changes == ()
    assert [(entry.change.path, entry.reason) for entry in finding.ignored] == [
        (("Parameters", "rds.force_ssl"), "tuned by hand")
    ]


def test_other_changes_of_the_resource_stay() -> None:
    finding = only(applied(RULE, report(change("Parameters", "a"), change("Family"))))
    assert finding.outcome is Outcome.DRIFTED
    assert [entry.path for entry in finding.changes] == [("Family",)]


def test_a_partly_compared_resource_does_not_become_clean() -> None:
    partly = report(change("Parameters", "a"), cause=Cause.UNRESOLVED_TOKEN)
    assert only(applied(RULE, partly)).outcome is Outcome.NOT_COMPARED


def test_what_appeared_is_covered_too() -> None:
    finding = only(applied(RULE, report(appeared=(change("Parameters"),))))
    assert finding.appeared == ()
    assert finding.ignored


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("Parameters", ("Parameters",), True),
        ("Parameters", ("Parameters", "a", 3), True),
        ("Parameters", ("ParametersMore",), False),
        ("Parameters.rds", ("Parameters", "rds.force_ssl"), False),
        ("Parameters.rds", ("Parameters", "rds", "x"), True),
        ('Parameters."rds.force_ssl"', ("Parameters", "rds.force_ssl"), True),
        ('Parameters["rds.force_ssl"]', ("Parameters", "rds.force_ssl"), True),
        ("Parameters.*.Value", ("Parameters", "a", "Value"), True),
        ("Parameters.*.Value", ("Parameters", "a", "Name"), False),
        ("Rules[0].Id", ("Rules", 0, "Id"), True),
        ("Rules[*].Id", ("Rules", 4, "Id"), True),
        ("Rules.Id", ("Rules", 0, "Id"), False),
        ("Parameters.a", ("Parameters",), False),
        ("*", ("Anything", "at", "all"), True),
    ],
)
def test_paths_match_step_by_step_and_everything_below(pattern: str, path: Any, covered: bool) -> None:
    (rule,) = parse_rules(RULE.replace('"Parameters"', f"'{pattern}'"))
    assert rule.covers(path) is covered


@pytest.mark.parametrize(
    ("line", "hides"),
    [
        ('type = "AWS::RDS::*"', True),
        ('type = "AWS::RDS::DBInstance"', False),
        ('logical_id = "Par?ms"', True),
        ('logical_id = "params"', False),
    ],
)
def test_resources_are_named_by_logical_id_or_type(line: Any, hides: bool) -> None:
    text = RULE.replace('logical_id = "Params"', line)
    assert bool(only(applied(text, report(change("Parameters")))).ignored) is hides


def test_a_rule_for_another_stack_hides_nothing() -> None:
    found = applied(RULE, report(change("Parameters"), stack="Billing"))
    assert only(found).outcome is Outcome.DRIFTED
    assert found[0].warnings == ()


def test_a_rule_that_matches_nothing_is_named_once_with_its_owner() -> None:
    found = applied(RULE, report(change("Family")), report(change("Family"), stack="Shop2"))
    (warning,) = found[0].warnings
    assert "matches nothing" in warning
    assert "team-data" in warning
    assert found[1].warnings == ()


def test_a_rule_hides_on_its_last_day_and_is_named_as_expired_afterwards() -> None:
    subject = report(change("Parameters"))
    assert only(applied(RULE, subject, today=date(2026, 3, 31))).outcome is Outcome.CLEAN
    late = applied(RULE, subject, today=date(2026, 4, 1))
    assert only(late).outcome is Outcome.DRIFTED
    (warning,) = late[0].warnings
    assert "expired on 2026-03-31" in warning
    assert "team-data" in warning


def test_a_rule_that_matches_in_one_of_many_stacks_is_of_use() -> None:
    found = applied(RULE, report(change("Family")), report(change("Parameters"), stack="Shop2"))
    assert found[0].warnings == found[1].warnings == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[ignore]\n", "line 1"),
        ("[ignore]\npath = 'A'\n", r"\[\[ignore\]\]"),
        ("# ours\n\nrule = 1\n", "line 3"),
        (RULE.replace("reason", "because"), r"rule 1, line 6: unknown key 'because'"),
        (RULE.replace('reason = "tuned by hand"', ""), r"rule 1, line 2: reason"),
        (RULE.replace('reason = "tuned by hand"', 'reason = " "'), r"rule 1, line 6: reason"),
        (RULE.replace("2026-03-31", '"soon"'), r"rule 1, line 8: expires"),
        (RULE.replace('"Parameters"', '"A..B"'), r"rule 1, line 5: the path"),
        (RULE.replace('"Parameters"', '"A["'), r"rule 1, line 5: the path"),
        (RULE.replace('logical_id = "Params"\n', ""), r"rule 1, line 2: .*logical_id or type"),
        (RULE + RULE.replace('"Shop*"', "5"), r"rule 2, line 11: stack"),
    ],
)
def test_a_bad_rule_is_an_error_that_names_file_rule_and_line(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as raised:
        parse_rules(text, source="rules.toml")
    assert str(raised.value).startswith("rules.toml")


def test_an_empty_file_has_no_rules() -> None:
    assert parse_rules("") == ()
