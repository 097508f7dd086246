"""IAM, KMS, Cognito, Secrets Manager."""

from __future__ import annotations

from driftwarden.compare.facts.vocabulary import Keyed, Kind, Rule, TypeFacts

INLINE: dict[str, Rule] = {"Policies": Keyed(("PolicyName",)), "ManagedPolicyArns": Kind.SET}

FACTS = {
    "AWS::IAM::Role": TypeFacts(
        kinds=INLINE,
        defaults={"Path": "/", "MaxSessionDuration": 3600},
        users_own=(*INLINE, "Description", "PermissionsBoundary"),
    ),
    "AWS::IAM::User": TypeFacts(
        kinds={**INLINE, "Groups": Kind.SET}, defaults={"Path": "/"}, users_own=(*INLINE, "Groups")
    ),
    "AWS::IAM::Group": TypeFacts(kinds=INLINE, defaults={"Path": "/"}, users_own=tuple(INLINE)),
    "AWS::IAM::Policy": TypeFacts(kinds={"Roles": Kind.SET, "Users": Kind.SET, "Groups": Kind.SET}),
    "AWS::IAM::ManagedPolicy": TypeFacts(
        kinds={"Roles": Kind.AT_LEAST, "Users": Kind.AT_LEAST, "Groups": Kind.AT_LEAST},
        defaults={"Path": "/"},
    ),
    "AWS::Cognito::UserPool": TypeFacts(
        kinds={"Schema": Kind.AT_LEAST, "Schema.*.Name": Kind.CUSTOM_NAME},
        defaults={"MfaConfiguration": "OFF"},
        never_read_back=("AdminCreateUserConfig.UnusedAccountValidityDays",),
    ),
    "AWS::Cognito::UserPoolResourceServer": TypeFacts(kinds={"Scopes": Kind.SET}),
    "AWS::Cognito::IdentityPool": TypeFacts(
        kinds={"CognitoIdentityProviders": Kind.SET, "OpenIdConnectProviderARNs": Kind.SET}
    ),
    "AWS::IAM::OIDCProvider": TypeFacts(kinds={"Url": Kind.URL}),
    "AWS::GuardDuty::Detector": TypeFacts(
        kinds={"Features": Kind.AT_LEAST, "Features.*.AdditionalConfiguration": Kind.AT_LEAST}
    ),
    "AWS::KMS::Key": TypeFacts(
        defaults={"EnableKeyRotation": False, "Enabled": True}, users_own=("Description",)
    ),
    "AWS::SecretsManager::Secret": TypeFacts(
        kinds={"ReplicaRegions": Keyed(("Region",))}, users_own=("Description",)
    ),
}
