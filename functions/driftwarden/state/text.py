"""How messages call stacks and objects; names and values in state are untrusted text."""

from __future__ import annotations

from driftwarden.model import StackRef
from driftwarden.plain_text import escape_controls

_LONGEST_KEY = 1024


def shown(value: object, limit: int = 200) -> str:
    """`value` as one plain line of about `limit` characters at most."""
    text = str(value)
    return escape_controls(text if len(text) <= limit else f"{text[:limit]}...")


def stack_name(ref: StackRef) -> str:
    """The stack's name and, where one is known, its region."""
    return f"{shown(ref.name)} ({shown(ref.region)})" if ref.region else shown(ref.name)


def s3_uri(bucket: str, key: str = "") -> str:
    """`s3://bucket/key`, or only the bucket's."""
    return f"s3://{shown(bucket)}" + (f"/{shown(key, _LONGEST_KEY)}" if key else "")
