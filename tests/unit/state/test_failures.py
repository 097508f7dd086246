"""S3 that refuses, throttles or does not answer: each its own message, none a traceback."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ConnectionClosedError, EndpointConnectionError, NoCredentialsError
from botocore.parsers import ResponseParserError

from driftwarden.errors import StateBucketError, StateConflict, StateError
from driftwarden.model import StackRef
from driftwarden.state import StateStore

REF = StackRef("Shop", "us-east-1")


def failure(store: StateStore) -> StateError:
    with pytest.raises(StateError) as caught:
        store.load(REF)
    return caught.value


def test_denied_names_the_object_the_operation_and_the_permission(store: StateStore, faults: Any) -> None:
    faults.answer("GetObject", 403, "AccessDenied", message="User is not authorized: kms:Decrypt")
    error = failure(store)
    assert isinstance(error, StateBucketError)
    for part in (
        "s3:GetObject on s3://cdkd-state-123456789012/cdkd/Shop/us-east-1/state.json was denied",
        "kms:Decrypt",
        "Allow the caller s3:GetObject and s3:ListBucket",
    ):
        assert part in str(error)
    assert "another account" not in str(error)


def test_denied_listing_names_the_list_permission(store: StateStore, faults: Any) -> None:
    faults.answer("ListObjectsV2", 403, "AccessDenied")
    with pytest.raises(StateBucketError, match="Allow the caller s3:ListBucket"):
        store.list_stacks()


@pytest.mark.parametrize("code", ["SlowDown", "ServiceUnavailable", "Throttling"])
def test_throttling_that_outlasts_the_retries_is_no_permission_problem(
    store: StateStore, faults: Any, code: str
) -> None:
    faults.answer("GetObject", 503, code)
    error = failure(store)
    assert not isinstance(error, StateBucketError)
    assert "s3:GetObject" in str(error)
    assert f"throttled ({code})" in str(error)


def test_a_redirect_says_that_the_bucket_lives_elsewhere(store: StateStore, faults: Any) -> None:
    faults.answer("GetObject", 301, "PermanentRedirect")
    assert "another region (PermanentRedirect)" in str(failure(store))


@pytest.mark.parametrize("code", ["ExpiredToken", "InvalidAccessKeyId"])
def test_bad_credentials_are_told_apart_from_missing_permission(
    store: StateStore, faults: Any, code: str
) -> None:
    faults.answer("GetObject", 400 if code == "ExpiredToken" else 403, code)
    error = str(failure(store))
    assert f"credentials ({code})" in error
    assert "Allow" not in error


def test_missing_credentials_say_so(store: StateStore, faults: Any) -> None:
    assert store.bucket.name
    faults.raise_error("GetObject", NoCredentialsError())
    assert "credentials" in str(failure(store))


@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="https://s3"),
        ConnectionClosedError(endpoint_url="https://s3"),
    ],
)
def test_no_answer_names_the_operation_and_that_nothing_changed(
    store: StateStore, faults: Any, error: Exception
) -> None:
    assert store.bucket.name
    faults.raise_error("GetObject", error)
    message = str(failure(store))
    assert "s3:GetObject" in message
    assert "no answer" in message
    assert "Nothing was changed" in message


@pytest.mark.parametrize("operation", ["HeadBucket", "GetObject"])
def test_an_answer_of_a_proxy_is_told_from_one_of_s3(store: StateStore, faults: Any, operation: str) -> None:
    faults.raise_error(operation, ResponseParserError("<html>"))
    message = str(failure(store))
    assert "an answer that is not S3's" in message
    assert "html" not in message


def test_the_bucket_look_up_explains_itself_in_the_same_way(store: StateStore, faults: Any) -> None:
    faults.raise_error("HeadBucket", EndpointConnectionError(endpoint_url="https://s3"))
    assert "s3:HeadBucket (s3:ListBucket) got no answer" in str(failure(store)).replace(
        " on s3://cdkd-state-123456789012", ""
    )


def test_an_unknown_code_is_shown_with_its_message_made_plain(store: StateStore, faults: Any) -> None:
    faults.answer("GetObject", 500, "InternalError", message="try\n\u202eagain")
    message = str(failure(store))
    assert "InternalError: try\\u000a\\u202eagain" in message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("status", "code"), [(412, "PreconditionFailed"), (409, "ConditionalRequestConflict")]
)
def test_a_failed_condition_is_a_conflict(store: StateStore, faults: Any, status: int, code: str) -> None:
    faults.answer("PutObject", status, code)
    with pytest.raises(StateConflict):
        store.bucket.create("cdkd/x", b"{}")


def test_a_write_without_an_answer_does_not_claim_that_nothing_happened(
    store: StateStore, faults: Any
) -> None:
    assert store.bucket.name
    faults.raise_error("PutObject", ConnectionClosedError(endpoint_url="https://s3"))
    with pytest.raises(StateError, match="not known whether the write took effect"):
        store.bucket.create("cdkd/x", b"{}")
