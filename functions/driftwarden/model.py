"""Values that flow through the pipeline: state -> read -> compare -> report. All frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands inside a resource's properties: map keys and list positions, never dotted text."""

Properties: TypeAlias = Mapping[str, Any]


class Marker(Enum):
    """Values that no JSON document can hold."""

    ABSENT = "absent"
    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return f"<{self.value}>"


ABSENT: Final = Marker.ABSENT
"""There is no value at this place."""

UNKNOWN: Final = Marker.UNKNOWN
"""A baseline value that nobody can tell; it equals whatever AWS holds, and also its absence."""


class SecretText(str):
    """A resolved secret inside a baseline. Compares as text; no repr or format string shows it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"

    def __str__(self) -> str:
        return "***"

    def __format__(self, spec: str) -> str:
        return "***"


@dataclass(frozen=True, slots=True, order=True)
class StackRef:
    """A stack in a region; the identity of one state record."""

    name: str
    region: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One resource as the state records it."""

    logical_id: str
    resource_type: str
    physical_id: str
    properties: Properties
    observed: Properties | None = None
    attributes: Properties = field(default_factory=dict)
    provisioned_by: str = "sdk"
    baseline_refused: bool = False
    no_echo_leaves: tuple[Path, ...] = ()

    @property
    def baseline(self) -> Properties:
        """What live values are held against: what AWS reported after the deploy, else what was sent."""
        return self.properties if self.observed is None else self.observed


class Outcome(StrEnum):
    """What became of one resource; the values are the group names of the JSON report."""

    DRIFTED = "drifted"
    DELETED = "deleted"
    CLEAN = "clean"
    NOT_SUPPORTED = "notSupported"
    SKIPPED = "skipped"
    NOT_COMPARED = "notCompared"


class Cause(StrEnum):
    """Why a resource was not, or not wholly, compared."""

    REFUSED = "refused"
    UNRESOLVED_TOKEN = "unresolvedToken"  # noqa: S105 - a cause, not a credential
    READ_FAILED = "readFailed"
    BASELINE_REFUSED = "baselineRefused"
    UNREADABLE_RECORD = "unreadableRecord"
    UNREADABLE_MAP = "unreadableMap"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableRow:
    """A row of the state's resources map that is not a resource record."""

    logical_id: str
    resource_type: str
    cause: Cause
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOrigin:
    """Which object of the state bucket a record came from."""

    bucket: str
    key: str
    etag: str
    version_id: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StackState:
    """One stack's recorded state, ready to scan.

    `foreign_regions` are the other regions this stack (or an ancestor) read outputs or imports from:
    they make a secret reference without a region ambiguous.
    """

    ref: StackRef
    version: int
    records: Mapping[str, Record]
    origin: StateOrigin
    unreadable: tuple[UnreadableRow, ...] = ()
    parent: StackRef | None = None
    foreign_regions: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Live:
    """The resource exists; `properties` is its read-back in CloudFormation shape."""

    properties: Properties


@dataclass(frozen=True, slots=True)
class Gone:
    """AWS itself says that the resource does not exist."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Nothing can read this resource back."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """The read failed, so nothing is known. `empty_answer`: AWS answered, but without the resource in it."""

    reason: str
    operation: str = ""
    code: str = ""
    action: str = ""
    empty_answer: bool = False


ReadResult: TypeAlias = Live | Gone | Unsupported | Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. A side that holds nothing is ABSENT."""

    path: Path
    state: Any = ABSENT
    aws: Any = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoredChange:
    """A difference that an ignore rule hides, with the rule's own reason."""

    change: Change
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The verdict on one resource.

    `cause` is set for whatever was not wholly compared, a drifted resource included. `appeared` holds
    values that the template never declared and the deploy captured empty, and that neither a sibling nor AWS
    explains.
    """

    logical_id: str
    resource_type: str
    outcome: Outcome
    changes: tuple[Change, ...] = ()
    cause: Cause | None = None
    reason: str = ""
    references_unresolved: bool = False
    masked: tuple[Path, ...] = ()
    appeared: tuple[Change, ...] = ()
    ignored: tuple[IgnoredChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StackReport:
    """All verdicts on one stack, in order of logical id."""

    ref: StackRef
    findings: tuple[Finding, ...]
    origin: StateOrigin | None = None
    warnings: tuple[str, ...] = ()
