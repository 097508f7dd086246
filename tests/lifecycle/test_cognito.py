"""User pools: what an update would reset is sent as it is, and what cannot change stops it before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from moto.backends import get_backend

from driftwarden.remedy.steps import Kind
from driftwarden.resources.cognito import _KEPT, _PROPERTIES
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.gaps import fill
from tests.lifecycle.requests import a_record, sent, stopped
from tests.registry.service_models import operation_model

TRIGGER = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:welcome"
MEMBERS: dict[str, Any] = {
    "PoolName": "shoppers",
    "LambdaConfig": {"PostConfirmation": TRIGGER},
    "EmailConfiguration": {
        "EmailSendingAccount": "DEVELOPER",
        "SourceArn": f"arn:aws:ses:{REGION}:{ACCOUNT}:identity/x",
    },
    "Policies": {"PasswordPolicy": {"MinimumLength": 14, "TemporaryPasswordValidityDays": 3}},
    "DeletionProtection": "ACTIVE",
    "AutoVerifiedAttributes": ["email"],
    "UserPoolTags": {"team": "shop", "cost": "7"},
}


def _with_days(params: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """Cognito answers the validity of temporary passwords a second time, where it used to be set."""
    pool = answer["UserPool"]
    days = pool["Policies"]["PasswordPolicy"]["TemporaryPasswordValidityDays"]
    users = {**pool["AdminCreateUserConfig"], "UnusedAccountValidityDays": days}
    return {"UserPool": {**pool, "AdminCreateUserConfig": users}}


class Pool:
    """The user pool under test."""

    def __init__(self, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
        self.life = life
        fill(
            life,
            monkeypatch,
            {
                "TagResource": lambda p: self.tags.update(p["Tags"]),
                "UntagResource": lambda p: [self.tags.pop(key) for key in p["TagKeys"]] and None,
            },
            amended={"DescribeUserPool": _with_days},
        )
        self.cognito = life.client("cognito-idp")
        self.id = str(self.cognito.create_user_pool(**MEMBERS)["UserPool"]["Id"])
        life.record("Pool", "AWS::Cognito::UserPool", self.id, {"UserPoolName": "shoppers"})

    @property
    def tags(self) -> dict[str, str]:
        pool = get_backend("cognito-idp")[ACCOUNT][REGION].user_pools[self.id]
        return pool.extended_config["UserPoolTags"]  # type: ignore[no-any-return]

    def update(self, **members: Any) -> None:
        now = {name: value for name, value in MEMBERS.items() if name != "PoolName"}
        self.cognito.update_user_pool(UserPoolId=self.id, **{**now, **members})

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Pool", edit, expect=expect)


@pytest.fixture
def pool(life: Life, monkeypatch: pytest.MonkeyPatch) -> Pool:
    life.settings = ScanSettings(undeclared="drift")
    return Pool(life, monkeypatch)


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"DeletionProtection": "INACTIVE"}, "DeletionProtection"),
        ({"LambdaConfig": {"PostConfirmation": f"{TRIGGER}-x"}}, "LambdaConfig.PostConfirmation"),
        ({"LambdaConfig": {}}, "LambdaConfig.PostConfirmation"),
        ({"AutoVerifiedAttributes": ["email", "phone_number"]}, "AutoVerifiedAttributes"),
        (
            {"Policies": {"PasswordPolicy": {"MinimumLength": 6, "TemporaryPasswordValidityDays": 3}}},
            "Policies.PasswordPolicy.MinimumLength",
        ),
        ({"EmailVerificationSubject": "by hand"}, "EmailVerificationSubject"),
    ],
)
def test_one_change_goes_back_and_nothing_else_is_reset(
    pool: Pool, edited: dict[str, Any], expect: str
) -> None:
    ((operation, params),) = pool.goes_round(lambda: pool.update(**edited), expect)
    assert operation == "UpdateUserPool"
    assert params["LambdaConfig"] == MEMBERS["LambdaConfig"]
    assert params["EmailConfiguration"] == MEMBERS["EmailConfiguration"]
    assert params["DeletionProtection"] == "ACTIVE"
    assert params["UserPoolTags"] == MEMBERS["UserPoolTags"]


@pytest.mark.parametrize(
    ("edit", "drifted", "written"),
    [
        (lambda tags: tags.update(x="1"), "UserPoolTags.x", "UntagResource"),
        (lambda tags: tags.update(team="x"), "UserPoolTags.team", "TagResource"),
        (lambda tags: tags.pop("cost"), "UserPoolTags.cost", "TagResource"),
    ],
    ids=["added", "changed", "removed"],
)
def test_tags_go_back_by_tag_calls_alone(
    pool: Pool, edit: Callable[[dict[str, str]], object], drifted: str, written: str
) -> None:
    assert [name for name, _ in pool.goes_round(lambda: edit(pool.tags), drifted)] == [written]


def test_a_schema_that_drifted_stops_everything_before_the_first_call(pool: Pool) -> None:
    pool.cognito.add_custom_attributes(
        UserPoolId=pool.id, CustomAttributes=[{"Name": "plan", "AttributeDataType": "String"}]
    )
    pool.update(DeletionProtection="INACTIVE")
    assert [refusal.kind for refusal in pool.life.plan().refusals] == [Kind.REFUSED]
    pool.life.forget_calls()
    pool.life.revert()
    assert pool.life.calls == []


def test_the_loss_of_deletion_protection_is_warned_of(pool: Pool) -> None:
    observed = {**pool.life.read("Pool"), "DeletionProtection": "INACTIVE"}
    pool.life.record("Pool", "AWS::Cognito::UserPool", pool.id, observedProperties=observed)
    (step,) = pool.life.plan().steps
    assert any("can be deleted again" in text for text in step.warnings)


RECORD = a_record("AWS::Cognito::UserPool", "us-east-1_1")


def described(mfa: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    pool = {"Id": "us-east-1_1", "Name": "shoppers", "MfaConfiguration": "OPTIONAL", **members}
    return {
        "DescribeUserPool": {"UserPool": pool},
        "GetUserPoolMfaConfig": mfa or {"MfaConfiguration": pool["MfaConfiguration"]},
    }


def test_all_that_an_update_knows_is_repeated() -> None:
    known = set(operation_model("cognito-idp", "UpdateUserPool").input_shape.members)
    apart = {"UserPoolId", "PoolName", "UserPoolTags"}
    assert {*_PROPERTIES, *_KEPT} - {"UserPoolName"} == known - apart


def test_multi_factor_authentication_is_not_reset_by_another_change() -> None:
    ((_, params),) = sent(RECORD, described(), {"DeletionProtection": "ACTIVE"})
    assert params["MfaConfiguration"] == "OPTIONAL"


def test_a_number_of_days_that_is_answered_twice_is_sent_once() -> None:
    now = described(
        Policies={"PasswordPolicy": {"TemporaryPasswordValidityDays": 7}},
        AdminCreateUserConfig={"AllowAdminCreateUserOnly": True, "UnusedAccountValidityDays": 7},
    )
    ((_, params),) = sent(RECORD, now, {"DeletionProtection": "ACTIVE"})
    assert params["AdminCreateUserConfig"] == {"AllowAdminCreateUserOnly": True}
    assert params["Policies"] == {"PasswordPolicy": {"TemporaryPasswordValidityDays": 7}}
    ((_, params),) = sent(RECORD, now, {"AdminCreateUserConfig": {"UnusedAccountValidityDays": 3}})
    assert params["Policies"] == {"PasswordPolicy": {"TemporaryPasswordValidityDays": 3}}


def test_the_key_of_custom_senders_is_kept() -> None:
    sender = {"LambdaVersion": "V1_0", "LambdaArn": TRIGGER}
    key = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/k1"
    now = described(LambdaConfig={"CustomSMSSender": sender, "KMSKeyID": key})
    ((_, params),) = sent(RECORD, now, {"LambdaConfig": {"CustomEmailSender": sender}})
    assert params["LambdaConfig"] == {"CustomEmailSender": sender, "KMSKeyID": key}


def test_a_text_that_is_held_twice_goes_as_it_was_recorded() -> None:
    now = described(
        EmailVerificationMessage="by hand {####}",
        VerificationMessageTemplate={
            "EmailMessage": "by hand {####}",
            "DefaultEmailOption": "CONFIRM_WITH_CODE",
        },
    )
    template = {"EmailMessage": "as recorded {####}", "DefaultEmailOption": "CONFIRM_WITH_CODE"}
    ((_, by_template),) = sent(RECORD, now, {"VerificationMessageTemplate": template})
    assert by_template["EmailVerificationMessage"] == "as recorded {####}"
    ((_, by_text),) = sent(RECORD, now, {"EmailVerificationMessage": "as recorded {####}"})
    assert by_text["VerificationMessageTemplate"] == template


SMS = {"SmsConfiguration": {"SnsCallerArn": f"arn:aws:iam::{ACCOUNT}:role/sms"}}


def test_second_factors_go_back_by_their_own_call_that_keeps_the_rest() -> None:
    web = {"RelyingPartyId": "shop.example", "UserVerification": "preferred"}
    now = described({"SmsMfaConfiguration": SMS, "WebAuthnConfiguration": web}, MfaConfiguration="OPTIONAL")
    requests = sent(RECORD, now, {"EnabledMfas": ["SMS_MFA", "SOFTWARE_TOKEN_MFA"]})
    assert requests == [
        (
            "SetUserPoolMfaConfig",
            {
                "UserPoolId": "us-east-1_1",
                "MfaConfiguration": "OPTIONAL",
                "SmsMfaConfiguration": SMS,
                "SoftwareTokenMfaConfiguration": {"Enabled": True},
                "WebAuthnConfiguration": web,
            },
        )
    ]


def test_a_second_factor_is_required_again_after_everything_else() -> None:
    now = described({"SoftwareTokenMfaConfiguration": {"Enabled": True}})
    requests = sent(RECORD, now, {"MfaConfiguration": "ON", "DeletionProtection": "ACTIVE"})
    assert [(name, params["MfaConfiguration"]) for name, params in requests] == [
        ("UpdateUserPool", "OPTIONAL"),
        ("SetUserPoolMfaConfig", "ON"),
    ]


@pytest.mark.parametrize(
    ("wanted", "because"),
    [
        (
            {"MfaConfiguration": "ON", "DeletionProtection": "ACTIVE"},
            "one-time passwords cannot be a first factor",
        ),
        ({"MfaConfiguration": "OFF", "DeletionProtection": "ACTIVE"}, "second factors cannot be set"),
    ],
)
def test_factors_that_exclude_each_other_stop_everything_before_the_first_call(
    wanted: dict[str, Any], because: str
) -> None:
    now = described(
        {"SoftwareTokenMfaConfiguration": {"Enabled": True}},
        Policies={"SignInPolicy": {"AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP"]}},
    )
    assert stopped(RECORD, now, wanted, because=because) == []
