"""Where reports are kept."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.accepted import accept


class Reports(Construct):
    """The reports bucket: versioned, encrypted, TLS only, private, access-logged, emptied by age."""

    def __init__(self, scope: Construct, construct_id: str, *, key: kms.IKey, retention_days: int) -> None:
        super().__init__(scope, construct_id)
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            encryption=s3.BucketEncryption.KMS,
            encryption_key=key,
            bucket_key_enabled=True,
            versioned=True,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            server_access_logs_bucket=self._access_logs(retention_days),
            server_access_logs_prefix="reports/",
            lifecycle_rules=_by_age(retention_days),
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )

    def _access_logs(self, retention_days: int) -> s3.Bucket:
        logs = s3.Bucket(
            self,
            "AccessLogs",
            # The only encryption S3 delivers to (S3 User Guide, "Enabling Amazon S3 server access logging").
            encryption=s3.BucketEncryption.S3_MANAGED,
            versioned=True,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            lifecycle_rules=[s3.LifecycleRule(id="age", expiration=cdk.Duration.days(retention_days))],
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )
        accept(
            logs,
            "This is the bucket that access logs go to; logging itself would never end.",
            "AwsSolutions-S1",
        )
        return logs


def _by_age(days: int) -> list[s3.LifecycleRule]:
    """Reports end with the retention. The newest report of a stack stays until the next one replaces it."""
    return [
        s3.LifecycleRule(id="reports", prefix="reports/", expiration=cdk.Duration.days(days)),
        s3.LifecycleRule(
            id="replaced",
            noncurrent_version_expiration=cdk.Duration.days(30),
            abort_incomplete_multipart_upload_after=cdk.Duration.days(7),
            expired_object_delete_marker=True,
        ),
    ]
