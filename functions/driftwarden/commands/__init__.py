"""What the commands of the command line do, apart from parsing their arguments."""

from __future__ import annotations

from driftwarden.commands.detect import drift
from driftwarden.commands.inspect import permissions, read
from driftwarden.commands.resolve import Resolution, resolve
from driftwarden.commands.session import FAILED, Selection, Session, ignore_rules

__all__ = [
    "FAILED",
    "Resolution",
    "Selection",
    "Session",
    "drift",
    "ignore_rules",
    "permissions",
    "read",
    "resolve",
]
