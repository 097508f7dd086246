"""One change as a message tells it, short enough for SNS: a JSON entry, and the lines of text made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from driftwarden.report.excerpt import excerpt, excerpts, fits, json_text, shorten
from driftwarden.report.lists import one_sided

_PATH: Final = 255
_ABSENT: Final = "(nothing)"


def change_entry(path: str, sides: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    """`sides` are the values under `from` and `to`; one that holds nothing is left out.

    `shortened`: the sides are excerpts of their JSON text. Of two lists that are too long to show, only the
    elements of one side alone are, at most `most` of each: `removed` and `added`.
    """
    entry = {"path": shorten(path, _PATH)}
    if all(map(fits, sides.values())):
        return {**entry, **sides}
    before, after = sides.get("from"), sides.get("to")
    if isinstance(before, list) and isinstance(after, list):
        removed, added = one_sided(before, after)
        if removed or added:
            return {**entry, **_elements("removed", removed, most), **_elements("added", added, most)}
    shown = dict(zip(("from", "to"), excerpts(before, after), strict=True))
    return {**entry, "shortened": True, **{name: shown[name] for name in sides}}


def change_text(entry: Mapping[str, Any]) -> Iterator[str]:
    """The lines of an entry that `change_entry` made, indented below the resource's name."""
    if not {"removed", "added"} & set(entry):
        yield f"    {entry['path']}: {_side(entry, 'from')} -> {_side(entry, 'to')}"
        return
    yield f"    {entry['path']}:"
    for sign, name in (("-", "removed"), ("+", "added")):
        yield from (f"      {sign} {element}" for element in entry.get(name, []))
        if more := entry.get(f"{name}More"):
            yield f"      {sign} and {more:,} more"


def _elements(name: str, elements: list[Any], most: int) -> dict[str, Any]:
    """The first elements as short JSON text; `...More` counts the rest."""
    shown = {name: [excerpt(element) for element in elements[:most]]} if elements else {}
    return {**shown, **({f"{name}More": more} if (more := len(elements) - most) > 0 else {})}


def _side(entry: Mapping[str, Any], name: str) -> str:
    if name not in entry:
        return _ABSENT
    text: str = entry[name] if "shortened" in entry else json_text(entry[name])
    return text
