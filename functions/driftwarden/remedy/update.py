"""One resource being pushed back: what is wanted, what is there, and the one way to write to AWS."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from botocore import xform_name
from botocore.exceptions import BotoCoreError, ClientError

from driftwarden.answers import dig
from driftwarden.clients import Clients
from driftwarden.compare.canonical.tags import authored_by_aws
from driftwarden.convert import tag_map
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT, Properties, Record
from driftwarden.read.engine import ask_again
from driftwarden.read.reading import DENIED_CODES, Reading
from driftwarden.resources.actions import action_for
from driftwarden.resources.spec import AnyWrite, By, ResourceType, Write

BUSY: Final = frozenset(
    {
        "ConcurrentModification",
        "ConcurrentModificationException",
        "ConcurrentUpdateException",
        "ConflictException",
        "InvalidCacheClusterState",
        "InvalidDBClusterStateFault",
        "InvalidDBInstanceState",
        "InvalidDBInstanceStateFault",
        "OperationAborted",
        "PriorRequestNotComplete",
        "RequestLimitExceeded",
        "ResourceConflictException",
        "ResourceInUseException",
        "ScalingActivityInProgress",
        "SlowDown",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TooManyUpdates",
        "UpdateInProgressException",
    }
)
"""Error codes by which services say: nothing was done, try again later. No other failure is repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a revert waits, in seconds.

    `retries`: pauses before a busy service is asked again. `polls`: pauses between looks at a resource that
    is changing. `settling`: pauses before looks at a written one; some services answer old values at first.
    """

    retries: tuple[float, ...] = (1, 2, 4, 8, 15, 30)
    polls: tuple[float, ...] = (1, 2, 3, 5, *([10.0] * 120))
    settling: tuple[float, ...] = (0, 1, 2, 4, 8)


class Update:
    """The state of one update. `desired` and `live` are whole property bags, `drifted` the top-level names.

    `desired` holds resolved secrets in the clear: it goes into requests and nowhere else.
    """

    def __init__(
        self,
        reading: Reading,
        *,
        clients: Clients,
        desired: Properties,
        live: Properties,
        drifted: frozenset[str],
        patience: Patience,
        pause: Callable[[float], None] = time.sleep,
        spec: ResourceType | None = None,
    ) -> None:
        self.reading = reading
        self.record: Record = reading.record
        self.id = reading.id
        self.parts = reading.parts
        self.region = reading.region
        self.desired = desired
        self.live = live
        self.drifted = drifted
        self.narrowed: dict[str, Any] = {}
        self.spec = spec or reading.spec
        self._clients = clients
        self._patience = patience
        self._pause = pause
        self._declared = _operations(self.spec)

    @property
    def account(self) -> str:
        """The account of the credentials."""
        return self.reading.account

    def get(self, path: str, default: Any = ABSENT) -> Any:
        """The value at a dotted path of the answers that were read just before (see resources/spec.py)."""
        return self.reading.get(path, default)

    def wanted(self, path: str) -> Any:
        """The desired value at a dotted path, or ABSENT."""
        return dig(self.desired, path)

    def unset(self, path: str) -> bool:
        """Whether the baseline says that there should be nothing at a dotted path."""
        return is_unset(self.wanted(path))

    def differs(self, path: str) -> bool:
        """Whether a property, or the part of it at a dotted path, drifted."""
        top = path.partition(".")[0]
        return top in self.drifted and (top == path or self.wanted(path) != dig(self.live, path))

    def entries(self, path: str, key: str) -> tuple[list[Any], list[Any]]:
        """Of a list of structures told apart by `key`: desired ones that lack or differ, and live extras."""
        desired, live = (_keyed(dig(bag, path), key) for bag in (self.desired, self.live))
        wrong = [entry for name, entry in desired.items() if live.get(name) != entry]
        return wrong, [entry for name, entry in live.items() if name not in desired]

    def tag_changes(self, of: str = "Tags") -> tuple[dict[str, str], list[str]]:
        """Tags to set, and keys to remove. Keys that AWS writes itself are in neither."""
        desired, live = (user_tags(bag.get(of)) for bag in (self.desired, self.live))
        wrong = {key: value for key, value in desired.items() if live.get(key) != value}
        return wrong, sorted(live.keys() - desired.keys())

    def narrow(self, name: str, value: Any) -> None:
        """Say that AWS takes only this narrower form of a top-level property (ABSENT: none of it)."""
        self.narrowed[name] = value

    def fill(self, template: Any, **more: Any) -> Any:
        """A request member with its placeholders replaced; `more` are placeholders of the moment."""
        reading = self.reading
        if more:
            reading = copy.copy(reading)
            reading.answers = {**self.reading.answers, **more}
        return reading.fill(template)

    def ask(self, operation: str, params: Mapping[str, Any], *, absent: tuple[str, ...] = ()) -> Any:
        """A read that the type declares, in `calls` or `more`: the parsed answer, or ABSENT on a code."""
        return self.reading.call(operation, params, absent=absent)

    def call(
        self, operation: str, params: Mapping[str, Any], *, done: tuple[str, ...] = (), region: str = ""
    ) -> Any:
        """Make one writing request that the type declares; the parsed answer, or ABSENT on a code in `done`.

        Repeated only while the service says that it is busy. Raises UpdateFailed.
        """
        service, action = self._declared[operation]
        client = self._clients.writer(service, region or self.region)
        busy = BUSY | frozenset(self.spec.busy)
        pauses = iter(self._patience.retries)
        while True:
            try:
                return getattr(client, xform_name(operation))(**params)
            except ClientError as error:
                code = str(error.response.get("Error", {}).get("Code", ""))
                if code in done:
                    return ABSENT
                pause = next(pauses, None) if code in busy else None
                if pause is None:
                    raise _refused(error, f"{service}:{operation}", code, action) from error
                self._pause(pause)
            except BotoCoreError as error:
                raise UpdateFailed(
                    f"{service}:{operation} got no answer ({type(error).__name__}), so it may or may not "
                    "have taken effect",
                    operation=f"{service}:{operation}",
                ) from error

    def wait(self, ready: Callable[[Update], bool]) -> None:
        """Repeat the type's main call until `ready` is true of its answer. Raises UpdateFailed at the end."""

        def look() -> bool:
            ask_again(self.reading)
            return ready(self)

        self.poll(look)

    def poll(self, look: Callable[[], bool]) -> None:
        """Call `look` until it answers true. Raises UpdateFailed when it never does."""
        for pause in self._patience.polls:
            if look():
                return
            self._pause(pause)
        raise UpdateFailed(f"{self.id} was still being updated when the wait for it ended")


