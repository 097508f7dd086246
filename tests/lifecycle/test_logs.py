"""Log groups: retention is put or deleted, documents are put or deleted, and tags by their difference."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.gaps import fill

NAME = "/shop/orders"
KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1111"
OTHER_KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/2222"
MASKING = {"Name": "mask", "Version": "2021-06-01", "Statement": []}
FIELDS = {"Fields": ["orderId"]}


class LogGroup:
    """A log group with everything that the emulator does not know, kept here."""

    def __init__(self, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
        self.life = life
        self.logs = life.client("logs")
        self.extra: dict[str, Any] = {}
        self.documents: dict[str, str] = {}
        fill(
            life,
            monkeypatch,
            {
                "AssociateKmsKey": lambda p: self.extra.update(kmsKeyId=p["kmsKeyId"]),
                "DisassociateKmsKey": lambda p: self.extra.pop("kmsKeyId"),
                "PutLogGroupDeletionProtection": lambda p: self.extra.update(
                    deletionProtectionEnabled=p["deletionProtectionEnabled"]
                ),
                "PutBearerTokenAuthentication": lambda p: self.extra.update(
                    bearerTokenAuthenticationEnabled=p["bearerTokenAuthenticationEnabled"]
                ),
                "PutDataProtectionPolicy": lambda p: self.documents.update(protection=p["policyDocument"]),
                "DeleteDataProtectionPolicy": lambda p: self.documents.pop("protection"),
                "GetDataProtectionPolicy": lambda p: self._protection(),
                "PutIndexPolicy": lambda p: self.documents.update(fields=p["policyDocument"]),
                "DeleteIndexPolicy": lambda p: self.documents.pop("fields"),
                "DescribeIndexPolicies": lambda p: {"indexPolicies": self._indexes()},
            },
            amended={"DescribeLogGroups": self._described},
        )
        self.logs.create_log_group(logGroupName=NAME, tags={"team": "shop"})

    def _described(self, params: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        return {"logGroups": [{**group, **self.extra} for group in answer["logGroups"]]}

    def _protection(self) -> dict[str, Any]:
        if "protection" not in self.documents:
            raise ClientError({"Error": {"Code": "ResourceNotFoundException"}}, "GetDataProtectionPolicy")
        return {"policyDocument": self.documents["protection"]}

    def _indexes(self) -> list[dict[str, Any]]:
        text = self.documents.get("fields")
        return [{"policyDocument": text, "source": "LOG_GROUP"}] if text else []

    def recorded(self) -> None:
        self.life.record("Logs", "AWS::Logs::LogGroup", NAME, {"LogGroupName": NAME})

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Logs", edit, expect=expect)


@pytest.fixture
def group(life: Life, monkeypatch: pytest.MonkeyPatch) -> LogGroup:
    life.settings = ScanSettings(undeclared="drift")
    return LogGroup(life, monkeypatch)


def test_a_changed_retention_is_put(group: LogGroup) -> None:
    group.logs.put_retention_policy(logGroupName=NAME, retentionInDays=30)
    group.recorded()
    sent = group.goes_round(
        lambda: group.logs.put_retention_policy(logGroupName=NAME, retentionInDays=14), "RetentionInDays"
    )
    assert sent == [("PutRetentionPolicy", {"logGroupName": NAME, "retentionInDays": 30})]


def test_never_expiring_is_no_number_of_days(group: LogGroup) -> None:
    group.recorded()
    sent = group.goes_round(
        lambda: group.logs.put_retention_policy(logGroupName=NAME, retentionInDays=14), "RetentionInDays"
    )
    assert sent == [("DeleteRetentionPolicy", {"logGroupName": NAME})]


@pytest.mark.parametrize(
    ("recorded", "now", "warned"), [(30, 365, True), (30, None, True), (365, 30, False), (None, 30, False)]
)
def test_a_shorter_retention_is_warned_of(
    group: LogGroup, recorded: int | None, now: int | None, warned: bool
) -> None:
    if recorded:
        group.logs.put_retention_policy(logGroupName=NAME, retentionInDays=recorded)
    group.recorded()
    if now:
        group.logs.put_retention_policy(logGroupName=NAME, retentionInDays=now)
    else:
        group.logs.delete_retention_policy(logGroupName=NAME)
    (step,) = group.life.plan().steps
    assert any("deleted" in text for text in step.warnings) is warned


def test_a_key_is_changed_back_and_taken_away(group: LogGroup) -> None:
    group.extra["kmsKeyId"] = KEY
    group.recorded()
    sent = group.goes_round(lambda: group.extra.update(kmsKeyId=OTHER_KEY), "KmsKeyId")
    assert sent == [("AssociateKmsKey", {"logGroupName": NAME, "kmsKeyId": KEY})]
    del group.extra["kmsKeyId"]
    group.recorded()
    sent = group.goes_round(lambda: group.extra.update(kmsKeyId=KEY), "KmsKeyId")
    assert sent == [("DisassociateKmsKey", {"logGroupName": NAME})]


@pytest.mark.parametrize(
    ("member", "operation"),
    [
        ("DeletionProtectionEnabled", "PutLogGroupDeletionProtection"),
        ("BearerTokenAuthenticationEnabled", "PutBearerTokenAuthentication"),
    ],
)
@pytest.mark.parametrize("recorded", [True, False])
def test_a_switch_goes_back(group: LogGroup, member: str, operation: str, recorded: bool) -> None:
    name = member[0].lower() + member[1:]
    group.extra[name] = recorded
    group.recorded()
    sent = group.goes_round(lambda: group.extra.update({name: not recorded}), member)
    assert sent == [(operation, {"logGroupIdentifier": NAME, name: recorded})]


@pytest.mark.parametrize(
    ("kept", "document", "put", "delete", "expect"),
    [
        (
            "protection",
            MASKING,
            "PutDataProtectionPolicy",
            "DeleteDataProtectionPolicy",
            "DataProtectionPolicy",
        ),
        ("fields", FIELDS, "PutIndexPolicy", "DeleteIndexPolicy", "FieldIndexPolicies"),
    ],
)
def test_a_document_that_was_set_by_hand_is_deleted_and_one_that_was_lost_is_put(
    group: LogGroup, kept: str, document: dict[str, Any], put: str, delete: str, expect: str
) -> None:
    group.recorded()
    sent = group.goes_round(lambda: group.documents.update({kept: json.dumps(document)}), expect)
    assert sent == [(delete, {"logGroupIdentifier": NAME})]
    group.documents[kept] = json.dumps(document)
    group.recorded()
    ((operation, params),) = group.goes_round(lambda: group.documents.pop(kept), expect)
    assert (operation, json.loads(params["policyDocument"])) == (put, document)


def test_of_tags_only_the_difference_is_sent(group: LogGroup) -> None:
    arn = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{NAME}"
    group.logs.tag_resource(resourceArn=arn, tags={"cost": "7"})
    group.recorded()

    def edit() -> None:
        group.logs.tag_resource(resourceArn=arn, tags={"team": "other", "extra": "1"})
        group.logs.untag_resource(resourceArn=arn, tagKeys=["cost"])

    sent = group.goes_round(edit, "Tags")
    assert sent == [
        ("UntagResource", {"resourceArn": arn, "tagKeys": ["extra"]}),
        ("TagResource", {"resourceArn": arn, "tags": {"cost": "7", "team": "shop"}}),
    ]


def test_another_class_is_no_update(group: LogGroup) -> None:
    group.extra["logGroupClass"] = "STANDARD"
    group.recorded()
    group.extra["logGroupClass"] = "INFREQUENT_ACCESS"
    (refusal,) = group.life.plan().refusals
    assert refusal.kind in (Kind.REFUSED, Kind.UPDATE_NOT_SUPPORTED)
    group.life.forget_calls()
    group.life.revert()
    assert group.life.calls == []
