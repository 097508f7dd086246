"""What a state record holds: versions 1 to 11 of the deploy tool's format.

The models read; a later write changes the parsed document itself, so that fields unknown here survive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import orjson
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.alias_generators import to_camel

from driftwarden.errors import StateUnreadable
from driftwarden.model import Cause, Record, StackRef, StackState, StateOrigin, UnreadableRow
from driftwarden.state.text import s3_uri, shown, stack_name

NEWEST_VERSION: Final = 11

UNKNOWN_REGION: Final = "unknown"
"""Stands in `foreign_regions` for a region that a damaged or unreadable record does not let us tell."""

RESOURCES_MAP: Final = "(resources map)"
"""The logical id under which a `resources` value that is not an object is reported."""

_HOW_TO_REPAIR: Final = "Restore an earlier version of the object, or deploy the stack again."
_FIELDS_OF_11: Final = ("noEchoLeaves", "noEchoAttributeNames")

T = TypeVar("T")


def _absent_if_malformed(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    try:
        return validate(value)
    except ValidationError:
        return None


def _one_unknown_read_if_malformed(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    try:
        return validate(value)
    except ValidationError:
        return [None]


Lenient: TypeAlias = Annotated[T | None, WrapValidator(_absent_if_malformed)]
Segment: TypeAlias = str | Annotated[int, Field(ge=0)]
Coordinate: TypeAlias = Annotated[list[Segment], Field(min_length=1)]


class Stored(BaseModel):
    """Base of what lies in state: camelCase names, exact types, unknown fields kept."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True, alias_generator=to_camel)


class ResourceRow(Stored):
    """One entry of `resources`, all versions. A missing `physicalId` is the reader's to report."""

    physical_id: str | None = None
    resource_type: Annotated[str, Field(min_length=1)]
    properties: dict[str, Any]
    observed_properties: dict[str, Any] | None = None
    attributes: Lenient[dict[str, Any]] = None
    provisioned_by: Lenient[str] = None
    observed_baseline_refused: Any = None
    no_echo_leaves: Lenient[list[Coordinate]] = None

    def record(self, logical_id: str) -> Record:
        return Record(
            logical_id=logical_id,
            resource_type=self.resource_type,
            physical_id=self.physical_id or "",
            properties=self.properties,
            observed=self.observed_properties,
            attributes=self.attributes or {},
            provisioned_by=self.provisioned_by or "sdk",
            baseline_refused=self.observed_baseline_refused is True,
            no_echo_leaves=tuple(tuple(leaf) for leaf in self.no_echo_leaves or ()),
        )


class CrossStackRead(Stored):
    """One entry of `imports` or `outputReads`."""

    source_region: str | None = None


CrossStackReads: TypeAlias = Annotated[
    list[Lenient[CrossStackRead]] | None, WrapValidator(_one_unknown_read_if_malformed)
]


class StackBody(Stored):
    """The stack level of a record, all versions; rows of `resources` are validated one by one."""

    region: Any = None
    resources: Any = None
    imports: CrossStackReads = None
    output_reads: CrossStackReads = None
    parent_stack: Lenient[str] = None
    parent_region: Lenient[str] = None

    def source_regions(self) -> frozenset[str]:
        """The regions that the stack read outputs or exports from, its own included."""
        reads = [*(self.imports or ()), *(self.output_reads or ())]
        regions = (UNKNOWN_REGION if read is None else read.source_region for read in reads)
        return frozenset(region for region in regions if region)

    def parent(self, region: str) -> StackRef | None:
        """The stack that this one is nested in; `region` is the own region, for records that name none."""
        return StackRef(self.parent_stack, self.parent_region or region) if self.parent_stack else None


def parse_state(body: bytes, ref: StackRef, origin: StateOrigin) -> StackState:
    """The stack that `body` records. Raises StateUnreadable; a bad row is an UnreadableRow, never an error.

    `foreign_regions` holds what this record alone tells; the store adds what the ancestors read.
    """
    return read_document(decode_document(body, ref, origin), ref, origin)


