"""Carrying out a plan: every resource is read again, written, and read once more to prove what came of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from driftwarden.answers import ResourceGone
from driftwarden.clients import Clients
from driftwarden.errors import DriftwardenError, ReadError, StateUnreadable, UpdateFailed, UpdateNotSupported
from driftwarden.examine import Examination, Examiner
from driftwarden.model import ABSENT, Change, Gone, Live, Properties, ReadResult, SecretText, StackState
from driftwarden.read.api import read_into, reading_of
from driftwarden.read.cloud_control import SERVICE
from driftwarden.read.limits import Limits
from driftwarden.remedy import cloud_control
from driftwarden.remedy.narrowing import record_narrowings
from driftwarden.remedy.plan import Wanted, plan_resource
from driftwarden.remedy.steps import Kind, Plan, Refusal, Step
from driftwarden.remedy.update import Patience, Update
from driftwarden.remedy.writes import push
from driftwarden.scan import ScanSettings, examiner_of, under_rules
from driftwarden.secrets import Bound, LiveResolver, Redactor, conceal, without_values
from driftwarden.state import LockOperation, StackLock, StateStore

CONCURRENCY: Final = 4


class Fate(StrEnum):
    """What became of one resource of a plan."""

    REVERTED = "reverted"
    NOT_CONVERGED = "didNotConverge"
    UPDATE_NOT_SUPPORTED = "updateNotSupported"
    UNRESOLVABLE = "unresolvable"
    CHANGED = "changedSincePlanned"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The fate of one resource. `remaining` is what still differs, redacted; `reason` is redacted too.

    `narrowed` are property values that AWS took in a narrower form only; they may hold secrets.
    """

    logical_id: str
    resource_type: str
    fate: Fate
    reason: str = ""
    remaining: tuple[Change, ...] = ()
    narrowed: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverter:
    """Pushes recorded values back. `concurrency`: resources that are worked on at the same time."""

    store: StateStore
    clients: Clients
    redactor: Redactor
    settings: ScanSettings
    concurrency: int = CONCURRENCY
    patience: Patience = field(default_factory=Patience)

    def revert(
        self,
        plan: Plan,
        *,
        only: Collection[str] | None = None,
        told: Callable[[Result], None] = lambda result: None,
        warn: Callable[[str], None] = lambda text: None,
    ) -> list[Result]:
        """Carry out the plan's steps (those named in `only`) under the stack's lock, one result a step.

        `told` hears of each result as it comes, in the calling thread. A resource that is not as it was
        planned any more is left alone. Raises LockHeld, StateError; an interrupt stops after the requests
        that are under way, and releases the lock.
        """
        steps = [step for step in plan.steps if only is None or step.logical_id in only]
        with self.store.lock(plan.ref, LockOperation.REVERT) as lock:
            read = self.store.load_document(plan.ref)
            if read.state.unreadable:
                raise StateUnreadable(unreadable_rows(read.state))
            stop = threading.Event()
            work = self._work(read.state, lock, stop)
            results = _run(steps, work.one, stop, self.concurrency, told)
            record_narrowings(self.store, read, lock, results, self.redactor, warn)
        return results

    def _work(self, state: StackState, lock: StackLock, stop: threading.Event) -> _Work:
        resolver = LiveResolver(self.clients, self.redactor)
        resolver.learn(state)
        examiner = examiner_of(state, self.clients, resolver, Limits(), self.settings)
        return _Work(
            examiner=examiner,
            settings=self.settings,
            clients=self.clients,
            lock=lock,
            patience=self.patience,
            pause=_pause(stop),
        )


def unreadable_rows(state: StackState) -> str:
    """Why a stack with such rows is not worked on."""
    rows = ", ".join(row.logical_id for row in state.unreadable)
    return (
        f"The state of stack {state.ref.name} has rows that cannot be read ({rows}), so nothing of it is "
        "accepted or reverted. Restore an earlier version of the state object, or deploy the stack again."
    )


def _pause(stop: threading.Event) -> Callable[[float], None]:
    def pause(seconds: float) -> None:
        if stop.wait(seconds):
            raise UpdateFailed("interrupted before it was known whether AWS has taken it")

    return pause


def _run(
    steps: list[Step],
    one: Callable[[Step], Result],
    stop: threading.Event,
    concurrency: int,
    told: Callable[[Result], None],
) -> list[Result]:
    results: list[Result] = []
    with _pool(concurrency, stop) as pool:
        futures: list[Future[Result]] = [pool.submit(one, step) for step in steps]
        for future in as_completed(futures):
            results.append(future.result())
            told(results[-1])
    return sorted(results, key=lambda result: result.logical_id)


