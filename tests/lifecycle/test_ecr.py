"""Repositories: each setting by its own request, and filters only where something is excluded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

ARN = f"arn:aws:ecr:us-east-1:{ACCOUNT}:repository/shop"
NAMED = {"repositoryName": "shop"}
TAGS = [{"Key": "Stage", "Value": "prod"}, {"Key": "Team", "Value": "shop"}]


def expiry(days: int) -> str:
    rule = {
        "rulePriority": 1,
        "selection": {
            "tagStatus": "untagged",
            "countType": "sinceImagePushed",
            "countUnit": "days",
            "countNumber": days,
        },
        "action": {"type": "expire"},
    }
    return json.dumps({"rules": [rule]})


class Repository:
    """A recorded repository with a lifecycle policy and tags."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.ecr = life.client("ecr")
        self.ecr.create_repository(**NAMED, tags=TAGS)
        self.ecr.put_lifecycle_policy(**NAMED, lifecyclePolicyText=expiry(30))
        policy = {"LifecyclePolicyText": expiry(30)}
        template = {"RepositoryName": "shop", "LifecyclePolicy": policy, "Tags": TAGS}
        life.record("Images", "AWS::ECR::Repository", "shop", template)


@pytest.fixture
def repository(life: Life) -> Repository:
    return Repository(life)


def test_scanning_goes_back(repository: Repository) -> None:
    def edit() -> None:
        repository.ecr.put_image_scanning_configuration(
            **NAMED, imageScanningConfiguration={"scanOnPush": True}
        )

    calls = repository.life.goes_round("Images", edit, expect=["ImageScanningConfiguration.ScanOnPush"])
    request = {**NAMED, "imageScanningConfiguration": {"scanOnPush": False}}
    assert calls == [("PutImageScanningConfiguration", request)]


def test_mutability_goes_back(repository: Repository) -> None:
    def edit() -> None:
        repository.ecr.put_image_tag_mutability(**NAMED, imageTagMutability="IMMUTABLE")

    calls = repository.life.goes_round("Images", edit, expect=["ImageTagMutability"])
    assert calls == [("PutImageTagMutability", {**NAMED, "imageTagMutability": "MUTABLE"})]


def test_filters_go_along_only_where_something_is_excluded() -> None:
    record = a_record("AWS::ECR::Repository", "shop")
    found = {
        "repositoryArn": ARN,
        "repositoryName": "shop",
        "imageTagMutability": "IMMUTABLE_WITH_EXCLUSION",
        "imageTagMutabilityExclusionFilters": [{"filterType": "WILDCARD", "filter": "dev-*"}],
    }
    answers = {"DescribeRepositories": {"repositories": [found]}}
    ours = [
        {
            "ImageTagMutabilityExclusionFilterType": "WILDCARD",
            "ImageTagMutabilityExclusionFilterValue": "test-*",
        }
    ]
    assert sent(record, answers, {"ImageTagMutabilityExclusionFilters": ours}) == [
        (
            "PutImageTagMutability",
            {
                **NAMED,
                "imageTagMutability": "IMMUTABLE_WITH_EXCLUSION",
                "imageTagMutabilityExclusionFilters": [{"filterType": "WILDCARD", "filter": "test-*"}],
            },
        )
    ]
    assert sent(record, answers, {"ImageTagMutability": "IMMUTABLE"}) == [
        ("PutImageTagMutability", {**NAMED, "imageTagMutability": "IMMUTABLE"})
    ]


def test_a_lifecycle_policy_comes_back_and_the_plan_says_what_it_does(repository: Repository) -> None:
    def edit() -> None:
        repository.ecr.put_lifecycle_policy(**NAMED, lifecyclePolicyText=expiry(365))

    calls = repository.life.goes_round("Images", edit, expect=["LifecyclePolicy.LifecyclePolicyText"])
    assert [operation for operation, _ in calls] == ["PutLifecyclePolicy"]
    repository.ecr.delete_lifecycle_policy(**NAMED)
    (step,) = repository.life.plan().steps
    assert "are deleted within a day" in " ".join(step.warnings)


def test_a_removed_lifecycle_policy_comes_back(repository: Repository) -> None:
    def edit() -> None:
        repository.ecr.delete_lifecycle_policy(**NAMED)

    calls = repository.life.goes_round("Images", edit, expect=["LifecyclePolicy"])
    assert [operation for operation, _ in calls] == ["PutLifecyclePolicy"]


def test_a_lifecycle_policy_that_was_none_is_deleted() -> None:
    record = a_record("AWS::ECR::Repository", "shop")
    answers: dict[str, Any] = {
        "DescribeRepositories": {"repositories": [{"repositoryArn": ARN}]},
        "GetLifecyclePolicy": {"lifecyclePolicyText": expiry(1)},
    }
    assert sent(record, answers, {"LifecyclePolicy": {}}) == [("DeleteLifecyclePolicy", NAMED)]


def test_only_the_difference_of_tags_is_sent(repository: Repository) -> None:
    def edit() -> None:
        tags = [{"Key": "Stage", "Value": "test"}, {"Key": "Owner", "Value": "me"}]
        repository.ecr.tag_resource(resourceArn=ARN, tags=tags)
        repository.ecr.untag_resource(resourceArn=ARN, tagKeys=["Team"])

    calls = repository.life.goes_round("Images", edit, expect=["Tags"])
    assert calls == [
        ("UntagResource", {"resourceArn": ARN, "tagKeys": ["Owner"]}),
        ("TagResource", {"resourceArn": ARN, "tags": TAGS}),
    ]
