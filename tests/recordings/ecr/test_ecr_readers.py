"""ECR repositories."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

NAME = "team/app"
ARN = f"arn:aws:ecr:eu-central-1:111122223333:repository/{NAME}"


@pytest.fixture
def repository(answers: Any) -> Any:
    answers["ecr:DescribeRepositories"] = {"repositories": [{"repositoryName": NAME, "repositoryArn": ARN}]}
    answers.fails("ecr:GetLifecyclePolicy", "LifecyclePolicyNotFoundException")
    answers["ecr:ListTagsForResource"] = {"tags": []}
    return answers


def test_a_plain_repository_has_the_defaults_of_the_service(repository: Any, read: Any) -> None:
    assert read("AWS::ECR::Repository", NAME) == Live(
        {
            "RepositoryName": NAME,
            "ImageScanningConfiguration": {"ScanOnPush": False},
            "EncryptionConfiguration": {"EncryptionType": "AES256"},
            "Tags": [],
        }
    )


def test_a_full_repository_has_cloudformation_names(repository: Any, read: Any) -> None:
    repository["ecr:DescribeRepositories"]["repositories"][0].update(
        imageTagMutability="IMMUTABLE_WITH_EXCLUSION",
        imageTagMutabilityExclusionFilters=[{"filterType": "WILDCARD", "filter": "dev-*"}],
        imageScanningConfiguration={"scanOnPush": True},
        encryptionConfiguration={"encryptionType": "KMS", "kmsKey": "arn:aws:kms:::key/1"},
    )
    repository["ecr:GetLifecyclePolicy"] = {"lifecyclePolicyText": '{"rules": []}'}
    repository["ecr:ListTagsForResource"] = {"tags": [{"Key": "team", "Value": "a"}]}

    assert read("AWS::ECR::Repository", NAME) == Live(
        {
            "RepositoryName": NAME,
            "ImageTagMutability": "IMMUTABLE_WITH_EXCLUSION",
            "ImageTagMutabilityExclusionFilters": [
                {
                    "ImageTagMutabilityExclusionFilterType": "WILDCARD",
                    "ImageTagMutabilityExclusionFilterValue": "dev-*",
                }
            ],
            "ImageScanningConfiguration": {"ScanOnPush": True},
            "EncryptionConfiguration": {"EncryptionType": "KMS", "KmsKey": "arn:aws:kms:::key/1"},
            "LifecyclePolicy": {"LifecyclePolicyText": '{"rules": []}'},
            "Tags": [{"Key": "team", "Value": "a"}],
        }
    )


@pytest.mark.parametrize("kind", ["AES256", "KMS_DSSE"])
def test_only_the_kms_encryption_shows_a_key(repository: Any, read: Any, kind: str) -> None:
    encryption = {"encryptionType": kind, "kmsKey": "unused"}
    repository["ecr:DescribeRepositories"]["repositories"][0]["encryptionConfiguration"] = encryption

    found = read("AWS::ECR::Repository", NAME)

    assert isinstance(found, Live)
    assert found.properties["EncryptionConfiguration"] == {"EncryptionType": kind}


def test_a_missing_repository_is_gone(repository: Any, read: Any) -> None:
    repository.fails("ecr:DescribeRepositories", "RepositoryNotFoundException")

    assert read("AWS::ECR::Repository", NAME) == Gone()


def test_a_repository_that_only_the_policy_call_does_not_find_is_unreadable(
    repository: Any, read: Any
) -> None:
    repository.fails("ecr:GetLifecyclePolicy", "RepositoryNotFoundException")

    assert isinstance(read("AWS::ECR::Repository", NAME), Unreadable)


@pytest.mark.parametrize("operation", ["GetLifecyclePolicy", "ListTagsForResource"])
def test_a_denied_sub_call_is_unreadable_and_names_the_action(
    repository: Any, read: Any, operation: str
) -> None:
    repository.fails(f"ecr:{operation}", "AccessDeniedException", status=403)

    found = read("AWS::ECR::Repository", NAME)

    assert isinstance(found, Unreadable)
    assert found.action == f"ecr:{operation}"
