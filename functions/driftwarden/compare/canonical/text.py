"""Small spellings of single texts: versions, schedules, public keys, characters lost on the way."""

from __future__ import annotations

import re
from datetime import UTC, datetime

RATE = re.compile(r"rate\(\s*(\d+)\s+(minute|hour|day)s?\s*\)")
ISO = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?")
MINUTES = {"minute": 1, "hour": 60, "day": 1440}


def version_covers(declared: str, live: str) -> bool:
    """A declared `8.0` covers `8.0.45`; prefixes end at dots, so `1` does not cover `15.6`."""
    return bool(declared) and live.startswith(declared + ".")


def schedule(text: str) -> str:
    """`rate(60 minutes)` -> `rate(60)`, and `rate(1 hour)` the same; anything else as it is."""
    match = RATE.fullmatch(text.strip())
    return f"rate({int(match[1]) * MINUTES[match[2]]})" if match else text


def instant(text: str) -> str:
    """`2030-01-01T00:00:00Z`, the same with milliseconds or another offset, and the plain day: one spelling
    each.
    """
    if ISO.fullmatch(text) is None:
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def ssh_key(text: str) -> str:
    """A public key without its comment: kind and body."""
    return " ".join(text.split()[:2])


def lost_characters(declared: str, live: str) -> bool:
    """CloudFormation hands a template back with `?` for every character outside ASCII; all others must
    agree.
    """
    return (
        len(declared) == len(live)
        and not live.isascii()
        and all(
            want == got or (want == "?" and not got.isascii())
            for want, got in zip(declared, live, strict=True)
        )
    )
