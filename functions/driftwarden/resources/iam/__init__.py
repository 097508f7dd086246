"""AWS IAM."""

from __future__ import annotations

from driftwarden.resources.iam.credentials import ACCESS_KEY, FACTS, INSTANCE_PROFILE
from driftwarden.resources.iam.policies import MANAGED_POLICY, POLICY
from driftwarden.resources.iam.principals import GROUP, ROLE, USER, USER_TO_GROUP_ADDITION

TYPES = (
    ROLE,
    USER,
    GROUP,
    USER_TO_GROUP_ADDITION,
    POLICY,
    MANAGED_POLICY,
    INSTANCE_PROFILE,
    ACCESS_KEY,
)

__all__ = ["FACTS", "TYPES"]
