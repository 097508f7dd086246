"""The gate's functions in the order in which the state machine calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from driftwarden.errors import DriftwardenError, GateError, NotInPlan, PlanMismatch, UsageError

SECRET = "correct-horse/battery+staple"


def test_nothing_drifted_means_nothing_to_revert(gate: Any) -> None:
    assert gate.plan()["outcome"] == "nothingToRevert"


def test_a_plan_is_stored_under_the_digest_of_its_content(gate: Any) -> None:
    gate.drift()
    answer = gate.plan()
    (stored,) = gate.documents("plans")
    assert stored["planId"] == answer["planId"]
    assert [r["logicalId"] for r in stored["plan"]["resources"]] == ["Orders", "Returns"]
    assert stored["plan"]["resources"][0]["changes"] == [{"path": "VisibilityTimeout", "from": 120, "to": 30}]


def test_the_same_situation_gives_the_same_plan(gate: Any) -> None:
    gate.drift()
    assert gate.plan()["planId"] == gate.plan()["planId"]
    assert len(gate.documents("plans")) == 1


def test_another_situation_gives_another_plan(gate: Any) -> None:
    gate.drift()
    first = gate.plan()
    gate.drift(seconds=121)
    assert gate.plan()["planId"] != first["planId"]


@pytest.mark.parametrize("change", [{"stack": "Elsewhere"}, {"region": "eu-west-1"}])
def test_a_stack_that_allows_no_reverts_is_not_even_read(gate: Any, change: dict[str, str]) -> None:
    with pytest.raises(GateError, match="does not allow reverts"):
        gate.plan(**change)
    assert gate.documents("plans") == []


@pytest.mark.parametrize("change", [{"reason": ""}, {"planId": "x"}, {"stack": 7}, {"region": "moon"}])
def test_a_request_that_is_none_says_what_is_wrong_with_it(gate: Any, change: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=rf"not a request for a revert: {next(iter(change))}"):
        gate.plan(**change)


def test_an_approval_of_everything_reverts_proves_and_tells(gate: Any) -> None:
    gate.drift()
    plan = gate.approved()
    assert gate.execute(plan) == {"results": {"reverted": 2}}
    assert (gate.live("Orders"), gate.live("Returns")) == (30, 30)
    assert gate.verify(plan) == {"inSync": 2}
    assert gate.tell(plan)["ending"] == "reverted"
    (notice,) = gate.world.alerts()
    assert notice["Subject"] == "[revert] Shop us-east-1: reverted"


def test_an_approval_of_one_resource_touches_no_other(gate: Any) -> None:
    gate.drift()
    plan = gate.approved("Orders")
    gate.execute(plan)
    assert gate.calls.writes == ["SetQueueAttributes orders"]
    assert (gate.live("Orders"), gate.live("Returns")) == (30, 120)


def test_the_notice_holds_what_is_needed_to_decide_and_no_token(gate: Any) -> None:
    gate.drift()
    plan = gate.plan()
    gate.ask(plan, token="very-secret-token")
    (notice,) = gate.world.alerts()
    told = json.loads(notice["Message"])
    assert told["decide"]["approveSome"] == {
        "planId": plan["planId"],
        "decision": "approve",
        "reason": "...",
        "resources": ["Orders"],
    }
    assert told["expiresAt"] == "2999-01-01T01:00:00Z"
    assert notice["MessageAttributes"]["kind"]["Value"] == "approvalWanted"
    assert "very-secret-token" not in json.dumps(notice) + gate.world.printed() + gate.world.log()


def test_an_execution_with_a_name_of_its_own_cannot_ask(gate: Any) -> None:
    gate.drift()
    plan = gate.plan()
    with pytest.raises(PlanMismatch, match="Start the state machine with stack, region and reason"):
        gate.ask(plan, name="my-own")
    assert gate.documents("approvals") == []


def test_a_plan_that_somebody_changed_is_not_asked_about(gate: Any) -> None:
    gate.drift()
    plan = gate.plan()
    (key,) = [key for key in gate.world.stored() if key.startswith("plans/")]
    stored = gate.world.report(key)
    stored["plan"]["resources"][0]["physicalId"] = "https://elsewhere"
    gate.world.s3.put_object(Bucket="reports", Key=key, Body=json.dumps(stored))
    with pytest.raises(PlanMismatch, match="does not have the content that its id was made from"):
        gate.ask(plan)


@pytest.mark.parametrize(
    ("decision", "resources", "error", "says"),
    [
        ("approve", ["Invoices"], NotInPlan, "does not hold: Invoices"),
        ("approve", [], UsageError, "approves nothing"),
        ("reject", ["Orders"], UsageError, "names no resources"),
        ("perhaps", None, UsageError, "not a decision: decision"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_and_a_better_one_still_taken(
    gate: Any, decision: str, resources: Any, error: type[Exception], says: str
) -> None:
    gate.drift()
    plan = gate.plan()
    gate.ask(plan)
    with pytest.raises(error, match=says):
        gate.decide(plan, decision, resources=resources)
    assert (gate.calls.tokens, gate.documents("decisions")) == ([], [])
    gate.decide(plan)
    assert gate.calls.tokens == ["token-1"]


def test_a_rejection_leaves_a_decision_and_wakes_the_execution(gate: Any) -> None:
    gate.drift()
    plan = gate.plan()
    gate.ask(plan)
    gate.decide(plan, "reject")
    (decision,) = gate.documents("decisions")
    assert (decision["decision"], decision["resources"]) == ("reject", [])
    assert gate.tell(plan, "rejected")["ending"] == "rejected"
    assert gate.calls.writes == []


@pytest.mark.parametrize("decided", [False, True])
def test_nothing_is_executed_without_an_approval_on_record(gate: Any, decided: bool) -> None:
    gate.drift()
    plan = gate.plan()
    gate.ask(plan)
    if decided:
        gate.decide(plan, "reject")
    with pytest.raises(GateError, match="nothing is done"):
        gate.execute(plan)
    assert gate.calls.writes == []


def test_a_run_that_failed_before_there_was_a_plan_is_told_too(gate: Any) -> None:
    failure = {"Error": "StateNotFound", "Cause": json.dumps({"errorMessage": "There is no state."})}
    event = {"planId": "0" * 64, "number": 1, "name": "request-1"}
    gate.tell(event, "failed", planId=None, number=None, error=failure)
    (notice,) = gate.world.alerts()
    assert notice["Subject"] == "[revert] Shop us-east-1: the revert failed"
    assert json.loads(notice["Message"])["error"] == "StateNotFound: There is no state."


@pytest.mark.parametrize(
    "start", [{"stack": 7}, {"stack": ""}, {"region": None}, {"planId": "x"}, {"number": 0}, {"reason": []}]
)
def test_a_run_that_failed_for_what_it_was_started_with_is_told_all_the_same(
    gate: Any, start: dict[str, Any]
) -> None:
    event = {"planId": "0" * 64, "number": 1, "name": "request-1"}
    gate.tell(event, "failed", **start, error={"Error": "UsageError", "Cause": "no request"})
    (notice,) = gate.world.alerts()
    assert json.loads(notice["Message"])["error"] == "UsageError: no request"


def test_what_an_ignore_rule_hides_is_left_alone_and_the_rest_is_reverted(gate: Any) -> None:
    rule = '[[ignore]]\nlogical_id = "Orders"\npath = "DelaySeconds"\nreason = "trial"\n'
    gate.world.s3.put_object(Bucket="state", Key="cdkd/_driftwarden/ignore.toml", Body=rule)
    gate.record(DelaySeconds=0)
    gate.drift("Orders")
    attributes = {"DelaySeconds": "9"}
    gate.world.sqs.set_queue_attributes(QueueUrl=gate.queues["Orders"], Attributes=attributes)
    plan = gate.approved()
    assert gate.execute(plan) == {"results": {"reverted": 1}}
    assert gate.verify(plan) == {"inSync": 1}
    live = gate.world.sqs.get_queue_attributes(QueueUrl=gate.queues["Orders"], AttributeNames=["All"])
    assert live["Attributes"]["DelaySeconds"] == "9"
    assert live["Attributes"]["VisibilityTimeout"] == "30"


def test_a_secret_is_written_in_the_clear_and_told_nowhere(gate: Any, leaks: Callable[..., bool]) -> None:
    boto3.client("secretsmanager").create_secret(Name="db", SecretString=json.dumps({"password": SECRET}))
    reference = "{{resolve:secretsmanager:db:SecretString:password}}"
    gate.record(Tags=[{"Key": "login", "Value": reference}])
    for url in gate.queues.values():
        gate.world.sqs.tag_queue(QueueUrl=url, Tags={"login": f"old-{SECRET}"})
    plan = gate.plan()
    gate.ask(plan)
    answer = gate.decide(plan)
    gate.execute(plan)
    gate.verify(plan)
    gate.tell(plan)
    for url in gate.queues.values():
        assert gate.world.sqs.list_queue_tags(QueueUrl=url)["Tags"] == {"login": SECRET}
    told = [json.dumps(gate.world.report(key)) for key in gate.world.stored()]
    everything = "".join((*told, json.dumps(gate.world.alerts()), gate.world.log(), gate.world.printed()))
    assert reference in everything
    assert not leaks(everything + json.dumps(answer), SECRET)


def test_an_error_does_not_give_a_secret_away(gate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from driftwarden.gate.watched import Watched
    from runtime import redactor

    def fails(self: Watched) -> Any:
        redactor.add(SECRET)
        raise ValueError(f"bad password {SECRET}")

    monkeypatch.setattr(Watched, "plan", fails)
    with pytest.raises(DriftwardenError) as raised:
        gate.plan()
    assert SECRET not in str(raised.value) + gate.world.log()
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None
