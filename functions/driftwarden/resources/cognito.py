"""Amazon Cognito."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import dig
from driftwarden.convert import non_empty, tag_map
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, Write, becomes

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update


def _enabled_factors(answer: dict[str, Any]) -> list[str]:
    """GetUserPoolMfaConfig holds a block per second factor; only the one for software tokens can be off."""
    factors = {
        "SMS_MFA": "SmsMfaConfiguration" in answer,
        "SOFTWARE_TOKEN_MFA": dig(answer, "SoftwareTokenMfaConfiguration.Enabled") is True,
        "EMAIL_OTP": "EmailMfaConfiguration" in answer,
    }
    return [name for name, enabled in factors.items() if enabled]


_PROPERTIES: Final = (
    "AutoVerifiedAttributes",
    "Policies",
    "LambdaConfig",
    "AdminCreateUserConfig",
    "AccountRecoverySetting",
    "UserAttributeUpdateSettings",
    "EmailConfiguration",
    "SmsConfiguration",
    "VerificationMessageTemplate",
    "DeviceConfiguration",
    "UserPoolAddOns",
    "DeletionProtection",
    "UserPoolTier",
    "EmailVerificationMessage",
    "EmailVerificationSubject",
    "SmsAuthenticationMessage",
    "SmsVerificationMessage",
    "UserPoolName",
)
_KEPT: Final = (
    "AcrConfiguration",
    "DcrConfiguration",
    "IssuerConfiguration",
    "KeyConfiguration",
    "MfaConfiguration",
)
"""What an update has to repeat besides the properties that it writes."""

_MFA_PROPERTIES: Final = (
    "MfaConfiguration",
    "EnabledMfas",
    "EmailAuthenticationMessage",
    "EmailAuthenticationSubject",
    "WebAuthnRelyingPartyID",
    "WebAuthnUserVerification",
)
_TEXTS: Final = {
    "EmailVerificationMessage": "EmailMessage",
    "EmailVerificationSubject": "EmailSubject",
    "SmsVerificationMessage": "SmsMessage",
}
"""Older members, and what holds the same text in the template of verification messages."""


def _check_factors(update: Update) -> None:
    """Before anything is sent: what Cognito would refuse after the first of the two calls."""
    mode = update.desired.get("MfaConfiguration") or "OFF"
    if mode == "OFF" and update.desired.get("EnabledMfas") and update.drifted & {*_MFA_PROPERTIES}:
        raise UpdateFailed("second factors cannot be set while multi-factor authentication is off")
    first = update.wanted("Policies.SignInPolicy.AllowedFirstAuthFactors")
    if mode == "ON" and first is not ABSENT and {"EMAIL_OTP", "SMS_OTP"} & set(first):
        raise UpdateFailed("one-time passwords cannot be a first factor where a second one is required")


def _update_pool(update: Update) -> None:
    """UpdateUserPool resets what is left out, so all that it knows is sent, the undrifted as it is live."""
    request = {name: update.get(f"main.{name}") for name in (*_PROPERTIES, *_KEPT)}
    request["PoolName"] = update.desired.get("UserPoolName", ABSENT)
    request["UserPoolTags"] = tag_map(update.get("main.UserPoolTags", {}))
    request |= {name: update.wanted(name) for name in _PROPERTIES if name in update.drifted}
    del request["UserPoolName"]
    _keep_sender_key(update, request)
    _agree_on_texts(update, request)
    _choose_expiry(update, request)
    stated = {name: value for name, value in request.items() if value not in (ABSENT, "", [], {})}
    update.call("UpdateUserPool", {"UserPoolId": update.id, **stated})


def _keep_sender_key(update: Update, request: dict[str, Any]) -> None:
    """Custom senders can only read codes by the key that they are encrypted with."""
    triggers, key = request.get("LambdaConfig"), update.get("main.LambdaConfig.KMSKeyID")
    if not isinstance(triggers, Mapping) or key is ABSENT or "KMSKeyID" in triggers:
        return
    if {"CustomSMSSender", "CustomEmailSender"} & triggers.keys():
        request["LambdaConfig"] = {**triggers, "KMSKeyID": key}


def _agree_on_texts(update: Update, request: dict[str, Any]) -> None:
    """A text that is held twice goes as it was recorded, whichever of the two was."""
    template = request.get("VerificationMessageTemplate")
    held: dict[str, Any] = dict(template) if isinstance(template, Mapping) else {}
    for older, newer in _TEXTS.items():
        if older in update.drifted and "VerificationMessageTemplate" not in update.drifted:
            held[newer] = request[older]
        elif older not in update.drifted and "VerificationMessageTemplate" in update.drifted:
            request[older] = held.get(newer, ABSENT)
    request["VerificationMessageTemplate"] = {
        name: value for name, value in held.items() if value not in (ABSENT, "")
    }


def _choose_expiry(update: Update, request: dict[str, Any]) -> None:
    """Cognito answers the same number of days twice, and takes it once: as part of the password policy."""
    found, policy = request.get("AdminCreateUserConfig"), dig(request, "Policies.PasswordPolicy")
    if not isinstance(found, Mapping) or not isinstance(policy, Mapping):
        return
    if "TemporaryPasswordValidityDays" not in policy or "UnusedAccountValidityDays" not in found:
        return
    users = dict(found)
    days = users.pop("UnusedAccountValidityDays")
    request["AdminCreateUserConfig"] = users
    if "AdminCreateUserConfig" in update.drifted and "Policies" not in update.drifted:
        password = {**policy, "TemporaryPasswordValidityDays": days}
        request["Policies"] = {**request["Policies"], "PasswordPolicy": password}


def _set_mfa(update: Update) -> None:
    """SetUserPoolMfaConfig too resets what is left out: it starts from what the pool has."""
    factors = update.desired.get("EnabledMfas") or []
    request: dict[str, Any] = {
        "UserPoolId": update.id,
        "MfaConfiguration": update.desired.get("MfaConfiguration") or "OFF",
        "WebAuthnConfiguration": _web_authn(update),
        "SmsMfaConfiguration": _sms(update) if "SMS_MFA" in factors else ABSENT,
        "EmailMfaConfiguration": _email(update) if "EMAIL_OTP" in factors else ABSENT,
    }
    if request["MfaConfiguration"] != "OFF":
        request["SoftwareTokenMfaConfiguration"] = {"Enabled": "SOFTWARE_TOKEN_MFA" in factors}
    update.call("SetUserPoolMfaConfig", {k: v for k, v in request.items() if v not in (ABSENT, {})})


def _sms(update: Update) -> dict[str, Any]:
    texts = {"SmsAuthenticationMessage": update.desired.get("SmsAuthenticationMessage")}
    sender = {"SmsConfiguration": update.desired.get("SmsConfiguration")}
    stated = {name: value for name, value in {**texts, **sender}.items() if value}
    return {**update.get("mfa.SmsMfaConfiguration", {}), **stated}


def _email(update: Update) -> dict[str, Any]:
    members = {"Message": "EmailAuthenticationMessage", "Subject": "EmailAuthenticationSubject"}
    return {name: update.desired[source] for name, source in members.items() if update.desired.get(source)}


def _web_authn(update: Update) -> dict[str, Any]:
    members = {"RelyingPartyId": "WebAuthnRelyingPartyID", "UserVerification": "WebAuthnUserVerification"}
    stated = {name: update.desired[source] for name, source in members.items() if update.desired.get(source)}
    kept = {k: v for k, v in update.get("mfa.WebAuthnConfiguration", {}).items() if k not in members}
    return {**kept, **stated}


USER_POOL = ResourceType(
    name="AWS::Cognito::UserPool",
    service="cognito-idp",
    gone=("ResourceNotFoundException",),
    calls=(
        Call("DescribeUserPool", {"UserPoolId": "{id}"}, at="UserPool"),
        Call(
            "GetUserPoolMfaConfig",
            {"UserPoolId": "{id}"},
            into="mfa",
            absent=("ResourceNotFoundException",),
        ),
    ),
    same=(
        "AutoVerifiedAttributes",
        "UsernameAttributes",
        "AliasAttributes",
        "Policies",
        "LambdaConfig",
        "AdminCreateUserConfig",
        "AccountRecoverySetting",
        "UserAttributeUpdateSettings",
        "EmailConfiguration",
        "SmsConfiguration",
        "VerificationMessageTemplate",
        "UsernameConfiguration",
        "DeviceConfiguration",
        "UserPoolAddOns",
        "MfaConfiguration",
        "DeletionProtection",
        "UserPoolTier",
        "EmailVerificationMessage",
        "EmailVerificationSubject",
        "SmsAuthenticationMessage",
        "SmsVerificationMessage",
    ),
    fields={
        "UserPoolName": "main.Name",
        "Schema": From("main.SchemaAttributes", non_empty()),
        "UserPoolTags": From("main.UserPoolTags", tag_map, default={}),
        "EnabledMfas": From("mfa", _enabled_factors),
        "EmailAuthenticationMessage": From("mfa.EmailMfaConfiguration.Message", default=""),
        "EmailAuthenticationSubject": From("mfa.EmailMfaConfiguration.Subject", default=""),
        "WebAuthnRelyingPartyID": From("mfa.WebAuthnConfiguration.RelyingPartyId", default=""),
        "WebAuthnUserVerification": From("mfa.WebAuthnConfiguration.UserVerification", default=""),
    },
    placeholders={
        "AutoVerifiedAttributes": [],
        "UsernameAttributes": [],
        "AliasAttributes": [],
        "Policies": {},
        "LambdaConfig": {},
        "AdminCreateUserConfig": {},
        "AccountRecoverySetting": {},
        "UserAttributeUpdateSettings": {},
        "EmailConfiguration": {},
        "SmsConfiguration": {},
        "VerificationMessageTemplate": {},
        "UsernameConfiguration": {},
        "DeviceConfiguration": {},
        "UserPoolAddOns": {},
        "MfaConfiguration": "OFF",
        "DeletionProtection": "INACTIVE",
        "UserPoolTier": "ESSENTIALS",
        "EmailVerificationMessage": "",
        "EmailVerificationSubject": "",
        "SmsAuthenticationMessage": "",
        "SmsVerificationMessage": "",
    },
    compared=TypeFacts(
        kinds={"Schema": Kind.AT_LEAST, "Schema.*.Name": Kind.CUSTOM_NAME},
        defaults={"MfaConfiguration": "OFF"},
        never_read_back=("AdminCreateUserConfig.UnusedAccountValidityDays",),
    ),
    writes=(
        By(_check_factors, (*_MFA_PROPERTIES, "Policies"), ()),
        By(_update_pool, _PROPERTIES, (Write("UpdateUserPool"),)),
        By(_set_mfa, _MFA_PROPERTIES, (Write("SetUserPoolMfaConfig"),)),
        Tags("TagResource", "UntagResource", {"ResourceArn": "{main.Arn}"}, pairs=tag_map, of="UserPoolTags"),
    ),
    refuses={"Schema": "attributes of users cannot be changed or taken away"},
    warns={
        "DeletionProtection": Caution("the user pool can be deleted again", becomes("INACTIVE")),
        "MfaConfiguration": Caution("users sign in without a second factor", becomes("OFF", "OPTIONAL")),
        "LambdaConfig": "other functions than now run when users sign up and in",
        "EmailConfiguration": "messages to users have another sender",
        "SmsConfiguration": "messages to users have another sender",
        "Policies": "other passwords and factors than now are asked for",
    },
)

TYPES = (USER_POOL,)

FACTS = {
    "AWS::Cognito::UserPoolResourceServer": TypeFacts(kinds={"Scopes": Kind.SET}),
    "AWS::Cognito::IdentityPool": TypeFacts(
        kinds={"CognitoIdentityProviders": Kind.SET, "OpenIdConnectProviderARNs": Kind.SET}
    ),
}
