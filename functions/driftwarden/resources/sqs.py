"""Amazon SQS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import flag, json_document, non_empty, number, tag_list, tag_map
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Tags, To, Write, as_is, lower

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = (
    "AWS.SimpleQueueService.NonExistentQueue",
    "QueueDoesNotExist",
    "com.amazonaws.sqs#QueueDoesNotExist",
)


def _fifo_only(name: str) -> Callable[[Reading], Any]:
    """Standard queues answer these attributes on some endpoints, but cannot be given them."""

    def read(reading: Reading) -> Any:
        return reading.get(f"main.{name}", "") if reading.get("main.FifoQueue") == "true" else ABSENT

    return read


_DEFAULTS: Final = {
    "VisibilityTimeout": 30,
    "MaximumMessageSize": 1_048_576,
    "MessageRetentionPeriod": 345_600,
    "DelaySeconds": 0,
    "ReceiveMessageWaitTimeSeconds": 0,
    "KmsDataKeyReusePeriodSeconds": 300,
    "KmsMasterKeyId": "",
    "ContentBasedDeduplication": False,
    "RedrivePolicy": "",
    "RedriveAllowPolicy": "",
}
"""What a queue has without being told (SetQueueAttributes reference); an empty text removes the attribute."""

QUEUE = ResourceType(
    name="AWS::SQS::Queue",
    service="sqs",
    gone=_GONE,
    calls=(
        Call("GetQueueAttributes", {"QueueUrl": "{id}", "AttributeNames": ["All"]}, at="Attributes"),
        Call("ListQueueTags", {"QueueUrl": "{id}"}, at="Tags", into="tags"),
    ),
    fields={
        "QueueName": lambda reading: reading.id.rsplit("/", 1)[-1],
        "VisibilityTimeout": From("main.VisibilityTimeout", number),
        "MaximumMessageSize": From("main.MaximumMessageSize", number),
        "MessageRetentionPeriod": From("main.MessageRetentionPeriod", number),
        "DelaySeconds": From("main.DelaySeconds", number),
        "ReceiveMessageWaitTimeSeconds": From("main.ReceiveMessageWaitTimeSeconds", number),
        "KmsDataKeyReusePeriodSeconds": From("main.KmsDataKeyReusePeriodSeconds", number),
        "KmsMasterKeyId": From("main.KmsMasterKeyId", default=""),
        "SqsManagedSseEnabled": From("main.SqsManagedSseEnabled", flag),
        "FifoQueue": From("main.FifoQueue", flag),
        "ContentBasedDeduplication": From("main.ContentBasedDeduplication", flag),
        "DeduplicationScope": _fifo_only("DeduplicationScope"),
        "FifoThroughputLimit": _fifo_only("FifoThroughputLimit"),
        "RedrivePolicy": From("main.RedrivePolicy", json_document, default={}),
        "RedriveAllowPolicy": From("main.RedriveAllowPolicy", non_empty(json_document)),
        "Tags": From("tags", tag_list, default=[]),
    },
    compared=TypeFacts(
        defaults={
            "VisibilityTimeout": 30,
            "DelaySeconds": 0,
            "MessageRetentionPeriod": 345600,
            "ReceiveMessageWaitTimeSeconds": 0,
        },
        users_own=("RedrivePolicy", "RedriveAllowPolicy"),
    ),
    writes=(
        Write(
            "SetQueueAttributes",
            {"QueueUrl": "{id}"},
            sets={name: f"Attributes.{name}" for name in _DEFAULTS},
            unset=_DEFAULTS,
        ),
        Write(
            "SetQueueAttributes",
            {"QueueUrl": "{id}"},
            sets={"SqsManagedSseEnabled": "Attributes.SqsManagedSseEnabled"},
            unset={"SqsManagedSseEnabled": True},
            when=lambda update: not update.desired.get("KmsMasterKeyId"),
        ),
        Write(
            "SetQueueAttributes",
            {"QueueUrl": "{id}"},
            style="whole",
            sets={
                name: To(f"Attributes.{name}", as_is)
                for name in ("DeduplicationScope", "FifoThroughputLimit")
            },
            unset={"DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"},
        ),
        Tags("TagQueue", "UntagQueue", {"QueueUrl": "{id}"}, pairs=tag_map),
    ),
    warns={
        "MessageRetentionPeriod": Caution("messages older than that are deleted within 15 minutes", lower),
        "KmsMasterKeyId": "producers and consumers without access to that key fail",
        "RedrivePolicy": "messages that cannot be processed go another way",
    },
)

QUEUE_POLICY = ResourceType(
    name="AWS::SQS::QueuePolicy",
    service="sqs",
    gone=_GONE,
    calls=(
        Call(
            "GetQueueAttributes",
            {"QueueUrl": "{id}", "AttributeNames": ["Policy"]},
            at=lambda answer, _: answer.get("Attributes", {}).get("Policy") or ABSENT,
        ),
    ),
    fields={
        "Queues": lambda reading: [reading.id],
        "PolicyDocument": From("main", json_document),
    },
    compared=TypeFacts(kinds={"Queues": Kind.SET}),
    writes=(Write("SetQueueAttributes", {"QueueUrl": "{id}"}, sets={"PolicyDocument": "Attributes.Policy"}),),
    refuses={"Queues": "which queues have the policy is decided by a deploy"},
)

TYPES = (QUEUE, QUEUE_POLICY)
