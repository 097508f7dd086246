"""What the state machine gives to the Lambda that talks to people, as documents."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from driftwarden.gate.archive import Archive
from driftwarden.gate.documents import PLAN_ID, SCHEMA_VERSION, Approval, Ending, Outcome
from driftwarden.gate.rules import ending
from driftwarden.model import StackRef
from driftwarden.report.document import timestamp
from gate_runtime import Event, Run, now
from runtime import redactor


class Question(Event):
    """The wait for a decision: `asked_at` is when it began, `seconds` how long it may take."""

    step: Literal["ask"]
    run: dict[str, Any]
    execution: str
    name: str
    task_token: str = Field(min_length=1)
    asked_at: datetime
    seconds: int = Field(ge=1)

    def approval(self, run: Run) -> Approval:
        """The question as it is stored."""
        return Approval(
            schema_version=SCHEMA_VERSION,
            plan_id=run.plan_id,
            number=run.number,
            stack=run.stack,
            region=run.region,
            task_token=self.task_token,
            execution=self.execution,
            requested_by=run.requested_by,
            reason=redactor.redact_text(run.reason),
            requested_at=timestamp(self.asked_at),
            expires_at=timestamp(self.asked_at + timedelta(seconds=self.seconds)),
        )


def _text(value: Any) -> str:
    return value if isinstance(value, str) and value else "unknown"


def _optional_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _plan_id(value: Any) -> str | None:
    return value if isinstance(value, str) and re.fullmatch(PLAN_ID, value) else None


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


class _Known(Event):
    """What is known of a run that may have failed because of what it was started with."""

    model_config = ConfigDict(extra="ignore")

    stack: Annotated[str, BeforeValidator(_text)] = "unknown"
    region: Annotated[str, BeforeValidator(_text)] = "unknown"
    reason: Annotated[str | None, BeforeValidator(_optional_text)] = None
    requested_by: Annotated[str | None, BeforeValidator(_optional_text)] = None
    plan_id: Annotated[str | None, BeforeValidator(_plan_id)] = None
    number: Annotated[int | None, BeforeValidator(_number)] = None
    error: dict[str, Any] | None = None


class Telling(Event):
    """How a run ended, as the state machine saw it; `executed` leaves the verdict to the results."""

    step: Literal["tell"]
    ending: Literal["executed", "rejected", "expired", "failed"]
    run: _Known
    execution: str
    name: str

    def outcome(self, archive: Archive) -> Outcome:
        """The outcome with everything on record about the way there."""
        run = self.run
        ref = StackRef(run.stack, run.region)
        decision = verification = None
        results = []
        if run.plan_id is not None and run.number is not None:
            decision = archive.decision(run.plan_id, run.number)
            verification = archive.verification(ref, run.plan_id, run.number)
            results = list(archive.results(decision).values()) if decision else []
        verdict = Ending.FAILED if self.ending == "executed" else Ending(self.ending)
        if self.ending == "executed" and decision is not None:
            verdict = ending(decision, results, verification)
        return Outcome(
            schema_version=SCHEMA_VERSION,
            ending=verdict,
            stack=run.stack,
            region=run.region,
            plan_id=run.plan_id,
            number=run.number,
            execution=self.execution,
            ended_at=timestamp(now()),
            requested_by=run.requested_by,
            reason=redactor.redact_text(run.reason or ""),
            decision=decision,
            results=results,
            verification=verification,
            error=_message(run.error) if verdict is Ending.FAILED else None,
        )


def _message(error: dict[str, Any] | None) -> str | None:
    """The text of a state machine's error, whose cause is a Lambda's answer in JSON."""
    if error is None:
        return None
    name, cause = str(error.get("Error", "Error")), str(error.get("Cause", ""))
    try:
        told = json.loads(cause)["errorMessage"]
    except (ValueError, KeyError, TypeError):
        told = cause
    return redactor.redact_text(f"{name}: {told}")
