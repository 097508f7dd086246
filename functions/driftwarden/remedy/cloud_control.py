"""Updating through Cloud Control, for every type without writes of its own.

https://docs.aws.amazon.com/cloudcontrolapi/latest/userguide/resource-operations-update.html
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from driftwarden.compare.canonical.tags import authored_by_aws, is_tag_property
from driftwarden.errors import UpdateFailed, UpdateNotSupported
from driftwarden.model import ABSENT
from driftwarden.read.reading import Reading
from driftwarden.remedy.update import Update
from driftwarden.resources.spec import By, ResourceType, Write

_NOT_SUPPORTED: Final = frozenset({"TypeNotFoundException", "UnsupportedActionException"})
_NOT_UPDATABLE: Final = "NotUpdatable"
_ENDED: Final = frozenset({"SUCCESS", "FAILED", "CANCEL_COMPLETE"})


def updatable(reading: Reading) -> ResourceType:
    """The type of a reading through Cloud Control, with the update that Cloud Control offers."""
    return replace(
        reading.spec,
        writes=(By(push_patch, (), (Write("UpdateResource"),)),),
        busy=("ConcurrentOperationException",),
    )


def push_patch(update: Update) -> None:
    """Send the difference at the drifted names as a JSON patch, and follow the request to its end.

    Raises UpdateNotSupported where the type's handler cannot, UpdateFailed for every other failure.
    """
    document = patch(_with_system_tags(update), update.live, update.drifted)
    request = {
        "TypeName": update.record.resource_type,
        "Identifier": update.id,
        "PatchDocument": json.dumps(document),
        "ClientToken": str(uuid.uuid4()),
    }
    try:
        event = update.call("UpdateResource", request)["ProgressEvent"]
    except UpdateFailed as error:
        if error.code in _NOT_SUPPORTED:
            raise UpdateNotSupported(str(error), operation=error.operation, code=error.code) from error
        raise
    _follow(update, event)


def patch(desired: Mapping[str, Any], live: Mapping[str, Any], names: frozenset[str]) -> list[dict[str, Any]]:
    """The JSON patch (RFC 6902) that makes `live` like `desired` at the top-level `names`; lists go whole."""
    return [
        operation
        for name in sorted(names)
        for operation in _operations(f"/{_escaped(name)}", desired.get(name, ABSENT), live.get(name, ABSENT))
    ]


def _operations(pointer: str, desired: Any, live: Any) -> Iterator[dict[str, Any]]:
    if desired == live:
        return
    if desired is ABSENT:
        yield {"op": "remove", "path": pointer}
    elif live is ABSENT:
        yield {"op": "add", "path": pointer, "value": desired}
    elif isinstance(desired, Mapping) and isinstance(live, Mapping) and live:
        for key in sorted({*desired, *live}):
            inner = f"{pointer}/{_escaped(key)}"
            yield from _operations(inner, desired.get(key, ABSENT), live.get(key, ABSENT))
    else:
        yield {"op": "replace", "path": pointer, "value": desired}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _with_system_tags(update: Update) -> dict[str, Any]:
    """A tag list is replaced whole, so the `aws:` tags that a read-back leaves out have to go with it."""
    desired = dict(update.desired)
    names = [name for name in update.drifted if is_tag_property(name) and isinstance(desired.get(name), list)]
    if not names:
        return desired
    answer = update.ask("GetResource", {"TypeName": update.record.resource_type, "Identifier": update.id})
    stored = json.loads(answer["ResourceDescription"]["Properties"])
    for name in names:
        held = stored.get(name)
        system = [tag for tag in held if _is_system(tag)] if isinstance(held, list) else []
        desired[name] = [*(tag for tag in system if tag not in desired[name]), *desired[name]]
    return desired


def _is_system(tag: Any) -> bool:
    return isinstance(tag, Mapping) and isinstance(tag.get("Key"), str) and authored_by_aws(tag["Key"])


def _follow(update: Update, event: Mapping[str, Any]) -> None:
    latest = dict(event)

    def ended() -> bool:
        if latest.get("OperationStatus") not in _ENDED:
            answer = update.ask("GetResourceRequestStatus", {"RequestToken": event["RequestToken"]})
            latest.update(answer["ProgressEvent"])
        return latest.get("OperationStatus") in _ENDED

    update.poll(ended)
    if latest.get("OperationStatus") == "SUCCESS":
        return
    code, message = latest.get("ErrorCode", ""), latest.get("StatusMessage", "")
    text = f"Cloud Control could not update it: {code or latest['OperationStatus']}"
    error = UpdateNotSupported if code == _NOT_UPDATABLE else UpdateFailed
    raise error(
        f"{text} ({message})" if message else text, operation="cloudcontrol:UpdateResource", code=code
    )
