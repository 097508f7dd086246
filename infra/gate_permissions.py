"""What the roles of the approval gate may do. Only the executor's holds a write to watched resources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_iam as iam

from driftwarden.permissions import CLOUD_CONTROL_WRITES, write_actions
from infra.config import Defaults, WatchedStack
from infra.permissions import GLOBAL_REGIONS, scanner_statements, state_bucket, types_of

MOST_ACTIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResources:
    """ARNs that the gate's roles are bound to. `revert` and `decide` are the state machines."""

    reports: str
    topic: str
    key: str
    revert: str
    decide: str

    @property
    def revert_runs(self) -> str:
        """All executions of `revert`."""
        return f"{self.revert.replace(':stateMachine:', ':execution:')}:*"

    @property
    def decide_runs(self) -> str:
        """All executions of `decide`."""
        return f"{self.decide.replace(':stateMachine:', ':execution:')}:*"

    def documents(self, *kinds: str) -> list[str]:
        """ARN patterns of the gate's documents of some kinds."""
        return [f"{self.reports}/{kind}/*" for kind in kinds]


def reading_statements(stacks: Sequence[WatchedStack], defaults: Defaults) -> Iterator[iam.PolicyStatement]:
    """What it takes to look at these stacks: each the scanner's own reads."""
    found = (statement for watched in stacks for statement in scanner_statements(watched, defaults))
    yield from compact(found, "Read")


def compact(statements: Iterable[iam.PolicyStatement], name: str) -> Iterator[iam.PolicyStatement]:
    """The same permissions, each granted once, in statements that are small enough for a policy of their own.

    A managed policy holds 6,144 characters (IAM quotas). Named, the CDK does not merge them again.
    """
    merged: dict[str, tuple[iam.PolicyStatement, set[str]]] = {}
    for statement in statements:
        where = json.dumps([statement.resources, statement.conditions], sort_keys=True)
        merged.setdefault(where, (statement, set()))[1].update(statement.actions)
    number = 0
    for statement, actions in merged.values():
        for chunk in _chunks(sorted(actions)):
            number += 1
            yield iam.PolicyStatement(
                sid=f"{name}{number}",
                actions=chunk,
                resources=statement.resources,
                conditions=statement.conditions,
            )


def _chunks(actions: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(actions), MOST_ACTIONS):
        yield actions[start : start + MOST_ACTIONS]


def planner_documents(of: GateResources) -> Iterator[iam.PolicyStatement]:
    """The planner keeps plans and proofs, and asks which run of a plan is open."""
    yield _allow(["s3:PutObject"], of.documents("plans", "verifications"))
    yield _allow(["s3:GetObject"], of.documents("decisions"))
    yield _allow(["states:DescribeExecution"], [of.revert_runs])
    yield _allow(["kms:GenerateDataKey", "kms:Decrypt"], [of.key])


def requester_documents(of: GateResources) -> Iterator[iam.PolicyStatement]:
    """The function that talks to people stores questions, tokens included, which it cannot read again."""
    yield _allow(["s3:PutObject"], of.documents("approvals", "outcomes"))
    yield _allow(["s3:GetObject"], of.documents("plans", "decisions", "results", "verifications"))
    yield _allow(["sns:Publish"], [of.topic])
    yield _allow(["kms:GenerateDataKey", "kms:Decrypt"], [of.key])


def recorder_documents(of: GateResources) -> Iterator[iam.PolicyStatement]:
    """The function that takes decisions is the only one that reads and uses task tokens."""
    yield _allow(["s3:GetObject"], of.documents("approvals", "plans", "decisions"))
    yield _allow(["s3:PutObject"], of.documents("decisions"))
    yield iam.PolicyStatement(
        actions=["s3:ListBucket"],
        resources=[of.reports],
        conditions={"StringLike": {"s3:prefix": ["approvals/*"]}},
    )
    yield _allow(["states:SendTaskSuccess"], ["*"])
    yield _allow(["kms:GenerateDataKey", "kms:Decrypt"], [of.key])


def executor_documents(of: GateResources) -> Iterator[iam.PolicyStatement]:
    """The executor reads what was approved, and notes what became of it."""
    yield _allow(["s3:GetObject"], of.documents("plans", "decisions", "results"))
    yield _allow(["s3:PutObject"], of.documents("results"))
    yield _allow(["kms:GenerateDataKey", "kms:Decrypt"], [of.key])


def writing_statements(stacks: Sequence[WatchedStack], defaults: Defaults) -> Iterator[iam.PolicyStatement]:
    """The writes to watched resources: the updates of the types of these stacks, in their regions."""
    found = (statement for watched in stacks for statement in _writes(watched, defaults))
    yield from compact(found, "Revert")


def _writes(watched: WatchedStack, defaults: Defaults) -> Iterator[iam.PolicyStatement]:
    if watched.role_arn:
        yield _allow(["sts:AssumeRole"], [str(watched.revert_role_arn)])
        return
    yield _allow(["s3:PutObject", "s3:DeleteObject"], [own_state(watched, defaults)])
    key = watched.state_key or defaults.state_key
    if key:
        yield _allow(["kms:GenerateDataKey"], [key])
    yield iam.PolicyStatement(
        actions=sorted(
            {*write_actions(types_of(watched)), *CLOUD_CONTROL_WRITES, *watched.extra_write_actions}
        ),
        resources=["*"],
        conditions={"StringEquals": {"aws:RequestedRegion": sorted({watched.region, *GLOBAL_REGIONS})}},
    )


def own_state(watched: WatchedStack, defaults: Defaults) -> str:
    """ARN pattern of a stack's own state record and lock: a revert locks the stack as a deploy does."""
    prefix = watched.state_prefix or defaults.state_prefix
    bucket = state_bucket(watched, defaults)
    return f"arn:{cdk.Aws.PARTITION}:s3:::{bucket}/{prefix}/{watched.name}/{watched.region}/*"


def people_statements(of: GateResources) -> Iterator[iam.PolicyStatement]:
    """What requesters and approvers have in common: finding the machines, and reading the record."""
    yield _allow(["s3:GetObject"], of.documents("plans", "decisions", "results", "verifications", "outcomes"))
    yield iam.PolicyStatement(
        actions=["s3:ListBucket"],
        resources=[of.reports],
        conditions={"StringLike": {"s3:prefix": ["plans/*", "outcomes/*"]}},
    )
    yield _allow(["kms:Decrypt"], [of.key])
    yield _allow(["cloudformation:DescribeStacks"], [cdk.Aws.STACK_ID])
    # The history of a run holds its task token, so only the summary of runs is for people.
    yield _allow(["states:DescribeExecution"], [of.revert_runs, of.decide_runs])
    yield _allow(["states:ListExecutions", "states:DescribeStateMachine"], [of.revert, of.decide])
    yield _allow(["states:ListStateMachines"], ["*"])


def request_statement(of: GateResources) -> iam.PolicyStatement:
    """Asking for a revert."""
    return _allow(["states:StartExecution"], [of.revert])


def approve_statements(of: GateResources) -> Iterator[iam.PolicyStatement]:
    """Deciding on one, and seeing what became of the decision."""
    yield _allow(["states:StartExecution"], [of.decide])
    yield _allow(["states:GetExecutionHistory"], [of.decide_runs])


def _allow(actions: list[str], resources: list[str]) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=actions, resources=resources)
