"""Neptune and DocumentDB differ from RDS in what they show."""

from __future__ import annotations

from typing import Any

from driftwarden.model import Live

CLUSTER = {
    "DBClusterIdentifier": "graph",
    "DBClusterParameterGroup": "params",
    "DBSubnetGroup": "private",
    "Engine": "neptune",
    "IAMDatabaseAuthenticationEnabled": True,
    "MasterUsername": "admin",
    "Port": 8182,
}


def test_a_neptune_cluster_has_its_port_twice_and_no_master_user(answers: Any, read: Any) -> None:
    answers["neptune:DescribeDBClusters"] = {"DBClusters": [CLUSTER]}

    assert read("AWS::Neptune::DBCluster", "graph") == Live(
        {
            "DBClusterIdentifier": "graph",
            "DBClusterParameterGroupName": "params",
            "DBSubnetGroupName": "private",
            "DBPort": 8182,
            "Port": 8182,
            "IamAuthEnabled": True,
            "VpcSecurityGroupIds": [],
        }
    )


def test_a_neptune_instance_shows_its_first_parameter_group(answers: Any, read: Any) -> None:
    groups = [{"DBParameterGroupName": "first"}, {"DBParameterGroupName": "second"}]
    instance = {"DBInstanceIdentifier": "g", "Engine": "neptune", "DBParameterGroups": groups}
    answers["neptune:DescribeDBInstances"] = {"DBInstances": [instance]}

    assert read("AWS::Neptune::DBInstance", "g") == Live(
        {"DBInstanceIdentifier": "g", "DBParameterGroupName": "first"}
    )


def test_a_docdb_cluster_has_its_master_user_and_no_engine(answers: Any, read: Any) -> None:
    answers["docdb:DescribeDBClusters"] = {"DBClusters": [{k: v for k, v in CLUSTER.items() if k[0] != "I"}]}

    assert read("AWS::DocDB::DBCluster", "graph") == Live(
        {
            "DBClusterIdentifier": "graph",
            "DBClusterParameterGroupName": "params",
            "DBSubnetGroupName": "private",
            "MasterUsername": "admin",
            "Port": 8182,
            "VpcSecurityGroupIds": [],
        }
    )


def test_a_docdb_instance_shows_no_engine(answers: Any, read: Any) -> None:
    instance = {"DBInstanceIdentifier": "d", "Engine": "docdb", "AutoMinorVersionUpgrade": False}
    answers["docdb:DescribeDBInstances"] = {"DBInstances": [instance]}

    assert read("AWS::DocDB::DBInstance", "d") == Live(
        {"DBInstanceIdentifier": "d", "AutoMinorVersionUpgrade": False}
    )
