"""How one record of a stack names another."""

from __future__ import annotations

from typing import Any

from driftwarden.model import Record


def names_of(record: Record, *properties: str) -> frozenset[str]:
    """Every way to write a record: its physical id, its ARN, the last part of each, and these properties."""
    found = {record.physical_id, *(str(record.properties.get(name, "")) for name in properties)}
    arn = record.attributes.get("Arn")
    if isinstance(arn, str):
        found.add(arn)
    found |= {text.rsplit("/", 1)[-1] for text in found}
    return frozenset(found - {""})


def refers(value: Any, record: Record, *properties: str) -> bool:
    """Whether a property's value names the record."""
    known = names_of(record, *properties)
    return isinstance(value, str) and (value in known or value.rsplit("/", 1)[-1] in known)


def listed(value: Any) -> list[Any]:
    """The elements of a list property; none for anything else."""
    return value if isinstance(value, list) else []
