"""What a report may show of changes, arm by arm, and with everything that could make a secret slip."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.model import ABSENT, Cause, Change, Record
from driftwarden.secrets import Bound, conceal
from driftwarden.secrets.resolve import Resolved, Unresolved

PW = "{{resolve:secretsmanager:pw}}"
USER = "{{resolve:secretsmanager:user}}"
CURRENT = "canary-current-7d1"
ROTATED = "zanary-rotated-9e2"
REFUSED = Unresolved(cause=Cause.REFUSED, reason="refused")

Make = Callable[..., Record]
Bind = Callable[..., Bound]
Show = Callable[..., Change]
Text = Callable[[Any], str]


def sides(change: Change) -> tuple[Any, Any]:
    return change.state, change.aws


def test_a_difference_shows_the_reference_and_a_mask(make_record: Make, shown: Show) -> None:
    record = make_record({"Password": PW})
    assert sides(shown(record, ("Password",), ROTATED, pw=CURRENT)) == (PW, "***")


def test_an_embedded_reference_shows_the_recorded_text(make_record: Make, shown: Show) -> None:
    record = make_record({"Url": f"db://{USER}:{PW}@host"})
    change = shown(record, ("Url",), f"db://ann:{ROTATED}@host", pw=CURRENT, user="ann")
    assert sides(change) == (f"db://{USER}:{PW}@host", "***")


@pytest.mark.parametrize("aws", [None, "", 5432, True, [], {}, ["a"], {"a": ROTATED}])
def test_whatever_aws_holds_at_a_secret_place_is_masked(make_record: Make, shown: Show, aws: Any) -> None:
    assert shown(make_record({"Password": PW}), ("Password",), aws, pw=CURRENT).aws == "***"


def test_a_short_secret_is_masked_by_its_place(make_record: Make, shown: Show) -> None:
    record = make_record({"Pin": PW, "Note": "x"})
    assert sides(shown(record, ("Pin",), "43", pw="42")) == (PW, "***")
    assert sides(shown(record, ("Note",), "42nd street", pw="42")) == ("x", "42nd street")


def test_a_block_that_is_gone_shows_the_references_it_held(make_record: Make, shown: Show) -> None:
    block = {"Variables": {"DB": PW, "MODE": "live"}}
    change = shown(make_record({"Environment": block}), ("Environment",), pw=CURRENT)
    assert sides(change) == (block, ABSENT)


def test_a_block_that_became_something_else_is_masked(make_record: Make, shown: Show) -> None:
    record = make_record({"Environment": {"Variables": {"DB": PW}}})
    for aws in (json.dumps({"DB": ROTATED}), [ROTATED], [{"Name": "DB", "Value": ROTATED}], 5):
        assert shown(record, ("Environment",), aws, pw=CURRENT).aws == "***"


def test_neighbours_of_a_secret_are_shown(make_record: Make, shown: Show) -> None:
    record = make_record({"Environment": {"Variables": {"DB": PW, "MODE": "live"}}})
    change = shown(record, ("Environment",), {"Variables": {"DB": ROTATED, "MODE": "test"}}, pw=CURRENT)
    assert sides(change) == (
        {"Variables": {"DB": PW, "MODE": "live"}},
        {"Variables": {"DB": "***", "MODE": "test"}},
    )


def test_a_secret_in_a_list_of_texts_is_masked_wherever_it_moved(make_record: Make, shown: Show) -> None:
    record = make_record({"Hosts": ["a", PW, "b"]})
    change = shown(record, ("Hosts",), ["b", "a", ROTATED, "new"], pw=CURRENT)
    assert sides(change) == (["a", PW, "b"], ["b", "a", "***", "***"])


def test_a_secret_in_a_named_list_is_masked_by_name_when_the_order_changed(
    make_record: Make, shown: Show
) -> None:
    pairs = [{"Name": "DB", "Value": PW}, {"Name": "MODE", "Value": "live"}]
    live = [
        {"Name": "MODE", "Value": "test"},
        {"Name": "DB2", "Value": ROTATED},
        {"Name": "DB", "Value": ROTATED},
    ]
    change = shown(make_record({"Environment": pairs}), ("Environment",), live, pw=CURRENT)
    assert change.state == pairs
    assert change.aws == [
        {"Name": "MODE", "Value": "test"},
        {"Name": "DB2", "Value": "***"},
        {"Name": "DB", "Value": "***"},
    ]


def test_a_change_at_a_shifted_list_position_is_masked(make_record: Make, shown: Show) -> None:
    record = make_record({"List": [{"V": PW}, {"V": "plain"}]})
    assert shown(record, ("List", 1, "V"), ROTATED, pw=CURRENT).aws == "***"
    assert shown(record, ("List", 7, "V"), ROTATED, state=ABSENT, pw=CURRENT).aws == "***"
    assert shown(record, ("List", 7), {"V": ROTATED}, state=ABSENT, pw=CURRENT).aws == {"V": "***"}


def test_a_list_that_the_comparison_sorted_still_shows_references(make_record: Make, shown: Show) -> None:
    record = make_record({"Hosts": ["z", PW]})
    bound_value = ["a-secret", "z"]
    change = shown(record, ("Hosts",), ["z", ROTATED], state=bound_value, pw="a-secret")
    assert change.state == ["***", "z"]
    assert change.aws == ["z", "***"]


def test_a_baseline_that_the_comparison_lower_cased_does_not_show(make_record: Make, shown: Show) -> None:
    record = make_record({"Name": PW, "Host": "h"})
    change = shown(record, ("Name",), "other", state="canary-upper-77", pw="CANARY-Upper-77")
    assert sides(change) == ("***", "***")


def test_json_in_a_text_is_masked_whole_and_inside(make_record: Make, shown: Show) -> None:
    raw = json.dumps({"user": "ann", "pw": PW})
    record = make_record({"Config": raw})
    live = {"user": "bob", "pw": ROTATED}
    assert sides(shown(record, ("Config",), json.dumps(live), pw=CURRENT)) == (raw, "***")
    assert sides(shown(record, ("Config", "user"), "bob", state="ann", pw=CURRENT)) == ("ann", "***")
    assert sides(shown(record, ("Config", "pw"), ROTATED, state=CURRENT, pw=CURRENT)) == (PW, "***")
    assert sides(shown(record, ("Config", "new"), ROTATED, state=ABSENT, pw=CURRENT)) == (ABSENT, "***")


def test_a_text_that_is_no_json_is_masked_below_too(make_record: Make, shown: Show) -> None:
    record = make_record({"Config": f"a={PW}"})
    assert sides(shown(record, ("Config", "a"), ROTATED, state=CURRENT, pw=CURRENT)) == ("***", "***")


def test_a_json_text_without_secrets_in_a_map_with_some_is_shown(make_record: Make, shown: Show) -> None:
    record = make_record({"Statement": [{"Sid": "A", "Resource": "x"}, {"Sid": "B", "Resource": PW}]})
    live = [{"Sid": "B", "Resource": ROTATED}, {"Sid": "A", "Resource": "y"}]
    change = shown(record, ("Statement",), live, pw=CURRENT)
    assert change.aws == [{"Sid": "B", "Resource": "***"}, {"Sid": "A", "Resource": "y"}]


def test_a_recorded_mask_shows_masks_on_both_sides(make_record: Make, shown: Show) -> None:
    record = make_record({"Value": "***", "Tags": [{"Key": "a", "Value": "***"}]})
    assert sides(shown(record, ("Value",), ROTATED)) == ("***", "***")
    change = shown(record, ("Tags",), [{"Key": "a", "Value": ROTATED}, {"Key": "b", "Value": ROTATED}])
    assert sides(change) == (
        [{"Key": "a", "Value": "***"}],
        [{"Key": "a", "Value": "***"}, {"Key": "b", "Value": "***"}],
    )


def test_a_masked_coordinate_shows_nothing_in_a_list_that_changed(make_record: Make, shown: Show) -> None:
    record = make_record({"List": [{"Pw": "***", "N": 1}]}, {"List": [{"Pw": CURRENT, "N": 1}]},
                         no_echo_leaves=(("List", 0, "Pw"),))  # fmt: skip
    change = shown(record, ("List",), [{"Pw": ROTATED, "N": 2}])
    assert sides(change) == ([{"Pw": "***", "N": 1}], [{"Pw": "***", "N": 2}])


def test_plain_text_observed_where_a_reference_was_sent_is_masked(
    make_record: Make, shown: Show, as_text: Text
) -> None:
    sent = {"Pw": PW, "List": ["a", PW], "Env": [{"Name": "DB", "Value": PW}]}
    seen = {"Pw": CURRENT, "List": ["a", CURRENT], "Env": [{"Name": "DB", "Value": CURRENT}]}
    record = make_record(sent, seen)
    for path, live in (
        (("Pw",), ROTATED),
        (("List",), ["a", ROTATED]),
        (("Env",), [{"Name": "DB", "Value": ROTATED}]),
    ):
        text = as_text(shown(record, path, live, pw=REFUSED))
        assert CURRENT not in text
        assert ROTATED not in text


def test_plain_text_observed_beside_references_is_masked(
    make_record: Make, shown: Show, as_text: Text
) -> None:
    record = make_record({"List": [PW, USER]}, {"List": [PW, CURRENT]})
    text = as_text(shown(record, ("List",), [CURRENT, ROTATED], pw=REFUSED, user=REFUSED))
    assert CURRENT not in text
    assert ROTATED not in text


def test_an_unresolvable_place_masks_what_aws_holds(make_record: Make, shown: Show) -> None:
    record = make_record({"Environment": {"Variables": {"DB": PW, "MODE": "live"}}})
    change = shown(record, ("Environment",), {"Variables": {"DB": ROTATED}}, pw=REFUSED)
    assert sides(change) == ({"Variables": {"DB": PW, "MODE": "live"}}, {"Variables": {"DB": "***"}})


def test_a_map_whose_key_nobody_can_tell_is_masked(make_record: Make, shown: Show) -> None:
    record = make_record({"Labels": {PW: "v"}})
    assert shown(record, ("Labels", ROTATED), "v", state=ABSENT, pw=REFUSED).aws == "***"


def test_a_secret_map_key_is_shown_as_its_reference(make_record: Make, shown: Show) -> None:
    record = make_record({"Labels": {PW: "v", "other": "w"}})
    change = shown(record, ("Labels", CURRENT), "x", pw=CURRENT)
    assert (change.path, *sides(change)) == (("Labels", PW), "v", "x")
    change = shown(record, ("Labels",), {CURRENT: "x"}, pw=CURRENT)
    assert sides(change) == ({PW: "v", "other": "w"}, {PW: "x"})


def test_a_known_secret_is_masked_inside_other_values_keys_and_paths(
    make_record: Make, shown: Show, as_text: Text
) -> None:
    record = make_record(
        {"Name": PW, "Policy": {"Resource": f"arn:aws:sqs:eu-west-1:1:{CURRENT}"}, "Map": {}}
    )
    change = shown(record, ("Policy",), {"Resource": f"arn:aws:sqs:eu-west-1:1:{CURRENT}-2"}, pw=CURRENT)
    assert sides(change) == (
        {"Resource": "arn:aws:sqs:eu-west-1:1:***"},
        {"Resource": "arn:aws:sqs:eu-west-1:1:***-2"},
    )
    change = shown(record, ("Map", f"k-{CURRENT}"), {CURRENT: [CURRENT]}, state=ABSENT, pw=CURRENT)
    assert CURRENT not in as_text(change)


def test_a_secret_that_is_a_common_word_leaves_references_readable(make_record: Make, shown: Show) -> None:
    record = make_record({"Password": "{{resolve:secretsmanager:pw}}", "Mode": "secretsmanager"})
    assert shown(record, ("Password",), "x", pw="secretsmanager").state == PW
    assert shown(record, ("Mode",), PW, pw="secretsmanager").state == "***"


def test_a_reference_that_is_not_recorded_hides_no_secret(
    make_record: Make, shown: Show, as_text: Text
) -> None:
    record = make_record({"Password": PW, "Note": "x"})
    change = shown(record, ("Note",), f"{{{{resolve:secretsmanager:{CURRENT}}}}}", pw=CURRENT)
    assert CURRENT not in as_text(change)


def test_a_string_parameter_is_shown_plainly(make_record: Make, shown: Show) -> None:
    record = make_record({"Image": PW})
    assert sides(shown(record, ("Image",), "ami-2", pw=Resolved(text="ami-1", secret=False))) == (
        "ami-1",
        "ami-2",
    )


def test_numbers_equal_to_a_secret_are_masked(make_record: Make, shown: Show) -> None:
    record = make_record({"Pin": PW, "Other": 1})
    assert shown(record, ("Other",), 123456, pw="123456").aws == "***"


def test_sides_that_hold_nothing_stay_absent(make_record: Make, shown: Show) -> None:
    record = make_record({"Password": PW, "Environment": {"Variables": {"API_KEY": "x"}}})
    assert shown(record, ("Password",), ABSENT, pw=CURRENT).aws is ABSENT
    assert (
        shown(record, ("Environment", "Variables", "NEW_KEY"), "v", state=ABSENT, pw=CURRENT).state is ABSENT
    )


def test_the_order_and_number_of_changes_stay(make_record: Make, bind_to: Bind) -> None:
    record = make_record({"A": 1, "B": PW})
    changes = [Change(path=("B",), state="x", aws="y"), Change(path=("A",), state=1, aws=2)]
    concealed = conceal(changes, bind_to(record, pw=CURRENT), record)
    assert [change.path for change in concealed] == [("B",), ("A",)]
    assert conceal([], bind_to(record, pw=CURRENT), record) == ()
