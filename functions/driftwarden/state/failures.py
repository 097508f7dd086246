"""What an S3 error on the state bucket means, in words: one message a kind of failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    CredentialRetrievalError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    ParamValidationError,
    PartialCredentialsError,
    TokenRetrievalError,
)
from botocore.exceptions import ConnectionError as NoConnectionError
from botocore.parsers import ResponseParserError

from driftwarden.errors import StateBucketError, StateConflict, StateError
from driftwarden.state.text import s3_uri, shown

HOW_TO_NAME_A_BUCKET: Final = "Name the state bucket with --state-bucket or CDKD_STATE_BUCKET."

# S3 repeats the key in its answer: with a control character that is no XML, and only the status is left.
MISSING_KEY: Final = frozenset({"NoSuchKey", "404"})
MISSING_BUCKET: Final = frozenset({"NoSuchBucket", "404"})
_CONFLICT = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412", "409"})
_DENIED = frozenset({"AccessDenied", "AllAccessDisabled", "403"})
_CREDENTIALS = frozenset(
    {"ExpiredToken", "InvalidToken", "InvalidAccessKeyId", "SignatureDoesNotMatch", "RequestTimeTooSkewed"}
)
_REDIRECTED = frozenset(
    {
        "301",
        "307",
        "PermanentRedirect",
        "TemporaryRedirect",
        "AuthorizationHeaderMalformed",
        "IllegalLocationConstraintException",
    }
)
_THROTTLED = frozenset(
    {
        "503",
        "SlowDown",
        "ServiceUnavailable",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "RequestLimitExceeded",
        "RequestThrottled",
    }
)
_NO_CREDENTIALS = (
    NoCredentialsError,
    PartialCredentialsError,
    CredentialRetrievalError,
    TokenRetrievalError,
)
_NO_ANSWER = (HTTPClientError, NoConnectionError, IncompleteReadError)
_ACTIONS = {
    "HeadBucket": "s3:ListBucket",
    "ListObjectsV2": "s3:ListBucket",
    "GetObject": "s3:GetObject",
    "PutObject": "s3:PutObject",
    "DeleteObject": "s3:DeleteObject",
}
_WRITES = frozenset({"PutObject", "DeleteObject"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call on the state bucket: what was tried, where, and for which account.

    `owner_confirmed`: S3 has already said that the bucket belongs to `owner`.
    """

    operation: str
    bucket: str
    region: str
    owner: str
    key: str = ""
    owner_confirmed: bool = False

    @property
    def action(self) -> str:
        """The IAM action that the call needs."""
        return _ACTIONS[self.operation]

    @property
    def aftermath(self) -> str:
        """What is known about the bucket when no clear answer came."""
        if self.operation in _WRITES:
            return "It is not known whether the write took effect: look before you repeat it."
        return "Nothing was changed."

    def __str__(self) -> str:
        return f"s3:{self.operation} on {s3_uri(self.bucket, self.key)}"


def explain(error: ClientError | BotoCoreError | ResponseParserError, attempt: Attempt) -> StateError:
    """The error to raise in place of `error`."""
    if isinstance(error, ClientError):
        return _refused(error, attempt) or _unexpected(error, attempt)
    return _unanswered(error, attempt)


def error_code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def _refused(error: ClientError, attempt: Attempt) -> StateError | None:
    """The error for a refusal that S3 gives a known code; None for every other code."""
    code = error_code(error)
    if code in _DENIED:
        return _denied(error, attempt)
    if code in _CONFLICT:
        return StateConflict(f"{attempt} was refused, because the object is not the one that was read.")
    if code in MISSING_BUCKET:
        return StateBucketError(
            f"The state bucket {shown(attempt.bucket)} does not exist. {HOW_TO_NAME_A_BUCKET}"
        )
    if code in _CREDENTIALS:
        return StateBucketError(
            f"{attempt} was refused, because S3 does not accept the credentials ({code}). "
            "Renew them, then run again."
        )
    if code in _REDIRECTED:
        return StateBucketError(
            f"{attempt} was sent to {attempt.region}, but S3 says that the bucket lives in another region "
            f"({code}). {attempt.action} in that region is needed: check the endpoint and AWS_REGION."
        )
    return None


def _unexpected(error: ClientError, attempt: Attempt) -> StateError:
    code = error_code(error)
    if code in _THROTTLED:
        return StateError(
            f"{attempt} was throttled ({code}) until the retries were used up. Nothing is wrong with "
            f"{attempt.action}: run again later, or with fewer runs side by side."
        )
    return StateError(
        f"{attempt} ({attempt.action}) failed: {shown(code)}: {_message(error)}. {attempt.aftermath}"
    )


def _denied(error: ClientError, attempt: Attempt) -> StateBucketError:
    also = " and s3:ListBucket, without which S3 hides whether an object exists" if attempt.key else ""
    action = f"Allow the caller {attempt.action}{also}"
    if attempt.owner_confirmed:
        remedy = f"{action}. A bucket encrypted with a KMS key also needs the permission to use that key."
    else:
        remedy = (
            f"Either the bucket belongs to another account than {attempt.owner}, and then it is never "
            f"used, or the permission is missing. {action}, or name another bucket (--state-bucket, "
            "CDKD_STATE_BUCKET)."
        )
    return StateBucketError(f"{attempt} was denied: {_message(error)}. {remedy}")


def _unanswered(error: BotoCoreError | ResponseParserError, attempt: Attempt) -> StateError:
    if isinstance(error, ResponseParserError):
        return StateError(
            f"{attempt} got an answer that is not S3's. Check the endpoint and the proxy. {attempt.aftermath}"
        )
    reason = shown(error, 500)
    if isinstance(error, _NO_CREDENTIALS):
        return StateBucketError(f"{attempt} was not sent: {reason}. Configure credentials, then run again.")
    if isinstance(error, ParamValidationError):
        return StateBucketError(
            f"{attempt} was not sent, because the bucket or the key is not a valid name. "
            f"{HOW_TO_NAME_A_BUCKET}"
        )
    if isinstance(error, _NO_ANSWER):
        return StateError(
            f"{attempt} ({attempt.action}) got no answer: {reason}. Check the network and the endpoint, "
            f"then run again. {attempt.aftermath}"
        )
    return StateError(f"{attempt} ({attempt.action}) failed: {reason}. {attempt.aftermath}")


def _message(error: ClientError) -> str:
    return shown(str(error.response.get("Error", {}).get("Message", "")).rstrip("."), 500)
