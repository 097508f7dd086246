"""JSON documents, as objects or as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from driftwarden.compare.canonical.scalars import as_text
from driftwarden.model import SecretText


def parsed(value: Any) -> Any:
    """The object or list that a text holds as JSON; anything else as it is."""
    if not isinstance(value, str) or isinstance(value, SecretText) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value


def holds(declared: Any, live: Any) -> bool:
    """Whether a live document is a declared one with more members in its objects and no other change."""
    if isinstance(declared, Mapping) and isinstance(live, Mapping):
        return all(key in live and holds(item, live[key]) for key, item in declared.items())
    if isinstance(declared, list) and isinstance(live, list):
        return len(declared) == len(live) and all(map(holds, declared, live))
    return isinstance(declared, bool) == isinstance(live, bool) and bool(declared == live)


def substituted(value: Any, names: Mapping[str, Any]) -> Any:
    """A document with every `${name}` of `names` replaced, as Step Functions does before it stores a
    definition.
    """
    if isinstance(value, str) and not isinstance(value, SecretText):
        for name, text in names.items():
            value = value.replace(
                f"${{{name}}}", as_text(text) if isinstance(text, str | int | float) else ""
            )
        return value
    if isinstance(value, Mapping):
        return {key: substituted(item, names) for key, item in value.items()}
    return [substituted(item, names) for item in value] if isinstance(value, list) else value
