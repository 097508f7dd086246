"""Only one process works on a stack, and nobody removes a lock that is not theirs."""

from __future__ import annotations

import threading
from typing import Any

import orjson
import pytest
from botocore.exceptions import ReadTimeoutError

from driftwarden.errors import LockHeld, StateBucketError, StateError
from driftwarden.model import StackRef
from driftwarden.state import LockOperation, StackLock, StateStore

BUCKET = "cdkd-state-123456789012"
KEY = "cdkd/Shop/us-east-1/lock.json"
SHOP = StackRef("Shop", "us-east-1")
MINUTE = 60
LOST = ReadTimeoutError(endpoint_url="https://s3")


@pytest.fixture
def lock(store: StateStore) -> StackLock:
    return store.lock(SHOP, LockOperation.REVERT)


def lock_in(s3: Any) -> dict[str, Any] | None:
    try:
        body = orjson.loads(s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read())
    except s3.exceptions.NoSuchKey:
        return None
    return dict(body)


def put_lock(s3: Any, body: Any) -> None:
    s3.put_object(Bucket=BUCKET, Key=KEY, Body=body if isinstance(body, bytes) else orjson.dumps(body))


def somebodys(clock: Any, *, age: float, **changes: Any) -> dict[str, Any]:
    taken = int((clock.now - age) * 1000)
    fields = {"owner": "ann@build:7", "timestamp": taken, "expiresAt": taken + 30 * MINUTE * 1000}
    return {**fields, "operation": "deploy", **changes}


def test_a_held_lock_is_the_object_that_the_deploy_tool_looks_for(
    lock: StackLock, s3: Any, clock: Any
) -> None:
    with lock:
        assert lock_in(s3) == {
            "owner": lock.owner,
            "timestamp": int(clock.now * 1000),
            "expiresAt": int(clock.now * 1000) + 30 * MINUTE * 1000,
            "operation": "drift-revert",
        }
    assert lock_in(s3) is None


def test_operations_have_the_names_of_the_format() -> None:
    assert [operation.value for operation in LockOperation] == ["drift-accept", "drift-revert"]


def test_a_second_holder_is_refused_and_told_who_holds_it(lock: StackLock, s3: Any, clock: Any) -> None:
    put_lock(s3, somebodys(clock, age=5 * MINUTE))
    with pytest.raises(LockHeld) as caught:
        lock.acquire()
    for part in (
        "Stack Shop (us-east-1)",
        "ann@build:7",
        "operation deploy",
        "for 300 s",
        "expires at 2023-11-14T22:38:20Z",
        f"aws s3 rm s3://{BUCKET}/{KEY}",
    ):
        assert part in str(caught.value)
    assert lock_in(s3) == somebodys(clock, age=5 * MINUTE)


def test_two_of_our_own_processes_exclude_each_other(store: StateStore, lock: StackLock) -> None:
    with lock, pytest.raises(LockHeld, match="operation drift-revert"):
        store.lock(SHOP, LockOperation.ACCEPT).acquire()


def test_locks_of_other_stacks_and_regions_do_not_matter(store: StateStore, lock: StackLock) -> None:
    elsewhere = store.lock(StackRef("Shop", "eu-west-1"), LockOperation.ACCEPT)
    with lock, elsewhere:
        lock.check(SHOP)
        elsewhere.check(StackRef("Shop", "eu-west-1"))


def test_an_expired_lock_is_taken_over(lock: StackLock, s3: Any, clock: Any) -> None:
    put_lock(s3, somebodys(clock, age=30 * MINUTE))
    with lock:
        held = lock_in(s3)
        assert held is not None
        assert held["owner"] == lock.owner


def test_an_expired_lock_that_its_owner_renews_just_now_is_left_alone(
    lock: StackLock, s3: Any, clock: Any, faults: Any
) -> None:
    put_lock(s3, somebodys(clock, age=31 * MINUTE))
    renewed = somebodys(clock, age=0)
    faults.run_before("DeleteObject", lambda: put_lock(s3, renewed))
    with pytest.raises(LockHeld, match="ann@build:7"):
        lock.acquire()
    assert lock_in(s3) == renewed


