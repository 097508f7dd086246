"""Inline policies as resources, managed policies, instance profiles and access keys."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Unsupported
from tests.recordings.conftest import Answers, Read, live, unreadable

ALLOW = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:Get*", "Resource": "*"}]}
ADMIN = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
ARN = "arn:aws:iam::111122223333:policy/app"


def test_an_inline_policy_is_read_on_its_role(answers: Answers, read: Read) -> None:
    answers["iam:GetRolePolicy"] = {"PolicyName": "p", "RoleName": "r", "PolicyDocument": ALLOW}
    template = {"PolicyName": "p", "PolicyDocument": ALLOW, "Roles": ["r"], "Users": []}
    assert live(read("AWS::IAM::Policy", "p:r", template)) == {
        "PolicyName": "p",
        "PolicyDocument": ALLOW,
        "Roles": ["r"],
        "Users": [],
    }
    assert answers.calls == [("iam:GetRolePolicy", {"RoleName": "r", "PolicyName": "p"})]


@pytest.mark.parametrize(
    ("kind", "operation", "member"),
    [("Groups", "iam:GetGroupPolicy", "GroupName"), ("Users", "iam:GetUserPolicy", "UserName")],
)
def test_without_roles_it_is_read_on_groups_or_users(
    answers: Answers, read: Read, kind: str, operation: str, member: str
) -> None:
    answers[operation] = {"PolicyName": "p", member: "x", "PolicyDocument": ALLOW}
    template = {"PolicyDocument": ALLOW, "Roles": [], kind: ["x"]}
    assert live(read("AWS::IAM::Policy", "p", template))["PolicyDocument"] == ALLOW
    assert answers.calls == [(operation, {member: "x", "PolicyName": "p"})]


def on(documents: dict[str, Any], answers: Answers) -> None:
    def answer(params: dict[str, Any]) -> Any:
        document = documents[params["RoleName"]]
        if isinstance(document, Exception):
            return document
        return {"PolicyName": "p", "RoleName": params["RoleName"], "PolicyDocument": document}

    answers["iam:GetRolePolicy"] = answer


def test_a_role_that_lost_the_policy_is_missing_from_the_list(answers: Answers, read: Read) -> None:
    answers.fails("iam:GetRolePolicy", "NoSuchEntity", status=404)
    on({"kept": ALLOW, "lost": answers["iam:GetRolePolicy"]}, answers)
    template = {"PolicyDocument": ALLOW, "Roles": ["lost", "kept"]}
    properties = live(read("AWS::IAM::Policy", "p", template))
    assert (properties["Roles"], properties["PolicyDocument"]) == (["kept"], ALLOW)


def test_a_document_changed_on_the_second_role_only_is_shown(answers: Answers, read: Read) -> None:
    on({"one": ALLOW, "two": ADMIN}, answers)
    template = {"PolicyDocument": ALLOW, "Roles": ["one", "two"]}
    assert live(read("AWS::IAM::Policy", "p", template))["PolicyDocument"] == ADMIN


def test_a_policy_that_no_role_has_any_more_is_gone(answers: Answers, read: Read) -> None:
    answers.fails("iam:GetRolePolicy", "NoSuchEntity", status=404)
    template = {"PolicyDocument": ALLOW, "Roles": ["one", "two"]}
    assert isinstance(read("AWS::IAM::Policy", "p", template), Gone)


def test_a_denied_policy_is_unreadable_and_names_the_action(answers: Answers, read: Read) -> None:
    answers.fails("iam:GetRolePolicy", "AccessDenied", status=403)
    result = unreadable(read("AWS::IAM::Policy", "p", {"PolicyDocument": ALLOW, "Roles": ["one"]}))
    assert result.action == "iam:GetRolePolicy"


@pytest.mark.parametrize(
    "template", [{}, {"Roles": ["r"]}, {"PolicyDocument": ALLOW}, {"PolicyDocument": ALLOW, "Roles": []}]
)
def test_a_record_that_names_no_principal_cannot_be_read(
    answers: Answers, read: Read, template: dict[str, Any]
) -> None:
    assert isinstance(read("AWS::IAM::Policy", "p", template), Unsupported)
    assert answers.calls == []


@pytest.fixture
def managed(answers: Answers) -> Answers:
    answers["iam:GetPolicy"] = {"Policy": {"PolicyName": "app", "Path": "/", "DefaultVersionId": "v7"}}
    answers["iam:GetPolicyVersion"] = {"PolicyVersion": {"VersionId": "v7", "Document": ALLOW}}
    answers["iam:ListEntitiesForPolicy"] = [
        {"PolicyRoles": [{"RoleName": "b"}], "PolicyUsers": [], "IsTruncated": True, "Marker": "2"},
        {"PolicyRoles": [{"RoleName": "a"}], "PolicyGroups": [{"GroupName": "ops"}], "IsTruncated": False},
    ]
    answers["iam:ListPolicyTags"] = {"Tags": [{"Key": "team", "Value": "red"}]}
    return answers


def test_a_managed_policy_reads_its_default_version_and_everyone_it_is_attached_to(
    managed: Answers, read: Read
) -> None:
    assert live(read("AWS::IAM::ManagedPolicy", ARN)) == {
        "ManagedPolicyName": "app",
        "Path": "/",
        "Description": "",
        "PolicyDocument": ALLOW,
        "Groups": ["ops"],
        "Roles": ["b", "a"],
        "Users": [],
        "Tags": [{"Key": "team", "Value": "red"}],
    }
    assert managed.asked("iam:GetPolicyVersion") == [{"PolicyArn": ARN, "VersionId": "v7"}]


def test_a_managed_policy_without_a_default_version_has_no_document(managed: Answers, read: Read) -> None:
    managed["iam:GetPolicy"] = {"Policy": {"PolicyName": "app"}}
    assert "PolicyDocument" not in live(read("AWS::IAM::ManagedPolicy", ARN))
    assert managed.asked("iam:GetPolicyVersion") == []


def test_a_denied_part_makes_the_managed_policy_unreadable(managed: Answers, read: Read) -> None:
    managed.fails("iam:ListEntitiesForPolicy", "AccessDenied", status=403)
    assert unreadable(read("AWS::IAM::ManagedPolicy", ARN)).action == "iam:ListEntitiesForPolicy"


def test_attachments_that_vanish_during_the_read_leave_three_properties_out(
    managed: Answers, read: Read
) -> None:
    managed.fails("iam:ListEntitiesForPolicy", "NoSuchEntity", status=404)
    assert set(live(read("AWS::IAM::ManagedPolicy", ARN))).isdisjoint({"Groups", "Roles", "Users"})


def test_an_instance_profile_names_its_role(answers: Answers, read: Read) -> None:
    answers["iam:GetInstanceProfile"] = {
        "InstanceProfile": {"InstanceProfileName": "i", "Path": "/", "Roles": [{"RoleName": "r"}]}
    }
    assert live(read("AWS::IAM::InstanceProfile", "i")) == {
        "InstanceProfileName": "i",
        "Path": "/",
        "Roles": ["r"],
    }


def test_an_access_key_is_found_on_a_later_page_of_its_user(answers: Answers, read: Read) -> None:
    answers["iam:GetAccessKeyLastUsed"] = {"UserName": "ann"}
    answers["iam:ListAccessKeys"] = [
        {"AccessKeyMetadata": [{"AccessKeyId": "AKIAI44QH8DHBEXAMPLE"}], "IsTruncated": True, "Marker": "2"},
        {
            "AccessKeyMetadata": [
                {"AccessKeyId": "AKIAIOSFODNN7EXAMPLE", "UserName": "ann", "Status": "Inactive"}
            ]
        },
    ]
    assert live(read("AWS::IAM::AccessKey", "AKIAIOSFODNN7EXAMPLE")) == {
        "UserName": "ann",
        "Status": "Inactive",
    }


def test_an_access_key_that_its_user_no_longer_has_is_gone(answers: Answers, read: Read) -> None:
    answers["iam:GetAccessKeyLastUsed"] = {"UserName": "ann"}
    answers["iam:ListAccessKeys"] = {"AccessKeyMetadata": [], "IsTruncated": False}
    assert isinstance(read("AWS::IAM::AccessKey", "AKIAIOSFODNN7EXAMPLE"), Gone)


def test_additions_of_users_to_groups_are_not_supported(answers: Answers, read: Read) -> None:
    assert isinstance(read("AWS::IAM::UserToGroupAddition", "x"), Unsupported)
    assert answers.calls == []
