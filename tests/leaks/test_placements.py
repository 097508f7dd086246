"""Secrets at generated places: whatever the shape of a resource, no program shows one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.leaks.canaries import (
    ENCODINGS,
    MEMBER,
    REF_GONE,
    REF_MEMBER,
    REF_SECURE,
    REF_UNKNOWN,
    REF_WHOLE,
    SECURE,
    WHOLE,
    canary,
    plant_secrets,
)
from tests.leaks.world import STACK, World, refused

Check = Callable[[Mapping[str, str]], None]
Pair = tuple[Any, Any]
"""A recorded value and the live one."""

KINDS = (
    "AWS::ApiGatewayV2::Api",
    "AWS::Batch::JobDefinition",
    "AWS::CodeBuild::Project",
    "AWS::ECS::TaskDefinition",
    "AWS::Events::Rule",
    "AWS::Glue::Job",
    "AWS::IAM::Role",
    "AWS::Lambda::Function",
    "AWS::RDS::DBInstance",
    "AWS::S3::Bucket",
    "AWS::SSM::Parameter",
    "AWS::StepFunctions::StateMachine",
)
KEYS = st.sampled_from(
    [
        "Name",
        "Value",
        "Key",
        "Id",
        "Environment",
        "Variables",
        "Tags",
        "Description",
        "PolicyDocument",
        "Items",
        "a.b",
    ]
)
CURRENT = {REF_WHOLE: WHOLE, REF_MEMBER: MEMBER, REF_SECURE: SECURE}
RESOLVED = st.sampled_from(sorted(CURRENT))
ROTATED = st.integers(0, 9).map(lambda number: canary(f"rotated{number}"))
SECRET_PAIRS: st.SearchStrategy[Pair] = st.one_of(
    RESOLVED.map(lambda ref: (ref, CURRENT[ref])),
    st.tuples(st.sampled_from([*CURRENT, REF_GONE, REF_UNKNOWN, "***"]), ROTATED),
    RESOLVED.map(lambda ref: (f"x {ref} y", f"x {CURRENT[ref]} z")),
    st.tuples(RESOLVED, ROTATED).map(
        lambda pair: (f'{{"p":"{pair[0]}","n":1}}', f'{{"p":"{pair[1]}","n":2}}')
    ),
    st.sampled_from(sorted(ENCODINGS.values())).map(lambda text: ("plain", text)),
)
PLAIN_PAIRS: st.SearchStrategy[Pair] = st.sampled_from(
    [("a", "a"), ("a", "b"), (1, 2), (True, False), ("same", "same"), ([], ["x"]), ({}, {"k": "v"})]
)


def together(pairs: Any) -> Pair:
    """Two containers of a container of pairs."""
    if isinstance(pairs, dict):
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


CREDENTIALS: st.SearchStrategy[Pair] = st.tuples(
    st.sampled_from(["Password", "DbSecret", "AuthToken"]), ROTATED, ROTATED
).map(lambda three: ({three[0]: three[1]}, {three[0]: three[2]}))
NAMED: st.SearchStrategy[Pair] = st.tuples(st.sampled_from("ab"), SECRET_PAIRS | PLAIN_PAIRS).map(
    lambda named: ({"Name": named[0], "Value": named[1][0]}, {"Name": named[0], "Value": named[1][1]})
)
TREES: st.SearchStrategy[Pair] = st.recursive(
    SECRET_PAIRS | PLAIN_PAIRS | CREDENTIALS,
    lambda inner: (
        st.dictionaries(KEYS, inner, min_size=1, max_size=3).map(together)
        | st.lists(inner, max_size=3).map(together)
        | st.lists(NAMED, max_size=3).map(together)
    ),
    max_leaves=8,
)
RESOURCES = st.tuples(
    st.sampled_from(KINDS), st.dictionaries(KEYS, TREES, min_size=1, max_size=4).map(together)
)
STACKS = st.lists(RESOURCES, min_size=1, max_size=5)


def disturbed(value: Any, chance: random.Random) -> Any:
    """A live value with lists in another order, and here and there something gone."""
    if isinstance(value, dict):
        return {key: disturbed(item, chance) for key, item in value.items() if chance.random() < 0.95}
    if isinstance(value, list):
        items = [disturbed(item, chance) for item in value if chance.random() < 0.95]
        chance.shuffle(items)
        return items
    return value


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(resources=STACKS, seed=st.integers(0, 2**16), unread=st.sampled_from(sorted(ENCODINGS.values())))
def test_no_placement_leaks(
    world: World, assert_silent: Check, resources: list[tuple[str, Pair]], seed: int, unread: str
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a reproducible disturbance, not a key
    world.rows.clear()
    plant_secrets(world)
    for number, (kind, (recorded, live)) in enumerate(resources):
        world.add(f"R{number}", kind, recorded, disturbed(live, chance))
    known = {"A": REF_WHOLE, "B": REF_SECURE, "C": REF_MEMBER}
    world.add("Unread", "AWS::SNS::Topic", known, refused("InternalError", f"{unread} and {MEMBER}"))
    world.save()
    way = chance.choice([("--accept", "--yes"), ("--revert", "--yes"), ("--json", "--undeclared", "drift")])
    outputs = {
        "drift": world.cli("drift", STACK),
        " ".join(way): world.cli("drift", STACK, "--verbose", *way),
    }
    assert_silent(outputs | world.scanner())
