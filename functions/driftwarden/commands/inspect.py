"""Looking at one resource, and at what a scan may do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from driftwarden.commands.session import Session
from driftwarden.errors import ReadError, UsageError
from driftwarden.model import Change, Gone, Live, StackState, Unreadable, Unsupported
from driftwarden.permissions import read_actions, through_cloud_control
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from driftwarden.secrets import LiveResolver, bind, conceal


def read(session: Session, stack: str, logical_id: str, *, stack_region: str | None) -> int:
    """Print the live properties of one recorded resource as JSON; what no report may show is masked."""
    state = _one(session, stack, stack_region)
    record = state.records.get(logical_id)
    if record is None:
        known = ", ".join(sorted(state.records)) or "none"
        raise UsageError(f"{stack} records no resource {logical_id}. It records: {known}.")
    place = Place(region=state.ref.region, clients=session.clients, limits=Limits())
    match read_record(record, place, state.records):
        case Live(properties):
            bound = bind(record, state, LiveResolver(session.clients, session.redactor))
            shown = conceal([Change(path=(k,), aws=v) for k, v in properties.items()], bound, record)
            session.out.payload({str(change.path[0]): change.aws for change in shown})
            return 0
        case Gone():
            raise ReadError(f"AWS says that {logical_id} ({record.resource_type}) of {stack} does not exist.")
        case Unsupported(reason) | Unreadable(reason=reason):
            raise ReadError(f"{logical_id} of {stack} could not be read: {reason}")


def permissions(session: Session, stack: str, *, stack_region: str | None) -> int:
    """Print the least IAM policy that a scan of the stack needs, as JSON."""
    types = {record.resource_type for record in _one(session, stack, stack_region).records.values()}
    session.out.payload(_policy(read_actions(types)))
    for name in through_cloud_control(types):
        session.out.warn(
            f"{name} is read through Cloud Control, whose handler calls the service with your credentials: "
            "add the read actions of that service"
        )
    return 0


def _policy(actions: Iterable[str]) -> dict[str, Any]:
    statement = {"Sid": "ReadWatchedResources", "Effect": "Allow", "Action": list(actions), "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement]}


def _one(session: Session, stack: str, stack_region: str | None) -> StackState:
    (ref,) = session.store.select([stack], every=False, stack_region=stack_region)
    return session.store.load(ref)
