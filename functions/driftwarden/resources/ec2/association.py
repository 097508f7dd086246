"""Associations, which EC2 lists inside of what they associate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from driftwarden.answers import EmptyAnswer
from driftwarden.model import ABSENT

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading


def own_association(operation: str, owners: str, id_member: str) -> Callable[[Any, Reading], Any]:
    """The association whose id is the physical id, in whichever of the listed owners has it."""

    def read(answer: Any, reading: Reading) -> Any:
        listed = answer.get(owners)
        if listed is None:
            raise EmptyAnswer(f"ec2:{operation}", owners)
        associations = (a for owner in listed for a in owner.get("Associations") or ())
        return next((a for a in associations if a.get(id_member) == reading.id), ABSENT)

    return read
