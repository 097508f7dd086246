"""Tags of EC2 resources, which one pair of operations changes for all types."""

from __future__ import annotations

from typing import Final

from driftwarden.resources.spec import Tags

TAGS: Final = Tags(
    "CreateTags",
    "DeleteTags",
    {"Resources": ["{id}"]},
    keys_at="Tags",
    keys=lambda keys: [{"Key": key} for key in keys],
)
"""DeleteTags takes keys as tags without a value: any value of theirs goes then (EC2 API Reference)."""
