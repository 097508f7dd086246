"""Hostile text can forge nothing."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwarden.plain_text import escape_controls, escape_json

HOSTILE = {
    "colour": "\x1b[31m",
    "link": "\x1b]8;;http://evil\x07",
    "c1 control": "\x9b31m",
    "line": "\n",
    "return": "\r",
    "tab": "\t",
    "delete": "\x7f",
    "null": "\x00",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "next line": "\x85",
    "bidi override": "\u202e",
    "bidi isolate": "\u2066",
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "byte order mark": "\ufeff",
    "soft hyphen": "\xad",
    "surrogate": "\ud800",
    "private": "\ue000",
    "tag character": "\U000e0041",
    "unassigned": "\U000e0fff",
    "hangul filler": "\u3164",
    "variation selector": "\ufe0f",
    "blank braille": "\u2800",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_characters_become_visible(text: str) -> None:
    escaped = escape_controls(f"a{text}b")
    assert escaped.startswith("a\\u")
    assert escaped.isprintable()
    assert escaped.encode("utf-8")


@pytest.mark.parametrize("text", ["plain", "Grüße, 漢字 😀", 'a\\b "q" {x}', "", "a b"])
def test_visible_text_stays(text: str) -> None:
    assert escape_controls(text) == text


def test_escapes_are_those_of_json() -> None:
    assert escape_controls("\x1b\u202e\U000e0041") == "\\u001b\\u202e\\udb40\\udc41"
    hostile = "a\x1b\u2028\U000e0041"
    assert json.loads(f'"{escape_controls(hostile)}"') == hostile


@given(st.text())
def test_nothing_unprintable_is_left_and_a_second_call_changes_nothing(text: str) -> None:
    escaped = escape_controls(text)
    assert all(char.isprintable() or unicodedata.category(char) == "Zs" for char in escaped)
    assert escape_controls(escaped) == escaped


DOCUMENTS = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(DOCUMENTS, st.sampled_from([None, 2]))
def test_a_json_document_keeps_its_meaning_and_its_lines(document: object, indent: int | None) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    escaped = escape_json(text)
    assert json.loads(escaped) == document
    assert escaped.count("\n") == text.count("\n")
    assert all(char.isprintable() or char == "\n" or unicodedata.category(char) == "Zs" for char in escaped)
