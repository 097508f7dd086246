"""S3 buckets: one read per configuration, each with its own code for "not configured"."""

from __future__ import annotations

from typing import Any, Final

from driftwarden.convert import Convert, completed, each, holding, pick, tag_list
from driftwarden.resources.comparing import Keyed, Kind, TypeFacts
from driftwarden.resources.s3 import rules
from driftwarden.resources.s3.bucket_writes import REFUSES, WARNS, WRITES
from driftwarden.resources.s3.notifications import notifications
from driftwarden.resources.spec import Call, From, ResourceType

_NOT_HERE: Final = ("MethodNotAllowed", "NotImplemented", "UnsupportedArgument", "UnsupportedOperation")
"""Answers of regions and partitions that do not have the feature at all."""

_TOKENS: Final = ("ContinuationToken", "NextContinuationToken")

_NOTHING_BLOCKED: Final = {
    "BlockPublicAcls": False,
    "BlockPublicPolicy": False,
    "IgnorePublicAcls": False,
    "RestrictPublicBuckets": False,
}


def _get(operation: str, into: str, at: str = "", absent: tuple[str, ...] = ()) -> Call:
    return Call(operation, {"Bucket": "{id}"}, at=at, into=into, absent=absent, gone=False)


def _list(operation: str, into: str, at: str) -> Call:
    return Call(operation, {"Bucket": "{id}"}, at=at, into=into, pages=_TOKENS, absent=_NOT_HERE, gone=False)


def _rules_in(member: str, convert: Convert) -> Convert:
    return lambda values: {member: [convert(value) for value in values]}


def _lifecycle(answer: Any) -> dict[str, Any]:
    found = pick("TransitionDefaultMinimumObjectSize")(answer)
    return {**found, "Rules": [rules.lifecycle_rule(rule) for rule in answer.get("Rules", [])]}


BUCKET = ResourceType(
    name="AWS::S3::Bucket",
    service="s3",
    gone=("404", "NoSuchBucket"),
    calls=(
        Call("HeadBucket", {"Bucket": "{id}"}),
        _get("GetBucketVersioning", "versioning"),
        _get(
            "GetBucketEncryption",
            "encryption",
            "ServerSideEncryptionConfiguration.Rules",
            ("ServerSideEncryptionConfigurationNotFoundError",),
        ),
        _get(
            "GetBucketOwnershipControls",
            "ownership",
            "OwnershipControls.Rules",
            ("OwnershipControlsNotFoundError",),
        ),
        _get(
            "GetPublicAccessBlock",
            "access",
            "PublicAccessBlockConfiguration",
            ("NoSuchPublicAccessBlockConfiguration",),
        ),
        _get("GetBucketTagging", "tags", "TagSet", ("NoSuchTagSet",)),
        _get("GetBucketLifecycleConfiguration", "lifecycle", absent=("NoSuchLifecycleConfiguration",)),
        _get("GetBucketCors", "cors", "CORSRules", ("NoSuchCORSConfiguration",)),
        _get("GetBucketWebsite", "website", absent=("NoSuchWebsiteConfiguration", *_NOT_HERE)),
        _get("GetBucketLogging", "logging", "LoggingEnabled"),
        _get("GetBucketNotificationConfiguration", "notifications"),
        _get(
            "GetBucketReplication",
            "replication",
            "ReplicationConfiguration",
            ("ReplicationConfigurationNotFoundError", *_NOT_HERE),
        ),
        _get(
            "GetObjectLockConfiguration",
            "lock",
            "ObjectLockConfiguration",
            ("ObjectLockConfigurationNotFoundError", *_NOT_HERE),
        ),
        _get("GetBucketAccelerateConfiguration", "acceleration", absent=_NOT_HERE),
        _list("ListBucketMetricsConfigurations", "metrics", "MetricsConfigurationList"),
        _list("ListBucketAnalyticsConfigurations", "analytics", "AnalyticsConfigurationList"),
        _list("ListBucketIntelligentTieringConfigurations", "tiering", "IntelligentTieringConfigurationList"),
        _list("ListBucketInventoryConfigurations", "inventory", "InventoryConfigurationList"),
    ),
    fields={
        "BucketName": lambda reading: reading.id,
        "VersioningConfiguration": From(
            "versioning.Status", holding("Status"), default={"Status": "Suspended"}
        ),
        "BucketEncryption": From(
            "encryption",
            _rules_in("ServerSideEncryptionConfiguration", rules.encryption_rule),
            default={"ServerSideEncryptionConfiguration": []},
        ),
        "OwnershipControls": From(
            "ownership", _rules_in("Rules", pick("ObjectOwnership")), default={"Rules": []}
        ),
        "PublicAccessBlockConfiguration": From(
            "access", completed(_NOTHING_BLOCKED), default=_NOTHING_BLOCKED
        ),
        "Tags": From("tags", tag_list, default=[]),
        "LifecycleConfiguration": From("lifecycle", _lifecycle, default={"Rules": []}),
        "CorsConfiguration": From("cors", _rules_in("CorsRules", rules.cors_rule), default={"CorsRules": []}),
        "WebsiteConfiguration": From("website", rules.website, default={}),
        "LoggingConfiguration": From("logging", rules.logging, default={}),
        "NotificationConfiguration": From("notifications", notifications),
        "ReplicationConfiguration": From("replication", rules.replication, default={}),
        "ObjectLockConfiguration": From("lock", rules.object_lock, default={}),
        "AccelerateConfiguration": From(
            "acceleration.Status",
            holding("AccelerationStatus"),
            default={"AccelerationStatus": "Suspended"},
        ),
        "MetricsConfigurations": From("metrics", each(rules.metrics), default=[]),
        "AnalyticsConfigurations": From("analytics", each(rules.analytics), default=[]),
        "IntelligentTieringConfigurations": From("tiering", each(rules.intelligent_tiering), default=[]),
        "InventoryConfigurations": From("inventory", each(rules.inventory), default=[]),
    },
    compared=TypeFacts(
        kinds={
            "LifecycleConfiguration.Rules": Kind.SET,
            "ReplicationConfiguration.Rules": Kind.SET,
            "InventoryConfigurations": Keyed(("Id",)),
            "MetricsConfigurations": Keyed(("Id",)),
            "AnalyticsConfigurations": Keyed(("Id",)),
            "IntelligentTieringConfigurations": Keyed(("Id",)),
            **{
                f"NotificationConfiguration.{kind}Configurations.*.Filter.S3Key.Rules{member}": rule
                for kind in ("Lambda", "Queue", "Topic")
                for member, rule in (("", Kind.SET), (".*.Name", Kind.CASELESS))
            },
        },
        defaults={"VersioningConfiguration": {"Status": "Suspended"}},
        users_own=(
            "CorsConfiguration",
            "LifecycleConfiguration",
            "ReplicationConfiguration",
            "WebsiteConfiguration",
        ),
    ),
    writes=WRITES,
    refuses=REFUSES,
    warns=WARNS,
)
