"""Amazon Neptune."""

from __future__ import annotations

from driftwarden.convert import tag_list
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.rds.family import (
    CLUSTER_GONE,
    CLUSTER_KINDS,
    INSTANCE_GONE,
    cluster_calls,
    instance_calls,
    security_groups,
    subnet_group,
    tag_writes,
)
from driftwarden.resources.rds.modify import (
    DATABASE_REFUSES,
    DATABASE_WARNS,
    INSTANCE_REFUSES,
    INSTANCE_WARNS,
    cluster_of_family,
    instance_of_family,
)
from driftwarden.resources.spec import Caution, From, ResourceType, emptied, lower

DB_INSTANCE = ResourceType(
    name="AWS::Neptune::DBInstance",
    service="neptune",
    gone=INSTANCE_GONE,
    calls=instance_calls(),
    same=(
        "AutoMinorVersionUpgrade",
        "AvailabilityZone",
        "DBClusterIdentifier",
        "DBInstanceClass",
        "DBInstanceIdentifier",
        "DeletionProtection",
        "PreferredMaintenanceWindow",
    ),
    fields={
        "DBParameterGroupName": "main.DBParameterGroups.0.DBParameterGroupName",
        "DBSubnetGroupName": "main.DBSubnetGroup.DBSubnetGroupName",
        "Tags": From("tags", tag_list),
    },
    writes=(
        *instance_of_family(("DBParameterGroupName", "DeletionProtection")).writes(),
        tag_writes("DBInstanceArn"),
    ),
    refuses={**INSTANCE_REFUSES, "DBParameterGroupName": Caution("it cannot be unset", emptied)},
    warns={**INSTANCE_WARNS, "DBParameterGroupName": "some parameters take effect with the next reboot"},
)

DB_CLUSTER = ResourceType(
    name="AWS::Neptune::DBCluster",
    service="neptune",
    gone=CLUSTER_GONE,
    calls=cluster_calls(),
    same=(
        "BackupRetentionPeriod",
        "DBClusterIdentifier",
        "DeletionProtection",
        "EngineVersion",
        "KmsKeyId",
        "Port",
        "PreferredBackupWindow",
        "PreferredMaintenanceWindow",
        "StorageEncrypted",
    ),
    fields={
        "DBClusterParameterGroupName": "main.DBClusterParameterGroup",
        "DBPort": "main.Port",
        "DBSubnetGroupName": "main.DBSubnetGroup",
        "IamAuthEnabled": "main.IAMDatabaseAuthenticationEnabled",
        "VpcSecurityGroupIds": security_groups(),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(kinds=CLUSTER_KINDS),
    writes=(
        *cluster_of_family(IamAuthEnabled="EnableIAMDatabaseAuthentication").writes(),
        tag_writes("DBClusterArn"),
    ),
    refuses={
        **DATABASE_REFUSES,
        **{
            name: Caution("it cannot be unset", emptied)
            for name in (
                "DBClusterParameterGroupName",
                "PreferredBackupWindow",
                "PreferredMaintenanceWindow",
                "VpcSecurityGroupIds",
            )
        },
    },
    warns={
        **DATABASE_WARNS,
        "BackupRetentionPeriod": Caution("older automated backups are deleted", lower),
        "DBClusterParameterGroupName": "some parameters take effect with the next reboot",
    },
)

TYPES = (DB_INSTANCE, DB_CLUSTER, subnet_group("AWS::Neptune::DBSubnetGroup", "neptune"))
