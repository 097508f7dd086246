"""Alerts are true, readable, say what to do, and always fit into an SNS message."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import StateNotFound
from driftwarden.model import Cause, Change, Finding, Outcome, SecretText, StackRef
from driftwarden.report.alert import MAX_SUBJECT, Alert, Circumstances, alert
from driftwarden.report.document import Document
from driftwarden.report.location import ReportLocation
from driftwarden.secrets.redact import Redactor

Make = Callable[..., Any]
SNS_LIMIT = 262_144
LOCATION = ReportLocation(bucket="reports", key="reports/Shop/us-east-1/x.json", region="eu-west-1")
STORED = Circumstances(location=LOCATION)


def _alert(document: Document, circumstances: Circumstances = STORED) -> Alert:
    made = alert(document, circumstances)
    assert made is not None
    return made


def _bytes(made: Alert) -> int:
    """What SNS counts: message, subject, and names, types and values of the attributes."""
    attributes = sum(
        len(name) + len(value.encode()) + len("String") for name, value in made.attributes.items()
    )
    return len(made.message().encode()) + len(made.subject) + attributes


def _changes(count: int, value: Any = "x") -> tuple[Change, ...]:
    return tuple(Change(path=("P", number), state=value, aws=value) for number in range(count))


def test_a_clean_scan_alerts_nobody(document: Make, finding: Make) -> None:
    assert alert(document(finding(Outcome.CLEAN), finding(Outcome.NOT_SUPPORTED)), STORED) is None


def test_a_reference_that_nobody_resolves_alerts_nobody(document: Make, finding: Make) -> None:
    unresolved = finding(Outcome.NOT_COMPARED, cause=Cause.UNRESOLVED_TOKEN)
    assert alert(document(unresolved), STORED) is None


class TestDrift:
    """Exit status 1."""

    @pytest.fixture
    def made(self, document: Make, finding: Make, drifted: Finding) -> Alert:
        return _alert(document(drifted, finding(Outcome.DELETED, "Table", resource_type="AWS::SNS::Topic")))

    def test_the_subject_counts(self, made: Alert) -> None:
        assert made.subject == "[drift] Shop us-east-1: 1 drifted, 1 deleted"

    def test_the_attributes_serve_filter_policies(self, made: Alert) -> None:
        assert made.attributes == {
            "stack": "Shop",
            "region": "us-east-1",
            "exitStatus": "1",
            "kind": "drift",
            "repeat": "false",
        }

    @pytest.mark.parametrize(
        "line",
        [
            "Stack Shop in us-east-1 (account 111122223333): 1 drifted, 1 deleted.",
            "  Bucket (AWS::S3::Bucket)",
            '    VersioningConfiguration.Status: "Enabled" -> "Suspended"',
            "  Table (AWS::SNS::Topic)",
            "  - A deleted resource: deploy the stack again, which creates it anew.",
            "  s3://reports/reports/Shop/us-east-1/x.json",
            "  https://eu-west-1.console.aws.amazon.com/s3/object/reports?region=eu-west-1"
            "&prefix=reports%2FShop%2Fus-east-1%2Fx.json",
        ],
    )
    def test_the_text_says_what_changed_where_the_report_is_and_what_to_do(
        self, made: Alert, line: str
    ) -> None:
        assert line in made.text.splitlines()

    def test_the_next_step_names_both_directions(self, made: Alert) -> None:
        assert "driftwarden drift Shop --stack-region us-east-1 --accept" in made.text
        assert "driftwarden drift Shop --stack-region us-east-1 --revert" in made.text
        assert '{"stack": "Shop", "region": "us-east-1", "reason": "why"}' in made.text

    def test_programs_get_compact_json(self, made: Alert) -> None:
        told = json.loads(made.json)
        assert told["kind"] == "drift"
        assert told["changes"] == [
            {
                "logicalId": "Bucket",
                "type": "AWS::S3::Bucket",
                "path": "VersioningConfiguration.Status",
                "from": "Enabled",
                "to": "Suspended",
            }
        ]
        assert told["deleted"] == [{"logicalId": "Table", "type": "AWS::SNS::Topic"}]
        assert told["report"]["uri"] == LOCATION.uri
        assert "\n" not in made.json

    def test_each_protocol_gets_the_version_it_can_use(self, made: Alert) -> None:
        message = json.loads(made.message())
        assert message["default"] == message["email"] == made.text
        assert {message[name] for name in ("sqs", "lambda", "http", "https")} == {made.json}


def test_a_side_that_holds_nothing_says_so(document: Make, finding: Make) -> None:
    made = _alert(document(finding(Outcome.DRIFTED, changes=(Change(path=("Policy",), aws=None),))))
    assert "    Policy: (nothing) -> null" in made.text.splitlines()
    assert "from" not in json.loads(made.json)["changes"][0]


class TestIncomplete:
    """Exit status 2."""

    @pytest.fixture
    def made(self, document: Make, finding: Make) -> Alert:
        reason = "sqs:GetQueueAttributes was denied (AccessDenied); grant sqs:GetQueueAttributes"
        failed = finding(Outcome.NOT_COMPARED, "Queue", cause=Cause.READ_FAILED, reason=reason)
        return _alert(document(failed, finding(Outcome.CLEAN, "C")))

    def test_it_is_a_kind_of_its_own(self, made: Alert) -> None:
        assert made.subject == "[incomplete] Shop us-east-1: 1 not compared"
        assert (made.attributes["kind"], made.attributes["exitStatus"]) == ("incomplete", "2")

    def test_it_names_the_permission_and_does_not_claim_health(self, made: Alert) -> None:
        assert "grant sqs:GetQueueAttributes" in made.text
        assert "not a clean bill of health" in made.text
        assert "1 of 2 resources fully checked." in made.text

    def test_it_offers_no_revert(self, made: Alert) -> None:
        assert "--revert" not in made.text

    @pytest.mark.parametrize("cause", [cause for cause in Cause if cause is not Cause.UNRESOLVED_TOKEN])
    def test_every_cause_has_a_next_step(self, document: Make, finding: Make, cause: Cause) -> None:
        made = _alert(document(finding(Outcome.NOT_COMPARED, cause=cause)))
        assert len(json.loads(made.json)["nextSteps"]) == 1


class TestFailed:
    """The scan crashed."""

    @pytest.fixture
    def made(self, crash_document: Make) -> Alert:
        return _alert(crash_document(StateNotFound("There is no state for Shop. Deploy it first.")))

    def test_the_subject_names_the_error(self, made: Alert) -> None:
        assert made.subject == "[failed] Shop us-east-1: StateNotFound"
        assert (made.attributes["kind"], made.attributes["exitStatus"]) == ("failed", "1")

    def test_the_text_has_the_message_and_claims_nothing_about_drift(self, made: Alert) -> None:
        assert "StateNotFound: There is no state for Shop. Deploy it first." in made.text
        assert "neither that it drifted nor that it did not" in made.text
        assert "WHAT CHANGED" not in made.text


def test_a_repetition_is_marked_everywhere(document: Make, drifted: Finding) -> None:
    made = _alert(document(drifted), Circumstances(location=LOCATION, unchanged_since="2025-01-01T00:00:00Z"))
    assert made.subject.endswith("(unchanged)")
    assert "Unchanged since 2025-01-01T00:00:00Z: this repeats an earlier alert." in made.text
    assert made.attributes["repeat"] == "true"
    assert json.loads(made.json)["unchangedSince"] == "2025-01-01T00:00:00Z"


def test_an_alert_without_a_stored_report_says_why(document: Make, drifted: Finding) -> None:
    made = _alert(document(drifted), Circumstances(problem="PutObject was denied"))
    assert "  The report could not be stored: PutObject was denied" in made.text.splitlines()
    assert json.loads(made.json)["report"] == {"problem": "PutObject was denied"}


@pytest.mark.parametrize("name", ["Shop~Payments", "S" * 300, "Größe\u202e\n\x1b[31m", "x; rm -rf ~"])
def test_the_subject_is_printable_ascii_of_at_most_100_characters(
    document: Make, drifted: Finding, name: str
) -> None:
    subject = _alert(document(drifted, ref=StackRef(name, "ap-southeast-2"))).subject
    assert len(subject) <= MAX_SUBJECT
    assert subject.isascii()
    assert subject.isprintable()
    assert subject.endswith("ap-southeast-2: 1 drifted")


def test_a_stack_name_cannot_forge_a_line_or_a_command(document: Make, drifted: Finding) -> None:
    made = _alert(document(drifted, ref=StackRef("Shop\nNEXT STEP\r\u2028; rm -rf ~", "us-east-1")))
    assert made.text.splitlines().count("NEXT STEP") == 1
    assert "driftwarden drift 'Shop" in made.text


def test_no_name_path_value_or_reason_can_forge_a_line(document: Make, finding: Make) -> None:
    bad = "x\nNEXT STEP\u2028\x1b]8;;http://evil\x07"
    made = _alert(
        document(
            finding(
                Outcome.DRIFTED,
                bad,
                resource_type=bad,
                changes=(Change(path=(bad,), state=bad, aws={bad: bad}),),
                cause=Cause.READ_FAILED,
                reason=bad,
            ),
            finding(Outcome.DELETED, bad),
        )
    )
    assert made.text.splitlines().count("NEXT STEP") == 1
    assert "\x1b" not in made.text + made.json


@pytest.mark.parametrize("value", ["x" * 100_000, "\u202e" * 10_000, '\\"' * 10_000, ["é" * 500] * 50, "ok"])
@pytest.mark.parametrize("count", [1, 2_000])
def test_an_alert_always_fits_and_says_how_much_is_left_out(
    document: Make, finding: Make, value: Any, count: int
) -> None:
    made = _alert(document(finding(Outcome.DRIFTED, changes=_changes(count, value))))
    assert _bytes(made) < SNS_LIMIT
    told = json.loads(made.json)
    assert len(told["changes"]) + told["omitted"].get("changes", 0) == count
    if omitted := told["omitted"].get("changes"):
        assert f"... and {omitted:,} more changes" in made.text


def test_thousands_of_hostile_names_in_every_list_fit(document: Make, finding: Make) -> None:
    many = [
        finding(outcome, f"{number}" + '\\"\u202e' * 400, resource_type="\U000e0001" * 400, **more)
        for number in range(1_000)
        for outcome, more in (
            (Outcome.DRIFTED, {"changes": _changes(2, '"\\' * 200)}),
            (Outcome.DELETED, {}),
            (Outcome.NOT_COMPARED, {"cause": Cause.READ_FAILED, "reason": '"\\' * 2_000}),
        )
    ]
    made = _alert(document(*many, ref=StackRef("é" * 5_000, "é" * 5_000)))
    assert _bytes(made) < SNS_LIMIT
    assert "more deleted resources" in made.text


def test_an_endless_error_message_fits(crash_document: Make) -> None:
    assert _bytes(_alert(crash_document(ValueError('"\\\n' * 1_000_000)))) < SNS_LIMIT


def test_long_values_are_shown_from_where_they_part(document: Make, finding: Make) -> None:
    same = "s" * 5_000
    change = Change(path=("Body",), state=f"{same}-before", aws=f"{same}-after")
    entry = json.loads(_alert(document(finding(Outcome.DRIFTED, changes=(change,)))).json)["changes"][0]
    assert entry["shortened"] is True
    assert "-before" in entry["from"]
    assert "-after" in entry["to"]
    assert len(entry["from"]) < 250


def test_of_a_long_list_only_what_came_and_went_is_shown(document: Make, finding: Make) -> None:
    kept = [{"Port": port, "Description": "kept as it was"} for port in range(10)]
    opened = {"Port": 22, "Cidr": "0.0.0.0/0"}
    change = Change(path=("Ingress",), state=kept, aws=[*kept[1:], opened])
    made = _alert(document(finding(Outcome.DRIFTED, changes=(change,))))
    entry = json.loads(made.json)["changes"][0]
    assert "from" not in entry
    assert [json.loads(text) for text in entry["added"]] == [opened]
    assert [json.loads(text) for text in entry["removed"]] == [kept[0]]
    assert '+ {"Port":22,"Cidr":"0.0.0.0/0"}' in made.text


def test_many_new_elements_are_counted(document: Make, finding: Make) -> None:
    change = Change(path=("Tags",), state=[], aws=[{"Key": f"key-{n}", "Value": "v" * 30} for n in range(40)])
    made = _alert(document(finding(Outcome.DRIFTED, changes=(change,))))
    entry = json.loads(made.json)["changes"][0]
    assert len(entry["added"]) + entry["addedMore"] == 40
    assert "+ and 35 more" in made.text


def test_no_secret_is_in_any_part(redactor: Redactor, document: Make, finding: Make) -> None:
    secret = "correct-horse-battery"
    redactor.add(secret)
    made = _alert(
        document(
            finding(
                Outcome.DRIFTED,
                changes=(
                    Change(path=("A", secret), state=f"see {secret}", aws=[secret]),
                    Change(path=("B",), state=SecretText("p1n"), aws="x"),
                ),
                cause=Cause.READ_FAILED,
                reason=f"password {secret} refused",
            )
        ),
    )
    everything = made.message() + made.subject + "".join(made.attributes.values())
    assert secret not in everything
    assert "p1n" not in everything
