"""The sample events are what the scanner takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtime import Environment
from scan_stack.event import parse_event

EVENTS = Path(__file__).parents[2] / "events"
ENVIRONMENT = Environment.load(
    {"REPORTS_BUCKET": "reports", "ALERTS_TOPIC_ARN": "arn:aws:sns:us-east-1:111122223333:alerts"}
)


@pytest.mark.parametrize("path", sorted(EVENTS.glob("scan-*.json")), ids=lambda path: path.stem)
def test_a_sample_event_is_accepted(path: Path) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    event = parse_event(raw, ENVIRONMENT)
    assert event.model_dump(by_alias=True, exclude_unset=True) | raw == event.model_dump(
        by_alias=True, exclude_unset=True
    )


def test_undeclared_values_count_as_drift_unless_the_event_says_otherwise() -> None:
    assert parse_event({"stack": "Shop", "region": "us-east-1"}, ENVIRONMENT).undeclared == "drift"


def test_what_is_deployed_fills_in_what_the_event_leaves_out() -> None:
    fixed = ENVIRONMENT.model_copy(update={"state_bucket": "state", "state_prefix": "cdkd"})
    event = parse_event({"stack": "Shop", "region": "us-east-1", "stateBucket": "state"}, fixed)
    assert (event.state_bucket, event.state_prefix, event.role_arn) == ("state", "cdkd", None)
