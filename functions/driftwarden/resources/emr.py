"""Amazon EMR."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import Convert, pick, tag_list
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_PLACEMENT: Final = pick(
    "Ec2KeyName",
    "Ec2SubnetId",
    "EmrManagedMasterSecurityGroup",
    "EmrManagedSlaveSecurityGroup",
    "ServiceAccessSecurityGroup",
    "AdditionalMasterSecurityGroups",
    "AdditionalSlaveSecurityGroups",
    Ec2SubnetIds="RequestedEc2SubnetIds",
)
_GROUP: Final = pick(
    "Name", "Market", "BidPrice", "CustomAmiId", "InstanceType", InstanceCount="RequestedInstanceCount"
)
_FLEET: Final = pick("Name", "TargetOnDemandCapacity", "TargetSpotCapacity")


def _group(group: Mapping[str, Any]) -> dict[str, Any]:
    stated: dict[str, Any] = _GROUP(group)
    return {"InstanceCount": 0, "InstanceType": ""} | stated


def _in_fleets(reading: Reading) -> bool:
    return bool(reading.get("main.InstanceCollectionType") == "INSTANCE_FLEET")


def _by_role(found: list[dict[str, Any]], kind: str, convert: Convert) -> dict[str, Any]:
    """One `MasterInstanceGroup`, one `CoreInstanceGroup`, any number of `TaskInstanceGroups`; or fleets."""
    made: dict[str, Any] = {}
    for entry in found:
        role = entry.get(f"{kind}Type")
        if role in ("MASTER", "CORE"):
            made[f"{role.capitalize()}{kind}"] = convert(entry)
        elif role == "TASK":
            made.setdefault(f"Task{kind}s", []).append(convert(entry))
    return made


def _instances(reading: Reading) -> dict[str, Any]:
    return {
        **_by_role(reading.get("groups", []), "InstanceGroup", _group),
        **_by_role(reading.get("fleets", []), "InstanceFleet", _FLEET),
        **_PLACEMENT(reading.get("main.Ec2InstanceAttributes", {})),
        **pick("TerminationProtected", "UnhealthyNodeReplacement")(reading.get("main")),
    }


def _members(kind: str, into: str, when: Callable[[Reading], bool]) -> Call:
    return Call(f"List{kind}", {"ClusterId": "{id}"}, at=kind, into=into, pages=True, when=when, gone=False)


CLUSTER = ResourceType(
    name="AWS::EMR::Cluster",
    service="emr",
    # EMR has no code for "not found": an id that no cluster has is an invalid request.
    gone=("InvalidRequestException",),
    calls=(
        Call("DescribeCluster", {"ClusterId": "{id}"}, at="Cluster"),
        _members("InstanceGroups", "groups", lambda reading: not _in_fleets(reading)),
        _members("InstanceFleets", "fleets", _in_fleets),
    ),
    same=(
        "Name",
        "ReleaseLabel",
        "ServiceRole",
        "LogUri",
        "LogEncryptionKmsKeyId",
        "AutoScalingRole",
        "ScaleDownBehavior",
        "CustomAmiId",
        "OSReleaseLabel",
        "SecurityConfiguration",
        "EbsRootVolumeSize",
        "EbsRootVolumeIops",
        "EbsRootVolumeThroughput",
        "StepConcurrencyLevel",
        "VisibleToAllUsers",
        "Applications",
    ),
    fields={
        "JobFlowRole": From("main.Ec2InstanceAttributes.IamInstanceProfile", default=""),
        "Instances": _instances,
        "Tags": From("main.Tags", tag_list, default=[]),
    },
    placeholders={
        "Name": "",
        "ReleaseLabel": "",
        "ServiceRole": "",
        "LogUri": "",
        "LogEncryptionKmsKeyId": "",
        "AutoScalingRole": "",
        "ScaleDownBehavior": "",
        "CustomAmiId": "",
        "OSReleaseLabel": "",
        "SecurityConfiguration": "",
        "VisibleToAllUsers": False,
        "Applications": [],
    },
)

TYPES = (CLUSTER,)
