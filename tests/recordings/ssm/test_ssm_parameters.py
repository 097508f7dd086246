"""Systems Manager parameters."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAME = "/app/limit"
PARAMETER = "AWS::SSM::Parameter"


@pytest.fixture
def parameter(answers: Any) -> Any:
    answers["ssm:GetParameter"] = {"Parameter": {"Name": NAME, "Type": "String", "Value": "10"}}
    answers["ssm:DescribeParameters"] = {"Parameters": [{"Name": NAME, "Tier": "Standard"}]}
    answers["ssm:ListTagsForResource"] = {"TagList": []}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_parameter(parameter: Any, read: Any) -> None:
    assert properties(read(PARAMETER, NAME)) == {
        "Name": NAME,
        "Type": "String",
        "Value": "10",
        "Tier": "Standard",
        "Description": "",
        "AllowedPattern": "",
        "Policies": [],
        "Tags": {},
    }


def test_a_secure_value_is_never_decrypted(parameter: Any, read: Any) -> None:
    read(PARAMETER, NAME)
    assert parameter.asked("ssm:GetParameter") == [{"Name": NAME, "WithDecryption": False}]


def test_tags_are_a_sorted_map(parameter: Any, read: Any) -> None:
    tags = [{"Key": "b", "Value": "1"}, {"Key": "aws:x", "Value": "2"}, {"Key": "B", "Value": "3"}]
    parameter["ssm:ListTagsForResource"] = {"TagList": tags}
    found = properties(read(PARAMETER, NAME))["Tags"]
    assert list(found.items()) == [("B", "3"), ("b", "1")]


def test_policies_are_parsed_where_they_are_json(parameter: Any, read: Any) -> None:
    policies = [
        {"PolicyText": '{"Type": "Expiration"}'},
        {"PolicyText": "later"},
        {"PolicyStatus": "Pending"},
    ]
    parameter["ssm:DescribeParameters"] = {"Parameters": [{"Name": NAME, "Policies": policies}]}
    assert properties(read(PARAMETER, NAME))["Policies"] == [{"Type": "Expiration"}, "later"]


def test_an_empty_page_before_the_parameter_is_passed_over(parameter: Any, read: Any) -> None:
    parameter["ssm:DescribeParameters"] = [
        {"Parameters": [], "NextToken": "more"},
        {"Parameters": [{"Name": NAME, "Description": "a limit"}]},
    ]
    assert properties(read(PARAMETER, NAME))["Description"] == "a limit"


def test_a_missing_parameter_is_gone(answers: Any, read: Any) -> None:
    answers.fails("ssm:GetParameter", "ParameterNotFound")
    assert read(PARAMETER, NAME) == Gone()


def test_tags_that_are_not_found_are_left_out(parameter: Any, read: Any) -> None:
    parameter.fails("ssm:ListTagsForResource", "InvalidResourceId")
    assert "Tags" not in properties(read(PARAMETER, NAME))


@pytest.mark.parametrize("operation", ["GetParameter", "DescribeParameters", "ListTagsForResource"])
def test_a_denied_call_names_the_missing_permission(parameter: Any, read: Any, operation: str) -> None:
    parameter.fails(f"ssm:{operation}", "AccessDeniedException", status=403)
    result = read(PARAMETER, NAME)
    assert isinstance(result, Unreadable)
    assert result.action == f"ssm:{operation}"


def test_a_throttled_description_is_no_empty_description(parameter: Any, read: Any) -> None:
    parameter.fails("ssm:DescribeParameters", "ThrottlingException")
    assert isinstance(read(PARAMETER, NAME), Unreadable)
