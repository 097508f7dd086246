"""One scan of a stack at a time: a marker in the reports bucket, written on condition, says who is at it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from botocore.exceptions import ClientError

from driftwarden.errors import PublishError
from driftwarden.model import StackRef
from driftwarden.report.document import timestamp
from driftwarden.report.keys import running_key
from driftwarden.report.publish import AWS_FAILURES, ReportBucket, describe

_LOST: Final = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "NoSuchKey"})
_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """This scan may go on. `etag` names the marker it holds."""

    etag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Theirs:
    """Another scan of the same stack is running, at the latest until `expires` (ISO 8601)."""

    scan_id: str
    expires: str


def claim(
    bucket: ReportBucket, ref: StackRef, *, scan_id: str, now: datetime, expires: datetime
) -> Mine | Theirs:
    """Set the marker of `ref` until `expires`, after which the caller must not be running any more.

    A marker is taken over when it has expired, when nobody can read it, or when an earlier try of the same
    scan left it. Raises PublishError when S3 refuses.
    """
    marker = {"scanId": scan_id, "startedAt": timestamp(now), "expiresAt": timestamp(expires)}
    body = json.dumps(marker).encode()
    theirs = Theirs(scan_id="unknown", expires="unknown")
    try:
        for _ in range(_ATTEMPTS):
            if etag := _put(bucket, ref, body, IfNoneMatch="*"):
                return Mine(etag=etag)
            if (found := _held(bucket, ref)) is None:
                continue
            theirs, held = found
            if theirs.scan_id != scan_id and theirs.expires > timestamp(now):
                return theirs
            if etag := _put(bucket, ref, body, IfMatch=held):
                return Mine(etag=etag)
    except AWS_FAILURES as error:
        raise PublishError(
            f"The marker s3://{bucket.name}/{running_key(ref)}, which keeps scans of one stack apart, could "
            f"not be set ({describe(error)}). Allow s3:GetObject, s3:PutObject, s3:DeleteObject on it."
        ) from error
    return theirs


def release(bucket: ReportBucket, ref: StackRef, mine: Mine) -> None:
    """Take the marker away unless somebody else holds it by now. Raises PublishError."""
    try:
        bucket.client.delete_object(**bucket.where, Key=running_key(ref), IfMatch=mine.etag)
    except ClientError as error:
        if error.response["Error"]["Code"] not in _LOST:
            raise _not_released(bucket, ref, describe(error)) from error
    except AWS_FAILURES as error:
        raise _not_released(bucket, ref, describe(error)) from error


def _put(bucket: ReportBucket, ref: StackRef, body: bytes, **condition: str) -> str | None:
    """The marker's ETag, or None when the condition did not hold."""
    try:
        answer = bucket.client.put_object(
            **bucket.where, Key=running_key(ref), Body=body, ContentType="application/json", **condition
        )
    except ClientError as error:
        if error.response["Error"]["Code"] in _LOST:
            return None
        raise
    return str(answer["ETag"])


def _held(bucket: ReportBucket, ref: StackRef) -> tuple[Theirs, str] | None:
    """Who holds the marker, and its ETag; None when it went away meanwhile."""
    try:
        answer = bucket.client.get_object(**bucket.where, Key=running_key(ref))
    except ClientError as error:
        if error.response["Error"]["Code"] in _LOST:
            return None
        raise
    return _holder(answer["Body"].read()), str(answer["ETag"])


def _holder(body: bytes) -> Theirs:
    try:
        marker: Any = json.loads(body)
        return Theirs(scan_id=str(marker["scanId"]), expires=str(marker["expiresAt"]))
    except (ValueError, KeyError, TypeError):
        return Theirs(scan_id="", expires="")


def _not_released(bucket: ReportBucket, ref: StackRef, detail: str) -> PublishError:
    return PublishError(
        f"The marker s3://{bucket.name}/{running_key(ref)} could not be taken away ({detail}). Scans of this "
        "stack are skipped until it expires; allow the role s3:DeleteObject and s3:GetObject on it."
    )
