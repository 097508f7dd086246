"""Tables with replicas in several regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from driftwarden.answers import EmptyAnswer, dig
from driftwarden.convert import non_empty, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.dynamodb import changes, replicas
from driftwarden.resources.dynamodb.replicas import arn_in
from driftwarden.resources.dynamodb.settings import (
    GONE,
    INDEX_KINDS,
    NOT_CONFIGURED,
    encryption,
    key_and_projection,
    kinesis_stream,
    recovery,
    stream,
    time_to_live,
    warm_throughput,
)
from driftwarden.resources.spec import By, Call, Caution, ResourceType, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_NO_SCALING = ("ObjectNotFoundException",)

_tracking = pick("DisableScaleIn", "ScaleInCooldown", "ScaleOutCooldown", "TargetValue")


def _read(reading: Reading) -> Mapping[str, Any]:
    """A reader of its own: every replica is asked in its own region, and CloudFormation divides among table,
    indexes and replicas what DynamoDB and Application Auto Scaling each keep in one place.
    """
    table = dig(reading.call("DescribeTable", {"TableName": reading.id}), "Table")
    if table is ABSENT:
        raise EmptyAnswer("dynamodb:DescribeTable", "Table")
    provisioned = dig(table, "BillingModeSummary.BillingMode") == "PROVISIONED"
    replicas = _replicas(reading, table, provisioned)
    properties = {
        **pick("TableName", "KeySchema", "AttributeDefinitions", "DeletionProtectionEnabled")(table),
        "LocalSecondaryIndexes": non_empty()(table.get("LocalSecondaryIndexes")),
        "BillingMode": dig(table, "BillingModeSummary.BillingMode"),
        "TableClass": dig(table, "TableClassSummary.TableClass"),
        "StreamSpecification": stream(table.get("StreamSpecification", {})),
        "SSESpecification": _encryption(table),
        "TimeToLiveSpecification": _setting(
            reading, "DescribeTimeToLive", "TimeToLiveDescription", time_to_live, reading.region
        ),
        "WriteOnDemandThroughputSettings": pick("MaxWriteRequestUnits")(table.get("OnDemandThroughput", {})),
        "WriteProvisionedThroughputSettings": _capacity(reading, table, "Write") if provisioned else {},
        "GlobalSecondaryIndexes": [
            _index(reading, index, provisioned) for index in table.get("GlobalSecondaryIndexes", ())
        ]
        or ABSENT,
        "Replicas": replicas,
    }
    return _present(properties)


def _present(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not ABSENT}


def _encryption(table: Mapping[str, Any]) -> Any:
    """The key is a replica's own; the table only says that there is one."""
    found = encryption(table.get("SSEDescription", {}))
    return found if found is ABSENT else pick("SSEEnabled", "SSEType")(found)


def _index(reading: Reading, index: Mapping[str, Any], provisioned: bool) -> dict[str, Any]:
    return {
        **key_and_projection(index),
        **_unless_empty("WarmThroughput", warm_throughput(index.get("WarmThroughput", {}))),
        **_throughput(reading, index, "Write", provisioned),
    }


def _throughput(
    reading: Reading, index: Mapping[str, Any], direction: str, provisioned: bool
) -> dict[str, Any]:
    """One direction of an index' capacity, under the name of the billing mode that applies."""
    if provisioned:
        capacity = _capacity(reading, index, direction)
        return _unless_empty(f"{direction}ProvisionedThroughputSettings", capacity)
    units = pick(f"Max{direction}RequestUnits")(index.get("OnDemandThroughput", {}))
    return _unless_empty(f"{direction}OnDemandThroughputSettings", units)


def _unless_empty(name: str, value: Any) -> dict[str, Any]:
    return {name: value} if value else {}


def _capacity(reading: Reading, holder: Mapping[str, Any], direction: str) -> dict[str, Any]:
    """Provisioned capacity of the table or an index; auto scaling wins over the units of the moment."""
    units: dict[str, Any] = pick(f"{direction}CapacityUnits")(holder.get("ProvisionedThroughput", {}))
    return _scaling(reading, direction, holder.get("IndexName", ""), reading.region) or units


