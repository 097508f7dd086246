"""Bucket notifications: which events go where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from driftwarden.answers import dig
from driftwarden.convert import Converter, back, each, pick
from driftwarden.model import ABSENT

_RULES: Final = each(pick("Name", "Value"))


def _read_key_rules(value: Mapping[str, Any]) -> dict[str, Any]:
    rules = dig(value, "Key.FilterRules")
    return {} if rules is ABSENT else {"S3Key": {"Rules": _RULES(rules)}}


def _key_rules(value: Mapping[str, Any]) -> dict[str, Any]:
    rules = dig(value, "S3Key.Rules")
    return {} if rules is ABSENT else {"Key": {"FilterRules": back(_RULES, rules)}}


def _entry(target: str, arn: str) -> Converter:
    """One notification. CloudFormation has a single `Event`; made otherwise it may have several."""
    convert = pick(
        "Id", Filter=("Filter", Converter(read=_read_key_rules, write=_key_rules)), **{target: arn}
    )

    def read(entry: Mapping[str, Any]) -> dict[str, Any]:
        events = entry.get("Events", ())
        return {**convert(entry), **({"Event": events[0]} if len(events) == 1 else pick("Events")(entry))}

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        made = {name: item for name, item in back(convert, value).items() if item != {}}
        return {**made, "Events": value.get("Events") or [value["Event"]]}

    return Converter(read=read, write=write)


TARGETS: Final = (
    ("TopicConfigurations", "TopicConfigurations", _entry("Topic", "TopicArn")),
    ("QueueConfigurations", "QueueConfigurations", _entry("Queue", "QueueArn")),
    ("LambdaConfigurations", "LambdaFunctionConfigurations", _entry("Function", "LambdaFunctionArn")),
)
"""CloudFormation's list, the API's list, and what converts an entry."""


def notifications(answer: Mapping[str, Any]) -> dict[str, Any]:
    """EventBridge is a switch in CloudFormation; in the API, an empty block that is there or not."""
    made: dict[str, Any] = {
        "EventBridgeConfiguration": {"EventBridgeEnabled": "EventBridgeConfiguration" in answer}
    }
    for name, member, convert in TARGETS:
        if answer.get(member):
            made[name] = [convert(entry) for entry in answer[member]]
    return made
