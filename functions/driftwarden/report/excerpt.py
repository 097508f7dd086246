"""Values and names cut to the size of an alert."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Final

import orjson

from driftwarden.plain_text import escape_controls, escape_json
from driftwarden.report.json import dumps, plain

VALUE_LIMIT: Final = 160
_CONTEXT: Final = 20


def shorten(text: str, limit: int) -> str:
    """`text` on one line without control characters; what is longer than `limit` says how long it was."""
    whole = escape_controls(text[: 2 * limit])
    if len(text) <= limit and len(whole) <= limit:
        return whole
    return f"{whole[:limit]}... ({len(text):,} characters)"


def json_text(value: Any) -> str:
    """One value as compact JSON."""
    return dumps(value).decode()


def fits(value: Any) -> bool:
    """Whether a value is short enough to be shown whole."""
    raw = _raw(value)
    return len(raw) <= VALUE_LIMIT and len(escape_json(raw)) <= VALUE_LIMIT


def excerpt(value: Any) -> str:
    """One value as short JSON text."""
    return _cut(_raw(value), 0)


def excerpts(before: Any, after: Any) -> tuple[str, str]:
    """Both values as short JSON text. Values that begin alike are shown from where they part."""
    texts = _raw(before), _raw(after)
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))
    start = max(sum(1 for _ in alike) - _CONTEXT, 0)
    return _cut(texts[0], start), _cut(texts[1], start)


def _raw(value: Any) -> str:
    """JSON text with invisible characters: escaping megabytes of which a line is shown takes seconds."""
    return orjson.dumps(plain(value)).decode()


def _cut(raw: str, start: int) -> str:
    start = max(min(start, len(raw) - VALUE_LIMIT), 0)
    piece = escape_json(raw[start : start + VALUE_LIMIT])[:VALUE_LIMIT]
    if len(raw) <= VALUE_LIMIT and piece == raw:
        return raw
    lead = "..." if start else ""
    trail = "..." if start + VALUE_LIMIT < len(raw) else ""
    return f"{lead}{piece}{trail} ({len(raw):,} characters)"
