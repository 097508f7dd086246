"""Elements of a resource's list that another resource of the stack put there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from driftwarden.compare.context import Context
from driftwarden.compare.rules import Place
from driftwarden.compare.siblings.names import listed, names_of, refers
from driftwarden.model import Record

Same = Callable[[Place, Any, Any], bool]


@dataclass(frozen=True, slots=True)
class Named:
    """Explains every element with this value at this member, whatever else is in it: the owner is compared
    itself.
    """

    member: str
    value: Any


EVERYTHING = object()
"""The list is somebody else's altogether, as long as the template declares none."""

Explained = Iterator[Any]
Owner = Callable[[Record, Context], Explained]

PRINCIPAL_LISTS = {"AWS::IAM::Role": "Roles", "AWS::IAM::User": "Users", "AWS::IAM::Group": "Groups"}


def unexplained(record: Record, context: Context, place: Place, state: Any, aws: Any, covers: Same) -> Any:
    """The live list without the elements that siblings own and the baseline does not hold; else the list
    itself. A single value or object that a sibling owns is as good as the baseline's.

    `covers` tells whether a live element is what a sibling's template asks for.
    """
    owner = OWNERS.get((record.resource_type, place.name))
    if owner is None:
        return aws
    owned = list(owner(record, context))
    if not isinstance(aws, list):
        return state if any(covers(place, known, aws) for known in owned) else aws
    if EVERYTHING in owned:
        return aws if place.name in record.properties else state
    if not owned:
        return aws
    ours = listed(state)
    rest = [
        item
        for item in aws
        if any(covers(place.element, known, item) for known in ours)
        or not any(_explains(known, item, place, covers) for known in owned)
    ]
    return aws if len(rest) == len(aws) else rest


def has_policy_of_its_own(record: Record, context: Context) -> bool:
    """Whether a policy resource of the stack names this record, and so owns the resource policy on it."""
    policies = (name for name in context.by_type if name.endswith("Policy"))
    return any(
        _mentions(value, record)
        for other in context.of_type(*policies)
        if other is not record
        for value in other.properties.values()
    )


def _mentions(value: Any, record: Record) -> bool:
    return refers(value, record) or any(refers(item, record) for item in listed(value))


def _explains(known: Any, item: Any, place: Place, covers: Same) -> bool:
    if isinstance(known, Named):
        return isinstance(item, Mapping) and item.get(known.member) == known.value
    return covers(place.element, known, item)


def _inline_policies(record: Record, context: Context) -> Explained:
    holders = PRINCIPAL_LISTS[record.resource_type]
    kind = record.resource_type.rsplit("::", 1)[-1]
    for other in context.of_type("AWS::IAM::Policy"):
        if any(refers(name, record) for name in listed(other.properties.get(holders))):
            yield Named("PolicyName", other.properties.get("PolicyName", other.physical_id.split(":")[0]))
    for other in context.of_type(f"AWS::IAM::{kind}Policy"):
        if refers(other.properties.get(f"{kind}Name"), record):
            yield Named("PolicyName", other.properties.get("PolicyName"))


def _managed_policies(record: Record, context: Context) -> Explained:
    holders = PRINCIPAL_LISTS[record.resource_type]
    for other in context.of_type("AWS::IAM::ManagedPolicy"):
        if any(refers(name, record) for name in listed(other.properties.get(holders))):
            yield other.physical_id


def _groups(record: Record, context: Context) -> Explained:
    for other in context.of_type("AWS::IAM::UserToGroupAddition"):
        if any(refers(name, record) for name in listed(other.properties.get("Users"))):
            yield other.properties.get("GroupName")


def _holders_of_policy(member: str) -> Owner:
    """Roles, users or groups that attach a managed policy by its ARN on their own side."""

    def owner(record: Record, context: Context) -> Explained:
        kinds = {holders: kind for kind, holders in PRINCIPAL_LISTS.items()}
        for other in context.of_type(kinds[member]):
            if record.physical_id in listed(other.properties.get("ManagedPolicyArns")):
                yield other.physical_id

    return owner


def _group_rules(kind: str) -> Owner:
    def owner(record: Record, context: Context) -> Explained:
        for other in context.of_type(f"AWS::EC2::SecurityGroup{kind}"):
            if refers(other.properties.get("GroupId"), record) or record.physical_id == other.properties.get(
                "GroupName"
            ):
                yield {
                    key: value
                    for key, value in other.properties.items()
                    if key not in ("GroupId", "GroupName")
                }

    return owner


def _capacity_providers(member: str) -> Owner:
    def owner(record: Record, context: Context) -> Explained:
        for other in context.of_type("AWS::ECS::ClusterCapacityProviderAssociations"):
            if refers(other.properties.get("Cluster"), record, "ClusterName"):
                yield from listed(other.properties.get(member))

    return owner


def _lifecycle_hooks(record: Record, context: Context) -> Explained:
    for other in context.of_type("AWS::AutoScaling::LifecycleHook"):
        if refers(other.properties.get("AutoScalingGroupName"), record, "AutoScalingGroupName"):
            for name in names_of(other, "LifecycleHookName"):
                yield Named("LifecycleHookName", name)


