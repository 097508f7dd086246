"""From a report document to the alert that operators get. Pure: no clients, no clock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from driftwarden.exit_status import CLEAN
from driftwarden.report.alert_content import Circumstances, content
from driftwarden.report.alert_text import alert_text, counts
from driftwarden.report.document import Document
from driftwarden.report.json import dumps

__all__ = ["MAX_BYTES", "MAX_SUBJECT", "Alert", "Circumstances", "alert"]

MAX_BYTES: Final = 200_000
"""SNS takes 262,144 bytes, message attributes included; the rest is margin."""
MAX_SUBJECT: Final = 100
_LIST_LIMITS: Final = (60, 20, 5, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An SNS message. `text` is for people, `json` for programs; `attributes` serve filter policies."""

    subject: str
    text: str
    json: str
    attributes: Mapping[str, str]

    def message(self) -> str:
        """The body for `MessageStructure=json`: readable text by default, compact JSON to programs."""
        programs = dict.fromkeys(("sqs", "lambda", "http", "https", "firehose"), self.json)
        return json.dumps({"default": self.text, "email": self.text, "sms": self.subject, **programs})


def alert(document: Document, circumstances: Circumstances) -> Alert | None:
    """The alert that `document` calls for; None for exit status 0. Its lists are cut until SNS takes it."""
    if document.exit_status == CLEAN:
        return None
    for limit in _LIST_LIMITS:
        made = _alert(content(document, circumstances, limit=limit))
        if len(made.message()) <= MAX_BYTES:
            break
    return made


def _alert(told: dict[str, Any]) -> Alert:
    return Alert(
        subject=_subject(told),
        text=alert_text(told),
        json=dumps(told).decode(),
        attributes={
            "stack": told["stack"],
            "region": told["region"],
            "exitStatus": str(told["exitStatus"]),
            "kind": told["kind"],
            "repeat": "true" if told["repeat"] else "false",
        },
    )


def _subject(told: dict[str, Any]) -> str:
    """`[drift] MyStack us-east-1: 2 drifted, 1 deleted`; a long stack name gives way, the facts stay."""
    facts = told["error"]["class"] if "error" in told else counts(told["summary"])
    tail = f" {told['region']}: {facts}" + (" (unchanged)" if told["repeat"] else "")
    head = f"[{told['kind']}] "
    stack, tail = _ascii(told["stack"]), _ascii(tail)
    room = max(MAX_SUBJECT - len(head) - len(tail), 0)
    if len(stack) > room:
        stack = f"{stack[: max(room - 3, 0)]}..."
    return f"{head}{stack}{tail}"[:MAX_SUBJECT]


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()
