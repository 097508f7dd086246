"""What to watch: the TOML file behind the CDK app, validated, with errors that name file and line."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from driftwarden.errors import ConfigurationError

RATE = r"rate\([1-9]\d* (minutes?|hours?|days?)\)"
CRON = r"cron\([^()\s]+( [^()\s]+){5}\)"
ACCOUNT = r"\d{12}"
PARTITION = r"arn:aws[a-z-]*"

Region = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}(-[a-z]+)+-\d$")]
StackName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9~-]{0,254}$")]
BucketName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")]
Prefix = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9!_.()'-]+(/[A-Za-z0-9!_.()'-]+)*$")]
ScheduleText = Annotated[str, StringConstraints(pattern=f"^({RATE}|{CRON})$")]
RoleArn = Annotated[str, StringConstraints(pattern=f"^{PARTITION}:iam::{ACCOUNT}:role/[\\w+=,.@/-]+$")]
KeyArn = Annotated[str, StringConstraints(pattern=f"^{PARTITION}:kms:[a-z0-9-]+:{ACCOUNT}:key/[\\w-]+$")]
SecretArn = Annotated[
    str,
    StringConstraints(
        pattern=f"^{PARTITION}:(secretsmanager:[a-z0-9-]+:{ACCOUNT}:secret:[\\w/+=.@-]+"
        f"|ssm:[a-z0-9-]+:{ACCOUNT}:parameter/[\\w./-]+)$"
    ),
]
ReadAction = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9-]+:(Describe|List|Get|BatchGet|BatchDescribe)[A-Za-z0-9]+$")
]
WriteAction = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+:[A-Z][A-Za-z0-9]+$")]
TimeSpan = Annotated[str, StringConstraints(pattern=r"^[1-9]\d{0,5}[smhd]$")]
TypeName = Annotated[str, StringConstraints(pattern=r"^\w+::\w+::\w+(::\w+)?$")]
Subscriber = Annotated[
    str,
    StringConstraints(
        pattern=f"^([^@\\s:/]+@[^@\\s]+|https://\\S+|{PARTITION}:sqs:[a-z0-9-]+:{ACCOUNT}:\\S+)$"
    ),
]


SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

OF_OWN_ROLE = ("state_key", "secrets", "secret_keys", "resource_types", "extra_read_actions", "state_file")
"""Settings of the scanner's own role, meaningless where it assumes another account's."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a state record says about the permissions its stack needs."""

    types: tuple[str, ...]
    parameters: tuple[str, ...]
    """Names of the SSM parameters that the stack owns."""


def recorded(path: Path) -> Recorded:
    """Read a copy of a state record. Raises `ValueError` when it is none."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["resources"].values()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a state record ({type(error).__name__})") from error
    known = [row for row in rows if isinstance(row, dict) and isinstance(row.get("resourceType"), str)]
    parameters = {
        str(row["physicalId"])
        for row in known
        if row["resourceType"] == "AWS::SSM::Parameter" and row.get("physicalId")
    }
    return Recorded(
        types=tuple(sorted({row["resourceType"] for row in known})), parameters=tuple(sorted(parameters))
    )


class Defaults(_Table):
    """Settings of the deployment, and of every watched stack that does not say otherwise."""

    state_bucket: BucketName | None = None
    """Bucket of the deploy tool's state; `cdkd-state-{account}` when absent."""
    state_prefix: Prefix = "cdkd"
    state_key: KeyArn | None = None
    """KMS key that encrypts the state bucket, when it is a customer's own."""
    schedule: ScheduleText = "rate(1 hour)"
    timezone: str = Field(default="UTC", pattern=r"^[A-Za-z]+(/[\w+-]+)*$")
    undeclared: Literal["report", "drift", "ignore"] = "drift"
    alert_subscriptions: list[Subscriber] = []
    """E-mail addresses, https endpoints, ARNs of queues."""
    report_retention_days: int = Field(default=400, ge=1, le=3650)
    log_retention_days: Literal[1, 7, 14, 30, 90, 180, 365, 731] = 90
    reserved_concurrency: int | None = Field(default=None, ge=1)
    """Reserved for each scanner out of the account's pool; nothing is reserved when absent."""
    approval_timeout: TimeSpan = "24h"
    """How long a requested revert waits for a decision."""
    approval_subscriptions: list[Subscriber] = []
    """Who is asked to approve reverts; the subscribers of alerts when empty."""

    @property
    def approval_seconds(self) -> int:
        """The approval timeout in seconds."""
        return int(self.approval_timeout[:-1]) * SECONDS[self.approval_timeout[-1]]


