"""Reading through Cloud Control `GetResource`, for every type without a declaration of its own.

A record provisioned through Cloud Control is read here whatever its type, because its baseline was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from driftwarden.compare.cloud_control import DENIED
from driftwarden.convert import tag_list
from driftwarden.model import Gone, ReadResult, Unreadable, Unsupported
from driftwarden.read.engine import read_with
from driftwarden.read.reading import Reading
from driftwarden.resources.spec import Call, ResourceType

SERVICE: Final = "cloudcontrol"

_NO_HANDLER: Final = frozenset(
    {"TypeNotFoundException", "UnsupportedActionException", "UnsupportedOperation"}
)
"""Answers by which Cloud Control says that it has no read handler for the type, or does not know it."""

_NOT_AN_IDENTIFIER: Final = "ValidationException"
"""The answer to an identifier of another form than the type's."""


def through_cloud_control(reading: Reading) -> ReadResult:
    """The read-back as Cloud Control's handler for the type gives it.

    A record that another way of deploying made may hold another id than Cloud Control's: there "not found"
    proves nothing.
    """
    kind, native = reading.record.resource_type, reading.record.provisioned_by == "cc-api"
    if kind in DENIED:
        return Unsupported(f"Cloud Control reads {kind} back in another shape than it was sent in")
    result = read_with(reading)
    if not native and (result == Gone() or _is(result, _NOT_AN_IDENTIFIER)):
        return Unsupported(
            f"Cloud Control knows no {kind} under the recorded id, which may be of another kind"
        )
    if _is(result, *_NO_HANDLER):
        return Unsupported(f"Cloud Control has no read handler for {kind}")
    return result


def _is(result: ReadResult, *codes: str) -> bool:
    return isinstance(result, Unreadable) and result.code in codes


def cloud_control_type(type_name: str) -> ResourceType:
    """A type as Cloud Control knows it, for reading and for following an update."""
    return ResourceType(
        name=type_name,
        service=SERVICE,
        gone=("ResourceNotFoundException",),
        more=(Call("GetResource"), Call("GetResourceRequestStatus", gone=False)),
        custom=_read,
    )


def _read(reading: Reading) -> Mapping[str, Any]:
    answer = reading.call("GetResource", {"TypeName": reading.record.resource_type, "Identifier": reading.id})
    properties: dict[str, Any] = json.loads(answer["ResourceDescription"]["Properties"])
    tags = properties.get("Tags")
    if isinstance(tags, list) and all(isinstance(t, dict) and "Key" in t for t in tags):
        properties["Tags"] = tag_list(tags)
    return properties
