"""IAM: policies are diffed and never replaced, what others own stays, and nothing is torn down."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from driftwarden.model import Record
from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import REGION, Life
from tests.lifecycle.requests import a_record, failure, sent

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    ],
}


def document(*actions: str) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Action": list(actions), "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement]}


def policy(name: str, *actions: str) -> dict[str, Any]:
    return {"PolicyName": name, "PolicyDocument": document(*actions)}


@pytest.fixture
def iam(life: Life) -> Any:
    life.settings = ScanSettings(undeclared="drift")
    return boto3.client("iam", region_name=REGION)


@pytest.fixture
def managed(iam: Any) -> Callable[[str], str]:
    """Makes a managed policy and answers its ARN."""

    def make(name: str) -> str:
        arn: str = iam.create_policy(PolicyName=name, PolicyDocument=json.dumps(document("s3:GetObject")))[
            "Policy"
        ]["Arn"]
        return arn

    return make


class TestRole:
    @pytest.fixture(autouse=True)
    def worker(self, life: Life, iam: Any, managed: Callable[[str], str]) -> None:
        self.life, self.iam = life, iam
        self.bound, self.read, self.write, self.other = map(managed, ("bound", "read", "write", "other"))
        iam.create_role(
            RoleName="worker",
            AssumeRolePolicyDocument=json.dumps(TRUST),
            Description="works",
            MaxSessionDuration=7200,
            PermissionsBoundary=self.bound,
            Tags=[{"Key": "team", "Value": "shop"}, {"Key": "tier", "Value": "1"}],
        )
        for arn in (self.read, self.write):
            iam.attach_role_policy(RoleName="worker", PolicyArn=arn)
        for each in (policy("logs", "logs:PutLogEvents"), policy("queue", "sqs:SendMessage")):
            self.put(each)
        life.record("Worker", "AWS::IAM::Role", "worker", {"RoleName": "worker"})

    def put(self, inline: dict[str, Any]) -> None:
        self.iam.put_role_policy(
            RoleName="worker",
            PolicyName=inline["PolicyName"],
            PolicyDocument=json.dumps(inline["PolicyDocument"]),
        )

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        self.life.goes_round("Worker", edit, expect=expect)
        return self.life.calls

    def test_a_description_goes_back_with_the_session_length_that_would_be_reset_otherwise(self) -> None:
        calls = self.goes_round(
            lambda: self.iam.update_role(RoleName="worker", Description="x", MaxSessionDuration=7200),
            "Description",
        )
        wanted = {"RoleName": "worker", "Description": "works", "MaxSessionDuration": 7200}
        assert calls == [("UpdateRole", wanted)]

    def test_a_session_length_goes_back_with_the_description(self) -> None:
        calls = self.goes_round(
            lambda: self.iam.update_role(RoleName="worker", Description="works", MaxSessionDuration=3600),
            "MaxSessionDuration",
        )
        wanted = {"RoleName": "worker", "Description": "works", "MaxSessionDuration": 7200}
        assert calls == [("UpdateRole", wanted)]

    def test_a_trust_policy_goes_back_and_is_announced(self) -> None:
        opened = {**TRUST, "Statement": [{**TRUST["Statement"][0], "Principal": {"AWS": "*"}}]}  # type: ignore[dict-item]

        def edit() -> None:
            self.iam.update_assume_role_policy(RoleName="worker", PolicyDocument=json.dumps(opened))

        calls = self.goes_round(edit, "AssumeRolePolicyDocument.Statement")
        assert [name for name, _ in calls] == ["UpdateAssumeRolePolicy"]
        edit()
        assert self.life.plan().steps[0].warnings == (
            "AssumeRolePolicyDocument: who may assume the role changes",
        )

    def test_a_boundary_that_was_removed_is_put_back(self) -> None:
        self.goes_round(
            lambda: self.iam.delete_role_permissions_boundary(RoleName="worker"), "PermissionsBoundary"
        )
        assert self.life.written() == ["PutRolePermissionsBoundary"]

    def test_a_boundary_that_was_changed_goes_back(self) -> None:
        calls = self.goes_round(
            lambda: self.iam.put_role_permissions_boundary(RoleName="worker", PermissionsBoundary=self.other),
            "PermissionsBoundary",
        )
        assert [name for name, _ in calls] == ["PutRolePermissionsBoundary"]

    def test_a_boundary_that_was_added_is_deleted_and_that_is_announced(self) -> None:
        self.iam.delete_role_permissions_boundary(RoleName="worker")
        self.life.record("Worker", "AWS::IAM::Role", "worker", {"RoleName": "worker"})

        def edit() -> None:
            self.iam.put_role_permissions_boundary(RoleName="worker", PermissionsBoundary=self.bound)

        calls = self.goes_round(edit, "PermissionsBoundary")
        assert [name for name, _ in calls] == ["DeleteRolePermissionsBoundary"]
        edit()
        assert "permissions that the boundary withholds" in self.life.plan().steps[0].warnings[0]

    def test_of_attached_policies_only_the_difference_is_sent_and_attaching_comes_first(self) -> None:
        def edit() -> None:
            self.iam.detach_role_policy(RoleName="worker", PolicyArn=self.read)
            self.iam.attach_role_policy(RoleName="worker", PolicyArn=self.other)

        calls = self.goes_round(edit, "ManagedPolicyArns")
        assert calls == [
            ("AttachRolePolicy", {"RoleName": "worker", "PolicyArn": self.read}),
            ("DetachRolePolicy", {"RoleName": "worker", "PolicyArn": self.other}),
        ]

    def test_of_inline_policies_only_the_difference_is_sent(self) -> None:
        def edit() -> None:
            self.put(policy("logs", "*"))
            self.put(policy("admin", "*"))

        calls = self.goes_round(edit, "Policies")
        assert [(name, params["PolicyName"]) for name, params in calls] == [
            ("PutRolePolicy", "logs"),
            ("DeleteRolePolicy", "admin"),
        ]

    def test_an_inline_policy_that_was_removed_is_put_again(self) -> None:
        calls = self.goes_round(
            lambda: self.iam.delete_role_policy(RoleName="worker", PolicyName="queue"), "Policies"
        )
        assert [(name, params["PolicyName"]) for name, params in calls] == [("PutRolePolicy", "queue")]

    @pytest.mark.parametrize(
        ("tags", "removed", "written"),
        [
            ({"new": "1"}, [], ["UntagRole"]),
            ({"team": "other"}, [], ["TagRole"]),
            ({}, ["tier"], ["TagRole"]),
        ],
        ids=["added", "changed", "removed"],
    )
    def test_of_tags_only_the_difference_is_sent(
        self, tags: dict[str, str], removed: list[str], written: list[str]
    ) -> None:
        def edit() -> None:
            self.iam.tag_role(RoleName="worker", Tags=[{"Key": k, "Value": v} for k, v in tags.items()])
            if removed:
                self.iam.untag_role(RoleName="worker", TagKeys=removed)

        calls = self.goes_round(edit, "Tags")
        assert [name for name, _ in calls] == written

    def test_what_sibling_policies_own_stays(self) -> None:
        owned = policy("owned", "s3:PutObject")
        self.life.record(
            "Owned", "AWS::IAM::Policy", "owned:worker", {**owned, "Roles": ["worker"]}, observed=False
        )
        self.life.record(
            "Shared", "AWS::IAM::ManagedPolicy", self.other, {"Roles": ["worker"]}, observed=False
        )
        self.put(owned)
        self.iam.attach_role_policy(RoleName="worker", PolicyArn=self.other)
        assert "Worker" not in self.life.drift()

        self.put(policy("logs", "*"))
        self.iam.detach_role_policy(RoleName="worker", PolicyArn=self.read)
        assert self.life.drift()["Worker"] == ["ManagedPolicyArns", "Policies"]
        self.life.forget_calls()
        self.life.revert()
        assert [(name, params.get("PolicyName")) for name, params in self.life.calls] == [
            ("AttachRolePolicy", None),
            ("PutRolePolicy", "logs"),
        ]
        assert self.iam.get_role_policy(RoleName="worker", PolicyName="owned")

    def test_a_path_is_refused_before_the_first_request(self) -> None:
        observed = {**self.life.read("Worker"), "Path": "/elsewhere/", "Description": "other"}
        self.life.record("Worker", "AWS::IAM::Role", "worker", {}, observedProperties=observed)
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
        self.life.forget_calls()
        assert self.life.revert() == []
        assert self.life.calls == []


ROLE_ANSWERS = {
    "GetRole": {"Role": {"RoleName": "worker", "MaxSessionDuration": 3600, "Path": "/"}},
    "ListAttachedRolePolicies": {"AttachedPolicies": [{"PolicyArn": "arn:aws:iam::aws:policy/Old"}]},
    "ListRolePolicies": {"PolicyNames": []},
}


def test_where_the_quota_is_used_up_one_policy_goes_before_the_next_comes() -> None:
    full: list[Any] = [failure("LimitExceeded", "AttachRolePolicy"), {}]
    requests = sent(
        a_record("AWS::IAM::Role", "worker"),
        {**ROLE_ANSWERS, "AttachRolePolicy": full},
        {"ManagedPolicyArns": ["arn:aws:iam::aws:policy/New"]},
    )
    assert [name for name, _ in requests] == ["AttachRolePolicy", "DetachRolePolicy", "AttachRolePolicy"]


def test_a_default_session_length_is_told_and_not_left_out() -> None:
    requests = sent(
        a_record("AWS::IAM::Role", "worker"), ROLE_ANSWERS, {"Description": "", "MaxSessionDuration": None}
    )
    wanted = {"RoleName": "worker", "Description": "", "MaxSessionDuration": 3600}
    assert requests == [("UpdateRole", wanted)]


def test_a_policy_that_a_sibling_owns_is_not_put_though_the_record_lists_it() -> None:
    role = a_record("AWS::IAM::Role", "worker")
    owner = Record(
        logical_id="Owner",
        resource_type="AWS::IAM::Policy",
        physical_id="owned:worker",
        properties={**policy("owned", "s3:*"), "Roles": ["worker"]},
    )
    requests = sent(
        role,
        ROLE_ANSWERS,
        {"Policies": [policy("owned", "s3:GetObject"), policy("own", "sqs:*")]},
        siblings={"Subject": role, "Owner": owner},
    )
    assert [params["PolicyName"] for _, params in requests] == ["own"]


class TestUser:
    @pytest.fixture(autouse=True)
    def clerk(self, life: Life, iam: Any, managed: Callable[[str], str]) -> None:
        self.life, self.iam = life, iam
        self.bound, self.read, self.other = map(managed, ("bound", "read", "other"))
        iam.create_user(UserName="clerk", PermissionsBoundary=self.bound)
        for group in ("staff", "guests", "additions"):
            iam.create_group(GroupName=group)
        iam.add_user_to_group(UserName="clerk", GroupName="staff")
        iam.attach_user_policy(UserName="clerk", PolicyArn=self.read)
        self.put(policy("own", "s3:GetObject"))
        life.record("Clerk", "AWS::IAM::User", "clerk", {"UserName": "clerk"})

    def put(self, inline: dict[str, Any]) -> None:
        text = json.dumps(inline["PolicyDocument"])
        self.iam.put_user_policy(UserName="clerk", PolicyName=inline["PolicyName"], PolicyDocument=text)

    @pytest.mark.parametrize(
        ("edit", "path", "written"),
        [
            (
                lambda t: t.iam.attach_user_policy(UserName="clerk", PolicyArn=t.other),
                "ManagedPolicyArns",
                ["DetachUserPolicy"],
            ),
            (
                lambda t: t.iam.detach_user_policy(UserName="clerk", PolicyArn=t.read),
                "ManagedPolicyArns",
                ["AttachUserPolicy"],
            ),
            (
                lambda t: t.iam.add_user_to_group(UserName="clerk", GroupName="guests"),
                "Groups",
                ["RemoveUserFromGroup"],
            ),
            (
                lambda t: t.iam.remove_user_from_group(UserName="clerk", GroupName="staff"),
                "Groups",
                ["AddUserToGroup"],
            ),
            (lambda t: t.put(policy("own", "*")), "Policies", ["PutUserPolicy"]),
            (lambda t: t.put(policy("admin", "*")), "Policies", ["DeleteUserPolicy"]),
            (
                lambda t: t.iam.delete_user_policy(UserName="clerk", PolicyName="own"),
                "Policies",
                ["PutUserPolicy"],
            ),
        ],
    )
    def test_only_the_difference_is_sent(
        self, edit: Callable[[Any], object], path: str, written: list[str]
    ) -> None:
        self.life.goes_round("Clerk", lambda: edit(self), expect=[path])
        assert self.life.written() == written

    def test_a_membership_that_a_sibling_owns_stays(self) -> None:
        self.life.record(
            "Addition",
            "AWS::IAM::UserToGroupAddition",
            "addition",
            {"GroupName": "additions", "Users": ["clerk"]},
            observed=False,
        )
        self.iam.add_user_to_group(UserName="clerk", GroupName="additions")
        self.iam.add_user_to_group(UserName="clerk", GroupName="guests")
        self.life.forget_calls()
        self.life.revert()
        assert self.life.calls == [("RemoveUserFromGroup", {"UserName": "clerk", "GroupName": "guests"})]

    def test_a_path_is_refused(self) -> None:
        self.iam.update_user(UserName="clerk", NewPath="/moved/")
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED


BOUND, OTHER = (f"arn:aws:iam::123456789012:policy/{name}" for name in ("bound", "other"))


@pytest.mark.parametrize(
    ("live", "wanted", "expected"),
    [
        ("", BOUND, ("PutUserPermissionsBoundary", {"UserName": "clerk", "PermissionsBoundary": BOUND})),
        (OTHER, BOUND, ("PutUserPermissionsBoundary", {"UserName": "clerk", "PermissionsBoundary": BOUND})),
        (OTHER, "", ("DeleteUserPermissionsBoundary", {"UserName": "clerk"})),
    ],
    ids=["removed", "changed", "added"],
)
def test_the_boundary_of_a_user_goes_back(live: str, wanted: str, expected: tuple[str, Any]) -> None:
    boundary = {"PermissionsBoundary": {"PermissionsBoundaryArn": live}} if live else {}
    answers = {
        "GetUser": {"User": {"UserName": "clerk", "Path": "/", **boundary}},
        "ListAttachedUserPolicies": {"AttachedPolicies": []},
        "ListGroupsForUser": {"Groups": []},
        "ListUserPolicies": {"PolicyNames": []},
    }
    requests = sent(a_record("AWS::IAM::User", "clerk"), answers, {"PermissionsBoundary": wanted})
    assert requests == [expected]


class TestGroup:
    @pytest.fixture(autouse=True)
    def staff(self, life: Life, iam: Any, managed: Callable[[str], str]) -> None:
        self.life, self.iam = life, iam
        self.read, self.other = map(managed, ("read", "other"))
        iam.create_group(GroupName="staff")
        iam.attach_group_policy(GroupName="staff", PolicyArn=self.read)
        self.put(policy("own", "s3:GetObject"))
        life.record("Staff", "AWS::IAM::Group", "staff", {"GroupName": "staff"})

    def put(self, inline: dict[str, Any]) -> None:
        text = json.dumps(inline["PolicyDocument"])
        self.iam.put_group_policy(GroupName="staff", PolicyName=inline["PolicyName"], PolicyDocument=text)

    @pytest.mark.parametrize(
        ("edit", "path", "written"),
        [
            (
                lambda t: t.iam.attach_group_policy(GroupName="staff", PolicyArn=t.other),
                "ManagedPolicyArns",
                ["DetachGroupPolicy"],
            ),
            (
                lambda t: t.iam.detach_group_policy(GroupName="staff", PolicyArn=t.read),
                "ManagedPolicyArns",
                ["AttachGroupPolicy"],
            ),
            (lambda t: t.put(policy("own", "*")), "Policies", ["PutGroupPolicy"]),
            (lambda t: t.put(policy("admin", "*")), "Policies", ["DeleteGroupPolicy"]),
            (
                lambda t: t.iam.delete_group_policy(GroupName="staff", PolicyName="own"),
                "Policies",
                ["PutGroupPolicy"],
            ),
        ],
    )
    def test_only_the_difference_is_sent(
        self, edit: Callable[[Any], object], path: str, written: list[str]
    ) -> None:
        self.life.goes_round("Staff", lambda: edit(self), expect=[path])
        assert self.life.written() == written