def _subscriptions(record: Record, context: Context) -> Explained:
    for other in context.of_type("AWS::SNS::Subscription"):
        if other.properties.get("TopicArn") == record.physical_id:
            yield {key: other.properties.get(key) for key in ("Protocol", "Endpoint")}


def _volumes(record: Record, context: Context) -> Explained:
    for other in context.of_type("AWS::EC2::VolumeAttachment"):
        if other.properties.get("InstanceId") == record.physical_id:
            yield Named("VolumeId", other.properties.get("VolumeId"))


def _certificates(record: Record, context: Context) -> Explained:
    for other in context.of_type("AWS::ElasticLoadBalancingV2::ListenerCertificate"):
        if other.properties.get("ListenerArn") == record.physical_id:
            yield from listed(other.properties.get("Certificates"))


def _routes(record: Record, context: Context) -> Explained:
    for other in context.of_type("AWS::EC2::Route"):
        if other.properties.get("RouteTableId") == record.physical_id:
            yield {key: value for key, value in other.properties.items() if key != "RouteTableId"}


def _notifications(member: str, arn: str) -> Owner:
    """The CDK sets a bucket's notifications through a custom resource of its own."""

    def owner(record: Record, context: Context) -> Explained:
        for other in context.of_type("Custom::S3BucketNotifications"):
            if refers(other.properties.get("BucketName"), record, "BucketName"):
                wanted = other.properties.get("NotificationConfiguration")
                for kinds in wanted.values() if isinstance(wanted, Mapping) else ():
                    yield from (Named(member, item[arn]) for item in listed(kinds) if arn in item)

    return owner


def _addressed_instance(record: Record, context: Context) -> Explained:
    allocation = record.attributes.get("AllocationId")
    for other in context.of_type("AWS::EC2::EIPAssociation"):
        named = other.properties.get("EIP"), other.properties.get("AllocationId")
        if record.physical_id in named or (allocation is not None and allocation in named):
            yield other.properties.get("InstanceId")


def _event_bridge(record: Record, context: Context) -> Explained:
    for other in context.of_type("Custom::S3BucketNotifications"):
        wanted = other.properties.get("NotificationConfiguration")
        named = refers(other.properties.get("BucketName"), record, "BucketName")
        if named and isinstance(wanted, Mapping) and "EventBridgeConfiguration" in wanted:
            yield {"EventBridgeEnabled": True}


def _targets(record: Record, context: Context) -> Explained:
    """ECS services and Auto Scaling groups register and deregister targets all day."""
    for other in context.of_type(
        "AWS::ECS::Service", "AWS::ECS::TaskSet", "AWS::AutoScaling::AutoScalingGroup"
    ):
        balancers = [
            item for item in listed(other.properties.get("LoadBalancers")) if isinstance(item, Mapping)
        ]
        groups = [item.get("TargetGroupArn") for item in balancers]
        if record.physical_id in [*groups, *listed(other.properties.get("TargetGroupARNs"))]:
            yield EVERYTHING


OWNERS: Mapping[tuple[str, str], Owner] = {
    **{(kind, "Policies"): _inline_policies for kind in PRINCIPAL_LISTS},
    **{(kind, "ManagedPolicyArns"): _managed_policies for kind in PRINCIPAL_LISTS},
    **{
        ("AWS::IAM::ManagedPolicy", member): _holders_of_policy(member) for member in PRINCIPAL_LISTS.values()
    },
    ("AWS::IAM::User", "Groups"): _groups,
    ("AWS::EC2::SecurityGroup", "SecurityGroupIngress"): _group_rules("Ingress"),
    ("AWS::EC2::SecurityGroup", "SecurityGroupEgress"): _group_rules("Egress"),
    ("AWS::EC2::EIP", "InstanceId"): _addressed_instance,
    ("AWS::EC2::Instance", "Volumes"): _volumes,
    ("AWS::EC2::RouteTable", "Routes"): _routes,
    ("AWS::ECS::Cluster", "CapacityProviders"): _capacity_providers("CapacityProviders"),
    ("AWS::ECS::Cluster", "DefaultCapacityProviderStrategy"): _capacity_providers(
        "DefaultCapacityProviderStrategy"
    ),
    ("AWS::AutoScaling::AutoScalingGroup", "LifecycleHookSpecificationList"): _lifecycle_hooks,
    ("AWS::S3::Bucket", "LambdaConfigurations"): _notifications("Function", "LambdaFunctionArn"),
    ("AWS::S3::Bucket", "QueueConfigurations"): _notifications("Queue", "QueueArn"),
    ("AWS::S3::Bucket", "TopicConfigurations"): _notifications("Topic", "TopicArn"),
    ("AWS::S3::Bucket", "EventBridgeConfiguration"): _event_bridge,
    ("AWS::SNS::Topic", "Subscription"): _subscriptions,
    ("AWS::ElasticLoadBalancingV2::TargetGroup", "Targets"): _targets,
    ("AWS::ElasticLoadBalancingV2::Listener", "Certificates"): _certificates,
}
"""Who may own elements of which list. A list that is not here belongs to its resource alone."""