def is_unset(value: Any) -> bool:
    """Whether a value says that nothing is configured."""
    return value is ABSENT or value is None or value in ("", [], {})


def user_tags(value: Any) -> dict[str, str]:
    """The tags of a list or map, without the keys that AWS writes itself."""
    pairs: dict[str, str] = tag_map.read([] if value in (None, ABSENT) else value)
    return {key: text for key, text in pairs.items() if not authored_by_aws(key)}


def _keyed(value: Any, key: str) -> dict[Any, Any]:
    entries = value if isinstance(value, list) else []
    return {entry[key]: entry for entry in entries if isinstance(entry, Mapping) and key in entry}


def _operations(spec: ResourceType) -> dict[str, tuple[str, str]]:
    """Operation -> (service, IAM action), for everything that the type's writes may call."""
    found: dict[str, tuple[str, str]] = {}
    for write in spec.writes:
        for one in operations_of(write):
            service = one.service or spec.service
            found[one.operation] = service, one.action or action_for(service, one.operation)
    return found


def operations_of(write: AnyWrite) -> tuple[Write, ...]:
    """The writing operations of one declaration, as plain Writes."""
    if isinstance(write, By):
        return write.calls
    if isinstance(write, Write):
        return (write,)
    actions = write.actions or ("", "")
    return tuple(
        Write(operation, service=write.service, action=action)
        for operation, action in zip((write.untag, write.tag), (actions[1], actions[0]), strict=True)
    )


def _refused(error: ClientError, operation: str, code: str, action: str) -> UpdateFailed:
    message = str(error.response.get("Error", {}).get("Message", "")).strip()
    said = f"{operation} failed with {code or 'no error code'}" + (f" ({message})" if message else "")
    hint = f". Grant {action}" if code in DENIED_CODES else ""
    return UpdateFailed(f"{said}{hint}", operation=operation, code=code)
