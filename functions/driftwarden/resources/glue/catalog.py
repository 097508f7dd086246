"""The data catalog: databases, tables and connections."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from driftwarden.convert import completed
from driftwarden.resources.comparing import Kind, TypeFacts
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE = ("EntityNotFoundException",)


def _in_catalog(**members: str) -> Callable[[Reading], Any]:
    """Request members, and the template's catalog where it names one; the account's own is the default."""

    def params(reading: Reading) -> Any:
        catalog = reading.get("props.CatalogId", "")
        named = isinstance(catalog, str | int | float) and not isinstance(catalog, bool) and catalog != ""
        return reading.fill(members | {"CatalogId": str(catalog)} if named else members)

    return params


DATABASE = ResourceType(
    name="AWS::Glue::Database",
    service="glue",
    gone=_GONE,
    calls=(Call("GetDatabase", _in_catalog(Name="{id}"), at="Database"),),
    fields={
        "DatabaseName": "main.Name",
        "DatabaseInput": From(
            "main",
            completed(
                {"Description": "", "Parameters": {}},
                "Name",
                "LocationUri",
                "TargetDatabase",
                "FederatedDatabase",
                "CreateTableDefaultPermissions",
            ),
        ),
    },
    compared=TypeFacts(
        kinds={"DatabaseInput.Name": Kind.CASELESS},
        never_read_back=("CatalogId", "DatabaseInput.CreateTableDefaultPermissions"),
    ),
)

TABLE = ResourceType(
    name="AWS::Glue::Table",
    service="glue",
    id_parts=2,
    gone=_GONE,
    calls=(Call("GetTable", _in_catalog(DatabaseName="{id.0}", Name="{id.1}"), at="Table"),),
    fields={
        "DatabaseName": "id.0",
        "Name": "id.1",
        "TableInput": From(
            "main",
            completed(
                {"Description": "", "PartitionKeys": [], "Parameters": {}},
                "Name",
                "Owner",
                "Retention",
                "TableType",
                "StorageDescriptor",
                "ViewOriginalText",
                "ViewExpandedText",
                "TargetTable",
            ),
        ),
    },
    compared=TypeFacts(
        kinds={"TableInput.Name": Kind.CASELESS, "DatabaseName": Kind.CASELESS},
        never_read_back=("CatalogId",),
        service_written=tuple(
            f"TableInput.Parameters.{key}" for key in ("metadata_location", "previous_metadata_location")
        ),
    ),
)

CONNECTION = ResourceType(
    name="AWS::Glue::Connection",
    service="glue",
    gone=_GONE,
    calls=(Call("GetConnection", _in_catalog(Name="{id}"), at="Connection"),),
    fields={
        "ConnectionInput": From(
            "main",
            completed(
                {
                    "Name": "",
                    "Description": "",
                    "ConnectionType": "",
                    "ConnectionProperties": {},
                    "AthenaProperties": {},
                    "SparkProperties": {},
                    "PythonProperties": {},
                    "MatchCriteria": [],
                    "PhysicalConnectionRequirements": {},
                }
            ),
        ),
    },
)
