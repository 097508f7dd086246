"""What a record's baseline becomes before it is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.model import UNKNOWN, Cause, Record, SecretText, StackState
from driftwarden.secrets import Bound, Offline, bind
from driftwarden.secrets.resolve import Resolved, Unresolved

PW = "{{resolve:secretsmanager:pw}}"
USER = "{{resolve:secretsmanager:user}}"
NOBODY = Unresolved(cause=Cause.UNRESOLVED_TOKEN, reason="only CloudFormation resolves it")
REFUSED = Unresolved(cause=Cause.REFUSED, reason="{{resolve:secretsmanager:pw}} may not be read")

Make = Callable[..., Record]
Bind = Callable[..., Bound]


def test_a_reference_becomes_its_secret(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"Password": PW, "Port": 5432}), pw="canary-value")
    assert bound.values == {"Password": "canary-value", "Port": 5432}
    assert isinstance(bound.values["Password"], SecretText)
    assert (bound.cause, bound.reason, bound.masked) == (None, "", ())


def test_several_references_in_one_text_are_replaced_in_place(make_record: Make, bind_to: Bind) -> None:
    record = make_record({"Url": f"db://{USER}:{PW}@host/{USER}"})
    bound = bind_to(record, pw=r"a\1\g<0>b", user="ann")
    assert bound.values["Url"] == r"db://ann:a\1\g<0>b@host/ann"
    assert isinstance(bound.values["Url"], SecretText)


def test_a_string_parameter_is_no_secret(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"Image": PW}), pw=Resolved(text="ami-1", secret=False))
    assert bound.values["Image"] == "ami-1"
    assert not isinstance(bound.values["Image"], SecretText)
    assert bound.shown["Image"] == "ami-1"


def test_one_secret_makes_the_whole_text_secret(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(
        make_record({"Url": f"{USER}:{PW}"}), user=Resolved(text="ann", secret=False), pw="canary"
    )
    assert isinstance(bound.values["Url"], SecretText)


@pytest.mark.parametrize("answer", [NOBODY, REFUSED])
def test_what_nobody_can_tell_is_unknown_and_all_else_is_compared(
    make_record: Make, bind_to: Bind, answer: Unresolved
) -> None:
    record = make_record({"Password": PW, "Url": f"db://{USER}:{PW}@host", "Size": 3, "User": USER})
    bound = bind_to(record, pw=answer, user="canary-user")
    assert bound.values == {"Password": UNKNOWN, "Url": UNKNOWN, "Size": 3, "User": "canary-user"}
    assert (bound.cause, bound.reason) == (answer.cause, answer.reason)


def test_a_refusal_outranks_a_spelling_that_nobody_resolves(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"A": USER, "B": PW}), user=NOBODY, pw=REFUSED)
    assert bound.cause is Cause.REFUSED
    assert NOBODY.reason in bound.reason
    assert REFUSED.reason in bound.reason


def test_only_the_baseline_decides_what_was_not_compared(make_record: Make, bind_to: Bind) -> None:
    record = make_record({"MasterUserPassword": PW, "Size": 1}, {"Size": 1})
    bound = bind_to(record, pw=REFUSED)
    assert bound.values == {"Size": 1}
    assert bound.cause is None


def test_a_map_key_is_resolved_too(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"Labels": {PW: "v", "other": "w"}}), pw="canary-key")
    assert bound.values == {"Labels": {"canary-key": "v", "other": "w"}}


def test_a_map_with_a_key_nobody_can_tell_is_unknown_as_a_whole(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"Labels": {PW: "v", "other": "w"}, "Size": 1}), pw=REFUSED)
    assert bound.values == {"Labels": UNKNOWN, "Size": 1}


def test_a_recorded_mask_stays_so_that_the_comparison_reports_it(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"Value": "***", "List": ["a", "***"]}))
    assert bound.values == {"Value": "***", "List": ["a", "***"]}
    assert (bound.cause, bound.masked) == (None, ())


def test_masked_coordinates_are_not_compared_and_named(make_record: Make, bind_to: Bind) -> None:
    leaves = (("Value",), ("List", 1, "Pw"), ("Gone", "From", "Record"))
    record = make_record({"Value": "***", "List": [{}, {"Pw": "***", "Name": "x"}]}, no_echo_leaves=leaves)
    bound = bind_to(record)
    assert bound.values == {"Value": UNKNOWN, "List": [{}, {"Pw": UNKNOWN, "Name": "x"}]}
    assert bound.masked == (("Value",), ("List", 1, "Pw"))
    assert bound.cause is None


def test_a_masked_coordinate_counts_though_aws_never_reports_it(make_record: Make, bind_to: Bind) -> None:
    record = make_record({"Pw": "***", "Size": 1}, {"Size": 1}, no_echo_leaves=(("Pw",),))
    bound = bind_to(record)
    assert bound.values == {"Size": 1}
    assert bound.masked == (("Pw",),)


def test_a_masked_coordinate_that_holds_plain_text_is_not_compared_either(
    make_record: Make, bind_to: Bind
) -> None:
    record = make_record({"Pw": "***"}, {"Pw": "canary-plain"}, no_echo_leaves=(("Pw",),))
    bound = bind_to(record)
    assert bound.values == {"Pw": UNKNOWN}
    assert bound.shown == {"Pw": "***"}


def test_a_record_without_secrets_is_handed_on_untouched(make_record: Make, bind_to: Bind) -> None:
    record = make_record({"A": 1}, {"A": 2, "B": [{"C": "**"}]})
    assert bind_to(record).values is record.observed


def test_nothing_recorded_is_changed(make_record: Make, bind_to: Bind) -> None:
    properties: dict[str, Any] = {"A": [{"B": PW}], PW: {"C": "***"}}
    bind_to(make_record(properties), pw="canary")
    assert properties == {"A": [{"B": PW}], PW: {"C": "***"}}


def test_offline_resolves_nothing_and_says_so(
    make_record: Make, make_state: Callable[..., StackState]
) -> None:
    record = make_record({"Password": PW, "Size": 1})
    bound = bind(record, make_state(record), Offline())
    assert bound.values == {"Password": UNKNOWN, "Size": 1}
    assert bound.cause is Cause.UNRESOLVED_TOKEN
    assert PW in bound.reason


def test_no_repr_of_what_was_bound_shows_a_secret(make_record: Make, bind_to: Bind) -> None:
    bound = bind_to(make_record({"Password": PW, "Url": f"x{PW}"}), pw="canary-value")
    assert "canary-value" not in repr(bound)
    assert "canary-value" not in f"{bound.values} {bound.values['Url']} {bound.values['Url']!r}"
