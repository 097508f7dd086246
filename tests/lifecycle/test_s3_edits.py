"""Buckets: every kind of edit of every configuration goes back by one request of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lifecycle.buckets import (
    CORS,
    KEEP,
    KMS,
    MOVE,
    NAME,
    ON_ARRIVAL,
    OTHER_TOPIC,
    SSE,
    Bucket,
    a_bucket,
    put_acceleration,
    put_access,
    put_cors,
    put_encryption,
    put_lifecycle,
    put_logging,
    put_notifications,
    put_ownership,
    put_tags,
    put_versioning,
    put_website,
)
from tests.lifecycle.conftest import Life


@pytest.fixture
def bucket(life: Life) -> Bucket:
    return a_bucket(life)


Step = Callable[[Bucket], object]


def nothing(_: Bucket) -> None:
    """The bucket as it was created."""


EDITS: dict[str, tuple[Step, Step, str, str]] = {
    "tag added": (
        lambda b: put_tags(b, team="shop"),
        lambda b: put_tags(b, team="shop", new="x"),
        "Tags",
        "PutBucketTagging",
    ),
    "tag changed": (
        lambda b: put_tags(b, team="shop"),
        lambda b: put_tags(b, team="other"),
        "Tags",
        "PutBucketTagging",
    ),
    "tag removed": (
        lambda b: put_tags(b, team="shop", tier="1"),
        lambda b: put_tags(b, team="shop"),
        "Tags",
        "PutBucketTagging",
    ),
    "first tag added": (nothing, lambda b: put_tags(b, team="shop"), "Tags", "DeleteBucketTagging"),
    "versioning suspended": (
        lambda b: put_versioning(b, "Enabled"),
        lambda b: put_versioning(b, "Suspended"),
        "VersioningConfiguration.Status",
        "PutBucketVersioning",
    ),
    "versioning enabled": (
        nothing,
        lambda b: put_versioning(b, "Enabled"),
        "VersioningConfiguration.Status",
        "PutBucketVersioning",
    ),
    "encryption changed": (
        lambda b: put_encryption(b, KMS),
        lambda b: put_encryption(b, SSE),
        "BucketEncryption.ServerSideEncryptionConfiguration",
        "PutBucketEncryption",
    ),
    "encryption removed": (
        lambda b: put_encryption(b, KMS),
        lambda b: b.s3.delete_bucket_encryption(**NAME),
        "BucketEncryption.ServerSideEncryptionConfiguration",
        "PutBucketEncryption",
    ),
    "encryption added": (
        nothing,
        lambda b: put_encryption(b, KMS),
        "BucketEncryption.ServerSideEncryptionConfiguration",
        "DeleteBucketEncryption",
    ),
    "ownership changed": (
        lambda b: put_ownership(b, "BucketOwnerEnforced"),
        lambda b: put_ownership(b, "ObjectWriter"),
        "OwnershipControls.Rules",
        "PutBucketOwnershipControls",
    ),
    "ownership removed": (
        lambda b: put_ownership(b, "BucketOwnerEnforced"),
        lambda b: b.s3.delete_bucket_ownership_controls(**NAME),
        "OwnershipControls.Rules",
        "PutBucketOwnershipControls",
    ),
    "ownership added": (
        nothing,
        lambda b: put_ownership(b, "ObjectWriter"),
        "OwnershipControls.Rules",
        "DeleteBucketOwnershipControls",
    ),
    "access block changed": (
        put_access,
        lambda b: put_access(b, BlockPublicPolicy=False),
        "PublicAccessBlockConfiguration.BlockPublicPolicy",
        "PutPublicAccessBlock",
    ),
    "lifecycle value changed": (
        lambda b: put_lifecycle(b, KEEP, MOVE),
        lambda b: put_lifecycle(b, {**KEEP, "Expiration": {"Days": 9}}, MOVE),
        "LifecycleConfiguration.Rules",
        "PutBucketLifecycleConfiguration",
    ),
    "lifecycle condition changed": (
        lambda b: put_lifecycle(b, KEEP, MOVE),
        lambda b: put_lifecycle(b, KEEP, {**MOVE, "Filter": {"Tag": {"Key": "cold", "Value": "yes"}}}),
        "LifecycleConfiguration.Rules",
        "PutBucketLifecycleConfiguration",
    ),
    "lifecycle rule removed": (
        lambda b: put_lifecycle(b, KEEP, MOVE),
        lambda b: put_lifecycle(b, KEEP),
        "LifecycleConfiguration.Rules",
        "PutBucketLifecycleConfiguration",
    ),
    "lifecycle rule added": (
        lambda b: put_lifecycle(b, KEEP),
        lambda b: put_lifecycle(b, KEEP, MOVE),
        "LifecycleConfiguration.Rules",
        "PutBucketLifecycleConfiguration",
    ),
    "first lifecycle rule added": (
        nothing,
        lambda b: put_lifecycle(b, KEEP),
        "LifecycleConfiguration.Rules LifecycleConfiguration.TransitionDefaultMinimumObjectSize",
        "DeleteBucketLifecycle",
    ),
    "all lifecycle rules removed": (
        lambda b: put_lifecycle(b, KEEP, MOVE),
        lambda b: b.s3.delete_bucket_lifecycle(**NAME),
        "LifecycleConfiguration.TransitionDefaultMinimumObjectSize LifecycleConfiguration.Rules",
        "PutBucketLifecycleConfiguration",
    ),
    "cors value changed": (
        lambda b: put_cors(b, CORS),
        lambda b: put_cors(b, {**CORS, "AllowedOrigins": ["*"]}),
        "CorsConfiguration.CorsRules",
        "PutBucketCors",
    ),
    "cors rule added": (
        lambda b: put_cors(b, CORS),
        lambda b: put_cors(b, CORS, {**CORS, "AllowedMethods": ["PUT"]}),
        "CorsConfiguration.CorsRules",
        "PutBucketCors",
    ),
    "first cors rule added": (
        nothing,
        lambda b: put_cors(b, CORS),
        "CorsConfiguration.CorsRules",
        "DeleteBucketCors",
    ),
    "cors removed": (
        lambda b: put_cors(b, CORS),
        lambda b: b.s3.delete_bucket_cors(**NAME),
        "CorsConfiguration.CorsRules",
        "PutBucketCors",
    ),
    "website changed": (
        put_website,
        lambda b: put_website(b, IndexDocument={"Suffix": "hacked.html"}),
        "WebsiteConfiguration.IndexDocument",
        "PutBucketWebsite",
    ),
    "website removed": (
        put_website,
        lambda b: b.s3.delete_bucket_website(**NAME),
        "WebsiteConfiguration.IndexDocument WebsiteConfiguration.ErrorDocument",
        "PutBucketWebsite",
    ),
    "website added": (nothing, put_website, "WebsiteConfiguration", "DeleteBucketWebsite"),
    "logging changed": (
        lambda b: put_logging(b, "log/"),
        lambda b: put_logging(b, "elsewhere/"),
        "LoggingConfiguration.LogFilePrefix",
        "PutBucketLogging",
    ),
    "logging removed": (
        lambda b: put_logging(b, "log/"),
        lambda b: b.s3.put_bucket_logging(**NAME, BucketLoggingStatus={}),
        "LoggingConfiguration.DestinationBucketName LoggingConfiguration.LogFilePrefix",
        "PutBucketLogging",
    ),
    "logging added": (nothing, lambda b: put_logging(b, "log/"), "LoggingConfiguration", "PutBucketLogging"),
    "notification changed": (
        lambda b: put_notifications(b, ON_ARRIVAL),
        lambda b: put_notifications(b, {**ON_ARRIVAL, "TopicArn": OTHER_TOPIC}),
        "NotificationConfiguration.TopicConfigurations",
        "PutBucketNotificationConfiguration",
    ),
    "notification removed": (
        lambda b: put_notifications(b, ON_ARRIVAL),
        put_notifications,
        "NotificationConfiguration.TopicConfigurations",
        "PutBucketNotificationConfiguration",
    ),
    "notification added": (
        nothing,
        lambda b: put_notifications(b, ON_ARRIVAL),
        "NotificationConfiguration.TopicConfigurations",
        "PutBucketNotificationConfiguration",
    ),
    "acceleration changed": (
        lambda b: put_acceleration(b, "Enabled"),
        lambda b: put_acceleration(b, "Suspended"),
        "AccelerateConfiguration.AccelerationStatus",
        "PutBucketAccelerateConfiguration",
    ),
    "acceleration added": (
        nothing,
        lambda b: put_acceleration(b, "Enabled"),
        "AccelerateConfiguration.AccelerationStatus",
        "PutBucketAccelerateConfiguration",
    ),
}


@pytest.mark.parametrize(("before", "edit", "path", "operation"), EDITS.values(), ids=EDITS)
def test_an_edit_goes_back_by_one_request(
    bucket: Bucket, before: Step, edit: Step, path: str, operation: str
) -> None:
    before(bucket)
    bucket.recorded()
    calls = bucket.goes_round(lambda: edit(bucket), *path.split())
    assert [name for name, _ in calls] == [operation]
