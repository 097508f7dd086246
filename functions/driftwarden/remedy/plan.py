"""From a scan to the plan of a revert. Pure; every value in a plan is redacted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from driftwarden.compare import Context
from driftwarden.examine import Examination, Examiner
from driftwarden.model import Cause, Change, Finding, Outcome, Path, Properties, Record
from driftwarden.remedy import obstacles
from driftwarden.remedy.desired import Desired, desired_of, masks_unknown
from driftwarden.remedy.digest import live_digest
from driftwarden.remedy.steps import Kind, Plan, Refusal, Step
from driftwarden.report.paths import dotted
from driftwarden.scan import StackExamination
from driftwarden.secrets import Bound, conceal
from driftwarden.secrets.references import TOKEN, parse
from driftwarden.secrets.shape import at


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A step with the values that it pushes. It holds resolved secrets: for the executor, in memory only."""

    step: Step
    desired: Desired


def plan_stack(examined: StackExamination) -> Plan:
    """The plan for everything that a scan of one stack found."""
    examiner = examined.examiner
    findings = {finding.logical_id: finding for finding in examined.report.findings}
    decided = [
        plan_resource(one, examiner, findings.get(one.record.logical_id, one.finding))
        for one in examined.examinations
    ]
    unread = [
        _refused(finding, "", Kind.NOT_COMPARED, finding.reason)
        for finding in examined.report.findings
        if finding.cause in (Cause.UNREADABLE_RECORD, Cause.UNREADABLE_MAP)
    ]
    return Plan(
        account=examiner.context.account_id or "",
        ref=examiner.state.ref,
        origin=examiner.state.origin,
        steps=_sorted(one.step for one in decided if isinstance(one, Wanted)),
        refusals=_sorted([*(one for one in decided if isinstance(one, Refusal)), *unread]),
    )


def plan_resource(examination: Examination, examiner: Examiner, finding: Finding) -> Wanted | Refusal | None:
    """What a revert would do to one resource; None where nothing drifted.

    `finding` is the verdict as it was reported: what ignore rules hide is left alone.
    """
    record, bound, live = examination.record, examination.bound, examination.live
    physical_id = examiner.resolver.redactor.redact_text(record.physical_id)
    if finding.outcome is Outcome.DELETED:
        return _refused(finding, physical_id, Kind.DELETED, "AWS does not have it any more; deploy the stack")
    if finding.outcome is Outcome.NOT_COMPARED:
        return _refused(finding, physical_id, Kind.NOT_COMPARED, finding.reason)
    if finding.outcome is not Outcome.DRIFTED or bound is None or live is None:
        return None
    if bound.cause is Cause.REFUSED:
        return _refused(finding, physical_id, Kind.UNRESOLVABLE, bound.reason)
    try:
        return _Drifted(record, bound, live, examiner, finding, physical_id).decide()
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # One value of an unknown shape must not keep the other resources from their revert.
        reason = (
            f"a value has a shape that nobody can plan with ({type(error).__name__}); deploy the stack again"
        )
        return _refused(finding, physical_id, Kind.REFUSED, reason)


