"""Databases: nothing waits behind a request that applies everything at once, and no password is ever sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.model import Record
from driftwarden.remedy.steps import Kind
from driftwarden.resources.rds.instance import DB_INSTANCE
from driftwarden.resources.registry import all_types
from driftwarden.resources.spec import Caution
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]
EDITED = [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
INSTANCE = {"DBInstanceIdentifier": "orders"}
CLUSTER = {"DBClusterIdentifier": "orders"}


class Databases:
    """An instance, a cluster and a subnet group."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.rds = life.client("rds")
        ec2 = life.client("ec2")
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        blocks = [f"10.0.{number}.0/24" for number in range(3)]
        made = [ec2.create_subnet(VpcId=vpc, CidrBlock=block) for block in blocks]
        self.subnets = [one["Subnet"]["SubnetId"] for one in made]
        self.groups = [
            ec2.create_security_group(GroupName=name, Description="x", VpcId=vpc)["GroupId"]
            for name in ("db", "other")
        ]

    def instance(self) -> str:
        made = self.rds.create_db_instance(
            **INSTANCE,
            Engine="postgres",
            EngineVersion="16.3",
            DBInstanceClass="db.t3.small",
            AllocatedStorage=20,
            MasterUsername="root",
            MasterUserPassword="correct-horse",
            VpcSecurityGroupIds=self.groups[:1],
            Tags=TAGS,
        )
        self.life.record("Orders", "AWS::RDS::DBInstance", "orders", {"Tags": TAGS, "MasterUserPassword": ""})
        return str(made["DBInstance"]["DBInstanceArn"])

    def cluster(self) -> str:
        made = self.rds.create_db_cluster(
            **CLUSTER,
            Engine="aurora-postgresql",
            EngineVersion="16.3",
            MasterUsername="root",
            MasterUserPassword="correct-horse",
            BackupRetentionPeriod=7,
            VpcSecurityGroupIds=self.groups[:1],
            Tags=TAGS,
        )
        self.life.record("Orders", "AWS::RDS::DBCluster", "orders", {"Tags": TAGS})
        return str(made["DBCluster"]["DBClusterArn"])

    def subnet_group(self) -> str:
        made = self.rds.create_db_subnet_group(
            DBSubnetGroupName="orders",
            DBSubnetGroupDescription="for orders",
            SubnetIds=self.subnets[:2],
            Tags=TAGS,
        )
        self.life.record("Orders", "AWS::RDS::DBSubnetGroup", "orders", {"Tags": TAGS})
        return str(made["DBSubnetGroup"]["DBSubnetGroupArn"])


@pytest.fixture
def databases(life: Life) -> Databases:
    return Databases(life)


MAKE: dict[str, Callable[[Databases], str]] = {
    "instance": Databases.instance,
    "cluster": Databases.cluster,
    "subnet group": Databases.subnet_group,
}


@pytest.mark.parametrize("kind", MAKE)
def test_tag_drift_leads_to_tag_requests_only(databases: Databases, kind: str) -> None:
    """A Modify request for mere tags could apply what waits for the maintenance window, and restart."""
    arn = MAKE[kind](databases)

    def edit() -> None:
        databases.rds.add_tags_to_resource(ResourceName=arn, Tags=EDITED)
        databases.rds.remove_tags_from_resource(ResourceName=arn, TagKeys=["Team"])

    calls = databases.life.goes_round("Orders", edit, expect=["Tags"])
    assert calls == [
        ("RemoveTagsFromResource", {"ResourceName": arn, "TagKeys": ["Owner"]}),
        ("AddTagsToResource", {"ResourceName": arn, "Tags": TAGS}),
    ]


def test_an_instance_class_is_changed_at_once(databases: Databases) -> None:
    databases.instance()

    def edit() -> None:
        databases.rds.modify_db_instance(**INSTANCE, DBInstanceClass="db.t3.large", ApplyImmediately=True)

    calls = databases.life.goes_round("Orders", edit, expect=["DBInstanceClass"])
    request = {**INSTANCE, "ApplyImmediately": True, "DBInstanceClass": "db.t3.small"}
    assert calls == [("ModifyDBInstance", request)]


