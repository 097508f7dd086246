"""Reverts on an emulator: what was approved happens, nothing else does, and all of it is on record."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.deployment import Deployment
from tests.e2e.edits import EDITS
from tests.e2e.emulator import REGION, Emulator
from tests.e2e.gate import Operators, Run
from tests.e2e.world import DATABASE_PASSWORD, World

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e")]

TIME_TO_DECIDE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A run of a plan that is over."""

    run: Run
    execution: dict[str, Any]
    states: list[str]
    outcome: dict[str, Any]
    drifted: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What happened, in the order of the fields."""

    operators: Operators
    world: World
    subset: Ended
    reopened: dict[str, Any]
    refused_decisions: dict[str, dict[str, Any]]
    rejected: Ended
    currency_after_rejection: str
    moved: Ended
    log_level_after_moved: str
    secret: Ended
    variables_after_secret: dict[str, str]
    foreign: dict[str, Any]
    expired: Ended


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    with Emulator() as emulator:
        world, deployment = World(emulator), Deployment(emulator)
        world.build()
        deployment.deploy(world.stacks, approval_timeout=f"{TIME_TO_DECIDE}s")
        operators = Operators(emulator=emulator, deployment=deployment)
        yield _tell(emulator, world, operators)


def _tell(emulator: Emulator, world: World, operators: Operators) -> Story:
    refused: dict[str, dict[str, Any]] = {}
    _edit_ledger(emulator)
    run = operators.open("Ledger")
    reopened = operators.request("Ledger", reason="the same again")
    refused["a resource of another stack"] = operators.decide(run, "approve", resources=["Invoices"])
    operators.decide(run, "approve", resources=["Audit"])
    subset = _ended(operators, run, "Ledger")
    refused["a second decision"] = operators.decide(run, "reject")
    unknown = Run(plan_id="0" * 64, number=1, execution="")
    refused["an unknown plan"] = operators.decide(unknown, "approve")

    run = operators.open("Ledger")
    operators.decide(run, "reject")
    rejected = _ended(operators, run, "Ledger")
    currency = emulator.client("ssm").get_parameter(Name="/ledger/currency")["Parameter"]["Value"]
    waiting = operators.open("Ledger")

    for edit in (edit for edit in EDITS if edit.logical_id in ("Worker", "Invoices")):
        edit.make(emulator, world.physical_id(edit.stack, edit.logical_id))
    run = operators.open("Shop")
    _set_log_level(emulator, "trace")
    operators.decide(run, "approve")
    moved = _ended(operators, run, "Shop")
    log_level = _variables(emulator)["LOG_LEVEL"]

    run = operators.open("Shop")
    operators.decide(run, "approve")
    secret = _ended(operators, run, "Shop")
    variables = _variables(emulator)

    foreign = operators.request("Elsewhere")
    expired = _ended(operators, waiting, "Ledger")
    refused["a decision after the time"] = operators.decide(waiting, "approve")
    return Story(
        operators=operators,
        world=world,
        subset=subset,
        reopened=reopened,
        refused_decisions=refused,
        rejected=rejected,
        currency_after_rejection=currency,
        moved=moved,
        log_level_after_moved=log_level,
        secret=secret,
        variables_after_secret=variables,
        foreign=foreign,
        expired=expired,
    )


def _ended(operators: Operators, run: Run, stack: str) -> Ended:
    execution = operators.finished(run.execution)
    key = f"outcomes/{stack}/{REGION}/{run.plan_id}-{run.number}.json"
    return Ended(
        run=run,
        execution=execution,
        states=operators.history(run.execution),
        outcome=operators.stored(key),
        drifted=operators.drifted(stack),
    )


def _edit_ledger(emulator: Emulator) -> None:
    emulator.client("logs").put_retention_policy(logGroupName="/ledger/audit", retentionInDays=30)
    emulator.client("ssm").put_parameter(Name="/ledger/currency", Value="USD", Type="String", Overwrite=True)


def _variables(emulator: Emulator) -> dict[str, str]:
    found = emulator.client("lambda").get_function_configuration(FunctionName="shop-worker")
    return dict(found["Environment"]["Variables"])


def _set_log_level(emulator: Emulator, level: str) -> None:
    variables = {**_variables(emulator), "LOG_LEVEL": level}
    emulator.client("lambda").update_function_configuration(
        FunctionName="shop-worker", Environment={"Variables": variables}
    )


def _statuses(ended: Ended) -> dict[str, str]:
    return {result["logicalId"]: result["status"] for result in ended.outcome["results"]}


def test_an_approval_of_one_resource_reverts_it_and_leaves_exactly_the_other(story: Story) -> None:
    assert story.subset.states[-1] == "Reverted"
    assert _statuses(story.subset) == {"Audit": "reverted"}
    assert story.subset.drifted == ["Currency"]


def test_what_was_reverted_was_read_once_more(story: Story) -> None:
    (proof,) = story.subset.outcome["verification"]["resources"]
    assert proof == {"logicalId": "Audit", "proof": "inSync", "reason": ""}


def test_the_notice_says_what_changes_why_until_when_and_how_to_decide(story: Story) -> None:
    notice = story.operators.notice("approvalWanted", story.subset.run)
    assert notice.subject == "[revert] Ledger us-east-1: 2 resources to approve"
    changes = {r["logicalId"]: r["changes"] for r in notice.body["resources"]}
    assert changes == {
        "Audit": [{"path": "RetentionInDays", "from": 30, "to": 365}],
        "Currency": [{"path": "Value", "from": "USD", "to": "EUR"}],
    }
    assert notice.body["reason"] == "undo what was changed by hand"
    assert notice.body["decide"]["approve"]["planId"] == story.subset.run.plan_id
    assert notice.body["expiresAt"] > notice.body["requestedAt"]


def test_the_same_plan_is_not_opened_twice(story: Story) -> None:
    assert story.operators.last_state(story.reopened["executionArn"]) == "AlreadyOpen"


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        ("a resource of another stack", "names what the plan does not hold: Invoices"),
        ("a second decision", "was decided on before: approve"),
        ("an unknown plan", "Nothing waits for a decision"),
        ("a decision after the time", "The time to decide"),
    ],
)
def test_a_decision_that_cannot_be_taken_fails_with_its_reason(
    story: Story, decision: str, says: str
) -> None:
    execution = story.refused_decisions[decision]
    assert execution["status"] == "FAILED"
    assert says in execution["cause"]


def test_a_rejection_changes_nothing(story: Story) -> None:
    assert story.rejected.states[-1] == "Rejected"
    assert "Execute" not in story.rejected.states
    assert story.currency_after_rejection == "USD"
    assert story.rejected.drifted == ["Currency"]


def test_a_plan_that_was_rejected_can_be_requested_again(story: Story) -> None:
    assert story.expired.run.plan_id == story.rejected.run.plan_id
    assert story.expired.run.number == story.rejected.run.number + 1


def test_an_expired_request_changes_nothing_and_says_so(story: Story) -> None:
    assert story.expired.states[-1] == "Expired"
    assert "Execute" not in story.expired.states
    assert story.expired.drifted == ["Currency"]
    assert story.operators.notice("expired", story.expired.run)


def test_what_changed_since_the_plan_is_refused_and_the_others_go_on(story: Story) -> None:
    assert _statuses(story.moved) == {"Invoices": "reverted", "Worker": "changedSincePlanned"}
    assert story.log_level_after_moved == "trace"
    assert story.moved.states[-1] == "PartiallyReverted"
    assert story.moved.execution["status"] == "FAILED"
    notice = story.operators.notice("partiallyReverted", story.moved.run)
    assert notice.body["results"][0]["logicalId"] == "Worker"


def test_a_revert_writes_the_secrets_value_and_not_its_reference(story: Story) -> None:
    assert _statuses(story.secret) == {"Worker": "reverted"}
    assert story.variables_after_secret == {"LOG_LEVEL": "info", "DATABASE_PASSWORD": DATABASE_PASSWORD}


def test_a_stack_that_allows_no_reverts_is_refused(story: Story) -> None:
    assert story.foreign["status"] == "FAILED"
    assert "does not allow reverts" in story.foreign["cause"]


def test_the_planted_secret_is_nowhere(story: Story) -> None:
    operators = story.operators
    story.operators.seen.extend(operators.deployment.notices())
    outputs = [
        operators.deployment.everything_stored(),
        operators.deployment.everything_logged(),
        operators.every_history(),
        "".join(notice.raw for notice in operators.seen),
        operators.command("revert", "show", story.secret.run.plan_id, "--json").stdout,
    ]
    assert all(outputs)
    assert not any(DATABASE_PASSWORD in output for output in outputs)


def test_task_tokens_are_stored_under_approvals_and_nowhere_else(story: Story) -> None:
    stored = story.operators.everything_stored_by_key()
    tokens = [json.loads(text)["taskToken"] for key, text in stored.items() if key.startswith("approvals/")]
    assert len(tokens) == 5
    others = "".join(text for key, text in stored.items() if not key.startswith("approvals/"))
    told = "".join(notice.raw for notice in story.operators.seen)
    assert not [token for token in tokens if token in others or token in told]


def test_the_command_line_goes_through_the_same_gate(story: Story) -> None:
    operators = story.operators
    (edit,) = (edit for edit in EDITS if edit.logical_id == "WebGroup")
    edit.make(operators.emulator, story.world.physical_id("Network", "WebGroup"))
    asked = operators.command("revert", "request", "Network", "--reason", "close ssh", "--json")
    plan_id = json.loads(asked.stdout)["planId"]
    deadline = time.monotonic() + TIME_TO_DECIDE
    while time.monotonic() < deadline:
        done = operators.command("revert", "approve", plan_id, "--reason", "yes", "--resource", "WebGroup")
        if done.returncode == 0:
            break
        assert "Nothing waits" in done.stderr, done.stderr
    shown = json.loads(operators.command("revert", "show", plan_id, "--json").stdout)
    operators.finished(shown["run"]["execution"])
    assert operators.drifted("Network") == []
    again = operators.command("revert", "reject", plan_id, "--reason", "changed my mind")
    assert again.returncode == 1
    assert "was decided on before" in again.stderr
    shown = json.loads(operators.command("revert", "show", plan_id, "--json").stdout)
    assert shown["outcome"]["ending"] == "reverted"
    assert shown["decision"]["decidedBy"].startswith("arn:aws:")
