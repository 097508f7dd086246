"""Which IAM actions the references of a record need, and on what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from driftwarden.model import Record, StackState
from driftwarden.secrets.fetch import BATCH_GET_SECRET, DECRYPT, GET_PARAMETER, GET_PARAMETERS, GET_SECRET
from driftwarden.secrets.references import SECRETS_MANAGER, Reference, parse, region_of
from driftwarden.secrets.resolve import record_tokens


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SecretRead:
    """One secret or parameter to be read. `name` is a name or an ARN, as the reference spells it."""

    service: str
    region: str
    name: str
    actions: tuple[str, ...]


def required_reads(state: StackState) -> tuple[SecretRead, ...]:
    """What must be readable to compare every reference of a stack that can be resolved at all."""
    reads = set()
    for reference in _references(state.records.values()):
        region = region_of(reference, state)
        if isinstance(region, str):
            reads.add(
                SecretRead(
                    service=reference.service,
                    region=region,
                    name=reference.name,
                    actions=_actions(reference),
                )
            )
    return tuple(sorted(reads))


def required_actions(record: Record) -> frozenset[str]:
    """The IAM actions that the references of one record need.

    The batch actions only save requests: without them every secret is read singly. `kms:Decrypt` matters for
    secrets and SecureString parameters under a customer managed key.
    """
    return frozenset(action for reference in _references([record]) for action in _actions(reference))


def _references(records: Iterable[Record]) -> list[Reference]:
    tokens = {token for record in records for token in record_tokens(record)}
    return [reference for reference in map(parse, sorted(tokens)) if reference.resolvable]


def _actions(reference: Reference) -> tuple[str, ...]:
    if reference.service == SECRETS_MANAGER:
        return (GET_SECRET, BATCH_GET_SECRET, DECRYPT)
    return (GET_PARAMETER, GET_PARAMETERS, DECRYPT)
