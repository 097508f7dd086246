"""AWS CloudFormation's own resources."""

from __future__ import annotations

from typing import Any

from driftwarden.read.reading import Reading
from driftwarden.resources.spec import ResourceType


def _nothing(reading: Reading) -> dict[str, Any]:
    """A handle is an address that CloudFormation made up: no API tells about it, and it has no properties."""
    return {}


WAIT_CONDITION_HANDLE = ResourceType(
    name="AWS::CloudFormation::WaitConditionHandle", service="cloudformation", custom=_nothing
)

TYPES = (WAIT_CONDITION_HANDLE,)
