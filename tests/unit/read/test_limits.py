"""Quotas: a scan stays under them instead of being throttled."""

from __future__ import annotations

import pytest

from driftwarden.read.limits import Limits, quota_for


def test_a_burst_passes_and_the_rest_is_spread_under_the_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("driftwarden.read.limits.time.monotonic", lambda: 100.0)
    monkeypatch.setattr("driftwarden.read.limits.time.sleep", slept.append)
    throttle = Limits()
    for _ in range(20):
        throttle.wait("cloudwatch", "DescribeAlarms", "us-east-1")
    free = 20 - len(slept)
    assert free == 8
    assert slept == sorted(slept)
    assert slept[-1] == pytest.approx((20 - 8.1) / 8.1)


def test_regions_and_quota_groups_do_not_share_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("driftwarden.read.limits.time.monotonic", lambda: 100.0)
    monkeypatch.setattr("driftwarden.read.limits.time.sleep", slept.append)
    throttle = Limits()
    for region in ("us-east-1", "eu-west-1"):
        for _ in range(8):
            throttle.wait("cloudwatch", "DescribeAlarms", region)
    assert slept == []


def test_an_idle_bucket_fills_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    slept: list[float] = []
    monkeypatch.setattr("driftwarden.read.limits.time.monotonic", lambda: now[0])
    monkeypatch.setattr("driftwarden.read.limits.time.sleep", slept.append)
    throttle = Limits()
    for _ in range(8):
        throttle.wait("cloudwatch", "DescribeAlarms", "us-east-1")
    now[0] += 1.0
    for _ in range(8):
        throttle.wait("cloudwatch", "DescribeAlarms", "us-east-1")
    assert slept == []


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (("ssm", "GetParameter"), ("ssm", "GetParameters"), True),
        (("lambda", "GetFunction"), ("lambda", "GetFunctionUrlConfig"), False),
        (("lambda", "GetFunctionConcurrency"), ("lambda", "GetFunctionUrlConfig"), True),
        (("iam", "GetRole"), ("iam", "GetPolicy"), False),
    ],
)
def test_operations_share_a_quota_where_the_service_counts_them_together(
    one: tuple[str, str], other: tuple[str, str], shared: bool
) -> None:
    first, second = quota_for(*one), quota_for(*other)
    assert first and second
    assert (first.group == second.group) is shared


def test_a_service_that_publishes_no_quota_is_not_slowed_down() -> None:
    assert quota_for("sqs", "GetQueueAttributes") is None
