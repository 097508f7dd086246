"""EFS file systems, access points and mount targets."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable


@pytest.fixture
def file_system(answers: Any) -> Any:
    answers["efs:DescribeFileSystems"] = {"FileSystems": [{"FileSystemId": "fs-1", "Encrypted": True}]}
    answers["efs:DescribeLifecycleConfiguration"] = {"LifecyclePolicies": []}
    answers.fails("efs:DescribeBackupPolicy", "PolicyNotFound", status=404)
    answers.fails("efs:DescribeFileSystemPolicy", "PolicyNotFound", status=404)
    return answers


def test_what_is_not_configured_is_no_property(file_system: Any, read: Any) -> None:
    assert read("AWS::EFS::FileSystem", "fs-1") == Live({"Encrypted": True, "FileSystemTags": []})


def test_the_policy_is_a_document(file_system: Any, read: Any) -> None:
    file_system["efs:DescribeLifecycleConfiguration"] = {
        "LifecyclePolicies": [{"TransitionToIA": "AFTER_7_DAYS"}]
    }
    file_system["efs:DescribeBackupPolicy"] = {"BackupPolicy": {"Status": "ENABLED"}}
    file_system["efs:DescribeFileSystemPolicy"] = {"Policy": '{"Statement": []}'}

    assert read("AWS::EFS::FileSystem", "fs-1") == Live(
        {
            "Encrypted": True,
            "LifecyclePolicies": [{"TransitionToIA": "AFTER_7_DAYS"}],
            "BackupPolicy": {"Status": "ENABLED"},
            "FileSystemPolicy": {"Statement": []},
            "FileSystemTags": [],
        }
    )


@pytest.mark.parametrize(
    "operation", ["DescribeFileSystems", "DescribeLifecycleConfiguration", "DescribeFileSystemPolicy"]
)
def test_a_file_system_that_any_call_does_not_find_is_gone(
    file_system: Any, read: Any, operation: str
) -> None:
    file_system.fails(f"efs:{operation}", "FileSystemNotFound", status=404)

    assert read("AWS::EFS::FileSystem", "fs-1") == Gone()


@pytest.mark.parametrize("operation", ["DescribeLifecycleConfiguration", "DescribeBackupPolicy"])
def test_a_denied_sub_call_is_unreadable_and_names_the_action(
    file_system: Any, read: Any, operation: str
) -> None:
    file_system.fails(f"efs:{operation}", "AccessDeniedException", status=403)

    found = read("AWS::EFS::FileSystem", "fs-1")

    assert isinstance(found, Unreadable)
    assert found.action == f"elasticfilesystem:{operation}"


def test_an_access_point_lacks_what_is_empty(answers: Any, read: Any) -> None:
    point = {
        "FileSystemId": "fs-1",
        "PosixUser": {"Uid": 0, "Gid": 1, "SecondaryGids": []},
        "RootDirectory": {},
    }
    answers["efs:DescribeAccessPoints"] = {"AccessPoints": [point]}

    assert read("AWS::EFS::AccessPoint", "fsap-1") == Live(
        {"FileSystemId": "fs-1", "PosixUser": {"Uid": 0, "Gid": 1}}
    )


def test_a_mount_target_keeps_the_order_of_its_groups(answers: Any, read: Any) -> None:
    answers["efs:DescribeMountTargets"] = {"MountTargets": [{"FileSystemId": "fs-1", "SubnetId": "subnet-1"}]}
    answers["efs:DescribeMountTargetSecurityGroups"] = {"SecurityGroups": ["sg-2", "sg-1"]}

    assert read("AWS::EFS::MountTarget", "fsmt-0123456789abcdef0") == Live(
        {"FileSystemId": "fs-1", "SubnetId": "subnet-1", "SecurityGroups": ["sg-2", "sg-1"]}
    )


@pytest.mark.parametrize(
    ("resource_type", "operation", "code"),
    [
        ("AWS::EFS::AccessPoint", "DescribeAccessPoints", "AccessPointNotFound"),
        ("AWS::EFS::MountTarget", "DescribeMountTargets", "MountTargetNotFound"),
    ],
)
def test_the_exact_not_found_code_means_gone(
    answers: Any, read: Any, resource_type: str, operation: str, code: str
) -> None:
    answers.fails(f"efs:{operation}", code, status=404)

    assert read(resource_type, "fsmt-0123456789abcdef0") == Gone()
