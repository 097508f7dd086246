"""RDS clusters, subnet groups and proxies."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported


def test_a_cluster_has_cloudformation_names(answers: Any, read: Any) -> None:
    cluster = {
        "DBClusterIdentifier": "orders",
        "DBSubnetGroup": "private",
        "IAMDatabaseAuthenticationEnabled": False,
        "ServerlessV2ScalingConfiguration": {"MinCapacity": 0.5, "SecondsUntilAutoPause": 300},
        "VpcSecurityGroups": [{"VpcSecurityGroupId": "sg-1"}],
    }
    answers["rds:DescribeDBClusters"] = {"DBClusters": [cluster]}

    assert read("AWS::RDS::DBCluster", "orders") == Live(
        {
            "DBClusterIdentifier": "orders",
            "DBSubnetGroupName": "private",
            "EnableIAMDatabaseAuthentication": False,
            "ServerlessV2ScalingConfiguration": {"MinCapacity": 0.5},
            "VpcSecurityGroupIds": ["sg-1"],
        }
    )


def test_a_proxy_has_placeholders_and_always_tags(answers: Any, read: Any) -> None:
    answers["rds:DescribeDBProxies"] = {"DBProxies": [{"DBProxyName": "p", "DBProxyArn": "arn"}]}
    answers["rds:ListTagsForResource"] = {}

    assert read("AWS::RDS::DBProxy", "p") == Live(
        {
            "DBProxyName": "p",
            "VpcSubnetIds": [],
            "VpcSecurityGroupIds": [],
            "Auth": [],
            "RequireTLS": False,
            "DebugLogging": False,
            "Tags": [],
        }
    )


def test_a_proxy_endpoint_reads_and_writes_unless_it_says_otherwise(answers: Any, read: Any) -> None:
    answers["rds:DescribeDBProxyEndpoints"] = {"DBProxyEndpoints": [{"DBProxyEndpointName": "e"}]}

    found = read("AWS::RDS::DBProxyEndpoint", "e")

    assert isinstance(found, Live)
    assert found.properties["TargetRole"] == "READ_WRITE"


def test_a_target_group_lists_the_targets_of_all_pages_by_kind(answers: Any, read: Any) -> None:
    answers["rds:DescribeDBProxyTargetGroups"] = {
        "TargetGroups": [{"ConnectionPoolConfig": {"MaxConnectionsPercent": 90}}]
    }
    first = [
        {"Type": "RDS_INSTANCE", "RdsResourceId": "b"},
        {"Type": "TRACKED_CLUSTER", "RdsResourceId": "c"},
    ]
    answers["rds:DescribeDBProxyTargets"] = [
        {"Targets": first, "Marker": "next"},
        {"Targets": [{"Type": "RDS_INSTANCE", "RdsResourceId": "a"}, {"Type": "RDS_INSTANCE"}]},
    ]
    assert read("AWS::RDS::DBProxyTargetGroup", "arn", {"DBProxyName": "p"}) == Live(
        {
            "DBProxyName": "p",
            "TargetGroupName": "default",
            "ConnectionPoolConfigurationInfo": {"MaxConnectionsPercent": 90},
            "DBClusterIdentifiers": ["c"],
            "DBInstanceIdentifiers": ["b", "a"],
        }
    )


def test_a_target_group_of_no_proxy_names_nothing(answers: Any, read: Any) -> None:
    assert isinstance(read("AWS::RDS::DBProxyTargetGroup", "arn"), Unsupported)


@pytest.mark.parametrize(
    ("resource_type", "operation", "code"),
    [
        ("AWS::RDS::DBCluster", "rds:DescribeDBClusters", "DBClusterNotFoundFault"),
        ("AWS::RDS::DBSubnetGroup", "rds:DescribeDBSubnetGroups", "DBSubnetGroupNotFoundFault"),
        ("AWS::RDS::DBProxy", "rds:DescribeDBProxies", "DBProxyNotFoundFault"),
        ("AWS::RDS::DBProxyEndpoint", "rds:DescribeDBProxyEndpoints", "DBProxyEndpointNotFoundFault"),
        ("AWS::DocDB::DBInstance", "docdb:DescribeDBInstances", "DBInstanceNotFound"),
        ("AWS::Neptune::DBCluster", "neptune:DescribeDBClusters", "DBClusterNotFoundFault"),
        ("AWS::ElastiCache::CacheCluster", "elasticache:DescribeCacheClusters", "CacheClusterNotFound"),
        (
            "AWS::ElastiCache::SubnetGroup",
            "elasticache:DescribeCacheSubnetGroups",
            "CacheSubnetGroupNotFoundFault",
        ),
    ],
)
def test_the_exact_not_found_code_means_gone(
    answers: Any, read: Any, resource_type: str, operation: str, code: str
) -> None:
    answers.fails(operation, code, status=404)
    assert read(resource_type, "x") == Gone()

    answers.fails(operation, "InvalidParameterValue")
    assert isinstance(read(resource_type, "x"), Unreadable)


@pytest.mark.parametrize("service", ["rds", "docdb", "neptune"])
def test_a_subnet_group_keeps_the_order_of_its_subnets(answers: Any, read: Any, service: str) -> None:
    namespace = {"rds": "RDS", "docdb": "DocDB", "neptune": "Neptune"}[service]
    group = {
        "DBSubnetGroupName": "private",
        "DBSubnetGroupArn": "arn",
        "Subnets": [{"SubnetIdentifier": "subnet-2"}, {"SubnetIdentifier": "subnet-1"}],
    }
    answers[f"{service}:DescribeDBSubnetGroups"] = {"DBSubnetGroups": [group]}
    answers[f"{service}:ListTagsForResource"] = {"TagList": [{"Key": "team", "Value": "a"}]}

    assert read(f"AWS::{namespace}::DBSubnetGroup", "private") == Live(
        {
            "DBSubnetGroupName": "private",
            "SubnetIds": ["subnet-2", "subnet-1"],
            "Tags": [{"Key": "team", "Value": "a"}],
        }
    )