def test_what_rds_applies_soon_anyway_is_sent_without_apply_immediately(databases: Databases) -> None:
    databases.instance()

    def edit() -> None:
        databases.rds.modify_db_instance(**INSTANCE, DeletionProtection=True)

    calls = databases.life.goes_round("Orders", edit, expect=["DeletionProtection"])
    assert calls == [("ModifyDBInstance", {**INSTANCE, "DeletionProtection": False})]


def test_security_groups_of_an_instance_go_back(databases: Databases) -> None:
    databases.instance()

    def edit() -> None:
        databases.rds.modify_db_instance(**INSTANCE, VpcSecurityGroupIds=databases.groups)

    calls = databases.life.goes_round("Orders", edit, expect=["VPCSecurityGroups"])
    assert calls == [("ModifyDBInstance", {**INSTANCE, "VpcSecurityGroupIds": databases.groups[:1]})]


def test_storage_that_has_grown_is_not_shrunk(databases: Databases) -> None:
    databases.instance()
    databases.rds.modify_db_instance(**INSTANCE, AllocatedStorage=200, ApplyImmediately=True)
    (refused,) = databases.life.plan().refusals
    assert refused.kind is Kind.REFUSED
    shrinks = DB_INSTANCE.refuses["AllocatedStorage"]
    assert isinstance(shrinks, Caution)
    assert shrinks.when(20, 200)
    assert not shrinks.when(200, 20)


@pytest.mark.parametrize("kind", ["instance", "cluster"])
def test_an_engine_is_not_made_older(databases: Databases, kind: str) -> None:
    MAKE[kind](databases)
    if kind == "instance":
        databases.rds.modify_db_instance(**INSTANCE, EngineVersion="16.4", ApplyImmediately=True)
    else:
        databases.rds.modify_db_cluster(**CLUSTER, EngineVersion="16.4", ApplyImmediately=True)
    (refused,) = databases.life.plan().refusals
    assert "older version" in refused.reason


def test_backups_of_a_cluster_are_kept_as_long_as_recorded(databases: Databases) -> None:
    databases.cluster()
    calls = databases.life.goes_round(
        "Orders",
        lambda: databases.rds.modify_db_cluster(**CLUSTER, BackupRetentionPeriod=1),
        expect=["BackupRetentionPeriod"],
    )
    request = {**CLUSTER, "ApplyImmediately": True, "BackupRetentionPeriod": 7}
    assert calls == [("ModifyDBCluster", request)]


def test_shorter_backups_are_warned_of(databases: Databases) -> None:
    databases.cluster()
    databases.rds.modify_db_cluster(**CLUSTER, BackupRetentionPeriod=30)
    (step,) = databases.life.plan().steps
    assert "backups are deleted" in " ".join(step.warnings)


def test_protection_of_a_cluster_comes_back(databases: Databases) -> None:
    databases.cluster()
    calls = databases.life.goes_round(
        "Orders",
        lambda: databases.rds.modify_db_cluster(**CLUSTER, DeletionProtection=True),
        expect=["DeletionProtection"],
    )
    assert calls == [("ModifyDBCluster", {**CLUSTER, "DeletionProtection": False})]


def test_a_subnet_group_is_sent_whole() -> None:
    record = a_record("AWS::RDS::DBSubnetGroup", "orders")
    found = {
        "DBSubnetGroupName": "orders",
        "DBSubnetGroupDescription": "for orders",
        "Subnets": [{"SubnetIdentifier": "subnet-1"}, {"SubnetIdentifier": "subnet-3"}],
    }
    answers = {"DescribeDBSubnetGroups": {"DBSubnetGroups": [found]}}
    wanted = {"SubnetIds": ["subnet-1", "subnet-2"]}
    assert sent(record, answers, wanted) == [
        (
            "ModifyDBSubnetGroup",
            {"DBSubnetGroupName": "orders", "DBSubnetGroupDescription": "for orders", **wanted},
        )
    ]


def test_a_subnet_group_is_never_emptied(databases: Databases) -> None:
    databases.subnet_group()
    baseline = databases.life.read("Orders") | {"SubnetIds": []}
    template: dict[str, Any] = {"SubnetIds": []}
    databases.life.record(
        "Orders", "AWS::RDS::DBSubnetGroup", "orders", template, observedProperties=baseline
    )
    (refused,) = databases.life.plan().refusals
    assert "without any subnet" in refused.reason


