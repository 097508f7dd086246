"""Gets a finished document to the people: the report, the alert, then the latest report."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from driftwarden.clients import Clients
from driftwarden.errors import DriftwardenError, PublishError
from driftwarden.report.alert import Circumstances, alert
from driftwarden.report.document import Document, fingerprint
from driftwarden.report.location import ReportLocation
from driftwarden.report.publish import ReportBucket, Standing, publish_alert
from driftwarden.secrets.redact import Redactor

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What got through. `alerted` is None when no alert was due; `problems` are redacted."""

    location: ReportLocation | None
    alerted: bool | None
    repeat: bool
    problems: tuple[str, ...]

    @property
    def lost(self) -> bool:
        """Whether somebody who had to be told was not: the alert failed, or a quiet scan left no report."""
        return self.alerted is False or (self.alerted is None and self.location is None)


class Courier:
    """Delivers documents to one bucket and one topic."""

    def __init__(self, clients: Clients, bucket: ReportBucket, topic_arn: str, redactor: Redactor) -> None:
        self._clients = clients
        self._bucket = bucket
        self._topic_arn = topic_arn
        self._redactor = redactor

    def deliver(self, document: Document) -> Delivery:
        """Report and alert are independent: when one fails, the other still goes out and says so.

        The latest report comes last, because it remembers what operators have really been told.
        """
        problems: list[str] = []
        before = self._standing(document, problems)
        now = Standing(fingerprint=fingerprint(document), since=document.finished_at)
        repeat = before is not None and before.fingerprint == now.fingerprint
        if before is not None and repeat:
            now = before
        location = self._store(document, problems)
        circumstances = Circumstances(
            location=location,
            unchanged_since=now.since if repeat else None,
            problem="" if location else problems[-1],
        )
        alerted = self._alert(document, circumstances, problems)
        self._store_latest(document, None if alerted is False else now, problems)
        return Delivery(location=location, alerted=alerted, repeat=repeat, problems=tuple(problems))

    def _standing(self, document: Document, problems: list[str]) -> Standing | None:
        try:
            return self._bucket.standing(document.ref)
        except PublishError as error:
            self._note(error, problems)
            return None

    def _store(self, document: Document, problems: list[str]) -> ReportLocation | None:
        try:
            return self._bucket.store(document)
        except PublishError as error:
            self._note(error, problems)
            return None

    def _alert(self, document: Document, circumstances: Circumstances, problems: list[str]) -> bool | None:
        made = alert(document, circumstances)
        if made is None:
            return None
        try:
            publish_alert(self._clients, self._topic_arn, made)
        except DriftwardenError as error:
            self._note(error, problems)
            return False
        return True

    def _store_latest(self, document: Document, standing: Standing | None, problems: list[str]) -> None:
        try:
            self._bucket.store_latest(document, standing)
        except PublishError as error:
            self._note(error, problems)

    def _note(self, error: DriftwardenError, problems: list[str]) -> None:
        text = self._redactor.safe_text(str(error))
        problems.append(text)
        log.error("%s", text)
