"""Only one scan of a stack runs at a time, and a dead one blocks nobody for long."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from driftwarden.errors import PublishError
from driftwarden.model import StackRef
from driftwarden.report.running import Mine, Theirs, claim, release

REF = StackRef("Shop~Payments", "us-east-1")
KEY = "running/Shop~Payments/us-east-1.json"
NOW = datetime(2025, 1, 31, 8, 15, tzinfo=UTC)
LATER = NOW + timedelta(minutes=15)


def _claim(world: SimpleNamespace, scan_id: str, now: datetime = NOW, ref: StackRef = REF) -> Mine | Theirs:
    return claim(world.bucket, ref, scan_id=scan_id, now=now, expires=now + timedelta(minutes=15))


def _mine(claimed: Mine | Theirs) -> Mine:
    assert isinstance(claimed, Mine)
    return claimed


def _marker(world: SimpleNamespace) -> Any:
    return json.loads(world.s3.get_object(Bucket="reports", Key=KEY)["Body"].read())


def test_the_first_scan_sets_the_marker(world: SimpleNamespace) -> None:
    _mine(_claim(world, "one"))
    assert _marker(world) == {
        "scanId": "one",
        "startedAt": "2025-01-31T08:15:00Z",
        "expiresAt": "2025-01-31T08:30:00Z",
    }


def test_a_second_scan_learns_who_is_running_until_when(world: SimpleNamespace) -> None:
    _claim(world, "one")
    assert _claim(world, "two") == Theirs(scan_id="one", expires="2025-01-31T08:30:00Z")
    assert _marker(world)["scanId"] == "one"


def test_other_stacks_and_regions_are_not_in_the_way(world: SimpleNamespace) -> None:
    _claim(world, "one")
    _mine(_claim(world, "two", ref=StackRef("Shop", "us-east-1")))
    _mine(_claim(world, "three", ref=StackRef("Shop~Payments", "eu-west-1")))


def test_a_finished_scan_makes_room(world: SimpleNamespace) -> None:
    release(world.bucket, REF, _mine(_claim(world, "one")))
    _mine(_claim(world, "two"))


def test_an_expired_marker_is_taken_over(world: SimpleNamespace) -> None:
    _claim(world, "dead")
    _mine(_claim(world, "two", now=LATER))
    assert _marker(world)["scanId"] == "two"


def test_the_same_scan_tried_again_keeps_its_marker(world: SimpleNamespace) -> None:
    _claim(world, "one")
    _mine(_claim(world, "one", now=NOW + timedelta(minutes=1)))
    assert _marker(world)["startedAt"] == "2025-01-31T08:16:00Z"


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b'{"scanId": "x"}', b"\xff"])
def test_a_marker_that_nobody_can_read_blocks_nobody(world: SimpleNamespace, body: bytes) -> None:
    world.s3.put_object(Bucket="reports", Key=KEY, Body=body)
    _mine(_claim(world, "two"))


def test_a_marker_that_somebody_took_over_is_not_taken_away(world: SimpleNamespace) -> None:
    dead = _mine(_claim(world, "dead"))
    _claim(world, "two", now=LATER)
    release(world.bucket, REF, dead)
    assert _marker(world)["scanId"] == "two"


def test_releasing_twice_is_harmless(world: SimpleNamespace) -> None:
    mine = _mine(_claim(world, "one"))
    release(world.bucket, REF, mine)
    release(world.bucket, REF, mine)


def test_of_two_that_take_over_at_once_one_wins(
    world: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _claim(world, "dead")
    client = world.bucket.client
    real = client.put_object

    def slower(**arguments: Any) -> Any:
        if "IfMatch" in arguments:
            monkeypatch.setattr(client, "put_object", real)
            _mine(_claim(world, "faster", now=LATER))
        return real(**arguments)

    monkeypatch.setattr(client, "put_object", slower)
    assert _claim(world, "slower", now=LATER) == Theirs(scan_id="faster", expires="2025-01-31T08:45:00Z")


def test_a_marker_that_goes_away_while_it_is_looked_at_is_set(
    world: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = _mine(_claim(world, "one"))
    client = world.bucket.client
    real = client.get_object

    def gone(**arguments: Any) -> Any:
        release(world.bucket, REF, mine)
        return real(**arguments)

    monkeypatch.setattr(client, "get_object", gone)
    _mine(_claim(world, "two"))


def test_an_endless_conflict_counts_as_somebody_else(
    world: SimpleNamespace, failing: Callable[..., Any]
) -> None:
    failing(world.bucket.client, "put_object", "ConditionalRequestConflict", status=409)
    assert isinstance(_claim(world, "one"), Theirs)


def test_a_refusal_names_the_permissions(world: SimpleNamespace, failing: Callable[..., Any]) -> None:
    failing(world.bucket.client, "put_object", "AccessDenied")
    with pytest.raises(PublishError, match="s3:GetObject, s3:PutObject, s3:DeleteObject"):
        _claim(world, "one")


def test_a_release_that_fails_says_that_scans_will_be_skipped(
    world: SimpleNamespace, failing: Callable[..., Any]
) -> None:
    mine = _mine(_claim(world, "one"))
    failing(world.bucket.client, "delete_object", "AccessDenied")
    with pytest.raises(PublishError, match="skipped until it expires"):
        release(world.bucket, REF, mine)
