"""Keys: enabled first and disabled last, and nobody is locked out of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, Life
from tests.lifecycle.requests import a_record, sent

TAGS = [{"TagKey": "team", "TagValue": "shop"}, {"TagKey": "cost", "TagValue": "7"}]
POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Sid": "Root",
            "Effect": "Allow",
            "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
            "Action": "kms:*",
            "Resource": "*",
        }
    ],
}


class Key:
    """The key under test."""

    def __init__(self, life: Life, *, rotates: bool = False, enabled: bool = True) -> None:
        self.life = life
        self.kms = life.client("kms")
        made = self.kms.create_key(Description="orders", Policy=json.dumps(POLICY), Tags=TAGS)
        self.id = str(made["KeyMetadata"]["KeyId"])
        if rotates:
            self.kms.enable_key_rotation(KeyId=self.id, RotationPeriodInDays=180)
        if not enabled:
            self.kms.disable_key(KeyId=self.id)
        life.record("Key", "AWS::KMS::Key", self.id, {"Description": "orders", "KeyPolicy": POLICY})

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Key", edit, expect=expect)


@pytest.fixture
def key(life: Life) -> Key:
    life.settings = ScanSettings(undeclared="drift")
    return Key(life)


def test_a_changed_description_goes_back(key: Key) -> None:
    sent = key.goes_round(
        lambda: key.kms.update_key_description(KeyId=key.id, Description="x"), "Description"
    )
    assert sent == [("UpdateKeyDescription", {"KeyId": key.id, "Description": "orders"})]


def test_a_policy_goes_back_with_the_lockout_check_on(key: Key) -> None:
    opened = {**POLICY, "Statement": [{**POLICY["Statement"][0], "Principal": "*"}]}  # type: ignore[dict-item]
    ((operation, params),) = key.goes_round(
        lambda: key.kms.put_key_policy(KeyId=key.id, PolicyName="default", Policy=json.dumps(opened)),
        "KeyPolicy.Statement",
    )
    assert operation == "PutKeyPolicy"
    assert json.loads(params["Policy"]) == POLICY
    assert set(params) == {"KeyId", "PolicyName", "Policy"}


@pytest.mark.parametrize("nothing", [{}, ""])
def test_an_empty_policy_is_never_planned(life: Life, nothing: Any) -> None:
    key = Key(life)
    observed = {**life.read("Key"), "KeyPolicy": nothing}
    life.record("Key", "AWS::KMS::Key", key.id, {"KeyPolicy": nothing}, observedProperties=observed)
    life.settings = ScanSettings(undeclared="drift")
    life.forget_calls()
    life.revert()
    assert life.calls == []
    assert [refusal.kind for refusal in life.plan().refusals] == [Kind.UPDATE_NOT_SUPPORTED]


def test_rotation_is_switched_off_again(key: Key) -> None:
    ((operation, params),) = key.goes_round(
        lambda: key.kms.enable_key_rotation(KeyId=key.id), "EnableKeyRotation"
    )
    assert (operation, params) == ("DisableKeyRotation", {"KeyId": key.id})


def answers(*, spec: str = "SYMMETRIC_DEFAULT", **rotation: Any) -> dict[str, Any]:
    return {
        "DescribeKey": {"KeyMetadata": {"KeyId": "k1", "KeySpec": spec, "Enabled": True}},
        "GetKeyPolicy": {"Policy": json.dumps(POLICY)},
        "GetKeyRotationStatus": rotation,
        "ListResourceTags": {"Tags": []},
    }


RECORD = a_record("AWS::KMS::Key", "k1")


def test_rotation_is_switched_on_again(life: Life) -> None:
    key = Key(life, rotates=True)
    ((operation, _),) = key.goes_round(
        lambda: key.kms.disable_key_rotation(KeyId=key.id), "EnableKeyRotation"
    )
    assert operation == "EnableKeyRotation"


def test_rotation_is_switched_on_with_its_period() -> None:
    wanted = {"EnableKeyRotation": True, "RotationPeriodInDays": 180}
    requests = sent(RECORD, answers(KeyRotationEnabled=False), wanted)
    assert requests == [("EnableKeyRotation", {"KeyId": "k1", "RotationPeriodInDays": 180})]


def test_a_changed_period_alone_is_sent() -> None:
    now = answers(KeyRotationEnabled=True, RotationPeriodInDays=90)
    requests = sent(RECORD, now, {"RotationPeriodInDays": 180})
    assert requests == [("EnableKeyRotation", {"KeyId": "k1", "RotationPeriodInDays": 180})]


def test_a_period_does_not_switch_rotation_on() -> None:
    assert sent(RECORD, answers(KeyRotationEnabled=False), {"RotationPeriodInDays": 180}) == []


def test_a_disabled_key_is_enabled_before_anything_else(key: Key) -> None:
    def edit() -> None:
        key.kms.update_key_description(KeyId=key.id, Description="x")
        key.kms.disable_key(KeyId=key.id)

    sent = key.goes_round(edit, "Description", "Enabled")
    assert [name for name, _ in sent] == ["EnableKey", "UpdateKeyDescription"]


def test_a_key_is_disabled_after_everything_else_and_that_is_warned_of(life: Life) -> None:
    key = Key(life, enabled=False)

    def edit() -> None:
        key.kms.enable_key(KeyId=key.id)
        key.kms.update_key_description(KeyId=key.id, Description="x")

    sent = key.goes_round(edit, "Description", "Enabled")
    assert [name for name, _ in sent] == ["UpdateKeyDescription", "DisableKey"]
    edit()
    (step,) = life.plan().steps
    assert any("fails while it is disabled" in text for text in step.warnings)


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (
            lambda k: k.kms.tag_resource(KeyId=k.id, Tags=[{"TagKey": "x", "TagValue": "1"}]),
            ["UntagResource"],
        ),
        (
            lambda k: k.kms.tag_resource(KeyId=k.id, Tags=[{"TagKey": "team", "TagValue": "x"}]),
            ["TagResource"],
        ),
        (lambda k: k.kms.untag_resource(KeyId=k.id, TagKeys=["cost"]), ["TagResource"]),
    ],
    ids=["added", "changed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    key: Key, edit: Callable[[Key], object], written: list[str]
) -> None:
    assert [name for name, _ in key.goes_round(lambda: edit(key), "Tags")] == written


def test_what_cannot_change_is_not_sent() -> None:
    assert sent(RECORD, answers(spec="RSA_2048"), {"KeySpec": "RSA_4096"}) == []


def test_an_alias_points_back_to_its_key(life: Life) -> None:
    kms = life.client("kms")
    first, second = (kms.create_key()["KeyMetadata"]["KeyId"] for _ in range(2))
    kms.create_alias(AliasName="alias/shop", TargetKeyId=first)
    life.record("Alias", "AWS::KMS::Alias", "alias/shop", {"AliasName": "alias/shop", "TargetKeyId": first})
    sent = life.goes_round(
        "Alias",
        lambda: kms.update_alias(AliasName="alias/shop", TargetKeyId=second),
        expect=["TargetKeyId"],
    )
    assert sent == [("UpdateAlias", {"AliasName": "alias/shop", "TargetKeyId": first})]
