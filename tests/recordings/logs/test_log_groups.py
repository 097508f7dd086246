"""CloudWatch Logs log groups."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAME = "/app/web"
ARN = f"arn:aws:logs:eu-central-1:111122223333:log-group:{NAME}"
GROUP = "AWS::Logs::LogGroup"


@pytest.fixture
def group(answers: Any) -> Any:
    answers["logs:DescribeLogGroups"] = {"logGroups": [{"logGroupName": NAME, "arn": f"{ARN}:*"}]}
    answers["logs:ListTagsForResource"] = {"tags": {}}
    answers["logs:GetDataProtectionPolicy"] = {"logGroupIdentifier": NAME}
    answers["logs:DescribeIndexPolicies"] = {"indexPolicies": []}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_group_has_the_defaults_of_the_service(group: Any, read: Any) -> None:
    assert properties(read(GROUP, NAME)) == {
        "LogGroupName": NAME,
        "KmsKeyId": "",
        "RetentionInDays": 0,
        "DeletionProtectionEnabled": False,
        "BearerTokenAuthenticationEnabled": False,
        "Tags": [],
        "DataProtectionPolicy": "",
        "FieldIndexPolicies": [],
    }


def test_policies_are_parsed_and_those_of_the_account_left_out(group: Any, read: Any) -> None:
    group["logs:GetDataProtectionPolicy"] = {"policyDocument": '{"Name": "mask"}'}
    group["logs:DescribeIndexPolicies"] = {
        "indexPolicies": [
            {"source": "ACCOUNT", "policyDocument": '{"Fields": ["a"]}'},
            {"source": "LOG_GROUP", "policyDocument": '{"Fields": ["b"]}'},
            {"source": "LOG_GROUP"},
        ]
    }
    found = properties(read(GROUP, NAME))
    assert found["DataProtectionPolicy"] == {"Name": "mask"}
    assert found["FieldIndexPolicies"] == [{"Fields": ["b"]}]


def test_tags_are_asked_for_without_the_stream_suffix(group: Any, read: Any) -> None:
    group["logs:ListTagsForResource"] = {"tags": {"team": "web", "aws:stack": "x"}}
    assert properties(read(GROUP, NAME))["Tags"] == [{"Key": "team", "Value": "web"}]
    assert group.asked("logs:ListTagsForResource") == [{"resourceArn": ARN}]


def test_a_group_whose_name_only_begins_alike_is_another_one(answers: Any, read: Any) -> None:
    answers["logs:DescribeLogGroups"] = {"logGroups": [{"logGroupName": f"{NAME}-2", "arn": ARN}]}
    assert read(GROUP, NAME) == Gone()


def test_a_group_on_a_later_page_is_found(group: Any, read: Any) -> None:
    first = {"logGroups": [{"logGroupName": f"{NAME}!"}], "nextToken": "more"}
    group["logs:DescribeLogGroups"] = [first, group["logs:DescribeLogGroups"]]
    assert properties(read(GROUP, NAME))["LogGroupName"] == NAME


def test_an_answer_without_a_list_is_no_deletion(answers: Any, read: Any) -> None:
    answers["logs:DescribeLogGroups"] = {}
    assert isinstance(read(GROUP, NAME), Unreadable)


@pytest.mark.parametrize("operation", ["GetDataProtectionPolicy", "DescribeIndexPolicies"])
def test_a_log_class_without_policies_has_none(group: Any, read: Any, operation: str) -> None:
    group.fails(f"logs:{operation}", "InvalidParameterException")
    assert properties(read(GROUP, NAME))["LogGroupName"] == NAME


@pytest.mark.parametrize(
    "operation",
    ["DescribeLogGroups", "ListTagsForResource", "GetDataProtectionPolicy", "DescribeIndexPolicies"],
)
def test_a_denied_call_names_the_missing_permission(group: Any, read: Any, operation: str) -> None:
    group.fails(f"logs:{operation}", "AccessDeniedException", status=403)
    result = read(GROUP, NAME)
    assert isinstance(result, Unreadable)
    assert result.action == f"logs:{operation}"


def test_a_throttled_policy_call_is_no_missing_policy(group: Any, read: Any) -> None:
    group.fails("logs:GetDataProtectionPolicy", "ThrottlingException")
    assert isinstance(read(GROUP, NAME), Unreadable)


def test_a_group_that_vanishes_before_its_tags_is_gone(group: Any, read: Any) -> None:
    group.fails("logs:ListTagsForResource", "ResourceNotFoundException")
    assert read(GROUP, NAME) == Gone()
