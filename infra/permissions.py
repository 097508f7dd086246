"""What a scanner's role may do, and nothing more: reads of its stack's types, its own reports, its alerts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import aws_cdk as cdk
from aws_cdk import aws_iam as iam

from driftwarden.model import StackRef
from driftwarden.permissions import CLOUD_CONTROL_READ, read_actions
from driftwarden.report.keys import latest_key, running_key
from driftwarden.resources.registry import all_types
from infra.config import Defaults, WatchedStack, recorded

VALUE_READS = frozenset(
    {"ssm:GetParameter", "ssm:GetParameters", "ssm:GetParameterHistory", "secretsmanager:GetSecretValue"}
)
"""Reads that return values people keep secret: only allowed on resources that the configuration names."""

SESSION = "s3express:CreateSession"
"""Directory buckets are read inside a session, which can be opened for reading alone."""

GLOBAL_REGIONS = ("us-east-1", "us-west-2")
"""Where the global services of the `aws` partition answer (IAM, CloudFront, Route 53; Global Accelerator)."""


def scanner_statements(watched: WatchedStack, defaults: Defaults) -> Iterator[iam.PolicyStatement]:
    """The statements by which a scanner reaches the recorded state and the live resources."""
    if watched.role_arn:
        yield _allow("AssumeReader", ["sts:AssumeRole"], [watched.role_arn])
        return
    yield from _state(watched, defaults)
    yield from _resources(watched)
    yield from _named_values(watched)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """ARNs of everything a scanner writes to."""

    reports: str
    topic: str
    queue: str
    key: str


def output_statements(watched: WatchedStack, outputs: Outputs) -> Iterator[iam.PolicyStatement]:
    """The statements by which a scanner says what it found: only under the keys of its own stack."""
    ref = StackRef(name=watched.name, region=watched.region)
    latest, running = f"{outputs.reports}/{latest_key(ref)}", f"{outputs.reports}/{running_key(ref)}"
    yield _allow("WriteReports", ["s3:PutObject"], [report_history(watched, outputs), latest])
    yield _allow("CompareWithLatest", ["s3:GetObject"], [latest])
    yield _allow("MarkRunning", ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"], [running])
    yield _allow("Alert", ["sns:Publish"], [outputs.topic])
    yield _allow("KeepFailedEvents", ["sqs:SendMessage"], [outputs.queue])
    yield _allow("EncryptOutput", ["kms:GenerateDataKey", "kms:Decrypt"], [outputs.key])


def report_history(watched: WatchedStack, outputs: Outputs) -> str:
    """ARN pattern of all reports of the stack."""
    latest = latest_key(StackRef(name=watched.name, region=watched.region))
    return f"{outputs.reports}/reports/{latest.removeprefix('latest/').removesuffix('.json')}/*"


def state_records(watched: WatchedStack, defaults: Defaults) -> list[str]:
    """ARN patterns of what a scan reads beside the stack: its state, its ancestors' and the ignore rules."""
    prefix = watched.state_prefix or defaults.state_prefix
    bucket = _state_bucket_arn(watched, defaults)
    return [f"{bucket}/{prefix}/{name}/*" for name in (*_lineage(watched.name), "_driftwarden")]


def state_bucket(watched: WatchedStack, defaults: Defaults) -> str:
    """The bucket of the deploy tool's state: the stack's, else the default, else the tool's own."""
    return watched.state_bucket or defaults.state_bucket or f"cdkd-state-{cdk.Aws.ACCOUNT_ID}"


def _state_bucket_arn(watched: WatchedStack, defaults: Defaults) -> str:
    return f"arn:{cdk.Aws.PARTITION}:s3:::{state_bucket(watched, defaults)}"


def _state(watched: WatchedStack, defaults: Defaults) -> Iterator[iam.PolicyStatement]:
    bucket = _state_bucket_arn(watched, defaults)
    yield _allow("FindState", ["s3:GetBucketLocation", "s3:ListBucket"], [bucket])
    yield _allow("ReadState", ["s3:GetObject"], state_records(watched, defaults))
    key = watched.state_key or defaults.state_key
    if key:
        yield _allow("DecryptState", ["kms:Decrypt"], [key])


def _lineage(name: str) -> list[str]:
    """The stack and its ancestors (`{parent}~{logicalId}`): what those import decides on its references."""
    parts = name.split("~")
    return ["~".join(parts[: depth + 1]) for depth in range(len(parts))]


def _resources(watched: WatchedStack) -> Iterator[iam.PolicyStatement]:
    actions = {*read_actions(types_of(watched)), *watched.extra_read_actions, CLOUD_CONTROL_READ}
    where = {"aws:RequestedRegion": sorted({watched.region, *GLOBAL_REGIONS})}
    yield iam.PolicyStatement(
        sid="ReadResources",
        actions=sorted(actions - VALUE_READS - {SESSION}),
        resources=["*"],
        conditions={"StringEquals": where},
    )
    if SESSION in actions:
        yield iam.PolicyStatement(
            sid="ReadDirectoryBuckets",
            actions=[SESSION],
            resources=["*"],
            conditions={"StringEquals": {**where, "s3express:SessionMode": "ReadOnly"}},
        )


def types_of(watched: WatchedStack) -> tuple[str, ...]:
    """The resource types of a stack: as configured, as recorded, or all that have a reader."""
    if watched.resource_types is not None:
        return tuple(watched.resource_types)
    if watched.state_file is not None:
        return recorded(Path(watched.state_file)).types
    return tuple(declared.name for declared in all_types())


def _named_values(watched: WatchedStack) -> Iterator[iam.PolicyStatement]:
    secrets = [arn for arn in watched.secrets if ":secretsmanager:" in arn]
    parameters = [arn for arn in watched.secrets if ":ssm:" in arn]
    if watched.state_file is not None:
        parameters += [
            _parameter_arn(watched, name) for name in recorded(Path(watched.state_file)).parameters
        ]
    if secrets:
        yield _allow("ReadNamedSecrets", ["secretsmanager:GetSecretValue"], secrets)
    if parameters:
        yield _allow("ReadNamedParameters", ["ssm:GetParameter", "ssm:GetParameters"], parameters)
    if watched.secret_keys:
        yield _allow("DecryptNamedSecrets", ["kms:Decrypt"], watched.secret_keys)


def _parameter_arn(watched: WatchedStack, name: str) -> str:
    return f"arn:{cdk.Aws.PARTITION}:ssm:{watched.region}:{cdk.Aws.ACCOUNT_ID}:parameter/{name.lstrip('/')}"


def _allow(sid: str, actions: list[str], resources: list[str]) -> iam.PolicyStatement:
    return iam.PolicyStatement(sid=sid, actions=actions, resources=resources)
