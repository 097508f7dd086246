"""Delivers reports to S3 and alerts to SNS. Encryption at rest is the bucket's and the topic's own default.

All calls are retried: writing a report twice changes nothing, and an alert told twice is better than none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from driftwarden.clients import Clients
from driftwarden.errors import ConfigurationError, PublishError
from driftwarden.model import StackRef
from driftwarden.report.alert import Alert
from driftwarden.report.document import Document
from driftwarden.report.keys import latest_key, report_key
from driftwarden.report.location import ReportLocation

AWS_FAILURES: Final = (BotoCoreError, ClientError)

_NUMERIC_ATTRIBUTES: Final = frozenset({"exitStatus"})
_ARN_FIELDS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What operators were last told about a stack, and since when (`2025-01-31T08:15:00Z`) that is so."""

    fingerprint: str
    since: str


class ReportBucket:
    """The bucket that reports go to. `owner` is the account that must own it."""

    def __init__(self, clients: Clients, name: str, *, owner: str | None = None) -> None:
        self.name = name
        self.region = clients.region
        self.client: Any = clients.reader("s3")
        self.where = {"Bucket": name} | ({"ExpectedBucketOwner": owner} if owner else {})

    def store(self, document: Document) -> ReportLocation:
        """Write the report under its own key. Raises PublishError."""
        key = report_key(document.ref, document.finished_at, document.scan_id)
        self._put(document, key, {})
        return ReportLocation(bucket=self.name, key=key, region=self.region)

    def store_latest(self, document: Document, standing: Standing | None) -> None:
        """Write the report as the stack's latest. Raises PublishError.

        `standing` goes into the object's metadata; None when the alert did not get out, so that the next one
        does not pass for a repetition.
        """
        told = {"fingerprint": standing.fingerprint, "since": standing.since} if standing else {}
        self._put(document, latest_key(document.ref), told)

    def standing(self, ref: StackRef) -> Standing | None:
        """What the stack's latest report told; None when there is none, or it does not say.

        Raises PublishError when S3 does not answer.
        """
        key = latest_key(ref)
        try:
            metadata = self.client.head_object(**self.where, Key=key)["Metadata"]
        except ClientError as error:
            # Without s3:ListBucket, S3 answers 403 for an object that is not there.
            if error.response["ResponseMetadata"]["HTTPStatusCode"] in (403, 404):
                return None
            raise self._failure("HeadObject", key, error) from error
        except BotoCoreError as error:
            raise self._failure("HeadObject", key, error) from error
        if not {"fingerprint", "since"} <= metadata.keys():
            return None
        return Standing(fingerprint=metadata["fingerprint"], since=metadata["since"])

    def _put(self, document: Document, key: str, metadata: Mapping[str, str]) -> None:
        try:
            self.client.put_object(
                **self.where,
                Key=key,
                Body=document.json_bytes(),
                ContentType="application/json",
                Metadata=metadata,
            )
        except AWS_FAILURES as error:
            raise self._failure("PutObject", key, error) from error

    def _failure(self, operation: str, key: str, error: BotoCoreError | ClientError) -> PublishError:
        return PublishError(
            f"{operation} on s3://{self.name}/{key} failed ({describe(error)}). Check that the bucket exists "
            f"in {self.region} and belongs to the expected account, and that the role may use it and its key."
        )


def publish_alert(clients: Clients, topic_arn: str, alert: Alert) -> None:
    """Publish `alert`, in the topic's own region. Raises PublishError, ConfigurationError for a bad ARN."""
    fields = topic_arn.split(":")
    if len(fields) != _ARN_FIELDS or fields[2] != "sns":
        raise ConfigurationError(f"{topic_arn!r} is not the ARN of an SNS topic. Correct ALERTS_TOPIC_ARN.")
    try:
        clients.reader("sns", fields[3]).publish(
            TopicArn=topic_arn,
            Subject=alert.subject,
            Message=alert.message(),
            MessageStructure="json",
            MessageAttributes={
                name: {
                    "DataType": "Number" if name in _NUMERIC_ATTRIBUTES else "String",
                    "StringValue": value,
                }
                for name, value in alert.attributes.items()
            },
        )
    except AWS_FAILURES as error:
        raise PublishError(
            f"Publish to {topic_arn} failed ({describe(error)}). Check that the topic exists, and that the "
            "role may use it and its KMS key."
        ) from error


def describe(error: BotoCoreError | ClientError) -> str:
    """`AccessDenied: ...`, or the class and text of an error that is not an answer of AWS."""
    if isinstance(error, ClientError):
        detail = error.response.get("Error", {})
        return f"{detail.get('Code', 'no code')}: {detail.get('Message', 'no message')}"
    return f"{type(error).__name__}: {error}"
