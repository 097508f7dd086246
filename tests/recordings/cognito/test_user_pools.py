"""Cognito user pools."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ID = "eu-central-1_AbCdEfGhI"
POOL = "AWS::Cognito::UserPool"


@pytest.fixture
def pool(answers: Any) -> Any:
    answers["cognito-idp:DescribeUserPool"] = {"UserPool": {"Id": ID, "Name": "customers"}}
    answers["cognito-idp:GetUserPoolMfaConfig"] = {}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_plain_pool_has_the_defaults_of_the_service(pool: Any, read: Any) -> None:
    found = properties(read(POOL, ID))
    configured = {name: value for name, value in found.items() if value not in ("", [], {})}
    assert configured == {
        "UserPoolName": "customers",
        "MfaConfiguration": "OFF",
        "DeletionProtection": "INACTIVE",
        "UserPoolTier": "ESSENTIALS",
    }
    assert found["EnabledMfas"] == []
    assert found["UserPoolTags"] == {}
    assert "Schema" not in found


def test_renamed_members_and_tags(pool: Any, read: Any) -> None:
    schema = [{"Name": "email", "Required": True, "AttributeDataType": "String"}]
    pool["cognito-idp:DescribeUserPool"]["UserPool"].update(
        SchemaAttributes=schema, UserPoolTags={"team": "web", "aws:x": "y"}
    )
    found = properties(read(POOL, ID))
    assert found["Schema"] == schema
    assert found["UserPoolTags"] == {"team": "web"}


def test_second_factors_are_listed_in_a_fixed_order(pool: Any, read: Any) -> None:
    pool["cognito-idp:GetUserPoolMfaConfig"] = {
        "EmailMfaConfiguration": {"Message": "code", "Subject": "hello"},
        "SoftwareTokenMfaConfiguration": {"Enabled": True},
        "SmsMfaConfiguration": {},
        "WebAuthnConfiguration": {"RelyingPartyId": "example.com", "UserVerification": "required"},
    }
    found = properties(read(POOL, ID))
    assert found["EnabledMfas"] == ["SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP"]
    assert found["EmailAuthenticationMessage"] == "code"
    assert found["EmailAuthenticationSubject"] == "hello"
    assert found["WebAuthnRelyingPartyID"] == "example.com"
    assert found["WebAuthnUserVerification"] == "required"


def test_software_tokens_that_are_off_are_no_factor(pool: Any, read: Any) -> None:
    pool["cognito-idp:GetUserPoolMfaConfig"] = {"SoftwareTokenMfaConfiguration": {"Enabled": False}}
    assert properties(read(POOL, ID))["EnabledMfas"] == []


def test_a_missing_pool_is_gone(answers: Any, read: Any) -> None:
    answers.fails("cognito-idp:DescribeUserPool", "ResourceNotFoundException")
    assert read(POOL, ID) == Gone()


@pytest.mark.parametrize("operation", ["DescribeUserPool", "GetUserPoolMfaConfig"])
@pytest.mark.parametrize("code", ["AccessDeniedException", "NotAuthorizedException"])
def test_a_denied_call_leaves_the_pool_unreadable(pool: Any, read: Any, operation: str, code: str) -> None:
    pool.fails(f"cognito-idp:{operation}", code)
    result = read(POOL, ID)
    assert isinstance(result, Unreadable)
    assert result.operation == f"cognito-idp:{operation}"


def test_a_throttled_mfa_call_is_no_mfa_switched_off(pool: Any, read: Any) -> None:
    pool.fails("cognito-idp:GetUserPoolMfaConfig", "TooManyRequestsException")
    assert isinstance(read(POOL, ID), Unreadable)
