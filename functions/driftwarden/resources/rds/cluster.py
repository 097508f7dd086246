"""Database clusters and their subnet groups."""

from __future__ import annotations

from typing import Final

from driftwarden.convert import non_empty, pick, tag_list
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.rds.family import (
    CLUSTER_GONE,
    CLUSTER_KINDS,
    cluster_calls,
    security_groups,
    subnet_group,
    tag_writes,
)
from driftwarden.resources.rds.modify import DATABASE_REFUSES, DATABASE_WARNS, Modify
from driftwarden.resources.spec import Caution, From, ResourceType, emptied, lower

_MODIFY_CLUSTER: Final = Modify(
    operation="ModifyDBCluster",
    identifier="DBClusterIdentifier",
    status="Status",
    soon={"DeletionProtection": "DeletionProtection", "VpcSecurityGroupIds": "VpcSecurityGroupIds"},
    at_once={
        name: name
        for name in (
            "BackupRetentionPeriod",
            "EnableIAMDatabaseAuthentication",
            "EngineVersion",
            "MonitoringInterval",
            "MonitoringRoleArn",
            "Port",
            "ServerlessV2ScalingConfiguration",
        )
    },
    unset={
        "BackupRetentionPeriod": 1,
        "DeletionProtection": False,
        "EnableIAMDatabaseAuthentication": False,
        "MonitoringInterval": 0,
    },
)

DB_CLUSTER = ResourceType(
    name="AWS::RDS::DBCluster",
    service="rds",
    gone=CLUSTER_GONE,
    calls=cluster_calls(),
    same=(
        "BackupRetentionPeriod",
        "DBClusterIdentifier",
        "DatabaseName",
        "DeletionProtection",
        "Engine",
        "EngineVersion",
        "KmsKeyId",
        "MasterUsername",
        "MonitoringInterval",
        "MonitoringRoleArn",
        "Port",
        "PubliclyAccessible",
        "StorageEncrypted",
    ),
    fields={
        "DBSubnetGroupName": "main.DBSubnetGroup",
        "EnableIAMDatabaseAuthentication": "main.IAMDatabaseAuthenticationEnabled",
        "MasterUserSecret": From("main.MasterUserSecret.KmsKeyId", lambda key: {"KmsKeyId": key}),
        "ServerlessV2ScalingConfiguration": From(
            "main.ServerlessV2ScalingConfiguration",
            lambda scaling: non_empty()(pick("MinCapacity", "MaxCapacity")(scaling)),
        ),
        "VpcSecurityGroupIds": security_groups(),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(kinds=CLUSTER_KINDS),
    writes=(*_MODIFY_CLUSTER.writes(), tag_writes("DBClusterArn")),
    refuses={
        **DATABASE_REFUSES,
        "ServerlessV2ScalingConfiguration": Caution("its capacity cannot be unset", emptied),
        "VpcSecurityGroupIds": Caution("it would be left without any security group", emptied),
    },
    warns={
        **DATABASE_WARNS,
        "BackupRetentionPeriod": Caution("older automated backups are deleted", lower),
        "ServerlessV2ScalingConfiguration": "somebody may have set the capacity on purpose",
    },
)


TYPES = (DB_CLUSTER, subnet_group("AWS::RDS::DBSubnetGroup", "rds"))
