"""The lock of one stack: an object that only one process can create.

It is the deploy tool's own lock, taken more carefully: whatever is replaced or deleted is named by its ETag.
"""

from __future__ import annotations

import logging
import os
import secrets
import shlex
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import TracebackType
from typing import Any, Final, Self

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from driftwarden.errors import LockHeld, StateConflict, StateError
from driftwarden.model import StackRef
from driftwarden.state.bucket import StateBucket, Written
from driftwarden.state.text import s3_uri, shown, stack_name

TIME_TO_LIVE: Final = 30 * 60.0
"""Seconds after which a lock that nobody renewed may be taken over."""

_logger = logging.getLogger(__name__)


class LockOperation(StrEnum):
    """What a lock is held for."""

    ACCEPT = "drift-accept"
    REVERT = "drift-revert"


class LockBody(BaseModel):
    """The content of `lock.json`; times in Unix milliseconds. Only the expiry decides anything."""

    model_config = ConfigDict(strict=True, alias_generator=to_camel)

    owner: Any = "unknown"
    timestamp: Any = None
    expires_at: float
    operation: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLock:
    """A lock as it lies in the bucket; `body` is None where it is not readable."""

    etag: str
    body: LockBody | None


class StackLock:
    """One attempt to hold a stack's lock; use it in a `with` statement, once.

    While held, a background thread renews it. Call `check` before each write that the lock protects.
    `clock` gives Unix seconds; `renew_every` is in seconds.
    """

    def __init__(
        self,
        bucket: StateBucket,
        *,
        key: str,
        ref: StackRef,
        operation: LockOperation,
        clock: Callable[[], float] = time.time,
        renew_every: float = TIME_TO_LIVE / 3,
    ) -> None:
        self.owner = f"{_user()}@{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._bucket = bucket
        self._key = key
        self._ref = ref
        self._operation = operation
        self._clock = clock
        self._renew_every = renew_every
        self._etag: str | None = None
        self._expires_at = 0.0
        self._may_exist = False
        self._mutex = threading.RLock()
        self._stop = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="lock-renewal", daemon=True)

    def __enter__(self) -> Self:
        try:
            self.acquire()
            self._keeper.start()
        except BaseException:
            self.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def acquire(self) -> None:
        """Take the lock, or take over an expired one. Raises LockHeld naming the holder."""
        with self._mutex:
            if self._create():
                return
            found = self._read()
            if found and not self._expired(found):
                raise self._held(found)
            if found:
                # Whoever else saw it expire may have been faster: then creating fails below.
                with suppress(StateConflict):
                    self._bucket.delete(self._key, etag=found.etag)
            if not self._create():
                raise self._held(self._read())

    def renew(self) -> None:
        """Push the expiry out. Raises LockHeld when the lock is not ours any more."""
        with self._mutex:
            if self._etag is None:
                raise self._lost()
            try:
                self._replace(self._etag)
            except StateConflict as error:
                # A renewal whose answer got lost leaves our own lock under an ETag that we never saw.
                found = self._read()
                if not found or not self._is_ours(found):
                    self._etag = None
                    raise self._lost() from error
                self._replace(found.etag)

    def check(self, ref: StackRef) -> None:
        """Raises LockHeld unless this is the lock of `ref` and it is still held."""
        with self._mutex:
            if ref != self._ref or self._etag is None or self._clock() >= self._expires_at:
                raise self._lost()

    def release(self) -> None:
        """Give the lock back if it is still ours. Never raises a StateError: an unreleased lock expires."""
        self._stop.set()
        if self._keeper.is_alive():
            self._keeper.join()
        with self._mutex:
            try:
                self._delete()
            except StateError as error:
                _logger.warning(
                    "The lock of stack %s could not be released; it expires at %s. %s",
                    stack_name(self._ref),
                    _time_text(self._expires_at * 1000),
                    error,
                )
            self._etag = None

    def _keep(self) -> None:
        while not self._stop.wait(self._renew_every):
            try:
                self.renew()
            except LockHeld:
                return
            except StateError as error:
                _logger.warning(
                    "The lock of stack %s could not be renewed yet. %s", stack_name(self._ref), error
                )

    def _create(self) -> bool:
        try:
            self._put(lambda body: self._bucket.create(self._key, body))
        except StateConflict:
            return False
        return True

    def _replace(self, etag: str) -> None:
        self._put(lambda body: self._bucket.replace(self._key, body, etag=etag))

    def _put(self, write: Callable[[bytes], Written]) -> None:
        now = self._clock()
        expires_at = now + TIME_TO_LIVE
        body = {
            "owner": self.owner,
            "timestamp": int(now * 1000),
            "expiresAt": int(expires_at * 1000),
            "operation": self._operation,
        }
        self._may_exist = True
        self._etag = write(orjson.dumps(body, option=orjson.OPT_INDENT_2)).etag
        self._expires_at = expires_at

    def _delete(self) -> None:
        """Also removes a lock of ours whose ETag we never saw, because the answer to a write got lost."""
        if not self._may_exist:
            return
        if self._etag is not None:
            with suppress(StateConflict):
                self._bucket.delete(self._key, etag=self._etag)
                return
        found = self._read()
        if found and self._is_ours(found):
            with suppress(StateConflict):
                self._bucket.delete(self._key, etag=found.etag)

    def _read(self) -> FoundLock | None:
        stored = self._bucket.get(self._key)
        if stored is None:
            return None
        try:
            body = LockBody.model_validate(orjson.loads(stored.body))
        except (orjson.JSONDecodeError, ValidationError):
            return FoundLock(etag=stored.etag, body=None)
        return FoundLock(etag=stored.etag, body=body)

    def _is_ours(self, found: FoundLock) -> bool:
        return found.body is not None and found.body.owner == self.owner

    def _expired(self, found: FoundLock) -> bool:
        return found.body is not None and found.body.expires_at <= self._clock() * 1000

    def _held(self, found: FoundLock | None) -> LockHeld:
        stack = f"Stack {stack_name(self._ref)}"
        if found is None:
            return LockHeld(f"{stack} was locked by another process a moment ago. Run the command again.")
        remove = f"aws s3 rm {shlex.quote(s3_uri(self._bucket.name, self._key))}"
        if found.body is None:
            return LockHeld(
                f"{stack} has a lock that is not readable, so nobody can tell who holds it. "
                f"When no deploy, accept or revert is running, remove it: {remove}"
            )
        body = found.body
        return LockHeld(
            f"{stack} is locked by {shown(body.owner)} (operation {shown(body.operation or 'unknown')}) for "
            f"{self._age(body)}; the lock expires at {_time_text(body.expires_at)}. "
            f"Wait for that to finish; when that process is dead, remove the lock: {remove}"
        )

    def _lost(self) -> LockHeld:
        return LockHeld(
            f"The lock of stack {stack_name(self._ref)} is not held any more: it expired or was taken by "
            "another process. Nothing more is written; run the command again."
        )

    def _age(self, body: LockBody) -> str:
        if type(body.timestamp) not in {int, float}:
            return "an unknown time"
        return f"{max(0, int(self._clock() - body.timestamp / 1000))} s"


def _user() -> str:
    return os.environ.get("USER") or os.environ.get("USERNAME") or "unknown"


def _time_text(milliseconds: float) -> str:
    """UTC, ISO 8601; a time beyond the calendar as the number it is."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds:.0f} ms"
