"""ElastiCache clusters and subnet groups."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Live, Unreadable


@pytest.fixture
def cluster(answers: Any) -> Any:
    answers["elasticache:DescribeCacheClusters"] = {
        "CacheClusters": [{"CacheClusterId": "c", "ARN": "arn:c", "Engine": "redis"}]
    }
    answers["elasticache:ListTagsForResource"] = {"TagList": []}
    return answers


def described(cluster: Any) -> Any:
    return cluster["elasticache:DescribeCacheClusters"]["CacheClusters"][0]


def test_nested_members_become_properties(cluster: Any, read: Any) -> None:
    described(cluster).update(
        CacheParameterGroup={"CacheParameterGroupName": "params"},
        CacheNodes=[{"Endpoint": {"Port": 6379}}, {"Endpoint": {"Port": 1}}],
        NotificationConfiguration={"TopicArn": "arn:topic", "TopicStatus": "active"},
        SecurityGroups=[{"SecurityGroupId": "sg-1"}],
        TransitEncryptionEnabled=False,
    )
    assert read("AWS::ElastiCache::CacheCluster", "c") == Live(
        {
            "ClusterName": "c",
            "Engine": "redis",
            "CacheParameterGroupName": "params",
            "Port": 6379,
            "NotificationTopicArn": "arn:topic",
            "TransitEncryptionEnabled": False,
            "VpcSecurityGroupIds": ["sg-1"],
            "Tags": [],
        }
    )


def test_an_inactive_topic_and_the_encryption_of_memcached_are_no_properties(cluster: Any, read: Any) -> None:
    described(cluster).update(
        Engine="memcached",
        NotificationConfiguration={"TopicArn": "arn:topic", "TopicStatus": "inactive"},
        TransitEncryptionEnabled=True,
    )
    assert read("AWS::ElastiCache::CacheCluster", "c") == Live(
        {"ClusterName": "c", "Engine": "memcached", "VpcSecurityGroupIds": [], "Tags": []}
    )


def test_a_subnet_group_has_its_description_twice(answers: Any, read: Any) -> None:
    group = {
        "CacheSubnetGroupName": "g",
        "CacheSubnetGroupDescription": "private",
        "Subnets": [{"SubnetIdentifier": "subnet-2"}, {"SubnetIdentifier": "subnet-1"}],
    }
    answers["elasticache:DescribeCacheSubnetGroups"] = {"CacheSubnetGroups": [group]}

    assert read("AWS::ElastiCache::SubnetGroup", "g") == Live(
        {
            "CacheSubnetGroupName": "g",
            "CacheSubnetGroupDescription": "private",
            "Description": "private",
            "SubnetIds": ["subnet-2", "subnet-1"],
        }
    )


def test_denied_tags_make_the_cluster_unreadable(cluster: Any, read: Any) -> None:
    cluster.fails("elasticache:ListTagsForResource", "AccessDenied", status=403)

    found = read("AWS::ElastiCache::CacheCluster", "c")

    assert isinstance(found, Unreadable)
    assert found.action == "elasticache:ListTagsForResource"
