"""What other resources of the stack explain, and the edit beside it that they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Comparison
from driftwarden.model import Record

Diff = Callable[..., Comparison]
Neighbour = Callable[..., Record]


ROLE, GROUP = "AWS::IAM::Role", "AWS::EC2::SecurityGroup"
ALLOW = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "a:b", "Resource": "*"}]}
ADMIN = {
    "PolicyName": "debug",
    "PolicyDocument": {**ALLOW, "Statement": [{"Effect": "Allow", "Action": "*"}]},
}


def rule(port: int, cidr: str = "10.0.0.0/8") -> dict[str, object]:
    return {"IpProtocol": "tcp", "FromPort": port, "ToPort": port, "CidrIp": cidr}


# what: (subject type, property, owned live element, stranger's live element, the owner's type and properties)
OWNED = {
    "an inline policy": (
        ROLE, "Policies", {"PolicyName": "jobs", "PolicyDocument": ALLOW}, ADMIN,
        "AWS::IAM::Policy", {"PolicyName": "jobs", "Roles": ["subject"], "PolicyDocument": ALLOW},
    ),
    "an inline policy by its own type": (
        ROLE, "Policies", {"PolicyName": "jobs", "PolicyDocument": ALLOW}, ADMIN,
        "AWS::IAM::RolePolicy", {"PolicyName": "jobs", "RoleName": "subject"},
    ),
    "a managed policy that names its roles": (
        ROLE, "ManagedPolicyArns", "neighbour", "arn:aws:iam::aws:policy/AdministratorAccess",
        "AWS::IAM::ManagedPolicy", {"Roles": ["subject"]},
    ),
    "a standalone ingress rule": (
        GROUP, "SecurityGroupIngress", rule(443), rule(22, "0.0.0.0/0"),
        "AWS::EC2::SecurityGroupIngress", {"GroupId": "subject", **rule(443)},
    ),
    "a standalone egress rule": (
        GROUP, "SecurityGroupEgress", rule(443), rule(25),
        "AWS::EC2::SecurityGroupEgress", {"GroupId": "subject", **rule(443)},
    ),
    "capacity providers of a cluster": (
        "AWS::ECS::Cluster", "CapacityProviders", "spot", "mine",
        "AWS::ECS::ClusterCapacityProviderAssociations",
        {"Cluster": "subject", "CapacityProviders": ["spot"]},
    ),
    "a lifecycle hook": (
        "AWS::AutoScaling::AutoScalingGroup", "LifecycleHookSpecificationList",
        {"LifecycleHookName": "drain", "HeartbeatTimeout": 60}, {"LifecycleHookName": "stop"},
        "AWS::AutoScaling::LifecycleHook", {"AutoScalingGroupName": "subject", "LifecycleHookName": "drain"},
    ),
    "a subscription": (
        "AWS::SNS::Topic", "Subscription", {"Protocol": "sqs", "Endpoint": "arn:q"},
        {"Protocol": "email", "Endpoint": "me@example.org"},
        "AWS::SNS::Subscription", {"TopicArn": "subject", "Protocol": "sqs", "Endpoint": "arn:q"},
    ),
    "an attached volume": (
        "AWS::EC2::Instance", "Volumes", {"VolumeId": "vol-1", "Device": "/dev/sdf"}, {"VolumeId": "vol-9"},
        "AWS::EC2::VolumeAttachment", {"InstanceId": "subject", "VolumeId": "vol-1", "Device": "/dev/sdf"},
    ),
    "a route": (
        "AWS::EC2::RouteTable", "Routes", {"DestinationCidrBlock": "0.0.0.0/0", "GatewayId": "igw-1"},
        {"DestinationCidrBlock": "10.9.0.0/16", "GatewayId": "igw-9"},
        "AWS::EC2::Route",
        {"RouteTableId": "subject", "DestinationCidrBlock": "0.0.0.0/0", "GatewayId": "igw-1"},
    ),
    "a listener certificate": (
        "AWS::ElasticLoadBalancingV2::Listener", "Certificates", {"CertificateArn": "c1"},
        {"CertificateArn": "c9"},
        "AWS::ElasticLoadBalancingV2::ListenerCertificate",
        {"ListenerArn": "subject", "Certificates": [{"CertificateArn": "c1"}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", OWNED)
def test_an_element_that_a_sibling_owns_is_explained_and_the_one_beside_it_is_not(
    diff: Diff, neighbour: Neighbour, what: str
) -> None:
    kind, name, owned, stranger, owner, properties = OWNED[what]
    sibling = neighbour(owner, properties=properties)
    captured = {"observed": {name: []}, "neighbours": (sibling,)}
    assert diff(kind, {}, {name: [owned]}, **captured).appeared == ()
    (found,) = diff(kind, {}, {name: [owned, stranger]}, **captured).appeared
    assert found.aws == [stranger]


@pytest.mark.parametrize("what", OWNED)
def test_a_sibling_of_another_resource_explains_nothing(diff: Diff, neighbour: Neighbour, what: str) -> None:
    kind, name, owned, _, owner, properties = OWNED[what]
    sibling = neighbour(owner, properties=properties)
    found = diff(
        kind, {}, {name: [owned]}, observed={name: []}, neighbours=(sibling,), physical_id="somebody-else"
    )
    assert found.appeared


@pytest.mark.parametrize("what", OWNED)
def test_owned_elements_beside_captured_ones_are_explained_too(
    diff: Diff, neighbour: Neighbour, what: str
) -> None:
    kind, name, owned, stranger, owner, properties = OWNED[what]
    sibling = neighbour(owner, properties=properties)
    context = {"observed": {name: [stranger]}, "neighbours": (sibling,)}
    assert diff(kind, {}, {name: [stranger, owned]}, **context).changes == ()
    assert diff(kind, {}, {name: [owned]}, **context).changes


def test_targets_that_a_service_registers_come_and_go(diff: Diff, neighbour: Neighbour) -> None:
    kind, live = "AWS::ElasticLoadBalancingV2::TargetGroup", {"Targets": [{"Id": "10.0.0.7"}]}
    service = neighbour("AWS::ECS::Service", properties={"LoadBalancers": [{"TargetGroupArn": "subject"}]})
    for captured in ([], [{"Id": "10.0.0.3"}]):
        found = diff(kind, {}, live, observed={"Targets": captured}, neighbours=(service,))
        assert found.changes == found.appeared == ()
        alone = diff(kind, {}, live, observed={"Targets": captured})
        assert alone.changes or alone.appeared
    declared = {"Targets": [{"Id": "10.0.0.3"}]}
    assert diff(kind, declared, live, observed=declared, neighbours=(service,)).changes


def test_bucket_notifications_of_the_cdk_are_explained_by_their_custom_resource(
    diff: Diff, neighbour: Neighbour
) -> None:
    function = "arn:aws:lambda:eu-west-1:111122223333:function:f"
    wanted = {
        "LambdaFunctionConfigurations": [{"LambdaFunctionArn": function, "Events": ["s3:ObjectCreated:*"]}]
    }
    cdk = neighbour(
        "Custom::S3BucketNotifications",
        properties={"BucketName": "subject", "NotificationConfiguration": wanted},
    )
    live = [{"Event": "s3:ObjectCreated:*", "Function": function}]
    captured: dict[str, Any] = {"NotificationConfiguration": {"LambdaConfigurations": []}}

    def changes(configurations: Any) -> Any:
        after = {"NotificationConfiguration": {"LambdaConfigurations": configurations}}
        return diff("AWS::S3::Bucket", {}, after, observed=captured, neighbours=(cdk,)).changes

    assert changes(live) == ()
    assert changes([*live, {"Event": "s3:ObjectCreated:*", "Function": f"{function}-2"}])


class TestScaling:
    def target(self, neighbour: Neighbour, namespace: str, dimension: str, resource: str) -> Any:
        return neighbour(
            "AWS::ApplicationAutoScaling::ScalableTarget",
            physical_id=f"{resource}|{dimension}|{namespace}",
            properties={
                "ServiceNamespace": namespace,
                "ScalableDimension": dimension,
                "ResourceId": resource,
                "MinCapacity": 2,
                "MaxCapacity": 8,
            },
        )

    @pytest.mark.parametrize(("count", "drifts"), [(2, False), (8, False), (1, True), (9, True), (0, True)])
    def test_a_desired_count_is_free_inside_its_band_only(
        self, diff: Diff, neighbour: Neighbour, count: int, drifts: bool
    ) -> None:
        target = self.target(neighbour, "ecs", "ecs:service:DesiredCount", "service/jobs/ledger")
        before = {"ServiceName": "ledger", "Cluster": "jobs", "DesiredCount": 3}
        after = {**before, "DesiredCount": count}
        found = diff("AWS::ECS::Service", before, after, observed=before, neighbours=(target,))
        assert bool(found.changes) is drifts

    def test_a_band_belongs_to_one_service_of_one_cluster(self, diff: Diff, neighbour: Neighbour) -> None:
        before = {"ServiceName": "ledger", "Cluster": "jobs", "DesiredCount": 3}
        for resource in ("service/jobs/other", "service/elsewhere/ledger"):
            target = self.target(neighbour, "ecs", "ecs:service:DesiredCount", resource)
            after = {**before, "DesiredCount": 5}
            assert diff("AWS::ECS::Service", before, after, neighbours=(target,)).changes

    def test_the_capacity_of_a_table_and_of_its_indexes(self, diff: Diff, neighbour: Neighbour) -> None:
        def table(units: int, index_units: int) -> Any:
            throughput = {"ReadCapacityUnits": units, "WriteCapacityUnits": 5}
            index = {"IndexName": "i", "ProvisionedThroughput": {"ReadCapacityUnits": index_units}}
            return {"ProvisionedThroughput": throughput, "GlobalSecondaryIndexes": [index]}

        own = self.target(neighbour, "dynamodb", "dynamodb:table:ReadCapacityUnits", "table/subject")
        index = self.target(
            neighbour, "dynamodb", "dynamodb:index:ReadCapacityUnits", "table/subject/index/i"
        )
        kind, context = "AWS::DynamoDB::Table", {"neighbours": (own, index)}
        assert diff(kind, table(3, 3), table(7, 8), **context).changes == ()
        assert len(diff(kind, table(3, 3), table(9, 9), **context).changes) == 2

    def test_provisioned_concurrency_of_an_alias(self, diff: Diff, neighbour: Neighbour) -> None:
        def alias(count: int) -> Any:
            concurrency = {"ProvisionedConcurrentExecutions": count}
            return {"FunctionName": "f", "Name": "live", "ProvisionedConcurrencyConfig": concurrency}

        dimension = "lambda:function:ProvisionedConcurrency"
        target = self.target(neighbour, "lambda", dimension, "function:f:live")
        assert diff("AWS::Lambda::Alias", alias(3), alias(6), neighbours=(target,)).changes == ()
        assert diff("AWS::Lambda::Alias", alias(3), alias(60), neighbours=(target,)).changes

    def test_a_groups_capacity_moves_between_its_bounds_if_something_scales_it(
        self, diff: Diff, neighbour: Neighbour
    ) -> None:
        kind = "AWS::AutoScaling::AutoScalingGroup"
        before = {"MinSize": "1", "MaxSize": "4", "DesiredCapacity": "1"}
        policy = neighbour("AWS::AutoScaling::ScalingPolicy", properties={"AutoScalingGroupName": "subject"})
        for size, drifts in (("3", False), ("5", True)):
            after = {**before, "DesiredCapacity": size}
            assert bool(diff(kind, before, after, neighbours=(policy,)).changes) is drifts
        assert diff(kind, before, {**before, "DesiredCapacity": "3"}).changes

    def test_storage_grows_up_to_its_limit_and_never_shrinks(self, diff: Diff) -> None:
        before = {"AllocatedStorage": "20", "MaxAllocatedStorage": 100}
        for size, drifts in (("50", False), ("200", True), ("10", True)):
            after = {**before, "AllocatedStorage": size}
            assert bool(diff("AWS::RDS::DBInstance", before, after).changes) is drifts


def test_an_event_bus_switch_set_by_the_custom_resource_is_explained(
    diff: Diff, neighbour: Neighbour
) -> None:
    live = {"NotificationConfiguration": {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}}
    before: dict[str, Any] = {"NotificationConfiguration": {}}
    cases: Any = (({"EventBridgeConfiguration": {}}, 0), ({}, 1))
    for wanted, count in cases:
        setter = neighbour(
            "Custom::S3BucketNotifications",
            properties={"BucketName": "subject", "NotificationConfiguration": wanted},
        )
        found = diff("AWS::S3::Bucket", {}, live, observed=before, neighbours=(setter,))
        assert (found.changes, len(found.appeared)) == ((), count)


def test_an_address_is_bound_to_the_instance_that_an_association_names(
    diff: Diff, neighbour: Neighbour
) -> None:
    before, after = ({"Domain": "vpc", "InstanceId": held} for held in ("", "i-0aaaaaaaaaaaaaaaa"))
    for instance, drifted in (("i-0aaaaaaaaaaaaaaaa", False), ("i-0bbbbbbbbbbbbbbbb", True)):
        binding = neighbour("AWS::EC2::EIPAssociation", properties={"EIP": "subject", "InstanceId": instance})
        found = diff("AWS::EC2::EIP", {"Domain": "vpc"}, after, observed=before, neighbours=(binding,))
        assert bool(found.changes) is drifted


@pytest.mark.parametrize(
    ("live", "drifted"), [("30", False), ("100", False), ("27", True), ("19", True), ("101", True)]
)
def test_storage_grows_by_ten_gibibytes_at_least(diff: Diff, live: str, drifted: bool) -> None:
    template = {"AllocatedStorage": "20", "MaxAllocatedStorage": 100}
    found = diff("AWS::RDS::DBInstance", template, {**template, "AllocatedStorage": live})
    assert bool(found.changes) is drifted


SCALED = [
    ("AWS::ElastiCache::ReplicationGroup", {"NumNodeGroups": 2}, "replication-group/subject",
     "elasticache:replication-group:NodeGroups"),
    ("AWS::Cassandra::Table",
     {"KeyspaceName": "k", "TableName": "t",
      "BillingMode": {"ProvisionedThroughput": {"ReadCapacityUnits": 2}}},
     "keyspace/k/table/t", "cassandra:table:ReadCapacityUnits"),
    ("AWS::AppStream::Fleet", {"Name": "f", "ComputeCapacity": {"DesiredInstances": 2}}, "fleet/f",
     "appstream:fleet:DesiredCapacity"),
]  # fmt: skip


def moved(value: Any, number: int) -> Any:
    if isinstance(value, dict):
        return {key: moved(item, number) for key, item in value.items()}
    return number if isinstance(value, int) else value


@pytest.mark.parametrize(("resource_type", "template", "resource", "dimension"), SCALED)
def test_a_scaled_number_is_judged_by_its_band(
    diff: Diff, neighbour: Neighbour, resource_type: str, template: Any, resource: str, dimension: str
) -> None:
    target = neighbour(
        "AWS::ApplicationAutoScaling::ScalableTarget",
        properties={
            "ResourceId": resource,
            "ScalableDimension": dimension,
            "MinCapacity": 1,
            "MaxCapacity": 5,
        },
    )
    for number, drifted in ((5, False), (6, True)):
        found = diff(resource_type, template, moved(template, number), neighbours=(target,))
        assert bool(found.changes) is drifted


def test_a_version_raised_within_the_declared_one_is_no_drift(diff: Diff) -> None:
    before, template = {"EngineVersion": "15.4"}, {"EngineVersion": "15"}
    for live, drifted in (("15.6", False), ("16.1", True)):
        found = diff("AWS::RDS::DBInstance", template, {"EngineVersion": live}, observed=before)
        assert bool(found.changes) is drifted
    assert diff("AWS::RDS::DBInstance", before, {"EngineVersion": "15.6"}, observed=before).changes
