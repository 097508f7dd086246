"""Where things lie in the reports bucket. No stack name or scan id can leave its own prefix."""

from __future__ import annotations

from urllib.parse import quote

from driftwarden.model import StackRef


def report_key(ref: StackRef, finished_at: str, scan_id: str) -> str:
    """`reports/{stack}/{region}/{yyyy}/{mm}/{dd}/{utcTimestamp}-{scanId}.json`.

    `finished_at` is `2025-01-31T08:15:00Z`; the key's timestamp is `20250131T081500Z`.
    """
    day = finished_at[:10].replace("-", "/")
    moment = finished_at.replace("-", "").replace(":", "")
    return f"reports/{place(ref)}/{day}/{moment}-{segment(scan_id)}.json"


def latest_key(ref: StackRef) -> str:
    """The newest report of a stack."""
    return f"latest/{place(ref)}.json"


def running_key(ref: StackRef) -> str:
    """The marker that is there while a stack is being scanned."""
    return f"running/{place(ref)}.json"


def place(ref: StackRef) -> str:
    """`{stack}/{region}`, as in every key that belongs to one stack."""
    return f"{segment(ref.name)}/{segment(ref.region)}"


def segment(name: str) -> str:
    """One path segment: anything but letters, digits and `~_-.` is percent-encoded, and so are lone dots."""
    encoded = quote(name, safe="~", errors="replace")
    return encoded.replace(".", "%2E") if not encoded.strip(".") else encoded