class WatchedStack(_Table):
    """One stack in one region, scanned on a schedule by a function and role of its own."""

    name: StackName
    region: Region
    schedule: ScheduleText | None = None
    timezone: str | None = Field(default=None, pattern=r"^[A-Za-z]+(/[\w+-]+)*$")
    state_bucket: BucketName | None = None
    state_prefix: Prefix | None = None
    state_key: KeyArn | None = None
    role_arn: RoleArn | None = None
    """Role of another account that reads state and resources there."""
    undeclared: Literal["report", "drift", "ignore"] | None = None
    secrets: list[SecretArn] = []
    """Secrets and parameters whose values the scanner may read to resolve dynamic references."""
    secret_keys: list[KeyArn] = []
    """Customer KMS keys that encrypt those."""
    resource_types: list[TypeName] | None = Field(default=None, min_length=1)
    extra_read_actions: list[ReadAction] = []
    """What the handlers of types that only Cloud Control can read call with the scanner's permissions."""
    revert: bool = False
    """Whether people may request that recorded values are pushed back into this stack."""
    revert_role_arn: RoleArn | None = None
    """Role of the other account that writes there; needed for reverts beside `role_arn`."""
    extra_write_actions: list[WriteAction] = []
    """What reverts need beside the writes of the types: for Cloud Control's handlers, or to pass a role."""
    state_file: str | None = None
    """A copy of the stack's state record, relative to the configuration file, to derive the types from."""

    @field_validator("state_file")
    @classmethod
    def _state_file_is_readable(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None:
            return None
        path = Path((info.context or {}).get("folder", "."), value)
        recorded(path)
        return str(path)

    @model_validator(mode="after")
    def _one_source_of_types(self) -> WatchedStack:
        if self.resource_types is not None and self.state_file is not None:
            raise ValueError("give resource_types or state_file, not both")
        return self

    @model_validator(mode="after")
    def _reverts_are_whole(self) -> WatchedStack:
        if self.revert and self.role_arn and not self.revert_role_arn:
            raise ValueError("revert: needs revert_role_arn beside role_arn; the reader's role cannot write")
        unused = [name for name in ("revert_role_arn", "extra_write_actions") if getattr(self, name)]
        if unused and not self.revert:
            raise ValueError(f"{', '.join(unused)}: not used without revert = true")
        if self.revert_role_arn and not self.role_arn:
            raise ValueError("revert_role_arn: not used without role_arn")
        if self.role_arn and self.extra_write_actions:
            raise ValueError("extra_write_actions: not used with role_arn; grant them to revert_role_arn")
        return self

    @model_validator(mode="after")
    def _one_role(self) -> WatchedStack:
        theirs = [name for name in OF_OWN_ROLE if getattr(self, name)]
        if self.role_arn and theirs:
            raise ValueError(
                f"{', '.join(theirs)}: not used with role_arn; grant it to that role in its account"
            )
        return self


class Watch(_Table):
    """The whole file."""

    defaults: Defaults = Defaults()
    stacks: list[WatchedStack] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_stack_once(self) -> Watch:
        seen = set()
        for stack in self.stacks:
            if (stack.name, stack.region) in seen:
                raise ValueError(f"stack {stack.name} in {stack.region} is listed twice")
            seen.add((stack.name, stack.region))
        return self


def load(path: Path) -> Watch:
    """Read and validate `path`. Raises ConfigurationError: per fault file, line, key and what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"{path}: {error.strerror}. Copy infra/watched-stacks.example.toml there and edit it."
        ) from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path}: not valid TOML: {error}") from error
    try:
        return Watch.model_validate(values, context={"folder": path.parent})
    except ValidationError as error:
        raise ConfigurationError(_explain(path, text, error)) from error


def _explain(path: Path, text: str, error: ValidationError) -> str:
    faults = []
    for fault in error.errors(include_url=False):
        key = ".".join(str(part) for part in fault["loc"])
        reason = _reason(fault["type"], fault["msg"], fault.get("ctx", {}))
        faults.append(": ".join(filter(None, (f"{path}:{_line_of(text, fault['loc'])}", key, reason))))
    return "\n".join(faults)


def _reason(kind: str, message: str, context: dict[str, Any]) -> str:
    if kind == "extra_forbidden":
        return "no such setting; infra/watched-stacks.example.toml shows all of them"
    if kind == "string_pattern_mismatch":
        return f"does not look right; expected the form {context['pattern']}"
    return message.removeprefix("Value error, ")


def _line_of(text: str, loc: tuple[int | str, ...]) -> int:
    """The line of the deepest part of `loc` that can be found: its key, else its table, else 1.

    The TOML parser keeps no positions: tables and keys are looked for where people write them, at the start
    of a line.
    """
    table, rest = str(loc[0]) if loc else "", loc[1:]
    nth = 0
    if rest and isinstance(rest[0], int):
        nth, rest = rest[0], rest[1:]
    key = str(rest[0]) if rest else ""
    found, seen, inside = 1, -1, False
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]", line)
        if header:
            seen += header[1] == table
            inside = header[1] == table and seen == nth
            found = number if inside else found
        elif key and inside and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return found
