"""Hostile text made plain: no character can move the cursor, reorder a line, hide or start a new one.

Names and values come from AWS and from a bucket; whoever can write there must not be able to forge a line,
a colour or a link in a terminal, a log, an alert or a JSON document.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

# Letters and marks that draw nothing (Unicode's Default_Ignorable_Code_Point), yet are no format characters.
_INVISIBLE: Final = frozenset(
    map(
        chr,
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x180F, *range(0x180B, 0x180E)),
    )
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))

_ASTRAL: Final = 0x10000


def escape_controls(text: str) -> str:
    """`text` with every character that is not plainly visible written as `\\uXXXX`, as JSON spells it.

    Covers control characters (line ends and tabs too), format characters (bidi, zero width), line and
    paragraph separators, surrogates, private and unassigned ones, and letters that draw nothing. One
    outside of the basic plane becomes a pair of escapes. Everything else stays, so the result of a second
    call is the same.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escaped, text))


def escape_json(document: str) -> str:
    """The same for a serialised JSON document, whose own line ends stay; its meaning does not change."""
    if document.isascii() and document.replace("\n", "").isprintable():
        return document
    return "\n".join(map(escape_controls, document.split("\n")))


def _escaped(char: str) -> str:
    if " " <= char <= "~":
        return char
    if char not in _INVISIBLE and unicodedata.category(char) not in _UNSAFE:
        return char
    code = ord(char)
    if code < _ASTRAL:
        return f"\\u{code:04x}"
    code -= _ASTRAL
    return f"\\u{0xD800 | code >> 10:04x}\\u{0xDC00 | code & 0x3FF:04x}"
