"""The documents that a revert leaves in the reports bucket, schema version 1. All of them are redacted.

The JSON Schemas under `schemas/` are generated from the models; run the module to write them again.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from driftwarden.model import StackRef
from driftwarden.remedy.revert import Fate
from driftwarden.remedy.steps import Kind
from driftwarden.report.json import dumps

SCHEMA_VERSION: Final = 1
PLAN_ID: Final = r"^[0-9a-f]{64}$"


class Document(BaseModel):
    # Built on first use: most of these classes are only ever validated as a part of another one.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
    )

    def json_bytes(self) -> bytes:
        """The document as it is stored: indented, for people open it in a browser."""
        return dumps(self.plain(), indent=True)

    def plain(self) -> dict[str, Any]:
        """The document as JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class ChangeEntry(Document):
    """One value: what it is now, and what it becomes. A side that is missing holds nothing."""

    path: str
    from_: Any = Field(default=None, alias="from")
    to: Any = None


class StateObject(Document):
    """The object of the state bucket that the plan was made from."""

    bucket: str
    key: str
    etag: str
    version_id: str | None


class PlannedResource(Document):
    """A resource to push back; `remedy.steps.Step` says what the lists hold."""

    logical_id: str
    type: str
    physical_id: str
    properties: list[str]
    changes: list[ChangeEntry]
    preserved: list[str]
    left_alone: list[str]
    kept: list[str]
    warnings: list[str]
    live_digest: str


class RefusedResource(Document):
    """A resource that differs, or may differ, and is not pushed back."""

    logical_id: str
    type: str
    physical_id: str
    kind: Kind
    reason: str
    changes: list[ChangeEntry]
    left_alone: list[str]


class PlanContent(Document):
    """Everything that an approval is about; the plan's id is the SHA-256 of this."""

    account: str
    stack: str
    region: str
    state: StateObject
    resources: list[PlannedResource]
    refused: list[RefusedResource]

    @property
    def ref(self) -> StackRef:
        """Which stack the plan is for."""
        return StackRef(self.stack, self.region)


class PlanDocument(Document):
    """`plans/{stack}/{region}/{planId}.json`."""

    schema_version: Literal[1]
    plan_id: str = Field(pattern=PLAN_ID)
    planned_at: str
    plan: PlanContent


class _OfPlan(Document):
    """What belongs to one run of a plan through the gate. `number` counts the runs of the same plan."""

    schema_version: Literal[1]
    plan_id: str = Field(pattern=PLAN_ID)
    number: int = Field(ge=1)
    stack: str
    region: str

    @property
    def ref(self) -> StackRef:
        """Which stack it is about."""
        return StackRef(self.stack, self.region)


class Approval(_OfPlan):
    """`approvals/{planId}/{number}-{...}.json`: an open question, and the token that answers it.

    `requested_by` is what the requester said; `execution` (an ARN) leads to what CloudTrail knows.
    """

    task_token: str
    execution: str
    requested_by: str | None
    reason: str
    requested_at: str
    expires_at: str


Answer: TypeAlias = Literal["approve", "reject"]


class Decision(_OfPlan):
    """`decisions/{planId}/{number}.json`. `resources` are all that may be written, named one by one."""

    decision: Answer
    resources: list[str]
    reason: str
    decided_by: str | None
    decided_at: str
    execution: str


class Status(StrEnum):
    """Where the work on one resource stands; all but the first are final and are those of a revert."""

    STARTED = "started"
    REVERTED = Fate.REVERTED.value
    NOT_CONVERGED = Fate.NOT_CONVERGED.value
    UPDATE_NOT_SUPPORTED = Fate.UPDATE_NOT_SUPPORTED.value
    UNRESOLVABLE = Fate.UNRESOLVABLE.value
    CHANGED = Fate.CHANGED.value
    FAILED = Fate.FAILED.value


class ResourceResult(_OfPlan):
    """`results/{stack}/{region}/{planId}/{number}/{logicalId}.json`; `remaining` still differs."""

    logical_id: str
    type: str
    status: Status
    reason: str
    remaining: list[ChangeEntry]
    at: str
    execution: str


class Proof(StrEnum):
    """What reading a resource once more after the revert showed."""

    IN_SYNC = "inSync"
    DRIFTED = "drifted"
    UNKNOWN = "unknown"


class VerifiedResource(Document):
    """One approved resource after the revert."""

    logical_id: str
    proof: Proof
    reason: str


class Verification(_OfPlan):
    """`verifications/{stack}/{region}/{planId}/{number}.json`."""

    verified_at: str
    resources: list[VerifiedResource]


class Ending(StrEnum):
    """How a run of a plan through the gate ended."""

    REVERTED = "reverted"
    PARTIALLY_REVERTED = "partiallyReverted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    FAILED = "failed"


class Outcome(Document):
    """`outcomes/{stack}/{region}/...`: how it ended, and everything that is known of the way there.

    A run that failed before there was a plan has neither `plan_id` nor `number`.
    """

    schema_version: Literal[1]
    ending: Ending
    stack: str
    region: str
    plan_id: str | None
    number: int | None
    execution: str
    ended_at: str
    requested_by: str | None
    reason: str
    decision: Decision | None
    results: list[ResourceResult]
    verification: Verification | None
    error: str | None

    @property
    def ref(self) -> StackRef:
        """Which stack it is about."""
        return StackRef(self.stack, self.region)


DOCUMENTS: Final[dict[str, type[Document]]] = {
    "plan": PlanDocument,
    "approval": Approval,
    "decision": Decision,
    "result": ResourceResult,
    "verification": Verification,
    "outcome": Outcome,
}


def schema_text(name: str) -> str:
    """The JSON Schema of one of DOCUMENTS, as kept under `schemas/`."""
    return dumps(DOCUMENTS[name].model_json_schema(by_alias=True), indent=True).decode() + "\n"


if __name__ == "__main__":
    for each in DOCUMENTS:
        path = Path(__file__).parent / "schemas" / f"{each}.schema.json"
        path.write_text(schema_text(each), encoding="utf-8")
