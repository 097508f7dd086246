"""Paths as people read them."""

from __future__ import annotations

from driftwarden.model import Path


def dotted(path: Path) -> str:
    """`("Tags", 0, "Key")` -> `Tags[0].Key`. For display only: a map key may hold dots itself."""
    text = ""
    for segment in path:
        if isinstance(segment, int):
            text += f"[{segment}]"
        else:
            text += f".{segment}" if text else str(segment)
    return text
