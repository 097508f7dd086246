"""Transforms of the registry schemas, as they are evaluated."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from driftwarden.compare.canonical.transform import reproduces
from driftwarden.model import ABSENT, UNKNOWN, SecretText


@pytest.mark.parametrize("live", [ABSENT, None])
def test_an_absence_is_never_explained(live: object) -> None:
    assert not reproduces(["Missing"], [{"Name": "x"}], live)


def test_a_pattern_is_not_a_value() -> None:
    assert not reproduces(['$join([Version, ".*"])'], [{"Version": "8.0"}], "8.0.45")


def test_one_that_fails_on_its_input_explains_nothing() -> None:
    for expression in ("$split(Name, '/')[", "$number(Name)", "$nonsense(Name)"):
        assert not reproduces([expression], [{"Name": {"a": 1}}], "x")


def test_values_that_are_unknown_or_secret_take_no_part() -> None:
    assert not reproduces(["$lowercase(Name)"], [{"Name": SecretText("ABC")}], "abc")
    assert not reproduces(["$lowercase(Name)"], [{"Name": UNKNOWN}], "abc")


def test_threads_do_not_see_each_others_values() -> None:
    names = [f"Name{number}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(
            lambda name: reproduces(["$lowercase(Name)"], [{"Name": name}], name.lower()), names
        )
    assert all(answers)