def instance(**members: Any) -> tuple[Record, dict[str, Any]]:
    """An instance that answers with these members."""
    found = {**INSTANCE, "DBInstanceStatus": "available", "DBInstanceArn": "arn:of:it", **members}
    record = a_record("AWS::RDS::DBInstance", "orders")
    return record, {"DescribeDBInstances": {"DBInstances": [found]}}


def test_nothing_is_applied_at_once_while_something_waits_for_the_window() -> None:
    record, answers = instance(PendingModifiedValues={"EngineVersion": "17.1"}, Endpoint={"Port": 5432})
    with pytest.raises(UpdateFailed, match="EngineVersion waits for the maintenance window"):
        sent(record, answers, {"Port": 5433, "DeletionProtection": True})


def test_a_port_is_warned_of(databases: Databases) -> None:
    databases.instance()
    baseline = databases.life.read("Orders") | {"Port": 5433}
    databases.life.record("Orders", "AWS::RDS::DBInstance", "orders", baseline, observedProperties=baseline)
    (step,) = databases.life.plan().steps
    assert "the database restarts" in " ".join(step.warnings)


def test_the_port_has_another_name_in_the_request() -> None:
    record, answers = instance(Endpoint={"Port": 5432})
    assert sent(record, answers, {"Port": 5433}) == [
        ("ModifyDBInstance", {**INSTANCE, "ApplyImmediately": True, "DBPortNumber": 5433})
    ]


def test_monitoring_is_switched_off_with_its_interval() -> None:
    record, answers = instance(MonitoringInterval=60, MonitoringRoleArn="arn:of:a:role")
    assert sent(record, answers, {"MonitoringInterval": "", "MonitoringRoleArn": ""}) == [
        ("ModifyDBInstance", {**INSTANCE, "MonitoringInterval": 0})
    ]


@pytest.mark.parametrize("name", ["VPCSecurityGroups", "Port", "AllocatedStorage"])
def test_members_of_a_cluster_are_left_to_it(name: str) -> None:
    record, answers = instance(DBClusterIdentifier="orders-cluster")
    with pytest.raises(UpdateFailed, match="revert the cluster"):
        sent(record, answers, {name: ["sg-1"] if name.startswith("VPC") else 100})


def test_the_managed_password_is_no_update(databases: Databases) -> None:
    """Another key for it would rotate it, and without one a password would have to be sent."""
    databases.instance()
    key = f"arn:aws:kms:us-east-1:{ACCOUNT}:key/1"
    baseline = databases.life.read("Orders") | {"MasterUserSecret": {"KmsKeyId": key}}
    databases.life.record("Orders", "AWS::RDS::DBInstance", "orders", baseline, observedProperties=baseline)
    (refused,) = databases.life.plan().refusals
    assert refused.kind is Kind.UPDATE_NOT_SUPPORTED


def test_no_write_of_the_family_knows_a_password() -> None:
    family = [s for s in all_types() if s.name.startswith(("AWS::RDS::", "AWS::DocDB::", "AWS::Neptune::"))]
    for spec in family:
        named = str(spec.writes)
        assert "Password" not in named, spec.name


def test_a_proxy_gets_only_what_drifted() -> None:
    record = a_record("AWS::RDS::DBProxy", "orders")
    found = {"DBProxyName": "orders", "DBProxyArn": "arn:of:it", "Status": "available"}
    answers = {"DescribeDBProxies": {"DBProxies": [found]}}
    wanted = {"RequireTLS": True, "VpcSecurityGroupIds": ["sg-1"], "IdleClientTimeout": ""}
    request = {"RequireTLS": True, "SecurityGroups": ["sg-1"], "IdleClientTimeout": 1800}
    assert sent(record, answers, wanted) == [("ModifyDBProxy", {"DBProxyName": "orders", **request})]


def test_security_groups_of_a_proxy_endpoint_go_back() -> None:
    record = a_record("AWS::RDS::DBProxyEndpoint", "readers")
    found = {"DBProxyEndpointName": "readers", "DBProxyEndpointArn": "arn:of:it", "Status": "available"}
    answers = {"DescribeDBProxyEndpoints": {"DBProxyEndpoints": [found]}}
    wanted = {"VpcSecurityGroupIds": ["sg-1"]}
    assert sent(record, answers, wanted) == [
        ("ModifyDBProxyEndpoint", {"DBProxyEndpointName": "readers", **wanted})
    ]
