"""Lambda event source mappings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import renamed, sorted_by, tag_list, tag_map
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, Caution, From, ResourceType, Tags, To, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_BATCH_SOURCES: Final = frozenset({"sqs", "kinesis", "dynamodb"})
_SECURED_SOURCES: Final = frozenset({"kafka", "mq", "documentdb"})
_KAFKA_BLOCKS: Final = (
    "SelfManagedEventSource",
    "SelfManagedKafkaEventSourceConfig",
    "AmazonManagedKafkaEventSourceConfig",
)
_ENABLED_STATES: Final = frozenset({"Enabled", "Enabling", "Updating"})


def _kind(reading: Reading) -> str:
    """The kind of event source: the service in its ARN, save where a block of its own tells."""
    if any(reading.get(f"main.{block}") is not ABSENT for block in _KAFKA_BLOCKS):
        return "kafka"
    if reading.get("main.DocumentDBEventSourceConfig") is not ABSENT:
        return "documentdb"
    segments = str(reading.get("main.EventSourceArn", "")).split(":")
    service = segments[2] if len(segments) > 2 else ""  # noqa: PLR2004
    return "documentdb" if service == "rds" else service


def _list_for(name: str, kinds: frozenset[str]) -> Callable[[Reading], Any]:
    """A list that these kinds of source always have, others only when AWS returns it."""
    return lambda reading: reading.get(f"main.{name}", [] if _kind(reading) in kinds else ABSENT)


def _function_name(reading: Reading) -> Any:
    """The function's ARN, or its bare name where the template gives that."""
    arn = reading.get("main.FunctionArn")
    name = reading.get("props.FunctionName")
    return name if arn is not ABSENT and name == arn.rsplit(":", 1)[-1] else arn


def _self_managed(source: Any) -> Any:
    if "Endpoints" not in source:
        return source
    endpoints = renamed({"KAFKA_BOOTSTRAP_SERVERS": "KafkaBootstrapServers"})(source["Endpoints"])
    return {**source, "Endpoints": endpoints}


_DEFAULTS: Final = {
    "BisectBatchOnFunctionError": False,
    "DestinationConfig": {},
    "FilterCriteria": {},
    "FunctionResponseTypes": [],
    "KmsKeyArn": "",
    "MaximumBatchingWindowInSeconds": 0,
    "MaximumRecordAgeInSeconds": -1,
    "MaximumRetryAttempts": -1,
    "MetricsConfig": {"Metrics": []},
    "ParallelizationFactor": 1,
    "ProvisionedPollerConfig": {},
    "ScalingConfig": {},
    "SourceAccessConfigurations": [],
    "TumblingWindowInSeconds": 0,
}
"""What a mapping has without being told (UpdateEventSourceMapping reference). The batch size varies."""

_GROUP_IS_FIXED: Final = "a mapping keeps the consumer group that it was made with"

_CHANGING: Final = frozenset({"Creating", "Disabling", "Enabling", "Updating"})


def _settled(update: Update) -> bool:
    return update.get("main.State") not in _CHANGING


def _shorter(desired: Any, live: Any) -> bool:
    """Less than now, where -1 (or nothing) means without end."""
    ours, theirs = (float("inf") if n in (-1, None, ABSENT) else float(n) for n in (desired, live))
    return ours < theirs


EVENT_SOURCE_MAPPING = ResourceType(
    name="AWS::Lambda::EventSourceMapping",
    service="lambda",
    gone=("ResourceNotFoundException",),
    calls=(
        Call("GetEventSourceMapping", {"UUID": "{id}"}),
        Call("ListTags", {"Resource": "{main.EventSourceMappingArn}"}, at="Tags", into="tags"),
    ),
    same=(
        "AmazonManagedKafkaEventSourceConfig",
        "BatchSize",
        "BisectBatchOnFunctionError",
        "DestinationConfig",
        "DocumentDBEventSourceConfig",
        "EventSourceArn",
        "FilterCriteria",
        "LoggingConfig",
        "MaximumBatchingWindowInSeconds",
        "MaximumRecordAgeInSeconds",
        "MaximumRetryAttempts",
        "MetricsConfig",
        "ParallelizationFactor",
        "ProvisionedPollerConfig",
        "Queues",
        "ScalingConfig",
        "SelfManagedKafkaEventSourceConfig",
        "StartingPosition",
        "Topics",
        "TumblingWindowInSeconds",
    ),
    fields={
        "FunctionName": _function_name,
        "KmsKeyArn": "main.KMSKeyArn",
        "StartingPositionTimestamp": From(
            "main.StartingPositionTimestamp", lambda moment: int(moment.timestamp())
        ),
        "SelfManagedEventSource": From("main.SelfManagedEventSource", _self_managed),
        "FunctionResponseTypes": _list_for("FunctionResponseTypes", _BATCH_SOURCES),
        "SourceAccessConfigurations": _list_for("SourceAccessConfigurations", _SECURED_SOURCES),
        "Enabled": From("main.State", lambda state: state in _ENABLED_STATES),
        "Tags": From("tags", lambda tags: sorted_by("Key")(tag_list(tags)), default=[]),
    },
    compared=TypeFacts(kinds={"FilterCriteria.Filters": Kind.SET}),
    writes=(
        Write(
            "UpdateEventSourceMapping",
            {"UUID": "{id}"},
            same=(
                "AmazonManagedKafkaEventSourceConfig",
                "BatchSize",
                "DocumentDBEventSourceConfig",
                "LoggingConfig",
                "SelfManagedKafkaEventSourceConfig",
            ),
            sets={
                **{name: To(name) for name in _DEFAULTS if name != "KmsKeyArn"},
                "KmsKeyArn": To("KMSKeyArn"),
                "Enabled": To("Enabled"),
                "FunctionName": To("FunctionName"),
            },
            unset=_DEFAULTS,
            ready=_settled,
        ),
        Tags("TagResource", "UntagResource", {"Resource": "{main.EventSourceMappingArn}"}, pairs=tag_map),
    ),
    refuses={
        "AmazonManagedKafkaEventSourceConfig.ConsumerGroupId": _GROUP_IS_FIXED,
        "SelfManagedKafkaEventSourceConfig.ConsumerGroupId": _GROUP_IS_FIXED,
    },
    warns={
        "Enabled": Caution("everything that piled up at the source is processed", becomes(True)),
        "FilterCriteria": "other events than now reach the function, and the rest is gone for good",
        "FunctionName": "another function than now gets the events",
        "MaximumRecordAgeInSeconds": Caution("older records are given up", _shorter),
        "MaximumRetryAttempts": Caution("failed batches are given up earlier", _shorter),
    },
)
