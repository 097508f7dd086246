"""Alarms: put whole, and one that was muted stays muted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.resources.cloudwatch import _KEPT, _WRITABLE
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.requests import a_record, sent
from tests.registry.service_models import operation_model

TOPIC = f"arn:aws:sns:{REGION}:{ACCOUNT}:pages"
ONE_METRIC: dict[str, Any] = {
    "MetricName": "Errors",
    "Namespace": "AWS/Lambda",
    "Statistic": "Sum",
    "Period": 60,
    "Dimensions": [{"Name": "FunctionName", "Value": "orders"}],
}
REST: dict[str, Any] = {
    "AlarmName": "errors",
    "AlarmDescription": "orders fail",
    "ActionsEnabled": True,
    "AlarmActions": [TOPIC],
    "EvaluationPeriods": 2,
    "DatapointsToAlarm": 1,
    "Threshold": 1.0,
    "ComparisonOperator": "GreaterThanThreshold",
    "TreatMissingData": "ignore",
}
MEMBERS = {**ONE_METRIC, **REST}
METRICS = [{"Id": "m1", "Expression": "1 + 1", "Label": "two", "ReturnData": True, "Period": 60}]


class Alarm:
    """The alarm under test."""

    def __init__(self, life: Life, **members: Any) -> None:
        self.life = life
        self.cloudwatch = life.client("cloudwatch")
        self.members = {**MEMBERS, **members}
        self.cloudwatch.put_metric_alarm(
            **self.members, Tags=[{"Key": "team", "Value": "shop"}, {"Key": "cost", "Value": "7"}]
        )
        described = self.cloudwatch.describe_alarms(AlarmNames=["errors"])["MetricAlarms"]
        self.arn = str(described[0]["AlarmArn"])
        life.record("Alarm", "AWS::CloudWatch::Alarm", "errors", {"AlarmName": "errors"})

    def put(self, **members: Any) -> None:
        stated = {**self.members, **members}
        self.cloudwatch.put_metric_alarm(**{k: v for k, v in stated.items() if v not in ("", [], None)})

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Alarm", edit, expect=expect)


@pytest.fixture
def alarm(life: Life) -> Alarm:
    life.settings = ScanSettings(undeclared="drift")
    return Alarm(life)


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"Threshold": 5.0}, "Threshold"),
        ({"AlarmDescription": "x"}, "AlarmDescription"),
        ({"AlarmDescription": ""}, "AlarmDescription"),
        ({"AlarmActions": [TOPIC, f"{TOPIC}-x"]}, "AlarmActions"),
        ({"AlarmActions": []}, "AlarmActions"),
        ({"OKActions": [TOPIC]}, "OKActions"),
        ({"Statistic": "Average"}, "Statistic"),
        ({"TreatMissingData": ""}, "TreatMissingData"),
    ],
)
def test_a_change_goes_back_in_a_request_that_holds_the_whole_alarm(
    alarm: Alarm, edited: dict[str, Any], expect: str
) -> None:
    ((operation, params),) = alarm.goes_round(lambda: alarm.put(**edited), expect)
    assert operation == "PutMetricAlarm"
    assert params == MEMBERS


def test_an_alarm_that_was_muted_stays_muted(life: Life) -> None:
    alarm = Alarm(life, ActionsEnabled=False)
    ((_, params),) = alarm.goes_round(lambda: alarm.put(Threshold=5.0), "Threshold")
    assert params["ActionsEnabled"] is False


def test_a_muted_alarm_that_will_notify_again_is_warned_of(alarm: Alarm) -> None:
    ((_, params),) = alarm.goes_round(lambda: alarm.put(ActionsEnabled=False), "ActionsEnabled")
    assert params["ActionsEnabled"] is True
    alarm.put(ActionsEnabled=False)
    (step,) = alarm.life.plan().steps
    assert any("notifies again" in text for text in step.warnings)


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (
            lambda a: a.cloudwatch.tag_resource(ResourceARN=a.arn, Tags=[{"Key": "x", "Value": "1"}]),
            "UntagResource",
        ),
        (
            lambda a: a.cloudwatch.tag_resource(ResourceARN=a.arn, Tags=[{"Key": "team", "Value": "x"}]),
            "TagResource",
        ),
        (lambda a: a.cloudwatch.untag_resource(ResourceARN=a.arn, TagKeys=["cost"]), "TagResource"),
    ],
    ids=["added", "changed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    alarm: Alarm, edit: Callable[[Alarm], object], written: str
) -> None:
    assert [name for name, _ in alarm.goes_round(lambda: edit(alarm), "Tags")] == [written]


RECORD = a_record("AWS::CloudWatch::Alarm", "errors")
ARN = f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:errors"


def described(**members: Any) -> dict[str, Any]:
    return {"DescribeAlarms": {"MetricAlarms": [{"AlarmArn": ARN, **members}]}}


def test_an_expression_excludes_a_metric() -> None:
    wanted = {"Metrics": METRICS, **dict.fromkeys(ONE_METRIC, "")}
    ((_, params),) = sent(RECORD, described(**MEMBERS), wanted)
    assert params == {**REST, "Metrics": METRICS}


def test_a_recorded_metric_excludes_an_expression_that_was_not_recorded() -> None:
    now = described(**REST, Metrics=METRICS, ThresholdMetricId="m1")
    ((_, params),) = sent(RECORD, now, ONE_METRIC)
    assert params == MEMBERS


def test_a_percentile_that_was_set_by_hand_gives_way_to_the_recorded_statistic() -> None:
    now = described(**{**MEMBERS, "Statistic": None, "ExtendedStatistic": "p99"})
    ((_, params),) = sent(RECORD, now, {"Statistic": "Sum"})
    assert params == MEMBERS


def test_a_recorded_percentile_excludes_a_statistic() -> None:
    ((_, params),) = sent(RECORD, described(**MEMBERS), {"ExtendedStatistic": "p99", "Statistic": ""})
    assert params == {**{k: v for k, v in MEMBERS.items() if k != "Statistic"}, "ExtendedStatistic": "p99"}


def test_what_is_read_of_an_alarm_and_can_be_put_is_sent_as_it_is() -> None:
    put = operation_model("cloudwatch", "PutMetricAlarm").input_shape
    read = operation_model("cloudwatch", "DescribeAlarms").output_shape.members["MetricAlarms"].member
    assert {*_WRITABLE, *_KEPT, "AlarmName"} == put.members.keys() & read.members.keys()
    ((_, params),) = sent(RECORD, described(**MEMBERS, EvaluationInterval=60), {"Threshold": 2})
    assert params == {**MEMBERS, "Threshold": 2, "EvaluationInterval": 60}


def test_an_alarm_of_a_scaling_policy_is_left_to_it() -> None:
    name = "TargetTracking-service/shop-AlarmHigh-1"
    with pytest.raises(UpdateFailed, match="target tracking"):
        sent(a_record("AWS::CloudWatch::Alarm", name), described(**MEMBERS), {"Threshold": 2})
