"""Auto Scaling groups, with their hooks, traffic sources and notifications."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable


@pytest.fixture
def group(answers: Any) -> Any:
    answers["autoscaling:DescribeAutoScalingGroups"] = {
        "AutoScalingGroups": [
            {"AutoScalingGroupName": "g", "MinSize": 1, "MaxSize": 3, "DefaultCooldown": 300}
        ]
    }
    answers["autoscaling:DescribeLifecycleHooks"] = {"LifecycleHooks": []}
    answers["autoscaling:DescribeTrafficSources"] = {"TrafficSources": []}
    answers["autoscaling:DescribeNotificationConfigurations"] = {"NotificationConfigurations": []}
    return answers


def properties(read: Any) -> Any:
    found = read("AWS::AutoScaling::AutoScalingGroup", "g")
    assert isinstance(found, Live)
    return found.properties


def test_a_plain_group_has_placeholders(group: Any, read: Any) -> None:
    assert properties(read) == {
        "AutoScalingGroupName": "g",
        "MinSize": 1,
        "MaxSize": 3,
        "Cooldown": 300,
        "VPCZoneIdentifier": [],
        "AvailabilityZones": [],
        "TerminationPolicies": [],
        "LoadBalancerNames": [],
        "TargetGroupARNs": [],
        "NewInstancesProtectedFromScaleIn": False,
        "CapacityRebalance": False,
        "DeletionProtection": "none",
        "MetricsCollection": [],
        "LifecycleHookSpecificationList": [],
        "TrafficSources": [],
        "NotificationConfigurations": [],
        "Tags": [],
    }


def test_texts_and_flat_lists_become_structures(group: Any, read: Any) -> None:
    group["autoscaling:DescribeAutoScalingGroups"]["AutoScalingGroups"][0].update(
        VPCZoneIdentifier="subnet-2, subnet-1",
        EnabledMetrics=[
            {"Metric": "GroupMinSize", "Granularity": "1Minute"},
            {"Metric": "GroupMaxSize", "Granularity": "1Minute"},
        ],
        Tags=[{"Key": "team", "Value": "a", "PropagateAtLaunch": True, "ResourceId": "g"}],
    )
    found = properties(read)

    assert found["VPCZoneIdentifier"] == ["subnet-2", "subnet-1"]
    assert found["MetricsCollection"] == [
        {"Granularity": "1Minute", "Metrics": ["GroupMaxSize", "GroupMinSize"]}
    ]
    assert found["Tags"] == [{"Key": "team", "Value": "a"}]


def test_hooks_are_in_dictionary_order_of_their_names(group: Any, read: Any) -> None:
    group["autoscaling:DescribeLifecycleHooks"] = {
        "LifecycleHooks": [
            {"LifecycleHookName": "b", "AutoScalingGroupName": "g", "GlobalTimeout": 1},
            {"LifecycleHookName": "A"},
        ]
    }
    assert properties(read)["LifecycleHookSpecificationList"] == [
        {"LifecycleHookName": "A"},
        {"LifecycleHookName": "b"},
    ]


def test_load_balancers_are_no_traffic_sources(group: Any, read: Any) -> None:
    sources = [
        {"Identifier": "z", "Type": "vpc-lattice", "State": "InService"},
        {"Identifier": "lb", "Type": "elb"},
        {"Identifier": "tg", "Type": "elbv2"},
    ]
    group["autoscaling:DescribeTrafficSources"] = {"TrafficSources": sources}

    assert properties(read)["TrafficSources"] == [{"Identifier": "z", "Type": "vpc-lattice"}]


def test_traffic_sources_and_notifications_are_read_to_the_last_page(group: Any, read: Any) -> None:
    group["autoscaling:DescribeTrafficSources"] = [
        {"TrafficSources": [{"Identifier": "b"}], "NextToken": "next"},
        {"TrafficSources": [{"Identifier": "a"}]},
    ]
    group["autoscaling:DescribeNotificationConfigurations"] = [
        {"NotificationConfigurations": [{"TopicARN": "t", "NotificationType": "z"}], "NextToken": "next"},
        {"NotificationConfigurations": [{"TopicARN": "t", "NotificationType": "a"}]},
    ]
    found = properties(read)

    assert found["TrafficSources"] == [{"Identifier": "a"}, {"Identifier": "b"}]
    assert found["NotificationConfigurations"] == [{"TopicARN": "t", "NotificationTypes": ["a", "z"]}]


@pytest.mark.parametrize(
    ("message", "gone"),
    [("AutoScalingGroup name not found - g", True), ("1 validation error detected", False)],
)
def test_a_validation_error_means_gone_only_where_its_message_says_so(
    group: Any, read: Any, message: str, gone: bool
) -> None:
    group.fails("autoscaling:DescribeAutoScalingGroups", "ValidationError")
    group["autoscaling:DescribeAutoScalingGroups"].response["Error"]["Message"] = message

    found = read("AWS::AutoScaling::AutoScalingGroup", "g")

    assert found == Gone() if gone else isinstance(found, Unreadable)


@pytest.mark.parametrize(
    "operation", ["DescribeLifecycleHooks", "DescribeTrafficSources", "DescribeNotificationConfigurations"]
)
def test_a_denied_sub_call_is_unreadable_and_not_an_empty_list(group: Any, read: Any, operation: str) -> None:
    group.fails(f"autoscaling:{operation}", "AccessDenied", status=403)

    found = read("AWS::AutoScaling::AutoScalingGroup", "g")

    assert isinstance(found, Unreadable)
    assert found.action == f"autoscaling:{operation}"
