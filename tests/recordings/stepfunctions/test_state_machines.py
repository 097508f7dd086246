"""Step Functions state machines."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ARN = "arn:aws:states:eu-central-1:111122223333:stateMachine:flow"
MACHINE = "AWS::StepFunctions::StateMachine"


@pytest.fixture
def machine(answers: Any) -> Any:
    answers["stepfunctions:DescribeStateMachine"] = {
        "name": "flow",
        "type": "STANDARD",
        "roleArn": "arn:role",
        "definition": '{"StartAt": "End"}',
    }
    answers["stepfunctions:ListTagsForResource"] = {"tags": [{"key": "team", "value": "web"}]}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_machine(machine: Any, read: Any) -> None:
    assert properties(read(MACHINE, ARN)) == {
        "StateMachineName": "flow",
        "StateMachineType": "STANDARD",
        "RoleArn": "arn:role",
        "Definition": {"StartAt": "End"},
        "LoggingConfiguration": {},
        "TracingConfiguration": {"Enabled": False},
        "EncryptionConfiguration": {},
        "Tags": [{"Key": "team", "Value": "web"}],
    }


def test_configurations_have_cloudformation_spelling(machine: Any, read: Any) -> None:
    log_group = {"cloudWatchLogsLogGroup": {"logGroupArn": "arn:logs"}}
    machine["stepfunctions:DescribeStateMachine"].update(
        loggingConfiguration={"level": "ALL", "includeExecutionData": True, "destinations": [log_group, {}]},
        tracingConfiguration={"enabled": True},
        encryptionConfiguration={"type": "AWS_OWNED_KEY", "kmsDataKeyReusePeriodSeconds": 60},
    )
    found = properties(read(MACHINE, ARN))
    assert found["LoggingConfiguration"] == {
        "Level": "ALL",
        "IncludeExecutionData": True,
        "Destinations": [{"CloudWatchLogsLogGroup": {"LogGroupArn": "arn:logs"}}, {}],
    }
    assert found["TracingConfiguration"] == {"Enabled": True}
    assert found["EncryptionConfiguration"] == {
        "Type": "AWS_OWNED_KEY",
        "KmsDataKeyReusePeriodSeconds": 60,
    }


def test_a_missing_machine_is_gone(answers: Any, read: Any) -> None:
    answers.fails("stepfunctions:DescribeStateMachine", "StateMachineDoesNotExist")
    assert read(MACHINE, ARN) == Gone()


def test_a_machine_whose_tags_are_not_found_still_exists(machine: Any, read: Any) -> None:
    machine.fails("stepfunctions:ListTagsForResource", "ResourceNotFound")
    assert properties(read(MACHINE, ARN))["StateMachineName"] == "flow"


@pytest.mark.parametrize("operation", ["DescribeStateMachine", "ListTagsForResource"])
def test_a_denied_call_names_the_missing_permission(machine: Any, read: Any, operation: str) -> None:
    machine.fails(f"stepfunctions:{operation}", "AccessDeniedException")
    result = read(MACHINE, ARN)
    assert isinstance(result, Unreadable)
    assert result.action == f"states:{operation}"
