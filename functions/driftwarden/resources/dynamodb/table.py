"""Tables of one region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import each, json_document, non_empty, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import Keyed, TypeFacts
from driftwarden.resources.dynamodb import capacity, changes
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
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, To, Write, becomes, lower

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_provisioned = pick("ReadCapacityUnits", "WriteCapacityUnits")
_on_demand = pick("MaxReadRequestUnits", "MaxWriteRequestUnits")

_THROUGHPUTS: Final = {
    "ProvisionedThroughput": _provisioned,
    "OnDemandThroughput": _on_demand,
    "WarmThroughput": warm_throughput,
}


def _asks_for(declared: Mapping[str, Any], throughput: str) -> bool:
    """AWS sets throughputs of its own accord, so only the declared ones are read back."""
    value = declared.get(throughput)
    if throughput == "WarmThroughput":
        units = value.values() if isinstance(value, Mapping) else ()
        return any(isinstance(unit, int | float) and not isinstance(unit, bool) for unit in units)
    return value is not None


def _global_indexes(reading: Reading) -> Any:
    declared = {
        index.get("IndexName"): index for index in reading.properties.get("GlobalSecondaryIndexes") or ()
    }
    indexes = [
        _global_index(index, declared.get(index.get("IndexName"), {}), everything=not reading.properties)
        for index in reading.get("main.GlobalSecondaryIndexes", [])
    ]
    return indexes or ABSENT


def _global_index(
    answer: Mapping[str, Any], declared: Mapping[str, Any], *, everything: bool
) -> dict[str, Any]:
    index: dict[str, Any] = key_and_projection(answer)
    for name, units in _THROUGHPUTS.items():
        if answer.get(name) and (everything or _asks_for(declared, name)):
            index[name] = units(answer[name])
    return index


def _warm_throughput(reading: Reading) -> Any:
    if reading.properties and not _asks_for(reading.properties, "WarmThroughput"):
        return ABSENT
    answer = reading.get("main.WarmThroughput")
    return ABSENT if answer is ABSENT else warm_throughput(answer)


def _resource_policy(text: str) -> dict[str, Any]:
    return {"PolicyDocument": json_document(text)}


def _contributor_insights(answer: Mapping[str, Any]) -> Any:
    status = answer.get("ContributorInsightsStatus")
    if status == "ENABLED":
        return {"Enabled": True, **pick(Mode="ContributorInsightsMode")(answer)}
    return {"Enabled": False} if status == "DISABLED" else ABSENT


def _limit(update: Update) -> None:
    """A limit that is left out stays, so both are sent."""
    changes.limit(update, "OnDemandThroughput", "MaxReadRequestUnits", "MaxWriteRequestUnits")


def _warm(update: Update) -> None:
    """A wait of its own: the table is being prepared."""
    changes.change(update, WarmThroughput=update.desired["WarmThroughput"])


def _recover(update: Update) -> None:
    """Without a specification there is no recovery."""
    changes.recover(update, update.desired.get("PointInTimeRecoverySpecification") or {})


def _send_to_kinesis(update: Update) -> None:
    """The old destination is known by the live side alone."""
    wanted, found = (bag.get("KinesisStreamSpecification") or {} for bag in (update.desired, update.live))
    changes.send_to_kinesis(update, wanted, found)


def _give_insights(update: Update) -> None:
    """Without a specification there are none."""
    changes.give_insights(update, update.desired.get("ContributorInsightsSpecification") or {})


_UPDATE = (Write("UpdateTable"),)

TABLE = ResourceType(
    name="AWS::DynamoDB::Table",
    service="dynamodb",
    gone=GONE,
    calls=(
        Call("DescribeTable", {"TableName": "{id}"}, at="Table"),
        Call("ListTagsOfResource", {"ResourceArn": "{main.TableArn}"}, at="Tags", into="tags", pages=True),
        Call(
            "DescribeContinuousBackups",
            {"TableName": "{id}"},
            at="ContinuousBackupsDescription.PointInTimeRecoveryDescription",
            into="recovery",
            absent=NOT_CONFIGURED,
        ),
        Call(
            "DescribeTimeToLive",
            {"TableName": "{id}"},
            at="TimeToLiveDescription",
            into="expiry",
            absent=NOT_CONFIGURED,
        ),
        Call(
            "GetResourcePolicy",
            {"ResourceArn": "{main.TableArn}"},
            at="Policy",
            into="policy",
            absent=(*NOT_CONFIGURED, "PolicyNotFoundException"),
        ),
        Call(
            "DescribeKinesisStreamingDestination",
            {"TableName": "{id}"},
            at="KinesisDataStreamDestinations",
            into="streams",
            absent=NOT_CONFIGURED,
        ),
        Call(
            "DescribeContributorInsights",
            {"TableName": "{id}"},
            into="insights",
            absent=NOT_CONFIGURED,
        ),
    ),
    same=("TableName", "KeySchema", "AttributeDefinitions", "DeletionProtectionEnabled"),
    fields={
        "BillingMode": "main.BillingModeSummary.BillingMode",
        "ProvisionedThroughput": From("main.ProvisionedThroughput", _provisioned),
        "OnDemandThroughput": From("main.OnDemandThroughput", non_empty(_on_demand)),
        "WarmThroughput": _warm_throughput,
        "StreamSpecification": From("main.StreamSpecification", stream),
        "SSESpecification": From("main.SSEDescription", encryption),
        "TableClass": "main.TableClassSummary.TableClass",
        "GlobalSecondaryIndexes": _global_indexes,
        "LocalSecondaryIndexes": From("main.LocalSecondaryIndexes", non_empty(each(key_and_projection))),
        "Tags": From("tags", tag_list, default=[]),
        "PointInTimeRecoverySpecification": From("recovery", recovery),
        "TimeToLiveSpecification": From("expiry", time_to_live),
        "ResourcePolicy": From("policy", non_empty(_resource_policy)),
        "KinesisStreamSpecification": From("streams", kinesis_stream),
        "ContributorInsightsSpecification": From("insights", _contributor_insights),
    },
    compared=TypeFacts(
        kinds={"AttributeDefinitions": Keyed(("AttributeName",)), **INDEX_KINDS},
        defaults={"BillingMode": "PROVISIONED", "TimeToLiveSpecification": {"Enabled": False}},
        users_own=("ResourcePolicy",),
    ),
    asks=(Call("DescribeScalableTargets", service="application-autoscaling"),),
    writes=(
        Tags("TagResource", "UntagResource", {"ResourceArn": "{main.TableArn}"}),
        By(changes.protect, ("DeletionProtectionEnabled",), _UPDATE),
        By(capacity.bill, ("BillingMode", "ProvisionedThroughput"), _UPDATE, unsets=False),
        By(changes.store, ("TableClass",), _UPDATE),
        By(_limit, ("OnDemandThroughput",), _UPDATE),
        By(_warm, ("WarmThroughput",), _UPDATE, unsets=False),
        By(changes.encrypt, ("SSESpecification",), _UPDATE),
        By(changes.stream, ("StreamSpecification",), _UPDATE),
        By(
            _recover,
            ("PointInTimeRecoverySpecification",),
            (Write("UpdateContinuousBackups"),),
        ),
        By(changes.expire, ("TimeToLiveSpecification",), (Write("UpdateTimeToLive"),)),
        Write(
            "PutResourcePolicy",
            {"ResourceArn": "{main.TableArn}"},
            sets={"ResourcePolicy": To("Policy", lambda value: json_document.write(value["PolicyDocument"]))},
        ),
        Write("DeleteResourcePolicy", {"ResourceArn": "{main.TableArn}"}, removes=("ResourcePolicy",)),
        By(
            _send_to_kinesis,
            ("KinesisStreamSpecification",),
            (
                Write("EnableKinesisStreamingDestination"),
                Write("UpdateKinesisStreamingDestination"),
                Write("DisableKinesisStreamingDestination"),
            ),
        ),
        By(
            _give_insights,
            ("ContributorInsightsSpecification",),
            (Write("UpdateContributorInsights"),),
        ),
        By(capacity.index, ("GlobalSecondaryIndexes", "AttributeDefinitions"), _UPDATE),
        By(capacity.provision, ("ProvisionedThroughput",), _UPDATE, unsets=False),
    ),
    refuses={
        "GlobalSecondaryIndexes": Caution(
            "the keys and the projection of an index are chosen when it is made", capacity.other_keys
        ),
        "TimeToLiveSpecification.AttributeName": Caution(
            "another attribute can be named only an hour after the one of now was put off, and items may be "
            "deleted by the wrong one",
            changes.switches_attribute,
        ),
        "WarmThroughput.ReadUnitsPerSecond": Caution("warm throughput can only rise", lower),
        "WarmThroughput.WriteUnitsPerSecond": Caution("warm throughput can only rise", lower),
    },
    warns={
        "BillingMode": "the billing mode can be switched only once a day",
        "DeletionProtectionEnabled": Caution("the table can be deleted again", becomes(False)),
        "GlobalSecondaryIndexes": Caution(
            "indexes that the record does not list are deleted; queries on them fail", capacity.loses_index
        ),
        "KinesisStreamSpecification": "changes of items go to another stream, or to none",
        "PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled": Caution(
            "the table cannot be restored to a point in time any more", becomes(False, ABSENT)
        ),
        "PointInTimeRecoverySpecification.RecoveryPeriodInDays": Caution(
            "older restore points are lost", lower
        ),
        "SSESpecification": "readers and writers need the other key",
        "StreamSpecification": "the stream ends; a new one has another ARN, which its readers do not know",
        "TimeToLiveSpecification": Caution(
            "items whose time has passed are deleted",
            lambda desired, _: bool(desired) and desired is not ABSENT,
        ),
    },
    busy=("LimitExceededException",),
)
