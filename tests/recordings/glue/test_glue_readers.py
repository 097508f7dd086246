"""The Glue data catalog, and jobs, crawlers, triggers and workflows."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

CALLER = {"Account": "111122223333", "Arn": "arn:aws-cn:iam::111122223333:user/dev"}


@pytest.fixture
def glue(answers: Any) -> Any:
    answers["sts:GetCallerIdentity"] = CALLER
    answers["glue:GetTags"] = {"Tags": {"team": "web", "aws:cloudformation:stack-name": "s"}}
    return answers


def test_a_database_is_read_in_the_catalog_that_the_template_names(glue: Any, read: Any) -> None:
    glue["glue:GetDatabase"] = {"Database": {"Name": "sales", "CatalogId": "111122223333"}}

    assert read("AWS::Glue::Database", "sales", {"CatalogId": 444455556666}) == Live(
        {"DatabaseName": "sales", "DatabaseInput": {"Name": "sales", "Description": "", "Parameters": {}}}
    )
    assert glue.asked("glue:GetDatabase") == [{"Name": "sales", "CatalogId": "444455556666"}]


def test_a_table_is_known_by_database_and_name(glue: Any, read: Any) -> None:
    glue["glue:GetTable"] = {"Table": {"Name": "orders", "TableType": "EXTERNAL_TABLE", "CreatedBy": "arn"}}

    assert read("AWS::Glue::Table", "sales|orders") == Live(
        {
            "DatabaseName": "sales",
            "Name": "orders",
            "TableInput": {
                "Name": "orders",
                "TableType": "EXTERNAL_TABLE",
                "Description": "",
                "PartitionKeys": [],
                "Parameters": {},
            },
        }
    )
    assert glue.asked("glue:GetTable") == [{"DatabaseName": "sales", "Name": "orders"}]


def test_a_connection_always_has_all_of_its_members(glue: Any, read: Any) -> None:
    glue["glue:GetConnection"] = {"Connection": {"Name": "c", "ConnectionType": "JDBC", "Status": "READY"}}

    assert read("AWS::Glue::Connection", "c").properties["ConnectionInput"] == {
        "Name": "c",
        "Description": "",
        "ConnectionType": "JDBC",
        "ConnectionProperties": {},
        "AthenaProperties": {},
        "SparkProperties": {},
        "PythonProperties": {},
        "MatchCriteria": [],
        "PhysicalConnectionRequirements": {},
    }


def test_a_security_configuration_has_a_list_of_s3_encryptions(glue: Any, read: Any) -> None:
    encryption = {"S3Encryption": [{"S3EncryptionMode": "SSE-S3"}]}
    glue["glue:GetSecurityConfiguration"] = {
        "SecurityConfiguration": {"Name": "s", "EncryptionConfiguration": encryption}
    }
    assert read("AWS::Glue::SecurityConfiguration", "s").properties["EncryptionConfiguration"] == {
        "S3Encryptions": [{"S3EncryptionMode": "SSE-S3"}],
        "CloudWatchEncryption": {},
        "JobBookmarksEncryption": {},
    }


def test_a_jobs_tags_are_read_by_the_arn_in_the_callers_partition(glue: Any, read: Any) -> None:
    glue["glue:GetJob"] = {"Job": {"Name": "load", "Role": "arn:role", "Connections": {}}}

    found = read("AWS::Glue::Job", "load").properties
    assert found["Tags"] == [{"Key": "team", "Value": "web"}]
    assert found["Role"] == "arn:role"
    assert found["Connections"] == {"Connections": []}
    assert found["ExecutionProperty"] == {"MaxConcurrentRuns": 1}
    assert found["NotificationProperty"] == {"NotifyDelayAfter": 0}
    assert found["MaxRetries"] == 0
    arn = "arn:aws-cn:glue:eu-central-1:111122223333:job/load"
    assert glue.asked("glue:GetTags") == [{"ResourceArn": arn}]


def test_a_crawlers_dynamodb_targets_have_cloudformation_spelling(glue: Any, read: Any) -> None:
    targets = {"DynamoDBTargets": [{"Path": "t", "scanAll": True, "scanRate": 0.5}]}
    schedule = {"ScheduleExpression": "cron(0 1 * * ? *)", "State": "SCHEDULED"}
    glue["glue:GetCrawler"] = {"Crawler": {"Name": "c", "Targets": targets, "Schedule": schedule}}

    found = read("AWS::Glue::Crawler", "c").properties
    assert found["Targets"] == {"DynamoDBTargets": [{"Path": "t", "ScanAll": True, "ScanRate": 0.5}]}
    assert found["Schedule"] == {"ScheduleExpression": "cron(0 1 * * ? *)"}
    assert found["Configuration"] == ""


def test_a_triggers_predicate_is_complete_where_there_is_one(glue: Any, read: Any) -> None:
    glue["glue:GetTrigger"] = {
        "Trigger": {"Name": "t", "Type": "CONDITIONAL", "Predicate": {"Logical": "AND"}}
    }
    assert read("AWS::Glue::Trigger", "t") == Live(
        {
            "Name": "t",
            "Type": "CONDITIONAL",
            "Schedule": "",
            "Description": "",
            "WorkflowName": "",
            "Actions": [],
            "Predicate": {"Logical": "AND", "Conditions": []},
            "EventBatchingCondition": {},
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_a_workflow_is_read_without_its_graph(glue: Any, read: Any) -> None:
    glue["glue:GetWorkflow"] = {"Workflow": {"Name": "w", "MaxConcurrentRuns": 2}}

    found = read("AWS::Glue::Workflow", "w").properties
    assert (found["Name"], found["MaxConcurrentRuns"], found["DefaultRunProperties"]) == ("w", 2, {})
    assert glue.asked("glue:GetWorkflow") == [{"Name": "w", "IncludeGraph": False}]


@pytest.mark.parametrize(
    ("kind", "operation", "physical_id"),
    [
        ("Connection", "GetConnection", "x"),
        ("Crawler", "GetCrawler", "x"),
        ("Database", "GetDatabase", "x"),
        ("Job", "GetJob", "x"),
        ("SecurityConfiguration", "GetSecurityConfiguration", "x"),
        ("Table", "GetTable", "d|x"),
        ("Trigger", "GetTrigger", "x"),
        ("Workflow", "GetWorkflow", "x"),
    ],
)
def test_what_glue_does_not_find_is_gone_and_what_it_denies_is_not(
    glue: Any, read: Any, kind: str, operation: str, physical_id: str
) -> None:
    glue.fails(f"glue:{operation}", "EntityNotFoundException")
    assert read(f"AWS::Glue::{kind}", physical_id) == Gone()

    glue.fails(f"glue:{operation}", "AccessDeniedException")
    found = read(f"AWS::Glue::{kind}", physical_id)
    assert isinstance(found, Unreadable)
    assert found.action == f"glue:{operation}"


@pytest.mark.parametrize("operation", ["glue:GetTags", "sts:GetCallerIdentity"])
def test_tags_that_are_denied_are_not_taken_for_none(glue: Any, read: Any, operation: str) -> None:
    glue["glue:GetWorkflow"] = {"Workflow": {"Name": "w"}}
    glue.fails(operation, "AccessDeniedException")

    found = read("AWS::Glue::Workflow", "w")
    assert isinstance(found, Unreadable)
    assert found.action == operation
