"""Amazon ECR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import each, non_empty, pick, tag_list
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, To, Write, emptied

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_GONE = ("RepositoryNotFoundException",)


def _encryption(configuration: Mapping[str, Any]) -> dict[str, Any]:
    kind = configuration.get("encryptionType", "AES256")
    key = {"KmsKey": configuration["kmsKey"]} if kind == "KMS" and "kmsKey" in configuration else {}
    return {"EncryptionType": kind} | key


_FILTERS: Final = "ImageTagMutabilityExclusionFilters"


def _set_mutability(update: Update) -> None:
    """Filters are taken only together with a mutability that excludes something."""
    mutability = update.desired.get("ImageTagMutability") or "MUTABLE"
    request: dict[str, Any] = {"repositoryName": update.id, "imageTagMutability": mutability}
    if mutability.endswith("_EXCLUSION"):
        written = pick(
            filterType="ImageTagMutabilityExclusionFilterType",
            filter="ImageTagMutabilityExclusionFilterValue",
        )
        request["imageTagMutabilityExclusionFilters"] = each(written)(update.desired.get(_FILTERS) or [])
    update.call("PutImageTagMutability", request)


REPOSITORY = ResourceType(
    name="AWS::ECR::Repository",
    service="ecr",
    gone=_GONE,
    calls=(
        Call("DescribeRepositories", {"repositoryNames": ["{id}"]}, at="repositories.0"),
        Call(
            "GetLifecyclePolicy",
            {"repositoryName": "{id}"},
            at="lifecyclePolicyText",
            into="lifecycle",
            absent=("LifecyclePolicyNotFoundException",),
            gone=False,
        ),
        Call(
            "ListTagsForResource",
            {"resourceArn": "{repositoryArn}"},
            at="tags",
            into="tags",
            lacking=[],
            absent=_GONE,
        ),
    ),
    camel=("RepositoryName", "ImageTagMutability"),
    fields={
        _FILTERS: From(
            "main.imageTagMutabilityExclusionFilters",
            non_empty(
                each(
                    pick(
                        ImageTagMutabilityExclusionFilterType="filterType",
                        ImageTagMutabilityExclusionFilterValue="filter",
                    )
                )
            ),
        ),
        "ImageScanningConfiguration": From(
            "main.imageScanningConfiguration.scanOnPush",
            lambda scan: {"ScanOnPush": scan},
            default={"ScanOnPush": False},
        ),
        "EncryptionConfiguration": From(
            "main.encryptionConfiguration", _encryption, default={"EncryptionType": "AES256"}
        ),
        "LifecyclePolicy": From("lifecycle", non_empty(lambda text: {"LifecyclePolicyText": text})),
        "Tags": From("tags", tag_list),
    },
    compared=TypeFacts(users_own=("RepositoryPolicyText",)),
    writes=(
        Write(
            "PutImageScanningConfiguration",
            {"repositoryName": "{id}"},
            sets={
                "ImageScanningConfiguration": To(
                    "imageScanningConfiguration.scanOnPush", lambda scan: scan.get("ScanOnPush", False)
                )
            },
            unset={"ImageScanningConfiguration": {"ScanOnPush": False}},
        ),
        By(_set_mutability, ("ImageTagMutability", _FILTERS), (Write("PutImageTagMutability"),)),
        Write(
            "PutLifecyclePolicy",
            {"repositoryName": "{id}"},
            sets={"LifecyclePolicy": To("lifecyclePolicyText", lambda policy: policy["LifecyclePolicyText"])},
        ),
        Write("DeleteLifecyclePolicy", {"repositoryName": "{id}"}, removes=("LifecyclePolicy",)),
        Tags(
            "TagResource",
            "UntagResource",
            {"resourceArn": "{repositoryArn}"},
            pairs_at="tags",
            keys_at="tagKeys",
        ),
    ),
    warns={
        "LifecyclePolicy": Caution(
            "images that the recorded policy expires are deleted within a day",
            lambda desired, live: not emptied(desired, live),
        )
    },
)

TYPES = (REPOSITORY,)
