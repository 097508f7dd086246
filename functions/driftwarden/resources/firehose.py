"""Amazon Data Firehose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import Convert, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType, Source

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading


def _without_empty(value: Any) -> Any:
    """Without the structures that say nothing; a list keeps its length."""
    if isinstance(value, list):
        return [_without_empty(element) for element in value]
    if not isinstance(value, Mapping):
        return value
    kept = {name: _without_empty(member) for name, member in value.items()}
    return {name: member for name, member in kept.items() if member != {}}


def _s3(description: Mapping[str, Any]) -> dict[str, Any]:
    cleaned: dict[str, Any] = _without_empty(pick(*_S3)(description))
    return {"EncryptionConfiguration": {}, "CloudWatchLoggingOptions": {}} | cleaned


def _extended_s3(description: Mapping[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = _without_empty(pick(*_EXTENDED, S3BackupMode="S3BackupMode")(description))
    backup = description.get("S3BackupDescription")
    made = _s3(description) | {name: {} for name in _EXTENDED} | own
    return made | {"S3BackupConfiguration": _s3(backup) if backup else {}}


def _indexed(description: Mapping[str, Any]) -> dict[str, Any]:
    """OpenSearch and Splunk; CloudFormation's block for the VPC lacks what Firehose adds to it."""
    made = {name: member for name, member in description.items() if name != "VpcConfigurationDescription"}
    vpc = description.get("VpcConfigurationDescription", {})
    made["VpcConfiguration"] = {name: member for name, member in vpc.items() if name != "VpcId"}
    cleaned: dict[str, Any] = _without_empty(made)
    return cleaned


_S3: Final = (
    "RoleARN",
    "BucketARN",
    "Prefix",
    "ErrorOutputPrefix",
    "BufferingHints",
    "CompressionFormat",
    "EncryptionConfiguration",
    "CloudWatchLoggingOptions",
)
_EXTENDED: Final = (
    "ProcessingConfiguration",
    "DataFormatConversionConfiguration",
    "DynamicPartitioningConfiguration",
)

_DESTINATIONS: Final[Mapping[str, Convert]] = {
    "ExtendedS3": _extended_s3,
    "S3": _s3,
    "Redshift": pick(
        "RoleARN",
        "ClusterJDBCURL",
        "CopyCommand",
        "Username",
        "RetryOptions",
        "ProcessingConfiguration",
        "S3BackupMode",
        "CloudWatchLoggingOptions",
        "SecretsManagerConfiguration",
        S3Configuration=("S3DestinationDescription", _s3),
        S3BackupConfiguration=("S3BackupDescription", _s3),
    ),
    "Elasticsearch": _indexed,
    "Amazonopensearchservice": _indexed,
    "AmazonOpenSearchServerless": _indexed,
    "Splunk": _indexed,
    "HttpEndpoint": pick(
        "EndpointConfiguration",
        "BufferingHints",
        "CloudWatchLoggingOptions",
        "RequestConfiguration",
        "ProcessingConfiguration",
        "RoleARN",
        "RetryOptions",
        "SecretsManagerConfiguration",
    ),
}
"""In the order in which they are looked for: an extended S3 destination is described as a plain one too."""


def _destination(kind: str) -> Source:
    def read(reading: Reading) -> Any:
        described = reading.get("main.Destinations.0", {})
        found = next((k for k in _DESTINATIONS if f"{k}DestinationDescription" in described), None)
        return _DESTINATIONS[kind](described[f"{kind}DestinationDescription"]) if found == kind else ABSENT

    return read


_PROCESSORS: Final = "ExtendedS3DestinationConfiguration.ProcessingConfiguration.Processors"

DELIVERY_STREAM = ResourceType(
    name="AWS::KinesisFirehose::DeliveryStream",
    service="firehose",
    gone=("ResourceNotFoundException",),
    calls=(
        Call("DescribeDeliveryStream", {"DeliveryStreamName": "{id}"}, at="DeliveryStreamDescription"),
        Call("ListTagsForDeliveryStream", {"DeliveryStreamName": "{id}"}, at="Tags", into="tags"),
    ),
    same=("DeliveryStreamName", "DeliveryStreamType"),
    fields={
        "KinesisStreamSourceConfiguration": From(
            "main.Source.KinesisStreamSourceDescription", pick("KinesisStreamARN", "RoleARN")
        ),
        "DeliveryStreamEncryptionConfigurationInput": From(
            "main.DeliveryStreamEncryptionConfiguration", pick("KeyARN", "KeyType"), default={}
        ),
        **{f"{kind}DestinationConfiguration": _destination(kind) for kind in _DESTINATIONS},
        "Tags": From("tags", tag_list, default=[]),
    },
    compared=TypeFacts(kinds={f"{_PROCESSORS}.*.Parameters": Kind.AT_LEAST}),
)

TYPES = (DELIVERY_STREAM,)
