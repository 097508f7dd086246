"""Schedules: updated whole, and one that was paused by hand stays paused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.requests import a_record, sent

TARGET = {
    "Arn": f"arn:aws:sqs:{REGION}:{ACCOUNT}:orders",
    "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/scheduler",
    "Input": '{"a":1}',
    "RetryPolicy": {"MaximumEventAgeInSeconds": 3600, "MaximumRetryAttempts": 3},
}
MEMBERS: dict[str, Any] = {
    "Name": "nightly",
    "GroupName": "shop",
    "Description": "every night",
    "ScheduleExpression": "rate(1 day)",
    "ScheduleExpressionTimezone": "Europe/Paris",
    "FlexibleTimeWindow": {"Mode": "OFF"},
    "State": "ENABLED",
    "Target": TARGET,
}


class Schedule:
    """The schedule under test."""

    def __init__(self, life: Life, **members: Any) -> None:
        self.life = life
        self.scheduler = life.client("scheduler")
        self.scheduler.create_schedule_group(Name="shop")
        self.members = {**MEMBERS, **members}
        self.scheduler.create_schedule(**self.members)
        life.record("Nightly", "AWS::Scheduler::Schedule", "nightly", {"GroupName": "shop"})

    def put(self, **members: Any) -> None:
        stated = {**self.members, **members}
        self.scheduler.update_schedule(**{name: value for name, value in stated.items() if value})

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Nightly", edit, expect=expect)


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"Description": "x"}, "Description"),
        ({"ScheduleExpression": "rate(2 days)"}, "ScheduleExpression"),
        ({"ScheduleExpressionTimezone": "UTC"}, "ScheduleExpressionTimezone"),
        ({"Target": {**TARGET, "Input": "{}"}}, "Target.Input"),
        (
            {"FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 5}},
            "FlexibleTimeWindow.Mode",
        ),
    ],
)
@pytest.mark.parametrize("state", ["ENABLED", "DISABLED"])
def test_a_change_goes_back_in_a_request_that_holds_the_whole_schedule(
    life: Life, state: str, edited: dict[str, Any], expect: str
) -> None:
    life.settings = ScanSettings(undeclared="drift")
    schedule = Schedule(life, State=state)
    extra = ["FlexibleTimeWindow.MaximumWindowInMinutes"] if "FlexibleTimeWindow" in edited else []
    ((operation, params),) = schedule.goes_round(lambda: schedule.put(**edited), expect, *extra)
    assert operation == "UpdateSchedule"
    assert {name: params.get(name) for name in MEMBERS} == schedule.members


def test_a_paused_schedule_that_will_run_again_is_warned_of(life: Life) -> None:
    schedule = Schedule(life)
    ((_, params),) = schedule.goes_round(lambda: schedule.put(State="DISABLED"), "State")
    assert params["State"] == "ENABLED"
    schedule.put(State="DISABLED")
    (step,) = life.plan().steps
    assert any("runs again" in text for text in step.warnings)


RECORD = a_record("AWS::Scheduler::Schedule", "nightly", GroupName="shop")


def test_what_is_no_property_is_sent_as_it_is() -> None:
    now = {"GetSchedule": {**MEMBERS, "ActionAfterCompletion": "DELETE"}}
    ((_, params),) = sent(RECORD, now, {"Description": "x"})
    assert params == {**MEMBERS, "Description": "x", "ActionAfterCompletion": "DELETE"}


def test_what_was_not_set_is_left_out() -> None:
    now = {"GetSchedule": {**MEMBERS, "KmsKeyArn": "arn:x", "EndDate": "2030-01-01T00:00:00Z"}}
    ((_, params),) = sent(RECORD, now, {"KmsKeyArn": "", "EndDate": "", "Description": ""})
    assert params == {name: value for name, value in MEMBERS.items() if name != "Description"}


@pytest.mark.parametrize("member", ["Target", "ScheduleExpression", "FlexibleTimeWindow"])
def test_a_schedule_is_not_updated_without_what_it_needs(life: Life, member: str) -> None:
    life.settings = ScanSettings(undeclared="drift")
    schedule = Schedule(life)
    observed = {**life.read("Nightly"), member: {}}
    life.record(
        "Nightly", "AWS::Scheduler::Schedule", "nightly", {"GroupName": "shop"}, observedProperties=observed
    )
    assert schedule.life.drift() != {}
    life.forget_calls()
    assert [refusal.kind for refusal in life.plan().refusals] == [Kind.REFUSED]
    life.revert()
    assert life.calls == []
