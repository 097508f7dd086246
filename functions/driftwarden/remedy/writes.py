"""Runs the writes that a resource type declares, and tells beforehand what they cannot do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from driftwarden.answers import dig
from driftwarden.convert import Converter
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.remedy.update import Update, is_unset
from driftwarden.resources.spec import AnyWrite, By, From, ResourceType, Tags, To, Write, as_is

Member = tuple[str, Callable[[Any], Any]]


def push(update: Update) -> None:
    """Make the type's writes, in order. Raises UpdateFailed; what was written before stays written."""
    for write in update.spec.writes:
        if isinstance(write, By):
            if any(update.differs(path) for path in write.properties):
                write.run(update)
        elif isinstance(write, Tags):
            _tag(write, update)
        elif write.when is None or write.when(update):
            _write(write, update)


def unwritable(spec: ResourceType, top: str, desired: Mapping[str, Any]) -> str:
    """Why the recorded value of a top-level property cannot be pushed back; "" when it can."""
    writes = [write for write in spec.writes if top in _tops(write)]
    if not writes:
        return f"AWS offers no update of {top} in place"
    if is_unset(desired.get(top, ABSENT)) and not any(_can_unset(write, top) for write in writes):
        return f"{top} was not set when it was recorded, and AWS offers no way to unset it"
    return ""


def properties_of(write: AnyWrite) -> tuple[str, ...]:
    """The dotted property paths that a declaration writes or removes."""
    if isinstance(write, By):
        return write.properties
    if isinstance(write, Tags):
        return (write.of,)
    return (*write.same, *write.camel, *write.sets, *write.removes)


def members(spec: ResourceType, write: Write) -> dict[str, Member]:
    """Property path -> (request member, converter). Raises LookupError where no converter is known."""
    found: dict[str, Member] = {name: (name, write_half(spec, name)) for name in write.same}
    found |= {name: (name[0].lower() + name[1:], write_half(spec, name)) for name in write.camel}
    for name, target in write.sets.items():
        if isinstance(target, To):
            convert = target.convert
            found[name] = target.member, convert.write if isinstance(convert, Converter) else convert
        else:
            found[name] = target, write_half(spec, name)
    return found


def write_half(spec: ResourceType, path: str) -> Callable[[Any], Any]:
    """How a request spells a property that the reader converts. Raises LookupError for a one-way reader."""
    source = spec.fields.get(path)
    if isinstance(source, str) or path in (*spec.same, *spec.camel):
        return as_is
    convert = source.convert if isinstance(source, From) else None
    if convert is as_is:
        return as_is
    if isinstance(convert, Converter):
        return convert.write
    raise LookupError(f"{spec.name}: nothing tells how to write {path}; use To(member, convert)")


def _tops(write: AnyWrite) -> set[str]:
    return {path.partition(".")[0] for path in properties_of(write)}


def _can_unset(write: AnyWrite, top: str) -> bool:
    if isinstance(write, Tags):
        return True
    if isinstance(write, By):
        return write.unsets
    if write.style == "whole":
        return True
    return any(path.partition(".")[0] == top for path in (*write.removes, *write.unset))


def _tag(write: Tags, update: Update) -> None:
    if write.of not in update.drifted:
        return
    wrong, extra = update.tag_changes(write.of)
    if extra:
        keys = write.keys(extra)
        _request(update, write.untag, update.fill(write.params), {write.keys_at: keys})
    if wrong:
        pairs = _written(write.pairs, [{"Key": key, "Value": value} for key, value in sorted(wrong.items())])
        _request(update, write.tag, update.fill(write.params), {write.pairs_at: pairs})


def _written(convert: Callable[[Any], Any], value: Any) -> Any:
    return convert.write(value) if isinstance(convert, Converter) else convert(value)


def _write(write: Write, update: Update) -> None:
    if write.removes:
        if any(update.differs(path) and update.unset(path) for path in write.removes):
            _send(write, update, update.fill(write.params), {})
        return
    values = dict(_values(write, update))
    if write.style == "each":
        for member, value in values.items():
            _send_one(write, update, member, value)
    elif values:
        _send(write, update, update.fill(write.params), values)


def _values(write: Write, update: Update) -> Iterator[tuple[str, Any]]:
    """What of the write's own has to be sent, by request member."""
    targets = members(update.spec, write)
    whole = write.style == "whole" and any(update.differs(path) for path in targets)
    for path, (member, convert) in targets.items():
        drifted = update.differs(path)
        if not drifted and not whole:
            continue
        value = update.wanted(path) if drifted else dig(update.live, path)
        if is_unset(value):
            value = write.unset.get(path, ABSENT)
        if value is not ABSENT:
            yield member, convert(value)


def _send_one(write: Write, update: Update, member: str, value: Any) -> None:
    params = update.fill(write.params, member=member, value=value)
    placed = isinstance(write.params, Mapping) and "{value}" in write.params.values()
    _send(write, update, params, {} if placed else {member: value})


def _send(write: Write, update: Update, params: Any, values: Mapping[str, Any]) -> None:
    _request(update, write.operation, params, values, done=write.done)
    if write.ready:
        update.wait(write.ready)


def _request(
    update: Update, operation: str, params: Any, values: Mapping[str, Any], *, done: tuple[str, ...] = ()
) -> None:
    if params is ABSENT:
        raise UpdateFailed(f"the record of {update.record.logical_id} lacks what {operation} needs")
    request = dict(params)
    for path, value in values.items():
        _put(request, path, value)
    update.call(operation, request, done=done)


def _put(request: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for segment in above:
        request[segment] = dict(request.get(segment, {}))
        request = request[segment]
    request[last] = value
