"""IAM policies, instance profiles and access keys: what is shared with others is never taken from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.remedy.steps import Kind
from driftwarden.remedy.writes import push
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import REGION, Life
from tests.lifecycle.requests import a_record, failure, update_of
from tests.lifecycle.test_iam import TRUST, document


@pytest.fixture
def iam(life: Life) -> Any:
    life.settings = ScanSettings(undeclared="drift")
    client = boto3.client("iam", region_name=REGION)
    for name in ("one", "two", "three"):
        client.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(TRUST))
    return client


class TestInlinePolicy:
    @pytest.fixture(autouse=True)
    def access(self, life: Life, iam: Any) -> None:
        self.life, self.iam = life, iam
        self.recorded = {
            "PolicyName": "access",
            "PolicyDocument": document("s3:GetObject"),
            "Roles": ["one", "two"],
        }
        for role in ("one", "two"):
            self.put(role, "s3:GetObject")
        life.record("Access", "AWS::IAM::Policy", "access:one", self.recorded)

    def put(self, role: str, *actions: str) -> None:
        text = json.dumps(document(*actions))
        self.iam.put_role_policy(RoleName=role, PolicyName="access", PolicyDocument=text)

    def test_a_document_goes_back_only_where_it_differs(self) -> None:
        self.life.goes_round("Access", lambda: self.put("two", "s3:*"), expect=["PolicyDocument.Statement"])
        assert [(name, params["RoleName"]) for name, params in self.life.calls] == [("PutRolePolicy", "two")]

    def test_a_principal_that_lost_the_policy_gets_it_back(self) -> None:
        self.life.goes_round(
            "Access",
            lambda: self.iam.delete_role_policy(RoleName="two", PolicyName="access"),
            expect=["Roles"],
        )
        assert [(name, params["RoleName"]) for name, params in self.life.calls] == [("PutRolePolicy", "two")]

    def test_an_empty_document_is_never_put(self) -> None:
        observed = {**self.life.read("Access"), "PolicyDocument": {}}
        self.life.record(
            "Access", "AWS::IAM::Policy", "access:one", self.recorded, observedProperties=observed
        )
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
        assert self.life.plan().steps == ()

    def test_another_name_is_refused(self) -> None:
        observed = {**self.life.read("Access"), "PolicyName": "other"}
        self.life.record(
            "Access", "AWS::IAM::Policy", "access:one", self.recorded, observedProperties=observed
        )
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED


class TestManagedPolicy:
    @pytest.fixture(autouse=True)
    def shared(self, life: Life, iam: Any) -> None:
        self.life, self.iam = life, iam
        self.arn = iam.create_policy(
            PolicyName="shared",
            PolicyDocument=json.dumps(document("s3:GetObject")),
            Tags=[{"Key": "team", "Value": "shop"}],
        )["Policy"]["Arn"]
        iam.attach_role_policy(RoleName="one", PolicyArn=self.arn)
        iam.create_user(UserName="clerk")
        iam.create_group(GroupName="staff")
        life.record(
            "Shared", "AWS::IAM::ManagedPolicy", self.arn, {"ManagedPolicyName": "shared", "Roles": ["one"]}
        )

    def new_version(self, *actions: str) -> None:
        self.iam.create_policy_version(
            PolicyArn=self.arn, PolicyDocument=json.dumps(document(*actions)), SetAsDefault=True
        )

    def test_a_document_goes_back_as_a_new_version(self) -> None:
        self.life.goes_round("Shared", lambda: self.new_version("s3:*"), expect=["PolicyDocument.Statement"])
        assert self.life.written() == ["CreatePolicyVersion"]

    def test_with_five_versions_the_oldest_that_is_not_in_force_goes_first(self) -> None:
        for number in range(3):
            self.new_version(f"s3:Get{number}")
        self.iam.set_default_policy_version(PolicyArn=self.arn, VersionId="v1")
        self.life.goes_round("Shared", lambda: self.new_version("s3:*"), expect=["PolicyDocument.Statement"])
        assert self.life.written() == ["DeletePolicyVersion", "CreatePolicyVersion"]
        assert self.life.calls[0][1]["VersionId"] == "v1"

    def test_a_version_in_force_is_not_deleted_however_old_it_is(self) -> None:
        for number in range(4):
            self.new_version(f"s3:Get{number}")
        self.life.record("Shared", "AWS::IAM::ManagedPolicy", self.arn, {"Roles": ["one"]})
        self.life.goes_round(
            "Shared",
            lambda: self.iam.set_default_policy_version(PolicyArn=self.arn, VersionId="v1"),
            expect=["PolicyDocument.Statement"],
        )
        assert self.life.calls[0] == ("DeletePolicyVersion", {"PolicyArn": self.arn, "VersionId": "v2"})

    def test_a_recorded_role_that_lost_the_policy_gets_it_back(self) -> None:
        self.life.goes_round(
            "Shared",
            lambda: self.iam.detach_role_policy(RoleName="one", PolicyArn=self.arn),
            expect=["Roles"],
        )
        assert self.life.calls == [("AttachRolePolicy", {"RoleName": "one", "PolicyArn": self.arn})]

    @pytest.mark.parametrize(
        "attach",
        [
            lambda t: t.iam.attach_role_policy(RoleName="three", PolicyArn=t.arn),
            lambda t: t.iam.attach_user_policy(UserName="clerk", PolicyArn=t.arn),
            lambda t: t.iam.attach_group_policy(GroupName="staff", PolicyArn=t.arn),
        ],
        ids=["role", "user", "group"],
    )
    def test_what_others_attached_is_never_detached(self, attach: Callable[[Any], object]) -> None:
        attach(self)
        self.new_version("s3:*")
        self.life.forget_calls()
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.REFUSED
        assert "whoever attached it would lose permissions" in refusal.reason
        assert self.life.revert() == []
        assert self.life.calls == []

    @pytest.mark.parametrize(
        ("tags", "removed", "written"),
        [
            ({"new": "1"}, [], ["UntagPolicy"]),
            ({"team": "other"}, [], ["TagPolicy"]),
            ({}, ["team"], ["TagPolicy"]),
        ],
        ids=["added", "changed", "removed"],
    )
    def test_of_tags_only_the_difference_is_sent(
        self, tags: dict[str, str], removed: list[str], written: list[str]
    ) -> None:
        def edit() -> None:
            pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
            self.iam.tag_policy(PolicyArn=self.arn, Tags=pairs)
            if removed:
                self.iam.untag_policy(PolicyArn=self.arn, TagKeys=removed)

        self.life.goes_round("Shared", edit, expect=["Tags"])
        assert self.life.written() == written

    @pytest.mark.parametrize(("name", "value"), [("Description", "other"), ("Path", "/other/")])
    def test_what_only_a_replacement_can_change_is_refused(self, name: str, value: str) -> None:
        observed = {**self.life.read("Shared"), name: value}
        self.life.record(
            "Shared", "AWS::IAM::ManagedPolicy", self.arn, {"Roles": ["one"]}, observedProperties=observed
        )
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.UPDATE_NOT_SUPPORTED
        assert self.life.plan().steps == ()


class TestInstanceProfile:
    @pytest.fixture(autouse=True)
    def profile(self, life: Life, iam: Any) -> None:
        self.life, self.iam = life, iam
        iam.create_instance_profile(InstanceProfileName="web")
        iam.add_role_to_instance_profile(InstanceProfileName="web", RoleName="one")
        life.record("Web", "AWS::IAM::InstanceProfile", "web", {"Roles": ["one"]})

    def test_another_role_leaves_before_the_recorded_one_comes(self) -> None:
        def edit() -> None:
            self.iam.remove_role_from_instance_profile(InstanceProfileName="web", RoleName="one")
            self.iam.add_role_to_instance_profile(InstanceProfileName="web", RoleName="two")

        self.life.goes_round("Web", edit, expect=["Roles"])
        assert [(name, params["RoleName"]) for name, params in self.life.calls] == [
            ("RemoveRoleFromInstanceProfile", "two"),
            ("AddRoleToInstanceProfile", "one"),
        ]

    def test_a_role_that_was_removed_comes_back(self) -> None:
        self.life.goes_round(
            "Web",
            lambda: self.iam.remove_role_from_instance_profile(InstanceProfileName="web", RoleName="one"),
            expect=["Roles"],
        )
        assert self.life.written() == ["AddRoleToInstanceProfile"]


PROFILE_ANSWERS = {
    "GetInstanceProfile": {
        "InstanceProfile": {"InstanceProfileName": "web", "Path": "/", "Roles": [{"RoleName": "two"}]}
    }
}


def test_an_instance_profile_keeps_its_role_when_the_recorded_one_is_gone() -> None:
    answers = {**PROFILE_ANSWERS, "GetRole": failure("NoSuchEntity", "GetRole")}
    record = a_record("AWS::IAM::InstanceProfile", "web")
    with update_of(record, answers, {"Roles": ["one"]}) as (update, requests):
        with pytest.raises(UpdateFailed, match="does not exist any more"):
            push(update)
        assert requests == []


def test_an_instance_profile_gets_its_role_back_when_the_recorded_one_is_refused() -> None:
    refused: list[Any] = [failure("AccessDenied", "AddRoleToInstanceProfile"), {}]
    answers = {**PROFILE_ANSWERS, "AddRoleToInstanceProfile": refused}
    record = a_record("AWS::IAM::InstanceProfile", "web")
    with update_of(record, answers, {"Roles": ["one"]}) as (update, requests):
        with pytest.raises(UpdateFailed, match="AccessDenied"):
            push(update)
        assert [(name, params["RoleName"]) for name, params in requests] == [
            ("RemoveRoleFromInstanceProfile", "two"),
            ("AddRoleToInstanceProfile", "one"),
            ("AddRoleToInstanceProfile", "two"),
        ]


class TestAccessKey:
    @pytest.fixture(autouse=True)
    def key(self, life: Life, iam: Any) -> None:
        self.life, self.iam = life, iam
        iam.create_user(UserName="robot")
        self.id = iam.create_access_key(UserName="robot")["AccessKey"]["AccessKeyId"]

    def set_status(self, status: str) -> None:
        self.iam.update_access_key(UserName="robot", AccessKeyId=self.id, Status=status)

    def test_a_key_that_was_switched_off_is_never_switched_on_again(self) -> None:
        self.life.record("Key", "AWS::IAM::AccessKey", self.id, {"UserName": "robot", "Status": "Active"})
        self.set_status("Inactive")
        self.life.forget_calls()
        (refusal,) = self.life.plan().refusals
        assert refusal.kind is Kind.REFUSED
        assert self.life.revert() == []
        assert self.life.calls == []

    def test_a_key_that_was_switched_on_is_switched_off(self) -> None:
        self.set_status("Inactive")
        self.life.record("Key", "AWS::IAM::AccessKey", self.id, {"UserName": "robot", "Status": "Inactive"})
        self.life.goes_round("Key", lambda: self.set_status("Active"), expect=["Status"])
        assert self.life.calls == [
            ("UpdateAccessKey", {"UserName": "robot", "AccessKeyId": self.id, "Status": "Inactive"})
        ]
