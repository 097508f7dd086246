"""Data Lifecycle Manager policies."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

POLICY = "AWS::DLM::LifecyclePolicy"


def test_a_policy_is_read_without_its_details(answers: Any, read: Any) -> None:
    answers["dlm:GetLifecyclePolicy"] = {
        "Policy": {"Description": "daily", "State": "ENABLED", "PolicyDetails": {}, "Tags": {"team": "web"}}
    }
    assert read(POLICY, "policy-1") == Live(
        {"Description": "daily", "State": "ENABLED", "Tags": [{"Key": "team", "Value": "web"}]}
    )


def test_a_deleted_policy_is_gone(answers: Any, read: Any) -> None:
    answers.fails("dlm:GetLifecyclePolicy", "ResourceNotFoundException", status=404)

    assert read(POLICY, "policy-1") == Gone()


@pytest.mark.parametrize("code", ["AccessDeniedException", "LimitExceededException"])
def test_a_policy_that_was_not_read_is_not_gone(answers: Any, read: Any, code: str) -> None:
    answers.fails("dlm:GetLifecyclePolicy", code)

    found = read(POLICY, "policy-1")
    assert isinstance(found, Unreadable)
    assert found.code == code
