"""The scanner Lambda: it tells the truth to the right people in every ending, and tells no secret."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

import scan_stack.pipeline
from driftwarden.errors import ConfigurationError, DriftwardenError, PublishError, StateNotFound
from driftwarden.model import Cause, Change, Finding, Outcome
from driftwarden.report.deliver import Courier

Make = Callable[..., None]
LATEST = "latest/Shop/us-east-1.json"


def _finding(outcome: Outcome, logical_id: str = "Bucket", **more: Any) -> Finding:
    return Finding(logical_id=logical_id, resource_type="AWS::S3::Bucket", outcome=outcome, **more)


CLEAN = _finding(Outcome.CLEAN)
DRIFTED = _finding(Outcome.DRIFTED, changes=(Change(path=("Status",), state="Enabled", aws="Suspended"),))
UNREAD = _finding(Outcome.NOT_COMPARED, "Queue", cause=Cause.READ_FAILED, reason="grant sqs:Get")


class TestAFinishedScan:
    """Report, latest report, alert when due, metrics, answer."""

    def test_drift_is_reported_alerted_counted_and_returned(
        self, world: Any, event: dict[str, Any], scanned: Make
    ) -> None:
        scanned(DRIFTED, _finding(Outcome.CLEAN, "Other"))
        answer = world.invoke(event)
        assert answer["exitStatus"] == 1
        assert (answer["summary"]["drifted"], answer["summary"]["checked"]) == (1, 2)
        assert world.report(answer["report"]) == world.report(LATEST)
        assert world.report(LATEST)["scanId"] == "request-1"
        assert world.report(LATEST)["account"] == "123456789012"
        (alert,) = world.alerts()
        assert alert["Subject"] == "[drift] Shop us-east-1: 1 drifted"
        assert answer["report"] in json.loads(alert["Message"])["report"]["uri"]

    def test_the_metrics_have_the_stack_as_their_only_dimension(
        self, world: Any, event: dict[str, Any], scanned: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "must-not-become-a-dimension")
        scanned(DRIFTED, UNREAD, _finding(Outcome.DELETED, "Gone"))
        world.invoke(event)
        (record,) = world.metrics()
        directive = record["_aws"]["CloudWatchMetrics"][0]
        assert (directive["Namespace"], directive["Dimensions"]) == ("Driftwarden", [["stack"]])
        assert record["stack"] == "Shop"
        assert {name: record[name] for name in ("Drifted", "Deleted", "NotCompared", "Checked")} == {
            "Drifted": [1],
            "Deleted": [1],
            "NotCompared": [1],
            "Checked": [2],
        }
        assert record["ScanSeconds"][0] >= 0

    def test_a_clean_stack_alerts_nobody(self, world: Any, event: dict[str, Any], scanned: Make) -> None:
        scanned(CLEAN)
        answer = world.invoke(event)
        assert (answer["exitStatus"], answer["alerted"], answer["problems"]) == (0, False, [])
        assert world.alerts() == []
        assert LATEST in world.stored()

    def test_an_incomplete_scan_alerts(self, world: Any, event: dict[str, Any], scanned: Make) -> None:
        scanned(UNREAD)
        assert world.invoke(event)["exitStatus"] == 2
        (alert,) = world.alerts()
        assert alert["MessageAttributes"]["kind"]["Value"] == "incomplete"

    def test_the_same_event_twice_is_harmless_and_the_second_alert_is_marked(
        self, world: Any, event: dict[str, Any], scanned: Make
    ) -> None:
        scanned(DRIFTED)
        answers = [world.invoke(event, request_id=each) for each in ("request-1", "request-2")]
        assert [answer["repeat"] for answer in answers] == [False, True]
        repeats = [alert["MessageAttributes"]["repeat"]["Value"] for alert in world.alerts()]
        assert repeats == ["false", "true"]

    def test_the_log_has_one_line_with_the_result(
        self, world: Any, event: dict[str, Any], scanned: Make
    ) -> None:
        scanned(DRIFTED)
        answer = world.invoke(event)
        (line,) = [json.loads(line) for line in world.log().splitlines()]
        assert (line["stack"], line["function_request_id"], line["result"]) == ("Shop", "request-1", answer)

    def test_the_answer_is_json(self, world: Any, event: dict[str, Any], scanned: Make) -> None:
        scanned(DRIFTED)
        answer = world.invoke(event)
        assert json.loads(json.dumps(answer)) == answer


class TestACrash:
    """It is reported and alerted like any other outcome, then raised."""

    @pytest.fixture
    def crashed(self, world: Any, event: dict[str, Any], scanned: Make) -> Any:
        scanned(error=StateNotFound("There is no state for Shop. Deploy it first."))
        with pytest.raises(DriftwardenError, match="StateNotFound: There is no state for Shop"):
            world.invoke(event)
        return world

    def test_it_leaves_a_report_with_the_error(self, crashed: Any) -> None:
        report = crashed.report(LATEST)
        assert report["error"]["class"] == "StateNotFound"
        assert report["exitStatus"] == 1

    def test_it_alerts(self, crashed: Any) -> None:
        (alert,) = crashed.alerts()
        assert alert["Subject"] == "[failed] Shop us-east-1: StateNotFound"
        assert alert["MessageAttributes"]["kind"]["Value"] == "failed"

    def test_it_writes_no_metrics_so_that_their_absence_raises_an_alarm(self, crashed: Any) -> None:
        assert crashed.metrics() == []

    def test_it_makes_room_for_the_next_scan(
        self, crashed: Any, event: dict[str, Any], scanned: Make
    ) -> None:
        scanned(CLEAN)
        assert crashed.invoke(event, request_id="request-2")["exitStatus"] == 0

    def test_a_fault_of_the_program_is_told_just_as_well(
        self, world: Any, event: dict[str, Any], scanned: Make
    ) -> None:
        scanned(error=ZeroDivisionError("division by zero"))
        with pytest.raises(DriftwardenError, match="ZeroDivisionError"):
            world.invoke(event)
        assert world.report(LATEST)["error"]["class"] == "ZeroDivisionError"
        assert "Traceback" in world.log()


class TestABadEvent:
    """Whatever names a stack is reported under it."""

    @pytest.mark.parametrize(
        ("change", "word"),
        [
            ({"stacks": []}, "stacks"),
            ({"region": "moon"}, "region"),
            ({"undeclared": "maybe"}, "undeclared"),
            ({"reportsBucket": "elsewhere"}, "reportsBucket"),
            ({"roleArn": "admin"}, "roleArn"),
            ({"stack": "S" * 600}, "stack"),
        ],
    )
    def test_the_wrong_field_is_named_and_alerted(
        self, world: Any, event: dict[str, Any], scanned: Make, change: dict[str, Any], word: str
    ) -> None:
        scanned(CLEAN)
        with pytest.raises(DriftwardenError, match=f"UsageError: .*{word}"):
            world.invoke({**event, **change})
        (alert,) = world.alerts()
        assert alert["MessageAttributes"]["kind"]["Value"] == "failed"

    def test_a_stack_without_a_region_is_still_reported(self, world: Any, scanned: Make) -> None:
        scanned(CLEAN)
        with pytest.raises(DriftwardenError, match="region: Field required"):
            world.invoke({"stack": "Shop"})
        assert "latest/Shop/unknown.json" in world.stored()

    @pytest.mark.parametrize("event", [{}, [], None, "Shop", {"stack": ""}, {"stack": 7}])
    def test_an_event_without_a_stack_is_refused(self, world: Any, scanned: Make, event: Any) -> None:
        scanned(CLEAN)
        with pytest.raises(DriftwardenError, match="not a scan request"):
            world.invoke(event)
        assert world.stored() == []

    def test_no_value_of_the_event_is_repeated(
        self, world: Any, event: dict[str, Any], scanned: Make
    ) -> None:
        scanned(CLEAN)
        with pytest.raises(DriftwardenError) as caught:
            world.invoke({**event, "password": "canary"})
        assert "canary" not in str(caught.value) + world.log() + json.dumps(world.alerts())

    @pytest.mark.parametrize(
        ("variable", "field", "asked"),
        [
            ("STATE_BUCKET", "stateBucket", "attacker"),
            ("STATE_PREFIX", "statePrefix", "other"),
            ("ROLE_ARN", "roleArn", "arn:aws:iam::444455556666:role/other"),
        ],
    )
    def test_an_event_cannot_lead_the_function_elsewhere(
        self,
        world: Any,
        event: dict[str, Any],
        scanned: Make,
        monkeypatch: pytest.MonkeyPatch,
        variable: str,
        field: str,
        asked: str,
    ) -> None:
        scanned(CLEAN)
        monkeypatch.setenv(variable, "arn:aws:iam::111122223333:role/reader")
        with pytest.raises(DriftwardenError, match=f"ConfigurationError: .*{field}"):
            world.invoke({**event, field: asked})


class TestTheEnvironment:
    """A function that is deployed wrongly says which variable is wrong."""

    @pytest.mark.parametrize(
        ("variable", "value"),
        [
            ("REPORTS_BUCKET", ""),
            ("ALERTS_TOPIC_ARN", ""),
            ("ALERTS_TOPIC_ARN", "alerts"),
            ("REPORTS_BUCKET_OWNER", "me"),
        ],
    )
    def test_the_variable_is_named(
        self, world: Any, event: dict[str, Any], monkeypatch: pytest.MonkeyPatch, variable: str, value: str
    ) -> None:
        monkeypatch.setenv(variable, value)
        with pytest.raises(ConfigurationError, match=variable):
            world.invoke(event)


class TestDelivery:
    """Report and alert do not need each other."""

    def test_an_alert_without_a_report_says_so(
        self, world: Any, event: dict[str, Any], scanned: Make, denied: Make
    ) -> None:
        scanned(DRIFTED)
        denied(prefix="reports/")
        answer = world.invoke(event)
        assert (answer["report"], answer["alerted"]) == (None, True)
        (alert,) = world.alerts()
        assert "AccessDenied" in json.loads(alert["Message"])["report"]["problem"]
        assert '"level":"ERROR"' in world.log()

    def test_a_report_without_its_alert_is_kept_and_the_lost_alert_raised(
        self, world: Any, event: dict[str, Any], scanned: Make, denied: Make
    ) -> None:
        scanned(DRIFTED)
        denied(publishing=True)
        with pytest.raises(PublishError, match="Publish to"):
            world.invoke(event)
        assert world.report(LATEST)["summary"]["drifted"] == 1

    def test_both_failing_is_raised(
        self, world: Any, event: dict[str, Any], scanned: Make, denied: Make
    ) -> None:
        scanned(DRIFTED)
        denied(prefix="", publishing=True)
        with pytest.raises(PublishError, match=r"PutObject.*Publish to"):
            world.invoke(event)

    def test_a_crash_that_nobody_can_be_told_of_is_raised_with_everything(
        self, world: Any, event: dict[str, Any], scanned: Make, denied: Make
    ) -> None:
        scanned(error=KeyError("x"))
        denied(prefix="", publishing=True)
        with pytest.raises(DriftwardenError, match=r"KeyError.*PutObject.*Publish to"):
            world.invoke(event)


class TestOverlap:
    """One scan of a stack at a time."""

    def test_a_scan_that_comes_while_another_runs_is_skipped(
        self, world: Any, event: dict[str, Any], scanned: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        inner: list[Any] = []
        scanned(CLEAN)
        real = scan_stack.pipeline.scan_one

        def scan_one(*arguments: Any) -> Any:
            monkeypatch.setattr(scan_stack.pipeline, "scan_one", real)
            inner.append(world.invoke(event, request_id="request-2"))
            return real(*arguments)

        monkeypatch.setattr(scan_stack.pipeline, "scan_one", scan_one)
        outer = world.invoke(event)
        assert inner[0]["skipped"].startswith("scan request-1 of this stack is running, at the latest until ")
        assert outer["exitStatus"] == 0
        assert "skipped" in world.log()
        assert len([key for key in world.stored() if key.startswith("reports/")]) == 1

    def test_no_marker_is_left_behind(self, world: Any, event: dict[str, Any], scanned: Make) -> None:
        scanned(CLEAN)
        world.invoke(event)
        assert not [key for key in world.stored() if key.startswith("running/")]

    def test_a_marker_that_cannot_be_set_does_not_stop_the_scan(
        self, world: Any, event: dict[str, Any], scanned: Make, denied: Make
    ) -> None:
        scanned(DRIFTED)
        denied(prefix="running/")
        assert world.invoke(event)["alerted"] is True
        assert "keeps scans of one stack apart" in world.log()


def test_a_scan_that_runs_out_of_time_alerts_before_lambda_ends_it(
    world: Any, event: dict[str, Any], scanned: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned(CLEAN)
    told = threading.Event()
    real_scan, real_deliver = scan_stack.pipeline.scan_one, Courier.deliver

    def endless(*arguments: Any) -> Any:
        assert told.wait(timeout=30)
        return real_scan(*arguments)

    def deliver(self: Any, document: Any) -> Any:
        delivery = real_deliver(self, document)
        told.set()
        return delivery

    monkeypatch.setattr(scan_stack.pipeline, "scan_one", endless)
    monkeypatch.setattr(Courier, "deliver", deliver)
    world.invoke(event, milliseconds=100)
    assert world.alerts()[0]["Subject"] == "[failed] Shop us-east-1: TimeoutError"


class TestSecrets:
    """Nothing that leaves the function holds a secret that the scan met."""

    CANARY = "correct-horse/battery+staple"

    def _everything(self, world: Any, answer: Any) -> str:
        stored = "".join(
            world.s3.get_object(Bucket="reports", Key=key)["Body"].read().decode() + key
            for key in world.stored()
        )
        alerts = json.dumps(world.alerts())
        return "\n".join((stored, alerts, world.log(), world.printed(), json.dumps(answer, default=str)))

    def test_in_changes_reasons_and_warnings(self, world: Any, event: dict[str, Any], scanned: Make) -> None:
        change = Change(
            path=("Variables", self.CANARY), state=f"x{self.CANARY}", aws={self.CANARY: [self.CANARY]}
        )
        scanned(
            _finding(
                Outcome.DRIFTED,
                changes=(change,),
                appeared=(change,),
                cause=Cause.READ_FAILED,
                reason=f"could not log in with {self.CANARY}",
            ),
            warnings=(f"look: {self.CANARY}",),
            learns=(self.CANARY,),
        )
        everything = self._everything(world, world.invoke(event))
        assert "***" in everything
        assert self.CANARY not in everything

    @pytest.mark.parametrize("kind", [StateNotFound, KeyError, UnicodeError])
    def test_in_an_exception_and_its_cause(
        self, world: Any, event: dict[str, Any], scanned: Make, kind: type[Exception]
    ) -> None:
        error = kind(f"could not log in with {self.CANARY}")
        error.__cause__ = ValueError(f"server said: {self.CANARY}\n\x1b[31mforged line")
        scanned(error=error, learns=(self.CANARY,))
        with pytest.raises(DriftwardenError) as caught:
            world.invoke(event)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
        everything = self._everything(world, str(caught.value))
        # The text of an error of our own is shown, without the secret; that of any other error is not.
        assert ("could not log in with ***" in everything) == (kind is StateNotFound)
        assert kind.__name__ in everything
        assert self.CANARY not in everything
        assert "\x1b" not in everything

    def test_in_what_a_service_answers(
        self, world: Any, event: dict[str, Any], scanned: Make, denied: Make
    ) -> None:
        scanned(DRIFTED, learns=(self.CANARY,))
        denied(prefix="reports/", message=f"no {self.CANARY}")
        everything = self._everything(world, world.invoke(event))
        assert "no ***" in everything
        assert self.CANARY not in everything

    @pytest.mark.parametrize("library", ["driftwarden.scan", "botocore.retries", "urllib3.connectionpool"])
    def test_in_what_a_library_logs(
        self, world: Any, event: dict[str, Any], scanned: Make, monkeypatch: pytest.MonkeyPatch, library: str
    ) -> None:
        scanned(CLEAN, learns=(self.CANARY,))
        real = scan_stack.pipeline.scan_one

        def talkative(*arguments: Any) -> Any:
            report = real(*arguments)
            logging.getLogger(library).warning("retrying %s\n\x1b[31mforged", {"password": self.CANARY})
            return report

        monkeypatch.setattr(scan_stack.pipeline, "scan_one", talkative)
        everything = self._everything(world, world.invoke(event))
        assert "retrying" in world.log()
        assert self.CANARY not in everything
        assert "\x1b" not in everything

    def test_the_credentials_of_the_function_itself(
        self, world: Any, event: dict[str, Any], scanned: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        credential = "FwoGZXIvYXdzEXAMPLEsessionTOKEN0123456789"
        monkeypatch.setenv("AWS_SESSION_TOKEN", credential)
        scanned(error=RuntimeError(f"bad token {credential}"))
        with pytest.raises(DriftwardenError) as caught:
            world.invoke(event)
        assert credential not in self._everything(world, str(caught.value))

    def test_they_are_forgotten_afterwards(self, world: Any, event: dict[str, Any], scanned: Make) -> None:
        from runtime import redactor

        scanned(CLEAN, learns=(self.CANARY,))
        world.invoke(event)
        assert redactor.redact_text(self.CANARY) == self.CANARY
