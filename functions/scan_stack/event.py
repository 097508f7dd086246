"""What the scanner is asked to do."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from driftwarden.errors import ConfigurationError, UsageError
from driftwarden.model import StackRef
from runtime import Environment, explain

UNKNOWN_REGION = "unknown"


class ScanEvent(BaseModel):
    """The input of a scan, as the schedule sends it."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, alias_generator=to_camel, defer_build=True
    )

    stack: str = Field(min_length=1, max_length=512)
    region: str = Field(pattern=r"^[a-z]{2}(-[a-z]+)+-\d{1,2}$")
    state_bucket: str | None = None
    state_prefix: str | None = None
    role_arn: str | None = Field(default=None, pattern=r"^arn:[^:]+:iam::\d{12}:role/.+$")
    undeclared: Literal["report", "drift", "ignore"] = "drift"
    scheduled_time: str | None = None

    @property
    def ref(self) -> StackRef:
        """Which stack to scan."""
        return StackRef(self.stack, self.region)


def parse_event(raw: object, environment: Environment) -> ScanEvent:
    """Check the event against the model and against the environment, which wins.

    Raises UsageError for an event that is no scan request, ConfigurationError for one that asks for what the
    function was not deployed for.
    """
    try:
        event = ScanEvent.model_validate(raw)
    except ValidationError as error:
        raise UsageError(
            f"The event is not a scan request: {explain(error)}. Send stack and region, and optionally "
            "stateBucket, statePrefix, roleArn, undeclared and scheduledTime."
        ) from None
    for name in ("state_bucket", "state_prefix", "role_arn"):
        asked, fixed = getattr(event, name), getattr(environment, name)
        if asked is not None and fixed is not None and asked != fixed:
            raise ConfigurationError(
                f"The event asks for another {to_camel(name)} than the function is deployed with. "
                f"Leave {to_camel(name)} out of the event, or deploy a function for it."
            )
    return event.model_copy(
        update={
            name: getattr(environment, name) or getattr(event, name)
            for name in ("state_bucket", "state_prefix", "role_arn")
        }
    )


def named_stack(raw: Any) -> StackRef | None:
    """Which stack an event is about, however wrong the rest of it may be; None when it does not tell."""
    stack = raw.get("stack") if isinstance(raw, dict) else None
    if not isinstance(stack, str) or not stack:
        return None
    region = raw.get("region")
    return StackRef(stack, region if isinstance(region, str) and region else UNKNOWN_REGION)
