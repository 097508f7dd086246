"""CloudFormation's own resources."""

from __future__ import annotations

from typing import Any

from driftwarden.model import Live


def test_a_wait_condition_handle_is_there_without_asking(answers: Any, read: Any) -> None:
    assert read("AWS::CloudFormation::WaitConditionHandle", "handle") == Live({})
    assert answers.calls == []
