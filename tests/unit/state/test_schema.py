"""What a state record says, and what becomes of one that says it badly."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from driftwarden.errors import StateUnreadable
from driftwarden.model import Cause, StackRef, StackState, StateOrigin
from driftwarden.state import parse_state
from driftwarden.state.schema import UNKNOWN_REGION, version_to_write

REF = StackRef("Shop", "eu-west-1")
ORIGIN = StateOrigin(bucket="states", key="cdkd/Shop/eu-west-1/state.json", etag='"e"')


def parse(document: Any, ref: StackRef = REF) -> StackState:
    return parse_state(document if isinstance(document, bytes) else orjson.dumps(document), ref, ORIGIN)


def row(**changes: Any) -> dict[str, Any]:
    return {
        "physicalId": "q",
        "resourceType": "AWS::SQS::Queue",
        "properties": {"DelaySeconds": 1},
        **changes,
    }


def test_a_record_of_the_newest_version_is_read_field_by_field() -> None:
    queue = row(
        observedProperties={"DelaySeconds": 2},
        attributes={"Arn": "arn"},
        provisionedBy="cc-api",
        observedBaselineRefused=True,
        noEchoLeaves=[["Tags", 0, "Value"], ["Name"]],
    )
    state = parse({"version": 11, "resources": {"Queue": queue}})
    record = state.records["Queue"]

    assert (state.ref, state.version, state.origin) == (REF, 11, ORIGIN)
    assert (record.logical_id, record.resource_type, record.physical_id) == ("Queue", "AWS::SQS::Queue", "q")
    assert (record.properties, record.observed) == ({"DelaySeconds": 1}, {"DelaySeconds": 2})
    assert (record.attributes, record.provisioned_by) == ({"Arn": "arn"}, "cc-api")
    assert record.baseline_refused
    assert record.no_echo_leaves == (("Tags", 0, "Value"), ("Name",))


@pytest.mark.parametrize("version", range(1, 12))
def test_every_version_from_1_to_11_is_readable(version: int) -> None:
    assert parse({"version": version, "resources": {"Q": row()}}).version == version


def test_a_record_without_a_version_is_version_1_with_its_defaults() -> None:
    state = parse({"resources": {"Q": row()}})
    record = state.records["Q"]

    assert state.version == 1
    assert (record.observed, record.provisioned_by, record.baseline_refused) == (None, "sdk", False)
    assert record.baseline == {"DelaySeconds": 1}


@pytest.mark.parametrize(
    ("version", "named"),
    [
        (12, "12"),
        (0, "0"),
        (-1, "-1"),
        ("8", '"8"'),
        (None, "null"),
        (True, "true"),
        (8.5, "8.5"),
        ([8], "[8]"),
    ],
)
def test_any_other_version_is_refused_by_name_and_as_too_new_for_this_scanner(
    version: Any, named: str
) -> None:
    with pytest.raises(StateUnreadable) as caught:
        parse({"version": version, "resources": {}})
    assert f"version {named}," in str(caught.value)
    assert "scanner is too old" in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"version": 8',
        b'{"version": NaN}',
        b'{"version": 1e999}',
        b'"\\ud800"',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"[" * 5000,
        b"null",
        b"[]",
        b"7",
    ],
)
def test_a_body_that_is_no_json_object_is_an_error_that_names_the_object(body: bytes) -> None:
    with pytest.raises(StateUnreadable, match=r"Shop.*eu-west-1.*s3://states/cdkd/Shop/eu-west-1/state.json"):
        parse(body)


def test_an_empty_stack_has_no_records_and_nothing_to_complain_about() -> None:
    state = parse({"version": 8, "resources": {}})
    assert (state.records, state.unreadable, state.warnings) == ({}, (), ())


@pytest.mark.parametrize("resources", [[], "text", 3, True, None])
def test_resources_that_are_no_object_are_one_unreadable_row(resources: Any) -> None:
    state = parse({"version": 8, "resources": resources})
    (bad,) = state.unreadable
    assert (bad.logical_id, bad.cause) == ("(resources map)", Cause.UNREADABLE_MAP)
    assert state.records == {}


def test_a_record_without_resources_is_not_taken_for_an_empty_stack() -> None:
    (bad,) = parse({"version": 8}).unreadable
    assert bad.cause is Cause.UNREADABLE_MAP


@pytest.mark.parametrize(
    ("bad", "resource_type", "reason"),
    [
        ("text", "", "not an object"),
        ([], "", "not an object"),
        (None, "", "not an object"),
        ({"physicalId": "x", "properties": {}}, "", "no resourceType"),
        (row(resourceType=""), "", "no resourceType"),
        (row(resourceType=5), "", "resourceType is not text"),
        (row(properties=[]), "AWS::SQS::Queue", "properties is not an object"),
        (row(properties=None), "AWS::SQS::Queue", "properties is not an object"),
        ({"resourceType": "AWS::SQS::Queue"}, "AWS::SQS::Queue", "no properties"),
        (row(observedProperties=[]), "AWS::SQS::Queue", "observedProperties is not an object"),
        (row(physicalId=5), "AWS::SQS::Queue", "physicalId is not text"),
    ],
)
def test_a_row_that_is_no_resource_record_is_named_and_the_others_go_on(
    bad: Any, resource_type: str, reason: str
) -> None:
    state = parse({"version": 8, "resources": {"Good": row(), "Bad": bad, "AlsoGood": row()}})
    (unreadable,) = state.unreadable

    assert list(state.records) == ["Good", "AlsoGood"]
    assert (unreadable.logical_id, unreadable.cause) == ("Bad", Cause.UNREADABLE_RECORD)
    assert unreadable.resource_type == resource_type
    assert reason in unreadable.reason


def test_the_reason_of_a_bad_row_shows_none_of_its_values() -> None:
    state = parse({"version": 8, "resources": {"Bad": row(properties="hunter2"), "Worse": "hunter2"}})
    assert len(state.unreadable) == 2
    assert "hunter2" not in repr(state.unreadable)


@pytest.mark.parametrize("missing", [{"physicalId": None}, {"physicalId": ""}])
def test_a_row_without_a_physical_id_stays_a_record(missing: dict[str, Any]) -> None:
    assert parse({"resources": {"Q": row(**missing)}}).records["Q"].physical_id == ""


@pytest.mark.parametrize(
    "leaves",
    ["Name", {"a": 1}, ["Name"], [["Name", True]], [["Name", 1.5]], [["Name", -1]], [[]], [["a"], None]],
)
def test_malformed_no_echo_leaves_count_as_absent(leaves: Any) -> None:
    state = parse({"version": 11, "resources": {"Q": row(noEchoLeaves=leaves)}})
    assert state.records["Q"].no_echo_leaves == ()


@pytest.mark.parametrize("value", ["true", 1, {}, None])
def test_only_true_refuses_a_baseline(value: Any) -> None:
    assert not parse({"resources": {"Q": row(observedBaselineRefused=value)}}).records["Q"].baseline_refused


def test_unknown_fields_hinder_nothing() -> None:
    state = parse(
        {"version": 8, "resources": {"Q": row(physical_id="other", future={"a": 1})}, "orphans": [1]}
    )
    assert state.records["Q"].physical_id == "q"


def test_a_region_in_the_body_that_disagrees_with_the_key_warns_without_naming_a_value() -> None:
    state = parse({"version": 8, "region": "ap-south-1", "resources": {}})
    (warning,) = state.warnings
    assert "region" in warning
    assert "ap-south-1" not in warning
    assert "eu-west-1" not in warning
    assert state.ref.region == "eu-west-1"


def test_a_region_in_the_body_that_agrees_is_no_news() -> None:
    assert parse({"version": 8, "region": "eu-west-1", "resources": {}}).warnings == ()


def test_regions_that_outputs_or_exports_were_read_from_are_foreign_unless_they_are_the_own() -> None:
    state = parse(
        {
            "version": 8,
            "resources": {},
            "imports": [{"sourceStack": "A", "sourceRegion": "us-east-1", "exportName": "x"}],
            "outputReads": [
                {"sourceStack": "B", "sourceRegion": "eu-west-1", "outputName": "y"},
                {"sourceStack": "C", "sourceRegion": "us-west-2", "outputName": "z"},
            ],
        }
    )
    assert state.foreign_regions == {"us-east-1", "us-west-2"}


def test_a_read_without_a_region_is_one_in_the_own_region() -> None:
    state = parse({"version": 8, "resources": {}, "imports": [{"sourceStack": "A"}], "outputReads": None})
    assert state.foreign_regions == frozenset()


@pytest.mark.parametrize("imports", ["text", {"a": 1}, ["text"], [{"sourceRegion": 7}]])
def test_a_damaged_list_of_reads_makes_references_ambiguous_rather_than_safe(imports: Any) -> None:
    assert parse({"version": 8, "resources": {}, "imports": imports}).foreign_regions == {UNKNOWN_REGION}


def test_a_nested_stack_knows_its_parent() -> None:
    nested = {"version": 8, "resources": {}, "parentStack": "Root", "parentLogicalId": "Child"}
    assert parse({**nested, "parentRegion": "us-east-1"}).parent == StackRef("Root", "us-east-1")
    assert parse(nested).parent == StackRef("Root", "eu-west-1")
    assert parse({**nested, "parentStack": None}).parent is None


def test_control_characters_in_names_never_reach_an_error_message() -> None:
    hostile = StackRef("Sh\x1b[31mop\n\u202e", "eu\r-1")
    origin = StateOrigin(bucket="b", key="cdkd/Sh\x1b\n\u2028/state.json", etag="e")
    for body in (b"{", b'{"version": "12\\u001b[0m\\n"}', b"[]"):
        with pytest.raises(StateUnreadable) as caught:
            parse_state(body, hostile, origin)
        assert str(caught.value).isprintable()
        assert "\\u001b" in str(caught.value)


@pytest.mark.parametrize("field", ["noEchoLeaves", "noEchoAttributeNames"])
def test_the_version_rises_to_11_only_for_a_field_of_11(field: str) -> None:
    assert version_to_write({"resources": {"Q": row()}}, 5) == 5
    assert version_to_write({"resources": {"Q": row(**{field: []}), "Bad": 3}}, 5) == 11
    assert version_to_write({"resources": []}, 5) == 5
