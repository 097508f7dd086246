"""How the rules of a bucket's configurations differ between S3's API and CloudFormation, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from driftwarden.answers import dig
from driftwarden.convert import Convert, Converter, back, each, if_any, iso_time, non_empty, pick

_SELECTORS: Final = ("Prefix", "ObjectSizeGreaterThan", "ObjectSizeLessThan", "AccessPointArn")


def only(member: str) -> Convert:
    """One member in place of the structure around it: `{"Suffix": "index.html"}` -> `"index.html"`."""
    return Converter(read=lambda value: dig(value, member), write=lambda value: {member: value})


_CONDITIONS: Final = pick(*_SELECTORS, TagFilters="Tags")


def _conditions(rule_filter: Mapping[str, Any]) -> Any:
    if "And" in rule_filter:
        return _CONDITIONS(rule_filter["And"])
    if "Tag" in rule_filter:
        return {"TagFilters": [rule_filter["Tag"]]}
    return pick(*_SELECTORS)(rule_filter)


def _filter(conditions: Mapping[str, Any]) -> dict[str, Any]:
    stated = back(_CONDITIONS, conditions)
    tags = stated.pop("Tags", [])
    if len(stated) + len(tags) > 1:
        return {"And": {**stated, "Tags": tags} if tags else stated}
    return {"Tag": tags[0]} if tags else stated


selection: Final = Converter(read=_conditions, write=_filter)
"""S3's filter, one condition or several under `And`, as the flat members CloudFormation has instead."""

_LIFECYCLE_RULE: Final = pick(
    "Status",
    "Prefix",
    "NoncurrentVersionExpiration",
    Id="ID",
    Filter=("Filter", if_any(selection)),
    AbortIncompleteMultipartUpload=("AbortIncompleteMultipartUpload", pick("DaysAfterInitiation")),
    Transitions=(
        "Transitions",
        non_empty(each(pick("StorageClass", TransitionInDays="Days", TransitionDate=("Date", iso_time)))),
    ),
    NoncurrentVersionTransitions=(
        "NoncurrentVersionTransitions",
        non_empty(each(pick("StorageClass", "NewerNoncurrentVersions", TransitionInDays="NoncurrentDays"))),
    ),
)
_EXPIRATION: Final = pick(
    "ExpiredObjectDeleteMarker", ExpirationInDays="Days", ExpirationDate=("Date", iso_time)
)


_FLAT_CONDITIONS: Final = ("TagFilters", "ObjectSizeGreaterThan", "ObjectSizeLessThan")


def _read_lifecycle_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    return {**_LIFECYCLE_RULE(rule), **_EXPIRATION(rule.get("Expiration", {}))}


def _lifecycle_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Templates have the conditions in the rule; S3 takes a prefix there only when it is the only one."""
    flat = {name: rule[name] for name in ("Prefix", *_FLAT_CONDITIONS) if name in rule}
    made: dict[str, Any] = back(_LIFECYCLE_RULE, rule)
    expiration = back(_EXPIRATION, rule)
    if "Days" in expiration or "Date" in expiration:
        expiration.pop("ExpiredObjectDeleteMarker", None)
    if expiration:
        made["Expiration"] = expiration
    if any(name in flat for name in _FLAT_CONDITIONS):
        made["Filter"] = selection.write(flat)
    elif "Prefix" not in made:
        made.setdefault("Filter", {})
    return without_second_prefix(made)


def without_second_prefix(rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule has a filter, or the older prefix of its own, never both."""
    return {name: value for name, value in rule.items() if name != "Prefix" or "Filter" not in rule}


lifecycle_rule: Final = Converter(read=_read_lifecycle_rule, write=_lifecycle_rule)
"""CloudFormation has the members of `Expiration` in the rule itself."""

encryption_rule: Final = pick(
    "BucketKeyEnabled",
    ServerSideEncryptionByDefault="ApplyServerSideEncryptionByDefault",
    BlockedEncryptionTypes=("BlockedEncryptionTypes", if_any(pick("EncryptionType"))),
)

cors_rule: Final = pick(
    "AllowedHeaders",
    "AllowedMethods",
    "AllowedOrigins",
    Id="ID",
    ExposedHeaders="ExposeHeaders",
    MaxAge="MaxAgeSeconds",
)

