"""Amazon DocumentDB."""

from __future__ import annotations

from driftwarden.convert import tag_list
from driftwarden.resources.rds.family import (
    CLUSTER_GONE,
    INSTANCE_GONE,
    cluster_calls,
    instance_calls,
    security_groups,
    subnet_group,
)
from driftwarden.resources.spec import From, ResourceType

DB_INSTANCE = ResourceType(
    name="AWS::DocDB::DBInstance",
    service="docdb",
    gone=INSTANCE_GONE,
    calls=instance_calls(),
    same=(
        "AutoMinorVersionUpgrade",
        "AvailabilityZone",
        "DBClusterIdentifier",
        "DBInstanceClass",
        "DBInstanceIdentifier",
        "PreferredMaintenanceWindow",
    ),
    fields={"Tags": From("tags", tag_list)},
)

DB_CLUSTER = ResourceType(
    name="AWS::DocDB::DBCluster",
    service="docdb",
    gone=CLUSTER_GONE,
    calls=cluster_calls(),
    same=(
        "BackupRetentionPeriod",
        "DBClusterIdentifier",
        "DeletionProtection",
        "EngineVersion",
        "KmsKeyId",
        "MasterUsername",
        "Port",
        "PreferredBackupWindow",
        "PreferredMaintenanceWindow",
        "StorageEncrypted",
    ),
    fields={
        "DBClusterParameterGroupName": "main.DBClusterParameterGroup",
        "DBSubnetGroupName": "main.DBSubnetGroup",
        "VpcSecurityGroupIds": security_groups(),
        "Tags": From("tags", tag_list),
    },
)

TYPES = (DB_INSTANCE, DB_CLUSTER, subnet_group("AWS::DocDB::DBSubnetGroup", "docdb"))
