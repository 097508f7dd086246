"""What the types of an API have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from driftwarden.model import ABSENT

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

GONE: Final = ("NotFoundException",)
API_ID: Final = "{props.ApiId}"


def only_if(kind: str, value: str, member: str, default: Any = ABSENT) -> Callable[[Reading], Any]:
    """AWS answers some members for every kind of API or authorizer, though only one kind can have them."""

    def read(reading: Reading) -> Any:
        fits = reading.get(f"main.{kind}") == value
        return reading.get(f"main.{member}", default) if fits else ABSENT

    return read


def merged(update: Update, name: str, nothing: Any) -> dict[str, Any]:
    """A map whose keys AWS keeps when they are left out: each that has to go is sent with `nothing`."""
    desired, live = (bag.get(name) or {} for bag in (update.desired, update.live))
    return {**dict.fromkeys(live.keys() - desired.keys(), nothing), **desired}


def is_set(update: Update, name: str) -> bool:
    return name in update.drifted and not update.unset(name)
