"""Of two lists only what one side alone holds is worth a line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwarden.report.lists import one_sided


@pytest.mark.parametrize(
    ("state", "aws", "removed", "added"),
    [
        ([1, 2], [2, 3], [1], [3]),
        ([{"a": 1}], [{"a": 1}, {"a": 2}], [], [{"a": 2}]),
        ([1, 1], [1], [1], []),
        ([1, 2], [2, 1], [], []),
        ([], [], [], []),
    ],
)
def test_elements_of_one_side_alone(
    state: list[Any], aws: list[Any], removed: list[Any], added: list[Any]
) -> None:
    assert one_sided(state, aws) == (removed, added)


@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)))
def test_taking_away_what_was_removed_and_adding_the_rest_gives_the_other_list(
    state: list[int], aws: list[int]
) -> None:
    removed, added = one_sided(state, aws)
    for element in removed:
        state = [*state]
        state.remove(element)
    assert sorted([*state, *added]) == sorted(aws)
