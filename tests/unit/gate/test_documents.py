"""The gate's documents: schema version 1, as published."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from driftwarden.gate.documents import (
    DOCUMENTS,
    Approval,
    Decision,
    Ending,
    Outcome,
    PlanDocument,
    Proof,
    ResourceResult,
    Verification,
    schema_text,
)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_the_schema_in_the_package_is_the_one_of_the_models(name: str) -> None:
    kept = files("driftwarden.gate").joinpath("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
    assert kept == schema_text(name), "run: python -m driftwarden.gate.documents"


def test_every_document_is_valid_under_its_schema_and_comes_back_equal(
    plan: PlanDocument,
    approval: Callable[..., Approval],
    decision: Decision,
    result: Callable[..., ResourceResult],
    verification: Callable[..., Verification],
) -> None:
    proved = verification(Orders=Proof.IN_SYNC)
    results = [result("Orders", remaining=[{"path": "P", "from": 1}])]
    outcome = Outcome(
        schema_version=1,
        ending=Ending.PARTIALLY_REVERTED,
        stack="Shop",
        region="eu-central-1",
        plan_id=plan.plan_id,
        number=1,
        execution="arn",
        ended_at="2025-01-31T08:22:00Z",
        requested_by=None,
        reason="undo",
        decision=decision,
        results=results,
        verification=proved,
        error=None,
    )
    made = {
        "plan": plan,
        "approval": approval(),
        "decision": decision,
        "result": results[0],
        "verification": proved,
        "outcome": outcome,
    }
    assert set(made) == set(DOCUMENTS)
    for name, document in made.items():
        stored: dict[str, Any] = json.loads(document.json_bytes())
        jsonschema.validate(stored, json.loads(schema_text(name)))
        assert DOCUMENTS[name].model_validate(stored) == document


def test_a_side_that_holds_nothing_is_left_out(result: Callable[..., ResourceResult]) -> None:
    made = result("Orders", remaining=[{"path": "P", "to": None}])
    assert json.loads(made.json_bytes())["remaining"] == [{"path": "P", "to": None}]


def test_unknown_members_are_refused(plan: PlanDocument) -> None:
    with pytest.raises(ValidationError):
        PlanDocument.model_validate({**plan.plain(), "approved": True})
