"""IAM policy documents by meaning (IAM User Guide, "Grammar of the IAM JSON policy language").

One element or a list of one; statements, actions, principals, resources and condition values as sets;
action names without case; an account id is that account's root; `"*"` and `{"AWS": "*"}` are the same
principal. Statement ids without a text and a missing Effect's spelling stay as they are: only what the
grammar calls equal is equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from driftwarden.compare.canonical.arns import account
from driftwarden.model import Marker, SecretText

SETS = ("Action", "NotAction", "Resource", "NotResource")
PRINCIPALS = ("Principal", "NotPrincipal")
FIRST_VERSION = "2008-10-17"
"""The version of a document that names none."""
_NO_ALIASES: Mapping[str, str] = {}


class Unordered(list[Any]):
    """A list of a policy whose order has no meaning. Compared by `driftwarden.compare.canonical.bag`."""


class ConditionKeys(dict[str, Any]):
    """The keys of one condition operator."""

    def lost_in(self, aws: Any) -> bool:
        """Whether the other side has the operator but none of its keys, all of them `aws:` ones.

        IAM holds no operator without keys: such a read-back went through a filter that was meant for `aws:`
        tags.
        """
        return (
            aws == {}
            and isinstance(aws, Mapping)
            and bool(self)
            and all(key.startswith("aws:") for key in self)
        )


def is_policy(value: Any) -> bool:
    """An object with statements, each of which has an effect."""
    if not isinstance(value, Mapping) or "Statement" not in value:
        return False
    statements = value["Statement"]
    listed = statements if isinstance(statements, list) else [statements]
    return all(isinstance(item, Mapping) and "Effect" in item for item in listed)


def policy(value: Mapping[str, Any], aliases: Mapping[str, str] = _NO_ALIASES) -> dict[str, Any]:
    """The canonical form of a policy document; the same again for a canonical one.

    `aliases` gives the ARN of a principal that AWS may also write as a unique or canonical user id.
    """
    out = {key: item for key, item in value.items() if key != "Statement" and item is not None}
    statements = value["Statement"]
    listed = statements if isinstance(statements, list) else [statements]
    out["Statement"] = Unordered(_statement(item, aliases) for item in listed)
    if out.get("Id") in ("", None):
        out.pop("Id", None)
    out.setdefault("Version", FIRST_VERSION)
    return out


def _statement(statement: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in statement.items():
        if value is None or (key in ("Sid", "Condition") and not value):
            continue
        if key in PRINCIPALS:
            out[key] = _principal(value, aliases)
        elif key in SETS:
            out[key] = Unordered(_action(item) if key.endswith("Action") else item for item in _listed(value))
        elif key == "Condition" and isinstance(value, Mapping):
            out[key] = {operator: _condition(keys) for operator, keys in value.items()}
        else:
            out[key] = value
    return out


def _listed(value: Any) -> list[Any]:
    items = value if isinstance(value, list) else [value]
    unique: list[Any] = []
    for item in items:
        if item not in unique:
            unique.append(item)
    return unique


def _action(item: Any) -> Any:
    return item.lower() if isinstance(item, str) and not isinstance(item, SecretText) else item


def _principal(value: Any, aliases: Mapping[str, str]) -> Any:
    if isinstance(value, Marker):
        return value
    by_kind = value if isinstance(value, Mapping) else {"AWS": value}
    out: dict[str, Unordered] = {}
    for kind, items in by_kind.items():
        for item in _listed(items):
            arn = aliases.get(item) if isinstance(item, str) else None
            held = out.setdefault(kind if arn is None else "AWS", Unordered())
            name = _account(item if arn is None else arn)
            if name not in held:
                held.append(name)
    return out


def _account(item: Any) -> Any:
    return account(item) if isinstance(item, str) and not isinstance(item, SecretText) else item


def _condition(keys: Any) -> Any:
    if not isinstance(keys, Mapping):
        return keys
    return ConditionKeys(
        (key.lower(), Unordered(_listed([_text(item) for item in _listed(value)])))
        for key, value in keys.items()
    )


def _text(item: Any) -> Any:
    """Condition values are texts: `true` and `"true"`, 5 and `"5"` are the same."""
    if isinstance(item, bool):
        return "true" if item else "false"
    return str(item) if isinstance(item, int | float) else item
