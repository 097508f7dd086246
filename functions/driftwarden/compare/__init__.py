"""Hold a recorded baseline against what AWS reports: pure functions, no clients, no clock."""

from __future__ import annotations

from driftwarden.compare.context import Comparison, Context
from driftwarden.compare.differ import compare

__all__ = ["Comparison", "Context", "compare"]
