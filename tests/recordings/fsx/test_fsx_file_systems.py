"""FSx file systems of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

FILE_SYSTEM = "AWS::FSx::FileSystem"


def file_system(answers: Any, read: Any, **members: Any) -> Any:
    answers["fsx:DescribeFileSystems"] = {"FileSystems": [{"FileSystemId": "fs-0a1b2c3d4", **members}]}
    return read(FILE_SYSTEM, "fs-0a1b2c3d4").properties


def test_a_lustre_file_system_has_the_members_of_its_repository_in_the_block(answers: Any, read: Any) -> None:
    block = {
        "DeploymentType": "SCRATCH_2",
        "MountName": "m",
        "MetadataConfiguration": {},
        "DataRepositoryConfiguration": {"ImportPath": "s3://b", "Lifecycle": "AVAILABLE"},
    }
    assert file_system(answers, read, FileSystemType="LUSTRE", LustreConfiguration=block) == {
        "FileSystemType": "LUSTRE",
        "StorageCapacity": 0,
        "StorageType": "SSD",
        "FileSystemTypeVersion": "",
        "NetworkType": "IPV4",
        "LustreConfiguration": {"DeploymentType": "SCRATCH_2", "ImportPath": "s3://b"},
        "Tags": [],
    }


def test_aliases_of_a_windows_file_system_are_names(answers: Any, read: Any) -> None:
    block = {
        "Aliases": [{"Name": "a.example.com", "Lifecycle": "AVAILABLE"}],
        "PreferredFileServerIp": "10.0.0.1",
    }
    found = file_system(answers, read, FileSystemType="WINDOWS", WindowsConfiguration=block)
    assert found["WindowsConfiguration"] == {"Aliases": ["a.example.com"]}


def test_an_ontap_password_is_no_property(answers: Any, read: Any) -> None:
    block = {"HAPairs": 1, "FsxAdminPassword": "x", "Endpoints": {}}
    found = file_system(answers, read, FileSystemType="ONTAP", OntapConfiguration=block)
    assert found["OntapConfiguration"] == {"HAPairs": 1}


def test_an_openzfs_file_system_keeps_its_cache(answers: Any, read: Any) -> None:
    block = {"CopyTagsToVolumes": True, "ReadCacheConfiguration": {"SizeGiB": 1}, "RootVolumeId": "fsvol-1"}
    found = file_system(answers, read, FileSystemType="OPENZFS", OpenZFSConfiguration=block)
    assert found["OpenZFSConfiguration"] == {
        "CopyTagsToVolumes": True,
        "ReadCacheConfiguration": {"SizeGiB": 1},
    }


@pytest.mark.parametrize(
    ("kind", "block"),
    [
        ("LUSTRE", "LustreConfiguration"),
        ("WINDOWS", "WindowsConfiguration"),
        ("ONTAP", "OntapConfiguration"),
        ("OPENZFS", "OpenZFSConfiguration"),
    ],
)
def test_the_block_of_its_kind_is_always_there_and_no_other(
    answers: Any, read: Any, kind: str, block: str
) -> None:
    found = file_system(answers, read, FileSystemType=kind)
    assert [name for name in found if name.endswith("Configuration")] == [block]
    assert found[block] == {}


def test_a_deleted_file_system_is_gone(answers: Any, read: Any) -> None:
    answers.fails("fsx:DescribeFileSystems", "FileSystemNotFound")
    assert read(FILE_SYSTEM, "fs-0a1b2c3d4") == Gone()

    answers["fsx:DescribeFileSystems"] = {"FileSystems": []}
    assert read(FILE_SYSTEM, "fs-0a1b2c3d4") == Gone()


def test_a_denied_read_names_the_permission(answers: Any, read: Any) -> None:
    answers.fails("fsx:DescribeFileSystems", "AccessDeniedException")

    found = read(FILE_SYSTEM, "fs-0a1b2c3d4")
    assert not isinstance(found, Live)
    assert isinstance(found, Unreadable)
    assert found.action == "fsx:DescribeFileSystems"
