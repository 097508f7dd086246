"""Looking at one resource, and at what a scan may do."""

from __future__ import annotations

from typing import Any

from driftwarden.commands.session import Session
from driftwarden.errors import ReadError, StateUnreadable, UsageError
from driftwarden.model import Change, Gone, Live, Record, StackState, Unreadable, Unsupported
from driftwarden.permissions import (
    CLOUD_CONTROL_READ,
    CLOUD_CONTROL_WRITES,
    read_actions,
    through_cloud_control,
    write_actions,
)
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.secrets import LiveResolver, bind, conceal, learn_live, required_reads
from driftwarden.skipped import INVISIBLE, is_skipped


def read(session: Session, stack: str, logical_id: str, *, stack_region: str | None) -> int:
    """Print the live properties of one recorded resource as JSON; what no report may show is masked."""
    state = _one(session, stack, stack_region)
    record = _readable(state, logical_id)
    place = Place(region=state.ref.region, clients=session.clients, limits=Limits())
    resolver = LiveResolver(session.clients, session.redactor)
    # Before the read: whatever comes of that may show the secret of any resource of the stack.
    resolver.learn(state)
    match read_record(record, place, state.records):
        case Live(properties):
            bound = bind(record, state, resolver)
            learn_live(properties, record, bound)
            shown = conceal([Change(path=(k,), aws=v) for k, v in properties.items()], bound, record)
            session.out.payload({str(change.path[0]): change.aws for change in shown})
            return 0
        case Gone():
            raise ReadError(f"AWS says that {logical_id} ({record.resource_type}) of {stack} does not exist.")
        case Unsupported(reason) | Unreadable(reason=reason):
            raise ReadError(f"{logical_id} of {stack} could not be read: {reason}")


def permissions(session: Session, stack: str, *, stack_region: str | None, revert: bool = False) -> int:
    """Print the least IAM policy that a scan of the stack needs, as JSON; with `revert`, a revert's too."""
    state = _one(session, stack, stack_region)
    records = state.records.values()
    types = {record.resource_type for record in records} - {INVISIBLE}
    reads = set(read_actions(types))
    writes = set(write_actions(types)) if revert else set()
    if any(record.provisioned_by == "cc-api" for record in records):
        reads.add(CLOUD_CONTROL_READ)
        writes.update(CLOUD_CONTROL_WRITES if revert else ())
    session.out.payload(_policy(ReadWatchedResources=reads, RevertWatchedResources=writes))
    for name in through_cloud_control(types):
        kinds = "read and update actions" if revert else "read actions"
        session.out.warn(
            f"{name} is handled by Cloud Control, whose handler calls the service with your credentials: add "
            f"the {kinds} of that service"
        )
    _beside_the_policy(session, state)
    if revert:
        session.out.warn(
            "reverts lock the stack: add s3:PutObject and s3:DeleteObject on its state record and lock. "
            "Where one sets a role, add iam:PassRole on that role"
        )
    return 0


def _beside_the_policy(session: Session, state: StackState) -> None:
    """What a scan needs besides, or cannot look at."""
    for secret in required_reads(state):
        session.out.warn(
            f"a reference names {secret.name} in {secret.region} ({secret.service}): to have it compared, "
            f"allow {', '.join(secret.actions)} on it alone"
        )
    for row in state.unreadable:
        session.out.warn(f"{row.logical_id} is left out: {row.reason}")
    session.out.warn("a scan also reads the state: add s3:ListBucket and s3:GetObject on the state bucket")


def _readable(state: StackState, logical_id: str) -> Record:
    """The record to read. Raises where there is none, or nothing but its own handler could read it."""
    stack = state.ref.name
    record = state.records.get(logical_id)
    if record is None:
        for row in state.unreadable:
            if row.logical_id == logical_id:
                raise StateUnreadable(f"{logical_id} of {stack} cannot be read from the state: {row.reason}.")
        known = ", ".join(sorted(state.records)) or "none"
        raise UsageError(f"{stack} records no resource {logical_id}. It records: {known}.")
    if is_skipped(record.resource_type) or record.resource_type == INVISIBLE:
        raise ReadError(
            f"{logical_id} ({record.resource_type}) of {stack} has no properties that AWS could tell: it is "
            "never read or compared."
        )
    return record


def _policy(**actions: set[str]) -> dict[str, Any]:
    statements = [
        {"Sid": sid, "Effect": "Allow", "Action": sorted(named), "Resource": "*"}
        for sid, named in actions.items()
        if named
    ]
    return {"Version": "2012-10-17", "Statement": statements}


def _one(session: Session, stack: str, stack_region: str | None) -> StackState:
    (ref,) = session.store.select([stack], every=False, stack_region=stack_region)
    return session.store.load(ref)
