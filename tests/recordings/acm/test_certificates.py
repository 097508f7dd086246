"""Certificate Manager certificates."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

CERTIFICATE = "AWS::CertificateManager::Certificate"
ARN = "arn:aws:acm:eu-central-1:111122223333:certificate/1"


@pytest.fixture
def certificate(answers: Any) -> Any:
    options = {"CertificateTransparencyLoggingPreference": "ENABLED", "Export": "DISABLED"}
    answers["acm:DescribeCertificate"] = {
        "Certificate": {
            "DomainName": "example.com",
            "SubjectAlternativeNames": ["example.com"],
            "KeyAlgorithm": "RSA_2048",
            "Status": "ISSUED",
            "Options": options,
        }
    }
    answers["acm:ListTagsForCertificate"] = {"Tags": [{"Key": "team", "Value": "web"}]}
    return answers


def test_a_certificate(certificate: Any, read: Any) -> None:
    assert read(CERTIFICATE, ARN) == Live(
        {
            "DomainName": "example.com",
            "SubjectAlternativeNames": ["example.com"],
            "KeyAlgorithm": "RSA_2048",
            "CertificateTransparencyLoggingPreference": "ENABLED",
            "CertificateExport": "DISABLED",
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )


def test_a_deleted_certificate_is_gone(certificate: Any, read: Any) -> None:
    certificate.fails("acm:DescribeCertificate", "ResourceNotFoundException")

    assert read(CERTIFICATE, ARN) == Gone()


def test_a_certificate_whose_tags_are_not_found_still_exists(certificate: Any, read: Any) -> None:
    certificate.fails("acm:ListTagsForCertificate", "ResourceNotFoundException")

    assert "Tags" not in read(CERTIFICATE, ARN).properties


def test_denied_tags_are_unreadable_and_name_the_permission(certificate: Any, read: Any) -> None:
    certificate.fails("acm:ListTagsForCertificate", "AccessDeniedException")

    found = read(CERTIFICATE, ARN)
    assert isinstance(found, Unreadable)
    assert found.action == "acm:ListTagsForCertificate"
