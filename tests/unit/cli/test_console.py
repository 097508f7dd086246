"""The streams of the command line under encodings that lack characters of a report."""

from __future__ import annotations

import io
import json
import sys

import pytest

from driftwarden.console import Output, write_any_text
from driftwarden.secrets import Redactor


def _stdout(monkeypatch: pytest.MonkeyPatch, encoding: str) -> io.BytesIO:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    return raw


def test_a_character_that_the_stream_lacks_does_not_end_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = _stdout(monkeypatch, "ascii")
    write_any_text(sys.stdout, sys.stderr)
    out = Output(json=False, redactor=Redactor())
    out.say("✓ Shop")
    assert raw.getvalue() == b"\\u2713 Shop\n"


def test_a_payload_is_utf8_whatever_the_locale_says(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = _stdout(monkeypatch, "latin-1")
    Output(json=True, redactor=Redactor()).payload({"name": "Müller"})
    assert json.loads(raw.getvalue().decode("utf-8")) == {"name": "Müller"}
