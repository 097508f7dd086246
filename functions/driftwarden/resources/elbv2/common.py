"""Attributes and tags, which all of Elastic Load Balancing has alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import pick, sorted_by
from driftwarden.errors import UpdateFailed
from driftwarden.resources.spec import By, Call, Tags, Write

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update


def tags_of(gone: tuple[str, ...]) -> Call:
    """The call for the tags of the resource whose ARN is the physical id."""
    return Call(
        "DescribeTags",
        {"ResourceArns": ["{id}"]},
        at="TagDescriptions.0.Tags",
        into="tags",
        lacking=[],
        absent=gone,
    )


def attributes_of(operation: str, member: str) -> Call:
    """The call for the attributes, a list of Key and Value; `member` takes the ARN."""
    return Call(operation, {member: "{id}"}, at="Attributes", into="attributes", lacking=[])


def complete(attributes: list[Mapping[str, Any]]) -> Any:
    """Attributes in order of their keys; one without key or value says nothing."""
    stated = [a for a in attributes if a.get("Key") is not None and a.get("Value") is not None]
    return sorted_by("Key")([pick("Key", "Value")(a) for a in stated])


TAGS: Final = Tags("AddTags", "RemoveTags", {"ResourceArns": ["{id}"]})


def keyed(operation: str, member: str, name: str) -> By:
    """Sends the attributes of the property `name` that the record knows and that live has otherwise.

    What only live has is left alone: the record does not say what it should be.
    """

    def set_attributes(update: Update) -> None:
        wrong, _ = update.entries(name, "Key")
        if not wrong:
            raise UpdateFailed(f"the record does not say what the {name} should be that only AWS has")
        update.call(operation, {member: update.id, "Attributes": wrong})

    return By(set_attributes, (name,), (Write(operation),), unsets=False)
