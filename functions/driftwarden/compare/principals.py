"""Principals that AWS writes as ids, by what the stack's own resources say about them."""

from __future__ import annotations

from collections.abc import Iterator

from driftwarden.compare.context import Context
from driftwarden.model import Record

UNIQUE_ID = {"AWS::IAM::Role": "RoleId", "AWS::IAM::User": "UserId"}
OAI = "AWS::CloudFront::CloudFrontOriginAccessIdentity"
OAI_ARN = "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity "


def principal_aliases(context: Context) -> dict[str, str]:
    """Unique ids of recorded roles and users, and canonical ids of origin access identities, with their
    ARNs.

    IAM shows a principal by its unique id for a moment after creation, and for good once it was deleted:
    only the id of the recorded principal is equal to its ARN (IAM User Guide, "Unique identifiers").
    """
    return {alias: arn for record in context.of_type(*UNIQUE_ID, OAI) for alias, arn in _aliases(record)}


def _aliases(record: Record) -> Iterator[tuple[str, str]]:
    attributes = record.attributes
    if (name := UNIQUE_ID.get(record.resource_type)) is not None:
        unique, arn = attributes.get(name), attributes.get("Arn")
        if isinstance(unique, str) and isinstance(arn, str):
            yield unique, arn
    elif record.resource_type == OAI:
        canonical = attributes.get("S3CanonicalUserId")
        if isinstance(canonical, str):
            yield canonical, OAI_ARN + record.physical_id
