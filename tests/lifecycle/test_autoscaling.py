"""Groups of instances: a capacity goes back alone or not at all, and what scales the group stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from driftwarden.remedy.revert import Fate
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

NAMED = {"AutoScalingGroupName": "web"}
TYPE = "AWS::AutoScaling::AutoScalingGroup"
TAGS = [
    {"Key": "Stage", "Value": "prod", "PropagateAtLaunch": True},
    {"Key": "Team", "Value": "shop", "PropagateAtLaunch": False},
]
TOPIC, OTHER_TOPIC = (f"arn:aws:sns:us-east-1:{ACCOUNT}:{name}" for name in ("scaling", "other"))
BLUE, GREEN = (
    f"arn:aws:elasticloadbalancing:us-east-1:{ACCOUNT}:targetgroup/{name}/1" for name in ("blue", "green")
)


def on_group(tags: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"ResourceId": "web", "ResourceType": "auto-scaling-group", **tag} for tag in tags]


class Group:
    """A recorded group without instances."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.client = life.client("autoscaling")
        ec2 = life.client("ec2")
        image = ec2.describe_images()["Images"][0]["ImageId"]
        for name in ("web", "other"):
            data = {"ImageId": image, "InstanceType": "t3.micro"}
            ec2.create_launch_template(LaunchTemplateName=name, LaunchTemplateData=data)
        self.client.create_auto_scaling_group(
            **NAMED,
            MinSize=0,
            MaxSize=4,
            DesiredCapacity=1,
            AvailabilityZones=["us-east-1a"],
            LaunchTemplate={"LaunchTemplateName": "web", "Version": "1"},
            Tags=TAGS,
        )
        life.record("Web", TYPE, "web", {"Tags": TAGS})

    def edit(self, **members: Any) -> None:
        self.client.update_auto_scaling_group(**NAMED, **members)


@pytest.fixture
def group(life: Life) -> Group:
    return Group(life)


@pytest.mark.parametrize(
    ("members", "back"),
    [
        ({"MaxSize": 9}, {"MaxSize": 4}),
        ({"HealthCheckType": "ELB"}, {"HealthCheckType": "EC2"}),
        ({"NewInstancesProtectedFromScaleIn": True}, {"NewInstancesProtectedFromScaleIn": False}),
    ],
)
def test_only_what_drifted_goes_back(group: Group, members: dict[str, Any], back: dict[str, Any]) -> None:
    calls = group.life.goes_round("Web", lambda: group.edit(**members), expect=list(members))
    assert calls == [("UpdateAutoScalingGroup", {**NAMED, **back})]


def test_a_capacity_goes_back_alone_where_nothing_scales_it(group: Group) -> None:
    calls = group.life.goes_round(
        "Web",
        lambda: group.client.set_desired_capacity(**NAMED, DesiredCapacity=3),
        expect=["DesiredCapacity"],
    )
    assert calls == [("UpdateAutoScalingGroup", {**NAMED, "DesiredCapacity": 1})]


def test_fewer_instances_are_warned_of(group: Group) -> None:
    group.client.set_desired_capacity(**NAMED, DesiredCapacity=3)
    (step,) = group.life.plan().steps
    assert "instances are terminated" in " ".join(step.warnings)


def by_policy(client: Any) -> None:
    client.put_scaling_policy(
        **NAMED, PolicyName="up", AdjustmentType="ChangeInCapacity", ScalingAdjustment=1
    )


def by_schedule(client: Any) -> None:
    client.put_scheduled_update_group_action(
        **NAMED, ScheduledActionName="mornings", Recurrence="0 7 * * *", DesiredCapacity=3
    )


@pytest.mark.parametrize("scale", [by_policy, by_schedule])
def test_a_capacity_that_something_scales_is_never_sent(group: Group, scale: Callable[[Any], None]) -> None:
    scale(group.client)
    group.client.set_desired_capacity(**NAMED, DesiredCapacity=3)
    group.life.forget_calls()

    (result,) = group.life.revert()

    assert result.fate is Fate.FAILED
    assert "scaling sets its DesiredCapacity" in result.reason
    assert group.life.calls == []


