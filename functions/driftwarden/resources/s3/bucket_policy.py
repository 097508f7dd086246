"""S3 bucket policies, with the two kinds of principal that S3 answers otherwise than it was given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import dig
from driftwarden.convert import json_document
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, ResourceType, To, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_ORIGIN_ACCESS_IDENTITY: Final = re.compile(
    r"arn:aws[a-z-]*:iam::cloudfront:user/CloudFront Origin Access Identity (\w+)"
)
_UNIQUE_ID: Final = re.compile(r"A[A-Z0-9]{15,}")


def _document(reading: Reading) -> Any:
    document = json_document(reading.get("main"))
    statements = document.get("Statement") if isinstance(document, dict) else None
    if isinstance(statements, dict):
        return {**document, "Statement": _repaired(statements, reading)}
    if isinstance(statements, list):
        return {**document, "Statement": [_repaired(s, reading) for s in statements]}
    return document


def _repaired(statement: Mapping[str, Any], reading: Reading) -> Mapping[str, Any]:
    """S3 answers a canonical user that it knows as an ARN, or as a bare id once its owner is gone."""
    principal = dig(statement, "Principal.AWS")
    if not isinstance(principal, str):
        return statement
    identity = _ORIGIN_ACCESS_IDENTITY.fullmatch(principal)
    user: Any = ABSENT
    if identity:
        user = _canonical_user_of(identity.group(1), reading)
    elif _UNIQUE_ID.fullmatch(principal):
        user = _canonical_user_in_template(statement, reading)
    if user is ABSENT:
        return statement
    others = {kind: value for kind, value in statement["Principal"].items() if kind != "AWS"}
    return {**statement, "Principal": {**others, "CanonicalUser": user}}


_CANONICAL_USERS: Final[dict[str, str]] = {}
"""Canonical users by origin access identity. They never change, and CloudFront bears few requests."""


def _canonical_user_of(identity: str, reading: Reading) -> Any:
    for sibling in reading.siblings.values():
        if (
            sibling.resource_type == "AWS::CloudFront::CloudFrontOriginAccessIdentity"
            and sibling.physical_id == identity
            and sibling.attributes.get("S3CanonicalUserId")
        ):
            return sibling.attributes["S3CanonicalUserId"]
    if identity in _CANONICAL_USERS:
        return _CANONICAL_USERS[identity]
    answer = reading.call(
        "GetCloudFrontOriginAccessIdentity",
        {"Id": identity},
        absent=("NoSuchCloudFrontOriginAccessIdentity",),
    )
    user = dig(answer, "CloudFrontOriginAccessIdentity.S3CanonicalUserId")
    if user is not ABSENT:
        _CANONICAL_USERS[identity] = user
    return user


def _canonical_user_in_template(statement: Mapping[str, Any], reading: Reading) -> Any:
    declared = reading.get("props.PolicyDocument.Statement", [])
    users = [
        dig(candidate, "Principal.CanonicalUser")
        for candidate in ([declared] if isinstance(declared, dict) else declared)
        if all(candidate.get(part) == statement.get(part) for part in ("Effect", "Action", "Resource"))
    ]
    known = [user for user in users if user is not ABSENT]
    return known[0] if len(known) == 1 else ABSENT


BUCKET_POLICY = ResourceType(
    name="AWS::S3::BucketPolicy",
    service="s3",
    gone=("NoSuchBucket", "NoSuchBucketPolicy"),
    calls=(Call("GetBucketPolicy", {"Bucket": "{id}"}, at="Policy"),),
    more=(Call("GetCloudFrontOriginAccessIdentity", service="cloudfront"),),
    fields={"Bucket": lambda reading: reading.id, "PolicyDocument": _document},
    writes=(
        Write("PutBucketPolicy", {"Bucket": "{id}"}, sets={"PolicyDocument": To("Policy", json_document)}),
    ),
    warns={"PolicyDocument": "who may use the bucket changes"},
)
