"""Converters between what services answer and what CloudFormation properties look like.

A `Converter` knows both directions: `read` makes the property of an answer, `write` makes the request member
of a property. Calling it reads. A converter answers ABSENT where the value says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from driftwarden.model import ABSENT

Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Converter:
    """Both halves of one conversion; `write(read(x))` gives a value that the service treats as `x`."""

    read: Convert
    write: Convert

    def __call__(self, value: Any) -> Any:
        return self.read(value)


def _number(value: Any) -> Any:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return ABSENT
    return int(number) if number.is_integer() else number


def _json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _compact(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _tag_pairs(tags: Any) -> list[dict[str, str]]:
    pairs: Iterable[tuple[Any, Any]]
    if isinstance(tags, Mapping):
        pairs = tags.items()
    else:
        pairs = ((_first(t, "Key", "key", "TagKey"), _first(t, "Value", "value", "TagValue")) for t in tags)
    kept = [(k, v) for k, v in pairs if k and not k.startswith("aws:")]
    return [{"Key": k, "Value": "" if v is None else v} for k, v in sorted(kept, key=lambda pair: pair[0])]


def _first(tag: Mapping[str, Any], *names: str) -> Any:
    return next((tag[name] for name in names if name in tag), None)


def _as_map(tags: Any) -> dict[str, str]:
    return {t["Key"]: t["Value"] for t in _tag_pairs(tags)}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


number = Converter(read=_number, write=_text)
"""A number that the service spells as text."""

flag = Converter(read=lambda value: _text(value) == "true", write=_text)
"""A boolean that the service spells as text."""

json_document = Converter(read=_json, write=_compact)
"""A JSON document that the service takes as text; text that is no JSON stays as it is."""

tag_list = Converter(read=_tag_pairs, write=_tag_pairs)
"""Tags in any spelling -> `[{Key, Value}]` sorted by key, without the `aws:` keys that no user can set."""

tag_map = Converter(read=_as_map, write=_as_map)
"""Tags in any spelling -> a map sorted by key, without `aws:` keys."""


def non_empty(convert: Convert | None = None) -> Convert:
    """The value (converted) unless it is empty: some services answer "" or [] for "not configured".

    It can write whatever `convert` can.
    """

    def read(value: Any) -> Any:
        if value is None or value in ("", [], {}):
            return ABSENT
        return convert(value) if convert else value

    if isinstance(convert, Converter):
        return Converter(read=read, write=convert.write)
    return read if convert else Converter(read=read, write=lambda value: value)


def _both(read: Convert, write: Convert, *parts: Convert | None) -> Convert:
    """Both halves, if all parts of the conversion have both; `write` is given the parts' write halves."""
    one_way = any(part is not None and not isinstance(part, Converter) for part in parts)
    return read if one_way else Converter(read=read, write=write)


def back(convert: Convert | None, value: Any) -> Any:
    """The request member of a property, by the write half of what reads it."""
    return convert.write(value) if isinstance(convert, Converter) else value


def if_any(convert: Convert) -> Convert:
    """What `convert` makes of the value, unless that is empty. It can write whatever `convert` can."""
    return _both(lambda value: convert(value) or ABSENT, lambda value: back(convert, value), convert)


def pick(*names: str, **renamed: str | tuple[str, Convert]) -> Convert:
    """Members of a structure: `names` as they are, `Property="Member"`, `Property=("Member", convert)`.

    It can write when every `convert` can. Members that it does not name are neither read nor written.
    """
    members: dict[str, tuple[str, Convert | None]] = {name: (name, None) for name in names}
    for name, source in renamed.items():
        members[name] = (source, None) if isinstance(source, str) else source

    def read(value: Mapping[str, Any]) -> dict[str, Any]:
        made = {}
        for name, (member, convert) in members.items():
            if value.get(member) is not None:
                item = convert(value[member]) if convert else value[member]
                if item is not ABSENT:
                    made[name] = item
        return made

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        stated = {name: value[name] for name in members if value.get(name) is not None}
        return {members[name][0]: back(members[name][1], item) for name, item in stated.items()}

    return _both(read, write, *(convert for _, convert in members.values()))


