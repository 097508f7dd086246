"""Numbers that scaling moves: inside the declared band they are no drift, outside of it they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from driftwarden.compare.context import Context
from driftwarden.compare.siblings.names import names_of, refers
from driftwarden.model import Record
from driftwarden.schema import SchemaPath

Band = tuple[Any, Any]
Bands = Callable[[Record, Context], Iterator[Band]]


def in_band(record: Record, context: Context, pattern: SchemaPath, aws: Any) -> bool:
    """Whether a live number lies where a scaling resource of the stack may have moved it."""
    bands = MOVED.get((record.resource_type, pattern))
    value = _number(aws)
    if bands is None or value is None:
        return False
    for low, high in bands(record, context):
        lowest, highest = _number(low), _number(high)
        if lowest is not None and highest is not None and lowest <= value <= highest:
            return True
    return False


def moved(record: Record, context: Context) -> tuple[SchemaPath, ...]:
    """The numbers of this record that a scaling resource of the stack moves, wherever they are now."""
    return tuple(
        pattern
        for (kind, pattern), bands in MOVED.items()
        if kind == record.resource_type and next(bands(record, context), None) is not None
    )


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _scalable(dimension: str, owns: Callable[[Record, str], bool]) -> Bands:
    """Bands of the scalable targets with this dimension whose resource id names the record."""

    def bands(record: Record, context: Context) -> Iterator[Band]:
        for target in context.of_type("AWS::ApplicationAutoScaling::ScalableTarget"):
            parts = (*target.physical_id.split("|"), "", "")
            resource = target.properties.get("ResourceId", parts[0])
            if target.properties.get("ScalableDimension", parts[1]) == dimension and owns(
                record, str(resource)
            ):
                yield target.properties.get("MinCapacity"), target.properties.get("MaxCapacity")

    return bands


def _is_service(record: Record, resource: str) -> bool:
    """`service/{cluster}/{name}`."""
    _, _, rest = resource.partition("service/")
    cluster, _, name = rest.rpartition("/")
    declared = str(record.properties.get("Cluster", cluster)).rsplit("/", 1)[-1]
    return name in names_of(record, "ServiceName") and cluster == declared


def _is_table(record: Record, resource: str) -> bool:
    """`table/{name}` or `table/{name}/index/{index}`."""
    kind, _, rest = resource.partition("/")
    return kind == "table" and rest.split("/")[0] in names_of(record, "TableName")


def _is_alias(record: Record, resource: str) -> bool:
    """`function:{name}:{alias}`."""
    _, _, rest = resource.partition("function:")
    function, _, alias = rest.rpartition(":")
    declared = str(record.properties.get("FunctionName", "")).rsplit(":", 1)[-1]
    return function == declared and alias == record.properties.get("Name")


def _auto_scaling(record: Record, context: Context) -> Iterator[Band]:
    """A group's capacity between its own bounds, where something of the stack scales it."""
    scalers = context.of_type("AWS::AutoScaling::ScalingPolicy", "AWS::AutoScaling::ScheduledAction")
    scaled = any(
        refers(other.properties.get("AutoScalingGroupName"), record, "AutoScalingGroupName")
        for other in scalers
    )
    for provider in context.of_type("AWS::ECS::CapacityProvider"):
        settings = provider.properties.get("AutoScalingGroupProvider")
        arn = settings.get("AutoScalingGroupArn") if isinstance(settings, Mapping) else None
        scaled = scaled or refers(arn, record, "AutoScalingGroupName")
    if scaled:
        yield record.baseline.get("MinSize"), record.baseline.get("MaxSize")


def _growing_storage(record: Record, _: Context) -> Iterator[Band]:
    """Storage autoscaling only grows, by 10 GiB or a tenth of the storage, whichever is more (Amazon RDS User
    Guide, "Managing capacity automatically with storage autoscaling").
    """
    declared = _number(record.baseline.get("AllocatedStorage"))
    if declared is not None:
        yield declared + max(10, declared / 10), record.baseline.get("MaxAllocatedStorage")


def _is_named(kind: str, name: str) -> Callable[[Record, str], bool]:
    """`{kind}/{name}`, with the name that this property holds."""

    def owns(record: Record, resource: str) -> bool:
        prefix, _, rest = resource.partition("/")
        return prefix == kind and rest in names_of(record, name)

    return owns


def _is_keyspaces_table(record: Record, resource: str) -> bool:
    """`keyspace/{keyspace}/table/{table}`."""
    names = record.properties
    return resource == f"keyspace/{names.get('KeyspaceName')}/table/{names.get('TableName')}"


INDEX = ("GlobalSecondaryIndexes", "*", "ProvisionedThroughput")

MOVED: Mapping[tuple[str, SchemaPath], Bands] = {
    ("AWS::ECS::Service", ("DesiredCount",)): _scalable("ecs:service:DesiredCount", _is_service),
    **{
        ("AWS::DynamoDB::Table", (*path, f"{kind}CapacityUnits")): _scalable(
            f"dynamodb:{level}:{kind}CapacityUnits", _is_table
        )
        for level, path in (("table", ("ProvisionedThroughput",)), ("index", INDEX))
        for kind in ("Read", "Write")
    },
    (
        "AWS::Lambda::Alias",
        ("ProvisionedConcurrencyConfig", "ProvisionedConcurrentExecutions"),
    ): _scalable("lambda:function:ProvisionedConcurrency", _is_alias),
    ("AWS::AutoScaling::AutoScalingGroup", ("DesiredCapacity",)): _auto_scaling,
    **{
        ("AWS::ElastiCache::ReplicationGroup", (member,)): _scalable(
            f"elasticache:replication-group:{dimension}",
            _is_named("replication-group", "ReplicationGroupId"),
        )
        for member, dimension in (("NumNodeGroups", "NodeGroups"), ("ReplicasPerNodeGroup", "Replicas"))
    },
    **{
        (
            "AWS::Cassandra::Table",
            ("BillingMode", "ProvisionedThroughput", f"{kind}CapacityUnits"),
        ): _scalable(f"cassandra:table:{kind}CapacityUnits", _is_keyspaces_table)
        for kind in ("Read", "Write")
    },
    ("AWS::AppStream::Fleet", ("ComputeCapacity", "DesiredInstances")): _scalable(
        "appstream:fleet:DesiredCapacity", _is_named("fleet", "Name")
    ),
    ("AWS::EC2::SpotFleet", ("SpotFleetRequestConfigData", "TargetCapacity")): _scalable(
        "ec2:spot-fleet-request:TargetCapacity", _is_named("spot-fleet-request", "Id")
    ),
    ("AWS::RDS::DBInstance", ("AllocatedStorage",)): _growing_storage,
}
"""Which numbers of which types something else may move."""