def test_only_the_difference_of_tags_is_sent_and_no_capacity(group: Group) -> None:
    def edit() -> None:
        other = [
            {"Key": "Stage", "Value": "test", "PropagateAtLaunch": True},
            {"Key": "Owner", "Value": "me", "PropagateAtLaunch": True},
        ]
        group.client.create_or_update_tags(Tags=on_group(other))
        group.client.delete_tags(Tags=on_group([{"Key": "Team", "Value": "shop"}]))

    calls = group.life.goes_round("Web", edit, expect=["Tags"])
    assert calls == [
        ("DeleteTags", {"Tags": on_group([{"Key": "Owner"}])}),
        ("CreateOrUpdateTags", {"Tags": on_group(TAGS)}),
    ]


def test_the_tag_of_managed_scaling_stays(group: Group) -> None:
    """ECS finds the groups that it scales by this tag."""
    managed = {"Key": "AmazonECSManaged", "Value": "", "PropagateAtLaunch": True}
    other = {"Key": "Owner", "Value": "me", "PropagateAtLaunch": True}
    group.client.create_or_update_tags(Tags=on_group([managed, other]))
    group.life.forget_calls()
    group.life.revert()
    assert group.life.calls == [("DeleteTags", {"Tags": on_group([{"Key": "Owner"}])})]


def test_metrics_are_switched_by_their_difference(group: Group) -> None:
    def edit() -> None:
        group.client.enable_metrics_collection(**NAMED, Granularity="1Minute", Metrics=["GroupMinSize"])

    group.client.enable_metrics_collection(**NAMED, Granularity="1Minute", Metrics=["GroupMaxSize"])
    template = {"Tags": TAGS, "MetricsCollection": [{"Granularity": "1Minute", "Metrics": ["GroupMaxSize"]}]}
    group.life.record("Web", TYPE, "web", template)
    edit()
    group.life.forget_calls()
    group.life.revert()
    switched = [(operation, params.get("Metrics")) for operation, params in group.life.calls]
    assert ("EnableMetricsCollection", ["GroupMinSize"]) not in switched
    assert switched[-1] in [
        ("DisableMetricsCollection", ["GroupMinSize"]),
        ("EnableMetricsCollection", ["GroupMaxSize"]),
    ]


def hook(timeout: int) -> dict[str, Any]:
    return {
        "LifecycleHookName": "drain",
        "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING",
        "HeartbeatTimeout": timeout,
        "DefaultResult": "CONTINUE",
    }


HOOK_EDITS: dict[str, tuple[Callable[[Any], object], list[str]]] = {
    "changed": (lambda c: c.put_lifecycle_hook(**NAMED, **hook(1)), ["PutLifecycleHook"]),
    "removed": (
        lambda c: c.delete_lifecycle_hook(**NAMED, LifecycleHookName="drain"),
        ["PutLifecycleHook"],
    ),
    "added": (
        lambda c: c.put_lifecycle_hook(**NAMED, **hook(1) | {"LifecycleHookName": "other"}),
        ["DeleteLifecycleHook"],
    ),
}


@pytest.mark.parametrize("kind", HOOK_EDITS)
def test_hooks_are_put_and_deleted_by_their_difference(group: Group, kind: str) -> None:
    group.client.put_lifecycle_hook(**NAMED, **hook(300))
    template = {"Tags": TAGS, "LifecycleHookSpecificationList": [hook(300)]}
    group.life.record("Web", TYPE, "web", template)
    edit, operations = HOOK_EDITS[kind]
    calls = group.life.goes_round(
        "Web", lambda: edit(group.client), expect=["LifecycleHookSpecificationList"]
    )
    assert [operation for operation, _ in calls] == operations


