"""Driftwarden: finds every change made to the live resources of a stack behind its recorded state."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from driftwarden.read.api import read_back

__all__ = ["__version__", "read_back"]


def __getattr__(name: str) -> object:
    # Importing boto3 costs 0.2 s; whoever only wants the version or the model does not pay for it.
    if name == "read_back":
        from driftwarden.read.api import read_back

        return read_back
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