def _scaling(reading: Reading, direction: str, index: str, region: str) -> dict[str, Any]:
    resource = f"table/{reading.id}/index/{index}" if index else f"table/{reading.id}"
    dimension = {
        "ServiceNamespace": "dynamodb",
        "ScalableDimension": f"dynamodb:{'index' if index else 'table'}:{direction}CapacityUnits",
    }
    targets = reading.call(
        "DescribeScalableTargets", {**dimension, "ResourceIds": [resource]}, absent=_NO_SCALING, region=region
    )
    limits = pick("MinCapacity", "MaxCapacity")(_or_empty(targets, "ScalableTargets.0"))
    if "MinCapacity" not in limits or "MaxCapacity" not in limits:
        return {}
    policies = reading.call(
        "DescribeScalingPolicies", {**dimension, "ResourceId": resource}, absent=_NO_SCALING, region=region
    )
    tracking = _tracking(_first_tracking(_or_empty(policies, "ScalingPolicies")))
    if "TargetValue" not in tracking:
        return {}
    settings = {**limits, "TargetTrackingScalingPolicyConfiguration": tracking}
    return {f"{direction}CapacityAutoScalingSettings": settings}


def _or_empty(answer: Any, path: str) -> Any:
    found = dig(answer, path)
    return {} if found is ABSENT else found


def _first_tracking(policies: Any) -> Mapping[str, Any]:
    tracking = (p for p in policies if p.get("PolicyType") == "TargetTrackingScaling")
    first: Mapping[str, Any] = next(tracking, {})
    found: Mapping[str, Any] = first.get("TargetTrackingScalingPolicyConfiguration", {})
    return found


def _replicas(reading: Reading, table: Mapping[str, Any], provisioned: bool) -> list[dict[str, Any]]:
    """A table without replicas is its own only one."""
    answers = table.get("Replicas") or [{"RegionName": reading.region}]
    replicas = [_replica(reading, table, r, provisioned) for r in answers if r.get("RegionName")]
    local = next((r for r in replicas if r["Region"] == reading.region), {})
    local.update(_local_reads(reading, table, provisioned))
    return replicas


def _local_reads(reading: Reading, table: Mapping[str, Any], provisioned: bool) -> dict[str, Any]:
    """Read settings that DescribeTable gives for the stack's region alone."""
    indexes = []
    for index in table.get("GlobalSecondaryIndexes", ()):
        if reads := _throughput(reading, index, "Read", provisioned):
            indexes.append({**pick("IndexName")(index), **reads})
    units = pick("MaxReadRequestUnits")(table.get("OnDemandThroughput", {}))
    return {
        **_unless_empty("ReadOnDemandThroughputSettings", units),
        **_unless_empty("GlobalSecondaryIndexes", indexes),
    }


def _replica(
    reading: Reading, table: Mapping[str, Any], answer: Mapping[str, Any], provisioned: bool
) -> dict[str, Any]:
    region = answer["RegionName"]
    backups = "ContinuousBackupsDescription.PointInTimeRecoveryDescription"
    replica = {
        "Region": region,
        "KMSMasterKeyId": answer.get("KMSMasterKeyId", ABSENT),
        "ContributorInsightsSpecification": _setting(
            reading, "DescribeContributorInsights", "ContributorInsightsStatus", _insights, region
        ),
        "PointInTimeRecoverySpecification": _setting(
            reading, "DescribeContinuousBackups", backups, _recovery, region
        ),
        "KinesisStreamSpecification": _setting(
            reading,
            "DescribeKinesisStreamingDestination",
            "KinesisDataStreamDestinations",
            kinesis_stream,
            region,
        ),
        "Tags": _tags(reading, table, region),
    }
    scaling = _scaling(reading, "Read", "", region) if provisioned else {}
    return {**_present(replica), **_unless_empty("ReadProvisionedThroughputSettings", scaling)}


