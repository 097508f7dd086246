"""AWS Certificate Manager."""

from __future__ import annotations

from driftwarden.convert import tag_list
from driftwarden.resources.spec import Call, From, ResourceType

CERTIFICATE = ResourceType(
    name="AWS::CertificateManager::Certificate",
    service="acm",
    gone=("ResourceNotFoundException",),
    calls=(
        Call("DescribeCertificate", {"CertificateArn": "{id}"}, at="Certificate"),
        Call(
            "ListTagsForCertificate",
            {"CertificateArn": "{id}"},
            at="Tags",
            into="tags",
            lacking=[],
            absent=("ResourceNotFoundException",),
        ),
    ),
    same=("DomainName", "SubjectAlternativeNames", "KeyAlgorithm", "CertificateAuthorityArn"),
    fields={
        "CertificateTransparencyLoggingPreference": "main.Options.CertificateTransparencyLoggingPreference",
        "CertificateExport": "main.Options.Export",
        "Tags": From("tags", tag_list),
    },
)

TYPES = (CERTIFICATE,)
