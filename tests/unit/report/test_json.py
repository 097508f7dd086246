"""The `--json` object of a stack has exactly the documented shape, and its text is safe anywhere."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driftwarden.model import (
    UNKNOWN,
    Cause,
    Change,
    Finding,
    IgnoredChange,
    Outcome,
    SecretText,
    StackRef,
    StackReport,
)
from driftwarden.report.json import MAX_DEPTH, dumps, stack_object

Make = Callable[..., Finding]


def _object(*findings: Finding, warnings: tuple[str, ...] = ()) -> dict[str, Any]:
    return stack_object(StackReport(ref=StackRef("Shop", "us-east-1"), findings=findings, warnings=warnings))


def test_every_group_has_its_documented_entry(finding: Make) -> None:
    change = Change(path=("Versioning", "Status"), state="Enabled", aws="Suspended")
    assert _object(
        finding(Outcome.DRIFTED, "B", changes=(change,)),
        finding(Outcome.CLEAN, "C"),
        finding(Outcome.NOT_COMPARED, "F", cause=Cause.REFUSED, references_unresolved=True, reason="why"),
        finding(Outcome.NOT_SUPPORTED, "N", reason="nothing reads it"),
        finding(Outcome.SKIPPED, "S"),
        finding(Outcome.DELETED, "T"),
        finding(Outcome.CLEAN, "V", masked=(("Value",), ("Tags", 0, "Value"))),
        warnings=("look here",),
    ) == {
        "stack": "Shop",
        "region": "us-east-1",
        "drifted": [
            {
                "logicalId": "B",
                "type": "AWS::S3::Bucket",
                "referencesUnresolved": False,
                "changes": [{"path": "Versioning.Status", "stateValue": "Enabled", "awsValue": "Suspended"}],
            }
        ],
        "deleted": [{"logicalId": "T", "type": "AWS::S3::Bucket"}],
        "clean": [
            {"logicalId": "C", "type": "AWS::S3::Bucket", "referencesUnresolved": False},
            {"logicalId": "V", "type": "AWS::S3::Bucket", "referencesUnresolved": False},
        ],
        "notSupported": [{"logicalId": "N", "type": "AWS::S3::Bucket"}],
        "skipped": [{"logicalId": "S", "type": "AWS::S3::Bucket"}],
        "notCompared": [
            {
                "logicalId": "F",
                "type": "AWS::S3::Bucket",
                "referencesUnresolved": True,
                "cause": "refused",
            }
        ],
        "masked": [{"logicalId": "V", "type": "AWS::S3::Bucket", "paths": ["Value", "Tags[0].Value"]}],
        "warnings": ["look here", "F (AWS::S3::Bucket): why"],
    }


def test_the_groups_that_not_every_stack_needs_are_left_out_when_empty() -> None:
    assert _object() == {
        "stack": "Shop",
        "region": "us-east-1",
        "drifted": [],
        "deleted": [],
        "clean": [],
        "notSupported": [],
        "skipped": [],
        "notCompared": [],
    }


def test_what_appeared_and_what_rules_ignore_have_groups_of_their_own(finding: Make) -> None:
    change = Change(path=("Policies",), aws=["Admin"])
    made = _object(
        finding(Outcome.CLEAN, "A", appeared=(change,)),
        finding(Outcome.CLEAN, "I", ignored=(IgnoredChange(change=change, reason="autoscaled"),)),
    )
    assert made["appeared"] == [
        {
            "logicalId": "A",
            "type": "AWS::S3::Bucket",
            "changes": [{"path": "Policies", "awsValue": ["Admin"]}],
        }
    ]
    assert made["ignored"] == [
        {
            "logicalId": "I",
            "type": "AWS::S3::Bucket",
            "changes": [{"path": "Policies", "awsValue": ["Admin"], "reason": "autoscaled"}],
        }
    ]


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        (Change(path=("P",), state=1), {"path": "P", "stateValue": 1}),
        (Change(path=("P",), aws=1), {"path": "P", "awsValue": 1}),
        (Change(path=("P",), state=None, aws=False), {"path": "P", "stateValue": None, "awsValue": False}),
    ],
)
def test_a_side_that_holds_nothing_is_left_out_and_null_is_something(
    finding: Make, change: Change, entry: dict[str, Any]
) -> None:
    assert _object(finding(Outcome.DRIFTED, changes=(change,)))["drifted"][0]["changes"] == [entry]


def test_a_drifted_resource_that_was_compared_in_part_is_in_both_groups(finding: Make) -> None:
    made = _object(finding(Outcome.DRIFTED, cause=Cause.REFUSED, references_unresolved=True))
    assert [entry["referencesUnresolved"] for entry in (made["drifted"] + made["notCompared"])] == [
        True,
        True,
    ]


@pytest.mark.parametrize("indent", [False, True])
def test_no_invisible_character_survives_in_the_text(indent: bool) -> None:
    hostile = "".join(
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}
    )
    text = dumps({hostile: [hostile]}, indent=indent).decode()
    assert not set(text) & set(hostile) - {"\n"}
    assert json.loads(text) == {hostile: [hostile]}


def test_readable_letters_of_any_script_stay_readable() -> None:
    assert dumps({"name": "Größe 大きさ"}).decode() == '{"name":"Größe 大きさ"}'


class _Opaque:
    def __repr__(self) -> str:
        return "canary-in-a-repr"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (SecretText("canary"), '"***"'),
        ({SecretText("canary"): 1}, '{"***":1}'),
        (UNKNOWN, '"<Marker>"'),
        (_Opaque(), '"<_Opaque>"'),
        ({_Opaque(): 1}, '{"<_Opaque>":1}'),
        (b"\x00\x01", '"AAE="'),
        (datetime(2025, 1, 31, tzinfo=UTC), '"2025-01-31T00:00:00+00:00"'),
        (Decimal("1.5"), "1.5"),
        (float("nan"), '"nan"'),
        (float("-inf"), '"-inf"'),
        (2**62, str(2**62)),
        (2**5_000, '"<integer of 5001 bits>"'),
        ({1: "one"}, '{"1":"one"}'),
        ({"b", "a"}, '["a","b"]'),
        ("half \ud83d a pair", '"half ? a pair"'),
    ],
)
def test_what_json_cannot_hold_becomes_a_text_that_leaks_nothing(value: Any, text: str) -> None:
    assert dumps(value).decode() == text


def test_bottomless_nesting_is_cut_instead_of_crashing() -> None:
    value: Any = "bottom"
    for _ in range(5_000):
        value = [value]
    text = dumps(value).decode()
    assert text == "[" * MAX_DEPTH + f'"<nested deeper than {MAX_DEPTH} levels>"' + "]" * MAX_DEPTH


def test_a_value_of_many_megabytes_is_written_whole() -> None:
    value = {"Body": "x" * 5_000_000}
    assert json.loads(dumps(value)) == value


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(max_examples=50, deadline=None)
@given(JSON, st.booleans())
def test_any_json_value_is_read_back_as_it_was(value: Any, indent: bool) -> None:
    assert json.loads(dumps(value, indent=indent)) == value
