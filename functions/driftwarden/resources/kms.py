"""AWS Key Management Service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.convert import json_document, non_empty, tag_list
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import By, Call, From, ResourceType, Tags, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE = ("NotFoundException",)
_SYMMETRIC = "SYMMETRIC_DEFAULT"


def _rotates(reading: Reading) -> bool:
    """Only symmetric encryption keys have a rotation status; AWS refuses the question for all others."""
    return bool(reading.get("main.KeySpec", _SYMMETRIC) == _SYMMETRIC)


def _enabled(status: dict[str, Any]) -> Any:
    return status.get("KeyRotationEnabled", False)


def _should_be_enabled(update: Update) -> bool:
    """A key is enabled unless it is told otherwise."""
    return update.unset("Enabled") or update.wanted("Enabled") is True


def _enable(update: Update) -> None:
    """First of all: a disabled key rejects most other calls."""
    if _should_be_enabled(update):
        update.call("EnableKey", {"KeyId": update.id})


def _disable(update: Update) -> None:
    """Last of all, for the same reason."""
    if not _should_be_enabled(update):
        update.call("DisableKey", {"KeyId": update.id})


def _rotate(update: Update) -> None:
    """The period is part of the call that enables the rotation, and says nothing without it."""
    key = {"KeyId": update.id}
    if update.wanted("EnableKeyRotation") is True:
        days = update.desired.get("RotationPeriodInDays")
        update.call("EnableKeyRotation", {**key, "RotationPeriodInDays": int(days)} if days else key)
    elif "EnableKeyRotation" in update.drifted:
        update.call("DisableKeyRotation", key)


def _service_spelling(tags: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"TagKey": tag["Key"], "TagValue": tag["Value"]} for tag in tag_list(tags)]


KEY = ResourceType(
    name="AWS::KMS::Key",
    service="kms",
    gone=_GONE,
    calls=(
        Call("DescribeKey", {"KeyId": "{id}"}, at="KeyMetadata"),
        Call("GetKeyPolicy", {"KeyId": "{main.KeyId}", "PolicyName": "default"}, at="Policy", into="policy"),
        Call(
            "GetKeyRotationStatus",
            {"KeyId": "{main.KeyId}"},
            into="rotation",
            when=_rotates,
            absent=("UnsupportedOperationException",),
        ),
        Call("ListResourceTags", {"KeyId": "{main.KeyId}"}, at="Tags", into="tags", pages=True),
    ),
    same=("Description", "KeySpec", "KeyUsage", "Enabled", "MultiRegion", "Origin"),
    fields={
        "KeyPolicy": From("policy", non_empty(json_document)),
        "EnableKeyRotation": From("rotation", _enabled),
        "RotationPeriodInDays": "rotation.RotationPeriodInDays",
        "Tags": From("tags", tag_list),
    },
    placeholders={"Description": ""},
    compared=TypeFacts(defaults={"EnableKeyRotation": False, "Enabled": True}, users_own=("Description",)),
    writes=(
        By(_enable, ("Enabled",), (Write("EnableKey"),)),
        Write("UpdateKeyDescription", {"KeyId": "{id}"}, same=("Description",), unset={"Description": ""}),
        By(
            _rotate,
            ("EnableKeyRotation", "RotationPeriodInDays"),
            (Write("EnableKeyRotation"), Write("DisableKeyRotation")),
        ),
        Tags("TagResource", "UntagResource", {"KeyId": "{id}"}, pairs=_service_spelling),
        Write("PutKeyPolicy", {"KeyId": "{id}", "PolicyName": "default"}, sets={"KeyPolicy": "Policy"}),
        By(_disable, ("Enabled",), (Write("DisableKey"),)),
    ),
    warns={
        "Enabled": "whatever depends on the key fails while it is disabled, and works while it is enabled",
        "KeyPolicy": "who can use and manage the key changes",
    },
)

ALIAS = ResourceType(
    name="AWS::KMS::Alias",
    service="kms",
    gone=_GONE,
    calls=(
        Call(
            "ListAliases",
            at="Aliases",
            one=lambda alias, reading: alias.get("AliasName") == reading.id,
            pages=True,
        ),
    ),
    same=("AliasName",),
    fields={"TargetKeyId": From("main.TargetKeyId", non_empty())},
    writes=(Write("UpdateAlias", {"AliasName": "{id}"}, same=("TargetKeyId",)),),
    warns={"TargetKeyId": "what was encrypted through the alias since then stays under the key of now"},
)

TYPES = (KEY, ALIAS)
