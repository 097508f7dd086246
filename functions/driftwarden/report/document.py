"""The report that a scan leaves in S3, schema version 1, and how it is made.

`report.schema.json` beside this module is generated from the models; run the module to write it again.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from driftwarden import __version__
from driftwarden.errors import told
from driftwarden.exit_status import DRIFTED, detection_status, uncompared_cause
from driftwarden.model import Cause, Outcome, StackRef, StackReport, StateOrigin
from driftwarden.report.json import dumps, plain, stack_object
from driftwarden.secrets.redact import Redactor

SCHEMA_VERSION: Final = 1

# A masked value's mark is keyed afresh by every scan.
_MASK_MARK: Final = re.compile(rb"\*\*\* \(#[0-9a-f]+\)")


class _Model(BaseModel):
    # Built on first use: most of these classes are only ever validated as a part of another one.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
    )


class ChangeEntry(_Model):
    """One difference; a side that is missing holds nothing."""

    path: str
    state_value: Any = None
    aws_value: Any = None


class IgnoredChangeEntry(ChangeEntry):
    """A difference that an ignore rule hides."""

    reason: str


class ResourceEntry(_Model):
    """A resource by name and type."""

    logical_id: str
    type: str


class CleanEntry(ResourceEntry):
    """A resource whose every compared property matched."""

    references_unresolved: bool


class DriftedEntry(CleanEntry):
    """A resource that differs from its recorded state."""

    changes: list[ChangeEntry]


class NotComparedEntry(CleanEntry):
    """A resource that was not, or not wholly, compared."""

    cause: Cause


class MaskedEntry(ResourceEntry):
    """Positions whose value is deliberately unknown; neither side is shown."""

    paths: list[str]


class AppearedEntry(ResourceEntry):
    """Values that the template never declared, captured empty by the deploy, and that nothing explains."""

    changes: list[ChangeEntry]


class IgnoredEntry(ResourceEntry):
    """Differences that ignore rules hide."""

    changes: list[IgnoredChangeEntry]


class StackObject(_Model):
    """All verdicts on one stack, as `driftwarden drift --json` prints them."""

    stack: str
    region: str
    drifted: list[DriftedEntry]
    deleted: list[ResourceEntry]
    clean: list[CleanEntry]
    not_supported: list[ResourceEntry]
    skipped: list[ResourceEntry]
    not_compared: list[NotComparedEntry]
    masked: list[MaskedEntry] = Field(default=[])
    appeared: list[AppearedEntry] = Field(default=[])
    ignored: list[IgnoredEntry] = Field(default=[])
    warnings: list[str] = Field(default=[])


class Tool(_Model):
    """Who wrote the report."""

    name: Literal["driftwarden"]
    version: str


class StateObject(_Model):
    """Which object of the state bucket was compared."""

    bucket: str
    key: str
    etag: str
    version_id: str | None
    last_modified: str | None


class Summary(_Model):
    """How many resources met which fate. `checked`: wholly compared, or known to be gone."""

    resources: int
    checked: int
    drifted: int
    deleted: int
    not_compared: int
    not_supported: int
    skipped: int
    masked: int


class Failure(_Model):
    """What stopped a scan; the message is redacted."""

    error_class: str = Field(alias="class")
    message: str


class Reason(_Model):
    """Why one resource was not, or not wholly, compared, in words; redacted."""

    logical_id: str
    reason: str


class Document(_Model):
    """One scan of one stack. `report` is missing, and `error` is there, when the scan crashed."""

    schema_version: Literal[1]
    scan_id: str
    tool: Tool
    account: str
    stack: str
    region: str
    started_at: str
    finished_at: str
    exit_status: Literal[0, 1, 2]
    state: StateObject | None = None
    summary: Summary
    report: StackObject | None = None
    reasons: list[Reason] = Field(default=[])
    error: Failure | None = None

    def json_bytes(self) -> bytes:
        """The document as it is stored: indented, for people open it in a browser."""
        return dumps(self.model_dump(by_alias=True, exclude_unset=True), indent=True)

    @property
    def ref(self) -> StackRef:
        """Which stack the document is about."""
        return StackRef(self.stack, self.region)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanId:
    """What is known of a scan before its outcome. `started` is in UTC."""

    scan_id: str
    account: str
    started: datetime


def completed(report: StackReport, *, scan: ScanId, finished: datetime, redactor: Redactor) -> Document:
    """The document of a scan that came to its end, without the secrets that `redactor` knows."""
    report = redactor.redact_report(report)
    return Document.model_validate(
        {
            **_head(scan, report.ref, finished),
            "exitStatus": detection_status([report]),
            "summary": summarize(report),
            "report": stack_object(report),
            **({"state": _state(report.origin)} if report.origin else {}),
            **({"reasons": reasons} if (reasons := _reasons(report)) else {}),
        }
    )


def crashed(
    ref: StackRef, error: BaseException, *, scan: ScanId, finished: datetime, redactor: Redactor
) -> Document:
    """The document of a scan that `error` stopped: it holds no verdicts, so nothing in it can look clean."""
    return Document.model_validate(
        {
            **_head(scan, ref, finished),
            "exitStatus": DRIFTED,
            "summary": summarize(None),
            "error": {"class": type(error).__name__, "message": plain(redactor.redact_text(told(error)))},
        }
    )


def summarize(report: StackReport | None) -> Summary:
    """The counts of `report`; all zero without one."""
    findings = report.findings if report else ()
    counts = Counter(finding.outcome for finding in findings)
    compared = (Outcome.DRIFTED, Outcome.DELETED, Outcome.CLEAN)
    return Summary(
        resources=len(findings),
        checked=sum(f.outcome in compared and uncompared_cause(f) is None for f in findings),
        drifted=counts[Outcome.DRIFTED],
        deleted=counts[Outcome.DELETED],
        not_compared=sum(uncompared_cause(f) is not None for f in findings),
        not_supported=counts[Outcome.NOT_SUPPORTED],
        skipped=counts[Outcome.SKIPPED],
        masked=sum(bool(f.masked) for f in findings),
    )


def fingerprint(document: Document) -> str:
    """Equal for two documents that tell an operator the same: what is wrong, and nothing of when or who.

    A crash counts by its class alone, because messages carry request ids. Hexadecimal SHA-256.
    """
    content: Any = {"error": document.error.error_class} if document.error else None
    if document.report:
        report = document.report.model_dump(by_alias=True, exclude_unset=True)
        content = {name: report[name] for name in ("drifted", "deleted", "notCompared")}
    return hashlib.sha256(_MASK_MARK.sub(b"***", dumps(content))).hexdigest()


def schema_text() -> str:
    """The JSON Schema of the report, as kept beside this module."""
    return dumps(Document.model_json_schema(by_alias=True), indent=True).decode() + "\n"


def timestamp(moment: datetime) -> str:
    """`2025-01-31T08:15:00Z`."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _head(scan: ScanId, ref: StackRef, finished: datetime) -> dict[str, Any]:
    return {
        "schemaVersion": SCHEMA_VERSION,
        "scanId": scan.scan_id,
        "tool": {"name": "driftwarden", "version": __version__},
        "account": scan.account,
        "stack": plain(ref.name),
        "region": plain(ref.region),
        "startedAt": timestamp(scan.started),
        "finishedAt": timestamp(finished),
    }


def _state(origin: StateOrigin) -> StateObject:
    return StateObject(
        bucket=origin.bucket,
        key=plain(origin.key),
        etag=origin.etag,
        version_id=origin.version_id,
        last_modified=origin.last_modified,
    )


def _reasons(report: StackReport) -> list[dict[str, str]]:
    return [
        {"logicalId": plain(finding.logical_id), "reason": plain(finding.reason)}
        for finding in report.findings
        if finding.reason and uncompared_cause(finding) is not None
    ]


if __name__ == "__main__":
    Path(__file__).with_name("report.schema.json").write_text(schema_text(), encoding="utf-8")
