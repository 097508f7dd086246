"""Runs the calls that a resource type declares and makes its CloudFormation properties of the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from driftwarden.answers import EmptyAnswer, NotAddressable, ResourceGone, dig
from driftwarden.errors import ReadError
from driftwarden.model import ABSENT, Gone, Live, ReadResult, Unreadable, Unsupported
from driftwarden.read.reading import EVERY_LIST, Reading
from driftwarden.resources.spec import Call, From, ResourceType, Source

NOT_OFFERED: Final = ("InvalidAction", "UnknownOperation", "UnknownOperationException")
"""An endpoint that does not know a sub-call's operation has nothing that it could have configured."""


def read_with(reading: Reading) -> ReadResult:
    """Read one resource back as its type declares it. Never raises for what AWS answers.

    The reading keeps the answers, for those who have to know more than the properties.
    """
    spec = reading.spec
    try:
        return Live(dict(spec.custom(reading)) if spec.custom else _read(spec, reading))
    except ResourceGone:
        return Gone()
    except NotAddressable as missing:
        return Unsupported(str(missing))
    except EmptyAnswer as empty:
        return Unreadable(reason=str(empty), operation=empty.operation, code=empty.code, empty_answer=True)
    except ReadError as error:
        return Unreadable(reason=str(error), operation=error.operation, code=error.code, action=error.action)


def ask_again(reading: Reading) -> None:
    """Repeat the main call alone: `main` holds its new answer. Raises what calls raise."""
    reading.answers["main"] = _main(reading.spec, reading)


def _read(spec: ResourceType, reading: Reading) -> dict[str, Any]:
    if spec.calls:
        reading.answers["main"] = _main(spec, reading)
    for call in spec.calls[1:]:
        reading.answers[call.into] = _sub(call, reading)
    properties = {name: _field(source, reading) for name, source in _sources(spec)}
    for name, placeholder in spec.placeholders.items():
        if properties.get(name, ABSENT) is ABSENT:
            properties[name] = placeholder
    return {name: value for name, value in properties.items() if value is not ABSENT}


def _sources(spec: ResourceType) -> list[tuple[str, Source]]:
    camel = [(name, f"main.{name[0].lower()}{name[1:]}") for name in spec.camel]
    return [*((name, f"main.{name}") for name in spec.same), *camel, *spec.fields.items()]


def _field(source: Source, reading: Reading) -> Any:
    if isinstance(source, str):
        return reading.get(source)
    if isinstance(source, From):
        value = reading.get(source.source)
        value = ABSENT if value is ABSENT else source.convert(value)
        return source.default if value is ABSENT else value
    return source(reading)


def _main(spec: ResourceType, reading: Reading) -> Any:
    call = spec.calls[0]
    params = reading.fill(call.params)
    if params is ABSENT or spec.id_parts not in (0, len(reading.parts)):
        raise NotAddressable(
            f"the record of {reading.record.logical_id} lacks what {spec.service}:{call.operation} needs"
        )
    answer = _ask(call, reading, params)
    if callable(call.at):
        part = call.at(answer, reading)
        if part is ABSENT:
            raise ResourceGone
        return part
    part = answer if call.pages else dig(answer, call.at)
    if call.one:
        part = _chosen(call, call.one, answer, part, reading)
    if part is not ABSENT and (part or not call.at):
        return part
    if _lists_none(answer, call.at):
        raise ResourceGone
    operation = f"{call.service or spec.service}:{call.operation}"
    raise EmptyAnswer(operation, call.at or "anything")


def _chosen(call: Call, one: Callable[[Any, Reading], bool], answer: Any, part: Any, reading: Reading) -> Any:
    holder = str(call.at).rpartition(".")[0]
    if part is ABSENT and (not holder or dig(answer, holder) is ABSENT):
        return ABSENT
    found = (
        next((element for element in part if one(element, reading)), ABSENT) if part is not ABSENT else part
    )
    if found is ABSENT:
        raise ResourceGone
    return found


def _lists_none(answer: Any, path: str) -> bool:
    segments = path.split(".")
    return any(s.isdigit() and dig(answer, ".".join(segments[:i])) == [] for i, s in enumerate(segments))


def _sub(call: Call, reading: Reading) -> Any:
    if call.when and not call.when(reading):
        return ABSENT
    params = reading.fill(call.params)
    answer = ABSENT if params is ABSENT else _ask(call, reading, params, call.absent + NOT_OFFERED)
    if answer is ABSENT:
        return ABSENT
    if callable(call.at):
        return call.at(answer, reading)
    part = answer if call.pages else dig(answer, call.at)
    return call.lacking if part is ABSENT else part


def _ask(call: Call, reading: Reading, params: Mapping[str, Any], absent: tuple[str, ...] = ()) -> Any:
    part = call.at if call.at and isinstance(call.at, str) else EVERY_LIST
    pages_of = part if call.pages else ""
    answer = reading.call(call.operation, params, absent=absent or call.absent, pages_of=pages_of)
    if isinstance(answer, dict):
        answer.pop("ResponseMetadata", None)
    return answer
