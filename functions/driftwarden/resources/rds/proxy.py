"""Proxies, their endpoints and target groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from driftwarden.convert import every, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.rds.family import tag_writes, tags_of
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_PROXY_GONE = ("DBProxyNotFoundFault",)
_PROXY_ENDPOINT_GONE = ("DBProxyEndpointNotFoundFault",)
_TARGET_GROUP_GONE = (*_PROXY_GONE, "DBProxyTargetGroupNotFoundFault")


def _is_available(update: Update) -> bool:
    return bool(update.get("main.Status", "available") == "available")


DB_PROXY = ResourceType(
    name="AWS::RDS::DBProxy",
    service="rds",
    gone=_PROXY_GONE,
    calls=(
        Call("DescribeDBProxies", {"DBProxyName": "{id}"}, at="DBProxies.0"),
        tags_of("DBProxyArn", _PROXY_GONE),
    ),
    same=("DBProxyName", "EngineFamily", "RoleArn", "IdleClientTimeout"),
    fields={
        "VpcSubnetIds": From("main.VpcSubnetIds", default=[]),
        "VpcSecurityGroupIds": From("main.VpcSecurityGroupIds", default=[]),
        "Auth": From("main.Auth", default=[]),
        "RequireTLS": From("main.RequireTLS", default=False),
        "DebugLogging": From("main.DebugLogging", default=False),
        "Tags": From("tags", tag_list, default=[]),
    },
    writes=(
        Write(
            "ModifyDBProxy",
            {"DBProxyName": "{id}"},
            same=("DebugLogging", "IdleClientTimeout", "RequireTLS", "RoleArn", "Auth"),
            sets={"VpcSecurityGroupIds": "SecurityGroups"},
            unset={"DebugLogging": False, "IdleClientTimeout": 1800, "RequireTLS": False},
            ready=_is_available,
        ),
        tag_writes("DBProxyArn"),
    ),
    warns={
        "Auth": "clients sign in with other secrets",
        "DebugLogging": Caution("the logs hold the text of statements", becomes(True)),
        "RequireTLS": Caution("connections need no encryption any more", becomes(False, ABSENT)),
        "VpcSecurityGroupIds": "other clients than now may connect",
    },
)

DB_PROXY_ENDPOINT = ResourceType(
    name="AWS::RDS::DBProxyEndpoint",
    service="rds",
    gone=_PROXY_ENDPOINT_GONE,
    calls=(
        Call("DescribeDBProxyEndpoints", {"DBProxyEndpointName": "{id}"}, at="DBProxyEndpoints.0"),
        tags_of("DBProxyEndpointArn", _PROXY_ENDPOINT_GONE),
    ),
    same=("DBProxyEndpointName", "DBProxyName"),
    fields={
        "VpcSubnetIds": From("main.VpcSubnetIds", default=[]),
        "VpcSecurityGroupIds": From("main.VpcSecurityGroupIds", default=[]),
        "TargetRole": From("main.TargetRole", default="READ_WRITE"),
        "Tags": From("tags", tag_list, default=[]),
    },
    writes=(
        Write(
            "ModifyDBProxyEndpoint",
            {"DBProxyEndpointName": "{id}"},
            same=("VpcSecurityGroupIds",),
            ready=_is_available,
        ),
        tag_writes("DBProxyEndpointArn"),
    ),
    warns={"VpcSecurityGroupIds": "other clients than now may connect"},
)


def _target_group_name(reading: Reading) -> str:
    name = reading.get("props.TargetGroupName")
    return name if isinstance(name, str) else "default"


def _targets(kind: str) -> Callable[[Any], list[Any]]:
    return lambda targets: every("RdsResourceId")([t for t in targets if t.get("Type") == kind])


DB_PROXY_TARGET_GROUP = ResourceType(
    name="AWS::RDS::DBProxyTargetGroup",
    service="rds",
    gone=_TARGET_GROUP_GONE,
    calls=(
        Call(
            "DescribeDBProxyTargetGroups",
            {"DBProxyName": "{props.DBProxyName}", "TargetGroupName": _target_group_name},
        ),
        Call(
            "DescribeDBProxyTargets",
            {"DBProxyName": "{props.DBProxyName}", "TargetGroupName": _target_group_name},
            at="Targets",
            into="targets",
            pages=True,
        ),
    ),
    fields={
        "DBProxyName": "props.DBProxyName",
        "TargetGroupName": _target_group_name,
        "ConnectionPoolConfigurationInfo": "main.TargetGroups.0.ConnectionPoolConfig",
        "DBClusterIdentifiers": From("targets", _targets("TRACKED_CLUSTER"), default=[]),
        "DBInstanceIdentifiers": From("targets", _targets("RDS_INSTANCE"), default=[]),
    },
)


TYPES = (DB_PROXY, DB_PROXY_ENDPOINT, DB_PROXY_TARGET_GROUP)
