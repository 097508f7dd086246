"""What all handlers share: the logger, the metrics, and the environment of the function."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from aws_lambda_powertools.metrics import Metrics, MetricUnit
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from driftwarden.errors import ConfigurationError, DriftwardenError, told
from driftwarden.report.document import Summary
from driftwarden.report.json import dumps, plain
from driftwarden.secrets.redact import Redactor

SERVICE: Final = "driftwarden-lambda"
NAMESPACE: Final = "Driftwarden"

_LIBRARY_LEVELS: Final = {
    "driftwarden": logging.INFO,
    "botocore": logging.WARNING,
    "boto3": logging.WARNING,
    "urllib3": logging.WARNING,
}
_SHORTEST_CREDENTIAL: Final = 20
_MAX_DIMENSION: Final = 1024

redactor: Final = Redactor()
"""The secrets of the invocation at hand; emptied after each one."""


class RedactingFormatter(LambdaPowertoolsFormatter):
    """JSON lines without known secrets and without characters that could forge a line."""

    def serialize(self, log: Any) -> str:
        """The only way from a record to the log."""
        return dumps(redactor.redact(plain(log))).decode()

    def formatException(self, ei: Any) -> str:
        """A traceback with the text of this package's own errors only (see `told`), latest error first."""
        parts, error, seen = [], ei[1], set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            trace = "".join(traceback.format_tb(error.__traceback__))
            parts.append(f"Traceback (most recent call last):\n{trace}{type(error).__name__}: {told(error)}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\ncaused by: ".join(parts)


logger: Final = Logger(service=SERVICE, logger_formatter=RedactingFormatter(), stream=sys.stdout)


def redact_library_logs() -> None:
    """Send what libraries log through the redacting formatter; Lambda's own handler prints it as it is."""
    for name, level in _LIBRARY_LEVELS.items():
        library = logging.getLogger(name)
        library.handlers = [logger.registered_handler]
        library.setLevel(level)
        library.propagate = False


class FunctionEnvironment(BaseModel):
    """The environment variables of a function."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    @classmethod
    def load(cls, variables: Mapping[str, str] = os.environ) -> Self:
        """Read the variables; an empty one counts as not set. Raises ConfigurationError."""
        try:
            return cls.model_validate({name: value for name, value in variables.items() if value})
        except ValidationError as error:
            raise ConfigurationError(
                f"The function's environment is wrong: {explain(error)}. Deploy the infrastructure again."
            ) from None


class Environment(FunctionEnvironment):
    """The environment variables of a function that scans."""

    reports_bucket: str = Field(alias="REPORTS_BUCKET", min_length=1)
    alerts_topic_arn: str = Field(alias="ALERTS_TOPIC_ARN", pattern=r"^arn:[^:]+:sns:[^:]+:[^:]+:.+$")
    reports_bucket_owner: str | None = Field(alias="REPORTS_BUCKET_OWNER", default=None, pattern=r"^\d{12}$")
    state_bucket: str | None = Field(alias="STATE_BUCKET", default=None)
    state_prefix: str | None = Field(alias="STATE_PREFIX", default=None)
    role_arn: str | None = Field(alias="ROLE_ARN", default=None)


def explain(error: ValidationError) -> str:
    """Which field is wrong and why, without any of the values."""
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}" for fault in error.errors()
    )


def remember_own_credentials() -> None:
    """Have the function's own credentials masked too."""
    for name in ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        value = os.environ.get(name, "")
        if len(value) >= _SHORTEST_CREDENTIAL:
            redactor.add(value)


def guarded(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run a handler's work; whatever it raises is raised redacted, under the name that callers match on."""
    redact_library_logs()
    remember_own_credentials()
    try:
        return work()
    except Exception as error:
        logger.exception("it failed")
        failure = _speakable(error)
    finally:
        redactor.forget()
    # Out here nothing is chained to it: Lambda logs what is raised, and hands it to whoever called.
    raise failure


def _speakable(error: Exception) -> DriftwardenError:
    kind = type(error) if isinstance(error, DriftwardenError) else DriftwardenError
    return kind(redactor.safe_text(told(error)))


def emit_scan_metrics(stack: str, summary: Summary, seconds: float) -> None:
    """Write one EMF record. A crashed scan writes none, so that its absence can raise an alarm."""
    # The only dimension has to be the stack: alarms look for exactly this set.
    metrics = Metrics(namespace=NAMESPACE, service="")
    metrics.add_dimension(name="stack", value=_dimension(stack))
    metrics.add_metric(name="Drifted", unit=MetricUnit.Count, value=summary.drifted)
    metrics.add_metric(name="Deleted", unit=MetricUnit.Count, value=summary.deleted)
    metrics.add_metric(name="NotCompared", unit=MetricUnit.Count, value=summary.not_compared)
    metrics.add_metric(name="Checked", unit=MetricUnit.Count, value=summary.checked)
    metrics.add_metric(name="ScanSeconds", unit=MetricUnit.Seconds, value=round(seconds, 3))
    metrics.flush_metrics()


def emit_approval_metric() -> None:
    """Write one EMF record that somebody is asked for an approval."""
    metrics = Metrics(namespace=NAMESPACE, service="")
    metrics.add_metric(name="ApprovalsWanted", unit=MetricUnit.Count, value=1)
    metrics.flush_metrics()


def _dimension(text: str) -> str:
    """CloudWatch takes printable ASCII."""
    return "".join(char if " " <= char <= "~" else "?" for char in text)[:_MAX_DIMENSION]
