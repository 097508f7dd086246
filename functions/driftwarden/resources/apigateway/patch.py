"""API Gateway changes things by lists of patch operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.convert import number
from driftwarden.errors import UpdateFailed

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

GONE = ("NotFoundException",)
REST_API = "{props.RestApiId}"

Operation = dict[str, str]


def replace(path: str, value: Any) -> Operation:
    """Sets one value; patches hold all values as text."""
    return {"op": "replace", "path": path, "value": number.write(value)}


def members(
    desired: Mapping[str, Any], live: Mapping[str, Any], paths: Mapping[str, str], unset: Mapping[str, Any]
) -> Iterator[Operation]:
    """The members that differ, by their patch paths. `unset`: what stands for no value, where that exists."""
    for name, path in paths.items():
        wanted, found = (_stated(side, name, unset) for side in (desired, live))
        if wanted is not None and wanted != found:
            yield replace(path, wanted)


def _stated(side: Mapping[str, Any], name: str, unset: Mapping[str, Any]) -> Any:
    value = side.get(name)
    return unset.get(name) if value in (None, "") else value


def entries(
    path: str, desired: Mapping[str, Any] | None, live: Mapping[str, Any] | None
) -> Iterator[Operation]:
    """The entries of a map that differ; a slash in a key is spelt as in a JSON pointer."""
    wanted, found = desired or {}, live or {}
    for key, value in wanted.items():
        if found.get(key) != value:
            yield replace(f"{path}/{_pointer(key)}", value)
    for key in sorted(found.keys() - wanted.keys()):
        yield {"op": "remove", "path": f"{path}/{_pointer(key)}"}


def elements(path: str, desired: Iterable[str] | None, live: Iterable[str] | None) -> Iterator[Operation]:
    """The elements of a set that differ, one operation each; new ones first."""
    wanted, found = set(desired or ()), set(live or ())
    yield from ({"op": "add", "path": path, "value": value} for value in sorted(wanted - found))
    yield from ({"op": "remove", "path": path, "value": value} for value in sorted(found - wanted))


def _pointer(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def patch(update: Update, operation: str, target: Mapping[str, Any], operations: Iterable[Operation]) -> None:
    """Send one patch. Raises UpdateFailed where no operation would bring the recorded values back."""
    listed = list(operations)
    if not listed:
        raise UpdateFailed(f"{operation} has no way to unset what was not set when it was recorded")
    update.call(operation, {**target, "patchOperations": listed})


def drifted_sides(update: Update) -> tuple[dict[str, Any], dict[str, Any]]:
    """The desired and the live bag, without what did not drift."""
    desired, live = (
        {name: value for name, value in bag.items() if name in update.drifted}
        for bag in (update.desired, update.live)
    )
    return desired, live
