"""Taking AWS's values into the recorded state, so that the next scan has nothing to report."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from driftwarden.compare.differ import Differ
from driftwarden.compare.siblings import unexplained
from driftwarden.errors import StateConflict, StateUnreadable
from driftwarden.examine import Examination, Examiner
from driftwarden.model import ABSENT, Change, Finding, Outcome, StackRef, StateOrigin
from driftwarden.remedy.revert import unreadable_rows
from driftwarden.report.json import plain
from driftwarden.scan import StackExamination
from driftwarden.secrets import Bound, conceal
from driftwarden.secrets.shape import located
from driftwarden.state import LockOperation, StateStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One value to take over: `shown` may be printed, `value` (ABSENT: remove it) goes into the state."""

    path: tuple[str, ...]
    shown: Change
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """What is taken over for one resource; `refused` are redacted differences that stay, with the reason."""

    logical_id: str
    resource_type: str
    edits: tuple[Edit, ...]
    refused: tuple[tuple[Change, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptPlan:
    """What accepting the drift of one stack would do. `deleted` resources keep their records."""

    ref: StackRef
    origin: StateOrigin
    acceptances: tuple[Acceptance, ...]
    deleted: tuple[Finding, ...]

    @property
    def edits(self) -> int:
        """How many values would be written."""
        return sum(len(one.edits) for one in self.acceptances)


def plan_accept(examined: StackExamination) -> AcceptPlan:
    """The plan for everything that drifted in one stack. Pure."""
    findings = {finding.logical_id: finding for finding in examined.report.findings}
    acceptances = [
        _acceptance(one, examined.examiner, findings[one.record.logical_id])
        for one in examined.examinations
        if findings[one.record.logical_id].outcome is Outcome.DRIFTED
    ]
    return AcceptPlan(
        ref=examined.report.ref,
        origin=examined.examiner.state.origin,
        acceptances=tuple(sorted(acceptances, key=lambda one: one.logical_id)),
        deleted=tuple(f for f in examined.report.findings if f.outcome is Outcome.DELETED),
    )


def accept(store: StateStore, plan: AcceptPlan) -> StateOrigin:
    """Write the plan's values into the state, under the stack's lock; where the record lies afterwards.

    Raises LockHeld, StateConflict when the record is not the one that was scanned, StateError.
    """
    with store.lock(plan.ref, LockOperation.ACCEPT) as lock:
        read = store.load_document(plan.ref)
        if read.state.unreadable:
            raise StateUnreadable(unreadable_rows(read.state))
        if read.state.origin.etag != plan.origin.etag:
            raise StateConflict(
                f"The state of stack {plan.ref.name} changed since it was scanned; nothing was written. "
                "Run the command again."
            )
        document = copy.deepcopy(dict(read.document))
        for one in plan.acceptances:
            row = document["resources"][one.logical_id]
            observed = isinstance(row.get("observedProperties"), dict)
            bag = row["observedProperties"] if observed else row["properties"]
            for edit in one.edits:
                _apply(bag, edit)
        return store.save(read, document, lock=lock)


def _acceptance(one: Examination, examiner: Examiner, finding: Finding) -> Acceptance:
    edits: list[Edit] = []
    refused: list[tuple[Change, str]] = []
    for change, shown, bound in _differences(one, examiner, finding):
        path, value = _place(one, examiner, change)
        reason = _reason(bound, Change(path=path, aws=value), one)
        if reason:
            refused.append((shown, reason))
        else:
            edits.append(Edit(path=path, shown=shown, value=value))
    return Acceptance(
        logical_id=one.record.logical_id,
        resource_type=one.record.resource_type,
        edits=tuple(edits),
        refused=tuple(refused),
    )


def _differences(
    one: Examination, examiner: Examiner, finding: Finding
) -> Iterator[tuple[Change, Change, Bound]]:
    """Each difference as it is and as it may be shown, without those that ignore rules hide."""
    if one.bound is None or one.live is None:
        return
    redactor = one.bound.redactor
    hidden = {each.change.path for each in finding.ignored}
    changes = examiner.compare(one.record, one.bound.values, one.live).changes
    for change, veiled in zip(changes, conceal(changes, one.bound, one.record), strict=True):
        if veiled.path not in hidden:
            yield change, redactor.redact_change(veiled), one.bound


def _place(one: Examination, examiner: Examiner, change: Change) -> tuple[tuple[str, ...], Any]:
    """Where in the baseline a live value belongs, and the whole value that belongs there.

    The comparison looks into texts that hold documents, and adds what is missing above a change: the place is
    then the nearest one above that the baseline can hold.
    """
    path: tuple[str, ...] = ()
    bag: Any = one.record.baseline
    for step in change.path:
        if not isinstance(bag, Mapping) or not isinstance(step, str):
            break
        name = step if step in bag else next((k for k in bag if k.lower() == step.lower()), step)
        path = (*path, name)
        bag = bag.get(name, ABSENT)
    if len(path) == len(change.path):
        return path, _without_siblings(one, examiner, change)
    live: Any = one.live
    for step in change.path[: len(path)]:
        live = live.get(step, ABSENT) if isinstance(live, Mapping) else ABSENT
    return path, live


def _without_siblings(one: Examination, examiner: Examiner, change: Change) -> Any:
    """Elements of a list that another resource of the stack owns do not become this one's."""
    if not isinstance(change.aws, list) or one.bound is None:
        return change.aws
    differ = Differ.of(one.record, one.bound.values, examiner.context)
    place = differ.root
    for step in change.path:
        place = place.member(str(step))
    return unexplained(one.record, examiner.context, place, change.state, change.aws, differ.covers)


def _reason(bound: Bound, change: Change, one: Examination) -> str:
    """Why a live value may not go into the state; "" when it may."""
    if located(bound.shape, change.path) is not None:
        return "the record holds a secret reference or a mask there; use --revert, or deploy"
    if bound.redactor.redact_path(change.path) != change.path:
        return "a key of the path holds a secret; put a reference into the template and deploy"
    (veiled,) = conceal([change], bound, one.record)
    if bound.redactor.redact(veiled.aws) != change.aws:
        return "the value in AWS may be a secret; put a reference into the template and deploy"
    return ""


def _apply(bag: dict[str, Any], edit: Edit) -> None:
    *above, last = edit.path
    for step in above:
        bag = bag[step]
    if edit.value is ABSENT:
        bag.pop(last, None)
    else:
        bag[last] = plain(edit.value)
