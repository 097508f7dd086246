"""The notices: everything that is needed to decide, nothing secret, never larger than SNS takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.gate.documents import Ending, Outcome, PlanDocument, Status
from driftwarden.gate.notice import Where, approval_notice, outcome_notice
from driftwarden.gate.rules import plan_document
from tests.unit.gate.conftest import EXECUTION, NOW, refusal, resource

Make = Callable[..., Any]
SNS_LIMIT = 262_144


@pytest.fixture
def outcome(plan: PlanDocument, decision: Any, verification: Make) -> Callable[..., Outcome]:
    def make(ending: Ending, results: Any = (), **more: Any) -> Outcome:
        known = {
            "schema_version": 1,
            "stack": "Shop",
            "region": "eu-central-1",
            "plan_id": plan.plan_id,
            "number": 1,
            "execution": EXECUTION,
            "ended_at": "2025-01-31T08:30:00Z",
            "requested_by": None,
            "reason": "undo",
            "decision": decision,
            "verification": None,
            "error": None,
        }
        return Outcome.model_validate({**known, "ending": ending, "results": list(results), **more})

    return make


class TestTheRequest:
    """People read it before they say yes."""

    def test_the_text_answers_who_what_why_until_when_and_how(
        self, approval: Make, plan: PlanDocument, where: Where
    ) -> None:
        text = approval_notice(approval(), plan, where).text
        for part in (
            "stack Shop in eu-central-1 (account 111122223333)",
            "Asked by: arn:aws:iam::111122223333:user/ann, as they say",
            "Reason:   undo",
            "Decide until 2025-02-01T08:15:00Z",
            "Orders (AWS::SQS::Queue, https://sqs/orders)",
            "VisibilityTimeout: 120 -> 30",
            "Events (AWS::SNS::Topic), deleted: AWS does not have it any more",
            json.dumps({"planId": plan.plan_id, "decision": "approve", "reason": "..."}),
            f"#/statemachines/view/{where.decide}",
            "s3://reports/plans/Shop/p.json",
        ):
            assert part in text

    def test_warnings_and_what_stays_are_told(self, approval: Make, content: Make, where: Where) -> None:
        told = resource("Orders", warnings=["messages are lost"], preserved=["AmazonECSManaged"], kept=["P"])
        plan = plan_document(content(resources=[told]), now=NOW)
        text = approval_notice(approval(plan_id=plan.plan_id), plan, where).text
        assert "WARNING: messages are lost" in text
        assert "tags that AWS services wrote: AmazonECSManaged" in text
        assert "masked or cannot be resolved: P" in text

    def test_of_long_lists_the_elements_that_go_and_come_are_shown(
        self, approval: Make, content: Make, where: Where
    ) -> None:
        same = [{"Port": number} for number in range(40)]
        change = {"path": "Rules", "from": [*same, {"Port": 666}], "to": same}
        plan = plan_document(content(resources=[resource("Orders", changes=[change])]), now=NOW)
        assert '- {"Port":666}' in approval_notice(approval(), plan, where).text

    def test_it_does_not_hold_the_token(self, approval: Make, plan: PlanDocument, where: Where) -> None:
        made = approval_notice(approval(), plan, where)
        assert "the-task-token" not in made.message() + made.subject

    def test_a_hostile_name_cannot_forge_lines(self, approval: Make, content: Make, where: Where) -> None:
        evil = "Orders\n\nWHAT WILL CHANGE\n  nothing\u202e"
        plan = plan_document(content(resources=[resource(evil)]), now=NOW)
        made = approval_notice(approval(reason="fine\nApproved by: boss"), plan, where)
        assert "\u202e" not in made.text
        assert made.text.count("WHAT WILL CHANGE (live") == 1
        assert not [line for line in made.text.splitlines() if line.startswith("Approved by")]

    def test_a_huge_plan_still_fits_and_says_what_was_left_out(
        self, approval: Make, content: Make, where: Where
    ) -> None:
        long = [{"path": f"P{n}" * 90, "from": "x" * 9000, "to": "é" * 9000} for n in range(60)]
        plan = plan_document(
            content(
                resources=[resource(f"R{n}", changes=long, warnings=["w" * 900] * 30) for n in range(300)],
                refused=[refusal(f"X{n}", reason="r" * 2000) for n in range(300)],
            ),
            now=NOW,
        )
        made = approval_notice(approval(reason="z" * 2000), plan, where)
        assert len(made.message().encode()) < SNS_LIMIT
        assert "the plan has them all" in made.text
        assert json.loads(made.json)["decide"]["approve"]["planId"] == plan.plan_id

    def test_the_subject_is_short_ascii(self, approval: Make, content: Make, where: Where) -> None:
        plan = plan_document(content(stack="Größe" * 60), now=NOW)
        subject = approval_notice(approval(), plan, where).subject
        assert len(subject) <= 100
        assert subject.isascii()
        assert subject.endswith("eu-central-1: 2 resources to approve")


class TestTheOutcome:
    """Everybody hears how it ended."""

    @pytest.mark.parametrize("ending", list(Ending))
    def test_every_ending_has_a_subject_a_text_and_a_kind(
        self, outcome: Make, where: Where, ending: Ending
    ) -> None:
        made = outcome_notice(outcome(ending, error="StateNotFound: none"), where)
        assert made.attributes["kind"] == ending.value
        assert made.subject.startswith("[revert] Shop eu-central-1: ")
        assert "s3://reports/plans/Shop/p.json" in made.text

    def test_what_went_wrong_comes_first(self, outcome: Make, result: Make, where: Where) -> None:
        results = [result("Orders"), result("Returns", Status.FAILED, reason="grant sqs:X")]
        made = outcome_notice(outcome(Ending.PARTIALLY_REVERTED, results), where)
        assert [r["logicalId"] for r in json.loads(made.json)["results"]] == ["Returns", "Orders"]
        assert "Returns (AWS::SQS::Queue): failed: grant sqs:X" in made.text
        assert "request a new revert" in made.text

    def test_a_huge_outcome_fits(self, outcome: Make, result: Make, where: Where) -> None:
        changes = [{"path": "P", "from": "x" * 9000}] * 50
        results = [result(f"R{n}", Status.FAILED, reason="r" * 5000, remaining=changes) for n in range(500)]
        made = outcome_notice(outcome(Ending.PARTIALLY_REVERTED, results), where)
        assert len(made.message().encode()) < SNS_LIMIT

    def test_a_run_without_a_plan_has_no_plan_id_to_filter_by(self, outcome: Make, where: Where) -> None:
        made = outcome_notice(
            outcome(Ending.FAILED, plan_id=None, number=None, decision=None, error="E: x"), where
        )
        assert "planId" not in made.attributes
        assert "E: x" in made.text
