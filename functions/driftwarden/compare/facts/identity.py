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
        kinds={"Schema": Kind.AT_LEAST}, defaults={"MfaConfiguration": "OFF"}
    ),
    "AWS::KMS::Key": TypeFacts(
        defaults={"EnableKeyRotation": False, "Enabled": True}, users_own=("Description",)
    ),
    "AWS::SecretsManager::Secret": TypeFacts(
        kinds={"ReplicaRegions": Keyed(("Region",))}, users_own=("Description",)
    ),
}
