"""What may pass the gate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwarden.errors import ApprovalExpired, NotInPlan, PlanMismatch, UsageError
from driftwarden.gate.documents import (
    Approval,
    Decision,
    Ending,
    PlanContent,
    PlanDocument,
    PlannedResource,
    Proof,
    ResourceResult,
    Status,
    Verification,
)
from driftwarden.gate.rules import (
    Answered,
    checked,
    content_of,
    decide,
    ending,
    plan_document,
    unchanged,
    verified,
    what_changed,
)
from driftwarden.model import Change, StackRef, StateOrigin
from driftwarden.remedy.steps import Plan, Step
from tests.unit.gate.conftest import NOW, refusal, resource

Make = Callable[..., Any]
REF = StackRef("Shop", "eu-central-1")


class TestThePlanId:
    """It names the content, and nothing else."""

    def test_time_does_not_count(self, plan: PlanDocument) -> None:
        later = plan_document(plan.plan, now=NOW + timedelta(days=1))
        assert later.plan_id == plan.plan_id

    @pytest.mark.parametrize(
        "change",
        [
            {"account": "999999999999"},
            {"stack": "Shop2"},
            {"region": "eu-west-1"},
            {"state": {"bucket": "state", "key": "k", "etag": '"f"', "versionId": None}},
            {"state": {"bucket": "state", "key": "k", "etag": '"e"', "versionId": "v2"}},
            {"resources": [resource("Orders")]},
            {"resources": [resource("Orders"), resource("Returns", liveDigest="e" * 64)]},
            {"resources": [resource("Orders"), resource("Returns", preserved=["aws:x"])]},
            {"refused": []},
            {"refused": [refusal("Events", reason="another")]},
        ],
    )
    def test_everything_that_is_approved_counts(
        self, plan: PlanDocument, content: Make, change: dict[str, Any]
    ) -> None:
        assert plan_document(content(**change), now=NOW).plan_id != plan.plan_id

    def test_it_survives_storage(self, plan: PlanDocument) -> None:
        stored = PlanDocument.model_validate_json(plan.json_bytes())
        assert checked(stored, plan.plan_id, REF) == plan

    @given(st.recursive(st.none() | st.integers(-(2**53), 2**53) | st.text(), st.lists))
    def test_it_survives_storage_with_any_value(self, value: Any) -> None:
        changes = [{"path": "P", "from": value}]
        content = PlanContent.model_validate(
            {
                "account": "1",
                "stack": "Shop",
                "region": "eu-central-1",
                "state": {"bucket": "b", "key": "k", "etag": "e", "versionId": None},
                "resources": [resource("Orders", changes=changes)],
                "refused": [],
            }
        )
        plan = plan_document(content, now=NOW)
        stored = PlanDocument.model_validate_json(plan.json_bytes())
        assert checked(stored, plan.plan_id, REF)

    def test_content_that_does_not_belong_to_the_id_is_refused(
        self, plan: PlanDocument, content: Make
    ) -> None:
        forged = plan.model_copy(update={"plan": content(resources=[resource("Secrets")])})
        with pytest.raises(PlanMismatch, match="content"):
            checked(forged, plan.plan_id, REF)

    def test_a_plan_of_another_stack_is_refused(self, plan: PlanDocument) -> None:
        with pytest.raises(PlanMismatch, match="is for stack Shop"):
            checked(plan, plan.plan_id, replace(REF, name="Other"))

    def test_marks_of_masked_values_do_not_count_for_they_differ_from_run_to_run(self) -> None:
        def planned(mark: str) -> PlanContent:
            change = Change(path=("Password",), state="{{resolve:x}}", aws=f"*** (#{mark})")
            step = Step(
                logical_id="Db",
                resource_type="AWS::RDS::DBInstance",
                physical_id="db",
                properties=("Password",),
                changes=(change,),
            )
            origin = StateOrigin(bucket="b", key="k", etag="e")
            return content_of(Plan(account="1", ref=REF, origin=origin, steps=(step,), refusals=()))

        first, second = planned("1f3a"), planned("77aa")
        assert first == second
        assert first.resources[0].changes[0].from_ == "***"


class TestADecision:
    """It names every resource that may be written."""

    def test_an_approval_of_everything_names_everything(
        self, approval: Make, plan: PlanDocument, answered: Make
    ) -> None:
        assert decide(approval(), plan, answered(), now=NOW).resources == ["Orders", "Returns"]

    def test_a_subset_is_sorted_and_named_once(
        self, approval: Make, plan: PlanDocument, answered: Make
    ) -> None:
        named = answered(resources=["Returns", "Returns"])
        assert decide(approval(), plan, named, now=NOW).resources == ["Returns"]

    def test_what_the_plan_refuses_cannot_be_approved(
        self, approval: Make, plan: PlanDocument, answered: Make
    ) -> None:
        with pytest.raises(NotInPlan, match="refuses to push back: Events"):
            decide(approval(), plan, answered(resources=["Events"]), now=NOW)

    def test_one_unknown_resource_spoils_the_decision(
        self, approval: Make, plan: PlanDocument, answered: Make
    ) -> None:
        with pytest.raises(NotInPlan, match="Invoices"):
            decide(approval(), plan, answered(resources=["Orders", "Invoices"]), now=NOW)

    def test_a_rejection_names_nothing(self, approval: Make, plan: PlanDocument, answered: Make) -> None:
        assert decide(approval(), plan, answered("reject"), now=NOW).resources == []
        with pytest.raises(UsageError):
            decide(approval(), plan, answered("reject", ["Orders"]), now=NOW)

    def test_the_last_second_counts_and_the_next_does_not(
        self, approval: Make, plan: PlanDocument, answered: Callable[..., Answered]
    ) -> None:
        end = datetime(2025, 2, 1, 8, 15, tzinfo=UTC)
        question: Approval = approval()
        assert decide(question, plan, answered(), now=end - timedelta(seconds=1))
        with pytest.raises(ApprovalExpired):
            decide(question, plan, answered(), now=end)


class TestAnApprovedResource:
    """It is still what was approved, or it is not."""

    @staticmethod
    def planned(**more: Any) -> PlannedResource:
        return PlannedResource.model_validate(resource("Orders", **more))

    def test_the_same_is_unchanged(self) -> None:
        assert unchanged(self.planned(), self.planned())

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"liveDigest": "e" * 64}, "its live values changed"),
            ({"physicalId": "other"}, "its record changed"),
            ({"changes": [{"path": "VisibilityTimeout", "from": 120, "to": 60}]}, "its record changed"),
            ({"warnings": ["messages are lost"]}, "what a revert would do to it changed"),
            ({"leftAlone": ["X"]}, "what a revert would do to it changed"),
        ],
    )
    def test_any_difference_is_named(self, change: dict[str, Any], says: str) -> None:
        assert not unchanged(self.planned(), self.planned(**change))
        assert what_changed(self.planned(), self.planned(**change)) == says


class TestTheEnding:
    """Reverted means: written, and proved."""

    PROVED = Proof.IN_SYNC

    def test_all_written_and_proved(
        self, decision: Decision, result: Callable[..., ResourceResult], verification: Make
    ) -> None:
        results = [result("Orders"), result("Returns")]
        proof = verification(Orders=self.PROVED, Returns=self.PROVED)
        assert ending(decision, results, proof) is Ending.REVERTED

    @pytest.mark.parametrize("status", [s for s in Status if s is not Status.REVERTED])
    def test_one_that_was_not_written(
        self, decision: Decision, result: Make, verification: Make, status: Status
    ) -> None:
        results = [result("Orders"), result("Returns", status)]
        proof = verification(Orders=self.PROVED, Returns=self.PROVED)
        assert ending(decision, results, proof) is Ending.PARTIALLY_REVERTED

    @pytest.mark.parametrize("proof", [Proof.DRIFTED, Proof.UNKNOWN])
    def test_one_that_was_not_proved(
        self, decision: Decision, result: Make, verification: Make, proof: Proof
    ) -> None:
        results = [result("Orders"), result("Returns")]
        looked: Verification = verification(Orders=self.PROVED, Returns=proof)
        assert ending(decision, results, looked) is Ending.PARTIALLY_REVERTED

    def test_one_without_a_result_and_none_looked_at(self, decision: Decision, result: Make) -> None:
        assert ending(decision, [result("Orders")], None) is Ending.PARTIALLY_REVERTED

    def test_the_proof_is_a_new_plan(self, content: Make) -> None:
        now = content(
            resources=[resource("Orders")], refused=[refusal("Returns", kind="notCompared", reason="denied")]
        )
        proofs = {one.logical_id: one.proof for one in verified(["Orders", "Returns", "Quiet"], now)}
        assert proofs == {"Orders": Proof.DRIFTED, "Returns": Proof.UNKNOWN, "Quiet": Proof.IN_SYNC}
