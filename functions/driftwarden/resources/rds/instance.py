"""Database instances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from driftwarden.convert import every, non_empty, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.rds.family import INSTANCE_GONE, instance_calls, tag_writes
from driftwarden.resources.rds.modify import DATABASE_REFUSES, DATABASE_WARNS, Modify
from driftwarden.resources.spec import By, Caution, From, ResourceType, becomes, emptied, lower

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_MODIFY_INSTANCE: Final = Modify(
    operation="ModifyDBInstance",
    identifier="DBInstanceIdentifier",
    status="DBInstanceStatus",
    soon={
        "DeletionProtection": "DeletionProtection",
        "MonitoringInterval": "MonitoringInterval",
        "MonitoringRoleArn": "MonitoringRoleArn",
        "PubliclyAccessible": "PubliclyAccessible",
        "VPCSecurityGroups": "VpcSecurityGroupIds",
    },
    at_once={
        "AllocatedStorage": "AllocatedStorage",
        "DBInstanceClass": "DBInstanceClass",
        "EnableIAMDatabaseAuthentication": "EnableIAMDatabaseAuthentication",
        "EngineVersion": "EngineVersion",
        "Port": "DBPortNumber",
    },
    unset={
        "DeletionProtection": False,
        "EnableIAMDatabaseAuthentication": False,
        "MonitoringInterval": 0,
        "PubliclyAccessible": False,
    },
)

_OF_THE_CLUSTER: Final = (
    "AllocatedStorage",
    "DeletionProtection",
    "EnableIAMDatabaseAuthentication",
    "EngineVersion",
    "Port",
    "VPCSecurityGroups",
)


def _refuse_members(update: Update) -> None:
    """What a cluster decides for its members cannot be set on one of them."""
    if update.get("main.DBClusterIdentifier", ""):
        raise UpdateFailed("its cluster decides about what drifted; revert the cluster")


DB_INSTANCE = ResourceType(
    name="AWS::RDS::DBInstance",
    service="rds",
    gone=INSTANCE_GONE,
    calls=instance_calls(),
    same=(
        "AllocatedStorage",
        "DBClusterIdentifier",
        "DBInstanceClass",
        "DBInstanceIdentifier",
        "DeletionProtection",
        "Engine",
        "EngineVersion",
        "KmsKeyId",
        "MasterUsername",
        "MonitoringInterval",
        "MonitoringRoleArn",
        "PubliclyAccessible",
        "StorageEncrypted",
    ),
    fields={
        "DBSubnetGroupName": "main.DBSubnetGroup.DBSubnetGroupName",
        "EnableIAMDatabaseAuthentication": "main.IAMDatabaseAuthenticationEnabled",
        "MasterUserSecret": From("main.MasterUserSecret.KmsKeyId", lambda key: {"KmsKeyId": key}),
        "Port": "main.Endpoint.Port",
        "VPCSecurityGroups": From("main.VpcSecurityGroups", non_empty(every("VpcSecurityGroupId"))),
        "Tags": From("tags", tag_list),
    },
    writes=(
        By(_refuse_members, _OF_THE_CLUSTER, (), unsets=False),
        *_MODIFY_INSTANCE.writes(),
        tag_writes("DBInstanceArn"),
    ),
    refuses={
        **DATABASE_REFUSES,
        "AllocatedStorage": Caution("storage cannot shrink", lower),
        "DBInstanceClass": Caution("an instance needs a class", emptied),
        "VPCSecurityGroups": Caution("it would be left without any security group", emptied),
    },
    warns={
        **DATABASE_WARNS,
        "AllocatedStorage": "storage that has grown can never shrink again",
        "DBInstanceClass": "the database is not available while its instance is replaced",
        "PubliclyAccessible": Caution("the database gets a public address", becomes(True)),
    },
)


TYPES = (DB_INSTANCE,)

FACTS = {
    "AWS::RDS::OptionGroup": TypeFacts(kinds={"OptionConfigurations.*.OptionSettings": Kind.AT_LEAST}),
}
