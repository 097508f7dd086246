"""CodeCommit repositories."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

REPOSITORY = "AWS::CodeCommit::Repository"


@pytest.fixture
def repository(answers: Any) -> Any:
    answers["codecommit:GetRepository"] = {
        "repositoryMetadata": {"repositoryName": "shop", "Arn": "arn:repo", "defaultBranch": "main"}
    }
    answers["codecommit:ListTagsForResource"] = {"tags": {"team": "web"}}
    return answers


def test_a_repository(repository: Any, read: Any) -> None:
    assert read(REPOSITORY, "shop") == Live(
        {
            "RepositoryName": "shop",
            "RepositoryDescription": "",
            "KmsKeyId": "",
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )
    assert repository.asked("codecommit:ListTagsForResource") == [{"resourceArn": "arn:repo"}]


@pytest.mark.parametrize("operation", ["GetRepository", "ListTagsForResource"])
def test_a_repository_that_any_call_does_not_find_is_gone(repository: Any, read: Any, operation: str) -> None:
    repository.fails(f"codecommit:{operation}", "RepositoryDoesNotExistException")

    assert read(REPOSITORY, "shop") == Gone()


def test_denied_tags_are_unreadable_and_name_the_permission(repository: Any, read: Any) -> None:
    repository.fails("codecommit:ListTagsForResource", "AccessDeniedException")

    found = read(REPOSITORY, "shop")
    assert isinstance(found, Unreadable)
    assert found.action == "codecommit:ListTagsForResource"
