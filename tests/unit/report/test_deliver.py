"""Report and alert go out independently; nobody misses an alert because of a repetition that was none."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from driftwarden.model import Change, Finding, Outcome
from driftwarden.report.deliver import Courier, Delivery
from driftwarden.report.document import Document
from driftwarden.secrets.redact import Redactor

Make = Callable[..., Any]
NEXT_DAY = datetime(2025, 2, 1, tzinfo=UTC)


@pytest.fixture
def deliver(world: SimpleNamespace, redactor: Redactor) -> Callable[[Document], Delivery]:
    return Courier(world.clients, world.bucket, world.topic, redactor).deliver


def _received(world: SimpleNamespace) -> list[dict[str, Any]]:
    answer = world.sqs.receive_message(QueueUrl=world.queue, MaxNumberOfMessages=10)
    return [json.loads(json.loads(message["Body"])["Message"]) for message in answer.get("Messages", [])]


def _is_report(**arguments: Any) -> bool:
    return bool(arguments["Key"].startswith("reports/"))


def _is_latest(**arguments: Any) -> bool:
    return bool(arguments["Key"].startswith("latest/"))


def test_drift_leaves_a_report_a_latest_report_and_an_alert_that_points_there(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make
) -> None:
    delivery = deliver(document(drifted))
    assert delivery.alerted is True
    assert not delivery.lost
    (alert,) = _received(world)
    assert alert["report"]["uri"] == f"s3://reports/{delivery.location.key}"
    latest = world.s3.get_object(Bucket="reports", Key="latest/Shop/us-east-1.json")["Body"].read()
    assert latest == document(drifted).json_bytes()


def test_a_clean_scan_leaves_reports_and_no_alert(
    world: SimpleNamespace, document: Make, deliver: Make
) -> None:
    delivery = deliver(document())
    assert (delivery.alerted, delivery.lost, delivery.problems) == (None, False, ())
    assert _received(world) == []


def test_the_same_drift_is_alerted_again_as_a_repetition_since_the_first_time(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make
) -> None:
    for finished in (None, NEXT_DAY, NEXT_DAY):
        deliver(document(drifted, **({"finished": finished} if finished else {})))
    alerts = _received(world)
    assert [alert["repeat"] for alert in alerts] == [False, True, True]
    assert {alert.get("unchangedSince") for alert in alerts[1:]} == {"2025-01-31T08:16:30Z"}


def test_another_drift_is_news(
    world: SimpleNamespace, document: Make, finding: Make, drifted: Finding, deliver: Make
) -> None:
    other = finding(Outcome.DRIFTED, changes=(Change(path=("P",), aws="other"),))
    for each in (drifted, other, drifted):
        deliver(document(each))
    assert [alert["repeat"] for alert in _received(world)] == [False, False, False]


def test_drift_that_comes_back_after_a_clean_scan_is_news(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make
) -> None:
    for findings in ((drifted,), (), (drifted,)):
        deliver(document(*findings))
    assert [alert["repeat"] for alert in _received(world)] == [False, False]


def test_the_same_crash_is_a_repetition(world: SimpleNamespace, crash_document: Make, deliver: Make) -> None:
    deliver(crash_document(KeyError("request 1")))
    deliver(crash_document(KeyError("request 2")))
    assert [(alert["kind"], alert["repeat"]) for alert in _received(world)] == [
        ("failed", False),
        ("failed", True),
    ]


def test_an_alert_goes_out_without_its_report_and_says_so(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make, failing: Make
) -> None:
    failing(world.bucket.client, "put_object", "AccessDenied", when=_is_report)
    delivery = deliver(document(drifted))
    assert (delivery.location, delivery.alerted, delivery.lost) == (None, True, False)
    assert "PutObject" in _received(world)[0]["report"]["problem"]


def test_a_report_is_stored_without_its_alert_and_the_loss_is_known(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make, failing: Make
) -> None:
    failing(world.clients.reader("sns", "us-east-1"), "publish", "AuthorizationError")
    delivery = deliver(document(drifted))
    assert delivery.location is not None
    assert (delivery.alerted, delivery.lost) == (False, True)
    assert "AuthorizationError" in delivery.problems[0]


def test_an_alert_that_was_lost_does_not_make_the_next_one_a_repetition(
    world: SimpleNamespace,
    document: Make,
    drifted: Finding,
    deliver: Make,
    failing: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = world.clients.reader("sns", "us-east-1")
    with monkeypatch.context() as patched:
        patched.setattr(client, "publish", client.publish)
        failing(client, "publish", "InternalError", status=500)
        deliver(document(drifted))
    deliver(document(drifted))
    assert [alert["repeat"] for alert in _received(world)] == [False]


def test_a_quiet_scan_without_a_report_is_a_loss(
    document: Make, deliver: Make, failing: Make, world: SimpleNamespace
) -> None:
    failing(world.bucket.client, "put_object", "AccessDenied")
    assert deliver(document()).lost


def test_both_failing_is_a_loss_with_both_reasons(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make, failing: Make
) -> None:
    failing(world.bucket.client, "put_object", "AccessDenied")
    failing(world.clients.reader("sns", "us-east-1"), "publish", "AuthorizationError")
    delivery = deliver(document(drifted))
    assert delivery.lost
    assert [word in " ".join(delivery.problems) for word in ("PutObject", "Publish")] == [True, True]


def test_a_latest_report_that_cannot_be_written_or_read_hides_no_alert(
    world: SimpleNamespace, document: Make, drifted: Finding, deliver: Make, failing: Make
) -> None:
    failing(world.bucket.client, "put_object", "AccessDenied", when=_is_latest)
    failing(world.bucket.client, "head_object", "503", status=503)
    delivery = deliver(document(drifted))
    assert delivery.location is not None
    assert (delivery.alerted, delivery.lost, len(delivery.problems)) == (True, False, 2)


def test_no_problem_shows_a_secret_or_a_control_character(
    world: SimpleNamespace,
    document: Make,
    drifted: Finding,
    deliver: Make,
    failing: Make,
    redactor: Redactor,
) -> None:
    redactor.add("not today")
    failing(world.bucket.client, "put_object", "Denied\n\x1b[31m")
    delivery = deliver(document(drifted))
    (alert,) = _received(world)
    for text in (*delivery.problems, alert["report"]["problem"]):
        assert "***" in text
        assert "not today" not in text
        assert text.isprintable()
