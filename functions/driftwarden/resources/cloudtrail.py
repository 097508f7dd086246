"""AWS CloudTrail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.convert import each, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = ("TrailNotFoundException",)
_NOT_OFFERED = "InvalidParameterException: Unknown CloudTrail action"
"""What an endpoint without insights says, in the place of an error code of its own."""


def _basic_selectors(answer: Mapping[str, Any], _: Reading) -> Any:
    """A trail has either basic or advanced selectors."""
    return ABSENT if answer.get("AdvancedEventSelectors") else answer.get("EventSelectors") or []


TRAIL = ResourceType(
    name="AWS::CloudTrail::Trail",
    service="cloudtrail",
    gone=_GONE,
    calls=(
        Call("GetTrail", {"Name": "{id}"}, at="Trail"),
        Call("GetTrailStatus", {"Name": "{id}"}, at="IsLogging", into="logging", lacking=False, absent=_GONE),
        Call("GetEventSelectors", {"TrailName": "{id}"}, at=_basic_selectors, into="events", absent=_GONE),
        Call(
            "GetInsightSelectors",
            {"TrailName": "{id}"},
            at="InsightSelectors",
            into="insights",
            absent=("InsightNotEnabledException", _NOT_OFFERED, *_GONE),
        ),
        Call(
            "ListTags",
            {"ResourceIdList": ["{TrailARN}"]},
            at="ResourceTagList.0.TagsList",
            into="tags",
            absent=("ResourceNotFoundException", *_GONE),
        ),
    ),
    same=(
        "S3BucketName",
        "S3KeyPrefix",
        "CloudWatchLogsLogGroupArn",
        "CloudWatchLogsRoleArn",
        "SnsTopicName",
        "IsMultiRegionTrail",
        "IsOrganizationTrail",
        "IncludeGlobalServiceEvents",
    ),
    fields={
        "TrailName": "main.Name",
        "KMSKeyId": From("main.KmsKeyId", default=""),
        "EnableLogFileValidation": From("main.LogFileValidationEnabled", default=False),
        "IsLogging": "logging",
        "EventSelectors": "events",
        "InsightSelectors": From("insights", each(pick("InsightType")), default=[]),
        "Tags": From("tags", tag_list, default=[]),
    },
    placeholders={
        "S3KeyPrefix": "",
        "CloudWatchLogsLogGroupArn": "",
        "CloudWatchLogsRoleArn": "",
        "SnsTopicName": "",
        "IsMultiRegionTrail": False,
        "IsOrganizationTrail": False,
        "IncludeGlobalServiceEvents": True,
    },
)

TYPES = (TRAIL,)
