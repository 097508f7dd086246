"""AWS CloudFormation's own resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.resources.spec import ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading


def _nothing(reading: Reading) -> dict[str, Any]:
    """A handle is an address that CloudFormation made up: no API tells about it, and it has no properties."""
    return {}


WAIT_CONDITION_HANDLE = ResourceType(
    name="AWS::CloudFormation::WaitConditionHandle", service="cloudformation", custom=_nothing
)

TYPES = (WAIT_CONDITION_HANDLE,)
