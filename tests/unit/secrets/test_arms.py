"""Bound, compared and concealed: every arm of the rules on secrets, as a scan runs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Context, compare
from driftwarden.model import ABSENT, Cause, Path, Record
from driftwarden.secrets import Bound, conceal
from driftwarden.secrets.resolve import Unresolved

PW = "{{resolve:secretsmanager:pw}}"
USER = "{{resolve:secretsmanager:user}}"
CURRENT, OTHER = "canary-current-1", "zanary-other-2"
REFUSED = Unresolved(cause=Cause.REFUSED, reason="refused")

Report = Callable[..., list[tuple[Path, Any, Any]]]
CONTEXT = Context(region="eu-west-1", account_id="111122223333", stack="Shop", siblings={})


@pytest.fixture
def report(make_record: Callable[..., Record], bind_to: Callable[..., Bound]) -> Report:
    """The changes that a report shows, for recorded properties and what AWS holds."""

    def changes(recorded: Any, live: Any, **more: Any) -> list[tuple[Path, Any, Any]]:
        answers = {name: more.pop(name) for name in ("pw", "user") if name in more}
        record = make_record(recorded, recorded, **more)
        bound = bind_to(record, **answers)
        found = conceal(compare(record, bound.values, live, CONTEXT).changes, bound, record)
        return [(change.path, change.state, change.aws) for change in found]

    return changes


def test_equal_is_clean(report: Report) -> None:
    recorded = {"Password": PW, "Url": f"db://{USER}:{PW}@host", "List": ["a", PW], "Size": 1}
    live = {"Password": CURRENT, "Url": f"db://ann:{CURRENT}@host", "List": ["a", CURRENT], "Size": 1}
    assert report(recorded, live, pw=CURRENT, user="ann") == []


def test_different_is_drift_with_nothing_to_see(report: Report) -> None:
    assert report({"Password": PW}, {"Password": OTHER}, pw=CURRENT) == [(("Password",), PW, "***")]


def test_absent_at_exactly_that_place_is_neither_clean_nor_drifted(report: Report) -> None:
    assert report({"MasterUserPassword": PW, "Size": 1}, {"Size": 1}, pw=CURRENT) == []
    recorded = {"Environment": {"Variables": {"A": PW, "B": "b"}}}
    assert report(recorded, {"Environment": {"Variables": {"B": "b"}}}, pw=CURRENT) == []


def test_a_whole_block_gone_is_drift(report: Report) -> None:
    block = {"Variables": {"A": PW}}
    assert report({"Environment": block, "Size": 1}, {"Size": 1}, pw=CURRENT) == [
        (("Environment",), block, ABSENT)
    ]


@pytest.mark.parametrize("live", [OTHER, CURRENT, ABSENT])
def test_what_nobody_can_tell_never_drifts_and_all_else_does(report: Report, live: Any) -> None:
    aws = {"Size": 2} if live is ABSENT else {"Password": live, "Size": 2}
    assert report({"Password": PW, "Size": 1}, aws, pw=REFUSED) == [(("Size",), 1, 2)]


def test_what_nobody_can_tell_never_drifts_inside_a_list_either(report: Report) -> None:
    pairs = [{"Name": "DB", "Value": PW}, {"Name": "MODE", "Value": "live"}]
    live = [{"Name": "DB", "Value": OTHER}, {"Name": "MODE", "Value": "live"}]
    assert (
        report(
            {"Environment": pairs, "List": ["a", PW]}, {"Environment": live, "List": ["a", OTHER]}, pw=REFUSED
        )
        == []
    )


def test_a_recorded_mask_drifts_with_nothing_to_see_on_either_side(report: Report) -> None:
    assert report({"Value": "***"}, {"Value": OTHER}) == [(("Value",), "***", "***")]


def test_a_masked_coordinate_never_drifts(report: Report) -> None:
    assert (
        report({"Value": "***", "Size": 1}, {"Value": OTHER, "Size": 1}, no_echo_leaves=(("Value",),)) == []
    )


def test_a_secret_in_a_reordered_list_is_never_seen(report: Report, as_text: Callable[[Any], str]) -> None:
    recorded = {"Environment": [{"Name": "DB", "Value": PW}, {"Name": "MODE", "Value": "live"}]}
    live = {"Environment": [{"Name": "MODE", "Value": "test"}, {"Name": "DB", "Value": OTHER}]}
    found = report(recorded, live, pw=CURRENT)
    assert found
    assert CURRENT not in as_text(found)
    assert OTHER not in as_text(found)


def test_a_number_that_is_a_secret_compares_as_its_text(report: Report) -> None:
    assert report({"Port": PW}, {"Port": "5432"}, pw="5432") == []
