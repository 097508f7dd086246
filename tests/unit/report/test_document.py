"""The S3 report: schema version 1, without secrets, and never clean after a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from driftwarden import __version__
from driftwarden.errors import StateError, StateNotFound
from driftwarden.model import Cause, Change, Finding, IgnoredChange, Outcome, StackRef, StateOrigin
from driftwarden.report.document import Document, fingerprint, schema_text
from driftwarden.secrets.redact import Redactor

Make = Callable[..., Any]
SECRET = "correct-horse-battery"


def _stored(document: Document) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(document.json_bytes())
    return stored


def test_the_schema_in_the_package_is_the_one_of_the_models() -> None:
    kept = files("driftwarden.report").joinpath("report.schema.json").read_text(encoding="utf-8")
    assert kept == schema_text(), "run: python -m driftwarden.report.document"


def test_a_finished_scan_has_exactly_the_documented_shape(
    finding: Make, document: Make, drifted: Finding
) -> None:
    origin = StateOrigin(bucket="state", key="cdkd/Shop/us-east-1/state.json", etag='"e"', version_id="v1")
    stored = _stored(document(drifted, finding(Outcome.NOT_SUPPORTED, "X"), origin=origin))
    report = stored.pop("report")
    assert report["drifted"][0]["logicalId"] == "Bucket"
    assert stored == {
        "schemaVersion": 1,
        "scanId": "scan-1",
        "tool": {"name": "driftwarden", "version": __version__},
        "account": "111122223333",
        "stack": "Shop",
        "region": "us-east-1",
        "startedAt": "2025-01-31T08:15:00Z",
        "finishedAt": "2025-01-31T08:16:30Z",
        "exitStatus": 1,
        "state": {
            "bucket": "state",
            "key": "cdkd/Shop/us-east-1/state.json",
            "etag": '"e"',
            "versionId": "v1",
            "lastModified": None,
        },
        "summary": {
            "resources": 2,
            "checked": 1,
            "drifted": 1,
            "deleted": 0,
            "notCompared": 0,
            "notSupported": 1,
            "skipped": 0,
            "masked": 0,
        },
    }


def test_every_kind_of_document_is_valid_under_the_schema(
    finding: Make, document: Make, crash_document: Make, drifted: Finding
) -> None:
    change = drifted.changes[0]
    everything = [
        finding(outcome, outcome.value, changes=(change,), appeared=(change,), masked=(("A", 0),))
        for outcome in Outcome
    ]
    ignored = finding(Outcome.CLEAN, "I", ignored=(IgnoredChange(change=change, reason="known"),))
    made = document(*everything, ignored, warnings=("w",), origin=StateOrigin(bucket="b", key="k", etag="e"))
    for each in (made, document(), crash_document(KeyError("x"))):
        jsonschema.validate(_stored(each), json.loads(schema_text()))


def test_only_what_was_wholly_compared_counts_as_checked(finding: Make, document: Make) -> None:
    summary = document(
        finding(Outcome.CLEAN, "A"),
        finding(Outcome.DELETED, "B"),
        finding(Outcome.DRIFTED, "C", cause=Cause.REFUSED),
        finding(Outcome.NOT_COMPARED, "D", cause=Cause.READ_FAILED),
        finding(Outcome.NOT_SUPPORTED, "E"),
        finding(Outcome.SKIPPED, "F"),
        finding(Outcome.CLEAN, "G", masked=(("Value",),)),
    ).summary
    assert (summary.resources, summary.checked, summary.not_compared, summary.masked) == (7, 3, 2, 1)


def test_the_reason_of_an_uncompared_resource_is_kept_beside_the_report(
    finding: Make, document: Make
) -> None:
    made = document(finding(Outcome.NOT_COMPARED, "F", cause=Cause.READ_FAILED, reason="grant sqs:Get"))
    assert _stored(made)["reasons"] == [{"logicalId": "F", "reason": "grant sqs:Get"}]


def test_a_crash_has_its_error_and_no_verdicts(crash_document: Make) -> None:
    stored = _stored(crash_document(StateNotFound("There is no state for Shop.")))
    assert stored["error"] == {"class": "StateNotFound", "message": "There is no state for Shop."}
    assert stored["exitStatus"] == 1
    assert "report" not in stored
    assert set(stored["summary"].values()) == {0}


def test_no_known_secret_is_stored(
    redactor: Redactor, finding: Make, document: Make, crash_document: Make
) -> None:
    redactor.add(SECRET)
    change = Change(path=("Variables", f"k-{SECRET}"), state={"a": [f"x{SECRET}y"]}, aws=SECRET)
    made = document(
        finding(
            Outcome.DRIFTED,
            changes=(change,),
            appeared=(change,),
            ignored=(IgnoredChange(change=change, reason=SECRET),),
            masked=(("Map", SECRET),),
            cause=Cause.READ_FAILED,
            reason=f"could not use {SECRET}",
        ),
        warnings=(f"beware of {SECRET}",),
    )
    for each in (made, crash_document(StateError(f"bad password {SECRET}"))):
        assert SECRET.encode() not in each.json_bytes()
        assert b"***" in each.json_bytes()


def test_the_text_of_a_foreign_error_is_not_stored(crash_document: Make) -> None:
    stored = crash_document(KeyError("whatever it quotes")).json_bytes()
    assert b"KeyError" in stored
    assert b"quotes" not in stored


@pytest.mark.parametrize("value", [object(), b"\xff", "\ud800", 2**100, {"a": {1, 2}}, [[["deep"] * 3] * 3]])
def test_no_value_keeps_a_report_from_being_written(finding: Make, document: Make, value: Any) -> None:
    made = document(finding(Outcome.DRIFTED, changes=(Change(path=("P",), state=value, aws="x"),)))
    assert _stored(made)["report"]["drifted"]


def test_a_hostile_stack_name_is_written_as_escapes(document: Make) -> None:
    text = document(ref=StackRef("Shop\u202e\n\x1b[31m\ud800", "us-east-1")).json_bytes()
    assert "\u202e".encode() not in text
    assert b"\x1b" not in text


class TestFingerprint:
    """Two documents have the same one when they tell an operator the same."""

    LATER = datetime(2025, 2, 1, tzinfo=UTC)

    def test_time_does_not_matter(self, document: Make, drifted: Finding) -> None:
        assert fingerprint(document(drifted)) == fingerprint(document(drifted, finished=self.LATER))

    def test_resources_that_are_clean_do_not_matter(
        self, document: Make, finding: Make, drifted: Finding
    ) -> None:
        assert fingerprint(document(drifted)) == fingerprint(document(drifted, finding(Outcome.CLEAN, "C")))

    def test_another_live_value_matters(self, document: Make, finding: Make, drifted: Finding) -> None:
        other = finding(Outcome.DRIFTED, changes=(Change(path=drifted.changes[0].path, aws="Other"),))
        assert fingerprint(document(drifted)) != fingerprint(document(other))

    @pytest.mark.parametrize("outcome", [Outcome.DELETED, Outcome.NOT_COMPARED])
    def test_another_verdict_matters(
        self, document: Make, finding: Make, drifted: Finding, outcome: Outcome
    ) -> None:
        assert fingerprint(document(drifted)) != fingerprint(document(drifted, finding(outcome, "T")))

    def test_a_crash_counts_by_its_class_because_messages_hold_request_ids(
        self, crash_document: Make
    ) -> None:
        prints = {
            fingerprint(crash_document(error)) for error in (KeyError("a"), KeyError("b"), ValueError("a"))
        }
        assert len(prints) == 2

    def test_a_crash_is_not_taken_for_a_clean_scan(self, document: Make, crash_document: Make) -> None:
        assert fingerprint(document()) != fingerprint(crash_document(KeyError("a")))
