"""AWS CodeArtifact."""

from __future__ import annotations

from driftwarden.resources.comparing import TypeFacts

FACTS = {
    "AWS::CodeArtifact::Domain": TypeFacts(users_own=("PermissionsPolicyDocument",)),
    "AWS::CodeArtifact::Repository": TypeFacts(users_own=("PermissionsPolicyDocument",)),
}
