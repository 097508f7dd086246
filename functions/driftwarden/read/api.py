"""Reading one resource: by its own declaration where there is one, else through Cloud Control."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from driftwarden.clients import Clients
from driftwarden.errors import ReadError
from driftwarden.model import Gone, Live, ReadResult, Record, Unreadable, Unsupported
from driftwarden.read.cloud_control import SERVICE, cloud_control_type, through_cloud_control
from driftwarden.read.engine import read_with
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place, Reading
from driftwarden.resources.registry import find


def read_record(record: Record, place: Place, siblings: Mapping[str, Record]) -> ReadResult:
    """What AWS reports about a recorded resource. Never raises for what AWS answers, or fails to."""
    return read_into(reading_of(record, place, siblings))


def reading_of(record: Record, place: Place, siblings: Mapping[str, Record]) -> Reading:
    """A reading of the record, not begun: by its type's own declaration, else through Cloud Control."""
    spec = None if record.provisioned_by == "cc-api" else find(record.resource_type)
    return Reading(spec or cloud_control_type(record.resource_type), record, place, siblings)


def read_into(reading: Reading) -> ReadResult:
    """Does the reading; its answers stay in it. Never raises for what AWS answers, or fails to."""
    record = reading.record
    if not record.physical_id:
        return Unreadable(
            reason=f"the state records no physical id for {record.logical_id}; deploy the stack again"
        )
    try:
        return through_cloud_control(reading) if reading.spec.service == SERVICE else read_with(reading)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        return Unreadable(
            reason=f"AWS answered in a shape that the reader of {record.resource_type} does not know "
            f"({type(error).__name__}). Run the scan again; if it stays, report it.",
            code="UnexpectedAnswer",
        )


def read_back(
    resource_type: str,
    physical_id: str,
    properties: Mapping[str, Any],
    *,
    logical_id: str,
    region: str,
    siblings: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any] | None:
    """The live CloudFormation properties of one resource, in the shape of `observedProperties`.

    `properties` are the template's. `siblings` are the stack's other resources by logical id, each with
    `resourceType`, `physicalId`, `properties` and `attributes`. None when AWS reports nothing under that id;
    raises ReadError when the resource could not be read.
    """
    record = Record(
        logical_id=logical_id, resource_type=resource_type, physical_id=physical_id, properties=properties
    )
    result = read_record(record, _default_place(region), {k: _sibling(k, v) for k, v in siblings.items()})
    match result:
        case Live(live):
            return dict(live)
        case Gone() | Unsupported() | Unreadable(empty_answer=True):
            return None
        case Unreadable():
            raise ReadError(result.reason, operation=result.operation, code=result.code, action=result.action)


def _sibling(logical_id: str, row: Mapping[str, Any]) -> Record:
    return Record(
        logical_id=logical_id,
        resource_type=row.get("resourceType", ""),
        physical_id=row.get("physicalId", ""),
        properties=row.get("properties") or {},
        attributes=row.get("attributes") or {},
    )


@cache
def _default_place(region: str) -> Place:
    return Place(region=region, clients=Clients(region=region), limits=Limits())
