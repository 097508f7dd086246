"""Amazon CloudWatch Logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftwarden.convert import json_document, non_empty, tag_list, tag_map
from driftwarden.model import ABSENT
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, To, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_NOT_CONFIGURED = ("ResourceNotFoundException", "InvalidParameterException", "InvalidOperationException")
"""Only the log class STANDARD knows data protection and indexes; others refuse the call as invalid."""


def _arn_without_streams(reading: Reading) -> Any:
    """The tagging operations take the log group's ARN without the `:*` that stands for all its streams."""
    return reading.get("main.arn", "").removesuffix(":*") or reading.get("main.logGroupArn")


def _own_documents(policies: list[dict[str, Any]]) -> list[Any]:
    return [
        json_document(policy["policyDocument"])
        for policy in policies
        if policy.get("policyDocument") and policy.get("source") != "ACCOUNT"
    ]


def _only_document(documents: list[Any]) -> str:
    """A log group has one index policy of its own."""
    return str(json_document.write(documents[0]))


def _set_retention(update: Update) -> None:
    """Events that never expire are no number of days, but no retention policy."""
    group = {"logGroupName": update.id}
    if days := update.desired.get("RetentionInDays"):
        update.call("PutRetentionPolicy", {**group, "retentionInDays": int(days)})
    else:
        update.call("DeleteRetentionPolicy", group)


def _expires_sooner(desired: Any, live: Any) -> bool:
    forever = float("inf")
    kept, now = (forever if days is ABSENT else float(days or forever) for days in (desired, live))
    return kept < now


LOG_GROUP = ResourceType(
    name="AWS::Logs::LogGroup",
    service="logs",
    gone=("ResourceNotFoundException",),
    calls=(
        Call(
            "DescribeLogGroups",
            {"logGroupNamePrefix": "{id}"},
            at="logGroups",
            one=lambda group, reading: group.get("logGroupName") == reading.id,
            pages=True,
        ),
        Call("ListTagsForResource", {"resourceArn": _arn_without_streams}, at="tags", into="tags"),
        Call(
            "GetDataProtectionPolicy",
            {"logGroupIdentifier": "{id}"},
            at="policyDocument",
            into="protection",
            absent=_NOT_CONFIGURED,
        ),
        Call(
            "DescribeIndexPolicies",
            {"logGroupIdentifiers": ["{id}"]},
            at="indexPolicies",
            into="indexes",
            pages=("nextToken", "nextToken"),
            absent=_NOT_CONFIGURED,
        ),
    ),
    camel=(
        "LogGroupName",
        "KmsKeyId",
        "RetentionInDays",
        "LogGroupClass",
        "DeletionProtectionEnabled",
        "BearerTokenAuthenticationEnabled",
    ),
    fields={
        "Tags": From("tags", tag_list, default=[]),
        "DataProtectionPolicy": From("protection", non_empty(json_document), default=""),
        "FieldIndexPolicies": From("indexes", _own_documents, default=[]),
    },
    placeholders={
        "KmsKeyId": "",
        "RetentionInDays": 0,
        "DeletionProtectionEnabled": False,
        "BearerTokenAuthenticationEnabled": False,
    },
    writes=(
        Write("AssociateKmsKey", {"logGroupName": "{id}"}, camel=("KmsKeyId",)),
        Write("DisassociateKmsKey", {"logGroupName": "{id}"}, removes=("KmsKeyId",)),
        By(
            _set_retention,
            ("RetentionInDays",),
            (Write("PutRetentionPolicy"), Write("DeleteRetentionPolicy")),
        ),
        Write(
            "PutLogGroupDeletionProtection",
            {"logGroupIdentifier": "{id}"},
            camel=("DeletionProtectionEnabled",),
            unset={"DeletionProtectionEnabled": False},
        ),
        Write(
            "PutBearerTokenAuthentication",
            {"logGroupIdentifier": "{id}"},
            camel=("BearerTokenAuthenticationEnabled",),
            unset={"BearerTokenAuthenticationEnabled": False},
        ),
        Write(
            "PutDataProtectionPolicy",
            {"logGroupIdentifier": "{id}"},
            sets={"DataProtectionPolicy": "policyDocument"},
        ),
        Write(
            "DeleteDataProtectionPolicy", {"logGroupIdentifier": "{id}"}, removes=("DataProtectionPolicy",)
        ),
        Write(
            "PutIndexPolicy",
            {"logGroupIdentifier": "{id}"},
            sets={"FieldIndexPolicies": To("policyDocument", _only_document)},
        ),
        Write("DeleteIndexPolicy", {"logGroupIdentifier": "{id}"}, removes=("FieldIndexPolicies",)),
        Tags(
            "TagResource",
            "UntagResource",
            {"resourceArn": _arn_without_streams},
            pairs_at="tags",
            keys_at="tagKeys",
            pairs=tag_map,
        ),
    ),
    refuses={"LogGroupClass": "the class of a log group is chosen when it is made"},
    warns={
        "RetentionInDays": Caution("log events that are older are deleted", _expires_sooner),
        "KmsKeyId": "events that are stored already can be read with the key of now alone",
        "DeletionProtectionEnabled": Caution("the log group can be deleted again", becomes(False)),
        "BearerTokenAuthenticationEnabled": Caution("events can be sent with a bearer token", becomes(True)),
        "DataProtectionPolicy": "what is masked in log events changes",
    },
)

TYPES = (LOG_GROUP,)
