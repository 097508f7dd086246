"""The spellings under which a secret may turn up inside other text."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, quote_plus

from driftwarden.plain_text import escape_controls

SHORTEST: Final = 4
"""From so many characters on a value is looked for in other text; a shorter one is masked by place only."""

_LINE: Final = 16
_DEPTH: Final = 3
"""JSON in JSON in JSON: an AWS error may quote a request whose policy is a text that holds a document."""


def spellings(secret: str) -> frozenset[str]:
    """Every spelling of one secret worth looking for: plain, folded case, JSON, URL, HTML, Base64.

    AWS lower-cases names of buckets, databases and hosts; policies and environment variables hold JSON inside
    JSON; user data is Base64 of a text that holds the secret anywhere. A line of a many-line secret (a
    private key) counts on its own. Spellings below four characters are left out.
    """
    texts = set(_texts(secret))
    if "\n" in secret:
        texts.update(line for line in map(str.strip, secret.splitlines()) if len(line) >= _LINE)
    return frozenset(text for text in texts if len(text) >= SHORTEST)


def _texts(secret: str) -> Iterator[str]:
    if len(secret) < SHORTEST:
        return
    yield from (secret, secret.lower(), secret.upper())
    yield from (escape_controls(secret), repr(secret)[1:-1])
    for raw in {html.escape(secret), html.escape(secret, quote=False)}:
        yield from {raw, *_json(raw)}
    nested = {secret}
    for _ in range(_DEPTH):
        for raw in nested:
            yield raw
            yield from _url(raw)
            yield from _base64(raw)
        nested = {inner for raw in nested for inner in _json(raw)} - nested
    yield from nested


def _json(text: str) -> Iterator[str]:
    """The text inside of a JSON string, with and without ASCII escapes, and with escaped slashes."""
    for ascii_only in (True, False):
        inner = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        yield inner
        if "\\/" not in inner:
            yield inner.replace("/", "\\/")


def _url(text: str) -> Iterator[str]:
    encoded = text.encode("utf-8", "surrogatepass")
    for spelled in (
        quote(encoded, safe=""),
        quote(encoded),
        quote_plus(encoded),
        quote(encoded, safe="/:@!$'()*,;="),
    ):
        yield spelled
        yield _lower_escapes(spelled)


def _lower_escapes(text: str) -> str:
    head, *rest = text.split("%")
    return "%".join((head, *(part[:2].lower() + part[2:] for part in rest)))


def _base64(text: str) -> Iterator[str]:
    """What any Base64 text that holds `text` must hold, at each of the three places where it may begin."""
    data = text.encode("utf-8", "surrogatepass")
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + data)
        first = -(-8 * shift // 6)
        last = 8 * (shift + len(data)) // 6
        for alphabet in (encoded, encoded.translate(bytes.maketrans(b"+/", b"-_"))):
            yield alphabet[first:last].decode("ascii")
    yield base64.b64encode(data).decode("ascii")
