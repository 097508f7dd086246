"""Tags: lists of Key/Value in three spellings, or maps; no order; what AWS itself writes into them is left
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from driftwarden.compare.canonical.scalars import as_text

SPELLINGS = (("Key", "Value"), ("key", "value"), ("TagKey", "TagValue"))
SERVICE_KEYS = frozenset({"AmazonECSManaged", "AmazonECSCreated"})
SERVICE_PREFIXES = ("aws:", "eks:", "elasticbeanstalk:", "dlm:")
"""Tags that services put on resources of their users (developer guides of ECS, EKS, Elastic Beanstalk and
DLM). `aws:` is reserved for AWS as a whole (Tagging AWS resources, "Tag naming limits").
"""

Tags = dict[str, tuple[Any, Any]]
"""Per tag key its value, and the rest of the entry (`PropagateAtLaunch`)."""


def is_tag_property(name: str) -> bool:
    """Whether a property of this name holds tags."""
    return name.lower().endswith("tags") or name == "TagList"


def authored_by_aws(key: str) -> bool:
    """Whether a service wrote this tag, not a person."""
    return key.lower().startswith(SERVICE_PREFIXES) or key in SERVICE_KEYS


def tags(value: Any) -> Tags | None:
    """The user's tags by key, or None when the value is not a set of tags."""
    if isinstance(value, Mapping):
        pairs: Iterable[tuple[Any, Any, Any]] = ((key, text, None) for key, text in value.items())
    elif isinstance(value, list):
        entries = [_entry(item) for item in value if item is not None]
        if None in entries:
            return None
        pairs = [entry for entry in entries if entry is not None]
    else:
        return None
    found: Tags = {}
    for key, text, rest in pairs:
        if not isinstance(key, str):
            return None
        if not authored_by_aws(key):
            found[key] = ("" if text is None else as_text(text), rest)
    return found


def _entry(item: Any) -> tuple[Any, Any, Any] | None:
    if not isinstance(item, Mapping):
        return None
    for key, value in SPELLINGS:
        if key in item:
            rest = {name: as_text(more) for name, more in item.items() if name not in (key, value)}
            return item[key], item.get(value), rest or None
    return None
