"""Instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import dig
from driftwarden.convert import every, non_empty, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, Kind, TypeFacts
from driftwarden.resources.ec2.tags import TAGS
from driftwarden.resources.spec import (
    By,
    Call,
    Caution,
    From,
    ResourceType,
    To,
    Write,
    as_is,
    becomes,
    emptied,
)

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE = ("InvalidInstanceID.NotFound",)

_NOT_BURSTABLE = ("InvalidInstanceID", "InvalidParameterCombination", "UnsupportedOperation")
"""Only burstable instances have credits (API Reference, DescribeInstanceCreditSpecifications)."""

_of_volume = pick(
    "VolumeType", "Iops", "Throughput", "Encrypted", "KmsKeyId", "SnapshotId", VolumeSize="Size"
)


def _volume_ids(reading: Reading) -> Any:
    mappings = reading.get("main.BlockDeviceMappings", [])
    return [m["Ebs"]["VolumeId"] for m in mappings if dig(m, "Ebs.VolumeId") is not ABSENT] or ABSENT


def _block_devices(reading: Reading) -> list[dict[str, Any]]:
    """EC2 lists what is attached; how large and how encrypted it is, only the volume says."""
    volumes = {v.get("VolumeId"): v for v in reading.get("volumes", [])}
    return [_block_device(m, volumes) for m in reading.get("main.BlockDeviceMappings", [])]


def _block_device(mapping: Mapping[str, Any], volumes: Mapping[Any, Mapping[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = pick("DeviceName")(mapping)
    ebs = mapping.get("Ebs")
    if ebs is not None:
        made["Ebs"] = pick("DeleteOnTermination")(ebs) | _of_volume(volumes.get(ebs.get("VolumeId"), {}))
    return made


_METADATA: Final = (
    "HttpEndpoint",
    "HttpProtocolIpv6",
    "HttpPutResponseHopLimit",
    "HttpTokens",
    "InstanceMetadataTags",
)


def _set_monitoring(update: Update) -> None:
    """There is an operation for each of the two states."""
    operation = "MonitorInstances" if update.desired.get("Monitoring") else "UnmonitorInstances"
    update.call(operation, {"InstanceIds": [update.id]})


def _set_credits(update: Update) -> None:
    """The request is made for a list of instances."""
    credits = update.wanted("CreditSpecification.CPUCredits")
    request = {"InstanceCreditSpecifications": [{"InstanceId": update.id, "CpuCredits": credits}]}
    update.call("ModifyInstanceCreditSpecification", request)


INSTANCE = ResourceType(
    name="AWS::EC2::Instance",
    service="ec2",
    gone=_GONE,
    calls=(
        Call(
            "DescribeInstances",
            {"InstanceIds": ["{id}"]},
            at="Reservations.0.Instances",
            # Terminated instances stay visible for about an hour (EC2 User Guide, "Instance lifecycle").
            one=lambda instance, _: dig(instance, "State.Name") not in {"shutting-down", "terminated"},
        ),
        Call(
            "DescribeVolumes",
            {"VolumeIds": _volume_ids},
            at="Volumes",
            into="volumes",
            absent=("InvalidVolume.NotFound", *_GONE),
        ),
        Call(
            "DescribeInstanceAttribute",
            {"InstanceId": "{id}", "Attribute": "disableApiTermination"},
            at="DisableApiTermination.Value",
            into="protection",
            absent=_GONE,
        ),
        Call(
            "DescribeInstanceCreditSpecifications",
            {"InstanceIds": ["{id}"]},
            at="InstanceCreditSpecifications.0.CpuCredits",
            into="credits",
            absent=(*_NOT_BURSTABLE, *_GONE),
        ),
    ),
    same=(
        "EbsOptimized",
        "ImageId",
        "InstanceType",
        "KeyName",
        "PrivateIpAddress",
        "SourceDestCheck",
        "SubnetId",
    ),
    fields={
        "AvailabilityZone": "main.Placement.AvailabilityZone",
        "Tenancy": "main.Placement.Tenancy",
        "SecurityGroupIds": From(
            "main.SecurityGroups", lambda groups: sorted(every("GroupId")(groups)), default=[]
        ),
        "Monitoring": From(
            "main.Monitoring.State", lambda state: state in {"enabled", "pending"}, default=False
        ),
        "MetadataOptions": From(
            "main.MetadataOptions",
            lambda options: non_empty()(pick(*_METADATA)(options)),
        ),
        "IamInstanceProfile": "main.IamInstanceProfile.Arn",
        "BlockDeviceMappings": _block_devices,
        "DisableApiTermination": "protection",
        "CreditSpecification": From("credits", lambda credits: {"CPUCredits": credits}),
        "Tags": From("main.Tags", tag_list, default=[]),
    },
    compared=TypeFacts(
        kinds={
            "Volumes": Kind.AT_LEAST,
            "NetworkInterfaces": Keyed(("DeviceIndex",)),
            "BlockDeviceMappings": Kind.AT_LEAST,
        },
    ),
    writes=(
        Write(
            "ModifyInstanceAttribute",
            {"InstanceId": "{id}"},
            style="each",
            sets={
                "SecurityGroupIds": To("Groups", as_is),
                "SourceDestCheck": To("SourceDestCheck.Value", as_is),
                "DisableApiTermination": To("DisableApiTermination.Value", as_is),
            },
            unset={"SourceDestCheck": True, "DisableApiTermination": False},
        ),
        Write(
            "ModifyInstanceMetadataOptions",
            {"InstanceId": "{id}"},
            sets={f"MetadataOptions.{name}": To(name, as_is) for name in _METADATA},
        ),
        By(
            _set_credits,
            ("CreditSpecification",),
            (Write("ModifyInstanceCreditSpecification"),),
            unsets=False,
        ),
        By(_set_monitoring, ("Monitoring",), (Write("MonitorInstances"), Write("UnmonitorInstances"))),
        TAGS,
    ),
    refuses={"SecurityGroupIds": Caution("it would be left without any security group", emptied)},
    warns={
        "DisableApiTermination": Caution(
            "the protection against termination is switched off", becomes(False)
        ),
        "MetadataOptions.HttpTokens": Caution(
            "credentials can be read without a session", becomes("optional")
        ),
        "SecurityGroupIds": "other clients than now may connect",
    },
)

TYPES = (INSTANCE,)


def _named_key(pair: Mapping[str, Any]) -> Any:
    """EC2 puts the pair's name in the place of the key's own comment."""
    return " ".join([*str(pair.get("PublicKeyMaterial", "")).split()[:2], str(pair.get("KeyName", ""))])


FACTS = {
    "AWS::EC2::KeyPair": TypeFacts(stores={"PublicKeyMaterial": _named_key}),
    "AWS::EC2::NetworkInterface": TypeFacts(kinds={"PrivateIpAddresses": Kind.AT_LEAST}),
}
