"""The state records of all stacks in one bucket: list, choose, load, save."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from driftwarden.clients import Clients
from driftwarden.errors import (
    ConfigurationError,
    StateConflict,
    StateError,
    StateNotFound,
    StateUnreadable,
)
from driftwarden.ignore import IgnoreRule, parse_rules
from driftwarden.model import StackRef, StackState, StateOrigin
from driftwarden.state.bucket import StateBucket, Stored, Written, find_bucket
from driftwarden.state.keys import DEFAULT_PREFIX, StateKeys
from driftwarden.state.lineage import with_ancestors
from driftwarden.state.lock import LockOperation, StackLock
from driftwarden.state.schema import decode_document, read_document, version_to_write
from driftwarden.state.selection import select_stacks
from driftwarden.state.text import s3_uri, shown, stack_name


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDocument:
    """A stack's state beside the JSON document it came from.

    To write, change a deep copy of `document` and give it to `StateStore.save`.
    """

    document: Mapping[str, Any]
    state: StackState


class StateStore:
    """The state bucket of one account. Finds the bucket at the first call; safe to share between threads.

    `bucket` is taken verbatim; None means the default names. `clock` gives Unix seconds.
    """

    def __init__(
        self,
        clients: Clients,
        *,
        bucket: str | None = None,
        prefix: str = DEFAULT_PREFIX,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clients = clients
        self._named = bucket
        self._keys = StateKeys(prefix)
        self._clock = clock
        self._found: StateBucket | None = None
        self._finding = threading.Lock()

    @property
    def bucket(self) -> StateBucket:
        """The bucket. Raises StateBucketError where there is none."""
        with self._finding:
            if self._found is None:
                self._found = find_bucket(self._clients, self._named)
            return self._found

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the bucket itself."""
        return self.bucket.warnings

    def list_stacks(self) -> tuple[StackRef, ...]:
        """Every stack with a state record, in order of name and region.

        A legacy record that does not tell its region has the region "", and loading it raises
        StateUnreadable. It is left out where the stack also has a record under a region: it migrated there.
        """
        return self._list(self._keys.root)

    def select(
        self, names: Sequence[str] = (), *, every: bool = False, stack_region: str | None = None
    ) -> tuple[StackRef, ...]:
        """The stacks that a command line names; see `select_stacks` for the rules and errors."""
        if names and not every:
            named = tuple(ref for name in dict.fromkeys(names) for ref in self._list_one(name))
            if {ref.name for ref in named} == set(names):
                return select_stacks(named, names=names, region=stack_region)
        return select_stacks(self.list_stacks(), names=names, every=every, region=stack_region)

    def ignore_rules(self) -> tuple[IgnoreRule, ...]:
        """The ignore rules kept beside the state; none where there is no such file.

        Raises ConfigurationError for a bad rule, StateError where the file cannot be read.
        """
        key = self._keys.ignore_rules
        stored = self.bucket.get(key)
        if stored is None:
            return ()
        source = f"s3://{self.bucket.name}/{key}"
        try:
            return parse_rules(stored.body.decode(), source)
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{source} is not UTF-8 text; write the rules again.") from error

    def load(self, ref: StackRef) -> StackState:
        """A stack's state. Raises StateNotFound, StateUnreadable, StateBucketError or StateError."""
        return self.load_document(ref).state

    def load_document(self, ref: StackRef) -> StateDocument:
        """A stack's state with its document, for those who write it back. Raises as `load` does."""
        stored, document = self._fetch(ref)
        state = read_document(document, ref, self._origin(stored))
        return StateDocument(
            document=document, state=with_ancestors(state, lambda parent: self._fetch(parent)[1])
        )

    def lock(self, ref: StackRef, operation: LockOperation) -> StackLock:
        """The stack's lock, not yet taken: use it in a `with` statement."""
        return StackLock(
            self.bucket, key=self._keys.lock(ref), ref=ref, operation=operation, clock=self._clock
        )

    def save(self, read: StateDocument, document: Mapping[str, Any], *, lock: StackLock) -> StateOrigin:
        """Write `document` in place of what was read, under the stack's lock; returns where it lies now.

        Raises StateConflict when the record changed since it was read (nothing was written then), LockHeld
        when the lock is not ours any more. A legacy record goes to the key of the current layout.
        """
        ref = read.state.ref
        lock.check(ref)
        body = self._encode(read.state, document)
        key = self._keys.state(ref)
        try:
            if read.state.origin.key == key:
                written = self.bucket.replace(key, body, etag=read.state.origin.etag)
            else:
                written = self._migrate(read.state, key, body)
        except StateConflict as error:
            raise StateConflict(
                f"The state of stack {stack_name(ref)} changed since it was read; nothing was written. "
                "Run the command again to work on the new state."
            ) from error
        return StateOrigin(bucket=self.bucket.name, key=key, etag=written.etag, version_id=written.version_id)

    def _migrate(self, state: StackState, key: str, body: bytes) -> Written:
        legacy = self.bucket.get(state.origin.key)
        if legacy is None or legacy.etag != state.origin.etag:
            raise StateConflict("The legacy record is not the one that was read.")
        written = self.bucket.create(key, body)
        # One that stays behind does no harm: the record under its region's key hides it.
        with suppress(StateError):
            self.bucket.delete(legacy.key, etag=legacy.etag)
        return written

    def _encode(self, state: StackState, document: Mapping[str, Any]) -> bytes:
        version = version_to_write(document, state.version)
        stamped = {**document, "lastModified": int(self._clock() * 1000)}
        if version != document.get("version", 1):
            stamped["version"] = version
        try:
            return orjson.dumps(stamped, option=orjson.OPT_INDENT_2)
        except TypeError as error:
            raise StateError(
                f"The state of stack {stack_name(state.ref)} cannot be written as JSON ({shown(error)}); "
                "nothing was written."
            ) from error

    def _list_one(self, name: str) -> tuple[StackRef, ...]:
        return tuple(ref for ref in self._list(self._keys.folder(name)) if ref.name == name)

    def _list(self, prefix: str) -> tuple[StackRef, ...]:
        found = {ref for key in self.bucket.keys(prefix) if (ref := self._keys.parse(key))}
        regional = {ref for ref in found if ref.region}
        legacy = {StackRef(ref.name, self._legacy_region(ref.name)) for ref in found - regional}
        migrated = {ref.name for ref in regional}
        legacy = {ref for ref in legacy if ref.region or ref.name not in migrated}
        return tuple(sorted(regional | legacy))

    def _legacy_region(self, name: str) -> str:
        stored = self.bucket.get(self._keys.legacy_state(name))
        if stored is None:
            return ""
        try:
            return _region_in(decode_document(stored.body, StackRef(name, ""), self._origin(stored)))
        except StateUnreadable:
            return ""

    def _fetch(self, ref: StackRef) -> tuple[Stored, dict[str, Any]]:
        stored = self.bucket.get(self._keys.state(ref)) if ref.region else None
        if stored is None:
            return self._fetch_legacy(ref)
        return stored, decode_document(stored.body, ref, self._origin(stored))

    def _fetch_legacy(self, ref: StackRef) -> tuple[Stored, dict[str, Any]]:
        stored = self.bucket.get(self._keys.legacy_state(ref.name))
        if stored is None:
            raise self._not_found(ref)
        document = decode_document(stored.body, ref, self._origin(stored))
        region = _region_in(document)
        if not region:
            raise StateUnreadable(
                f"The state of stack {stack_name(ref)} is a legacy record that names no region, so nobody "
                "can tell where its resources are. Deploy the stack once to migrate the record."
            )
        if region != ref.region:
            raise self._not_found(ref)
        return stored, document

    def _not_found(self, ref: StackRef) -> StateNotFound:
        where = s3_uri(self.bucket.name, self._keys.state(ref))
        return StateNotFound(
            f"There is no state for stack {stack_name(ref)} ({where}). "
            "Check the name, the region, the bucket and the prefix, or deploy the stack."
        )

    def _origin(self, stored: Stored) -> StateOrigin:
        return StateOrigin(
            bucket=self.bucket.name,
            key=stored.key,
            etag=stored.etag,
            version_id=stored.version_id,
            last_modified=stored.last_modified,
        )


def _region_in(document: Mapping[str, Any]) -> str:
    region = document.get("region")
    return region if isinstance(region, str) else ""
