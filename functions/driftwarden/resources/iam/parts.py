"""What the IAM types have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from driftwarden.resources.spec import Call

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

GONE: Final = ("NoSuchEntity",)
"""In a sub-call it means that only this part is gone, so the property is left out."""

INLINE_POLICY: Final = "AWS::IAM::Policy"


def part(operation: str, params: Mapping[str, str], at: str, into: str, *, pages: bool = True) -> Call:
    """A sub-call for a list, which IAM may leave out of its answer when it is empty."""
    return Call(operation, params, at=at, into=into, pages=pages, absent=GONE, lacking=[])


def managed_by_siblings(reading: Reading, member: str) -> set[str]:
    """The inline policies that an AWS::IAM::Policy of the stack put on a principal named in its `member`."""
    return {
        sibling.properties.get("PolicyName", "")
        for sibling in reading.siblings.values()
        if sibling.resource_type == INLINE_POLICY and reading.id in (sibling.properties.get(member) or ())
    }
