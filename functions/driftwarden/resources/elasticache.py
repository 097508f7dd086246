"""Amazon ElastiCache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import every, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import (
    By,
    Call,
    Caution,
    From,
    ResourceType,
    Tags,
    To,
    Write,
    as_is,
    becomes,
    emptied,
    lower,
    older,
)

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_CLUSTER_GONE = ("CacheClusterNotFound",)
_SUBNET_GROUP_GONE = ("CacheSubnetGroupNotFoundFault",)


def _tags(gone: tuple[str, ...]) -> Call:
    return Call(
        "ListTagsForResource", {"ResourceName": "{ARN}"}, at="TagList", into="tags", lacking=[], absent=gone
    )


def _topic(configuration: dict[str, Any]) -> Any:
    inactive = configuration.get("TopicStatus") == "inactive"
    return ABSENT if inactive else configuration.get("TopicArn", ABSENT)


def _transit_encryption(reading: Reading) -> Any:
    return reading.get("main.TransitEncryptionEnabled") if reading.get("main.Engine") == "redis" else ABSENT


_TAG_WRITES: Final = Tags("AddTagsToResource", "RemoveTagsFromResource", {"ResourceName": "{ARN}"})

_WRITTEN: Final = {
    "AutoMinorVersionUpgrade": "AutoMinorVersionUpgrade",
    "CacheParameterGroupName": "CacheParameterGroupName",
    "EngineVersion": "EngineVersion",
    "IpDiscovery": "IpDiscovery",
    "NotificationTopicArn": "NotificationTopicArn",
    "NumCacheNodes": "NumCacheNodes",
    "PreferredMaintenanceWindow": "PreferredMaintenanceWindow",
    "SnapshotRetentionLimit": "SnapshotRetentionLimit",
    "SnapshotWindow": "SnapshotWindow",
    "VpcSecurityGroupIds": "SecurityGroupIds",
}
_UNSET: Final = {
    "NotificationTopicArn": ("NotificationTopicStatus", "inactive"),
    "SnapshotRetentionLimit": ("SnapshotRetentionLimit", 0),
}
"""What says that nothing is configured: request member and value."""


def _modify(update: Update) -> None:
    """ApplyImmediately applies all that waits for the maintenance window, so nothing else may wait."""
    pending = {k: v for k, v in update.get("main.PendingModifiedValues", {}).items() if v}
    if pending:
        waiting = ", ".join(sorted(pending))
        raise UpdateFailed(f"{waiting} waits for the maintenance window and would be applied at once too")
    request: dict[str, Any] = {"CacheClusterId": update.id, "ApplyImmediately": True}
    for name, member in _WRITTEN.items():
        if update.differs(name):
            unset = update.unset(name)
            request |= [_UNSET[name]] if unset else [(member, update.wanted(name))]
            if name == "NotificationTopicArn" and not unset:
                request["NotificationTopicStatus"] = "active"
    update.call("ModifyCacheCluster", request)
    update.wait(lambda u: u.get("main.CacheClusterStatus", "") == "available")


CACHE_CLUSTER = ResourceType(
    name="AWS::ElastiCache::CacheCluster",
    service="elasticache",
    gone=_CLUSTER_GONE,
    calls=(
        Call(
            "DescribeCacheClusters",
            {"CacheClusterId": "{id}", "ShowCacheNodeInfo": True},
            at="CacheClusters.0",
        ),
        _tags(_CLUSTER_GONE),
    ),
    same=(
        "AutoMinorVersionUpgrade",
        "CacheNodeType",
        "CacheSubnetGroupName",
        "Engine",
        "EngineVersion",
        "IpDiscovery",
        "NetworkType",
        "NumCacheNodes",
        "PreferredAvailabilityZone",
        "PreferredMaintenanceWindow",
        "SnapshotRetentionLimit",
        "SnapshotWindow",
    ),
    fields={
        "ClusterName": "main.CacheClusterId",
        "CacheParameterGroupName": "main.CacheParameterGroup.CacheParameterGroupName",
        "NotificationTopicArn": From("main.NotificationConfiguration", _topic),
        "Port": "main.CacheNodes.0.Endpoint.Port",
        "TransitEncryptionEnabled": _transit_encryption,
        "VpcSecurityGroupIds": From("main.SecurityGroups", every("SecurityGroupId"), default=[]),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(never_read_back=("AZMode",)),
    writes=(
        By(_modify, tuple(_WRITTEN), (Write("ModifyCacheCluster"),)),
        _TAG_WRITES,
    ),
    refuses={
        **{
            name: Caution("ElastiCache has no way to unset it", emptied)
            for name in _WRITTEN
            if name not in _UNSET
        },
        "EngineVersion": Caution("an engine cannot go back to an older version", older),
        "NumCacheNodes": Caution("removing nodes loses what they have cached", lower),
    },
    warns={
        "EngineVersion": "cached data is lost while the engine is replaced",
        "SnapshotRetentionLimit": Caution("older automatic snapshots are deleted", lower),
        "VpcSecurityGroupIds": "other clients than now may connect",
        "AutoMinorVersionUpgrade": Caution("the engine no longer gets its fixes", becomes(False)),
    },
)

SUBNET_GROUP = ResourceType(
    name="AWS::ElastiCache::SubnetGroup",
    service="elasticache",
    gone=_SUBNET_GROUP_GONE,
    calls=(
        Call("DescribeCacheSubnetGroups", {"CacheSubnetGroupName": "{id}"}, at="CacheSubnetGroups.0"),
        _tags(_SUBNET_GROUP_GONE),
    ),
    same=("CacheSubnetGroupName", "CacheSubnetGroupDescription"),
    fields={
        "Description": "main.CacheSubnetGroupDescription",
        "SubnetIds": From("main.Subnets", every("SubnetIdentifier"), default=[]),
        "Tags": From("tags", tag_list),
    },
    writes=(
        Write(
            "ModifyCacheSubnetGroup",
            {"CacheSubnetGroupName": "{id}"},
            same=("CacheSubnetGroupDescription",),
            sets={"Description": "CacheSubnetGroupDescription", "SubnetIds": To("SubnetIds", as_is)},
        ),
        _TAG_WRITES,
    ),
)

TYPES = (CACHE_CLUSTER, SUBNET_GROUP)
