"""Carrying out what was approved: that, and nothing else, however often it is started."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from driftwarden.errors import GateError, PlanMismatch
from driftwarden.gate.archive import Archive, final
from driftwarden.gate.documents import (
    SCHEMA_VERSION,
    ChangeEntry,
    Decision,
    PlanDocument,
    PlannedResource,
    ResourceResult,
    Status,
)
from driftwarden.gate.rules import unchanged, what_changed
from driftwarden.gate.watched import Watched
from driftwarden.model import ABSENT, Change
from driftwarden.remedy.revert import Result
from driftwarden.report.document import timestamp
from driftwarden.report.json import plain
from driftwarden.report.paths import dotted

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Executor:
    """Works through one approved plan. `execution` is the ARN that results are recorded under."""

    archive: Archive
    watched: Watched
    execution: str
    clock: Callable[[], datetime]

    def __call__(self, plan: PlanDocument, decision: Decision) -> list[ResourceResult]:
        """The results of all approved resources, each stored as it comes.

        What an earlier call finished is not touched again. Raises GateError, LockHeld, StateError,
        PublishError; then nothing is lost, and the call can be repeated.
        """
        if (
            decision.decision != "approve"
            or decision.plan_id != plan.plan_id
            or decision.ref != plan.plan.ref
        ):
            raise GateError(f"Plan {plan.plan_id} was not approved; nothing is done.")
        known = self.archive.results(decision)
        approved = [
            resource
            for resource in plan.plan.resources
            if resource.logical_id in decision.resources and not _finished(known, resource)
        ]
        if approved:
            self._work(plan, decision, approved, known)
        return sorted(self.archive.results(decision).values(), key=lambda result: result.logical_id)

    def _work(
        self,
        plan: PlanDocument,
        decision: Decision,
        approved: list[PlannedResource],
        known: dict[str, ResourceResult],
    ) -> None:
        if known:
            self.watched.check_unlocked()
        current, content = self.watched.plan()
        if content.account != plan.plan.account:
            raise PlanMismatch(
                f"Plan {plan.plan_id} is for account {plan.plan.account}, and these credentials are of "
                f"{content.account}; nothing is done."
            )
        now = {resource.logical_id: resource for resource in content.resources}
        refused = {resource.logical_id: resource.reason for resource in content.refused}
        record = _Recorder(self, decision)
        go = set()
        for resource in approved:
            name = resource.logical_id
            if name in now and unchanged(resource, now[name]):
                go.add(name)
            elif name not in now and name not in refused:
                record(resource, Status.REVERTED, "it is as recorded already; nothing was sent")
            elif name in known:
                record(
                    resource,
                    Status.FAILED,
                    "an earlier try of this execution ended while it was at work on this resource, and it is "
                    "neither as it was planned nor as recorded; look at it, then request a new revert",
                )
            else:
                why = refused.get(name) or what_changed(resource, now.get(name))
                record(resource, Status.CHANGED, f"not as it was approved: {why}; request a new revert")
        started = [resource for resource in approved if resource.logical_id in go]
        for resource in started:
            self.archive.start(record.result(resource, Status.STARTED, ""))
        if started:
            types = {resource.logical_id: resource for resource in started}
            self.watched.reverter().revert(
                current,
                only=go,
                told=lambda result: record.finished(types[result.logical_id], result),
                warn=lambda text: log.warning("%s", self.watched.redactor.safe_text(text)),
            )


@dataclass(frozen=True, slots=True)
class _Recorder:
    """Writes down what became of the resources of one decision."""

    executor: Executor
    decision: Decision

    def __call__(self, resource: PlannedResource, status: Status, reason: str) -> None:
        self.executor.archive.finish(self.result(resource, status, reason))

    def finished(self, resource: PlannedResource, result: Result) -> None:
        """Store a revert's own result."""
        made = self.result(resource, Status(result.fate.value), result.reason)
        remaining = [_entry(change) for change in result.remaining]
        self.executor.archive.finish(made.model_copy(update={"remaining": remaining}))

    def result(self, resource: PlannedResource, status: Status, reason: str) -> ResourceResult:
        """A result as a document."""
        return ResourceResult(
            schema_version=SCHEMA_VERSION,
            plan_id=self.decision.plan_id,
            number=self.decision.number,
            stack=self.decision.stack,
            region=self.decision.region,
            logical_id=resource.logical_id,
            type=resource.type,
            status=status,
            reason=self.executor.watched.redactor.redact_text(reason),
            remaining=[],
            at=timestamp(self.executor.clock()),
            execution=self.executor.execution,
        )


def _finished(known: dict[str, ResourceResult], resource: PlannedResource) -> bool:
    return resource.logical_id in known and final(known[resource.logical_id])


def _entry(change: Change) -> ChangeEntry:
    sides = {"from": change.aws, "to": change.state}
    held = {name: plain(value) for name, value in sides.items() if value is not ABSENT}
    return ChangeEntry.model_validate({"path": dotted(change.path), **held})
