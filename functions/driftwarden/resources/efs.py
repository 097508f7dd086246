"""Amazon EFS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import json_document, non_empty, pick, tag_list
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import (
    By,
    Call,
    Caution,
    From,
    ResourceType,
    Tags,
    To,
    Write,
    as_is,
    becomes,
    emptied,
)

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_FILE_SYSTEM_GONE = ("FileSystemNotFound",)
_MOUNT_TARGET_GONE = ("MountTargetNotFound",)

_THROUGHPUT: Final = "ProvisionedThroughputInMibps"


def _set_throughput(update: Update) -> None:
    """The provisioned amount is taken only together with that mode."""
    mode = update.desired.get("ThroughputMode") or "bursting"
    request = {"FileSystemId": update.id, "ThroughputMode": mode}
    if mode == "provisioned":
        request[_THROUGHPUT] = update.desired.get(_THROUGHPUT)
    update.call("UpdateFileSystem", request)
    update.wait(_available)


def _available(update: Update) -> bool:
    return bool(update.get("main.LifeCycleState", "available") == "available")


def _single_transitions(policies: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """EFS takes one transition an entry (PutLifecycleConfiguration reference)."""
    return [{name: value} for policy in policies for name, value in policy.items()]


FILE_SYSTEM = ResourceType(
    name="AWS::EFS::FileSystem",
    service="efs",
    gone=_FILE_SYSTEM_GONE,
    calls=(
        Call("DescribeFileSystems", {"FileSystemId": "{id}"}, at="FileSystems.0"),
        Call(
            "DescribeLifecycleConfiguration",
            {"FileSystemId": "{id}"},
            at="LifecyclePolicies",
            into="lifecycle",
        ),
        Call(
            "DescribeBackupPolicy",
            {"FileSystemId": "{id}"},
            at="BackupPolicy.Status",
            into="backup",
            absent=("PolicyNotFound",),
        ),
        Call(
            "DescribeFileSystemPolicy",
            {"FileSystemId": "{id}"},
            at="Policy",
            into="policy",
            absent=("PolicyNotFound",),
        ),
    ),
    same=(
        "AvailabilityZoneName",
        "Encrypted",
        "KmsKeyId",
        "PerformanceMode",
        "ProvisionedThroughputInMibps",
        "ThroughputMode",
    ),
    fields={
        "FileSystemProtection": From(
            "main.FileSystemProtection.ReplicationOverwriteProtection",
            lambda protection: {"ReplicationOverwriteProtection": protection},
        ),
        "LifecyclePolicies": From("lifecycle", non_empty()),
        "BackupPolicy": From("backup", lambda status: {"Status": status}),
        "FileSystemPolicy": From("policy", non_empty(json_document)),
        "FileSystemTags": From("main.Tags", tag_list, default=[]),
    },
    compared=TypeFacts(users_own=("LifecyclePolicies", "FileSystemPolicy")),
    writes=(
        By(_set_throughput, ("ThroughputMode", _THROUGHPUT), (Write("UpdateFileSystem"),)),
        Write(
            "PutLifecycleConfiguration",
            {"FileSystemId": "{id}"},
            sets={"LifecyclePolicies": To("LifecyclePolicies", _single_transitions)},
            unset={"LifecyclePolicies": []},
            ready=_available,
        ),
        Write(
            "PutBackupPolicy",
            {"FileSystemId": "{id}"},
            sets={"BackupPolicy": To("BackupPolicy", as_is)},
            unset={"BackupPolicy": {"Status": "DISABLED"}},
        ),
        Write("PutFileSystemPolicy", {"FileSystemId": "{id}"}, sets={"FileSystemPolicy": "Policy"}),
        Write("DeleteFileSystemPolicy", {"FileSystemId": "{id}"}, removes=("FileSystemPolicy",)),
        Write(
            "UpdateFileSystemProtection",
            {"FileSystemId": "{id}"},
            sets={
                "FileSystemProtection": To(
                    "ReplicationOverwriteProtection",
                    lambda protection: protection.get("ReplicationOverwriteProtection", "ENABLED"),
                )
            },
            unset={"FileSystemProtection": {"ReplicationOverwriteProtection": "ENABLED"}},
        ),
        Tags("TagResource", "UntagResource", {"ResourceId": "{id}"}, of="FileSystemTags"),
    ),
    refuses={
        "FileSystemProtection.ReplicationOverwriteProtection": Caution(
            "a replication sets it", becomes("REPLICATING")
        ),
    },
    warns={
        "FileSystemPolicy": Caution("any client that reaches a mount target has access", emptied),
        "FileSystemProtection.ReplicationOverwriteProtection": Caution(
            "a replication may overwrite its files", becomes("DISABLED")
        ),
        "ThroughputMode": "EFS takes it back only after 24 hours",
        "LifecyclePolicies": "files move to another storage class, which costs for every one",
    },
    busy=("IncorrectFileSystemLifeCycleState",),
)

ACCESS_POINT = ResourceType(
    name="AWS::EFS::AccessPoint",
    service="efs",
    gone=("AccessPointNotFound",),
    calls=(Call("DescribeAccessPoints", {"AccessPointId": "{id}"}, at="AccessPoints.0"),),
    same=("FileSystemId",),
    fields={
        "PosixUser": From(
            "main.PosixUser",
            lambda user: non_empty()(pick("Uid", "Gid", SecondaryGids=("SecondaryGids", non_empty()))(user)),
        ),
        "RootDirectory": From(
            "main.RootDirectory", lambda root: non_empty()(pick("Path", "CreationInfo")(root))
        ),
    },
)

MOUNT_TARGET = ResourceType(
    name="AWS::EFS::MountTarget",
    service="efs",
    gone=_MOUNT_TARGET_GONE,
    calls=(
        Call("DescribeMountTargets", {"MountTargetId": "{id}"}, at="MountTargets.0"),
        Call(
            "DescribeMountTargetSecurityGroups",
            {"MountTargetId": "{id}"},
            at="SecurityGroups",
            into="groups",
            absent=_MOUNT_TARGET_GONE,
        ),
    ),
    same=("FileSystemId", "SubnetId"),
    fields={"SecurityGroups": From("groups", default=[])},
    writes=(Write("ModifyMountTargetSecurityGroups", {"MountTargetId": "{id}"}, same=("SecurityGroups",)),),
    warns={"SecurityGroups": "other clients than now may mount the file system"},
)

TYPES = (FILE_SYSTEM, ACCESS_POINT, MOUNT_TARGET)
