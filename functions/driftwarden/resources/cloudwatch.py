"""Amazon CloudWatch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, Write

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_ONE_METRIC: Final = (
    "MetricName",
    "Namespace",
    "Statistic",
    "ExtendedStatistic",
    "Dimensions",
    "Period",
    "Unit",
)
_WRITABLE: Final = (
    *_ONE_METRIC,
    "AlarmDescription",
    "ActionsEnabled",
    "AlarmActions",
    "OKActions",
    "InsufficientDataActions",
    "EvaluationPeriods",
    "DatapointsToAlarm",
    "Threshold",
    "ComparisonOperator",
    "TreatMissingData",
    "EvaluateLowSampleCountPercentile",
    "Metrics",
    "ThresholdMetricId",
)
_KEPT: Final = (
    "ActionConfiguration",
    "EvaluationCriteria",
    "EvaluationInterval",
    "EvaluationWindow",
    "WarmUpConfiguration",
)
"""What an alarm may have besides the properties that are read."""


def _put(update: Update) -> None:
    """PutMetricAlarm overwrites the whole alarm, so everything is sent: the undrifted as it is."""
    if update.id.startswith("TargetTracking-"):
        raise UpdateFailed("the alarm belongs to a target tracking policy, which would overwrite it")
    members = {name: update.get(f"main.{name}") for name in _KEPT}
    members |= {name: update.wanted(name) for name in _WRITABLE if not update.unset(name)}
    for name in _excluded(update, members):
        members.pop(name, None)
    stated = {name: value for name, value in members.items() if value is not ABSENT}
    update.call("PutMetricAlarm", {"AlarmName": update.id, **stated})


def _excluded(update: Update, members: dict[str, Any]) -> tuple[str, ...]:
    """An alarm watches one metric or an expression, by a statistic or a percentile; what drifted decides."""
    if "Metrics" in members and not ("MetricName" in members and "Metrics" not in update.drifted):
        return _ONE_METRIC
    percentile = "ExtendedStatistic" in update.drifted or "Statistic" not in members
    other = "Statistic" if percentile and "ExtendedStatistic" in members else "ExtendedStatistic"
    return "Metrics", "ThresholdMetricId", other


ALARM = ResourceType(
    name="AWS::CloudWatch::Alarm",
    service="cloudwatch",
    calls=(
        Call("DescribeAlarms", {"AlarmNames": ["{id}"], "AlarmTypes": ["MetricAlarm"]}, at="MetricAlarms.0"),
        Call(
            "ListTagsForResource",
            {"ResourceARN": "{main.AlarmArn}"},
            at="Tags",
            into="tags",
            absent=("ResourceNotFoundException", "ResourceNotFound"),
        ),
    ),
    same=(
        "AlarmName",
        "AlarmDescription",
        "ActionsEnabled",
        "AlarmActions",
        "OKActions",
        "InsufficientDataActions",
        "MetricName",
        "Namespace",
        "Statistic",
        "ExtendedStatistic",
        "Dimensions",
        "Period",
        "Unit",
        "EvaluationPeriods",
        "DatapointsToAlarm",
        "Threshold",
        "ComparisonOperator",
        "TreatMissingData",
        "EvaluateLowSampleCountPercentile",
        "Metrics",
        "ThresholdMetricId",
    ),
    fields={"Tags": From("tags", tag_list)},
    placeholders={
        "AlarmDescription": "",
        "ActionsEnabled": True,
        "AlarmActions": [],
        "OKActions": [],
        "InsufficientDataActions": [],
        "MetricName": "",
        "Namespace": "",
        "Statistic": "",
        "Dimensions": [],
        "Unit": "",
        "TreatMissingData": "",
        "Metrics": [],
    },
    compared=TypeFacts(kinds={"Metrics": Keyed(("Id",))}),
    writes=(
        By(_put, _WRITABLE, (Write("PutMetricAlarm"),)),
        Tags("TagResource", "UntagResource", {"ResourceARN": "{main.AlarmArn}"}),
    ),
    warns={
        "ActionsEnabled": Caution("an alarm that was muted notifies again", lambda desired, _: bool(desired)),
    },
)

TYPES = (ALARM,)

FACTS = {
    "AWS::CloudWatch::AnomalyDetector": TypeFacts(
        never_read_back=("MetricMathAnomalyDetector.MetricDataQueries.*.Label",)
    ),
}
