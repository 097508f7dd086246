"""Amazon DocumentDB."""

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
    compared=TypeFacts(never_read_back=("CertificateRotationRestart",)),
    writes=(*instance_of_family(()).writes(), tag_writes("DBInstanceArn")),
    refuses=INSTANCE_REFUSES,
    warns=INSTANCE_WARNS,
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
    compared=TypeFacts(
        kinds=CLUSTER_KINDS, never_read_back=("RestoreToTime", "RestoreType", "UseLatestRestorableTime")
    ),
    writes=(*cluster_of_family().writes(), tag_writes("DBClusterArn")),
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

TYPES = (DB_INSTANCE, DB_CLUSTER, subnet_group("AWS::DocDB::DBSubnetGroup", "docdb"))
