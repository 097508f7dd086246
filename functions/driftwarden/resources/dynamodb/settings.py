"""What tables and global tables have in common: error codes, indexes, and converters of their settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from driftwarden.convert import pick
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed

GONE = ("ResourceNotFoundException",)
NOT_CONFIGURED = ("ResourceNotFoundException", "TableNotFoundException")

INDEX_KINDS: Final = {
    "GlobalSecondaryIndexes": Keyed(("IndexName",)),
    "LocalSecondaryIndexes": Keyed(("IndexName",)),
}

warm_throughput = pick("ReadUnitsPerSecond", "WriteUnitsPerSecond")
key_and_projection = pick("IndexName", "KeySchema", "Projection")


def stream(answer: Mapping[str, Any]) -> Any:
    """DescribeTable's `StreamSpecification`, where a stream is on."""
    if not (answer.get("StreamEnabled") and answer.get("StreamViewType")):
        return ABSENT
    return pick("StreamEnabled", "StreamViewType")(answer)


def encryption(answer: Mapping[str, Any]) -> Any:
    """DescribeTable's `SSEDescription`: none under AWS's own key, not ENABLED while the key changes."""
    if answer.get("Status") != "ENABLED":
        return ABSENT
    return {"SSEEnabled": True, **pick("SSEType", KMSMasterKeyId="KMSMasterKeyArn")(answer)}


def recovery(answer: Mapping[str, Any]) -> Any:
    """DescribeContinuousBackups' `PointInTimeRecoveryDescription`; the period is kept while it is on."""
    status = answer.get("PointInTimeRecoveryStatus")
    if status is None:
        return ABSENT
    if status != "ENABLED":
        return {"PointInTimeRecoveryEnabled": False}
    return {"PointInTimeRecoveryEnabled": True, **pick("RecoveryPeriodInDays")(answer)}


def time_to_live(answer: Mapping[str, Any]) -> Any:
    """DescribeTimeToLive's description, where it is fully on."""
    if answer.get("TimeToLiveStatus") != "ENABLED" or not answer.get("AttributeName"):
        return ABSENT
    return {"Enabled": True, "AttributeName": answer["AttributeName"]}


def kinesis_stream(destinations: list[Mapping[str, Any]]) -> Any:
    """The first active one of DescribeKinesisStreamingDestination's destinations."""
    active = (d for d in destinations if d.get("DestinationStatus") in {"ACTIVE", "ENABLING"})
    first = next(active, {})
    return (
        pick("StreamArn", "ApproximateCreationDateTimePrecision")(first) if "StreamArn" in first else ABSENT
    )
