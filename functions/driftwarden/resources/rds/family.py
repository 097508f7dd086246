"""What the family (Amazon RDS, Amazon DocumentDB, Amazon Neptune) has in common."""

from __future__ import annotations

from typing import Final

from driftwarden.convert import every, tag_list
from driftwarden.resources.comparing import Kind
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Tags, To, Write, as_is, emptied

INSTANCE_GONE = ("DBInstanceNotFound",)
CLUSTER_GONE = ("DBClusterNotFoundFault",)
_SUBNET_GROUP_GONE = ("DBSubnetGroupNotFoundFault",)

CLUSTER_KINDS: Final = {"AvailabilityZones": Kind.AT_LEAST}


def tags_of(arn: str, gone: tuple[str, ...]) -> Call:
    """The call for the tags of the resource whose ARN the main answer holds under the name `arn`."""
    return Call(
        "ListTagsForResource",
        {"ResourceName": f"{{{arn}}}"},
        at="TagList",
        into="tags",
        lacking=[],
        absent=gone,
    )


def instance_calls() -> tuple[Call, ...]:
    """The calls that read a database instance."""
    return (
        Call("DescribeDBInstances", {"DBInstanceIdentifier": "{id}"}, at="DBInstances.0"),
        tags_of("DBInstanceArn", INSTANCE_GONE),
    )


def cluster_calls() -> tuple[Call, ...]:
    """The calls that read a database cluster."""
    return (
        Call("DescribeDBClusters", {"DBClusterIdentifier": "{id}"}, at="DBClusters.0"),
        tags_of("DBClusterArn", CLUSTER_GONE),
    )


def security_groups() -> From:
    """The ids of a cluster's security groups."""
    return From("main.VpcSecurityGroups", every("VpcSecurityGroupId"), default=[])


def tag_writes(arn: str) -> Tags:
    """The tags of the resource whose ARN the main answer holds under the name `arn`."""
    return Tags("AddTagsToResource", "RemoveTagsFromResource", {"ResourceName": f"{{{arn}}}"})


def subnet_group(name: str, service: str) -> ResourceType:
    """A DB subnet group, which is the same for all of the family."""
    return ResourceType(
        name=name,
        service=service,
        gone=_SUBNET_GROUP_GONE,
        calls=(
            Call("DescribeDBSubnetGroups", {"DBSubnetGroupName": "{id}"}, at="DBSubnetGroups.0"),
            tags_of("DBSubnetGroupArn", _SUBNET_GROUP_GONE),
        ),
        same=("DBSubnetGroupName", "DBSubnetGroupDescription"),
        fields={
            "SubnetIds": From("main.Subnets", every("SubnetIdentifier"), default=[]),
            "Tags": From("tags", tag_list),
        },
        writes=(
            Write(
                "ModifyDBSubnetGroup",
                {"DBSubnetGroupName": "{id}"},
                style="whole",
                same=("DBSubnetGroupDescription",),
                sets={"SubnetIds": To("SubnetIds", as_is)},
            ),
            tag_writes("DBSubnetGroupArn"),
        ),
        refuses={
            "SubnetIds": Caution("it would be left without any subnet", emptied),
            "DBSubnetGroupDescription": Caution("it cannot be without a description", emptied),
        },
    )
