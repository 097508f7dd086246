"""File systems: throughput goes back whole, and what was not there is deleted, not put empty."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftwarden.model import Record
from driftwarden.remedy.steps import Kind
from tests.lifecycle.conftest import Life
from tests.lifecycle.requests import a_record, sent

TYPE = "AWS::EFS::FileSystem"
TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
NAMED = {"FileSystemId": "fs-1"}
POLICY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*"}]}


@pytest.fixture
def files(life: Life) -> str:
    """A recorded file system with a transition and tags."""
    efs = life.client("efs")
    made = str(efs.create_file_system(CreationToken="once", Tags=TAGS)["FileSystemId"])
    policies = [{"TransitionToIA": "AFTER_30_DAYS"}]
    efs.put_lifecycle_configuration(FileSystemId=made, LifecyclePolicies=policies)
    life.record("Files", TYPE, made, {"FileSystemTags": TAGS, "LifecyclePolicies": policies})
    return made


def test_only_the_difference_of_tags_is_sent(life: Life, files: str) -> None:
    efs = life.client("efs")

    def edit() -> None:
        efs.tag_resource(
            ResourceId=files, Tags=[{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
        )
        efs.untag_resource(ResourceId=files, TagKeys=["Team"])

    calls = life.goes_round("Files", edit, expect=["FileSystemTags"])
    assert calls == [
        ("UntagResource", {"ResourceId": files, "TagKeys": ["Owner"]}),
        ("TagResource", {"ResourceId": files, "Tags": TAGS}),
    ]


def test_a_changed_transition_goes_back(life: Life, files: str) -> None:
    def edit() -> None:
        life.client("efs").put_lifecycle_configuration(
            FileSystemId=files, LifecyclePolicies=[{"TransitionToIA": "AFTER_7_DAYS"}]
        )

    calls = life.goes_round("Files", edit, expect=["LifecyclePolicies"])
    request = {"FileSystemId": files, "LifecyclePolicies": [{"TransitionToIA": "AFTER_30_DAYS"}]}
    assert calls == [("PutLifecycleConfiguration", request)]


def file_system(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A file system that answers with these members."""
    found = {**NAMED, "LifeCycleState": "available", **members}
    return a_record(TYPE, "fs-1"), {"DescribeFileSystems": {"FileSystems": [found]}}


@pytest.mark.parametrize(
    ("there", "wanted", "change"),
    [
        (
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 100},
            {"ThroughputMode": "bursting"},
            {"ThroughputMode": "bursting"},
        ),
        (
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 100},
            {"ProvisionedThroughputInMibps": 20},
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 20},
        ),
        (
            {"ThroughputMode": "elastic"},
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 20},
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 20},
        ),
    ],
)
def test_throughput_goes_back_with_its_amount_where_the_mode_has_one(
    there: dict[str, Any], wanted: dict[str, Any], change: dict[str, Any]
) -> None:
    record, answers = file_system(**there)
    assert sent(record, answers, wanted) == [("UpdateFileSystem", {**NAMED, **change})]


def test_every_transition_has_an_entry_of_its_own() -> None:
    record, answers = file_system()
    both = [{"TransitionToIA": "AFTER_7_DAYS", "TransitionToArchive": "AFTER_90_DAYS"}]
    ((_, request),) = sent(record, answers, {"LifecyclePolicies": both})
    assert request["LifecyclePolicies"] == [
        {"TransitionToIA": "AFTER_7_DAYS"},
        {"TransitionToArchive": "AFTER_90_DAYS"},
    ]


def test_what_was_not_there_is_taken_away() -> None:
    record, answers = file_system()
    answers |= {
        "DescribeLifecycleConfiguration": {"LifecyclePolicies": [{"TransitionToIA": "AFTER_7_DAYS"}]},
        "DescribeFileSystemPolicy": {"Policy": json.dumps(POLICY)},
        "DescribeBackupPolicy": {"BackupPolicy": {"Status": "ENABLED"}},
    }
    wanted: dict[str, Any] = {"LifecyclePolicies": [], "FileSystemPolicy": {}, "BackupPolicy": {}}
    assert sent(record, answers, wanted) == [
        ("PutLifecycleConfiguration", {**NAMED, "LifecyclePolicies": []}),
        ("PutBackupPolicy", {**NAMED, "BackupPolicy": {"Status": "DISABLED"}}),
        ("DeleteFileSystemPolicy", NAMED),
    ]


def test_backups_are_switched_on_again() -> None:
    record, answers = file_system()
    answers["DescribeBackupPolicy"] = {"BackupPolicy": {"Status": "DISABLED"}}
    assert sent(record, answers, {"BackupPolicy": {"Status": "ENABLED"}}) == [
        ("PutBackupPolicy", {**NAMED, "BackupPolicy": {"Status": "ENABLED"}})
    ]


def test_a_policy_and_a_protection_go_back() -> None:
    record, answers = file_system(FileSystemProtection={"ReplicationOverwriteProtection": "DISABLED"})
    wanted = {
        "FileSystemPolicy": POLICY,
        "FileSystemProtection": {"ReplicationOverwriteProtection": "ENABLED"},
    }
    requests = sent(record, answers, wanted)
    assert [operation for operation, _ in requests] == ["PutFileSystemPolicy", "UpdateFileSystemProtection"]
    assert json.loads(requests[0][1]["Policy"]) == POLICY
    assert requests[1][1] == {**NAMED, "ReplicationOverwriteProtection": "ENABLED"}


def test_security_groups_of_a_mount_target_go_back(life: Life) -> None:
    efs, ec2 = life.client("efs"), life.client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.1.0/24")["Subnet"]["SubnetId"]
    groups = [
        ec2.create_security_group(GroupName=name, Description="x", VpcId=vpc)["GroupId"]
        for name in ("files", "other")
    ]
    system = efs.create_file_system(CreationToken="once")["FileSystemId"]
    target = efs.create_mount_target(FileSystemId=system, SubnetId=subnet, SecurityGroups=groups[:1])
    named = {"MountTargetId": target["MountTargetId"]}
    life.record("Mount", "AWS::EFS::MountTarget", named["MountTargetId"], {"SecurityGroups": groups[:1]})
    calls = life.goes_round(
        "Mount",
        lambda: efs.modify_mount_target_security_groups(**named, SecurityGroups=groups),
        expect=["SecurityGroups"],
    )
    assert calls == [("ModifyMountTargetSecurityGroups", {**named, "SecurityGroups": groups[:1]})]


def test_an_access_point_is_never_updated(life: Life) -> None:
    efs = life.client("efs")
    system = efs.create_file_system(CreationToken="once")["FileSystemId"]
    user = {"Uid": 1000, "Gid": 1000}
    point = efs.create_access_point(ClientToken="once", FileSystemId=system, PosixUser=user)
    baseline = {"FileSystemId": system, "PosixUser": {"Uid": "7", "Gid": "7"}}
    life.record(
        "Point", "AWS::EFS::AccessPoint", point["AccessPointId"], baseline, observedProperties=baseline
    )
    (refused,) = life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED
