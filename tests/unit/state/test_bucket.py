"""Finding the state bucket, and whose it must be."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from driftwarden.clients import Clients
from driftwarden.errors import StateBucketError
from driftwarden.model import StackRef
from driftwarden.state import LockOperation, StateStore

ACCOUNT = "123456789012"
BUCKET = f"cdkd-state-{ACCOUNT}"


def test_the_default_bucket_is_named_after_the_account(store: StateStore) -> None:
    assert store.bucket.name == BUCKET
    assert store.warnings == ()


def test_the_older_default_name_still_works_with_a_deprecation_warning(clients: Clients) -> None:
    boto3.client("s3").create_bucket(Bucket=f"{BUCKET}-us-east-1")
    store = StateStore(clients)
    (warning,) = store.warnings
    assert store.bucket.name == f"{BUCKET}-us-east-1"
    assert "deprecated" in warning
    assert BUCKET in warning


def test_the_older_name_is_not_looked_at_when_the_default_bucket_exists(clients: Clients, s3: Any) -> None:
    s3.create_bucket(Bucket=f"{BUCKET}-us-east-1")
    assert StateStore(clients).bucket.name == BUCKET


def test_an_explicit_bucket_is_taken_verbatim_and_nothing_else_is_tried(clients: Clients, s3: Any) -> None:
    s3.create_bucket(Bucket="somewhere-else")
    assert StateStore(clients, bucket="somewhere-else").bucket.name == "somewhere-else"
    with pytest.raises(StateBucketError, match=r"tried: not-there\)"):
        _ = StateStore(clients, bucket="not-there").bucket


def test_no_bucket_at_all_says_what_was_tried_and_how_to_name_one(clients: Clients) -> None:
    with pytest.raises(StateBucketError) as caught:
        StateStore(clients).list_stacks()
    for part in (BUCKET, f"{BUCKET}-us-east-1", "--state-bucket", "CDKD_STATE_BUCKET"):
        assert part in str(caught.value)


def test_a_bucket_that_disappears_later_is_a_missing_bucket(store: StateStore, s3: Any) -> None:
    assert store.list_stacks() == ()
    s3.delete_bucket(Bucket=BUCKET)
    with pytest.raises(StateBucketError, match=f"{BUCKET} does not exist"):
        store.load(StackRef("Shop", "us-east-1"))


def test_an_invalid_bucket_name_is_a_clear_error(clients: Clients) -> None:
    with pytest.raises(StateBucketError, match="not a valid name") as caught:
        _ = StateStore(clients, bucket="no\x1b such/bucket").bucket
    assert str(caught.value).isprintable()


def test_a_bucket_in_another_region_is_used_through_that_region(clients: Clients) -> None:
    client = boto3.client("s3", region_name="eu-west-3")
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-3"})
    client.put_object(Bucket=BUCKET, Key="cdkd/Shop/us-east-1/state.json", Body=b'{"resources": {}}')
    store = StateStore(clients)

    assert store.bucket.region == "eu-west-3"
    assert store.load(StackRef("Shop", "us-east-1")).ref.region == "us-east-1"


@pytest.mark.parametrize("status", [301, 400, 403])
def test_the_region_is_learnt_even_from_a_refusal(
    clients: Clients, s3: Any, faults: Any, status: int
) -> None:
    faults.answer("HeadBucket", status, "", headers={"x-amz-bucket-region": "eu-west-3"})
    assert StateStore(clients, bucket="locked-down").bucket.region == "eu-west-3"


def test_a_bucket_of_another_account_is_refused_and_the_message_says_whose_it_must_be(
    store: StateStore, faults: Any
) -> None:
    faults.answer("HeadBucket", 403, "")
    faults.answer("ListObjectsV2", 403, "AccessDenied", message="Access Denied")
    with pytest.raises(StateBucketError) as caught:
        store.list_stacks()
    assert f"belongs to another account than {ACCOUNT}" in str(caught.value)
    assert "s3:ListBucket" in str(caught.value)


def test_a_squatted_default_name_does_not_lead_to_the_older_name(
    clients: Clients, s3: Any, faults: Any
) -> None:
    s3.create_bucket(Bucket=f"{BUCKET}-us-east-1")
    faults.answer("HeadBucket", 403, "")
    assert StateStore(clients).bucket.name == BUCKET


def test_a_role_that_may_only_read_its_own_record_still_loads_it(
    store: StateStore, faults: Any, put: Any
) -> None:
    put("Shop/us-east-1/state.json")
    faults.answer("HeadBucket", 403, "")
    assert store.load(StackRef("Shop", "us-east-1")).version == 8


def test_every_call_names_the_account_that_must_own_the_bucket(
    store: StateStore, put: Any, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    put("Shop/us-east-1/state.json", region="us-east-1")
    put("Old/state.json", region="us-east-1")
    for ref in store.list_stacks():
        read = store.load_document(ref)
        with store.lock(ref, LockOperation.ACCEPT) as lock:
            lock.renew()
            store.save(read, dict(read.document), lock=lock)

    operations = {operation for operation, _ in calls}
    assert operations == {"HeadBucket", "ListObjectsV2", "GetObject", "PutObject", "DeleteObject"}
    assert [name for name, parameters in calls if parameters.get("ExpectedBucketOwner") != ACCOUNT] == []