logging: Final = pick(
    "TargetObjectKeyFormat", DestinationBucketName="TargetBucket", LogFilePrefix="TargetPrefix"
)

website: Final = pick(
    "RedirectAllRequestsTo",
    IndexDocument=("IndexDocument", only("Suffix")),
    ErrorDocument=("ErrorDocument", only("Key")),
    RoutingRules=(
        "RoutingRules",
        non_empty(each(pick(RoutingRuleCondition="Condition", RedirectRule="Redirect"))),
    ),
)


_SINGLE_CONDITION: Final = pick("Prefix", TagFilter="Tag")


def _read_replication_filter(rule_filter: Mapping[str, Any]) -> Any:
    if "And" in rule_filter:
        return {"And": selection(rule_filter)}
    return _SINGLE_CONDITION(rule_filter)


def _replication_filter(conditions: Mapping[str, Any]) -> Any:
    if "And" in conditions:
        return {"And": back(_CONDITIONS, conditions["And"])}
    return back(_SINGLE_CONDITION, conditions)


_REPLICA: Final = pick(
    "Bucket",
    "Account",
    "StorageClass",
    "AccessControlTranslation",
    ReplicationTime=("ReplicationTime", pick("Status", Time=("Time", non_empty()))),
    Metrics=("Metrics", pick("Status", EventThreshold=("EventThreshold", non_empty()))),
    EncryptionConfiguration=("EncryptionConfiguration", if_any(pick("ReplicaKmsKeyID"))),
)

_REPLICATION_RULE: Final = pick(
    "Status",
    "Priority",
    "Prefix",
    Id="ID",
    DeleteMarkerReplication=("DeleteMarkerReplication", non_empty()),
    Filter=("Filter", if_any(Converter(read=_read_replication_filter, write=_replication_filter))),
    SourceSelectionCriteria=("SourceSelectionCriteria", non_empty()),
    Destination=("Destination", _REPLICA),
)

replication_rule: Final = Converter(
    read=_REPLICATION_RULE, write=lambda rule: without_second_prefix(back(_REPLICATION_RULE, rule))
)
replication: Final = pick("Role", Rules=("Rules", each(replication_rule)))

object_lock: Final = pick(
    "ObjectLockEnabled",
    Rule=("Rule", pick(DefaultRetention=("DefaultRetention", pick("Mode", "Days", "Years")))),
)

_EXPORT: Final = pick("Format", "Prefix", "BucketAccountId", BucketArn="Bucket")


def _in_bucket(destination: Convert) -> Convert:
    """The API has the members of a destination one level deeper, under the only kind there is."""
    return Converter(
        read=lambda value: destination(value.get("S3BucketDestination", {})),
        write=lambda value: {"S3BucketDestination": back(destination, value)},
    )


def selected(convert: Convert) -> Converter:
    """A configuration that has the conditions of its filter as members of its own."""

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        found = selection.write(value)
        return {**back(convert, value), **({"Filter": found} if found else {})}

    return Converter(read=lambda value: {**convert(value), **selection(value.get("Filter", {}))}, write=write)


_ANALYSIS: Final = pick(
    DataExport=("DataExport", pick("OutputSchemaVersion", Destination=("Destination", _in_bucket(_EXPORT)))),
)
_ANALYTICS: Final = pick("Id", StorageClassAnalysis=("StorageClassAnalysis", non_empty(_ANALYSIS)))

metrics: Final = selected(pick("Id"))
analytics: Final = selected(
    Converter(read=_ANALYTICS, write=lambda value: {"StorageClassAnalysis": {}, **back(_ANALYTICS, value)})
)
"""The API wants to be told of an analysis even when there is none."""

intelligent_tiering: Final = selected(pick("Id", "Status", "Tierings"))

_INVENTORY_DESTINATION: Final = pick("Format", "Prefix", BucketArn="Bucket", BucketAccountId="AccountId")


inventory: Final = selected(
    pick(
        "Id",
        "IncludedObjectVersions",
        "OptionalFields",
        Enabled="IsEnabled",
        ScheduleFrequency=("Schedule", only("Frequency")),
        Destination=("Destination", _in_bucket(_INVENTORY_DESTINATION)),
    )
)
