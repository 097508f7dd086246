"""Offline comparison: one answer a line, whatever stands on the line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftwarden.compare_lines import compare_lines


def case(**fields: Any) -> Any:
    return {
        "id": "case-1",
        "resourceType": "AWS::SQS::Queue",
        "logicalId": "Queue",
        "physicalId": "https://queue",
        "region": "eu-west-1",
        "accountId": "111122223333",
        "properties": {"VisibilityTimeout": 30},
        "aws": {"VisibilityTimeout": 30},
        **fields,
    }


def answer(**fields: Any) -> Any:
    (found,) = compare_lines([json.dumps(case(**fields)).encode()])
    return found


def test_a_clean_resource() -> None:
    assert answer() == {"id": "case-1", "outcome": "clean", "changes": []}


def test_a_drifted_resource_with_dotted_paths_and_only_the_sides_that_exist() -> None:
    found = answer(
        resourceType="AWS::S3::Bucket",
        properties={
            "VersioningConfiguration": {"Status": "Enabled"},
            "CorsConfiguration": {"CorsRules": [{}]},
        },
        aws={"VersioningConfiguration": {"Status": "Suspended"}},
    )
    assert found["outcome"] == "drifted"
    assert found["changes"] == [
        {"path": "VersioningConfiguration.Status", "stateValue": "Enabled", "awsValue": "Suspended"},
        {"path": "CorsConfiguration", "stateValue": {"CorsRules": [{}]}},
    ]


def test_what_appeared_is_reported_beside_a_clean_outcome() -> None:
    admin = ["arn:aws:iam::aws:policy/AdministratorAccess"]
    found = answer(
        resourceType="AWS::IAM::Role",
        properties={},
        observedProperties={"ManagedPolicyArns": []},
        aws={"ManagedPolicyArns": admin},
    )
    assert found["outcome"] == "clean"
    assert found["appeared"] == [{"path": "ManagedPolicyArns", "stateValue": [], "awsValue": admin}]


def test_siblings_and_their_attributes_explain() -> None:
    policy = {"resourceType": "AWS::IAM::Policy", "physicalId": "p", "attributes": {}}
    policy["properties"] = {"PolicyName": "p", "Roles": ["https://queue"]}
    found = answer(
        resourceType="AWS::IAM::Role",
        properties={},
        observedProperties={"Policies": []},
        aws={"Policies": [{"PolicyName": "p", "PolicyDocument": {}}]},
        siblings={"Policy": policy},
        stack="Shop",
    )
    assert found == {"id": "case-1", "outcome": "clean", "changes": []}


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"aws": None}, "deleted"),
        ({"resourceType": "Custom::Thing"}, "skipped"),
        ({"resourceType": "AWS::CloudFormation::CustomResource"}, "skipped"),
        ({"resourceType": "AWS::CloudFormation::Stack"}, "unsupported"),
    ],
)
def test_resources_that_are_not_compared_say_so(fields: Any, outcome: str) -> None:
    assert answer(**fields)["outcome"] == outcome


REFERENCE = "{{resolve:secretsmanager:prod/db:SecretString:password}}"


def test_an_unresolvable_reference_is_not_compared_and_not_shown() -> None:
    found = answer(
        resourceType="AWS::RDS::DBInstance",
        properties={"MasterUsername": REFERENCE},
        aws={"MasterUsername": "hunter2"},
    )
    assert found == {"id": "case-1", "outcome": "notCompared", "changes": [], "cause": "unresolvedToken"}


def test_a_reference_does_not_hide_another_edit() -> None:
    found = answer(
        resourceType="AWS::RDS::DBInstance",
        properties={"MasterUsername": REFERENCE, "DBInstanceClass": "db.t4g.micro"},
        aws={"MasterUsername": "hunter2", "DBInstanceClass": "db.r6g.xlarge"},
    )
    assert found["outcome"] == "drifted"
    assert [change["path"] for change in found["changes"]] == ["DBInstanceClass"]
    assert "hunter2" not in json.dumps(found)


def test_positions_of_no_echo_parameters_are_left_alone() -> None:
    masked = {"MasterUsername": "***"}
    found = answer(
        resourceType="AWS::RDS::DBInstance",
        properties=masked,
        noEchoLeaves=[["MasterUsername"]],
        aws={"MasterUsername": "hunter2"},
    )
    assert found == {"id": "case-1", "outcome": "clean", "changes": []}


def test_any_other_mask_is_drift_with_a_mask_on_both_sides() -> None:
    found = answer(
        resourceType="AWS::SSM::Parameter", properties={"Value": "***"}, aws={"Value": "hunter2-live"}
    )
    assert found["changes"] == [{"path": "Value", "stateValue": "***", "awsValue": "***"}]


@pytest.mark.parametrize(
    ("line", "identity"),
    [
        (b"{not json", None),
        (b'"text"', None),
        (b"[]", None),
        (b"\xff\xfe", None),
        (json.dumps(case(properties=[])), "case-1"),
        (json.dumps(case(observedProperties="x")), "case-1"),
        (json.dumps(case(siblings={"A": "x"})), "case-1"),
        (json.dumps(case(resourceType=5)), "case-1"),
        (json.dumps(case(aws="gone")), "case-1"),
        (json.dumps({"id": "case-1"}), "case-1"),
    ],
)
def test_a_line_that_is_no_case_is_an_error_and_the_rest_goes_on(line: Any, identity: Any) -> None:
    first, second = compare_lines([line, "\n", json.dumps(case())])
    assert first["id"] == identity
    assert first["outcome"] == "error"
    assert first["error"]
    assert second["outcome"] == "clean"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ([], "the line is not an object with an id"),
        ({"resourceType": "AWS::SQS::Queue", "aws": {}}, "the line is not an object with an id"),
        ({"id": 1, "resourceType": "AWS::SQS::Queue"}, "aws must be an object"),
        (case(aws=[]), "aws must be an object"),
    ],
)
def test_an_error_says_what_a_case_lacks(line: Any, said: str) -> None:
    (found,) = compare_lines([json.dumps(line)])
    assert said in found["error"]


def test_metadata_is_compared_with_nothing() -> None:
    assert answer(resourceType="AWS::CDK::Metadata", aws={})["outcome"] == "skipped"


def test_an_error_shows_nothing_of_the_line() -> None:
    (found,) = compare_lines([json.dumps(case(aws="hunter2-live"))])
    assert "hunter2" not in json.dumps(found)
