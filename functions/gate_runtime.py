"""What the handlers of the approval gate share: their environment, and what their events have in common."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Json, ValidationError
from pydantic.alias_generators import to_camel

from driftwarden.clients import Clients
from driftwarden.errors import GateError, UsageError
from driftwarden.examine import Undeclared
from driftwarden.gate.archive import Archive
from driftwarden.gate.documents import PLAN_ID
from driftwarden.gate.keys import run_name
from driftwarden.gate.watched import Settings, Watched
from driftwarden.model import StackRef
from driftwarden.state.keys import DEFAULT_PREFIX
from runtime import FunctionEnvironment, explain, redactor

E = TypeVar("E", bound=BaseModel)


class Event(BaseModel):
    """What all events of the gate have in common: camel case, nothing unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, defer_build=True)


class RevertRequest(Event):
    """What an operator or a programme starts `revert` with."""

    stack: str = Field(min_length=1, max_length=512)
    region: str = Field(pattern=r"^[a-z]{2}(-[a-z]+)+-\d{1,2}$")
    reason: str = Field(min_length=1, max_length=2000)
    requested_by: str | None = Field(default=None, max_length=512)

    @property
    def ref(self) -> StackRef:
        """Which stack it is about."""
        return StackRef(self.stack, self.region)


class Run(RevertRequest):
    """A plan on its way through the gate: what the execution named after it carries along."""

    model_config = ConfigDict(extra="ignore")

    plan_id: str = Field(pattern=PLAN_ID)
    number: int = Field(ge=1)

    @property
    def name(self) -> str:
        """The name that its execution must have."""
        return run_name(self.plan_id, self.number)


class _Own(Event):
    """Settings of one stack that differ from the function's."""

    state_bucket: str | None = None
    state_prefix: str | None = None
    role_arn: str | None = None
    undeclared: Undeclared | None = None


class GateEnvironment(FunctionEnvironment):
    """The environment variables of a function of the gate.

    `watched` holds a JSON object for every stack that allows reverts, under `{region}/{stack}`: what differs
    from the settings beside it.
    """

    reports_bucket: str = Field(alias="REPORTS_BUCKET", min_length=1)
    reports_bucket_owner: str | None = Field(alias="REPORTS_BUCKET_OWNER", default=None, pattern=r"^\d{12}$")
    approvals_topic_arn: str = Field(alias="APPROVALS_TOPIC_ARN", default="")
    decide_arn: str = Field(alias="DECIDE_ARN", default="")
    state_bucket: str | None = Field(alias="STATE_BUCKET", default=None)
    state_prefix: str = Field(alias="STATE_PREFIX", default=DEFAULT_PREFIX)
    undeclared: Undeclared = Field(alias="UNDECLARED", default="drift")
    watched: Json[dict[str, _Own]] = Field(alias="REVERTIBLE_STACKS", default={})

    @cached_property
    def clients(self) -> Clients:
        """Clients with the function's own role."""
        return Clients()

    @cached_property
    def archive(self) -> Archive:
        """The documents of the gate."""
        return Archive(self.clients, self.reports_bucket, owner=self.reports_bucket_owner)

    def watched_stack(self, ref: StackRef) -> Watched:
        """The stack, with its settings. Raises GateError for one that does not allow reverts."""
        own = self.watched.get(f"{ref.region}/{ref.name}")
        if own is None:
            raise GateError(
                f"Stack {ref.name} in {ref.region} does not allow reverts here. Set revert = true for it in "
                "infra/watched-stacks.toml and deploy, or correct the name and the region."
            )
        settings = Settings(
            state_bucket=own.state_bucket or self.state_bucket,
            state_prefix=own.state_prefix or self.state_prefix,
            role_arn=own.role_arn,
            undeclared=own.undeclared or self.undeclared,
        )
        return Watched(ref=ref, settings=settings, redactor=redactor)


def parse(model: type[E], raw: Any, what: str) -> E:
    """An event as `model`. Raises UsageError, which names what is wrong and none of the values."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise UsageError(f"This is not {what}: {explain(error)}.") from None


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
