"""Target groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import dig
from driftwarden.convert import pick, tag_list
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.elbv2.common import TAGS, attributes_of, complete, keyed, tags_of
from driftwarden.resources.spec import By, Call, From, ResourceType, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE: Final = ("TargetGroupNotFound",)


def _targets(reading: Reading) -> Any:
    """Registered targets; one that is draining was deregistered already."""
    described = reading.get("targets")
    if described is ABSENT:
        return ABSENT
    return [
        _target(d.get("Target") or {}, reading)
        for d in described
        if dig(d, "TargetHealth.State") != "draining"
    ]


def _target(target: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    made: dict[str, Any] = pick("Id")(target)
    if target.get("Port") not in (None, reading.get("main.Port")):
        made["Port"] = target["Port"]
    if reading.get("main.TargetType") == "ip" and target.get("AvailabilityZone") not in (None, "all"):
        made["AvailabilityZone"] = target["AvailabilityZone"]
    return made


def _set_targets(update: Update) -> None:
    """Registers before it deregisters. Only a template that lists targets speaks of them at all: others come
    and go with the services and Auto Scaling groups that register them."""
    if not update.record.properties.get("Targets"):
        raise UpdateFailed("its template lists no targets: whoever registered them decides about them")
    wanted, live = (
        {_address(t): t for t in bag.get("Targets") or ()} for bag in (update.desired, update.live)
    )
    changes = (
        ("RegisterTargets", [_request(t) for a, t in wanted.items() if a not in live]),
        ("DeregisterTargets", [_request(t) for a, t in live.items() if a not in wanted]),
    )
    for operation, targets in changes:
        if targets:
            update.call(operation, {"TargetGroupArn": update.id, "Targets": targets})


def _address(target: Mapping[str, Any]) -> tuple[str, str]:
    return str(target.get("Id")), str(target.get("Port", ""))


def _request(target: Mapping[str, Any]) -> dict[str, Any]:
    port = {"Port": int(target["Port"])} if target.get("Port") else {}
    made: dict[str, Any] = pick("Id", "AvailabilityZone")(target)
    return made | port


_HEALTH_CHECK: Final = (
    "HealthCheckEnabled",
    "HealthCheckIntervalSeconds",
    "HealthCheckPath",
    "HealthCheckPort",
    "HealthCheckProtocol",
    "HealthCheckTimeoutSeconds",
    "HealthyThresholdCount",
    "Matcher",
    "UnhealthyThresholdCount",
)

TARGET_GROUP = ResourceType(
    name="AWS::ElasticLoadBalancingV2::TargetGroup",
    service="elbv2",
    gone=_GONE,
    calls=(
        Call("DescribeTargetGroups", {"TargetGroupArns": ["{id}"]}, at="TargetGroups.0"),
        attributes_of("DescribeTargetGroupAttributes", "TargetGroupArn"),
        Call(
            "DescribeTargetHealth",
            {"TargetGroupArn": "{id}"},
            at="TargetHealthDescriptions",
            into="targets",
            lacking=[],
            absent=_GONE,
        ),
        tags_of(_GONE),
    ),
    same=(
        "HealthCheckEnabled",
        "HealthCheckIntervalSeconds",
        "HealthCheckPath",
        "HealthCheckPort",
        "HealthCheckProtocol",
        "HealthCheckTimeoutSeconds",
        "HealthyThresholdCount",
        "IpAddressType",
        "Port",
        "Protocol",
        "ProtocolVersion",
        "TargetControlPort",
        "TargetType",
        "UnhealthyThresholdCount",
        "VpcId",
    ),
    fields={
        "Name": "main.TargetGroupName",
        "Matcher": From("main.Matcher", default={}),
        "TargetGroupAttributes": From("attributes", complete),
        "Targets": _targets,
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(kinds={"TargetGroupAttributes": Kind.ATTRIBUTES, "Targets": Kind.SET}),
    writes=(
        By(_set_targets, ("Targets",), (Write("RegisterTargets"), Write("DeregisterTargets")), unsets=False),
        Write(
            "ModifyTargetGroup",
            {"TargetGroupArn": "{id}"},
            same=_HEALTH_CHECK,
            unset={"HealthCheckPort": "traffic-port"},
        ),
        keyed("ModifyTargetGroupAttributes", "TargetGroupArn", "TargetGroupAttributes"),
        TAGS,
    ),
    warns={"Targets": "targets that the record does not list are taken out of service"},
)

TYPES = (TARGET_GROUP,)
