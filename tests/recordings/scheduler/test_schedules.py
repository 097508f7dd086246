"""EventBridge Scheduler schedules."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

SCHEDULE = "AWS::Scheduler::Schedule"


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


@pytest.mark.parametrize(("template", "group"), [({}, "default"), ({"GroupName": "nightly"}, "nightly")])
def test_the_group_comes_from_the_template(
    answers: Any, read: Any, template: dict[str, Any], group: str
) -> None:
    answers["scheduler:GetSchedule"] = {"Name": "backup"}
    read(SCHEDULE, "backup", template)
    assert answers.asked("scheduler:GetSchedule") == [{"Name": "backup", "GroupName": group}]


def test_the_default_group_counts_only_where_declared(answers: Any, read: Any) -> None:
    answers["scheduler:GetSchedule"] = {"Name": "backup", "GroupName": "default"}
    assert properties(read(SCHEDULE, "backup")) == {"Name": "backup"}
    assert properties(read(SCHEDULE, "backup", {"GroupName": "default"}))["GroupName"] == "default"


def test_times_and_ecs_targets_have_cloudformation_spelling(answers: Any, read: Any) -> None:
    ecs = {
        "TaskDefinitionArn": "task",
        "NetworkConfiguration": {"awsvpcConfiguration": {"Subnets": ["subnet-1"]}},
        "PlacementStrategy": [{"type": "spread", "field": "host"}],
        "PlacementConstraints": [{"type": "distinctInstance"}],
        "CapacityProviderStrategy": [{"capacityProvider": "spot", "base": 0}],
        "Tags": [{"team": "web"}],
    }
    answers["scheduler:GetSchedule"] = {
        "Name": "backup",
        "StartDate": datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC),
        "Target": {"Arn": "cluster", "RoleArn": "role", "EcsParameters": ecs},
    }

    found = properties(read(SCHEDULE, "backup"))

    assert found["StartDate"] == "2024-01-02T03:04:05.000Z"
    assert found["Target"] == {
        "Arn": "cluster",
        "RoleArn": "role",
        "EcsParameters": {
            "TaskDefinitionArn": "task",
            "NetworkConfiguration": {"AwsvpcConfiguration": {"Subnets": ["subnet-1"]}},
            "PlacementStrategy": [{"Type": "spread", "Field": "host"}],
            "PlacementConstraints": [{"Type": "distinctInstance"}],
            "CapacityProviderStrategy": [{"CapacityProvider": "spot", "Base": 0}],
            "Tags": [{"team": "web"}],
        },
    }


def test_a_missing_schedule_is_gone(answers: Any, read: Any) -> None:
    answers.fails("scheduler:GetSchedule", "ResourceNotFoundException", status=404)
    assert read(SCHEDULE, "backup") == Gone()


def test_a_denied_schedule_names_the_missing_permission(answers: Any, read: Any) -> None:
    answers.fails("scheduler:GetSchedule", "AccessDeniedException", status=403)
    result = read(SCHEDULE, "backup")
    assert isinstance(result, Unreadable)
    assert result.action == "scheduler:GetSchedule"
