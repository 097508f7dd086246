"""The sample inputs of the state machines are what the functions take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from driftwarden.errors import UnknownPlan

EVENTS = Path(__file__).parents[3] / "events"


def _sample(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def test_a_request_for_a_revert_is_planned(gate: Any) -> None:
    gate.drift()
    request = _sample("revert-request")
    plan = gate.plan(**request)
    assert (plan["outcome"], plan["requestedBy"]) == ("planned", request["requestedBy"])


@pytest.mark.parametrize("name", ["decide-approve", "decide-reject"])
def test_a_decision_is_understood(gate: Any, name: str) -> None:
    given = _sample(name)
    with pytest.raises(UnknownPlan, match=given["planId"]):
        gate.decide(given, given["decision"])
