"""Resource types that are never compared, by design of the deploy tool's state."""

from __future__ import annotations

from typing import Final

INVISIBLE: Final = "AWS::CDK::Metadata"
"""Not a resource of anybody's: left out of every count."""


def is_skipped(resource_type: str) -> bool:
    """Whether nothing outside a custom resource's own handler knows what it should look like."""
    return resource_type.startswith("Custom::") or resource_type == "AWS::CloudFormation::CustomResource"
