"""CloudTrail trails."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

TRAIL = "AWS::CloudTrail::Trail"


@pytest.fixture
def trail(answers: Any) -> Any:
    answers["cloudtrail:GetTrail"] = {
        "Trail": {"Name": "audit", "S3BucketName": "logs", "KmsKeyId": "arn:key", "TrailARN": "arn:trail"}
    }
    answers["cloudtrail:GetTrailStatus"] = {"IsLogging": True}
    answers["cloudtrail:GetEventSelectors"] = {"EventSelectors": [{"ReadWriteType": "All"}]}
    answers.fails("cloudtrail:GetInsightSelectors", "InsightNotEnabledException")
    answers["cloudtrail:ListTags"] = {"ResourceTagList": [{"TagsList": [{"Key": "team", "Value": "web"}]}]}
    return answers


def test_a_trail_without_insights(trail: Any, read: Any) -> None:
    assert read(TRAIL, "audit") == Live(
        {
            "TrailName": "audit",
            "S3BucketName": "logs",
            "S3KeyPrefix": "",
            "CloudWatchLogsLogGroupArn": "",
            "CloudWatchLogsRoleArn": "",
            "KMSKeyId": "arn:key",
            "SnsTopicName": "",
            "IsMultiRegionTrail": False,
            "EnableLogFileValidation": False,
            "IsOrganizationTrail": False,
            "IncludeGlobalServiceEvents": True,
            "IsLogging": True,
            "EventSelectors": [{"ReadWriteType": "All"}],
            "InsightSelectors": [],
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_a_trail_with_advanced_selectors_has_no_basic_ones(trail: Any, read: Any) -> None:
    trail["cloudtrail:GetEventSelectors"] = {"AdvancedEventSelectors": [{"FieldSelectors": []}]}

    assert "EventSelectors" not in read(TRAIL, "audit").properties


def test_an_insight_is_known_by_its_type(trail: Any, read: Any) -> None:
    selector = {"InsightType": "ApiErrorRateInsight", "EventCategories": ["Management"]}
    trail["cloudtrail:GetInsightSelectors"] = {"InsightSelectors": [selector]}

    assert read(TRAIL, "audit").properties["InsightSelectors"] == [{"InsightType": "ApiErrorRateInsight"}]


def test_a_stopped_trail_shows_it(trail: Any, read: Any) -> None:
    trail["cloudtrail:GetTrailStatus"] = {}

    assert read(TRAIL, "audit").properties["IsLogging"] is False


def test_a_deleted_trail_is_gone(trail: Any, read: Any) -> None:
    trail.fails("cloudtrail:GetTrail", "TrailNotFoundException")

    assert read(TRAIL, "audit") == Gone()


@pytest.mark.parametrize(
    "operation", ["GetTrailStatus", "GetEventSelectors", "GetInsightSelectors", "ListTags"]
)
def test_a_denied_call_is_unreadable_and_names_the_permission(trail: Any, read: Any, operation: str) -> None:
    trail.fails(f"cloudtrail:{operation}", "AccessDeniedException")

    found = read(TRAIL, "audit")
    assert isinstance(found, Unreadable)
    assert found.action == f"cloudtrail:{operation}"


def test_an_invalid_parameter_is_not_taken_for_no_insights(trail: Any, read: Any) -> None:
    trail.fails("cloudtrail:GetInsightSelectors", "InvalidParameterException")

    assert isinstance(read(TRAIL, "audit"), Unreadable)
