"""How fast and how wide each service may be read: one table of quotas, one token bucket per quota group.

Staying 10 % under a quota beats being throttled and retrying: nothing is lost and the whole scan ends sooner.
Sources: the services' quota pages (Lambda, API Gateway, IAM, EC2, SSM, CloudWatch, Route 53, CloudFront, Step
Functions, Cloud Control), read requests per second and account.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Final

DEFAULT_CONCURRENCY: Final = 8

CONCURRENCY: Final = {
    "s3": 16,
    "dynamodb": 16,
    "iam": 4,
    "lambda": 4,
    "apigateway": 4,
    "apigatewayv2": 4,
    "cloudcontrol": 4,
}
"""Resources of one service that are read at the same time."""


@dataclass(frozen=True, slots=True)
class Quota:
    """A request quota shared by the operations of `group`: `rate` per second, `burst` at the most."""

    group: str
    rate: float
    burst: float


_BY_OPERATION: Final = {
    ("lambda", "GetFunction"): Quota("GetFunction", 100, 100),
    ("lambda", "GetPolicy"): Quota("GetPolicy", 15, 15),
    ("cloudwatch", "DescribeAlarms"): Quota("DescribeAlarms", 9, 9),
    ("ssm", "GetParameter"): Quota("GetParameter", 40, 40),
    ("ssm", "GetParameters"): Quota("GetParameter", 40, 40),
}

_BY_SERVICE: Final = {
    "lambda": Quota("other reads", 15, 15),
    "apigateway": Quota("all", 10, 40),
    "apigatewayv2": Quota("all", 10, 40),
    "cloudcontrol": Quota("all", 25, 25),
    "route53": Quota("all", 5, 5),
    "cloudfront": Quota("all", 5, 10),
}

_PER_ACTION: Final = {
    "iam": (15.0, 30.0),
    "ec2": (20.0, 100.0),
    "stepfunctions": (20.0, 100.0),
}
"""Services that count every action for itself: (rate, burst)."""

_SAFETY: Final = 0.9


def quota_for(service: str, operation: str) -> Quota | None:
    """The documented quota that binds `operation`, or None where the service publishes none."""
    quota = _BY_OPERATION.get((service, operation)) or _BY_SERVICE.get(service)
    if quota is None and service in _PER_ACTION:
        quota = Quota(operation, *_PER_ACTION[service])
    return quota


class Limits:
    """The token buckets of one scan. Safe to share between threads."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[str, str, str], _Bucket] = {}
        self._lock = threading.Lock()

    def wait(self, service: str, operation: str, region: str) -> None:
        """Block until one more request of `operation` keeps within its quota."""
        quota = quota_for(service, operation)
        if quota is None:
            return
        with self._lock:
            bucket = self._buckets.setdefault(
                (service, quota.group, region), _Bucket(quota.rate * _SAFETY, quota.burst * _SAFETY)
            )
            delay = bucket.reserve(time.monotonic())
        if delay > 0:
            time.sleep(delay)


class _Bucket:
    """A token bucket that may go into debt: a reservation answers how long its owner has to wait."""

    __slots__ = ("_burst", "_rate", "_then", "_tokens")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._then: float | None = None

    def reserve(self, now: float) -> float:
        if self._then is not None:
            self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now
        self._tokens -= 1
        return -self._tokens / self._rate if self._tokens < 0 else 0.0
