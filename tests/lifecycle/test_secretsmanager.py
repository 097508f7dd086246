"""Secrets: what describes them goes back, and never a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.errors import UpdateFailed
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import Life
from tests.lifecycle.requests import a_record, sent

VALUE = "correct-horse-battery"
TAGS = [{"Key": "team", "Value": "shop"}, {"Key": "cost", "Value": "7"}]


class Secret:
    """The secret under test."""

    def __init__(self, life: Life, **members: Any) -> None:
        self.life = life
        self.manager = life.client("secretsmanager")
        made = self.manager.create_secret(
            Name="shop/db", SecretString=VALUE, Tags=TAGS, **{"Description": "the database", **members}
        )
        self.arn = str(made["ARN"])
        template = {"Name": "shop/db", "GenerateSecretString": {"PasswordLength": 30}, "Tags": TAGS}
        life.record("Secret", "AWS::SecretsManager::Secret", self.arn, template)

    def versions(self) -> dict[str, list[str]]:
        listed = self.manager.list_secret_version_ids(SecretId=self.arn)["Versions"]
        return {version["VersionId"]: version["VersionStages"] for version in listed}

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        versions = self.versions()
        sent = self.life.goes_round("Secret", edit, expect=expect)
        assert self.manager.get_secret_value(SecretId=self.arn)["SecretString"] == VALUE
        assert self.versions() == versions
        for _, params in sent:
            assert not {"SecretString", "SecretBinary", "GenerateSecretString"} & params.keys()
        return sent


@pytest.fixture
def secret(life: Life) -> Secret:
    life.settings = ScanSettings(undeclared="drift")
    return Secret(life)


def test_a_changed_description_goes_back_alone(secret: Secret) -> None:
    sent = secret.goes_round(
        lambda: secret.manager.update_secret(SecretId=secret.arn, Description="x"), "Description"
    )
    assert [(name, params["Description"]) for name, params in sent] == [("UpdateSecret", "the database")]
    assert set(sent[0][1]) <= {"SecretId", "Description", "ClientRequestToken"}


def test_another_key_is_changed_back(life: Life) -> None:
    secret = Secret(life, KmsKeyId="alias/shop")
    sent = secret.goes_round(
        lambda: secret.manager.update_secret(SecretId=secret.arn, KmsKeyId="alias/other"), "KmsKeyId"
    )
    assert [(name, params["KmsKeyId"]) for name, params in sent] == [("UpdateSecret", "alias/shop")]


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (
            lambda s: s.manager.tag_resource(SecretId=s.arn, Tags=[{"Key": "x", "Value": "1"}]),
            ["UntagResource"],
        ),
        (
            lambda s: s.manager.tag_resource(SecretId=s.arn, Tags=[{"Key": "team", "Value": "x"}]),
            ["TagResource"],
        ),
        (lambda s: s.manager.untag_resource(SecretId=s.arn, TagKeys=["cost"]), ["TagResource"]),
    ],
    ids=["added", "changed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    secret: Secret, edit: Callable[[Secret], object], written: list[str]
) -> None:
    assert [name for name, _ in secret.goes_round(lambda: edit(secret), "Tags")] == written


ARN = "arn:aws:secretsmanager:us-east-1:123456789012:secret:shop/db-AbCdEf"
RECORD = a_record("AWS::SecretsManager::Secret", ARN)


def described(*regions: str, **members: Any) -> dict[str, Any]:
    replicas = [{"Region": region, "Status": "InSync"} for region in regions]
    return {"DescribeSecret": {"ARN": ARN, "Name": "shop/db", "ReplicationStatus": replicas, **members}}


def test_what_was_set_by_hand_is_taken_away() -> None:
    now = described(Description="by hand", KmsKeyId="alias/x")
    ((operation, params),) = sent(RECORD, now, {"Description": "", "KmsKeyId": ""})
    assert operation == "UpdateSecret"
    assert (params["Description"], params["KmsKeyId"]) == ("", "")


def test_a_replica_is_added_before_another_is_removed() -> None:
    now = described("eu-west-1", "eu-west-2")
    requests = sent(RECORD, now, {"ReplicaRegions": [{"Region": "eu-west-1"}, {"Region": "eu-central-1"}]})
    assert requests == [
        ("ReplicateSecretToRegions", {"SecretId": ARN, "AddReplicaRegions": [{"Region": "eu-central-1"}]}),
        ("RemoveRegionsFromReplication", {"SecretId": ARN, "RemoveReplicaRegions": ["eu-west-2"]}),
    ]


def test_the_deletion_of_a_replica_is_warned_of(life: Life) -> None:
    secret = Secret(life)
    secret.manager.replicate_secret_to_regions(
        SecretId=secret.arn, AddReplicaRegions=[{"Region": "eu-west-1"}]
    )
    life.settings = ScanSettings(undeclared="drift")
    (step,) = life.plan().steps
    assert any("replicas" in text for text in step.warnings)


def test_a_replica_is_not_made_again_for_another_key() -> None:
    now = described("eu-west-1")
    with pytest.raises(UpdateFailed, match="another key"):
        sent(RECORD, now, {"ReplicaRegions": [{"Region": "eu-west-1", "KmsKeyId": "alias/x"}]})
