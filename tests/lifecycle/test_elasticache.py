"""Caches: nothing that waits for the window is applied along with a revert, and no node is lost."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from driftwarden.resources.elasticache import CACHE_CLUSTER
from driftwarden.resources.spec import Caution
from tests.lifecycle.conftest import Life
from tests.lifecycle.requests import a_record, sent

TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
EDITED = [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
NAMED = {"CacheClusterId": "sessions"}


def test_tag_drift_leads_to_tag_requests_only(life: Life) -> None:
    client = life.client("elasticache")
    made = client.create_cache_cluster(
        **NAMED, Engine="redis", CacheNodeType="cache.t3.micro", NumCacheNodes=1, Tags=TAGS
    )
    arn = made["CacheCluster"]["ARN"]
    life.record("Sessions", "AWS::ElastiCache::CacheCluster", "sessions", {"Tags": TAGS})

    def edit() -> None:
        client.add_tags_to_resource(ResourceName=arn, Tags=EDITED)
        client.remove_tags_from_resource(ResourceName=arn, TagKeys=["Team"])

    calls = life.goes_round("Sessions", edit, expect=["Tags"])
    assert calls == [
        ("RemoveTagsFromResource", {"ResourceName": arn, "TagKeys": ["Owner"]}),
        ("AddTagsToResource", {"ResourceName": arn, "Tags": TAGS}),
    ]


def cluster(**members: Any) -> tuple[Record, dict[str, Any]]:
    """A cluster that answers with these members."""
    found = {**NAMED, "ARN": "arn:of:it", "CacheClusterStatus": "available", "Engine": "redis", **members}
    record = a_record("AWS::ElastiCache::CacheCluster", "sessions")
    return record, {"DescribeCacheClusters": {"CacheClusters": [found]}}


def test_only_what_drifted_is_sent() -> None:
    record, answers = cluster(SnapshotWindow="01:00-02:00", NumCacheNodes=1)
    wanted = {"SnapshotWindow": "05:00-06:00", "VpcSecurityGroupIds": ["sg-1"]}
    request = {
        **NAMED,
        "ApplyImmediately": True,
        "SnapshotWindow": "05:00-06:00",
        "SecurityGroupIds": ["sg-1"],
    }
    assert sent(record, answers, wanted) == [("ModifyCacheCluster", request)]


def test_what_was_not_set_is_switched_off() -> None:
    topic = {"TopicArn": "arn:of:a:topic", "TopicStatus": "active"}
    record, answers = cluster(NotificationConfiguration=topic, SnapshotRetentionLimit=7)
    wanted = {"NotificationTopicArn": "", "SnapshotRetentionLimit": ""}
    request = {
        **NAMED,
        "ApplyImmediately": True,
        "NotificationTopicStatus": "inactive",
        "SnapshotRetentionLimit": 0,
    }
    assert sent(record, answers, wanted) == [("ModifyCacheCluster", request)]


def test_a_topic_is_switched_on_again() -> None:
    topic = {"TopicArn": "arn:of:a:topic", "TopicStatus": "inactive"}
    record, answers = cluster(NotificationConfiguration=topic)
    ((_, request),) = sent(record, answers, {"NotificationTopicArn": "arn:of:a:topic"})
    assert request["NotificationTopicStatus"] == "active"


def test_nothing_is_applied_while_something_waits_for_the_window() -> None:
    record, answers = cluster(PendingModifiedValues={"EngineVersion": "7.1"})
    with pytest.raises(UpdateFailed, match="EngineVersion waits for the maintenance window"):
        sent(record, answers, {"SnapshotWindow": "05:00-06:00"})


@pytest.mark.parametrize(
    ("name", "harm", "harmless"),
    [("NumCacheNodes", (1, 3), (3, 1)), ("EngineVersion", ("6.2", "7.0"), ("7.1", "7.0"))],
)
def test_what_would_lose_data_is_refused(name: str, harm: tuple[Any, Any], harmless: tuple[Any, Any]) -> None:
    caution = CACHE_CLUSTER.refuses[name]
    assert isinstance(caution, Caution)
    assert caution.when(*harm)
    assert not caution.when(*harmless)


def test_a_subnet_group_gets_only_what_drifted() -> None:
    record = a_record("AWS::ElastiCache::SubnetGroup", "caches")
    found = {"CacheSubnetGroupName": "caches", "ARN": "arn:of:it", "CacheSubnetGroupDescription": "x"}
    answers = {"DescribeCacheSubnetGroups": {"CacheSubnetGroups": [found]}}
    named = {"CacheSubnetGroupName": "caches"}
    assert sent(record, answers, {"SubnetIds": ["subnet-1"]}) == [
        ("ModifyCacheSubnetGroup", {**named, "SubnetIds": ["subnet-1"]})
    ]
    assert sent(record, answers, {"Description": "caches"}) == [
        ("ModifyCacheSubnetGroup", {**named, "CacheSubnetGroupDescription": "caches"})
    ]
