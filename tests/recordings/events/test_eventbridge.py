"""EventBridge rules and event buses."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

PREFIX = "arn:aws:events:eu-central-1:111122223333:rule"
RULE = "AWS::Events::Rule"
BUS = "AWS::Events::EventBus"


@pytest.fixture
def rule(answers: Any) -> Any:
    answers["events:DescribeRule"] = {"Name": "nightly", "EventBusName": "default", "State": "ENABLED"}
    answers["events:ListTargetsByRule"] = {"Targets": []}
    answers["events:ListTagsForResource"] = {"Tags": []}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_rule_on_the_default_bus_names_no_bus(rule: Any, read: Any) -> None:
    assert properties(read(RULE, f"{PREFIX}/nightly")) == {
        "Name": "nightly",
        "Description": "",
        "State": "ENABLED",
        "Targets": [],
        "Tags": [],
    }


@pytest.mark.parametrize(
    ("physical_id", "bus"),
    [
        (f"{PREFIX}/nightly", "default"),
        ("nightly", "default"),
        (f"{PREFIX}/app-bus/nightly", "app-bus"),
        (f"{PREFIX}/aws.partner/acme.com/shop/nightly", "aws.partner/acme.com/shop"),
    ],
)
def test_the_bus_is_taken_from_the_arn_slashes_included(
    rule: Any, read: Any, physical_id: str, bus: str
) -> None:
    read(RULE, physical_id)
    assert rule.asked("events:DescribeRule") == [{"Name": "nightly", "EventBusName": bus}]
    assert rule.asked("events:ListTargetsByRule") == [{"Rule": "nightly", "EventBusName": bus}]


def test_a_rule_known_by_name_is_asked_for_its_tags_by_arn(rule: Any, read: Any) -> None:
    rule["events:DescribeRule"]["Arn"] = f"{PREFIX}/nightly"
    read(RULE, "nightly")
    assert rule.asked("events:ListTagsForResource") == [{"ResourceARN": f"{PREFIX}/nightly"}]


def test_a_pattern_is_parsed_where_it_is_json(rule: Any, read: Any) -> None:
    rule["events:DescribeRule"].update(EventPattern='{"source": ["app"]}', EventBusName="app-bus")
    found = properties(read(RULE, f"{PREFIX}/app-bus/nightly"))
    assert found["EventPattern"] == {"source": ["app"]}
    assert found["EventBusName"] == "app-bus"


def test_ecs_targets_have_cloudformation_spelling(rule: Any, read: Any) -> None:
    ecs = {
        "TaskDefinitionArn": "task",
        "Tags": [{"Key": "team", "Value": "web"}],
        "NetworkConfiguration": {"awsvpcConfiguration": {"Subnets": ["subnet-1"]}},
        "PlacementStrategy": [{"type": "spread", "field": "host"}],
        "PlacementConstraints": [{"type": "memberOf", "expression": "x"}],
        "CapacityProviderStrategy": [{"capacityProvider": "spot", "weight": 1, "base": 0}],
    }
    rule["events:ListTargetsByRule"] = {"Targets": [{"Id": "1", "Arn": "cluster", "EcsParameters": ecs}]}

    assert properties(read(RULE, "nightly"))["Targets"][0]["EcsParameters"] == {
        "TaskDefinitionArn": "task",
        "TagList": [{"Key": "team", "Value": "web"}],
        "NetworkConfiguration": {"AwsVpcConfiguration": {"Subnets": ["subnet-1"]}},
        "PlacementStrategies": [{"Type": "spread", "Field": "host"}],
        "PlacementConstraints": [{"Type": "memberOf", "Expression": "x"}],
        "CapacityProviderStrategy": [{"CapacityProvider": "spot", "Weight": 1, "Base": 0}],
    }


def test_targets_are_read_to_the_last_page(rule: Any, read: Any) -> None:
    rule["events:ListTargetsByRule"] = [
        {"Targets": [{"Id": "1", "Arn": "a"}], "NextToken": "more"},
        {"Targets": [{"Id": "2", "Arn": "b"}]},
    ]
    assert [target["Id"] for target in properties(read(RULE, "nightly"))["Targets"]] == ["1", "2"]


def test_a_missing_rule_is_gone(answers: Any, read: Any) -> None:
    answers.fails("events:DescribeRule", "ResourceNotFoundException")
    assert read(RULE, "nightly") == Gone()


@pytest.mark.parametrize(
    ("operation", "lost"), [("ListTargetsByRule", "Targets"), ("ListTagsForResource", "Tags")]
)
def test_what_is_not_found_beside_the_rule_is_left_out(
    rule: Any, read: Any, operation: str, lost: str
) -> None:
    rule.fails(f"events:{operation}", "ResourceNotFoundException")
    assert lost not in properties(read(RULE, "nightly"))


@pytest.mark.parametrize("operation", ["DescribeRule", "ListTargetsByRule", "ListTagsForResource"])
def test_a_denied_call_names_the_missing_permission(rule: Any, read: Any, operation: str) -> None:
    rule.fails(f"events:{operation}", "AccessDeniedException")
    result = read(RULE, "nightly")
    assert isinstance(result, Unreadable)
    assert result.action == f"events:{operation}"


@pytest.fixture
def bus(answers: Any) -> Any:
    answers["events:DescribeEventBus"] = {"Name": "app-bus", "Arn": "arn:bus"}
    answers["events:ListTagsForResource"] = {"Tags": [{"Key": "team", "Value": "web"}]}
    return answers


def test_a_plain_bus(bus: Any, read: Any) -> None:
    assert properties(read(BUS, "app-bus")) == {
        "Name": "app-bus",
        "Description": "",
        "KmsKeyIdentifier": "",
        "DeadLetterConfig": {"Arn": ""},
        "Tags": [{"Key": "team", "Value": "web"}],
    }


def test_a_full_bus(bus: Any, read: Any) -> None:
    bus["events:DescribeEventBus"].update(
        DeadLetterConfig={"Arn": "arn:queue"},
        LogConfig={"Level": "ERROR", "IncludeDetail": "NONE"},
        Policy='{"Statement": []}',
    )
    found = properties(read(BUS, "app-bus"))
    assert found["DeadLetterConfig"] == {"Arn": "arn:queue"}
    assert found["LogConfig"] == {"Level": "ERROR", "IncludeDetail": "NONE"}
    assert found["Policy"] == {"Statement": []}


@pytest.mark.parametrize("operation", ["DescribeEventBus", "ListTagsForResource"])
def test_a_bus_that_is_not_found_is_gone(bus: Any, read: Any, operation: str) -> None:
    bus.fails(f"events:{operation}", "ResourceNotFoundException")
    assert read(BUS, "app-bus") == Gone()


@pytest.mark.parametrize("operation", ["DescribeEventBus", "ListTagsForResource"])
@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException"])
def test_a_bus_that_cannot_be_read_is_unreadable(bus: Any, read: Any, operation: str, code: str) -> None:
    bus.fails(f"events:{operation}", code)
    assert isinstance(read(BUS, "app-bus"), Unreadable)
