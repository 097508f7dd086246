"""The JSON object of one stack, and JSON text that is safe to print anywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import Any, Final

import orjson

from driftwarden.exit_status import uncompared_cause
from driftwarden.model import ABSENT, Change, Finding, Outcome, SecretText, StackReport
from driftwarden.plain_text import escape_json
from driftwarden.report.paths import dotted

MAX_DEPTH: Final = 100
"""Deeper nesting is cut: no service takes it, and the encoder refuses it at 254 levels."""

_MAX_INTEGER_BITS: Final = 63
_MASK: Final = "***"


def stack_object(report: StackReport) -> dict[str, Any]:
    """The object that `--json` prints for one stack: plain JSON values only.

    `masked`, `appeared`, `ignored` and `warnings` are left out when empty, and so is the side of a change
    that holds nothing.
    """
    groups: dict[str, list[dict[str, Any]]] = {
        "drifted": [
            {
                **_head(finding),
                "referencesUnresolved": finding.references_unresolved,
                "changes": _changes(finding.changes),
            }
            for finding in _of(report, Outcome.DRIFTED)
        ],
        "deleted": [_head(finding) for finding in _of(report, Outcome.DELETED)],
        "clean": [
            {**_head(finding), "referencesUnresolved": finding.references_unresolved}
            for finding in _of(report, Outcome.CLEAN)
        ],
        "notSupported": [_head(finding) for finding in _of(report, Outcome.NOT_SUPPORTED)],
        "skipped": [_head(finding) for finding in _of(report, Outcome.SKIPPED)],
        "notCompared": _not_compared(report),
    }
    return {"stack": report.ref.name, "region": report.ref.region, **groups, **_optional_groups(report)}


def dumps(value: Any, *, indent: bool = False) -> bytes:
    """UTF-8 JSON in which every control, format and line-separator character is a `\\uXXXX` escape.

    Never fails: a value that JSON cannot hold is replaced by a text that says what it was.
    """
    raw: bytes = orjson.dumps(plain(value), option=orjson.OPT_INDENT_2 if indent else 0)
    return escape_json(raw.decode()).encode()


def plain(value: Any, depth: int = 0) -> Any:
    """`value` reduced to JSON values. Secrets become `***`; an unknown object is named by its type alone."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (Mapping, list, tuple, set, frozenset)):
        return _plain_container(value, depth + 1)
    if isinstance(value, (str, int, float, Decimal)):
        return _plain_scalar(value)
    if isinstance(value, (bytes, bytearray)):
        return b64encode(value).decode()
    return value.isoformat() if isinstance(value, date) else f"<{type(value).__name__}>"


def _plain_container(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        return f"<nested deeper than {MAX_DEPTH} levels>"
    if isinstance(value, Mapping):
        return {_key(key): plain(item, depth) for key, item in value.items()}
    items = [plain(item, depth) for item in value]
    return sorted(items, key=orjson.dumps) if isinstance(value, (set, frozenset)) else items


def _plain_scalar(value: str | int | float | Decimal) -> str | int | float:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        if value.bit_length() <= _MAX_INTEGER_BITS:
            return int(value)
        return f"<integer of {value.bit_length()} bits>"
    number = float(value)
    return number if isfinite(number) else str(value)


def _text(value: str) -> str:
    if isinstance(value, SecretText):
        return _MASK
    text = str(value)
    # Half a surrogate pair is legal in JSON's escapes and in no encoding.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _key(key: Any) -> str:
    if isinstance(key, str):
        return _text(key)
    return str(key) if isinstance(key, int) else f"<{type(key).__name__}>"


def _of(report: StackReport, outcome: Outcome) -> Iterable[Finding]:
    return (finding for finding in report.findings if finding.outcome is outcome)


def _head(finding: Finding) -> dict[str, Any]:
    return {"logicalId": _text(finding.logical_id), "type": _text(finding.resource_type)}


def _not_compared(report: StackReport) -> list[dict[str, Any]]:
    return [
        {**_head(finding), "referencesUnresolved": finding.references_unresolved, "cause": cause.value}
        for finding in report.findings
        if (cause := uncompared_cause(finding)) is not None
    ]


def _optional_groups(report: StackReport) -> dict[str, Any]:
    groups: dict[str, list[Any]] = {
        "masked": [
            {**_head(finding), "paths": [_text(dotted(path)) for path in finding.masked]}
            for finding in report.findings
            if finding.masked
        ],
        "appeared": [
            {**_head(finding), "changes": _changes(finding.appeared)}
            for finding in report.findings
            if finding.appeared
        ],
        "ignored": [
            {
                **_head(finding),
                "changes": [
                    {**_change(ignored.change), "reason": _text(ignored.reason)}
                    for ignored in finding.ignored
                ],
            }
            for finding in report.findings
            if finding.ignored
        ],
        "warnings": [_text(warning) for warning in (*report.warnings, *_reasons(report))],
    }
    return {name: entries for name, entries in groups.items() if entries}


def _reasons(report: StackReport) -> Iterable[str]:
    """What to do about each resource that was not, or not wholly, compared."""
    return (
        f"{finding.logical_id} ({finding.resource_type}): {finding.reason}"
        for finding in report.findings
        if finding.reason and uncompared_cause(finding) is not None
    )


def _changes(changes: Iterable[Change]) -> list[dict[str, Any]]:
    return [_change(change) for change in changes]


def _change(change: Change) -> dict[str, Any]:
    entry = {"path": _text(dotted(change.path))}
    if change.state is not ABSENT:
        entry["stateValue"] = plain(change.state)
    if change.aws is not ABSENT:
        entry["awsValue"] = plain(change.aws)
    return entry