def test_who_is_slower_at_taking_over_is_refused(lock: StackLock, s3: Any, clock: Any, faults: Any) -> None:
    put_lock(s3, somebodys(clock, age=31 * MINUTE))
    faults.run_before("DeleteObject", lambda: s3.delete_object(Bucket=BUCKET, Key=KEY))
    winner = somebodys(clock, age=0, owner="bob@ci:1")

    def take() -> None:
        faults.run_before("PutObject", lambda: put_lock(s3, winner))

    faults.run_before("DeleteObject", take)
    with pytest.raises(LockHeld, match="bob@ci:1"):
        lock.acquire()
    assert lock_in(s3) == winner


def test_a_lock_that_is_released_while_we_look_is_simply_taken(
    lock: StackLock, s3: Any, clock: Any, faults: Any
) -> None:
    put_lock(s3, somebodys(clock, age=MINUTE))
    faults.run_before("GetObject", lambda: s3.delete_object(Bucket=BUCKET, Key=KEY))
    with lock:
        lock.check(SHOP)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'"text"', b"7", b"null", b"{}", b'{"expiresAt": "soon"}', b'{"expiresAt": true}'],
)
def test_a_lock_that_is_not_readable_blocks_and_the_message_says_how_to_remove_it(
    lock: StackLock, s3: Any, body: bytes
) -> None:
    put_lock(s3, body)
    with pytest.raises(LockHeld, match=f"not readable.*aws s3 rm s3://{BUCKET}/{KEY}"):
        lock.acquire()
    assert s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == body


@pytest.mark.parametrize(
    "changes",
    [
        {"owner": "\x1b[31mann\n", "operation": "\u202edeploy"},
        {"owner": None, "operation": 5, "timestamp": None},
        {"timestamp": 9e99, "expiresAt": 9e99},
    ],
)
def test_odd_values_in_a_lock_still_give_a_plain_message(
    lock: StackLock, s3: Any, clock: Any, changes: dict[str, Any]
) -> None:
    put_lock(s3, somebodys(clock, age=0, **changes))
    with pytest.raises(LockHeld) as caught:
        lock.acquire()
    assert str(caught.value).isprintable()


def test_the_command_that_removes_a_lock_is_safe_to_paste(store: StateStore, s3: Any) -> None:
    s3.put_object(Bucket=BUCKET, Key="cdkd/a;reboot $(x)/us-east-1/lock.json", Body=b"[]")
    with pytest.raises(LockHeld, match=r"aws s3 rm 's3://.*a;reboot \$\(x\)/us-east-1/lock.json'"):
        store.lock(StackRef("a;reboot $(x)", "us-east-1"), LockOperation.ACCEPT).acquire()


def test_renewing_pushes_the_expiry_out(lock: StackLock, s3: Any, clock: Any) -> None:
    with lock:
        clock.now += 20 * MINUTE
        lock.renew()
        clock.now += 20 * MINUTE
        lock.check(SHOP)
        held = lock_in(s3)
        assert held is not None
        assert held["expiresAt"] == int((clock.now + 10 * MINUTE) * 1000)


def test_without_renewal_the_lock_stops_covering_writes_when_it_expires(lock: StackLock, clock: Any) -> None:
    with lock:
        clock.now += 30 * MINUTE
        with pytest.raises(LockHeld, match="not held any more"):
            lock.check(SHOP)


def test_a_lock_that_somebody_took_cannot_be_renewed_checked_or_released(
    lock: StackLock, s3: Any, clock: Any
) -> None:
    others = somebodys(clock, age=0)
    with lock:
        put_lock(s3, others)
        with pytest.raises(LockHeld, match="not held any more"):
            lock.renew()
        with pytest.raises(LockHeld):
            lock.check(SHOP)
        with pytest.raises(LockHeld):
            lock.renew()
    assert lock_in(s3) == others


def test_a_lock_that_somebody_removed_is_lost(lock: StackLock, s3: Any) -> None:
    with lock:
        s3.delete_object(Bucket=BUCKET, Key=KEY)
        with pytest.raises(LockHeld):
            lock.renew()
    assert lock_in(s3) is None


def test_releasing_leaves_a_lock_with_another_etag_alone(lock: StackLock, s3: Any, clock: Any) -> None:
    others = somebodys(clock, age=0)
    with lock:
        put_lock(s3, others)
    assert lock_in(s3) == others


def test_a_failed_renewal_keeps_the_old_expiry_and_may_be_repeated(
    lock: StackLock, clock: Any, faults: Any
) -> None:
    with lock:
        clock.now += 20 * MINUTE
        faults.run_before("PutObject", _raise(LOST))
        with pytest.raises(StateError, match="no answer"):
            lock.renew()
        lock.check(SHOP)
        clock.now += 11 * MINUTE
        with pytest.raises(LockHeld):
            lock.check(SHOP)
        lock.renew()
        lock.check(SHOP)


