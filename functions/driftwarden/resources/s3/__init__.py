"""Amazon S3."""

from __future__ import annotations

from driftwarden.resources.s3.bucket import BUCKET
from driftwarden.resources.s3.bucket_policy import BUCKET_POLICY

TYPES = (BUCKET, BUCKET_POLICY)
