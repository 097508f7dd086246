"""Roles, users and groups: their inline policies are the place where rights are slipped in."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from driftwarden.model import Gone
from tests.recordings.conftest import Answers, Read, live, record_of, unreadable

ALLOW = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}


def policy(name: str) -> dict[str, Any]:
    return {"PolicyName": name, "PolicyDocument": ALLOW}


@pytest.fixture
def role(answers: Answers) -> Answers:
    """A role with two inline policies and one attached."""
    answers["iam:GetRole"] = {
        "Role": {
            "RoleName": "app",
            "Path": "/",
            "Arn": "arn:aws:iam::111122223333:role/app",
            "MaxSessionDuration": 3600,
            "AssumeRolePolicyDocument": ALLOW,
            "PermissionsBoundary": {"PermissionsBoundaryArn": "arn:aws:iam::aws:policy/Boundary"},
        }
    }
    answers["iam:ListAttachedRolePolicies"] = {
        "AttachedPolicies": [{"PolicyName": "Read", "PolicyArn": "arn:aws:iam::aws:policy/Read"}]
    }
    answers["iam:ListRolePolicies"] = {"PolicyNames": ["write", "admin"]}
    answers["iam:GetRolePolicy"] = lambda params: {"RoleName": "app", **policy(params["PolicyName"])}
    answers["iam:ListRoleTags"] = {
        "Tags": [
            {"Key": "team", "Value": "red"},
            {"Key": "aws:cdk:path", "Value": "x"},
            {"Key": "Env", "Value": "p"},
        ]
    }
    return answers


def test_a_role_reads_back_in_cloudformation_shape(role: Answers, read: Read) -> None:
    assert live(read("AWS::IAM::Role", "app")) == {
        "RoleName": "app",
        "Path": "/",
        "MaxSessionDuration": 3600,
        "Description": "",
        "PermissionsBoundary": "arn:aws:iam::aws:policy/Boundary",
        "AssumeRolePolicyDocument": ALLOW,
        "ManagedPolicyArns": ["arn:aws:iam::aws:policy/Read"],
        "Policies": [policy("admin"), policy("write")],
        "Tags": [{"Key": "Env", "Value": "p"}, {"Key": "team", "Value": "red"}],
    }


def test_inline_policies_stand_in_template_order_and_unknown_ones_after_them(
    role: Answers, read: Read
) -> None:
    role["iam:ListRolePolicies"] = {"PolicyNames": ["z-new", "a-new", "first", "second"]}
    template = {"Policies": [policy("second"), policy("removed"), policy("first")]}
    names = [p["PolicyName"] for p in live(read("AWS::IAM::Role", "app", template))["Policies"]]
    assert names == ["second", "first", "a-new", "z-new"]


def test_a_policy_that_a_sibling_put_on_the_role_is_not_the_roles_own(role: Answers, read: Read) -> None:
    siblings = {
        "Grant": record_of(
            "Grant", "AWS::IAM::Policy", "write:app", {"PolicyName": "write", "Roles": ["app"]}
        ),
        "Other": record_of(
            "Other", "AWS::IAM::Policy", "admin:x", {"PolicyName": "admin", "Roles": ["other"]}
        ),
    }
    assert live(read("AWS::IAM::Role", "app", {}, siblings))["Policies"] == [policy("admin")]
    assert role.asked("iam:GetRolePolicy") == [{"RoleName": "app", "PolicyName": "admin"}]


def test_a_role_that_iam_does_not_know_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("iam:GetRole", "NoSuchEntity", status=404)
    assert isinstance(read("AWS::IAM::Role", "app"), Gone)


@pytest.mark.parametrize(
    "operation", ["GetRole", "ListAttachedRolePolicies", "ListRolePolicies", "GetRolePolicy", "ListRoleTags"]
)
def test_a_denied_call_makes_the_role_unreadable_and_names_the_action(
    role: Answers, read: Read, operation: str
) -> None:
    role.fails(f"iam:{operation}", "AccessDenied", status=403)
    result = unreadable(read("AWS::IAM::Role", "app"))
    assert (result.action, result.code) == (f"iam:{operation}", "AccessDenied")


def test_one_denied_policy_of_three_hides_none_of_them_as_absent(role: Answers, read: Read) -> None:
    def answer(params: dict[str, Any]) -> Any:
        if params["PolicyName"] == "b":
            return ClientError({"Error": {"Code": "AccessDenied"}}, "GetRolePolicy")
        return {"RoleName": "app", **policy(params["PolicyName"])}

    role["iam:ListRolePolicies"] = {"PolicyNames": ["a", "b", "c"]}
    role["iam:GetRolePolicy"] = answer
    assert unreadable(read("AWS::IAM::Role", "app")).action == "iam:GetRolePolicy"


def test_throttling_that_outlasts_the_retries_is_unreadable_without_an_action(
    role: Answers, read: Read
) -> None:
    role.fails("iam:ListRolePolicies", "Throttling")
    result = unreadable(read("AWS::IAM::Role", "app"))
    assert (result.operation, result.code, result.action) == ("iam:ListRolePolicies", "Throttling", "")


def test_a_reset_connection_is_unreadable(role: Answers, read: Read) -> None:
    role.breaks("iam:ListRoleTags")
    assert unreadable(read("AWS::IAM::Role", "app")).operation == "iam:ListRoleTags"


def test_an_answer_without_the_role_is_unreadable_and_never_a_deletion(role: Answers, read: Read) -> None:
    role["iam:GetRole"] = {}
    assert unreadable(read("AWS::IAM::Role", "app")).empty_answer


@pytest.mark.parametrize(
    ("operation", "lost"),
    [
        ("ListAttachedRolePolicies", "ManagedPolicyArns"),
        ("ListRolePolicies", "Policies"),
        ("GetRolePolicy", "Policies"),
        ("ListRoleTags", "Tags"),
    ],
)
def test_a_part_that_vanishes_during_the_read_leaves_only_its_property_out(
    role: Answers, read: Read, operation: str, lost: str
) -> None:
    whole = live(read("AWS::IAM::Role", "app"))
    role.fails(f"iam:{operation}", "NoSuchEntity", status=404)
    assert live(read("AWS::IAM::Role", "app")) == {k: v for k, v in whole.items() if k != lost}


def test_answers_without_lists_mean_empty_lists(role: Answers, read: Read) -> None:
    for operation in ("ListAttachedRolePolicies", "ListRolePolicies", "ListRoleTags"):
        role[f"iam:{operation}"] = {}
    properties = live(read("AWS::IAM::Role", "app"))
    assert [properties[k] for k in ("ManagedPolicyArns", "Policies", "Tags")] == [[], [], []]


def test_all_pages_of_inline_policies_are_read(role: Answers, read: Read) -> None:
    role["iam:ListRolePolicies"] = [
        {"PolicyNames": ["a"], "IsTruncated": True, "Marker": "2"},
        {"PolicyNames": ["b"], "IsTruncated": False},
    ]
    assert live(read("AWS::IAM::Role", "app"))["Policies"] == [policy("a"), policy("b")]
    assert role.asked("iam:ListRolePolicies")[1] == {"RoleName": "app", "Marker": "2"}


def test_a_user_has_groups_but_no_tags_and_leaves_its_siblings_policies_out(
    answers: Answers, read: Read
) -> None:
    answers["iam:GetUser"] = {"User": {"UserName": "ann", "Path": "/", "Tags": [{"Key": "a", "Value": "b"}]}}
    answers["iam:ListAttachedUserPolicies"] = {"AttachedPolicies": []}
    answers["iam:ListGroupsForUser"] = {"Groups": [{"GroupName": "ops"}, {"GroupName": "dev"}]}
    answers["iam:ListUserPolicies"] = {"PolicyNames": ["own", "granted"]}
    answers["iam:GetUserPolicy"] = lambda params: {"UserName": "ann", **policy(params["PolicyName"])}
    siblings = {
        "Grant": record_of(
            "Grant", "AWS::IAM::Policy", "granted", {"PolicyName": "granted", "Users": ["ann"]}
        )
    }
    assert live(read("AWS::IAM::User", "ann", {}, siblings)) == {
        "UserName": "ann",
        "Path": "/",
        "PermissionsBoundary": "",
        "ManagedPolicyArns": [],
        "Groups": ["ops", "dev"],
        "Policies": [policy("own")],
    }


def test_a_group_reads_its_policies(answers: Answers, read: Read) -> None:
    answers["iam:GetGroup"] = {"Group": {"GroupName": "ops", "Path": "/"}, "Users": [{"UserName": "ann"}]}
    answers["iam:ListAttachedGroupPolicies"] = {
        "AttachedPolicies": [{"PolicyArn": "arn:aws:iam::aws:policy/Read"}]
    }
    answers["iam:ListGroupPolicies"] = {"PolicyNames": ["own"]}
    answers["iam:GetGroupPolicy"] = {"GroupName": "ops", **policy("own")}
    assert live(read("AWS::IAM::Group", "ops")) == {
        "GroupName": "ops",
        "Path": "/",
        "ManagedPolicyArns": ["arn:aws:iam::aws:policy/Read"],
        "Policies": [policy("own")],
    }
