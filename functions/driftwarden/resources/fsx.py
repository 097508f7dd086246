"""Amazon FSx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import Convert, every, non_empty, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, From, ResourceType, Source

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_ALL: Final = (
    "AutomaticBackupRetentionDays",
    "DailyAutomaticBackupStartTime",
    "DeploymentType",
    "ThroughputCapacity",
    "WeeklyMaintenanceStartTime",
)
_REPOSITORY: Final = pick("ImportPath", "ExportPath", "AutoImportPolicy", "ImportedFileChunkSize")


def _blocks(*names: str) -> dict[str, tuple[str, Convert]]:
    """Structures that FSx may answer empty."""
    return {name: (name, non_empty()) for name in names}


def _lustre(block: Mapping[str, Any]) -> dict[str, Any]:
    """CloudFormation has the members of the linked data repository in the block itself."""
    own: dict[str, Any] = _LUSTRE(block)
    linked: dict[str, Any] = _REPOSITORY(block.get("DataRepositoryConfiguration", {}))
    return own | linked


_LUSTRE: Final = pick(
    *_ALL,
    "CopyTagsToBackups",
    "DataCompressionType",
    "DriveCacheType",
    "EfaEnabled",
    "PerUnitStorageThroughput",
    **_blocks("DataReadCacheConfiguration", "MetadataConfiguration"),
)
_WINDOWS: Final = pick(
    *_ALL,
    "ActiveDirectoryId",
    "CopyTagsToBackups",
    "PreferredSubnetId",
    **_blocks(
        "AuditLogConfiguration",
        "DiskIopsConfiguration",
        "FsrmConfiguration",
        "SelfManagedActiveDirectoryConfiguration",
    ),
    Aliases=("Aliases", every("Name")),
)
_ONTAP: Final = pick(
    *_ALL,
    "EndpointIpAddressRange",
    "EndpointIpv6AddressRange",
    "HAPairs",
    "PreferredSubnetId",
    "RouteTableIds",
    "ThroughputCapacityPerHAPair",
    **_blocks("DiskIopsConfiguration"),
)
_OPENZFS: Final = pick(
    *_ALL,
    "CopyTagsToBackups",
    "CopyTagsToVolumes",
    "EndpointIpAddressRange",
    "EndpointIpv6AddressRange",
    "PreferredSubnetId",
    "RouteTableIds",
    **_blocks("DiskIopsConfiguration", "ReadCacheConfiguration"),
)


def _of(kind: str, member: str, convert: Convert) -> Source:
    """The block that only a file system of this kind has, and always has."""

    def read(reading: Reading) -> Any:
        if reading.get("main.FileSystemType") != kind:
            return ABSENT
        return convert(reading.get(f"main.{member}", {}))

    return read


FILE_SYSTEM = ResourceType(
    name="AWS::FSx::FileSystem",
    service="fsx",
    gone=("FileSystemNotFound",),
    calls=(Call("DescribeFileSystems", {"FileSystemIds": ["{id}"]}, at="FileSystems.0"),),
    same=(
        "FileSystemType",
        "SubnetIds",
        "KmsKeyId",
        "StorageCapacity",
        "StorageType",
        "FileSystemTypeVersion",
        "NetworkType",
    ),
    fields={
        "LustreConfiguration": _of("LUSTRE", "LustreConfiguration", _lustre),
        "WindowsConfiguration": _of("WINDOWS", "WindowsConfiguration", _WINDOWS),
        "OntapConfiguration": _of("ONTAP", "OntapConfiguration", _ONTAP),
        "OpenZFSConfiguration": _of("OPENZFS", "OpenZFSConfiguration", _OPENZFS),
        "Tags": From("main.Tags", tag_list, default=[]),
    },
    placeholders={
        "StorageCapacity": 0,
        "StorageType": "SSD",
        "FileSystemTypeVersion": "",
        "NetworkType": "IPV4",
    },
)

TYPES = (FILE_SYSTEM,)
