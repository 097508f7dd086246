"""Wherever secrets are placed, and whatever a comparison reports, nothing printable gives one away."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from driftwarden.model import ABSENT, UNKNOWN, Cause, Change, Path, Record
from driftwarden.secrets import Bound, conceal
from driftwarden.secrets.resolve import Answer, Unresolved

CURRENT = ("canary-current-one-4f1", 'canary "current" two/4f2', "canary-current-three-4f3")
ROTATED = "zanary-rotated-8d7"
PLAIN = "zanary-observed-5c3"
TOKENS = tuple(f"{{{{resolve:secretsmanager:{name}}}}}" for name in ("one", "two", "three"))

Make = Callable[..., Record]
Bind = Callable[..., Bound]

SECRET_LEAVES = st.one_of(
    st.sampled_from(TOKENS),
    st.sampled_from(TOKENS).map(lambda token: f"db://user:{token}@host"),
    st.tuples(st.sampled_from(TOKENS), st.sampled_from(TOKENS)).map(lambda pair: f"{pair[0]}-{pair[1]}"),
    st.sampled_from(TOKENS).map(lambda token: json.dumps({"user": "ann", "deep": [{"pw": token}]})),
    st.just("***"),
)
PLAIN_LEAVES = st.sampled_from(["live", "blue", "", 1, True, None, "10.0.0.0/8"])
NAMES = st.sampled_from(["Name", "Value", "Key", "Id", "Mode", "Environment", "Items"])
TREES = st.recursive(
    SECRET_LEAVES | PLAIN_LEAVES | PLAIN_LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(NAMES, inner, max_size=4)
        | st.lists(st.fixed_dictionaries({"Name": st.sampled_from("abc"), "Value": inner}), max_size=3)
    ),
    max_leaves=12,
)
BAGS = st.dictionaries(NAMES, TREES, min_size=1, max_size=4)


def rotated(value: Any) -> Any:
    """What AWS holds after every secret was replaced: nothing in it can be recognised by its value."""
    if isinstance(value, Mapping):
        return {key: rotated(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rotated(item) for item in value]
    if isinstance(value, str) and ("{{resolve:" in value or value == "***"):
        return json.dumps({"pw": ROTATED}) if value.startswith('{"') else f"x{ROTATED}"
    return value


def disturbed(value: Any, chance: random.Random) -> Any:
    """A live value: lists in another order, longer or shorter, keys gone, values other than names changed."""
    if isinstance(value, Mapping):
        items = [(k, disturbed(v, chance)) for k, v in value.items() if k == "Name" or chance.random() < 0.9]
        chance.shuffle(items)
        return dict(items)
    if isinstance(value, list):
        items_ = [disturbed(item, chance) for item in value if chance.random() < 0.9]
        if not all(isinstance(item, Mapping) for item in value) or chance.random() < 0.5:
            items_ += chance.sample(value, k=min(1, len(value)))
        chance.shuffle(items_)
        return items_
    return value if isinstance(value, str) or chance.random() < 0.7 else "edited"


def differences(mine: Any, live: Any, chance: random.Random, path: Path = ()) -> Iterator[Change]:
    """What some comparison might report: whole blocks or leaves, lists by position or sorted."""
    if mine is UNKNOWN or mine == live:
        return
    if isinstance(mine, Mapping) and isinstance(live, Mapping) and (not path or chance.random() < 0.8):
        for key in {**mine, **live}:
            yield from differences(mine.get(key, ABSENT), live.get(key, ABSENT), chance, (*path, key))
    elif isinstance(mine, list) and isinstance(live, list) and chance.random() < 0.5:
        for index in range(max(len(mine), len(live))):
            here = mine[index] if index < len(mine) else ABSENT
            there = live[index] if index < len(live) else ABSENT
            yield from differences(here, there, chance, (*path, index))
    elif isinstance(mine, list) and chance.random() < 0.5:
        yield Change(path=path, state=sorted(mine, key=str.__len__) if texts(mine) else mine[::-1], aws=live)
    elif (documents := both_json(mine, live)) is not None:
        yield from differences(*documents, chance, path)
    else:
        yield Change(path=path, state=mine, aws=live)


def both_json(mine: Any, live: Any) -> tuple[Any, Any] | None:
    try:
        return json.loads(mine), json.loads(live)
    except (TypeError, ValueError):
        return None


def texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def everything(changes: tuple[Change, ...], bound: Bound) -> str:
    assert all(not isinstance(change.state, str) or type(change.state) is str for change in changes)
    printable = [(list(c.path), c.state, c.aws, repr(c)) for c in changes]
    return json.dumps(printable, default=repr) + repr(bound) + bound.reason


@pytest.mark.parametrize("known", [True, False], ids=["resolved", "unresolvable"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(bag=BAGS, seed=st.integers(0, 10**6), observed=st.booleans())
def test_no_placement_leaks(
    make_record: Make,
    bind_to: Bind,
    leaks: Callable[[str, str], bool],
    known: bool,
    bag: Any,
    seed: int,
    observed: bool,
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a reproducible disturbance, not a key
    record = make_record(bag, plain_text_of(bag) if observed else None)
    refused = Unresolved(cause=Cause.REFUSED, reason="refused")
    answers: dict[str, Answer | str] = dict(
        zip(("one", "two", "three"), CURRENT if known else [refused] * 3, strict=True)
    )
    bound = bind_to(record, **answers)
    live = disturbed(rotated(bag), chance)
    output = everything(conceal(differences(bound.values, live, chance), bound, record), bound)
    for canary in (*CURRENT, ROTATED, PLAIN):
        assert canary not in output
        assert not leaks(output, canary)


def plain_text_of(value: Any) -> Any:
    """What an older record observed: plain text where a reference was sent."""
    if isinstance(value, Mapping):
        return {key: plain_text_of(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_text_of(item) for item in value]
    return PLAIN if isinstance(value, str) and "{{resolve:" in value else value


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(bag=BAGS, place=st.sampled_from(["Note", "Policy", "Key"]))
def test_an_untouched_resource_compares_equal(make_record: Make, bind_to: Bind, bag: Any, place: str) -> None:
    record = make_record({**bag, place: "x"})
    bound = bind_to(record, one=CURRENT[0], two=CURRENT[1], three=CURRENT[2])
    assert bound.values == resolved({**bag, place: "x"})


def resolved(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: resolved(item) for key, item in value.items()}
    if isinstance(value, list):
        return [resolved(item) for item in value]
    if isinstance(value, str):
        for token, secret in zip(TOKENS, CURRENT, strict=True):
            value = value.replace(token, secret)
    return value
