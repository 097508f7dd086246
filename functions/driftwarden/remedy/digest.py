"""Digests by which a later step can tell that what it works on is what somebody approved."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from driftwarden.compare import Context
from driftwarden.compare.cloud_control import MANAGED
from driftwarden.compare.rules import rules_of
from driftwarden.compare.siblings import moved
from driftwarden.model import Change, Properties, Record
from driftwarden.report.json import plain
from driftwarden.secrets import MASK, Bound, conceal

_FINGERPRINT: Final = re.compile(r"\*\*\* \(#[0-9a-f]{4}\)")
"""Differs from run to run, so it must not count."""


def digest_of(value: Any) -> str:
    """The SHA-256 of a JSON value, in hexadecimal; the order of map keys does not count."""
    return hashlib.sha256(_canonical(plain(value))).hexdigest()


def live_digest(record: Record, bound: Bound, live: Properties, context: Context) -> str:
    """A digest of live properties, every secret place masked before.

    Left out is what changes without anybody's doing: what AWS alone writes, numbers that scaling moves, and
    the order of lists, which many services do not keep.
    """
    rules = rules_of(record.resource_type)
    skipped = rules.read_only | rules.service_written | frozenset(moved(record, context))
    shown = conceal([Change(path=(key,), aws=value) for key, value in live.items()], bound, record)
    return digest_of(
        {
            str(change.path[0]): _steady(change.aws, (str(change.path[0]),), skipped)
            for change in shown
            if change.path not in skipped and change.path[0] not in MANAGED
        }
    )


def _steady(value: Any, pattern: tuple[str, ...], skipped: frozenset[tuple[str, ...]]) -> Any:
    if isinstance(value, Mapping):
        return {
            key: _steady(item, (*pattern, key), skipped)
            for key, item in value.items()
            if (*pattern, key) not in skipped and key not in MANAGED
        }
    if isinstance(value, list | tuple):
        return sorted((plain(_steady(item, (*pattern, "*"), skipped)) for item in value), key=_canonical)
    return _FINGERPRINT.sub(MASK, value) if isinstance(value, str) else value


def _canonical(value: Any) -> bytes:
    text: bytes = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return text
