"""Amazon S3 Vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE: Final = ("NotFoundException", "ResourceNotFoundException", "NoSuchVectorBucket", "NoSuchBucket")


def _encryption(config: Any) -> Any:
    kind, key = config.get("sseType"), config.get("kmsKeyArn")
    if not kind:
        return ABSENT
    return {"SseType": kind, "KmsKeyArn": key} if kind == "aws:kms" and key else {"SseType": kind}


def _tags(reading: Reading) -> Any:
    if reading.get("main.vectorBucket.vectorBucketArn") is ABSENT:
        return ABSENT
    return tag_list(reading.get("tagged", []))


VECTOR_BUCKET = ResourceType(
    name="AWS::S3Vectors::VectorBucket",
    service="s3vectors",
    gone=_GONE,
    calls=(
        Call("GetVectorBucket", {"vectorBucketName": "{id}"}),
        Call(
            "ListTagsForResource",
            {"resourceArn": "{main.vectorBucket.vectorBucketArn}"},
            at="tags",
            into="tagged",
            absent=_GONE,
        ),
    ),
    fields={
        "VectorBucketName": lambda reading: reading.get("main.vectorBucket.vectorBucketName", reading.id),
        "EncryptionConfiguration": From("main.vectorBucket.encryptionConfiguration", _encryption),
        "Tags": _tags,
    },
)

TYPES = (VECTOR_BUCKET,)
