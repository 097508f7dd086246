"""RDS database instances."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ARN = "arn:aws:rds:eu-central-1:111122223333:db:orders"


@pytest.fixture
def instance(answers: Any) -> Any:
    answers["rds:DescribeDBInstances"] = {
        "DBInstances": [{"DBInstanceIdentifier": "orders", "DBInstanceArn": ARN, "Engine": "postgres"}]
    }
    answers["rds:ListTagsForResource"] = {"TagList": [{"Key": "team", "Value": "a"}]}
    return answers


def test_nested_members_become_properties(instance: Any, read: Any) -> None:
    instance["rds:DescribeDBInstances"]["DBInstances"][0].update(
        DBSubnetGroup={"DBSubnetGroupName": "private"},
        Endpoint={"Address": "orders.example", "Port": 5432},
        IAMDatabaseAuthenticationEnabled=True,
        MasterUserSecret={"KmsKeyId": "key-1", "SecretArn": "arn:aws:secretsmanager:::secret:s"},
        VpcSecurityGroups=[{"VpcSecurityGroupId": "sg-1", "Status": "active"}],
        PubliclyAccessible=False,
    )
    assert read("AWS::RDS::DBInstance", "orders") == Live(
        {
            "DBInstanceIdentifier": "orders",
            "Engine": "postgres",
            "DBSubnetGroupName": "private",
            "Port": 5432,
            "EnableIAMDatabaseAuthentication": True,
            "MasterUserSecret": {"KmsKeyId": "key-1"},
            "VPCSecurityGroups": ["sg-1"],
            "PubliclyAccessible": False,
            "Tags": [{"Key": "team", "Value": "a"}],
        }
    )
    assert instance.asked("rds:ListTagsForResource") == [{"ResourceName": ARN}]


def test_an_answer_that_lacks_members_lacks_the_properties(instance: Any, read: Any) -> None:
    instance["rds:DescribeDBInstances"]["DBInstances"][0].update(MasterUserSecret={}, VpcSecurityGroups=[])
    instance["rds:ListTagsForResource"] = {}

    assert read("AWS::RDS::DBInstance", "orders") == Live(
        {"DBInstanceIdentifier": "orders", "Engine": "postgres", "Tags": []}
    )


def test_without_an_arn_the_tags_are_not_asked_for(instance: Any, read: Any) -> None:
    instance["rds:DescribeDBInstances"] = {"DBInstances": [{"DBInstanceIdentifier": "orders"}]}

    assert read("AWS::RDS::DBInstance", "orders") == Live({"DBInstanceIdentifier": "orders"})
    assert instance.asked("rds:ListTagsForResource") == []


def test_the_not_found_code_of_the_wire_means_gone(instance: Any, read: Any) -> None:
    instance.fails("rds:DescribeDBInstances", "DBInstanceNotFound", status=404)
    assert read("AWS::RDS::DBInstance", "orders") == Gone()

    instance.fails("rds:DescribeDBInstances", "DBSubnetGroupNotFoundFault", status=404)
    assert isinstance(read("AWS::RDS::DBInstance", "orders"), Unreadable)


@pytest.mark.parametrize(
    ("code", "action"), [("AccessDenied", "rds:ListTagsForResource"), ("Throttling", "")]
)
def test_tags_that_cannot_be_read_make_the_instance_unreadable(
    instance: Any, read: Any, code: str, action: str
) -> None:
    instance.fails("rds:ListTagsForResource", code)

    found = read("AWS::RDS::DBInstance", "orders")

    assert isinstance(found, Unreadable)
    assert (found.code, found.action) == (code, action)