def live(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A group that answers with these members."""
    return a_record(TYPE, "web"), {"DescribeAutoScalingGroups": {"AutoScalingGroups": [{**NAMED, **members}]}}


def test_target_groups_are_attached_before_others_are_detached() -> None:
    record, answers = live(TargetGroupARNs=[GREEN])
    assert sent(record, answers, {"TargetGroupARNs": [BLUE]}) == [
        ("AttachLoadBalancerTargetGroups", {**NAMED, "TargetGroupARNs": [BLUE]}),
        ("DetachLoadBalancerTargetGroups", {**NAMED, "TargetGroupARNs": [GREEN]}),
    ]


def test_traffic_sources_are_attached_and_detached() -> None:
    record, answers = live()
    lattice = {"Identifier": "arn:of:lattice", "Type": "vpc-lattice"}
    answers["DescribeTrafficSources"] = {"TrafficSources": []}
    assert sent(record, answers, {"TrafficSources": [lattice]}) == [
        ("AttachTrafficSources", {**NAMED, "TrafficSources": [lattice]})
    ]


def test_notifications_are_put_and_deleted_by_topic() -> None:
    record, answers = live()
    answers["DescribeNotificationConfigurations"] = {
        "NotificationConfigurations": [{"TopicARN": OTHER_TOPIC, "NotificationType": "autoscaling:TEST"}]
    }
    ours = {"TopicARN": TOPIC, "NotificationTypes": ["autoscaling:TEST"]}
    assert sent(record, answers, {"NotificationConfigurations": [ours]}) == [
        ("PutNotificationConfiguration", {**NAMED, **ours}),
        ("DeleteNotificationConfiguration", {**NAMED, "TopicARN": OTHER_TOPIC}),
    ]


def test_subnets_are_sent_as_the_api_takes_them_and_zones_follow() -> None:
    record, answers = live(VPCZoneIdentifier="subnet-9", AvailabilityZones=["us-east-1c"])
    wanted = {
        "VPCZoneIdentifier": ["subnet-1", "subnet-2"],
        "AvailabilityZones": ["us-east-1a", "us-east-1b"],
    }
    assert sent(record, answers, wanted) == [
        ("UpdateAutoScalingGroup", {**NAMED, "VPCZoneIdentifier": "subnet-1,subnet-2"})
    ]


TEMPLATE = {"LaunchTemplateId": "lt-1", "LaunchTemplateName": "web", "Version": "1"}
BY_ID = {"LaunchTemplateId": "lt-1", "Version": "1"}


def test_a_launch_template_goes_by_its_id_alone() -> None:
    record, answers = live(LaunchTemplate=TEMPLATE | {"Version": "2"})
    assert sent(record, answers, {"LaunchTemplate": TEMPLATE}) == [
        ("UpdateAutoScalingGroup", {**NAMED, "LaunchTemplate": BY_ID})
    ]


def test_a_launch_template_takes_the_place_of_a_mixed_policy() -> None:
    mixed = {"LaunchTemplate": {"LaunchTemplateSpecification": TEMPLATE}}
    record, answers = live(MixedInstancesPolicy=mixed)
    assert sent(record, answers, {"LaunchTemplate": TEMPLATE, "MixedInstancesPolicy": {}}) == [
        ("UpdateAutoScalingGroup", {**NAMED, "LaunchTemplate": BY_ID})
    ]


def test_a_group_is_never_left_without_a_template() -> None:
    record, answers = live(LaunchTemplate=TEMPLATE)
    with pytest.raises(UpdateFailed, match="launched from"):
        sent(record, answers, {"LaunchTemplate": {}, "MaxSize": 3})


def test_what_was_not_set_gets_the_value_for_none() -> None:
    record, answers = live(MaxInstanceLifetime=86400, DefaultInstanceWarmup=60)
    wanted: dict[str, Any] = {
        "Cooldown": "",
        "DefaultInstanceWarmup": "",
        "InstanceMaintenancePolicy": {},
        "MaxInstanceLifetime": "",
        "TerminationPolicies": [],
    }
    assert sent(record, answers, wanted) == [
        (
            "UpdateAutoScalingGroup",
            {
                **NAMED,
                "DefaultCooldown": 300,
                "TerminationPolicies": ["Default"],
                "MaxInstanceLifetime": 0,
                "DefaultInstanceWarmup": -1,
                "InstanceMaintenancePolicy": {"MinHealthyPercentage": -1, "MaxHealthyPercentage": -1},
            },
        )
    ]
