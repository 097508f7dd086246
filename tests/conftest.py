"""What every test may use."""

from __future__ import annotations

import base64
import binascii
import contextlib
import html
import re
from collections.abc import Callable, Iterator
from functools import cache
from urllib.parse import unquote_plus

import botocore.loaders
import botocore.session
import pytest

BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{8,}")
JSON_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"\\\\/bfnrt']))")
SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
READABLE = re.compile(r"[ -~]{6,}")
DEPTH = 3


# Hundreds of tests make sessions of their own: they share the service models, which take long to parse.
botocore.session.create_loader = cache(botocore.loaders.create_loader)


def decodings(text: str) -> Iterator[str]:
    """The text after each one decoding that a reader of an output could think of."""
    yield html.unescape(text)
    yield unquote_plus(text)
    yield JSON_ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else SHORT.get(m[2], m[2]), text)
    for run in BASE64_RUN.findall(text):
        for start in range(4):
            standard = run[start:].replace("-", "+").replace("_", "/")
            whole = standard[:-1] if len(standard) % 4 == 1 else standard
            with contextlib.suppress(binascii.Error):
                text = base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8", "replace")
                if READABLE.search(text):
                    yield text


def decoded(text: str) -> set[str]:
    """The text, and whatever some decodings in a row make of it."""
    seen, latest = {text}, {text}
    for _ in range(DEPTH):
        latest = {new for old in latest for new in decodings(old)} - seen
        seen |= latest
    return seen


@pytest.fixture(scope="session")
def leaks() -> Callable[[str, str], bool]:
    """`leaks(output, canary)`: whether an output gives a planted value away, in any encoding.

    It decodes the output instead of encoding the canary, so that it shares nothing with the code under test.
    """

    def search(output: str, canary: str) -> bool:
        return any(canary.lower() in text.lower() for text in decoded(output))

    return search
