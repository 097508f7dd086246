"""EMR clusters."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

CLUSTER = "AWS::EMR::Cluster"


@pytest.fixture
def cluster(answers: Any) -> Any:
    answers["emr:DescribeCluster"] = {
        "Cluster": {
            "Name": "spark",
            "InstanceCollectionType": "INSTANCE_GROUP",
            "Ec2InstanceAttributes": {
                "Ec2KeyName": "key",
                "IamInstanceProfile": "profile",
                "RequestedEc2SubnetIds": ["subnet-1"],
            },
            "TerminationProtected": False,
            "Status": {"State": "TERMINATED"},
        }
    }
    answers["emr:ListInstanceGroups"] = {
        "InstanceGroups": [
            {"InstanceGroupType": "MASTER", "InstanceType": "m5.xlarge", "RequestedInstanceCount": 1},
            {"InstanceGroupType": "TASK", "Name": "t1", "RunningInstanceCount": 4},
            {"InstanceGroupType": "TASK", "Name": "t2", "Market": "SPOT"},
        ]
    }
    answers["emr:ListInstanceFleets"] = {
        "InstanceFleets": [
            {"InstanceFleetType": "CORE", "TargetSpotCapacity": 2, "ProvisionedSpotCapacity": 1},
            {"InstanceFleetType": "TASK", "Name": "t"},
        ]
    }
    return answers


def test_a_cluster_of_groups_counts_what_was_asked_for(cluster: Any, read: Any) -> None:
    assert read(CLUSTER, "j-1") == Live(
        {
            "Name": "spark",
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
            "JobFlowRole": "profile",
            "Instances": {
                "MasterInstanceGroup": {"InstanceType": "m5.xlarge", "InstanceCount": 1},
                "TaskInstanceGroups": [
                    {"Name": "t1", "InstanceType": "", "InstanceCount": 0},
                    {"Name": "t2", "InstanceType": "", "InstanceCount": 0, "Market": "SPOT"},
                ],
                "Ec2KeyName": "key",
                "Ec2SubnetIds": ["subnet-1"],
                "TerminationProtected": False,
            },
            "Tags": [],
        }
    )


def test_a_cluster_of_fleets_has_target_capacities(cluster: Any, read: Any) -> None:
    cluster["emr:DescribeCluster"]["Cluster"] |= {"InstanceCollectionType": "INSTANCE_FLEET"}

    found = read(CLUSTER, "j-1").properties["Instances"]
    assert found["CoreInstanceFleet"] == {"TargetSpotCapacity": 2}
    assert found["TaskInstanceFleets"] == [{"Name": "t"}]
    assert cluster.asked("emr:ListInstanceGroups") == []


def test_a_cluster_that_is_not_found_is_gone(cluster: Any, read: Any) -> None:
    cluster.fails("emr:DescribeCluster", "InvalidRequestException")

    assert read(CLUSTER, "j-1") == Gone()


@pytest.mark.parametrize("code", ["InvalidRequestException", "AccessDeniedException"])
def test_groups_that_were_not_read_are_no_deletion(cluster: Any, read: Any, code: str) -> None:
    cluster.fails("emr:ListInstanceGroups", code)

    found = read(CLUSTER, "j-1")
    assert isinstance(found, Unreadable)
    assert found.operation == "emr:ListInstanceGroups"


def test_denied_fleets_name_the_permission(cluster: Any, read: Any) -> None:
    cluster["emr:DescribeCluster"]["Cluster"] |= {"InstanceCollectionType": "INSTANCE_FLEET"}
    cluster.fails("emr:ListInstanceFleets", "AccessDeniedException")

    found = read(CLUSTER, "j-1")
    assert isinstance(found, Unreadable)
    assert found.action == "elasticmapreduce:ListInstanceFleets"
