"""Document and graph databases: only what drifted, and nothing at once that need not be."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from tests.lifecycle.conftest import Life
from tests.lifecycle.requests import a_record, sent

INSTANCE = {"DBInstanceIdentifier": "graph"}
CLUSTER = {"DBClusterIdentifier": "graph"}
TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
EDITED = [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
each_service = pytest.mark.parametrize("service", ["DocDB", "Neptune"])


def instance(service: str, **members: Any) -> tuple[Record, dict[str, Any]]:
    """An instance that answers with these members."""
    found = {**INSTANCE, "DBInstanceArn": "arn:of:it", "DBInstanceStatus": "available", **members}
    record = a_record(f"AWS::{service}::DBInstance", "graph")
    return record, {"DescribeDBInstances": {"DBInstances": [found]}}


def cluster(service: str, **members: Any) -> tuple[Record, dict[str, Any]]:
    """A cluster that answers with these members."""
    found = {**CLUSTER, "DBClusterArn": "arn:of:it", "Status": "available", **members}
    record = a_record(f"AWS::{service}::DBCluster", "graph")
    return record, {"DescribeDBClusters": {"DBClusters": [found]}}


def test_tag_drift_leads_to_tag_requests_only(life: Life) -> None:
    client = life.client("neptune")
    made = client.create_db_cluster(**CLUSTER, Engine="neptune", Tags=TAGS)
    arn = made["DBCluster"]["DBClusterArn"]
    life.record("Graph", "AWS::Neptune::DBCluster", "graph", {"Tags": TAGS})

    def edit() -> None:
        client.add_tags_to_resource(ResourceName=arn, Tags=EDITED)
        client.remove_tags_from_resource(ResourceName=arn, TagKeys=["Team"])

    calls = life.goes_round("Graph", edit, expect=["Tags"])
    assert calls == [
        ("RemoveTagsFromResource", {"ResourceName": arn, "TagKeys": ["Owner"]}),
        ("AddTagsToResource", {"ResourceName": arn, "Tags": TAGS}),
    ]


@each_service
@pytest.mark.parametrize("kind", ["DBInstance", "DBCluster"])
def test_tags_alone_never_modify_a_database(service: str, kind: str) -> None:
    record, answers = (instance if kind == "DBInstance" else cluster)(service)
    requests = sent(record, answers, {"Tags": TAGS})
    assert requests == [("AddTagsToResource", {"ResourceName": "arn:of:it", "Tags": TAGS})]


@each_service
def test_a_cluster_is_modified_without_apply_immediately(service: str) -> None:
    record, answers = cluster(service, BackupRetentionPeriod=30)
    wanted = {"BackupRetentionPeriod": 7, "VpcSecurityGroupIds": ["sg-1"], "DeletionProtection": False}
    assert sent(record, answers, wanted) == [("ModifyDBCluster", {**CLUSTER, **wanted})]


@each_service
def test_an_instance_class_is_changed_at_once_unless_something_waits(service: str) -> None:
    record, answers = instance(service)
    wanted = {"DBInstanceClass": "db.r5.large"}
    assert sent(record, answers, wanted) == [
        ("ModifyDBInstance", {**INSTANCE, "ApplyImmediately": True, **wanted})
    ]
    record, answers = instance(service, PendingModifiedValues={"EngineVersion": "5.0"})
    with pytest.raises(UpdateFailed, match="maintenance window"):
        sent(record, answers, wanted)


@each_service
def test_a_maintenance_window_goes_back_alone(service: str) -> None:
    record, answers = instance(service)
    wanted = {"PreferredMaintenanceWindow": "sun:05:00-sun:06:00"}
    assert sent(record, answers, wanted) == [("ModifyDBInstance", {**INSTANCE, **wanted})]


def test_a_port_that_is_read_under_two_names_is_sent_once() -> None:
    record, answers = cluster("Neptune", Port=8183)
    assert sent(record, answers, {"Port": 8182, "DBPort": 8182, "IamAuthEnabled": ""}) == [
        ("ModifyDBCluster", {**CLUSTER, "Port": 8182, "EnableIAMDatabaseAuthentication": False})
    ]
