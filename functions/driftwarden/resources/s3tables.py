"""Amazon S3 Tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer, NotAddressable
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE: Final = ("NotFoundException",)
_NAMESPACE_PARTS: Final = 2
_TABLE_PARTS: Final = 3
_TABLE_IN_ARN: Final = "/table/"


def _tags(tags: dict[str, str]) -> list[dict[str, str]]:
    """Tags in the order of the answer, those of AWS included: the deploy tool records them so."""
    return [{"Key": key, "Value": value} for key, value in tags.items()]


TABLE_BUCKET = ResourceType(
    name="AWS::S3Tables::TableBucket",
    service="s3tables",
    gone=_GONE,
    calls=(
        Call("GetTableBucket", {"tableBucketARN": "{id}"}),
        Call("ListTagsForResource", {"resourceArn": "{id}"}, at="tags", into="tagged", absent=_GONE),
    ),
    fields={"TableBucketName": "main.name", "Tags": From("tagged", _tags, default=[])},
)


def _read_namespace(reading: Reading) -> dict[str, str]:
    """A namespace has no property besides its identity, so there is nothing to ask for."""
    if len(reading.parts) != _NAMESPACE_PARTS or not all(reading.parts):
        raise NotAddressable(f"the physical id of {reading.record.logical_id} is not BUCKET_ARN|NAMESPACE")
    return dict(zip(("TableBucketARN", "Namespace"), reading.parts, strict=True))


NAMESPACE = ResourceType(name="AWS::S3Tables::Namespace", service="s3tables", custom=_read_namespace)


def _is_arn(reading: Reading) -> bool:
    return reading.id.startswith("arn:") and _TABLE_IN_ARN in reading.id and len(reading.parts) == 1


def _table_request(reading: Reading) -> Any:
    if _is_arn(reading):
        return {"tableArn": reading.id}
    if len(reading.parts) < _TABLE_PARTS:
        return ABSENT
    return dict(zip(("tableBucketARN", "namespace", "name"), reading.parts, strict=False))


def _table(answer: Any, reading: Reading) -> Any:
    """The answer with the identity of the table, which is in the physical id unless that is an ARN."""
    if not _is_arn(reading):
        bucket, namespace, name = reading.parts[:_TABLE_PARTS]
        return {"name": name, **answer, "bucket": bucket, "in": namespace}
    if not answer.get("name") or not answer.get("namespace"):
        raise EmptyAnswer("s3tables:GetTable", "the table's name and namespace")
    return {**answer, "bucket": reading.id.rsplit(_TABLE_IN_ARN, 1)[0], "in": answer["namespace"][0]}


TABLE = ResourceType(
    name="AWS::S3Tables::Table",
    service="s3tables",
    gone=_GONE,
    calls=(
        Call("GetTable", _table_request, at=_table),
        Call(
            "ListTagsForResource", {"resourceArn": "{main.tableARN}"}, at="tags", into="tagged", absent=_GONE
        ),
    ),
    fields={
        "TableBucketARN": "main.bucket",
        "Namespace": "main.in",
        "Name": "main.name",
        "TableName": "main.name",
        "OpenTableFormat": "main.format",
        "Format": "main.format",
        "Tags": From("tagged", _tags, default=[]),
    },
)

TYPES = (NAMESPACE, TABLE, TABLE_BUCKET)