def pick_camel(*names: str, **renamed: str | tuple[str, Convert]) -> Convert:
    """`pick`, from a service that spells the members named in `names` with a small first letter."""
    return pick(**{name: f"{name[0].lower()}{name[1:]}" for name in names}, **renamed)


def each(convert: Convert) -> Convert:
    """Every element of a list, converted."""
    return _both(
        lambda values: [convert(v) for v in values],
        lambda values: [back(convert, v) for v in values],
        convert,
    )


def every(member: str) -> Convert:
    """One member of every structure in a list: `[{"GroupId": "sg-1"}]` -> `["sg-1"]`."""
    return lambda values: [v[member] for v in values if v.get(member) is not None]


def holding(member: str) -> Convert:
    """A structure with the value as its only member: `"Active"` -> `{"Mode": "Active"}`."""
    return Converter(read=lambda value: {member: value}, write=lambda value: value[member])


def completed(defaults: Mapping[str, Any], *names: str) -> Convert:
    """The members of `defaults`, each with its value there when missing, and `names` where present."""
    picked = pick(*defaults, *names)
    return Converter(
        read=lambda value: {**defaults, **picked(value)}, write=lambda value: back(picked, value)
    )


def inside(**converts: Convert) -> Convert:
    """A structure with the named members converted; all others stay."""

    def read(value: Mapping[str, Any]) -> dict[str, Any]:
        return {k: converts[k](v) if k in converts else v for k, v in value.items()}

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        return {k: back(converts.get(k), v) for k, v in value.items()}

    return _both(read, write, *converts.values())


def renamed(names: Mapping[str, str]) -> Converter:
    """A structure whose members have other names: service name -> property name; all others stay."""
    theirs_of = {ours: theirs for theirs, ours in names.items()}
    return Converter(
        read=lambda value: {names.get(k, k): v for k, v in value.items()},
        write=lambda value: {theirs_of.get(k, k): v for k, v in value.items()},
    )


def recased(upper: bool, verbatim: frozenset[str] = frozenset()) -> Convert:
    """The first letter of every key, at every depth, made upper or lower case.

    What stands under a key named in `verbatim` (spelt as in the input) belongs to the user and is kept.
    """
    change = str.upper if upper else str.lower

    def walk(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {change(k[:1]) + k[1:]: v if k in verbatim else walk(v) for k, v in value.items()}
        return [walk(v) for v in value] if isinstance(value, list) else value

    return walk


def capitalised(*verbatim: str) -> Converter:
    """camelCase answers -> CapitalisedKeys, at every depth; the user's maps under `verbatim` keys stay."""
    kept = frozenset(verbatim) | {v[:1].upper() + v[1:] for v in verbatim}
    return Converter(read=recased(True, kept), write=recased(False, kept))


def _iso(value: Any) -> Any:
    if not isinstance(value, datetime):
        return value
    utc = value.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


iso_time = Converter(read=_iso, write=lambda value: value)
"""A point in time -> ISO 8601 text in UTC with milliseconds; services accept that text back."""


def dictionary_key(text: str) -> tuple[str, str]:
    """Sorts as a dictionary does: without regard to case, punctuation before digits before letters."""
    folded = "".join(("2" if c.isalpha() else "1" if c.isdigit() else "0") + c for c in text.lower())
    return folded, text.swapcase()


_IP_PROTOCOLS = {"1": "icmp", "6": "tcp", "17": "udp", "58": "icmpv6"}


def ip_protocol(text: str) -> str:
    """`6` -> `tcp`, `TCP` -> `tcp`; `-1` (all protocols) stays itself.

    EC2 replaces these numbers by a name; all others stay numbers (EC2 API, IpPermission).
    """
    return _IP_PROTOCOLS.get(text, text.lower())


def sorted_by(*members: str) -> Convert:
    """A list of structures in dictionary order of the named members."""

    def read(values: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        return sorted(values, key=lambda v: dictionary_key(" ".join(str(v.get(m, "")) for m in members)))

    return read
