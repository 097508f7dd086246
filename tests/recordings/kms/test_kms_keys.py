"""KMS keys and aliases."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

ID = "1234abcd-12ab-34cd-56ef-1234567890ab"
KEY = "AWS::KMS::Key"
ALIAS = "AWS::KMS::Alias"


@pytest.fixture
def key(answers: Any) -> Any:
    answers["kms:DescribeKey"] = {
        "KeyMetadata": {"KeyId": ID, "Enabled": True, "KeySpec": "SYMMETRIC_DEFAULT"}
    }
    answers["kms:GetKeyPolicy"] = {"Policy": '{"Statement": []}'}
    answers["kms:GetKeyRotationStatus"] = {"KeyRotationEnabled": True, "RotationPeriodInDays": 90}
    answers["kms:ListResourceTags"] = {"Tags": [{"TagKey": "team", "TagValue": "web"}]}
    return answers


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_a_key_of_all_its_answers(key: Any, read: Any) -> None:
    assert properties(read(KEY, ID)) == {
        "Description": "",
        "Enabled": True,
        "KeySpec": "SYMMETRIC_DEFAULT",
        "KeyPolicy": {"Statement": []},
        "EnableKeyRotation": True,
        "RotationPeriodInDays": 90,
        "Tags": [{"Key": "team", "Value": "web"}],
    }


def test_an_asymmetric_key_is_not_asked_whether_it_rotates(key: Any, read: Any) -> None:
    key["kms:DescribeKey"]["KeyMetadata"]["KeySpec"] = "RSA_2048"
    assert "EnableKeyRotation" not in properties(read(KEY, ID))
    assert key.asked("kms:GetKeyRotationStatus") == []


def test_a_key_that_cannot_rotate_has_no_rotation(key: Any, read: Any) -> None:
    key.fails("kms:GetKeyRotationStatus", "UnsupportedOperationException")
    assert "EnableKeyRotation" not in properties(read(KEY, ID))


def test_tags_are_read_to_the_last_page(key: Any, read: Any) -> None:
    key["kms:ListResourceTags"] = [
        {"Tags": [{"TagKey": "b", "TagValue": "1"}], "Truncated": True, "NextMarker": "more"},
        {"Tags": [{"TagKey": "a", "TagValue": "2"}], "Truncated": False},
    ]
    assert properties(read(KEY, ID))["Tags"] == [{"Key": "a", "Value": "2"}, {"Key": "b", "Value": "1"}]


@pytest.mark.parametrize(
    "operation", ["DescribeKey", "GetKeyPolicy", "GetKeyRotationStatus", "ListResourceTags"]
)
def test_a_key_that_any_call_does_not_find_is_gone(key: Any, read: Any, operation: str) -> None:
    key.fails(f"kms:{operation}", "NotFoundException")
    assert read(KEY, ID) == Gone()


@pytest.mark.parametrize(
    "operation", ["DescribeKey", "GetKeyPolicy", "GetKeyRotationStatus", "ListResourceTags"]
)
@pytest.mark.parametrize("code", ["AccessDeniedException", "ThrottlingException"])
def test_a_call_that_fails_leaves_the_key_unreadable(key: Any, read: Any, operation: str, code: str) -> None:
    key.fails(f"kms:{operation}", code)
    result = read(KEY, ID)
    assert isinstance(result, Unreadable)
    assert result.operation == f"kms:{operation}"
    assert result.action == (f"kms:{operation}" if code == "AccessDeniedException" else "")


def test_an_alias_on_a_later_page_is_found(answers: Any, read: Any) -> None:
    answers["kms:ListAliases"] = [
        {"Aliases": [{"AliasName": "alias/other"}], "Truncated": True, "NextMarker": "more"},
        {"Aliases": [{"AliasName": "alias/app", "TargetKeyId": ID}], "Truncated": False},
    ]
    assert read(ALIAS, "alias/app") == Live({"AliasName": "alias/app", "TargetKeyId": ID})


def test_an_alias_that_is_not_listed_is_gone(answers: Any, read: Any) -> None:
    answers["kms:ListAliases"] = {"Aliases": [], "Truncated": False}
    assert read(ALIAS, "alias/app") == Gone()


def test_an_answer_without_aliases_is_no_deletion(answers: Any, read: Any) -> None:
    answers["kms:ListAliases"] = {}
    assert isinstance(read(ALIAS, "alias/app"), Unreadable)


def test_a_denied_listing_names_the_missing_permission(answers: Any, read: Any) -> None:
    answers.fails("kms:ListAliases", "AccessDeniedException")
    result = read(ALIAS, "alias/app")
    assert isinstance(result, Unreadable)
    assert result.action == "kms:ListAliases"
