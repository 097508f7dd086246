"""Instances, with what their volumes say."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ID = "i-0123456789abcdef0"


@pytest.fixture
def instance(answers: Any) -> Any:
    described = {
        "InstanceId": ID,
        "InstanceType": "t3.micro",
        "State": {"Name": "running"},
        "SecurityGroups": [{"GroupId": "sg-2"}, {"GroupId": "sg-1"}],
        "BlockDeviceMappings": [
            {"DeviceName": "/dev/xvda", "Ebs": {"VolumeId": "vol-1", "DeleteOnTermination": True}}
        ],
    }
    answers["ec2:DescribeInstances"] = {"Reservations": [{"Instances": [described]}]}
    answers["ec2:DescribeVolumes"] = {"Volumes": [{"VolumeId": "vol-1", "Size": 8, "VolumeType": "gp3"}]}
    answers["ec2:DescribeInstanceAttribute"] = {"DisableApiTermination": {"Value": False}}
    answers["ec2:DescribeInstanceCreditSpecifications"] = {
        "InstanceCreditSpecifications": [{"CpuCredits": "standard"}]
    }
    return answers


def described(instance: Any) -> Any:
    return instance["ec2:DescribeInstances"]["Reservations"][0]["Instances"][0]


def test_an_instance_shows_its_volumes_protection_and_credits(instance: Any, read: Any) -> None:
    described(instance).update(
        Placement={"AvailabilityZone": "eu-central-1a", "Tenancy": "default"},
        IamInstanceProfile={"Arn": "arn:aws:iam::111122223333:instance-profile/web"},
        Monitoring={"State": "pending"},
        MetadataOptions={"State": "applied", "HttpTokens": "required"},
    )
    assert read("AWS::EC2::Instance", ID) == Live(
        {
            "InstanceType": "t3.micro",
            "AvailabilityZone": "eu-central-1a",
            "Tenancy": "default",
            "SecurityGroupIds": ["sg-1", "sg-2"],
            "Monitoring": True,
            "MetadataOptions": {"HttpTokens": "required"},
            "IamInstanceProfile": "arn:aws:iam::111122223333:instance-profile/web",
            "BlockDeviceMappings": [
                {
                    "DeviceName": "/dev/xvda",
                    "Ebs": {"DeleteOnTermination": True, "VolumeSize": 8, "VolumeType": "gp3"},
                }
            ],
            "DisableApiTermination": False,
            "CreditSpecification": {"CPUCredits": "standard"},
            "Tags": [],
        }
    )


def test_an_instance_without_volumes_asks_for_none(instance: Any, read: Any) -> None:
    described(instance)["BlockDeviceMappings"] = []

    found = read("AWS::EC2::Instance", ID)

    assert isinstance(found, Live)
    assert found.properties["BlockDeviceMappings"] == []
    assert instance.asked("ec2:DescribeVolumes") == []


@pytest.mark.parametrize("state", ["shutting-down", "terminated"])
def test_a_terminated_instance_that_still_shows_is_gone(instance: Any, read: Any, state: str) -> None:
    described(instance)["State"] = {"Name": state}

    assert read("AWS::EC2::Instance", ID) == Gone()


def test_an_instance_type_without_credits_has_no_credit_specification(instance: Any, read: Any) -> None:
    instance.fails("ec2:DescribeInstanceCreditSpecifications", "InvalidParameterCombination")

    found = read("AWS::EC2::Instance", ID)

    assert isinstance(found, Live)
    assert "CreditSpecification" not in found.properties


@pytest.mark.parametrize(
    "operation",
    ["DescribeVolumes", "DescribeInstanceAttribute", "DescribeInstanceCreditSpecifications"],
)
def test_a_denied_sub_call_is_unreadable_and_names_the_action(
    instance: Any, read: Any, operation: str
) -> None:
    instance.fails(f"ec2:{operation}", "UnauthorizedOperation", status=403)

    found = read("AWS::EC2::Instance", ID)

    assert isinstance(found, Unreadable)
    assert found.action == f"ec2:{operation}"