class _Drifted:
    """Decides about one drifted resource."""

    def __init__(
        self,
        record: Record,
        bound: Bound,
        live: Properties,
        examiner: Examiner,
        finding: Finding,
        physical_id: str,
    ) -> None:
        self.record = record
        self.bound = bound
        self.live = live
        self.context: Context = examiner.context
        self.finding = finding
        self.physical_id = physical_id
        self.ignored = frozenset(each.change.path for each in finding.ignored)
        found = examiner.compare(record, masks_unknown(bound.values), live).changes
        self.changes = tuple(change for change in found if not self._is_ignored(change.path))
        keys = {str(change.path[0]): None for change in self.changes if change.path[0] in bound.values}
        self.unrecorded = [change.path for change in self.changes if change.path[0] not in bound.values]
        self.desired = desired_of(record, bound, live, self.context, keys, self.ignored)

    def decide(self) -> Wanted | Refusal:
        desired = self.desired
        if desired.lost:
            return self._refuse(
                Kind.UNRESOLVABLE,
                f"{self._places(desired.lost)} is recorded only as a mask, and AWS reports nothing there "
                "that could be kept; force the custom resource to update, then deploy",
            )
        mixed = [path for path in desired.literal if self._is_mixed(path)]
        if mixed:
            return self._refuse(
                Kind.UNRESOLVABLE,
                f"{self._places(mixed)} mixes references that can be resolved with one that cannot",
            )
        if not desired.drifted:
            return self._refuse(Kind.LEFT_ALONE, self._why_nothing())
        obstacle = self._obstacle()
        if obstacle:
            return self._refuse(*obstacle)
        return Wanted(step=self._step(), desired=desired)

    def _obstacle(self) -> tuple[Kind, str] | None:
        record, desired, live = self.record, self.desired, self.live
        if reason := obstacles.fixed(record, desired, live):
            return Kind.UPDATE_NOT_SUPPORTED, reason
        if reason := obstacles.refusal(record, desired, live, self.context):
            return Kind.REFUSED, reason
        if reason := obstacles.no_update(record, desired):
            return Kind.UPDATE_NOT_SUPPORTED, reason
        return None

    def _step(self) -> Step:
        desired = self.desired
        return Step(
            logical_id=self.record.logical_id,
            resource_type=self.record.resource_type,
            physical_id=self.physical_id,
            properties=tuple(sorted(desired.drifted)),
            changes=self._shown(desired.drifted),
            preserved=self._texts(desired.preserved),
            left_alone=self._texts(desired.left_alone),
            kept=self._texts(map(dotted, [*desired.kept, *self.unrecorded])),
            warnings=(
                *self._texts(obstacles.risks(self.record, desired, self.live)),
                *(
                    f"{self._places([path])}: AWS will hold the text of the reference, not its value"
                    for path in desired.literal
                ),
            ),
            digest=live_digest(self.record, self.bound, self.live, self.context),
        )

    def _why_nothing(self) -> str:
        if self.desired.left_alone:
            return (
                "every difference is a value that AWS holds and the template does not declare, and without "
                "an observed baseline nobody can tell who wrote it; deploy the stack to record one"
            )
        if self.desired.kept:
            return "every difference stands where the record holds a mask or an unresolvable reference"
        return (
            "the baseline does not hold what came up, which is no order to remove it; remove it by hand, "
            "put it into the template and deploy, or accept it"
        )

    def _refuse(self, kind: Kind, reason: str) -> Refusal:
        changes = self._shown(None) or self.finding.changes
        refusal = _refused(self.finding, self.physical_id, kind, self._text(reason))
        return Refusal(
            logical_id=refusal.logical_id,
            resource_type=refusal.resource_type,
            physical_id=refusal.physical_id,
            kind=kind,
            reason=refusal.reason,
            changes=changes,
            left_alone=self._texts(self.desired.left_alone),
        )

    def _shown(self, keys: frozenset[str] | None) -> tuple[Change, ...]:
        changes = [change for change in self.changes if keys is None or change.path[0] in keys]
        return tuple(map(self.bound.redactor.redact_change, conceal(changes, self.bound, self.record)))

    def _is_ignored(self, path: Path) -> bool:
        return any(path[: len(ignored)] == ignored for ignored in self.ignored)

    def _is_mixed(self, path: Path) -> bool:
        raw = at(self.record.baseline, path)
        return isinstance(raw, str) and any(parse(token).resolvable for token in TOKEN.findall(raw))

    def _places(self, paths: Iterable[Path]) -> str:
        return self._text(", ".join(map(dotted, paths)))

    def _texts(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self._text, texts))

    def _text(self, text: str) -> str:
        return self.bound.redactor.redact_text(text)


def _refused(finding: Finding, physical_id: str, kind: Kind, reason: str) -> Refusal:
    return Refusal(
        logical_id=finding.logical_id,
        resource_type=finding.resource_type,
        physical_id=physical_id,
        kind=kind,
        reason=reason,
    )


def _sorted(decided: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(decided, key=lambda one: one.logical_id))
