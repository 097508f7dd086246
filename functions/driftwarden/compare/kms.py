"""KMS keys by alias, id or ARN."""

from __future__ import annotations

import re

from driftwarden.compare.canonical.arns import ARN
from driftwarden.compare.context import Context

ALIAS = re.compile(r"(?:arn:aws[\w-]*:kms:[^:]*:[^:]*:)?(alias/.+)")
KEY_ID = re.compile(r"(?:mrk-)?[0-9a-f]{8}(?:-?[0-9a-f]{4,}){1,4}")


def same_key(state: str, aws: str, context: Context, *, observed: bool) -> bool:
    """Whether one text names the key and the other an alias of it.

    An alias that a resource of the stack declares must point at that very key. Which key any other alias
    points at cannot be told from here, so on a template-only baseline an alias stands for a key of the same
    account and region; an observed baseline holds what AWS answered and stays literal.
    """
    for alias_text, key_text in ((state, aws), (aws, state)):
        alias = ALIAS.fullmatch(alias_text)
        if alias is None or ALIAS.fullmatch(key_text):
            continue
        if (target := _declared_target(alias.group(1), context)) is not None:
            return _key_id(target) == _key_id(key_text)
        return not observed and _is_own_key(key_text, context)
    return False


def _declared_target(alias: str, context: Context) -> str | None:
    for record in context.of_type("AWS::KMS::Alias"):
        if alias in (record.physical_id, record.properties.get("AliasName")):
            target = record.properties.get("TargetKeyId")
            return target if isinstance(target, str) else None
    return None


def _key_id(text: str) -> str:
    return text.rsplit("/", 1)[-1]


def _is_own_key(text: str, context: Context) -> bool:
    match = ARN.fullmatch(text)
    if match is None:
        return KEY_ID.fullmatch(text) is not None
    own_account = context.account_id is None or match["account"] == context.account_id
    return (
        match["service"] == "kms"
        and match["resource"].startswith("key/")
        and match["region"] == context.region
        and own_account
    )
