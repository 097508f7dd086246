"""The recorded state of stacks, as the deploy tool keeps it in S3, and the lock that guards it."""

from __future__ import annotations

from driftwarden.state.lock import LockOperation, StackLock
from driftwarden.state.schema import parse_state
from driftwarden.state.store import StateDocument, StateStore

__all__ = ["LockOperation", "StackLock", "StateDocument", "StateStore", "parse_state"]
