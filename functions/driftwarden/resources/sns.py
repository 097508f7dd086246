"""Amazon SNS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import flag, json_document, non_empty, pick, sorted_by, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import By, Call, From, ResourceType, Tags, To, Write, as_is

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_GONE: Final = ("NotFound", "NotFoundException")

_LOGGED_PROTOCOLS: Final = ("Application", "Firehose", "HTTP", "Lambda", "SQS")
_LOGGING_ATTRIBUTES: Final = ("SuccessFeedbackRoleArn", "SuccessFeedbackSampleRate", "FailureFeedbackRoleArn")


def _delivery_status_logging(reading: Reading) -> list[dict[str, str]]:
    """One entry per protocol that logs; SNS has them as flat attributes, `SQSSuccessFeedbackRoleArn`."""
    spelled = _template_spellings(reading)
    entries = []
    for protocol in _LOGGED_PROTOCOLS:
        settings = {a: reading.get(f"main.{protocol}{a}") for a in _LOGGING_ATTRIBUTES}
        kept = {name: value for name, value in settings.items() if value is not ABSENT}
        if kept:
            entries.append({"Protocol": spelled.get(protocol.lower(), protocol), **kept})
    return entries


def _template_spellings(reading: Reading) -> dict[str, str]:
    """CloudFormation takes a protocol in any case, and `http/s` or `https` for HTTP."""
    spelled: dict[str, str] = {}
    for entry in reading.get("props.DeliveryStatusLogging", []):
        protocol = entry.get("Protocol", "")
        folded = protocol.lower()
        spelled.setdefault("http" if folded in {"http/s", "https"} else folded, protocol)
    return spelled


def _fifo_throughput_scope(reading: Reading) -> object:
    return reading.get("main.FifoThroughputScope", "") if reading.get("main.FifoTopic") == "true" else ABSENT


def _subscriptions(found: list[dict[str, Any]]) -> list[Any]:
    pairs = [pick("Protocol", "Endpoint")(s) for s in found if s.get("Protocol") and s.get("Endpoint")]
    return list(sorted_by("Protocol", "Endpoint")(pairs))


_TOPIC_DEFAULTS: Final = {
    "DisplayName": "",
    "KmsMasterKeyId": "",
    "TracingConfig": "PassThrough",
    "SignatureVersion": "1",
    "ContentBasedDeduplication": False,
    "ArchivePolicy": {},
}
"""What a topic has without being told (SetTopicAttributes reference)."""


def _set_delivery_logging(update: Update) -> None:
    """A protocol that lost its entry gets empty roles; an empty sample rate is rejected, so it becomes 0."""
    live, desired = (_by_protocol(bag.get("DeliveryStatusLogging")) for bag in (update.live, update.desired))
    for protocol in sorted({*live, *desired}):
        for attribute in _LOGGING_ATTRIBUTES:
            nothing = "0" if attribute.endswith("Rate") else ""
            old, new = (side.get(protocol, {}).get(attribute, nothing) for side in (live, desired))
            if old != new:
                update.call(
                    "SetTopicAttributes",
                    {
                        "TopicArn": update.id,
                        "AttributeName": f"{protocol}{attribute}",
                        "AttributeValue": new,
                    },
                )


def _by_protocol(entries: list[dict[str, str]] | None) -> dict[str, dict[str, str]]:
    names = {p.lower(): p for p in _LOGGED_PROTOCOLS} | {"http/s": "HTTP", "https": "HTTP"}
    return {
        names.get(entry["Protocol"].lower(), entry["Protocol"]): {
            k: v for k, v in entry.items() if k != "Protocol"
        }
        for entry in entries or []
    }


def _set_policy(update: Update) -> None:
    """One policy resource may speak for several topics."""
    for topic in update.id.split(","):
        update.call(
            "SetTopicAttributes",
            {
                "TopicArn": topic,
                "AttributeName": "Policy",
                "AttributeValue": json_document.write(update.desired["PolicyDocument"]),
            },
        )


TOPIC = ResourceType(
    name="AWS::SNS::Topic",
    service="sns",
    gone=_GONE,
    calls=(
        Call("GetTopicAttributes", {"TopicArn": "{id}"}, at="Attributes"),
        Call("ListTagsForResource", {"ResourceArn": "{id}"}, at="Tags", into="tags"),
        Call(
            "ListSubscriptionsByTopic",
            {"TopicArn": "{id}"},
            at="Subscriptions",
            into="subscriptions",
            pages=True,
            when=lambda reading: isinstance(reading.properties.get("Subscription"), list),
        ),
    ),
    fields={
        "TopicName": lambda reading: reading.id.rsplit(":", 1)[-1],
        "DisplayName": From("main.DisplayName", default=""),
        "KmsMasterKeyId": From("main.KmsMasterKeyId", default=""),
        "TracingConfig": From("main.TracingConfig", default=""),
        "SignatureVersion": From("main.SignatureVersion", default=""),
        "FifoTopic": From("main.FifoTopic", flag),
        "ContentBasedDeduplication": From("main.ContentBasedDeduplication", flag),
        "FifoThroughputScope": _fifo_throughput_scope,
        "ArchivePolicy": From("main.ArchivePolicy", non_empty(json_document)),
        "DataProtectionPolicy": From("main.DataProtectionPolicy", non_empty(json_document)),
        "DeliveryStatusLogging": _delivery_status_logging,
        "Subscription": From("subscriptions", _subscriptions),
        "Tags": From("tags", tag_list, default=[]),
    },
    compared=TypeFacts(users_own=("DisplayName",)),
    writes=(
        Write(
            "SetTopicAttributes",
            {"TopicArn": "{id}", "AttributeName": "{member}", "AttributeValue": "{value}"},
            style="each",
            sets={
                **{name: name for name in _TOPIC_DEFAULTS},
                "FifoThroughputScope": To("FifoThroughputScope", as_is),
            },
            unset={**_TOPIC_DEFAULTS, "FifoThroughputScope": "Topic"},
        ),
        Write(
            "PutDataProtectionPolicy",
            {"ResourceArn": "{id}"},
            same=("DataProtectionPolicy",),
            unset={"DataProtectionPolicy": ""},
        ),
        By(_set_delivery_logging, ("DeliveryStatusLogging",), (Write("SetTopicAttributes"),)),
        Tags("TagResource", "UntagResource", {"ResourceArn": "{id}"}),
    ),
    refuses={
        "Subscription": "a subscription that is made again has another ARN and asks its endpoint to confirm"
    },
    warns={
        "KmsMasterKeyId": "publishers without access to that key fail",
        "DataProtectionPolicy": "what the policy hides or blocks changes",
    },
)

TOPIC_POLICY = ResourceType(
    name="AWS::SNS::TopicPolicy",
    service="sns",
    gone=_GONE,
    calls=(Call("GetTopicAttributes", {"TopicArn": lambda reading: reading.id.split(",")[0]}),),
    fields={
        "Topics": lambda reading: reading.id.split(","),
        "PolicyDocument": From("main.Attributes.Policy", non_empty(json_document)),
    },
    compared=TypeFacts(kinds={"Topics": Kind.SET}),
    writes=(By(_set_policy, ("PolicyDocument",), (Write("SetTopicAttributes"),), unsets=False),),
    refuses={"Topics": "which topics have the policy is decided by a deploy"},
)

_PENDING: Final = frozenset({"PendingConfirmation", "pending confirmation"})


def _confirmed_arn(reading: Reading) -> object:
    """Until its endpoint confirms, a subscription has no ARN to ask for."""
    return ABSENT if reading.id in _PENDING else reading.id


_SUBSCRIPTION_DEFAULTS: Final = {
    "RawMessageDelivery": False,
    "FilterPolicy": {},
    "FilterPolicyScope": "MessageAttributes",
    "RedrivePolicy": "",
    "DeliveryPolicy": "",
    "ReplayPolicy": "",
    "SubscriptionRoleArn": "",
}
"""What a subscription has without being told (SetSubscriptionAttributes reference)."""

SUBSCRIPTION = ResourceType(
    name="AWS::SNS::Subscription",
    service="sns",
    gone=_GONE,
    calls=(Call("GetSubscriptionAttributes", {"SubscriptionArn": _confirmed_arn}, at="Attributes"),),
    same=("TopicArn", "Protocol", "Endpoint", "FilterPolicyScope", "SubscriptionRoleArn"),
    fields={
        "RawMessageDelivery": From("main.RawMessageDelivery", flag),
        "FilterPolicy": From("main.FilterPolicy", non_empty(json_document)),
        "RedrivePolicy": From("main.RedrivePolicy", non_empty(json_document)),
        "DeliveryPolicy": From("main.DeliveryPolicy", non_empty(json_document)),
        "ReplayPolicy": From("main.ReplayPolicy", non_empty(json_document)),
    },
    compared=TypeFacts(kinds={"DeliveryPolicy": Kind.FILLED}),
    writes=(
        Write(
            "SetSubscriptionAttributes",
            {"SubscriptionArn": "{id}", "AttributeName": "{member}", "AttributeValue": "{value}"},
            style="each",
            same=tuple(_SUBSCRIPTION_DEFAULTS),
            unset=_SUBSCRIPTION_DEFAULTS,
        ),
    ),
    warns={
        "FilterPolicy": "other messages than now are delivered",
        "ReplayPolicy": "archived messages are delivered again",
    },
)

TYPES = (SUBSCRIPTION, TOPIC, TOPIC_POLICY)
