"""A bucket for tests, its configurations, and the edits that somebody makes behind the record's back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import boto3

from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import REGION, Life

ACCOUNT = "123456789012"
BUCKET = "shop-invoices"
NAME = {"Bucket": BUCKET}
ROLE = f"arn:aws:iam::{ACCOUNT}:role/replication"
TOPIC = f"arn:aws:sns:us-east-1:{ACCOUNT}:arrivals"
OTHER_TOPIC = f"arn:aws:sns:us-east-1:{ACCOUNT}:audit"

KEEP = {"ID": "keep", "Status": "Enabled", "Filter": {"Prefix": "logs/"}, "Expiration": {"Days": 90}}
MOVE = {
    "ID": "move",
    "Status": "Enabled",
    "Filter": {"And": {"Prefix": "raw/", "Tags": [{"Key": "cold", "Value": "yes"}]}},
    "Transitions": [{"Days": 30, "StorageClass": "GLACIER"}],
    "NoncurrentVersionExpiration": {"NoncurrentDays": 7},
}
CORS = {"AllowedMethods": ["GET"], "AllowedOrigins": ["https://shop.example"], "MaxAgeSeconds": 300}
WEBSITE = {"IndexDocument": {"Suffix": "index.html"}, "ErrorDocument": {"Key": "sorry.html"}}
ON_ARRIVAL = {
    "Id": "arrivals",
    "TopicArn": TOPIC,
    "Events": ["s3:ObjectCreated:*"],
    "Filter": {"Key": {"FilterRules": [{"Name": "prefix", "Value": "in/"}]}},
}
SSE = {
    "Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}, "BucketKeyEnabled": False}]
}
KMS = {
    "Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms"}, "BucketKeyEnabled": True}]
}
ALL_BLOCKED = {
    "BlockPublicAcls": True,
    "BlockPublicPolicy": True,
    "IgnorePublicAcls": True,
    "RestrictPublicBuckets": True,
}


@dataclass(frozen=True)
class Bucket:
    """The bucket under test, with a client for edits behind the record's back."""

    life: Life
    s3: Any

    def recorded(self) -> None:
        self.life.record("Invoices", "AWS::S3::Bucket", BUCKET, {"BucketName": BUCKET})

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        self.life.goes_round("Invoices", edit, expect=expect)
        return self.life.calls


def a_bucket(life: Life) -> Bucket:
    """Whatever comes up on it is drift, whether the template declares it or not."""
    life.settings = ScanSettings(undeclared="drift")
    s3 = boto3.client("s3", region_name=REGION)
    s3.create_bucket(Bucket=BUCKET)
    for name in ("arrivals", "audit"):
        boto3.client("sns", region_name=REGION).create_topic(Name=name)
    return Bucket(life, s3)


def put_lifecycle(bucket: Bucket, *rules: dict[str, Any]) -> None:
    bucket.s3.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration={"Rules": list(rules)})


def put_cors(bucket: Bucket, *rules: dict[str, Any]) -> None:
    bucket.s3.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": list(rules)})


def put_notifications(bucket: Bucket, *topics: dict[str, Any], **more: Any) -> None:
    bucket.s3.put_bucket_notification_configuration(
        Bucket=BUCKET, NotificationConfiguration={"TopicConfigurations": list(topics), **more}
    )


def put_tags(bucket: Bucket, **tags: str) -> None:
    pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
    bucket.s3.put_bucket_tagging(Bucket=BUCKET, Tagging={"TagSet": pairs})


def put_versioning(bucket: Bucket, status: str) -> None:
    bucket.s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": status})


def put_encryption(bucket: Bucket, rules: dict[str, Any]) -> None:
    bucket.s3.put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration=rules)


def put_ownership(bucket: Bucket, owner: str) -> None:
    controls = {"Rules": [{"ObjectOwnership": owner}]}
    bucket.s3.put_bucket_ownership_controls(Bucket=BUCKET, OwnershipControls=controls)


def put_access(bucket: Bucket, **flags: bool) -> None:
    bucket.s3.put_public_access_block(Bucket=BUCKET, PublicAccessBlockConfiguration={**ALL_BLOCKED, **flags})


def put_website(bucket: Bucket, **more: Any) -> None:
    bucket.s3.put_bucket_website(Bucket=BUCKET, WebsiteConfiguration={**WEBSITE, **more})


def put_logging(bucket: Bucket, prefix: str) -> None:
    delivery = {
        "Effect": "Allow",
        "Principal": {"Service": "logging.s3.amazonaws.com"},
        "Action": "s3:PutObject",
        "Resource": f"arn:aws:s3:::{BUCKET}/*",
    }
    put_policy(bucket, delivery)
    bucket.s3.put_bucket_logging(
        Bucket=BUCKET,
        BucketLoggingStatus={"LoggingEnabled": {"TargetBucket": BUCKET, "TargetPrefix": prefix}},
    )


def put_acceleration(bucket: Bucket, status: str) -> None:
    bucket.s3.put_bucket_accelerate_configuration(Bucket=BUCKET, AccelerateConfiguration={"Status": status})


def put_policy(bucket: Bucket, *statements: dict[str, Any]) -> None:
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    bucket.s3.put_bucket_policy(Bucket=BUCKET, Policy=json.dumps(document))
