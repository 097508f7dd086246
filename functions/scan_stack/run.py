"""One scan from event to alert. A crash is told like any other outcome, then raised."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from driftwarden.clients import Clients
from driftwarden.errors import DriftwardenError, PublishError
from driftwarden.model import StackRef
from driftwarden.report.deliver import Courier, Delivery
from driftwarden.report.document import Document, ScanId, completed, crashed
from driftwarden.report.publish import ReportBucket
from driftwarden.report.running import Mine, Theirs, claim, release
from runtime import Environment, emit_scan_metrics, logger, redactor
from scan_stack import pipeline
from scan_stack.event import named_stack, parse_event

_GRACE: Final = timedelta(seconds=5)
_LAST_WORDS: Final = timedelta(seconds=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """What Lambda says about this call. `remaining` is the time until it ends the function."""

    request_id: str
    account: str
    remaining: timedelta


class Run:
    """One invocation of the scanner for one stack."""

    def __init__(self, ref: StackRef, invocation: Invocation, environment: Environment) -> None:
        clients = Clients()
        self._ref = ref
        self._invocation = invocation
        self._environment = environment
        self._scan = ScanId(
            scan_id=invocation.request_id, account=invocation.account, started=datetime.now(UTC)
        )
        self._bucket = ReportBucket(
            clients, environment.reports_bucket, owner=environment.reports_bucket_owner
        )
        self._courier = Courier(clients, self._bucket, environment.alerts_topic_arn, redactor)

    def __call__(self, raw: object) -> dict[str, Any]:
        """Scan and tell. Raises DriftwardenError when the scan crashed or somebody could not be told."""
        logger.append_keys(stack=self._ref.name, region=self._ref.region)
        marker = self._claim()
        if isinstance(marker, Theirs):
            why = f"scan {marker.scan_id} of this stack is running, at the latest until {marker.expires}"
            logger.info("skipped: %s", why)
            return {"stack": self._ref.name, "region": self._ref.region, "skipped": redactor.safe_text(why)}
        try:
            with self._last_words():
                document = self._document(raw)
            delivery = self._courier.deliver(document)
        finally:
            self._release(marker)
        return _result(document, delivery)

    def _document(self, raw: object) -> Document:
        try:
            event = parse_event(raw, self._environment)
            report = pipeline.scan_one(event, redactor)
            document = completed(report, scan=self._scan, finished=datetime.now(UTC), redactor=redactor)
        except Exception as error:
            logger.exception("the scan crashed")
            return self._crash(error)
        seconds = (datetime.now(UTC) - self._scan.started).total_seconds()
        emit_scan_metrics(document.stack, document.summary, seconds)
        return document

    def _crash(self, error: Exception) -> Document:
        return crashed(self._ref, error, scan=self._scan, finished=datetime.now(UTC), redactor=redactor)

    @contextmanager
    def _last_words(self) -> Iterator[None]:
        """Lambda ends a function that runs out of time without a word, so the alert goes out before that."""
        margin = min(_LAST_WORDS, self._invocation.remaining / 2)
        timer = threading.Timer((self._invocation.remaining - margin).total_seconds(), self._out_of_time)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _out_of_time(self) -> None:
        logger.error("the scan is running out of time")
        error = TimeoutError(
            "The scan was not done when the function's time ran out. Raise the function's timeout, or look "
            "for throttling in its log."
        )
        self._courier.deliver(self._crash(error))

    def _claim(self) -> Mine | Theirs | None:
        """None when the marker cannot be set: two scans at once are better than none."""
        now = datetime.now(UTC)
        try:
            return claim(
                self._bucket,
                self._ref,
                scan_id=self._scan.scan_id,
                now=now,
                expires=now + self._invocation.remaining + _GRACE,
            )
        except PublishError as error:
            logger.warning("%s", error)
            return None

    def _release(self, marker: Mine | None) -> None:
        if marker is None:
            return
        try:
            release(self._bucket, self._ref, marker)
        except PublishError as error:
            logger.warning("%s", error)


def run(raw: object, invocation: Invocation, environment: Environment) -> dict[str, Any]:
    """Handle one event. An event that names no stack raises UsageError: there is nobody to report on."""
    ref = named_stack(raw) or parse_event(raw, environment).ref
    return Run(ref, invocation, environment)(raw)


def _result(document: Document, delivery: Delivery) -> dict[str, Any]:
    if document.error:
        told = f"{document.error.error_class}: {document.error.message}"
        raise DriftwardenError("; ".join((redactor.safe_text(told), *delivery.problems)))
    if delivery.lost:
        raise PublishError("; ".join(delivery.problems))
    answer = {
        "stack": document.stack,
        "region": document.region,
        "scanId": document.scan_id,
        "exitStatus": document.exit_status,
        "summary": document.summary.model_dump(by_alias=True),
        "report": delivery.location.key if delivery.location else None,
        "alerted": bool(delivery.alerted),
        "repeat": delivery.repeat,
        "problems": list(delivery.problems),
    }
    logger.info("the scan is done", extra={"result": answer})
    return answer
