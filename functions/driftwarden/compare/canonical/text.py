"""Small spellings of single texts: versions, schedules, units, moments, characters lost on the way."""

from __future__ import annotations

import re
from datetime import UTC, datetime

UNITS = re.compile(r"(\d*\.?\d+)\s*(vcpu|gb)", re.IGNORECASE)
EPOCH = re.compile(r"1\d{9}(?:\.0+|000)?")
MASK = re.compile(r"\*{4,}")
RATE = re.compile(r"rate\(\s*(\d+)\s+(minute|hour|day)s?\s*\)")
ISO = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?")
MINUTES = {"minute": 1, "hour": 60, "day": 1440}


def version_covers(declared: str, live: str) -> bool:
    """A declared `8.0` covers `8.0.45`, and `6.x` covers `6.2`; prefixes end at dots, so `1` does not cover
    `15.6`.
    """
    stem = declared.removesuffix(".x")
    return bool(stem) and live.startswith(stem + ".")


def schedule(text: str) -> str:
    """`rate(60 minutes)` -> `rate(60)`, and `rate(1 hour)` the same; anything else as it is."""
    match = RATE.fullmatch(text.strip())
    return f"rate({int(match[1]) * MINUTES[match[2]]})" if match else text


def instant(text: str) -> str:
    """`2030-01-01T00:00:00Z`, the same with milliseconds or another offset, the plain day, and whole seconds
    since 1970: one spelling each.
    """
    if EPOCH.fullmatch(text) is not None:
        return datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
    if ISO.fullmatch(text) is None:
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def units(text: str) -> str:
    """`1 vCPU` -> `1024`, `.5 vCPU` -> `512`, `2GB` -> `2048`; plain numbers as they are (Amazon ECS,
    "Task size").
    """
    match = UNITS.fullmatch(text.strip())
    return f"{float(match[1]) * 1024:.0f}" if match else text


def url(text: str) -> str:
    """`https://token.example.com` -> `token.example.com`, as IAM keeps the URL of an identity provider."""
    return text.removeprefix("https://")


def custom_name(text: str) -> str:
    """`custom:team` -> `team` (Amazon Cognito, "Custom attributes")."""
    return text.removeprefix("dev:").removeprefix("custom:")


def pem(text: str) -> str:
    """A key or certificate without the white space around its lines; anything else as it is."""
    if not text.lstrip().startswith("-----BEGIN "):
        return text
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def bucket_path(text: str) -> str:
    """`s3://bucket/path` -> `bucket/path`."""
    return text.removeprefix("s3://")


def masked(text: str) -> bool:
    """Whether a service shows asterisks instead of a value that it keeps to itself."""
    return MASK.fullmatch(text) is not None


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