def test_a_renewal_whose_answer_got_lost_does_not_lose_the_lock(
    lock: StackLock, s3: Any, clock: Any, faults: Any
) -> None:
    with lock:
        faults.after("PutObject", LOST)
        with pytest.raises(StateError, match="no answer"):
            lock.renew()
        clock.now += 20 * MINUTE
        lock.renew()
        clock.now += 20 * MINUTE
        lock.check(SHOP)
    assert lock_in(s3) is None


def test_a_lost_answer_to_a_renewal_does_not_leave_the_lock_behind(
    lock: StackLock, s3: Any, faults: Any, clock: Any
) -> None:
    with lock:
        clock.now += MINUTE
        faults.after("PutObject", LOST)
        with pytest.raises(StateError):
            lock.renew()
    assert lock_in(s3) is None


@pytest.mark.parametrize("error", [LOST, KeyboardInterrupt()])
def test_an_interrupted_acquire_leaves_no_lock_behind(
    lock: StackLock, s3: Any, faults: Any, error: BaseException
) -> None:
    faults.after("PutObject", error)
    with pytest.raises((StateError, KeyboardInterrupt)), lock:
        pass
    assert lock_in(s3) is None


def test_a_refused_acquire_never_removes_the_holders_lock(lock: StackLock, s3: Any, clock: Any) -> None:
    put_lock(s3, somebodys(clock, age=0))
    with pytest.raises(LockHeld), lock:
        pass
    assert lock_in(s3) == somebodys(clock, age=0)


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), SystemExit(3)])
def test_every_way_out_releases_the_lock(lock: StackLock, s3: Any, error: BaseException) -> None:
    with pytest.raises(type(error)), lock:
        raise error
    assert lock_in(s3) is None


def test_a_release_that_fails_warns_and_hides_no_other_error(
    lock: StackLock, faults: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ValueError, match="the real problem"), lock:
        faults.answer("DeleteObject", 403, "AccessDenied")
        raise ValueError("the real problem")
    assert "could not be released; it expires at 2023-11-14T22:43:20Z" in caplog.text


def test_denied_is_not_taken_for_a_held_lock(lock: StackLock, faults: Any) -> None:
    faults.answer("PutObject", 403, "AccessDenied")
    with pytest.raises(StateBucketError, match="s3:PutObject"):
        lock.acquire()


class TestRenewalInTheBackground:
    def held(self, store: StateStore, clock: Any) -> StackLock:
        return StackLock(
            store.bucket, key=KEY, ref=SHOP, operation=LockOperation.REVERT, clock=clock, renew_every=0.005
        )

    def test_a_long_run_keeps_its_lock(self, store: StateStore, clock: Any, s3: Any, faults: Any) -> None:
        with self.held(store, clock) as lock:
            clock.now += 40 * MINUTE
            for _ in range(2):
                renewed = threading.Event()
                faults.run_before("PutObject", renewed.set)
                assert renewed.wait(30)
            lock.check(SHOP)
        assert lock_in(s3) is None

    def test_a_renewal_that_fails_once_is_tried_again(
        self, store: StateStore, clock: Any, faults: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        again = threading.Event()

        def fail_and_expect_another() -> None:
            faults.run_before("PutObject", again.set)
            raise LOST

        with self.held(store, clock):
            faults.run_before("PutObject", fail_and_expect_another)
            assert again.wait(30)
        assert "could not be renewed yet" in caplog.text

    def test_a_lost_lock_stops_the_renewal_and_the_next_write(
        self, store: StateStore, clock: Any, s3: Any, faults: Any
    ) -> None:
        others = somebodys(clock, age=0)
        with self.held(store, clock) as lock:
            looked = threading.Event()
            faults.run_before("GetObject", looked.set)
            put_lock(s3, others)
            assert looked.wait(30)
            with pytest.raises(LockHeld):
                lock.check(SHOP)
        assert lock_in(s3) == others

    def test_nothing_renews_after_release(self, store: StateStore, clock: Any) -> None:
        with self.held(store, clock):
            assert "lock-renewal" in {thread.name for thread in threading.enumerate()}
        assert "lock-renewal" not in {thread.name for thread in threading.enumerate()}


def _raise(error: BaseException) -> Any:
    def fail() -> None:
        raise error

    return fail
