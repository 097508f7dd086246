"""Secrets Manager secrets."""

from __future__ import annotations

from typing import Any

from driftwarden.model import Gone, Live, Unreadable

ARN = "arn:aws:secretsmanager:eu-central-1:111122223333:secret:app-AbCdEf"
SECRET = "AWS::SecretsManager::Secret"


def test_a_plain_secret(answers: Any, read: Any) -> None:
    answers["secretsmanager:DescribeSecret"] = {"Name": "app"}
    assert read(SECRET, ARN) == Live(
        {"Name": "app", "Description": "", "KmsKeyId": "", "ReplicaRegions": [], "Tags": []}
    )


def test_replicas_keep_their_region_and_key_alone(answers: Any, read: Any) -> None:
    answers["secretsmanager:DescribeSecret"] = {
        "Name": "app",
        "ReplicationStatus": [
            {"Region": "eu-west-1", "KmsKeyId": "alias/a", "Status": "InSync"},
            {"Region": "eu-west-2", "KmsKeyId": "", "Status": "InSync"},
        ],
    }
    result = read(SECRET, ARN)
    assert isinstance(result, Live)
    assert result.properties["ReplicaRegions"] == [
        {"Region": "eu-west-1", "KmsKeyId": "alias/a"},
        {"Region": "eu-west-2"},
    ]


def test_the_value_of_a_secret_is_never_asked_for(answers: Any, read: Any) -> None:
    answers["secretsmanager:DescribeSecret"] = {"Name": "app"}
    read(SECRET, ARN)
    assert [name for name, _ in answers.calls] == ["secretsmanager:DescribeSecret"]


def test_a_missing_secret_is_gone(answers: Any, read: Any) -> None:
    answers.fails("secretsmanager:DescribeSecret", "ResourceNotFoundException")
    assert read(SECRET, ARN) == Gone()


def test_a_denied_secret_names_the_missing_permission(answers: Any, read: Any) -> None:
    answers.fails("secretsmanager:DescribeSecret", "AccessDeniedException")
    result = read(SECRET, ARN)
    assert isinstance(result, Unreadable)
    assert result.action == "secretsmanager:DescribeSecret"
