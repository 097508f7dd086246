"""Amazon Kinesis Data Streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.convert import holding, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = ("ResourceNotFoundException",)


def _listed_shards(reading: Reading) -> object:
    """An on-demand stream has as many shards as its traffic needs; no template sets that number."""
    if reading.get("main.StreamModeDetails.StreamMode") != "PROVISIONED":
        return ABSENT
    return len(reading.get("main.Shards", []))


def _encryption(reading: Reading) -> dict[str, Any]:
    key = reading.get("main.KeyId")
    kind = {"EncryptionType": reading.get("main.EncryptionType", "NONE")}
    return kind if key is ABSENT else kind | {"KeyId": key}


def _metrics(monitoring: list[dict[str, Any]]) -> list[str]:
    return [metric for entry in monitoring for metric in entry.get("ShardLevelMetrics", [])]


STREAM = ResourceType(
    name="AWS::Kinesis::Stream",
    service="kinesis",
    gone=_GONE,
    calls=(
        Call("DescribeStream", {"StreamName": "{id}"}, at="StreamDescription"),
        Call("DescribeStreamSummary", {"StreamName": "{id}"}, at="StreamDescriptionSummary", into="summary"),
        Call("ListTagsForStream", {"StreamName": "{id}"}, at="Tags", into="tags"),
    ),
    same=("RetentionPeriodHours",),
    fields={
        "Name": "main.StreamName",
        "StreamModeDetails": From("main.StreamModeDetails.StreamMode", holding("StreamMode")),
        "ShardCount": _listed_shards,
        "StreamEncryption": _encryption,
        "DesiredShardLevelMetrics": From("main.EnhancedMonitoring", _metrics, default=[]),
        "MaxRecordSizeInKiB": "summary.MaxRecordSizeInKiB",
        "Tags": From("tags", tag_list, default=[]),
    },
)

STREAM_CONSUMER = ResourceType(
    name="AWS::Kinesis::StreamConsumer",
    service="kinesis",
    gone=_GONE,
    calls=(
        Call("DescribeStreamConsumer", {"ConsumerARN": "{id}"}, at="ConsumerDescription"),
        Call("ListTagsForResource", {"ResourceARN": "{id}"}, at="Tags", into="tags"),
    ),
    same=("ConsumerName", "StreamARN"),
    fields={"Tags": From("tags", tag_list, default=[])},
)

TYPES = (STREAM, STREAM_CONSUMER)
