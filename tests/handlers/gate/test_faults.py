"""Deliveries that come twice, functions that die anywhere, services that fail: never a write too many."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftwarden.errors import (
    AlreadyDecided,
    ApprovalExpired,
    LockHeld,
    PlanMismatch,
    PublishError,
    StateError,
    UnknownPlan,
)

LONG_AGO = "2020-01-01T00:00:00Z"


class TestAsking:
    """A question is stored before anybody hears of it."""

    def test_the_same_question_twice_is_one(self, gate: Any) -> None:
        gate.drift()
        plan = gate.plan()
        gate.ask(plan)
        gate.ask(plan)
        assert len(gate.documents("approvals")) == 1
        gate.decide(plan)
        assert gate.calls.tokens == ["token-1"]

    def test_when_the_notice_fails_so_does_the_step_and_the_next_try_has_a_token_that_works(
        self, gate: Any
    ) -> None:
        gate.drift()
        plan = gate.plan()
        gate.calls.fail("Publish")
        with pytest.raises(PublishError, match=r"Publish to .* failed"):
            gate.ask(plan)
        gate.calls.recover()
        gate.ask(plan, token="token-2", asked_at="2999-01-01T00:00:01Z")
        gate.decide(plan)
        assert gate.calls.tokens == ["token-2"]

    def test_nobody_is_asked_when_the_token_could_not_be_stored(self, gate: Any) -> None:
        gate.drift()
        plan = gate.plan()
        gate.calls.fail("PutObject", key="approvals/")
        with pytest.raises(PublishError):
            gate.ask(plan)
        assert gate.world.alerts() == []

    def test_a_conflict_of_two_writes_is_tried_again(self, gate: Any) -> None:
        gate.drift()
        plan = gate.plan()
        gate.calls.fail("PutObject", "ConditionalRequestConflict", key="approvals/", times=1)
        gate.ask(plan)
        assert len(gate.documents("approvals")) == 1


class TestDeciding:
    """Of all decisions on a run of a plan, one is taken."""

    @pytest.fixture
    def plan(self, gate: Any) -> dict[str, Any]:
        gate.drift()
        plan: dict[str, Any] = gate.plan()
        gate.ask(plan)
        return plan

    def test_a_second_decision_is_refused_and_the_first_one_stands(
        self, gate: Any, plan: dict[str, Any]
    ) -> None:
        gate.decide(plan, resources=["Orders"])
        with pytest.raises(AlreadyDecided, match=r"approve at .* That decision stands"):
            gate.decide(plan, "reject", by="d-2")
        assert gate.calls.tokens == ["token-1"]
        assert [d["resources"] for d in gate.documents("decisions")] == [["Orders"]]

    def test_of_two_decisions_at_the_same_moment_one_gets_through(
        self, gate: Any, plan: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from driftwarden.gate.archive import Archive

        gate.decide(plan, resources=["Orders"])
        real, blind = Archive.decision, [True]

        def too_early(self: Archive, plan_id: str, number: int) -> Any:
            return None if blind.pop() else real(self, plan_id, number)

        blind[:] = [False, True]
        monkeypatch.setattr(Archive, "decision", too_early)
        with pytest.raises(AlreadyDecided):
            gate.decide(plan, by="d-2")
        assert gate.calls.tokens == ["token-1"]

    def test_a_decision_whose_delivery_failed_is_delivered_by_the_next_try(
        self, gate: Any, plan: dict[str, Any]
    ) -> None:
        gate.calls.fail("SendTaskSuccess")
        with pytest.raises(PublishError, match="The decision is on record"):
            gate.decide(plan, resources=["Orders"])
        gate.calls.recover()
        gate.decide(plan, resources=["Orders"])
        assert gate.calls.tokens == ["token-1"]
        assert len(gate.documents("decisions")) == 1

    def test_a_try_after_the_delivery_changes_nothing(self, gate: Any, plan: dict[str, Any]) -> None:
        first = gate.decide(plan)
        assert gate.decide(plan) == first
        assert gate.calls.tokens == ["token-1"]

    def test_a_request_that_ended_meanwhile_is_expired(self, gate: Any, plan: dict[str, Any]) -> None:
        gate.calls.spent.add("token-1")
        with pytest.raises(ApprovalExpired, match="expired or was stopped"):
            gate.decide(plan)

    def test_after_the_time_nothing_is_recorded(self, gate: Any) -> None:
        gate.drift()
        plan = gate.plan()
        gate.ask(plan, asked_at=LONG_AGO)
        with pytest.raises(ApprovalExpired, match="was over at 2020-01-01T01:00:00Z"):
            gate.decide(plan)
        assert (gate.calls.tokens, gate.documents("decisions")) == ([], [])

    def test_an_unknown_plan_is_none(self, gate: Any) -> None:
        with pytest.raises(UnknownPlan, match="Nothing waits"):
            gate.decide({"planId": "0" * 64})

    def test_the_newest_run_of_a_plan_is_decided_on(self, gate: Any, plan: dict[str, Any]) -> None:
        again = {**plan, "number": 2, "name": f"{plan['planId']}-2"}
        gate.decide(plan, "reject")
        gate.ask(again, token="token-2")
        gate.decide(again)
        assert gate.calls.tokens == ["token-1", "token-2"]


class TestExecuting:
    """Started again, it goes on where it stopped."""

    def test_once_more_writes_nothing(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        first = gate.execute(plan)
        gate.calls.made.clear()
        assert gate.execute(plan) == first
        assert gate.calls.writes == []

    def test_what_drifts_again_after_it_was_reverted_is_not_reverted_again(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.execute(plan)
        gate.drift("Orders")
        gate.execute(plan)
        assert gate.calls.writes == []
        assert gate.live("Orders") == 120

    def test_a_death_after_the_write_and_before_its_record_is_made_good_without_a_second_write(
        self, gate: Any
    ) -> None:
        gate.drift()
        plan = gate.approved("Orders")
        gate.calls.fail("PutObject", key="results/")
        gate.calls.failures[:] = [(_final_result, gate.calls.failures[0][1])]
        with pytest.raises(PublishError):
            gate.execute(plan)
        assert gate.calls.writes == ["SetQueueAttributes orders"]
        gate.calls.recover()
        assert gate.execute(plan) == {"results": {"reverted": 1}}
        assert gate.calls.writes == ["SetQueueAttributes orders"]

    def test_a_death_before_the_write_is_made_good(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved("Orders")
        gate.calls.fail("GetObject", key="cdkd/", times=1)
        with pytest.raises(StateError):
            gate.execute(plan)
        assert gate.execute(plan) == {"results": {"reverted": 1}}
        assert gate.calls.writes == ["SetQueueAttributes orders"]

    def test_what_a_dead_try_left_half_done_is_not_touched_again(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved("Orders")
        gate.execute(plan)
        (key,) = [key for key in gate.world.stored() if key.startswith("results/")]
        started = {**gate.world.report(key), "status": "started"}
        gate.world.s3.put_object(Bucket="reports", Key=key, Body=json.dumps(started))
        gate.drift("Orders", seconds=77)
        assert gate.execute(plan) == {"results": {"failed": 1}}
        assert gate.calls.writes == []
        assert "an earlier try of this execution ended" in gate.documents("results")[0]["reason"]

    def test_a_resource_that_changed_since_is_refused_and_the_others_go_on(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.drift("Orders", seconds=121)
        assert gate.execute(plan) == {"results": {"changedSincePlanned": 1, "reverted": 1}}
        assert gate.calls.writes == ["SetQueueAttributes returns"]
        reasons = {r["logicalId"]: r["reason"] for r in gate.documents("results")}
        assert "its live values changed" in reasons["Orders"]
        gate.verify(plan)
        assert gate.tell(plan)["ending"] == "partiallyReverted"

    def test_a_record_that_changed_since_is_refused(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.record(VisibilityTimeout=45)
        assert gate.execute(plan) == {"results": {"changedSincePlanned": 2}}
        assert gate.calls.writes == []
        assert "its record changed" in gate.documents("results")[0]["reason"]

    def test_what_somebody_reverted_by_hand_needs_no_write(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.drift("Orders", seconds=30)
        assert gate.execute(plan) == {"results": {"reverted": 2}}
        assert gate.calls.writes == ["SetQueueAttributes returns"]

    def test_a_deploy_at_work_is_waited_for(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        lock = {"owner": "deploy", "timestamp": 0, "expiresAt": 32_503_680_000_000, "operation": "deploy"}
        gate.world.s3.put_object(Bucket="state", Key="cdkd/Shop/us-east-1/lock.json", Body=json.dumps(lock))
        with pytest.raises(LockHeld, match="locked by deploy"):
            gate.execute(plan)
        assert gate.calls.writes == []
        gate.world.s3.delete_object(Bucket="state", Key="cdkd/Shop/us-east-1/lock.json")
        assert gate.execute(plan) == {"results": {"reverted": 2}}

    def test_a_plan_that_somebody_changed_is_not_executed(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        (key,) = [key for key in gate.world.stored() if key.startswith("plans/")]
        stored = gate.world.report(key)
        stored["plan"]["resources"][0]["changes"] = []
        gate.world.s3.put_object(Bucket="reports", Key=key, Body=json.dumps(stored))
        with pytest.raises(PlanMismatch):
            gate.execute(plan)
        assert gate.calls.writes == []

    def test_a_write_that_aws_refuses_stays_with_its_resource(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.calls.fail("SetQueueAttributes", "AccessDenied", times=1)
        assert gate.execute(plan) == {"results": {"failed": 1, "reverted": 1}}
        (failed,) = [r for r in gate.documents("results") if r["status"] == "failed"]
        assert "sqs:SetQueueAttributes" in failed["reason"]


class TestTelling:
    """How it ended is on record even when nobody can be told."""

    def test_a_notice_that_fails_leaves_the_outcome_and_fails_the_step(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.execute(plan)
        gate.verify(plan)
        gate.calls.fail("Publish")
        with pytest.raises(PublishError):
            gate.tell(plan)
        (outcome,) = gate.documents("outcomes")
        assert outcome["ending"] == "reverted"
        gate.calls.recover()
        assert gate.tell(plan)["ending"] == "reverted"
        assert len(gate.world.alerts()) == 1

    def test_without_a_proof_nothing_counts_as_reverted(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.execute(plan)
        assert gate.tell(plan)["ending"] == "partiallyReverted"

    def test_what_drifted_again_before_the_proof_does_not_count_as_reverted(self, gate: Any) -> None:
        gate.drift()
        plan = gate.approved()
        gate.execute(plan)
        gate.drift("Orders")
        assert gate.verify(plan) == {"inSync": 1}
        assert gate.tell(plan)["ending"] == "partiallyReverted"

    def test_an_expired_request_is_told(self, gate: Any) -> None:
        gate.drift()
        plan = gate.plan()
        gate.ask(plan)
        gate.world.alerts()
        assert gate.tell(plan, "expired")["ending"] == "expired"
        (notice,) = gate.world.alerts()
        assert notice["Subject"] == "[revert] Shop us-east-1: nobody decided in time, nothing was changed"


def _final_result(operation: str, arguments: dict[str, Any]) -> bool:
    if operation != "PutObject" or not arguments["Key"].startswith("results/"):
        return False
    return bool(json.loads(arguments["Body"])["status"] != "started")
