"""Facts about single resource types that their registry schema leaves out, by service."""

from __future__ import annotations

from driftwarden.compare.facts import compute, edge, identity, messaging, storage
from driftwarden.compare.facts.vocabulary import Keyed, Kind, Rule, TypeFacts

_BY_TYPE: dict[str, TypeFacts] = {
    **messaging.FACTS,
    **compute.FACTS,
    **storage.FACTS,
    **identity.FACTS,
    **edge.FACTS,
}


def facts_of(type_name: str) -> TypeFacts | None:
    """Declared facts of a type, or None."""
    return _BY_TYPE.get(type_name)


def described_types() -> frozenset[str]:
    """Types with declared facts."""
    return frozenset(_BY_TYPE)


__all__ = ["Keyed", "Kind", "Rule", "TypeFacts", "described_types", "facts_of"]
