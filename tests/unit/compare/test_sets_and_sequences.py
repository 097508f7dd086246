"""Which lists have an order, which have identities, and which hold more than was declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from driftwarden.compare import Comparison

Diff = Callable[..., Comparison]


SUBNETS = ["subnet-0706a713159293eeb", "subnet-024caa6a688f4b709"]

REORDERED_ALIKE = {
    "a set by its schema": ("AWS::IAM::Role", {"ManagedPolicyArns": ["arn:a", "arn:b"]}),
    "lists of EC2 ids": ("AWS::Lambda::Function", {"VpcConfig": {"SubnetIds": SUBNETS}}),
    "HTTP methods": (
        "AWS::CloudFront::Distribution",
        {"DistributionConfig": {"DefaultCacheBehavior": {"AllowedMethods": ["GET", "HEAD"]}}},
    ),
    "names and values": (
        "AWS::Amplify::App",
        {"EnvironmentVariables": [{"Name": "A", "Value": "1"}, {"Name": "B", "Value": "2"}]},
    ),
    "elements with an identity": (
        "AWS::Events::Rule",
        {"Targets": [{"Id": "1", "Arn": "a"}, {"Id": "2", "Arn": "b"}]},
    ),
    "elements with a rank of their own": (
        "AWS::WAFv2::WebACL",
        {"Rules": [{"Name": "a", "Priority": 2}, {"Name": "b", "Priority": 1}]},
    ),
    "security group rules": (
        "AWS::EC2::SecurityGroup",
        {
            "SecurityGroupIngress": [
                {"IpProtocol": "tcp", "FromPort": port, "ToPort": port, "CidrIp": "10.0.0.0/8"}
                for port in (22, 443)
            ]
        },
    ),
    "values of DNS records": ("AWS::Route53::RecordSet", {"ResourceRecords": ["192.0.2.1", "192.0.2.2"]}),
}

REORDERED_ALIKE |= {
    "countries": (
        "AWS::CloudFront::Distribution",
        {"DistributionConfig": {"Restrictions": {"GeoRestriction": {"Locations": ["CA", "US"]}}}},
    ),
    "functions at the edge": (
        "AWS::CloudFront::Distribution",
        {
            "DistributionConfig": {
                "DefaultCacheBehavior": {
                    "LambdaFunctionAssociations": [
                        {"EventType": "viewer-request", "LambdaFunctionARN": "a"},
                        {"EventType": "origin-request", "LambdaFunctionARN": "b"},
                    ]
                }
            }
        },
    ),
    "responses of a method": (
        "AWS::ApiGateway::Method",
        {"MethodResponses": [{"StatusCode": "200"}, {"StatusCode": "404"}]},
    ),
    "event filters": (
        "AWS::Lambda::EventSourceMapping",
        {"FilterCriteria": {"Filters": [{"Pattern": '{"a": [1]}'}, {"Pattern": '{"b": [1]}'}]}},
    ),
    "recorded types": (
        "AWS::Config::ConfigurationRecorder",
        {"RecordingGroup": {"ResourceTypes": ["AWS::S3::Bucket", "AWS::EC2::VPC"]}},
    ),
    "storage transitions": (
        "AWS::S3::Bucket",
        {
            "LifecycleConfiguration": {
                "Rules": [
                    {
                        "Status": "Enabled",
                        "Transitions": [
                            {"StorageClass": "GLACIER", "TransitionInDays": 90},
                            {"StorageClass": "STANDARD_IA", "TransitionInDays": 30},
                        ],
                    }
                ]
            }
        },
    ),
    "listeners of a classic load balancer": (
        "AWS::ElasticLoadBalancing::LoadBalancer",
        {
            "Listeners": [
                {"LoadBalancerPort": "443", "InstancePort": "80", "Protocol": "HTTPS"},
                {"LoadBalancerPort": "80", "InstancePort": "80", "Protocol": "HTTP"},
            ]
        },
    ),
}

ORDER_MATTERS = {
    "clustering columns": (
        "AWS::Cassandra::Table",
        {"ClusteringKeyColumns": [{"Column": {"ColumnName": "a"}}, {"Column": {"ColumnName": "b"}}]},
    ),
    "upstream repositories": ("AWS::CodeArtifact::Repository", {"Upstreams": ["first", "second"]}),
    "firewall rules in strict order": (
        "AWS::NetworkFirewall::RuleGroup",
        {"RuleGroup": {"RulesSource": {"StatefulRules": [{"Action": "PASS"}, {"Action": "DROP"}]}}},
    ),
    "classifiers": ("AWS::Glue::Crawler", {"Classifiers": ["mine", "fallback"]}),
    "Lambda layers": ("AWS::Lambda::Function", {"Layers": ["base:4", "overrides:2"]}),
    "pipeline functions": (
        "AWS::AppSync::Resolver",
        {"PipelineConfig": {"Functions": ["authorise", "fetch"]}},
    ),
    "command lines": (
        "AWS::ECS::TaskDefinition",
        {"ContainerDefinitions": [{"Name": "c", "Command": ["sleep", "60"]}]},
    ),
    "cache behaviours": (
        "AWS::CloudFront::Distribution",
        {"DistributionConfig": {"CacheBehaviors": [{"PathPattern": "/a/*"}, {"PathPattern": "/*"}]}},
    ),
    "resolvers that are asked in turn": (
        "AWS::EC2::DHCPOptions",
        {"DomainNameServers": ["10.0.0.2", "10.0.0.3"]},
    ),
    "key schemas": (
        "AWS::DynamoDB::Table",
        {
            "KeySchema": [
                {"AttributeName": "a", "KeyType": "HASH"},
                {"AttributeName": "b", "KeyType": "RANGE"},
            ]
        },
    ),
    "placement strategies": (
        "AWS::ECS::Service",
        {"PlacementStrategies": [{"Type": "spread", "Field": "zone"}, {"Type": "binpack", "Field": "cpu"}]},
    ),
}


def reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reordered(item) for key, item in value.items()}
    if isinstance(value, list):
        return [reordered(item) for item in reversed(value)]
    return value


def edited(value: Any) -> Any:
    if isinstance(value, dict):
        first, *rest = value
        return {first: edited(value[first]), **{key: value[key] for key in rest}}
    if isinstance(value, list):
        return [*value[:-1], edited(value[-1])]
    return f"{value}-edited"


@pytest.mark.parametrize("kind", REORDERED_ALIKE)
def test_an_order_that_means_nothing_is_no_drift_and_an_edit_still_is(diff: Diff, kind: str) -> None:
    resource_type, properties = REORDERED_ALIKE[kind]
    for observed in (None, properties):
        assert diff(resource_type, properties, reordered(properties), observed=observed).changes == ()
        assert diff(resource_type, properties, edited(reordered(properties)), observed=observed).changes


@pytest.mark.parametrize("kind", ORDER_MATTERS)
def test_an_order_that_has_a_meaning_is_kept_whatever_the_schema_says(diff: Diff, kind: str) -> None:
    resource_type, properties = ORDER_MATTERS[kind]
    assert diff(resource_type, properties, reordered(properties)).changes


def test_a_set_sees_an_element_added_removed_or_doubled(diff: Diff) -> None:
    template = {"ManagedPolicyArns": ["arn:a", "arn:b"]}
    for live in (["arn:a"], ["arn:a", "arn:b", "arn:c"], ["arn:a", "arn:a"]):
        assert diff("AWS::IAM::Role", template, {"ManagedPolicyArns": live}).changes


def test_elements_are_paired_so_that_no_edit_hides_behind_a_neighbour(diff: Diff) -> None:
    loose, strict = {"IpProtocol": "tcp", "CidrIp": "10.0.0.0/8"}, {"IpProtocol": "tcp", "FromPort": 22}
    both = {"IpProtocol": "tcp", "CidrIp": "10.0.0.0/8", "FromPort": 22}
    template = {"SecurityGroupIngress": [loose, strict]}
    kind = "AWS::EC2::SecurityGroup"
    assert diff(kind, template, {"SecurityGroupIngress": [both, loose]}).changes == ()
    assert diff(kind, template, {"SecurityGroupIngress": [loose, loose]}).changes


def test_lists_of_which_aws_owns_the_rest_must_still_hold_what_was_declared(diff: Diff) -> None:
    declared, more = {"Device": "/dev/sdf", "VolumeId": "vol-1"}, {"Device": "/dev/xvda", "VolumeId": "vol-0"}
    assert diff("AWS::EC2::Instance", {"Volumes": [declared]}, {"Volumes": [more, declared]}).changes == ()
    assert diff("AWS::EC2::Instance", {"Volumes": [declared]}, {"Volumes": [more]}).changes


class TestAttributesOfALoadBalancer:
    KIND = "AWS::ElasticLoadBalancingV2::LoadBalancer"
    TIMEOUT: ClassVar[dict[str, str]] = {"Key": "idle_timeout.timeout_seconds", "Value": "60"}
    HTTP2: ClassVar[dict[str, str]] = {"Key": "routing.http2.enabled", "Value": "true"}

    def changes(self, diff: Diff, live: Any, observed: list[dict[str, str]] | None = None) -> Any:
        template = {"LoadBalancerAttributes": [self.TIMEOUT]}
        baseline = None if observed is None else {"LoadBalancerAttributes": observed}
        return diff(self.KIND, template, {"LoadBalancerAttributes": live}, observed=baseline).changes

    def test_the_undeclared_ones_are_aws_business_until_a_known_one_changes(self, diff: Diff) -> None:
        off = {**self.HTTP2, "Value": "false"}
        assert self.changes(diff, [self.HTTP2, self.TIMEOUT]) == ()
        assert self.changes(diff, [self.HTTP2, self.TIMEOUT], observed=[self.TIMEOUT]) == ()
        assert self.changes(diff, [off, self.TIMEOUT], observed=[self.TIMEOUT, self.HTTP2])

    def test_only_an_undeclared_one_can_be_withdrawn(self, diff: Diff) -> None:
        assert self.changes(diff, [self.TIMEOUT], observed=[self.HTTP2, self.TIMEOUT]) == ()
        assert self.changes(diff, [self.HTTP2], observed=[self.HTTP2, self.TIMEOUT])

    def test_the_declared_one_is_compared(self, diff: Diff) -> None:
        assert self.changes(diff, [{**self.TIMEOUT, "Value": "900"}])
