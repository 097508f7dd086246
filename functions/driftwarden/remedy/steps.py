"""The plan of a revert as a value: what would be pushed back, what stays, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from driftwarden.model import ABSENT, Change, StackRef, StateOrigin
from driftwarden.remedy.digest import digest_of
from driftwarden.report.json import plain
from driftwarden.report.paths import dotted


class Kind(StrEnum):
    """Why a resource is not pushed back."""

    DELETED = "deleted"
    NOT_COMPARED = "notCompared"
    UPDATE_NOT_SUPPORTED = "updateNotSupported"
    UNRESOLVABLE = "unresolvable"
    REFUSED = "refused"
    LEFT_ALONE = "leftAlone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One resource to push back. In `changes`, `state` is what it will hold and `aws` what it holds now.

    `properties` are the top-level names that are written. `preserved` are tag keys that AWS services wrote,
    `left_alone` values that AWS alone has where no baseline was observed, `kept` places that nobody can tell.
    `digest` is that of the live values (see remedy/digest.py).
    """

    logical_id: str
    resource_type: str
    physical_id: str
    properties: tuple[str, ...]
    changes: tuple[Change, ...]
    preserved: tuple[str, ...] = ()
    left_alone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One resource that is not pushed back, and why."""

    logical_id: str
    resource_type: str
    physical_id: str
    kind: Kind
    reason: str
    changes: tuple[Change, ...] = ()
    left_alone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a revert of one stack would do, in order of logical id."""

    account: str
    ref: StackRef
    origin: StateOrigin
    steps: tuple[Step, ...]
    refusals: tuple[Refusal, ...]

    @property
    def id(self) -> str:
        """The SHA-256 of the plan's content: equal for equal plans, and for no others."""
        return digest_of(document(self))


def document(plan: Plan) -> dict[str, Any]:
    """The plan as plain JSON values; a side of a change that holds nothing is left out."""
    return {
        "account": plan.account,
        "stack": plan.ref.name,
        "region": plan.ref.region,
        "state": {
            "bucket": plan.origin.bucket,
            "key": plan.origin.key,
            "etag": plan.origin.etag,
            "versionId": plan.origin.version_id,
        },
        "resources": [_step_object(step) for step in plan.steps],
        "refused": [_refusal_object(refusal) for refusal in plan.refusals],
    }


def _step_object(step: Step) -> dict[str, Any]:
    return {
        "logicalId": step.logical_id,
        "type": step.resource_type,
        "physicalId": step.physical_id,
        "properties": list(step.properties),
        "changes": _change_objects(step.changes),
        "preserved": list(step.preserved),
        "leftAlone": list(step.left_alone),
        "kept": list(step.kept),
        "warnings": list(step.warnings),
        "liveDigest": step.digest,
    }


def _refusal_object(refusal: Refusal) -> dict[str, Any]:
    return {
        "logicalId": refusal.logical_id,
        "type": refusal.resource_type,
        "physicalId": refusal.physical_id,
        "kind": refusal.kind.value,
        "reason": refusal.reason,
        "changes": _change_objects(refusal.changes),
        "leftAlone": list(refusal.left_alone),
    }


def _change_objects(changes: Iterable[Change]) -> list[Mapping[str, Any]]:
    return [
        {
            "path": dotted(change.path),
            **({} if change.aws is ABSENT else {"from": plain(change.aws)}),
            **({} if change.state is ABSENT else {"to": plain(change.state)}),
        }
        for change in changes
    ]
