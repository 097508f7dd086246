"""Tags: however they are written, whoever wrote them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.compare import Comparison
from driftwarden.model import ABSENT, UNKNOWN, Change, SecretText

Diff = Callable[..., Comparison]


QUEUE = "AWS::SQS::Queue"
TEAM, APP = {"Key": "Team", "Value": "pay"}, {"Key": "App", "Value": "ledger"}


@pytest.mark.parametrize(
    "live",
    [
        [APP, TEAM],
        {"Team": "pay", "App": "ledger"},
        [{"key": "Team", "value": "pay"}, {"key": "App", "value": "ledger"}],
        [{"TagKey": "Team", "TagValue": "pay"}, {"TagKey": "App", "TagValue": "ledger"}],
        [TEAM, APP, {"Key": "aws:cdk:path", "Value": "Shop/Queue"}],
        [TEAM, APP, {"Key": "AmazonECSManaged", "Value": ""}],
    ],
)
def test_another_spelling_order_or_a_tag_of_a_service_is_no_drift(diff: Diff, live: Any) -> None:
    for observed in (None, {"Tags": [TEAM, APP]}):
        assert diff(QUEUE, {"Tags": [TEAM, APP]}, {"Tags": live}, observed=observed).changes == ()


@pytest.mark.parametrize(
    "live",
    [
        [TEAM],
        [TEAM, APP, {"Key": "edited-by", "Value": "console"}],
        [TEAM, {**APP, "Value": "other"}],
        [TEAM, {"Key": "app", "Value": "ledger"}],
        {"Team": "pay", "App": "LEDGER"},
        [],
    ],
)
def test_a_tag_added_removed_or_changed_is_drift(diff: Diff, live: Any) -> None:
    for observed in (None, {"Tags": [TEAM, APP]}):
        assert diff(QUEUE, {"Tags": [TEAM, APP]}, {"Tags": live}, observed=observed).changes


def test_what_else_an_entry_says_is_compared(diff: Diff) -> None:
    kind, tag = "AWS::AutoScaling::AutoScalingGroup", {**TEAM, "PropagateAtLaunch": True}
    assert diff(kind, {"Tags": [tag]}, {"Tags": [{**tag, "PropagateAtLaunch": "true"}]}).changes == ()
    assert diff(kind, {"Tags": [tag]}, {"Tags": [{**tag, "PropagateAtLaunch": False}]}).changes


def test_numbers_and_missing_values_become_texts(diff: Diff) -> None:
    template = [{"Key": "cost", "Value": 1234}, {"Key": "flag"}]
    live = [{"Key": "flag", "Value": ""}, {"Key": "cost", "Value": "1234"}]
    assert diff(QUEUE, {"Tags": template}, {"Tags": live}).changes == ()


def test_tags_in_a_map_are_reported_key_by_key(diff: Diff) -> None:
    before = {"Tags": {"Team": "pay"}}
    after = {"Tags": {"Team": "pay", "edited-by": "console", "aws:x": "y"}}
    found = diff("AWS::SSM::Parameter", before, after, observed=before)
    assert found.changes == (Change(path=("Tags", "edited-by"), state=ABSENT, aws="console"),)


def test_unknown_and_secret_values_compare_like_for_like(diff: Diff) -> None:
    live = {"Tags": [{"Key": "Pin", "Value": "1234"}]}
    assert diff(QUEUE, {"Tags": [{"Key": "Pin", "Value": UNKNOWN}]}, live).changes == ()
    assert diff(QUEUE, {"Tags": [{"Key": "Pin", "Value": SecretText("1234")}]}, live).changes == ()
    (change,) = diff(QUEUE, {"Tags": [{"Key": "Pin", "Value": SecretText("9876")}]}, live).changes
    assert "9876" not in repr(change)


def test_load_balancer_attributes_are_not_tags(diff: Diff) -> None:
    kind = "AWS::ElasticLoadBalancingV2::LoadBalancer"
    template = {"LoadBalancerAttributes": [{"Key": "aws:odd", "Value": "1"}]}
    assert diff(kind, template, {"LoadBalancerAttributes": [{"Key": "aws:odd", "Value": "2"}]}).changes
