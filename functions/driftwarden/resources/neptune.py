"""Amazon Neptune."""

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
)

TYPES = (DB_INSTANCE, DB_CLUSTER, subnet_group("AWS::Neptune::DBSubnetGroup", "neptune"))
