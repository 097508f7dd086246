"""DynamoDB global tables."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAME = "orders"
ARN = f"arn:aws:dynamodb:eu-central-1:111122223333:table/{NAME}"
TABLE = "AWS::DynamoDB::GlobalTable"

HERE = "eu-central-1"
THERE = "eu-west-1"


@pytest.fixture
def table(answers: Any) -> Any:
    """A table with a replica at home and one abroad; `answers` cannot tell regions apart, the ARNs can."""
    replicas = [{"RegionName": HERE}, {"RegionName": THERE, "KMSMasterKeyId": "alias/there"}]
    answers["dynamodb:DescribeTable"] = {
        "Table": {
            "TableName": NAME,
            "TableArn": ARN,
            "Replicas": replicas,
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "by-date",
                    "OnDemandThroughput": {"MaxReadRequestUnits": 1, "MaxWriteRequestUnits": 2},
                    "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
                }
            ],
            "OnDemandThroughput": {"MaxReadRequestUnits": 5, "MaxWriteRequestUnits": 6},
            "ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8},
        }
    }
    answers["dynamodb:DescribeTimeToLive"] = {}
    answers["dynamodb:DescribeContributorInsights"] = {"ContributorInsightsStatus": "DISABLED"}
    answers["dynamodb:DescribeContinuousBackups"] = {}
    answers["dynamodb:DescribeKinesisStreamingDestination"] = {}
    answers["dynamodb:ListTagsOfResource"] = lambda params: {
        "Tags": [{"Key": "region", "Value": params["ResourceArn"].split(":")[3]}]
    }
    return answers


@pytest.fixture
def provisioned_table(table: Any) -> Any:
    table["dynamodb:DescribeTable"]["Table"]["BillingModeSummary"] = {"BillingMode": "PROVISIONED"}
    table["application-autoscaling:DescribeScalableTargets"] = {"ScalableTargets": []}
    table["application-autoscaling:DescribeScalingPolicies"] = {"ScalingPolicies": []}
    return table


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_on_demand_limits_are_divided_between_table_index_and_replica(table: Any, read: Any) -> None:
    assert properties(read(TABLE, NAME)) == {
        "TableName": NAME,
        "WriteOnDemandThroughputSettings": {"MaxWriteRequestUnits": 6},
        "WriteProvisionedThroughputSettings": {},
        "GlobalSecondaryIndexes": [
            {"IndexName": "by-date", "WriteOnDemandThroughputSettings": {"MaxWriteRequestUnits": 2}}
        ],
        "Replicas": [
            {
                "Region": HERE,
                "ContributorInsightsSpecification": {"Enabled": False},
                "Tags": [{"Key": "region", "Value": HERE}],
                "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 5},
                "GlobalSecondaryIndexes": [
                    {"IndexName": "by-date", "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 1}}
                ],
            },
            {
                "Region": THERE,
                "KMSMasterKeyId": "alias/there",
                "ContributorInsightsSpecification": {"Enabled": False},
                "Tags": [{"Key": "region", "Value": THERE}],
            },
        ],
    }


def test_a_table_without_replicas_is_its_own(table: Any, read: Any) -> None:
    del table["dynamodb:DescribeTable"]["Table"]["Replicas"]
    assert [replica["Region"] for replica in properties(read(TABLE, NAME))["Replicas"]] == [HERE]


def test_fixed_capacity_is_read_where_nothing_scales(provisioned_table: Any, read: Any) -> None:
    found = properties(read(TABLE, NAME))
    assert found["WriteProvisionedThroughputSettings"] == {"WriteCapacityUnits": 8}
    assert found["GlobalSecondaryIndexes"] == [
        {"IndexName": "by-date", "WriteProvisionedThroughputSettings": {"WriteCapacityUnits": 4}}
    ]
    assert found["Replicas"][0]["GlobalSecondaryIndexes"] == [
        {"IndexName": "by-date", "ReadProvisionedThroughputSettings": {"ReadCapacityUnits": 3}}
    ]


def test_auto_scaling_wins_over_the_capacity_of_the_moment(provisioned_table: Any, read: Any) -> None:
    provisioned_table["application-autoscaling:DescribeScalableTargets"] = {
        "ScalableTargets": [{"MinCapacity": 0, "MaxCapacity": 9, "RoleARN": "x"}]
    }
    provisioned_table["application-autoscaling:DescribeScalingPolicies"] = {
        "ScalingPolicies": [
            {"PolicyType": "StepScaling"},
            {
                "PolicyType": "TargetTrackingScaling",
                "TargetTrackingScalingPolicyConfiguration": {
                    "TargetValue": 70.0,
                    "PredefinedMetricSpecification": {"PredefinedMetricType": "x"},
                },
            },
        ]
    }
    scaling = {
        "MinCapacity": 0,
        "MaxCapacity": 9,
        "TargetTrackingScalingPolicyConfiguration": {"TargetValue": 70.0},
    }

    found = properties(read(TABLE, NAME))

    assert found["WriteProvisionedThroughputSettings"] == {"WriteCapacityAutoScalingSettings": scaling}
    reads = {"ReadCapacityAutoScalingSettings": scaling}
    assert [replica["ReadProvisionedThroughputSettings"] for replica in found["Replicas"]] == [reads, reads]


@pytest.mark.parametrize(
    "operation",
    ["DescribeContributorInsights", "DescribeContinuousBackups", "DescribeKinesisStreamingDestination"],
)
def test_a_setting_that_the_service_does_not_find_is_not_configured(
    table: Any, read: Any, operation: str
) -> None:
    table.fails(f"dynamodb:{operation}", "ResourceNotFoundException")
    assert properties(read(TABLE, NAME))["TableName"] == NAME


def test_a_remote_replica_without_tags_is_no_deletion(table: Any, read: Any) -> None:
    replica = [{"RegionName": THERE}]
    table["dynamodb:DescribeTable"]["Table"]["Replicas"] = replica
    table.fails("dynamodb:ListTagsOfResource", "ResourceNotFoundException")
    assert properties(read(TABLE, NAME))["Replicas"][0]["Tags"] == []


@pytest.mark.parametrize("operation", ["DescribeTable", "ListTagsOfResource"])
def test_a_table_that_is_not_found_at_home_is_gone(table: Any, read: Any, operation: str) -> None:
    table.fails(f"dynamodb:{operation}", "ResourceNotFoundException")
    assert read(TABLE, NAME) == Gone()


@pytest.mark.parametrize("operation", ["DescribeScalableTargets", "DescribeScalingPolicies"])
def test_denied_auto_scaling_is_no_fixed_capacity(provisioned_table: Any, read: Any, operation: str) -> None:
    provisioned_table["application-autoscaling:DescribeScalableTargets"] = {
        "ScalableTargets": [{"MinCapacity": 0, "MaxCapacity": 9}]
    }
    provisioned_table.fails(f"application-autoscaling:{operation}", "AccessDeniedException")
    result = read(TABLE, NAME)
    assert isinstance(result, Unreadable)
    assert result.action == f"application-autoscaling:{operation}"
