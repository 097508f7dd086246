"""The IAM actions of a revert, derived from the declared writes."""

from __future__ import annotations

import pytest
from policy_sentry.querying.all import get_all_actions

from driftwarden.permissions import CLOUD_CONTROL_WRITES, write_actions
from driftwarden.resources.registry import all_types

TYPES = [declared.name for declared in all_types()]


def test_every_action_of_every_type_exists_and_none_is_a_pattern() -> None:
    known = {action.lower() for action in get_all_actions()}
    derived = write_actions(TYPES)
    assert derived
    assert not [action for action in derived if "*" in action or action.lower() not in known]


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("AWS::SQS::Queue", {"sqs:SetQueueAttributes", "sqs:TagQueue", "sqs:UntagQueue"}),
        ("AWS::Unheard::Of", set(CLOUD_CONTROL_WRITES)),
        ("Custom::Thing", set()),
    ],
)
def test_a_type_needs_its_own_writes_and_no_others(name: str, needs: set[str]) -> None:
    assert set(write_actions([name])) == needs