def _setting(reading: Reading, operation: str, path: str, convert: Callable[[Any], Any], region: str) -> Any:
    answer = reading.call(operation, {"TableName": reading.id}, absent=NOT_CONFIGURED, region=region)
    found = dig(answer, path)
    return ABSENT if found is ABSENT else convert(found)


def _insights(status: str) -> dict[str, Any]:
    return {"Enabled": status == "ENABLED"}


def _recovery(answer: Mapping[str, Any]) -> Any:
    found = recovery(answer)
    return found if found is ABSENT else pick("PointInTimeRecoveryEnabled")(found)


def _tags(reading: Reading, table: Mapping[str, Any], region: str) -> list[dict[str, str]]:
    """A replica has the table's ARN but for the region. In the stack's own region, not found means gone."""
    arn = arn_in(table, region)
    if not arn:
        return []
    tags = reading.call(
        "ListTagsOfResource",
        {"ResourceArn": arn},
        absent=() if region == reading.region else NOT_CONFIGURED,
        pages_of="Tags",
        region=region,
    )
    found: list[dict[str, str]] = [] if tags is ABSENT else tag_list(tags)
    return found


_UPDATE = (Write("UpdateTable"),)

GLOBAL_TABLE = ResourceType(
    name="AWS::DynamoDB::GlobalTable",
    service="dynamodb",
    gone=GONE,
    more=(
        Call("DescribeTable"),
        Call("DescribeTimeToLive"),
        Call("DescribeContributorInsights"),
        Call("DescribeContinuousBackups"),
        Call("DescribeKinesisStreamingDestination"),
        Call("ListTagsOfResource", pages=True),
        Call("DescribeScalableTargets", service="application-autoscaling"),
        Call("DescribeScalingPolicies", service="application-autoscaling"),
    ),
    custom=_read,
    compared=TypeFacts(
        kinds={
            "AttributeDefinitions": Keyed(("AttributeName",)),
            "Replicas": Keyed(("Region",)),
            "Replicas.*.GlobalSecondaryIndexes": Keyed(("IndexName",)),
            **INDEX_KINDS,
        },
    ),
    writes=(
        By(changes.protect, ("DeletionProtectionEnabled",), _UPDATE),
        By(replicas.bill, ("BillingMode",), _UPDATE, unsets=False),
        By(changes.store, ("TableClass",), _UPDATE),
        By(replicas.limit_writes, ("WriteOnDemandThroughputSettings",), _UPDATE),
        By(changes.stream, ("StreamSpecification",), _UPDATE),
        By(changes.expire, ("TimeToLiveSpecification",), (Write("UpdateTimeToLive"),)),
        By(
            replicas.update_replicas,
            ("Replicas",),
            (
                Write("TagResource"),
                Write("UntagResource"),
                Write("UpdateContinuousBackups"),
                Write("EnableKinesisStreamingDestination"),
                Write("UpdateKinesisStreamingDestination"),
                Write("DisableKinesisStreamingDestination"),
                Write("UpdateContributorInsights"),
            ),
            unsets=False,
        ),
    ),
    refuses={
        "BillingMode": Caution("every replica would need capacity settings", becomes("PROVISIONED")),
        "Replicas": Caution(
            "a replica that the record does not list would be deleted with its data, and a missing one is "
            "made by a deploy",
            replicas.other_replicas,
        ),
        "TimeToLiveSpecification.AttributeName": Caution(
            "another attribute can be named only an hour after the one of now was put off, and items may be "
            "deleted by the wrong one",
            changes.switches_attribute,
        ),
    },
    warns={
        "BillingMode": "the billing mode can be switched only once a day",
        "DeletionProtectionEnabled": Caution("the table can be deleted again", becomes(False)),
        "StreamSpecification": "the stream ends; a new one has another ARN, which its readers do not know",
        "TimeToLiveSpecification": Caution(
            "items whose time has passed are deleted",
            lambda desired, _: bool(desired) and desired is not ABSENT,
        ),
    },
    busy=("LimitExceededException",),
)
