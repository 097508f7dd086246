"""Converters: what services answer becomes what CloudFormation properties look like, and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwarden.convert import (
    Converter,
    back,
    capitalised,
    completed,
    dictionary_key,
    each,
    every,
    flag,
    holding,
    if_any,
    inside,
    ip_protocol,
    iso_time,
    json_document,
    non_empty,
    number,
    pick,
    renamed,
    sorted_by,
    tag_list,
    tag_map,
)
from driftwarden.model import ABSENT


@pytest.mark.parametrize(
    ("answer", "expected"), [("45", 45), (45, 45), ("1.5", 1.5), ("0", 0), ("soon", ABSENT), ("", ABSENT)]
)
def test_a_number_in_text_becomes_a_number_and_garbage_becomes_nothing(
    answer: object, expected: object
) -> None:
    assert number(answer) == expected


@given(st.integers(min_value=-(2**53), max_value=2**53))
def test_a_written_number_reads_back_the_same(value: int) -> None:
    assert number.read(number.write(value)) == value


@pytest.mark.parametrize(
    ("answer", "expected"), [("true", True), ("false", False), (True, True), (False, False)]
)
def test_a_flag_is_true_only_for_true(answer: object, expected: bool) -> None:
    assert flag(answer) is expected
    assert flag.read(flag.write(expected)) is expected


def test_a_json_document_is_parsed_and_text_that_is_no_json_stays() -> None:
    assert json_document('{"Version": "2012-10-17"}') == {"Version": "2012-10-17"}
    assert json_document("not json") == "not json"
    assert json_document({"already": "parsed"}) == {"already": "parsed"}


@pytest.mark.parametrize(
    "tags",
    [
        [
            {"Key": "env", "Value": "prod"},
            {"Key": "Team", "Value": "x"},
            {"Key": "aws:cdk:path", "Value": "p"},
        ],
        [{"key": "Team", "value": "x"}, {"key": "env", "value": "prod"}],
        [{"TagKey": "env", "TagValue": "prod"}, {"TagKey": "Team", "TagValue": "x"}],
        {"env": "prod", "Team": "x", "aws:cloudformation:stack-name": "s", "": "nameless"},
    ],
)
def test_every_spelling_of_tags_gives_one_sorted_list_without_the_services_own(tags: object) -> None:
    assert tag_list(tags) == [{"Key": "Team", "Value": "x"}, {"Key": "env", "Value": "prod"}]
    assert tag_map(tags) == {"Team": "x", "env": "prod"}


def test_a_tag_without_a_value_has_an_empty_one() -> None:
    assert tag_list([{"Key": "flag"}]) == [{"Key": "flag", "Value": ""}]


@pytest.mark.parametrize("nothing", ["", [], {}])
def test_an_empty_answer_means_not_configured(nothing: object) -> None:
    assert non_empty()(nothing) is ABSENT
    assert non_empty(json_document)("[1]") == [1]


def test_zero_and_false_are_values_not_emptiness() -> None:
    assert non_empty()(0) == 0
    assert non_empty()(False) is False


def test_picking_members_renames_converts_and_leaves_the_others_out() -> None:
    read = pick("Region", KmsKey="KeyId", Size=("SizeText", number))
    answer = {"Region": "eu-west-1", "KeyId": "k", "SizeText": "7", "Status": "InSync", "Nothing": None}
    assert read(answer) == {"Region": "eu-west-1", "KmsKey": "k", "Size": 7}
    assert read({"SizeText": "many"}) == {}


def test_what_is_made_of_two_way_conversions_goes_both_ways() -> None:
    size = pick("Region", KmsKey="KeyId", Size=("SizeText", if_any(number)))
    both = pick(Mode=("Mode", holding("Value")), Sizes=("Sizes", each(size)), Rest=("Rest", inside(N=number)))
    answer = {
        "Mode": "on",
        "Sizes": [{"Region": "eu-west-1", "KeyId": "k", "SizeText": "7"}],
        "Rest": {"N": "1", "M": "2"},
    }
    properties = {
        "Mode": {"Value": "on"},
        "Sizes": [{"Region": "eu-west-1", "KmsKey": "k", "Size": 7}],
        "Rest": {"N": 1, "M": "2"},
    }
    assert both(answer) == properties
    assert back(both, properties) == answer
    assert back(completed({"A": []}, "B"), {"A": [1], "B": None, "C": 3}) == {"A": [1]}


def test_what_is_made_of_a_one_way_conversion_cannot_write() -> None:
    one_way = every("Arn")
    for made in (pick(Layers=("Layers", one_way)), each(one_way), if_any(one_way), inside(Layers=one_way)):
        assert not isinstance(made, Converter)


def test_every_takes_one_member_of_each_structure() -> None:
    assert every("GroupId")([{"GroupId": "sg-1", "GroupName": "a"}, {"GroupName": "b"}]) == ["sg-1"]
    assert each(number)(["1", "2"]) == [1, 2]


def test_renaming_goes_both_ways() -> None:
    names = renamed({"ID": "Id"})
    assert names({"ID": "rule", "Status": "Enabled"}) == {"Id": "rule", "Status": "Enabled"}
    assert names.write({"Id": "rule", "Status": "Enabled"}) == {"ID": "rule", "Status": "Enabled"}


def test_capitalising_leaves_maps_of_the_users_alone() -> None:
    shape = capitalised("options")
    answer = {"logDriver": "awslogs", "options": {"awslogs-group": "g"}, "list": [{"name": "n"}]}
    expected = {"LogDriver": "awslogs", "Options": {"awslogs-group": "g"}, "List": [{"Name": "n"}]}
    assert shape(answer) == expected
    assert shape.write(expected) == answer


def test_a_time_is_told_in_utc_with_milliseconds() -> None:
    moment = datetime(2024, 1, 2, 5, 4, 5, 6000, tzinfo=timezone(timedelta(hours=2)))
    assert iso_time(moment) == "2024-01-02T03:04:05.006Z"
    assert iso_time(datetime(2024, 1, 2, tzinfo=UTC)) == "2024-01-02T00:00:00.000Z"
    assert iso_time("2024-01-02T03:04:05Z") == "2024-01-02T03:04:05Z"


def test_dictionary_order_puts_punctuation_before_digits_before_letters_and_ignores_case() -> None:
    assert sorted(["Team", "env", "a1", "a.b", "Env"], key=dictionary_key) == [
        "a.b",
        "a1",
        "env",
        "Env",
        "Team",
    ]
    assert sorted_by("Key")([{"Key": "b"}, {"Key": "A"}]) == [{"Key": "A"}, {"Key": "b"}]


@pytest.mark.parametrize(
    ("written", "expected"), [("6", "tcp"), ("TCP", "tcp"), ("58", "icmpv6"), ("50", "50"), ("-1", "-1")]
)
def test_a_protocol_goes_by_the_name_that_ec2_has_for_it(written: str, expected: str) -> None:
    assert ip_protocol(written) == expected
