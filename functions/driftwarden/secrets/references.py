"""Dynamic references: `{{resolve:service:...}}` tokens in recorded values, and the region that answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import orjson

from driftwarden.model import Record, StackState

MASK: Final = "***"
"""What the deploy tool records instead of a secret, and what every output shows instead of one."""

TOKEN: Final = re.compile(r"\{\{resolve:[^}]+\}\}")

SECRETS_MANAGER: Final = "secretsmanager"
PARAMETER_STORE: Final = "ssm"

_FIELD: Final = re.compile(r":(?:SecretString|SecretBinary):|:SecretString$")
_REGION: Final = re.compile(r"[a-z]{2}(?:-[a-z]+)+-\d{1,2}")
_ARN_FIELDS: Final = 6
_MAX_SELECTORS: Final = 3


class Elsewhere(Enum):
    """Why a reference has no region to be read in."""

    AMBIGUOUS = "ambiguous"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One token, taken apart. `name` is the secret's name or ARN, or the parameter's with its version."""

    text: str
    service: str
    name: str
    json_key: str = ""
    stage: str = ""
    version: str = ""

    @property
    def resolvable(self) -> bool:
        """Whether anybody resolves this spelling: nobody does `ssm-secure` and unknown services."""
        return self.service in (SECRETS_MANAGER, PARAMETER_STORE) and bool(self.name)


def parse(token: str) -> Reference:
    """Take a whole token apart.

    `secretsmanager:ID[:SecretString[:KEY[:STAGE[:VERSION_ID]]]]` or `ssm:NAME[:VERSION]`. A secretsmanager
    token with more fields than these has no name, so that nobody resolves it.
    """
    service, _, rest = token[len("{{resolve:") : -len("}}")].partition(":")
    if service != SECRETS_MANAGER:
        return Reference(text=token, service=service, name=rest)
    field = _FIELD.search(rest)
    if field is None:
        return Reference(text=token, service=service, name=rest)
    selectors = rest[field.end() :].split(":")
    if len(selectors) > _MAX_SELECTORS:
        return Reference(text=token, service=service, name="")
    json_key, stage, version = (*selectors, "", "")[:_MAX_SELECTORS]
    return Reference(
        text=token,
        service=service,
        name=rest[: field.start()],
        json_key=json_key,
        stage=stage,
        version=version,
    )


def region_of(reference: Reference, state: StackState) -> str | Elsewhere:
    """The region that answers: the ARN's own, else the stack's.

    The same name in two regions is two secrets, so a name without a region is ambiguous in a stack that (or
    whose ancestor) read something from another region.
    """
    if reference.name.startswith("arn:"):
        fields = reference.name.split(":", _ARN_FIELDS - 1)
        region = fields[3] if len(fields) == _ARN_FIELDS else ""
        if region:
            return region if _REGION.fullmatch(region) else Elsewhere.MALFORMED
    if state.foreign_regions - {state.ref.region}:
        return Elsewhere.AMBIGUOUS
    return state.ref.region


def mentions_secrets(record: Record) -> bool:
    """Whether the record may hold a token, mask or masked coordinate; cheap enough for every resource."""
    if record.no_echo_leaves:
        return True
    try:
        text = orjson.dumps((record.properties, record.observed))
    except TypeError:  # a lone surrogate or a huge integer, which orjson does not write
        return True
    return b"{{resolve:" in text or b"***" in text


def tokens_of(value: Any) -> Iterator[str]:
    """Every token inside a value, map keys included, in document order, repeats too."""
    if isinstance(value, str):
        yield from TOKEN.findall(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from TOKEN.findall(key)
            yield from tokens_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tokens_of(item)
