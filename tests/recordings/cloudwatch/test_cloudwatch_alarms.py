"""CloudWatch metric alarms."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAME = "errors"
ALARM = "AWS::CloudWatch::Alarm"


@pytest.fixture
def alarm(answers: Any) -> Any:
    answers["cloudwatch:DescribeAlarms"] = {
        "MetricAlarms": [
            {"AlarmName": NAME, "AlarmArn": "arn:alarm", "Threshold": 1.5, "StateValue": "ALARM"}
        ]
    }
    answers["cloudwatch:ListTagsForResource"] = {"Tags": [{"Key": "team", "Value": "web"}]}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_alarm_has_placeholders_and_no_state(alarm: Any, read: Any) -> None:
    assert properties(read(ALARM, NAME)) == {
        "AlarmName": NAME,
        "AlarmDescription": "",
        "ActionsEnabled": True,
        "AlarmActions": [],
        "OKActions": [],
        "InsufficientDataActions": [],
        "MetricName": "",
        "Namespace": "",
        "Statistic": "",
        "Dimensions": [],
        "Metrics": [],
        "Unit": "",
        "TreatMissingData": "",
        "Threshold": 1.5,
        "Tags": [{"Key": "team", "Value": "web"}],
    }


def test_only_metric_alarms_are_asked_for(alarm: Any, read: Any) -> None:
    read(ALARM, NAME)
    assert alarm.asked("cloudwatch:DescribeAlarms") == [{"AlarmNames": [NAME], "AlarmTypes": ["MetricAlarm"]}]


def test_an_alarm_that_is_not_listed_is_gone(answers: Any, read: Any) -> None:
    answers["cloudwatch:DescribeAlarms"] = {"MetricAlarms": []}
    assert read(ALARM, NAME) == Gone()


def test_an_answer_without_a_list_is_no_deletion(answers: Any, read: Any) -> None:
    answers["cloudwatch:DescribeAlarms"] = {}
    assert isinstance(read(ALARM, NAME), Unreadable)


@pytest.mark.parametrize("code", ["ResourceNotFoundException", "ResourceNotFound"])
def test_tags_that_are_not_found_are_left_out(alarm: Any, read: Any, code: str) -> None:
    alarm.fails("cloudwatch:ListTagsForResource", code)
    assert "Tags" not in properties(read(ALARM, NAME))


@pytest.mark.parametrize("operation", ["DescribeAlarms", "ListTagsForResource"])
def test_a_denied_call_names_the_missing_permission(alarm: Any, read: Any, operation: str) -> None:
    alarm.fails(f"cloudwatch:{operation}", "AccessDenied")
    result = read(ALARM, NAME)
    assert isinstance(result, Unreadable)
    assert result.action == f"cloudwatch:{operation}"


def test_throttled_tags_are_no_missing_tags(alarm: Any, read: Any) -> None:
    alarm.fails("cloudwatch:ListTagsForResource", "Throttling")
    assert isinstance(read(ALARM, NAME), Unreadable)