@contextmanager
def _pool(concurrency: int, stop: threading.Event) -> Iterator[ThreadPoolExecutor]:
    """A pool that, when interrupted, drops what has not begun and waits for the requests under way."""
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="revert")
    try:
        yield pool
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """Works on the resources of one stack, one call a resource; safe to share between threads."""

    examiner: Examiner
    settings: ScanSettings
    clients: Clients
    lock: StackLock
    patience: Patience
    pause: Callable[[float], None]

    def one(self, step: Step) -> Result:
        """A fault in one resource stays with it."""
        try:
            self.lock.check(self.examiner.state.ref)
            return self._redacted(self._one(step))
        except DriftwardenError as error:
            return self._redacted(_result(step, Fate.FAILED, str(error)))
        except Exception as error:
            reason = (
                f"a fault of driftwarden itself ({type(error).__name__}); look at it before you repeat this"
            )
            return _result(step, Fate.FAILED, reason)

    def _one(self, step: Step) -> Result:
        record = self.examiner.state.records.get(step.logical_id)
        if record is None:
            return _result(step, Fate.CHANGED, "the state does not record it any more")
        found = self.examiner.look_into(record)
        finding = under_rules(found.finding, self.examiner.state, self.settings)
        decided = plan_resource(found, self.examiner, finding)
        if decided is None:
            return _result(step, Fate.REVERTED, "it is as recorded already; nothing was sent")
        if isinstance(decided, Refusal):
            return _result(step, _FATES[decided.kind], decided.reason)
        if decided.step != step:
            return _result(step, Fate.CHANGED, "it is not as it was planned any more; make a new plan")
        return self._write(step, found, decided)

    def _write(self, step: Step, found: Examination, wanted: Wanted) -> Result:
        if found.reading is None or found.live is None or found.bound is None:
            return _result(step, Fate.FAILED, "it could not be read")
        through_cloud_control = found.reading.spec.service == SERVICE
        update = Update(
            found.reading,
            clients=self.clients,
            desired=in_the_clear(wanted.desired.values),
            live=found.live,
            drifted=wanted.desired.drifted,
            patience=self.patience,
            pause=self.pause,
            spec=cloud_control.updatable(found.reading) if through_cloud_control else None,
        )
        problem = ""
        try:
            cloud_control.push_patch(update) if through_cloud_control else push(update)
        except UpdateNotSupported as error:
            return _result(step, Fate.UPDATE_NOT_SUPPORTED, _said(error, update, found.bound))
        except (UpdateFailed, ReadError) as error:
            problem = _said(error, update, found.bound)
        except ResourceGone:
            problem = "AWS does not have it any more"
        taken = {**wanted.desired.values, **update.narrowed}
        values = {k: taken[k] for k in wanted.desired.drifted if taken.get(k, ABSENT) is not ABSENT}
        return replace(self._proved(step, found, values, problem), narrowed=update.narrowed)

    def _proved(self, step: Step, found: Examination, values: Properties, problem: str) -> Result:
        """Read the resource again until it holds `values`; after a failed write, once."""
        remaining: tuple[Change, ...] | str = ""
        for pause in self.patience.settling[: 1 if problem else None]:
            self.pause(pause)
            remaining = self._remaining(found, values)
            if not remaining:
                return _result(step, Fate.REVERTED)
        if isinstance(remaining, str):
            unproved = f"it was written, but could not be read again: {remaining}"
            return _result(step, Fate.FAILED, problem or unproved)
        fate = Fate.FAILED if problem else Fate.NOT_CONVERGED
        return replace(_result(step, fate, problem), remaining=remaining)

    def _remaining(self, found: Examination, values: Properties) -> tuple[Change, ...] | str:
        """What still differs from the wanted values; a text where the resource cannot be read."""
        record, bound = found.record, found.bound
        result = read_into(reading_of(record, self.examiner.place, self.examiner.state.records))
        if not isinstance(result, Live) or bound is None:
            return _why_unread(result)
        differing = self.examiner.compare(record, values, result.properties).changes
        return conceal([change for change in differing if change.path[0] in values], bound, record)

    def _redacted(self, result: Result) -> Result:
        redactor = self.examiner.resolver.redactor
        return replace(
            result,
            reason=redactor.redact_text(result.reason),
            remaining=tuple(
                Change(
                    path=redactor.redact_path(c.path),
                    state=redactor.redact(c.state),
                    aws=redactor.redact(c.aws),
                )
                for c in result.remaining
            ),
        )


_FATES: Final = {
    Kind.DELETED: Fate.CHANGED,
    Kind.NOT_COMPARED: Fate.FAILED,
    Kind.UPDATE_NOT_SUPPORTED: Fate.UPDATE_NOT_SUPPORTED,
    Kind.UNRESOLVABLE: Fate.UNRESOLVABLE,
    Kind.REFUSED: Fate.CHANGED,
    Kind.LEFT_ALONE: Fate.CHANGED,
}
"""What a step becomes that, looked at again, is none."""


def in_the_clear(value: Any) -> Any:
    """The same with plain texts in place of SecretText, which no serialiser would spell out."""
    if isinstance(value, SecretText):
        return "".join(value)
    if isinstance(value, Mapping):
        return {key: in_the_clear(item) for key, item in value.items() if item is not ABSENT}
    return [in_the_clear(item) for item in value] if isinstance(value, list | tuple) else value


def _said(error: DriftwardenError, update: Update, bound: Bound) -> str:
    """The text of a failed request, in which AWS may have repeated what was sent."""
    return without_values(str(error), update.desired, update.record, bound)


def _why_unread(result: ReadResult) -> str:
    if isinstance(result, Gone):
        return "AWS does not have it any more"
    return str(getattr(result, "reason", "")) or "AWS did not answer"


def _result(step: Step, fate: Fate, reason: str = "") -> Result:
    return Result(logical_id=step.logical_id, resource_type=step.resource_type, fate=fate, reason=reason)
