"""Instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from driftwarden.convert import every, non_empty, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.read.reading import Reading, dig
from driftwarden.resources.spec import Call, From, ResourceType

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
            lambda options: non_empty()(
                pick(
                    "HttpEndpoint",
                    "HttpProtocolIpv6",
                    "HttpPutResponseHopLimit",
                    "HttpTokens",
                    "InstanceMetadataTags",
                )(options)
            ),
        ),
        "IamInstanceProfile": "main.IamInstanceProfile.Arn",
        "BlockDeviceMappings": _block_devices,
        "DisableApiTermination": "protection",
        "CreditSpecification": From("credits", lambda credits: {"CPUCredits": credits}),
        "Tags": From("main.Tags", tag_list, default=[]),
    },
)

TYPES = (INSTANCE,)
