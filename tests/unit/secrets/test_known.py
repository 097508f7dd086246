"""What a redactor learns beforehand: credentials in the clear, live values at secret places, secret names."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.model import Record
from driftwarden.secrets import Bound, learn_live, without_values
from driftwarden.secrets.known import recorded_credentials

Make = Callable[..., Record]
Bind = Callable[..., Bound]
CANARY = "canary-value-9d1"
OTHER = "canary-value-2e8"
REF = "{{resolve:secretsmanager:one}}"


@pytest.mark.parametrize(
    "properties",
    [
        {"Password": CANARY},
        {"Deep": [{"DbSecret": CANARY}]},
        {"Tokens": [CANARY]},
        {"Env": [{"Name": "API_TOKEN", "Value": CANARY}]},
        {"Tags": [{"Key": "password", "Value": CANARY}]},
        {"Headers": [{"HeaderName": "Authorization", "HeaderValue": CANARY}]},
        {"Document": json.dumps({"a": [{"Password": CANARY}]})},
    ],
)
def test_a_credential_in_the_clear_is_known(make_record: Make, properties: Any) -> None:
    assert recorded_credentials(make_record(properties)) == [CANARY]


@pytest.mark.parametrize(
    "properties",
    [
        {"Password": "short"},
        {"Password": REF},
        {"Password": "***"},
        {"Secret": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db"},
        {"TokenValidityUnits": {"AccessToken": "canaries-in-hours"}},
        {"Env": [{"Name": "API_TOKEN", "Type": "SECRETS_MANAGER", "Value": "prod/token"}]},
        {"Description": CANARY},
    ],
)
def test_what_only_names_a_credential_is_none(make_record: Make, properties: Any) -> None:
    assert recorded_credentials(make_record(properties)) == []


@pytest.mark.parametrize("name", ["***", REF, f"app-{REF}"])
@pytest.mark.parametrize(
    "physical_id",
    [CANARY, f"https://sqs/123456789012/{CANARY}", f"arn:aws:sns:eu-west-1:1:{CANARY}", f"a|{CANARY}"],
)
def test_a_name_that_a_secret_gives_is_known_by_the_physical_id(
    make_record: Make, name: str, physical_id: str
) -> None:
    record = make_record({"QueueName": name}, physical_id=physical_id)
    assert CANARY in recorded_credentials(record)


@pytest.mark.parametrize(
    ("recorded", "live"),
    [
        ({"Value": "***"}, {"Value": CANARY}),
        ({"A": {"B": [{"Name": "x", "V": REF}]}}, {"A": {"B": [{"Name": "x", "V": CANARY}]}}),
        ({"A": [REF, "***"]}, {"A": ["unrelated-text", CANARY]}),
        ({"A": "b"}, {"A": "b", "Env": [{"Name": "NEW_PASSWORD", "Value": CANARY}]}),
    ],
)
def test_a_live_value_at_a_secret_place_is_masked_everywhere(
    make_record: Make, bind_to: Bind, recorded: Any, live: Any
) -> None:
    record = make_record(recorded)
    bound = bind_to(record, one=OTHER)
    learn_live(live, record, bound)
    assert bound.redactor.redact_text(f"it said {CANARY}.") == "it said ***."


def test_an_element_that_nobody_can_pair_may_be_harmless(make_record: Make, bind_to: Bind) -> None:
    record = make_record({"Command": ["--token", REF]})
    bound = bind_to(record, one=OTHER)
    learn_live({"Command": ["--token", "--another-flag"]}, record, bound)
    assert bound.redactor.redact_text("--another-flag") == "--another-flag"


@pytest.mark.parametrize(
    ("recorded", "sent"),
    [
        (
            {"Environment": {"Variables": {"STRIPE_KEY": "x"}}},
            {"Environment": {"Variables": {"STRIPE_KEY": CANARY}}},
        ),
        ({"Command": ["--token", REF]}, {"Command": ["--token", CANARY]}),
        ({"Value": "***"}, {"Value": CANARY}),
    ],
)
def test_a_refusal_does_not_repeat_what_was_sent(
    make_record: Make, bind_to: Bind, recorded: Any, sent: Any
) -> None:
    record = make_record(recorded, resource_type="AWS::Lambda::Function")
    said = without_values(
        f"Invalid request: {json.dumps(json.dumps(sent))}", sent, record, bind_to(record, one=OTHER)
    )
    assert CANARY not in said
    assert said.startswith("Invalid request: ")
