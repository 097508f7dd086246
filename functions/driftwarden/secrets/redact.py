"""One redaction rule for every output: known secrets are masked wherever a text holds them.

Whoever runs a scan makes one `Redactor`, gives it to the resolver and to every place where text leaves the
process (reports, alerts, logs, errors, metrics, plans), and calls `forget` at the end.
"""

from __future__ import annotations

import dataclasses
import hmac
import json
import secrets
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Final

from driftwarden.model import Change, Finding, IgnoredChange, Path, SecretText, StackReport
from driftwarden.plain_text import escape_controls
from driftwarden.secrets.credentials import is_credential_name, veil_text
from driftwarden.secrets.encodings import SHORTEST, spellings
from driftwarden.secrets.references import MASK

_KEY_BYTES: Final = 32
_Span = tuple[int, int]


class Redactor:
    """The secrets met during one scan, and the masking of them. Safe to share between threads.

    Recorded reference texts stay readable, though a secret's value may be a word in them: they name the
    secret and hold nothing of it. A value below four characters is never looked for; it is masked by
    position.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: set[str] = set()
        self._needles: dict[str, tuple[str, ...]] = {}
        self._references: frozenset[str] = frozenset()
        self._key = secrets.token_bytes(_KEY_BYTES)

    def add(self, secret: str) -> None:
        """Remember a secret's value; the parts of a JSON object that are named like a credential, too."""
        parts = {secret, *_json_credentials(secret)}
        with self._lock:
            for part in parts - self._known:
                self._known.add(part)
                for needle in spellings(part):
                    start = needle[:SHORTEST]
                    self._needles[start] = (*self._needles.get(start, ()), needle)

    def add_references(self, texts: Iterable[str]) -> None:
        """Remember recorded reference texts, which stay readable."""
        with self._lock:
            self._references |= frozenset(texts)

    def forget(self) -> None:
        """Drop every value and change the fingerprint key."""
        with self._lock:
            self._known = set()
            self._needles = {}
            self._references = frozenset()
            self._key = secrets.token_bytes(_KEY_BYTES)

    def redact_text(self, text: str) -> str:
        """`text` with `***` for every known secret, in whatever spelling, and for every plain credential."""
        spans = self._found(text)
        if not spans:
            return veil_text(text)
        kept = [span for reference in self._references for span in _places(reference, text)]
        spans = [(a, b) for a, b in spans if not any(c <= a and b <= d for c, d in kept)]
        return veil_text(_masked(text, _merged(spans)))

    def safe_text(self, text: str) -> str:
        """`text` as a terminal, a log or an alert may show it: redacted, without control characters."""
        return escape_controls(self.redact_text(text))

    def redact(self, value: Any) -> Any:
        """A copy of any JSON value with every known secret masked, in map keys and numbers too."""
        if isinstance(value, SecretText):
            return MASK
        if isinstance(value, str):
            return self.redact_text(value)
        if isinstance(value, Mapping):
            return self._redacted_map(value)
        if isinstance(value, list | tuple):
            return [self.redact(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return MASK if str(value) in self._known and len(str(value)) >= SHORTEST else value
        return value

    def redact_path(self, path: Path) -> Path:
        """A path whose map keys hold no known secret."""
        return tuple(self.redact_text(part) if isinstance(part, str) else part for part in path)

    def redact_change(self, change: Change) -> Change:
        """A change whose path and sides hold no known secret."""
        return Change(
            path=self.redact_path(change.path), state=self.redact(change.state), aws=self.redact(change.aws)
        )

    def redact_report(self, report: StackReport) -> StackReport:
        """A report in which no value, path, reason or warning holds a secret met anywhere in the scan.

        To be called once all resources are compared: one resource may show what another one's reference
        resolved to. Logical ids, types and stack names are the template's own words and stay.
        """
        return dataclasses.replace(
            report,
            findings=tuple(map(self._redacted_finding, report.findings)),
            warnings=tuple(map(self.redact_text, report.warnings)),
        )

    def fingerprint(self, value: Any) -> str:
        """Four hexadecimal digits that are equal for equal values within this scan.

        Keyed with random bytes that are stored nowhere, so nobody can try values against it afterwards.
        """
        text = json.dumps(value, sort_keys=True, default=repr)
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()[:4]

    def _found(self, text: str) -> list[_Span]:
        """Where secrets stand. Looks at four characters at a time: many secrets cost no more than few."""
        needles = self._needles
        if not needles:
            return []
        return [
            (place, place + len(needle))
            for place in range(len(text) - SHORTEST + 1)
            for needle in needles.get(text[place : place + SHORTEST], ())
            if text.startswith(needle, place)
        ]

    def _redacted_map(self, value: Mapping[str, Any]) -> dict[str, Any]:
        clean: dict[str, Any] = {}
        for key, item in value.items():
            name = self.redact_text(key)
            count = 2
            while name in clean:
                name, count = f"{self.redact_text(key)} ({count})", count + 1
            clean[name] = self.redact(item)
        return clean

    def _redacted_finding(self, finding: Finding) -> Finding:
        return dataclasses.replace(
            finding,
            changes=tuple(map(self.redact_change, finding.changes)),
            reason=self.redact_text(finding.reason),
            masked=tuple(map(self.redact_path, finding.masked)),
            appeared=tuple(map(self.redact_change, finding.appeared)),
            ignored=tuple(
                IgnoredChange(change=self.redact_change(each.change), reason=self.redact_text(each.reason))
                for each in finding.ignored
            ),
        )


def _json_credentials(secret: str) -> set[str]:
    if not secret.startswith("{"):
        return set()
    try:
        document = json.loads(secret)
    except ValueError:
        return set()
    return {item for key, item in document.items() if isinstance(item, str) and is_credential_name(key)}


def _places(needle: str, text: str) -> list[_Span]:
    places = []
    start = text.find(needle)
    while start >= 0:
        places.append((start, start + len(needle)))
        start = text.find(needle, start + 1)
    return places


def _merged(spans: list[_Span]) -> list[_Span]:
    """Overlapping and touching spans as one: what two secrets share must not show a part of either."""
    merged: list[_Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _masked(text: str, spans: list[_Span]) -> str:
    parts, done = [], 0
    for start, end in spans:
        parts += [text[done:start], MASK]
        done = end
    return "".join((*parts, text[done:]))