def decode_document(body: bytes, ref: StackRef, origin: StateOrigin) -> dict[str, Any]:
    """The JSON object of a record whose version is readable. Raises StateUnreadable."""
    where = f"The state of stack {stack_name(ref)} in {s3_uri(origin.bucket, origin.key)}"
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise StateUnreadable(f"{where} is not readable JSON ({shown(error)}). {_HOW_TO_REPAIR}") from error
    if not isinstance(document, dict):
        raise StateUnreadable(f"{where} is not a JSON object. {_HOW_TO_REPAIR}")
    _check_version(document.get("version", 1), where)
    return document


def read_document(document: Mapping[str, Any], ref: StackRef, origin: StateOrigin) -> StackState:
    """The values of a decoded record."""
    body = StackBody.model_validate(document)
    records, unreadable = _rows(body.resources)
    return StackState(
        ref=ref,
        version=version_of(document),
        records=records,
        origin=origin,
        unreadable=unreadable,
        parent=body.parent(ref.region),
        foreign_regions=body.source_regions() - {ref.region},
        warnings=_region_warning(body, ref),
    )


def version_of(document: Mapping[str, Any]) -> int:
    return int(document.get("version", 1))


def version_to_write(document: Mapping[str, Any], version_read: int) -> int:
    """The version read, or 11 when a row holds a field of 11: older tools stay able to read the record."""
    resources = document.get("resources")
    rows = resources.values() if isinstance(resources, dict) else ()
    newer = any(name in row for row in rows if isinstance(row, dict) for name in _FIELDS_OF_11)
    return max(version_read, NEWEST_VERSION) if newer else version_read


def _check_version(version: Any, where: str) -> None:
    if type(version) is int and 1 <= version <= NEWEST_VERSION:
        return
    label = shown(orjson.dumps(version).decode(), 40)
    raise StateUnreadable(
        f"{where} has version {label}, but this scanner is too old for it: it reads versions 1 to "
        f"{NEWEST_VERSION}. Install a newer scanner."
    )


def _region_warning(body: StackBody, ref: StackRef) -> tuple[str, ...]:
    if body.region is None or body.region == ref.region:
        return ()
    return ("The record names another region in its body than in its key; the region of the key was used.",)


def _rows(resources: Any) -> tuple[dict[str, Record], tuple[UnreadableRow, ...]]:
    if not isinstance(resources, dict):
        row = UnreadableRow(
            logical_id=RESOURCES_MAP,
            resource_type="",
            cause=Cause.UNREADABLE_MAP,
            reason="the record's resources value is not an object",
        )
        return {}, (row,)
    records: dict[str, Record] = {}
    unreadable: list[UnreadableRow] = []
    for logical_id, row in resources.items():
        try:
            records[logical_id] = ResourceRow.model_validate(row).record(logical_id)
        except ValidationError as error:
            unreadable.append(_unreadable(logical_id, row, error))
    return records, tuple(unreadable)


def _unreadable(logical_id: str, row: Any, error: ValidationError) -> UnreadableRow:
    resource_type = row.get("resourceType") if isinstance(row, dict) else None
    return UnreadableRow(
        logical_id=logical_id,
        resource_type=resource_type if isinstance(resource_type, str) else "",
        cause=Cause.UNREADABLE_RECORD,
        reason=_reason(error),
    )


def _reason(error: ValidationError) -> str:
    problem = error.errors(include_input=False, include_context=False, include_url=False)[0]
    if not problem["loc"]:
        return "the row is not an object"
    name = problem["loc"][0]
    if problem["type"] in {"missing", "string_too_short"}:
        return f"the row has no {name}"
    return f"the row's {name} is not {'text' if problem['type'] == 'string_type' else 'an object'}"
