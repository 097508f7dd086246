"""What other resources of the same stack explain: parts of a list that they own, numbers that they move."""

from __future__ import annotations

from driftwarden.compare.siblings.bands import in_band, moved
from driftwarden.compare.siblings.owned import has_policy_of_its_own, unexplained

__all__ = ["has_policy_of_its_own", "in_band", "moved", "unexplained"]
