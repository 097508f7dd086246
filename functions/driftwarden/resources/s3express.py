"""Amazon S3 Express One Zone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.convert import tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading


def _bucket_arn(reading: Reading) -> Any:
    caller = reading.get("caller.Arn")
    if caller is ABSENT:
        return ABSENT
    partition = caller.split(":")[1]
    return f"arn:{partition}:s3express:{reading.region}:{reading.get('caller.Account')}:bucket/{reading.id}"


DIRECTORY_BUCKET = ResourceType(
    name="AWS::S3Express::DirectoryBucket",
    service="s3",
    gone=("404", "NoSuchBucket"),
    calls=(
        Call("HeadBucket", {"Bucket": "{id}"}, action="s3express:CreateSession"),
        Call("GetCallerIdentity", service="sts", into="caller"),
        Call(
            "ListTagsForResource",
            {"AccountId": "{caller.Account}", "ResourceArn": _bucket_arn},
            at="Tags",
            into="tags",
            gone=False,
            service="s3control",
            action="s3express:ListTagsForResource",
        ),
    ),
    fields={
        "BucketName": lambda reading: reading.id,
        "DataRedundancy": lambda reading: (
            "SingleAvailabilityZone" if reading.id.endswith("--x-s3") else ABSENT
        ),
        "Tags": From("tags", tag_list, default=[]),
    },
)

TYPES = (DIRECTORY_BUCKET,)
