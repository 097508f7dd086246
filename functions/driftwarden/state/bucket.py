"""The state bucket: finding it, and the few calls made on it.

Every call names the account that must own the bucket (`ExpectedBucketOwner`), so that a bucket which another
account created under the expected name is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from driftwarden.clients import Clients
from driftwarden.errors import StateBucketError, StateConflict
from driftwarden.state.failures import (
    HOW_TO_NAME_A_BUCKET,
    MISSING_BUCKET,
    MISSING_KEY,
    Attempt,
    error_code,
    explain,
)
from driftwarden.state.text import s3_uri, shown

_REGION_HEADER = "x-amz-bucket-region"
_FORBIDDEN = 403
_ELSEWHERE = frozenset({301, 400})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """An object as it was read. `etag` is quoted, as S3 gives it; `last_modified` is ISO 8601."""

    key: str
    body: bytes
    etag: str
    version_id: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What S3 says about an object after a write."""

    etag: str
    version_id: str | None


class StateBucket:
    """Calls on one bucket, through clients of the region it lives in. Safe to share between threads."""

    def __init__(
        self,
        clients: Clients,
        *,
        name: str,
        region: str,
        owner_confirmed: bool,
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.region = region
        self.warnings = warnings
        self._clients = clients
        self._owner_confirmed = owner_confirmed
        self._where = {"Bucket": name, "ExpectedBucketOwner": clients.account_id}

    def get(self, key: str) -> Stored | None:
        """The object, or None where there is none."""
        with self._explained("GetObject", key):
            try:
                answer = self._reader.get_object(**self._where, Key=key)
            except ClientError as error:
                if error_code(error) in MISSING_KEY:
                    return None
                raise
            body = answer["Body"].read()
        modified = answer.get("LastModified")
        return Stored(
            key=key,
            body=body,
            etag=answer["ETag"],
            version_id=answer.get("VersionId"),
            last_modified=modified.isoformat().replace("+00:00", "Z") if modified else None,
        )

    def keys(self, prefix: str) -> Iterator[str]:
        """All keys that start with `prefix`, page after page."""
        with self._explained("ListObjectsV2", prefix):
            pages = self._reader.get_paginator("list_objects_v2").paginate(**self._where, Prefix=prefix)
            for page in pages:
                yield from (entry["Key"] for entry in page.get("Contents", ()))

    def create(self, key: str, body: bytes) -> Written:
        """Write an object that must not exist yet. Raises StateConflict when it does."""
        return self._put(key, body, IfNoneMatch="*")

    def replace(self, key: str, body: bytes, *, etag: str) -> Written:
        """Write over the object that `etag` names. Raises StateConflict when it is another one, or gone."""
        return self._put(key, body, IfMatch=etag)

    def delete(self, key: str, *, etag: str) -> None:
        """Delete the object that `etag` names. Raises StateConflict when it is another one."""
        with self._explained("DeleteObject", key):
            try:
                self._writer.delete_object(**self._where, Key=key, IfMatch=etag)
            except ClientError as error:
                if error_code(error) not in MISSING_KEY:
                    raise

    def _put(self, key: str, body: bytes, **condition: str) -> Written:
        with self._explained("PutObject", key):
            try:
                answer = self._writer.put_object(
                    **self._where, Key=key, Body=body, ContentType="application/json", **condition
                )
            except ClientError as error:
                # S3 answers 404, not 412, when If-Match names an object that is gone (PutObject reference).
                if error_code(error) in MISSING_KEY:
                    raise StateConflict(f"{s3_uri(self.name, key)} is gone.") from error
                raise
        return Written(etag=answer["ETag"], version_id=answer.get("VersionId"))

    @contextmanager
    def _explained(self, operation: str, key: str) -> Iterator[None]:
        try:
            yield
        except (ClientError, BotoCoreError, ResponseParserError) as error:
            attempt = Attempt(
                operation=operation,
                bucket=self.name,
                region=self.region,
                owner=self._clients.account_id,
                key=key,
                owner_confirmed=self._owner_confirmed,
            )
            raise explain(error, attempt) from error

    @property
    def _reader(self) -> Any:
        return self._clients.reader("s3", self.region)

    @property
    def _writer(self) -> Any:
        return self._clients.writer("s3", self.region)


def find_bucket(clients: Clients, explicit: str | None) -> StateBucket:
    """The state bucket: `explicit` as it is, else the default name, else the older default name.

    Raises StateBucketError when there is none; the message says what was tried.
    """
    account = clients.account_id
    current, older = f"cdkd-state-{account}", f"cdkd-state-{account}-{clients.region}"
    for name in (explicit,) if explicit else (current, older):
        warnings = () if name != older or explicit else (_deprecation(older, current),)
        bucket = _probe(clients, name, warnings)
        if bucket is not None:
            return bucket
    tried = shown(explicit) if explicit else f"{current}, then {older}"
    raise StateBucketError(f"There is no state bucket (tried: {tried}). {HOW_TO_NAME_A_BUCKET}")


def _deprecation(older: str, current: str) -> str:
    return f"The state bucket {older} has a deprecated name; move the state to {current}."


def _probe(clients: Clients, name: str, warnings: tuple[str, ...]) -> StateBucket | None:
    """HeadBucket tells where a bucket lives even to those whom it tells nothing else.

    A refusal is no verdict yet: a role that may list only its own stack's prefix is refused here, and every
    later call checks the owner again.
    """
    confirmed = True
    try:
        answer = clients.reader("s3").head_bucket(Bucket=name, ExpectedBucketOwner=clients.account_id)
        headers = answer["ResponseMetadata"]["HTTPHeaders"]
    except ClientError as error:
        if error_code(error) in MISSING_BUCKET:
            return None
        metadata = error.response.get("ResponseMetadata", {})
        headers = metadata.get("HTTPHeaders", {})
        status = metadata.get("HTTPStatusCode")
        if status != _FORBIDDEN and not (status in _ELSEWHERE and _REGION_HEADER in headers):
            raise explain(error, _probing(clients, name)) from error
        confirmed = False
    except (BotoCoreError, ResponseParserError) as error:
        raise explain(error, _probing(clients, name)) from error
    region = headers.get(_REGION_HEADER) or clients.region
    return StateBucket(clients, name=name, region=region, owner_confirmed=confirmed, warnings=warnings)


def _probing(clients: Clients, name: str) -> Attempt:
    return Attempt(operation="HeadBucket", bucket=name, region=clients.region, owner=clients.account_id)
