"""Load balancers, target groups and listeners."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ARN = "arn:aws:elasticloadbalancing:eu-central-1:111122223333"
LOAD_BALANCER = f"{ARN}:loadbalancer/app/web/0123456789abcdef"
TARGET_GROUP = f"{ARN}:targetgroup/web/0123456789abcdef"
LISTENER = f"{ARN}:listener/app/web/0123456789abcdef/fedcba9876543210"


@pytest.fixture
def load_balancer(answers: Any) -> Any:
    answers["elbv2:DescribeLoadBalancers"] = {
        "LoadBalancers": [{"LoadBalancerName": "web", "Scheme": "internal", "Type": "application"}]
    }
    answers["elbv2:DescribeCapacityReservation"] = {}
    answers["elbv2:DescribeLoadBalancerAttributes"] = {}
    answers["elbv2:DescribeTags"] = {}
    return answers


def test_a_load_balancer_is_named_and_listed_as_cloudformation_does(load_balancer: Any, read: Any) -> None:
    load_balancer["elbv2:DescribeLoadBalancers"]["LoadBalancers"][0].update(
        AvailabilityZones=[
            {"ZoneName": "a", "SubnetId": "subnet-2"},
            {"ZoneName": "b", "SubnetId": "subnet-1"},
        ],
        SecurityGroups=["sg-1"],
        IpamPools={"Ipv4IpamPoolId": "ipam-pool-1"},
    )
    load_balancer["elbv2:DescribeCapacityReservation"] = {
        "MinimumLoadBalancerCapacity": {"CapacityUnits": 100}
    }
    load_balancer["elbv2:DescribeTags"] = {"TagDescriptions": [{"Tags": [{"Key": "team", "Value": "web"}]}]}

    assert read("AWS::ElasticLoadBalancingV2::LoadBalancer", LOAD_BALANCER) == Live(
        {
            "Name": "web",
            "Scheme": "internal",
            "Type": "application",
            "Subnets": ["subnet-2", "subnet-1"],
            "SecurityGroups": ["sg-1"],
            "Ipv4IpamPoolId": "ipam-pool-1",
            "MinimumLoadBalancerCapacity": {"CapacityUnits": 100},
            "LoadBalancerAttributes": [],
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


@pytest.mark.parametrize("capacity", [{}, {"CapacityUnits": 0}])
def test_no_reserved_capacity_is_no_property(load_balancer: Any, read: Any, capacity: dict[str, Any]) -> None:
    load_balancer["elbv2:DescribeCapacityReservation"] = {"MinimumLoadBalancerCapacity": capacity}

    found = read("AWS::ElasticLoadBalancingV2::LoadBalancer", LOAD_BALANCER)

    assert isinstance(found, Live)
    assert "MinimumLoadBalancerCapacity" not in found.properties


def test_attributes_are_in_dictionary_order_and_complete(load_balancer: Any, read: Any) -> None:
    attributes = [
        {"Key": "routing.http2.enabled", "Value": "true"},
        {"Key": "no.value"},
        {"Key": "access_logs.s3.bucket", "Value": ""},
    ]
    load_balancer["elbv2:DescribeLoadBalancerAttributes"] = {"Attributes": attributes}

    found = read("AWS::ElasticLoadBalancingV2::LoadBalancer", LOAD_BALANCER)

    assert isinstance(found, Live)
    assert found.properties["LoadBalancerAttributes"] == [
        {"Key": "access_logs.s3.bucket", "Value": ""},
        {"Key": "routing.http2.enabled", "Value": "true"},
    ]


def test_a_load_balancer_that_a_sub_call_does_not_find_is_gone(load_balancer: Any, read: Any) -> None:
    load_balancer.fails("elbv2:DescribeLoadBalancerAttributes", "LoadBalancerNotFound")

    assert read("AWS::ElasticLoadBalancingV2::LoadBalancer", LOAD_BALANCER) == Gone()


@pytest.mark.parametrize(
    "operation", ["DescribeCapacityReservation", "DescribeLoadBalancerAttributes", "DescribeTags"]
)
def test_a_denied_sub_call_makes_the_load_balancer_unreadable(
    load_balancer: Any, read: Any, operation: str
) -> None:
    load_balancer.fails(f"elbv2:{operation}", "AccessDenied", status=403)

    found = read("AWS::ElasticLoadBalancingV2::LoadBalancer", LOAD_BALANCER)

    assert isinstance(found, Unreadable)
    assert found.action == f"elasticloadbalancing:{operation}"


def test_a_throttled_tag_call_makes_the_load_balancer_unreadable(load_balancer: Any, read: Any) -> None:
    load_balancer.fails("elbv2:DescribeTags", "Throttling")

    assert isinstance(read("AWS::ElasticLoadBalancingV2::LoadBalancer", LOAD_BALANCER), Unreadable)


@pytest.fixture
def target_group(answers: Any) -> Any:
    answers["elbv2:DescribeTargetGroups"] = {
        "TargetGroups": [{"TargetGroupName": "web", "Port": 8080, "TargetType": "ip"}]
    }
    answers["elbv2:DescribeTargetGroupAttributes"] = {}
    answers["elbv2:DescribeTargetHealth"] = {}
    answers["elbv2:DescribeTags"] = {}
    return answers


def targets_of(found: Any) -> Any:
    assert isinstance(found, Live)
    return found.properties["Targets"]


def test_targets_say_only_what_differs_from_their_group(target_group: Any, read: Any) -> None:
    target_group["elbv2:DescribeTargetHealth"] = {
        "TargetHealthDescriptions": [
            {"Target": {"Id": "10.0.0.2", "Port": 8080, "AvailabilityZone": "all"}},
            {"Target": {"Id": "10.0.0.1", "Port": 9090, "AvailabilityZone": "eu-central-1a"}},
            {"Target": {"Id": "10.0.0.3", "Port": 8080}, "TargetHealth": {"State": "draining"}},
        ]
    }
    assert targets_of(read("AWS::ElasticLoadBalancingV2::TargetGroup", TARGET_GROUP)) == [
        {"Id": "10.0.0.2"},
        {"Id": "10.0.0.1", "Port": 9090, "AvailabilityZone": "eu-central-1a"},
    ]


def test_only_ip_targets_have_a_zone_of_their_own(target_group: Any, read: Any) -> None:
    target_group["elbv2:DescribeTargetGroups"]["TargetGroups"][0]["TargetType"] = "instance"
    target_group["elbv2:DescribeTargetHealth"] = {
        "TargetHealthDescriptions": [
            {"Target": {"Id": "i-1", "Port": 8080, "AvailabilityZone": "eu-central-1a"}}
        ]
    }
    assert targets_of(read("AWS::ElasticLoadBalancingV2::TargetGroup", TARGET_GROUP)) == [{"Id": "i-1"}]


def test_a_target_group_answer_that_lacks_members_gives_the_placeholders(
    target_group: Any, read: Any
) -> None:
    assert read("AWS::ElasticLoadBalancingV2::TargetGroup", TARGET_GROUP) == Live(
        {
            "Name": "web",
            "Port": 8080,
            "TargetType": "ip",
            "Matcher": {},
            "TargetGroupAttributes": [],
            "Targets": [],
            "Tags": [],
        }
    )


def test_a_denied_target_health_call_is_unreadable_and_not_an_empty_group(
    target_group: Any, read: Any
) -> None:
    target_group.fails("elbv2:DescribeTargetHealth", "AccessDenied", status=403)

    found = read("AWS::ElasticLoadBalancingV2::TargetGroup", TARGET_GROUP)

    assert isinstance(found, Unreadable)
    assert found.action == "elasticloadbalancing:DescribeTargetHealth"


def test_a_listener_keeps_its_actions_as_elb_answers_them(answers: Any, read: Any) -> None:
    actions = [{"Type": "forward", "TargetGroupArn": TARGET_GROUP, "Order": 1}]
    certificates = [
        {"CertificateArn": "arn:aws:acm:eu-central-1:111122223333:certificate/1", "IsDefault": True}
    ]
    answers["elbv2:DescribeListeners"] = {
        "Listeners": [{"Port": 443, "DefaultActions": actions, "Certificates": certificates}]
    }
    answers["elbv2:DescribeListenerAttributes"] = {}
    answers["elbv2:DescribeTags"] = {}

    assert read("AWS::ElasticLoadBalancingV2::Listener", LISTENER) == Live(
        {
            "Port": 443,
            "DefaultActions": actions,
            "Certificates": certificates,
            "AlpnPolicy": [],
            "MutualAuthentication": {},
            "ListenerAttributes": [],
            "Tags": [],
        }
    )


@pytest.mark.parametrize(
    ("kind", "operation", "code"),
    [
        ("LoadBalancer", "DescribeLoadBalancers", "LoadBalancerNotFound"),
        ("TargetGroup", "DescribeTargetGroups", "TargetGroupNotFound"),
        ("Listener", "DescribeListeners", "ListenerNotFound"),
    ],
)
def test_the_exact_not_found_code_means_gone(
    answers: Any, read: Any, kind: str, operation: str, code: str
) -> None:
    answers.fails(f"elbv2:{operation}", code)
    assert read(f"AWS::ElasticLoadBalancingV2::{kind}", LISTENER) == Gone()

    answers.fails(f"elbv2:{operation}", "ValidationError")
    assert isinstance(read(f"AWS::ElasticLoadBalancingV2::{kind}", LISTENER), Unreadable)
