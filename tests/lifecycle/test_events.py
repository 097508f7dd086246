"""Rules and buses: a rule is put whole and stays paused, and of its targets only the difference is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.requests import a_record, sent

PATTERN = {"source": ["shop.orders"]}
QUEUE = f"arn:aws:sqs:{REGION}:{ACCOUNT}:orders"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/events"
TAGS = [{"Key": "team", "Value": "shop"}, {"Key": "cost", "Value": "7"}]


class Rule:
    """The rule under test, on a bus of its own."""

    def __init__(self, life: Life, *, state: str = "ENABLED") -> None:
        self.life = life
        self.events = life.client("events")
        self.events.create_event_bus(Name="shop")
        self.members: dict[str, Any] = {
            "Name": "orders",
            "EventBusName": "shop",
            "EventPattern": json.dumps(PATTERN),
            "State": state,
            "Description": "new orders",
        }
        self.arn = str(self.events.put_rule(**self.members, Tags=TAGS)["RuleArn"])
        self.target(Id="queue", Arn=QUEUE)
        template = {"Name": "orders", "EventBusName": "shop", "EventPattern": PATTERN}
        life.record("Rule", "AWS::Events::Rule", self.arn, template)

    def put(self, **members: Any) -> None:
        stated = {**self.members, **members}
        self.events.put_rule(**{name: value for name, value in stated.items() if value})

    def target(self, **target: Any) -> None:
        self.events.put_targets(Rule="orders", EventBusName="shop", Targets=[target])

    def untarget(self, name: str) -> None:
        self.events.remove_targets(Rule="orders", EventBusName="shop", Ids=[name])

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Rule", edit, expect=expect)


@pytest.fixture
def rule(life: Life) -> Rule:
    life.settings = ScanSettings(undeclared="drift")
    return Rule(life)


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"Description": "x"}, "Description"),
        ({"Description": ""}, "Description"),
        ({"EventPattern": json.dumps({"source": ["x"]})}, "EventPattern.source"),
    ],
)
def test_a_change_goes_back_in_a_request_that_holds_the_whole_rule(
    rule: Rule, edited: dict[str, Any], expect: str
) -> None:
    ((operation, params),) = rule.goes_round(lambda: rule.put(**edited), expect)
    assert operation == "PutRule"
    assert {**params, "EventPattern": json.loads(params["EventPattern"])} == {
        **rule.members,
        "EventPattern": PATTERN,
    }


def test_a_rule_that_was_paused_by_hand_stays_paused(rule: Rule) -> None:
    rule.life.settings = ScanSettings()
    rule.events.disable_rule(Name="orders", EventBusName="shop")
    rule.life.record("Rule", "AWS::Events::Rule", rule.arn, {"Name": "orders"})
    ((_, params),) = rule.goes_round(lambda: rule.put(Description="x", State="DISABLED"), "Description")
    assert params["State"] == "DISABLED"


def test_a_paused_rule_that_will_fire_again_is_warned_of(rule: Rule) -> None:
    ((_, params),) = rule.goes_round(
        lambda: rule.events.disable_rule(Name="orders", EventBusName="shop"), "State"
    )
    assert params["State"] == "ENABLED"
    rule.events.disable_rule(Name="orders", EventBusName="shop")
    (step,) = rule.life.plan().steps
    assert any("fires again" in text for text in step.warnings)


def test_a_target_that_was_added_is_removed_alone(rule: Rule) -> None:
    sent = rule.goes_round(lambda: rule.target(Id="extra", Arn=f"{QUEUE}-x"), "Targets")
    assert sent == [("RemoveTargets", {"Rule": "orders", "EventBusName": "shop", "Ids": ["extra"]})]


def test_a_target_that_was_changed_or_removed_is_put_alone(rule: Rule) -> None:
    rule.target(Id="other", Arn=f"{QUEUE}-x")
    rule.life.record("Rule", "AWS::Events::Rule", rule.arn, {"Name": "orders"})
    put = {"Rule": "orders", "EventBusName": "shop", "Targets": [{"Id": "other", "Arn": f"{QUEUE}-x"}]}
    drifted = rule.goes_round(lambda: rule.target(Id="other", Arn=f"{QUEUE}-y"), "Targets")
    assert drifted == [("PutTargets", put)]
    assert rule.goes_round(lambda: rule.untarget("other"), "Targets") == [("PutTargets", put)]


def test_the_loss_of_a_target_is_warned_of(rule: Rule) -> None:
    rule.target(Id="extra", Arn=f"{QUEUE}-x")
    (step,) = rule.life.plan().steps
    assert any("get no more events" in text for text in step.warnings)


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (
            lambda r: r.events.tag_resource(ResourceARN=r.arn, Tags=[{"Key": "x", "Value": "1"}]),
            ["UntagResource"],
        ),
        (
            lambda r: r.events.tag_resource(ResourceARN=r.arn, Tags=[{"Key": "team", "Value": "x"}]),
            ["TagResource"],
        ),
        (lambda r: r.events.untag_resource(ResourceARN=r.arn, TagKeys=["cost"]), ["TagResource"]),
    ],
    ids=["added", "changed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    rule: Rule, edit: Callable[[Rule], object], written: list[str]
) -> None:
    assert [name for name, _ in rule.goes_round(lambda: edit(rule), "Tags")] == written


RULE = a_record("AWS::Events::Rule", f"arn:aws:events:{REGION}:{ACCOUNT}:rule/shop/orders")


def described(*targets: dict[str, Any], **members: Any) -> dict[str, Any]:
    rule = {"Name": "orders", "Arn": RULE.physical_id, "EventBusName": "shop", "State": "ENABLED", **members}
    return {"DescribeRule": rule, "ListTargetsByRule": {"Targets": list(targets)}}


SCHEDULED = {"ScheduleExpression": "rate(1 day)"}


def test_what_empty_placeholders_stand_for_is_left_out() -> None:
    now = described(**SCHEDULED, Description="x", RoleArn=ROLE)
    ((_, params),) = sent(RULE, now, {"Description": "", "RoleArn": ""})
    assert params == {"Name": "orders", "EventBusName": "shop", "State": "ENABLED", **SCHEDULED}


def test_a_rule_is_never_left_without_a_trigger() -> None:
    with pytest.raises(UpdateFailed, match="pattern or a schedule"):
        sent(RULE, described(**SCHEDULED), {"ScheduleExpression": ""})


@pytest.mark.parametrize("wanted", [{"Description": "x"}, {"Targets": []}])
def test_a_rule_of_an_aws_service_is_left_to_it(wanted: dict[str, Any]) -> None:
    now = described({"Id": "a", "Arn": QUEUE}, **SCHEDULED, ManagedBy="ssm.amazonaws.com")
    with pytest.raises(UpdateFailed, match="managed by ssm"):
        sent(RULE, now, wanted)


def test_targets_go_in_batches_of_ten() -> None:
    targets = [{"Id": f"t{n:02}", "Arn": QUEUE} for n in range(23)]
    requests = sent(RULE, described(**SCHEDULED), {"Targets": targets})
    assert [len(params["Targets"]) for _, params in requests] == [10, 10, 3]


@pytest.mark.parametrize(
    ("operation", "wanted"),
    [("PutTargets", [{"Id": "a", "Arn": QUEUE}, {"Id": "b", "Arn": QUEUE}]), ("RemoveTargets", [])],
)
def test_a_target_that_was_not_taken_fails_the_revert(operation: str, wanted: list[Any]) -> None:
    failed = {
        "FailedEntryCount": 1,
        "FailedEntries": [{"TargetId": "b", "ErrorCode": "ConcurrentModification"}],
    }
    now = {**described({"Id": "a", "Arn": QUEUE}, **SCHEDULED), operation: failed}
    with pytest.raises(UpdateFailed, match="b ConcurrentModification"):
        sent(RULE, now, {"Targets": wanted})


def test_a_container_target_goes_back_as_eventbridge_spells_it() -> None:
    ecs = {
        "TaskDefinitionArn": "arn:task",
        "TagList": [{"Key": "a", "Value": "b"}],
        "PlacementStrategies": [{"Type": "spread", "Field": "instanceId"}],
        "NetworkConfiguration": {"AwsVpcConfiguration": {"Subnets": ["subnet-1"]}},
    }
    ((_, params),) = sent(
        RULE, described(**SCHEDULED), {"Targets": [{"Id": "a", "Arn": "arn:cluster", "EcsParameters": ecs}]}
    )
    assert params["Targets"][0]["EcsParameters"] == {
        "TaskDefinitionArn": "arn:task",
        "Tags": [{"Key": "a", "Value": "b"}],
        "PlacementStrategy": [{"type": "spread", "field": "instanceId"}],
        "NetworkConfiguration": {"awsvpcConfiguration": {"Subnets": ["subnet-1"]}},
    }


BUS = a_record("AWS::Events::EventBus", "shop")
BUS_ARN = f"arn:aws:events:{REGION}:{ACCOUNT}:event-bus/shop"
STATED = {
    "Description": "events of the shop",
    "KmsKeyIdentifier": "alias/shop",
    "DeadLetterConfig": {"Arn": QUEUE},
    "LogConfig": {"IncludeDetail": "NONE", "Level": "ERROR"},
}


@pytest.mark.parametrize(
    ("wanted", "gone"),
    [
        ({"Description": "x"}, None),
        ({"Description": ""}, "Description"),
        ({"KmsKeyIdentifier": ""}, "KmsKeyIdentifier"),
        ({"DeadLetterConfig": {"Arn": ""}}, "DeadLetterConfig"),
        ({"LogConfig": {}}, "LogConfig"),
    ],
)
def test_a_bus_is_updated_whole(wanted: dict[str, Any], gone: str | None) -> None:
    now = {"DescribeEventBus": {"Name": "shop", "Arn": BUS_ARN, **STATED}}
    expected = {"Name": "shop", **STATED, **({} if gone else wanted)}
    expected.pop(gone or "", None)
    assert sent(BUS, now, wanted) == [("UpdateEventBus", expected)]


def test_the_policy_and_tags_of_a_bus_go_back(life: Life) -> None:
    events = life.client("events")
    arn = events.create_event_bus(Name="shop", Tags=TAGS)["EventBusArn"]
    policy = {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "partner",
                "Effect": "Allow",
                "Principal": {"AWS": "arn:aws:iam::111122223333:root"},
                "Action": "events:PutEvents",
                "Resource": arn,
            }
        ],
    }
    events.put_permission(EventBusName="shop", Policy=json.dumps(policy))
    life.record("Bus", "AWS::Events::EventBus", "shop", {"Name": "shop"})
    opened = {**policy, "Statement": [{**policy["Statement"][0], "Principal": "*"}]}  # type: ignore[dict-item]
    ((operation, params),) = life.goes_round(
        "Bus",
        lambda: events.put_permission(EventBusName="shop", Policy=json.dumps(opened)),
        expect=["Policy.Statement"],
    )
    assert (operation, json.loads(params["Policy"])) == ("PutPermission", policy)

    def retag() -> None:
        events.tag_resource(ResourceARN=arn, Tags=[{"Key": "team", "Value": "x"}, {"Key": "y", "Value": "1"}])

    requests = life.goes_round("Bus", retag, expect=["Tags"])
    assert [name for name, _ in requests] == ["UntagResource", "TagResource"]


def test_a_policy_that_was_recorded_empty_is_removed() -> None:
    now = {"DescribeEventBus": {"Name": "shop", "Arn": BUS_ARN, "Policy": json.dumps({"Statement": []})}}
    assert sent(BUS, now, {"Policy": {}}) == [
        ("RemovePermission", {"EventBusName": "shop", "RemoveAllPermissions": True})
    ]
