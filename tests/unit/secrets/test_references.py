"""The grammar of dynamic references, and the region that answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.model import Record, StackState
from driftwarden.secrets.references import (
    Elsewhere,
    Reference,
    mentions_secrets,
    parse,
    region_of,
    tokens_of,
)

ARN = "arn:aws:secretsmanager:us-east-2:111122223333:secret:prod/db-AbCdEf"


def sm(name: str, key: str = "", stage: str = "", version: str = "") -> Reference:
    return Reference(text="", service="secretsmanager", name=name, json_key=key, stage=stage, version=version)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("secretsmanager:prod/db", sm("prod/db")),
        ("secretsmanager:prod/db:SecretString", sm("prod/db")),
        ("secretsmanager:prod/db:SecretString:", sm("prod/db")),
        ("secretsmanager:prod/db:SecretString:pw", sm("prod/db", "pw")),
        ("secretsmanager:prod/db:SecretString:pw:", sm("prod/db", "pw")),
        ("secretsmanager:prod/db:SecretString:pw::", sm("prod/db", "pw")),
        ("secretsmanager:prod/db:SecretString:pw:AWSPREVIOUS", sm("prod/db", "pw", "AWSPREVIOUS")),
        ("secretsmanager:prod/db:SecretString:pw::0a1b", sm("prod/db", "pw", "", "0a1b")),
        ("secretsmanager:prod/db:SecretString::AWSPREVIOUS", sm("prod/db", "", "AWSPREVIOUS")),
        ("secretsmanager:prod/db:SecretBinary:pw", sm("prod/db", "pw")),
        (f"secretsmanager:{ARN}", sm(ARN)),
        (f"secretsmanager:{ARN}:SecretString", sm(ARN)),
        (f"secretsmanager:{ARN}:SecretString:pw:AWSCURRENT", sm(ARN, "pw", "AWSCURRENT")),
        ("secretsmanager:SecretString", sm("SecretString")),
        ("secretsmanager:x:SecretStringent", sm("x:SecretStringent")),
        ("ssm:/app/name", Reference(text="", service="ssm", name="/app/name")),
        ("ssm:/app/name:3", Reference(text="", service="ssm", name="/app/name:3")),
        (
            "ssm:arn:aws:ssm:us-east-1:111122223333:parameter/app/name:3",
            Reference(text="", service="ssm", name="arn:aws:ssm:us-east-1:111122223333:parameter/app/name:3"),
        ),
        ("ssm-secure:/pw:1", Reference(text="", service="ssm-secure", name="/pw:1")),
        ("vault:x", Reference(text="", service="vault", name="x")),
        ("nothing", Reference(text="", service="nothing", name="")),
    ],
)
def test_every_spelling_is_taken_apart(body: str, expected: Reference) -> None:
    token = f"{{{{resolve:{body}}}}}"
    parsed = parse(token)
    assert parsed.text == token
    assert (parsed.service, parsed.name, parsed.json_key, parsed.stage, parsed.version) == (
        expected.service,
        expected.name,
        expected.json_key,
        expected.stage,
        expected.version,
    )


@pytest.mark.parametrize(
    "body",
    [
        "ssm-secure:/pw:1",
        "vault:x",
        "nothing",
        "secretsmanager:",
        "ssm:",
        "secretsmanager:a:SecretString:k:s:v:more",
    ],
)
def test_spellings_that_nobody_resolves(body: str) -> None:
    assert not parse(f"{{{{resolve:{body}}}}}").resolvable


def test_tokens_are_found_embedded_several_to_a_text_and_in_map_keys() -> None:
    value = {
        "{{resolve:ssm:/key}}": 1,
        "Url": "db://{{resolve:secretsmanager:user}}:{{resolve:secretsmanager:pw}}@host",
        "List": ["plain", {"Deep": '{"pw":"{{resolve:ssm:/deep}}"}'}],
    }
    assert list(tokens_of(value)) == [
        "{{resolve:ssm:/key}}",
        "{{resolve:secretsmanager:user}}",
        "{{resolve:secretsmanager:pw}}",
        "{{resolve:ssm:/deep}}",
    ]


@pytest.mark.parametrize(
    "text", ["{{resolve:}}", "{resolve:ssm:/a}", "{{resolve:ssm:/a}", "{{ resolve:ssm:/a }}"]
)
def test_what_only_resembles_a_token_is_text(text: str) -> None:
    assert list(tokens_of([text])) == []


def verdict(state: StackState, body: str) -> str | Elsewhere:
    return region_of(parse(f"{{{{resolve:{body}}}}}"), state)


def test_an_arn_answers_in_its_own_region_and_a_name_in_the_stack_s(
    make_state: Callable[..., StackState],
) -> None:
    state = make_state()
    assert verdict(state, f"secretsmanager:{ARN}:SecretString:pw") == "us-east-2"
    assert verdict(state, "ssm:arn:aws:ssm:us-east-1:111122223333:parameter/x") == "us-east-1"
    assert verdict(state, "secretsmanager:prod/db") == "eu-west-1"
    assert verdict(state, "ssm:/app") == "eu-west-1"


def test_a_name_is_ambiguous_in_a_stack_that_reads_from_other_regions(
    make_state: Callable[..., StackState],
) -> None:
    state = make_state(foreign=frozenset({"us-east-1"}))
    assert verdict(state, "secretsmanager:prod/db") is Elsewhere.AMBIGUOUS
    assert verdict(state, "ssm:/app") is Elsewhere.AMBIGUOUS
    assert verdict(state, f"secretsmanager:{ARN}") == "us-east-2"


def test_reading_from_its_own_region_makes_nothing_ambiguous(make_state: Callable[..., StackState]) -> None:
    assert verdict(make_state(foreign=frozenset({"eu-west-1"})), "ssm:/app") == "eu-west-1"


@pytest.mark.parametrize("region", ["evil.example/", "us-east-1.attacker", "US-EAST-1", "x"])
def test_a_region_that_is_none_is_never_called(make_state: Callable[..., StackState], region: str) -> None:
    hostile = f"secretsmanager:arn:aws:secretsmanager:{region}:1:secret:x"
    assert verdict(make_state(), hostile) is Elsewhere.MALFORMED


def test_an_arn_without_a_region_counts_as_a_name(make_state: Callable[..., StackState]) -> None:
    assert verdict(make_state(), "secretsmanager:arn:aws:secretsmanager::1:secret:x") == "eu-west-1"
    foreign = make_state(foreign=frozenset({"us-east-1"}))
    assert verdict(foreign, "secretsmanager:arn:aws:secretsmanager::1:secret:x") is Elsewhere.AMBIGUOUS


@pytest.mark.parametrize(
    ("properties", "more", "expected"),
    [
        ({"A": "plain"}, {}, False),
        ({"A": "{{resolve:ssm:/a}}"}, {}, True),
        ({"A": ["***"]}, {}, True),
        ({"{{resolve:ssm:/a}}": 1}, {}, True),
        ({"A": "x"}, {"observed": {"A": "{{resolve:ssm:/a}}"}}, True),
        ({"A": "x"}, {"no_echo_leaves": (("A",),)}, True),
        ({"A": "\ud800"}, {}, True),
        ({"A": 2**70}, {}, True),
    ],
)
def test_a_record_without_secrets_is_told_apart_at_once(
    make_record: Callable[..., Record], properties: Any, more: Any, expected: bool
) -> None:
    record = make_record(properties, **more)
    assert mentions_secrets(record) is expected
