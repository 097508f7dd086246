"""The approval gate: who may write, who may decide, and what the state machines do in every case."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from policy_sentry.querying.all import get_all_actions

from driftwarden.errors import ConfigurationError
from driftwarden.permissions import CLOUD_CONTROL_WRITES, write_actions
from infra.config import load
from infra.revert_machines import Functions, decide_definition, revert_definition
from tests.infra.conftest import Synthesized, synthesize
from tests.infra.test_permissions import NEWER, access_level, actions, many

pytestmark = pytest.mark.xdist_group("cdk")

ROLES = ("GatePlanner", "GateRequester", "GateRecorder", "GateExecutor")
SHOP_TYPES = (
    "AWS::DynamoDB::Table",
    "AWS::IAM::Role",
    "AWS::Lambda::Function",
    "AWS::S3::Bucket",
    "AWS::SQS::Queue",
)
HARMLESS = {"kms:Decrypt", "xray:PutTelemetryRecords", "xray:PutTraceSegments", "s3express:CreateSession"}
OWN = ("Gate", "Scan", "Reports", "Alerts", "Encryption", "Failures")
"""How the logical ids of the deployment's own constructs begin."""
SHOP = '[[stacks]]\nname = "Shop"\nregion = "us-east-1"\n'
FUNCTIONS = Functions(partition="aws", plan="plan", ask="ask", decide="decide", execute="execute")


def writes(statements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The statements that allow more than reading."""
    return [
        s
        for s in statements
        if any(access_level(a) not in ("Read", "List") for a in set(many(s["Action"])) - HARMLESS - NEWER)
    ]


def is_own(resource: Any) -> bool:
    return any(f'"{own}' in json.dumps(resource) for own in OWN)


class TestRoles:
    """Least privilege, action by action."""

    @pytest.mark.parametrize("role", ROLES)
    def test_every_action_exists_and_none_is_a_pattern(self, example: Synthesized, role: str) -> None:
        known = {action.lower() for action in get_all_actions()}
        asked = actions(example.policy_of(role))
        assert asked
        assert not [action for action in asked if "*" in action]
        assert not [action for action in asked - NEWER if action.lower() not in known]

    @pytest.mark.parametrize(
        "role", ["GatePlanner", "GateRequester", "ScanShop", "ScanBilling", "ScanPartner"]
    )
    def test_whoever_does_not_execute_writes_to_the_deployments_own_resources_alone(
        self, example: Synthesized, role: str
    ) -> None:
        written = [
            resource
            for statement in writes(example.policy_of(role))
            if set(many(statement["Action"])) != {"sts:AssumeRole"}
            for resource in many(statement["Resource"])
        ]
        assert [resource for resource in written if not is_own(resource)] == []

    def test_the_executor_writes_what_the_types_of_revertible_stacks_need(self, example: Synthesized) -> None:
        open_to_all = [s for s in example.policy_of("GateExecutor") if "*" in many(s["Resource"])]
        allowed = actions(writes(open_to_all)) - {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}
        expected = {*write_actions(SHOP_TYPES), *CLOUD_CONTROL_WRITES, "iam:PassRole"}
        assert {a for a in allowed if access_level(a) not in ("Read", "List")} <= expected
        assert set(expected) <= actions(open_to_all)

    def test_no_policy_is_larger_than_iam_takes_however_many_stacks_and_types(
        self, write_config: Callable[[str], Path], tmp_path: Path
    ) -> None:
        regions = ("eu-central-1", "eu-west-1", "ap-south-1")
        stacks = "".join(
            f'[[stacks]]\nname = "Stack{n}"\nregion = "{regions[n % 3]}"\nrevert = true\n' for n in range(9)
        )
        made = synthesize(write_config(stacks), tmp_path / "out")
        sizes = {
            (kind, key): len(json.dumps(p["PolicyDocument"], separators=(",", ":")))
            for kind in ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")
            for key, p in made.of_type(kind).items()
        }
        limits = {"AWS::IAM::Policy": 10_240, "AWS::IAM::ManagedPolicy": 6_144}
        assert {key: size for key, size in sizes.items() if size > limits[key[0]]} == {}

    def test_the_executor_is_bound_to_the_regions_of_its_stacks(self, example: Synthesized) -> None:
        for statement in writes(example.policy_of("GateExecutor")):
            if "*" in many(statement["Resource"]) and not set(many(statement["Action"])) <= HARMLESS:
                regions = statement["Condition"]["StringEquals"]["aws:RequestedRegion"]
                assert regions == ["eu-central-1", "us-east-1", "us-west-2"]

    def test_the_executor_locks_and_narrows_the_state_of_its_stacks_alone(self, example: Synthesized) -> None:
        (locking,) = (s for s in example.policy_of("GateExecutor") if "s3:DeleteObject" in many(s["Action"]))
        if isinstance(locking["Resource"], list):
            pytest.fail("one stack allows reverts, so there is one place to lock")
        assert "/cdkd/Shop/eu-central-1/*" in json.dumps(locking["Resource"])

    def test_task_tokens_are_read_and_used_by_the_recorder_alone(self, example: Synthesized) -> None:
        users = {
            role
            for role in (*ROLES, "ScanShop", "ScanBilling")
            if "states:SendTaskSuccess" in actions(example.policy_of(role))
        }
        assert users == {"GateRecorder"}
        for role in ROLES:
            reading = [s for s in example.policy_of(role) if "s3:GetObject" in many(s["Action"])]
            sees = "/approvals/*" in json.dumps([s["Resource"] for s in reading])
            assert sees is (role == "GateRecorder")

    def test_the_bucket_itself_denies_tokens_to_everybody_else(self, example: Synthesized) -> None:
        policies = [
            p["PolicyDocument"]["Statement"] for p in example.of_type("AWS::S3::BucketPolicy").values()
        ]
        (denied,) = (s for p in policies for s in p if s.get("Sid") == "TaskTokens")
        assert denied["Effect"] == "Deny"
        assert "/approvals/*" in json.dumps(denied["Resource"])
        (role,) = denied["Condition"]["ArnNotEquals"]["aws:PrincipalArn"]["Fn::GetAtt"][:1]
        assert role.startswith("GateRecorder")

    def test_another_accounts_stack_is_written_through_a_role_of_its_own(
        self, write_config: Callable[[str], Path], tmp_path: Path
    ) -> None:
        reader, writer = (f"arn:aws:iam::444455556666:role/{name}" for name in ("reader", "writer"))
        config = write_config(f'{SHOP}role_arn = "{reader}"\nrevert = true\nrevert_role_arn = "{writer}"\n')
        made = synthesize(config, tmp_path / "out")
        assumed = {
            role: [s["Resource"] for s in made.policy_of(role) if "sts:AssumeRole" in many(s["Action"])]
            for role in ("GatePlanner", "GateExecutor")
        }
        assert assumed == {"GatePlanner": [reader], "GateExecutor": [writer]}
        functions = made.of_type("AWS::Lambda::Function")
        for start, arn in (("GatePlanner", reader), ("GateExecutor", writer)):
            (function,) = (f for key, f in functions.items() if key.startswith(start))
            stacks = json.loads(function["Environment"]["Variables"]["REVERTIBLE_STACKS"])
            assert stacks == {"us-east-1/Shop": {"roleArn": arn}}


class TestPeople:
    """Asking and deciding are two permissions."""

    def started(self, example: Synthesized, policy: str) -> list[str]:
        (found,) = (
            p
            for key, p in example.of_type("AWS::IAM::ManagedPolicy").items()
            if key.startswith(f"Gate{policy}")
        )
        return [
            json.dumps(s["Resource"])
            for s in found["PolicyDocument"]["Statement"]
            if "states:StartExecution" in many(s["Action"])
        ]

    def test_a_requester_starts_revert_and_an_approver_decide(self, example: Synthesized) -> None:
        (asking,), (deciding,) = (self.started(example, f"Revert{p}") for p in ("Requester", "Approver"))
        assert ":stateMachine:Driftwarden-revert" in asking
        assert ":stateMachine:Driftwarden-decide" in deciding

    @pytest.mark.parametrize("policy", ["RevertRequester", "RevertApprover"])
    def test_neither_sees_task_tokens_nor_uses_them(self, example: Synthesized, policy: str) -> None:
        (found,) = (
            p
            for key, p in example.of_type("AWS::IAM::ManagedPolicy").items()
            if key.startswith(f"Gate{policy}")
        )
        statements = found["PolicyDocument"]["Statement"]
        assert not [a for a in actions(statements) if a.startswith("states:SendTask")]
        read = [json.dumps(s["Resource"]) for s in statements if "s3:GetObject" in many(s["Action"])]
        assert not [resource for resource in read if "approvals" in resource]
        # The history of a run of `revert` holds its token.
        history = [s for s in statements if "states:GetExecutionHistory" in many(s["Action"])]
        assert not [s for s in history if "Driftwarden-revert" in json.dumps(s["Resource"])]

    @pytest.mark.parametrize("policy", ["RevertRequester", "RevertApprover"])
    def test_neither_may_do_more_than_start_and_look(self, example: Synthesized, policy: str) -> None:
        (found,) = (
            p
            for key, p in example.of_type("AWS::IAM::ManagedPolicy").items()
            if key.startswith(f"Gate{policy}")
        )
        asked = actions(found["PolicyDocument"]["Statement"]) - HARMLESS
        assert {a for a in asked if access_level(a) not in ("Read", "List")} == {"states:StartExecution"}


class TestStateMachines:
    """Every way through ends in words."""

    STATES = revert_definition(FUNCTIONS, approval_seconds=3600)["States"]

    @pytest.mark.parametrize("machine", ["GateRevert", "GateDecide"])
    def test_they_log_without_the_data_and_are_traced(self, example: Synthesized, machine: str) -> None:
        machines = example.of_type("AWS::StepFunctions::StateMachine")
        (found,) = (m for key, m in machines.items() if key.startswith(machine))
        assert found["LoggingConfiguration"]["Level"] == "ALL"
        assert found["LoggingConfiguration"]["IncludeExecutionData"] is False
        assert found["TracingConfiguration"] == {"Enabled": True}

    def test_every_state_leads_to_one_that_exists(self) -> None:
        for definition in (revert_definition(FUNCTIONS, approval_seconds=1), decide_definition(FUNCTIONS)):
            states = definition["States"]
            targets = {definition["StartAt"]}
            for state in states.values():
                targets |= {state[key] for key in ("Next", "Default") if key in state}
                targets |= {each["Next"] for key in ("Catch", "Choices") for each in state.get(key, [])}
            assert targets == set(states)

    def test_only_an_approval_leads_to_the_executor(self) -> None:
        ways = {
            name: json.dumps(state) for name, state in self.STATES.items() if '"Execute"' in json.dumps(state)
        }
        assert set(ways) == {"Approved?"}
        (choice,) = self.STATES["Approved?"]["Choices"]
        assert (choice["Variable"], choice["StringEquals"]) == ("$.decision.decision", "approve")
        assert self.STATES["Approved?"]["Default"] == "NotifyRejected"

    def test_every_task_catches_whatever_fails_and_ends_with_a_notice(self) -> None:
        for name, state in self.STATES.items():
            if state["Type"] == "Task":
                (every,) = (c for c in state["Catch"] if c["ErrorEquals"] == ["States.ALL"])
                assert every["Next"] in ("NotifyFailed", "NotifyOutcome", "NobodyTold"), name

    def test_the_wait_ends_after_the_time_to_decide(self) -> None:
        wait = self.STATES["WaitForApproval"]
        assert wait["TimeoutSeconds"] == wait["Parameters"]["Payload"]["seconds"] == 3600
        assert {"States.Timeout"} not in [set(r["ErrorEquals"]) for r in wait["Retry"]]

    def test_a_run_is_named_after_its_plan(self) -> None:
        assert self.STATES["Open"]["Parameters"]["Name.$"] == "$.plan.name"

    def test_a_step_that_is_not_part_of_a_run_cannot_be_given_by_its_starter(self) -> None:
        """Whatever a starter puts into the input, the answers of the functions lie over it."""
        kept = {state.get("ResultPath") for state in self.STATES.values() if state["Type"] == "Task"}
        read = {"$.plan.outcome", "$.decision.decision", "$.told.ending", "$.planId"}
        choices = {c["Variable"] for s in self.STATES.values() for c in s.get("Choices", [])}
        assert choices == read
        assert {"$.plan", "$.decision", "$.told"} <= kept


class TestConfiguration:
    """Reverts are off unless somebody turned them on."""

    def test_without_revert_there_is_no_gate(
        self, write_config: Callable[[str], Path], tmp_path: Path
    ) -> None:
        made = synthesize(write_config(SHOP), tmp_path / "out")
        assert made.of_type("AWS::StepFunctions::StateMachine") == {}
        assert made.policy_of("Gate") == []

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ('extra_write_actions = ["iam:PassRole"]', "not used without revert = true"),
            ('revert = true\nextra_write_actions = ["iam:*"]', "extra_write_actions.0: does not look right"),
            ('revert = true\nrole_arn = "arn:aws:iam::444455556666:role/r"', "needs revert_role_arn"),
            (
                'revert = true\nrevert_role_arn = "arn:aws:iam::444455556666:role/w"',
                "not used without role_arn",
            ),
            ('revert = "yes"', "stacks.0.revert"),
        ],
    )
    def test_what_makes_no_sense_is_refused(
        self, write_config: Callable[[str], Path], text: str, says: str
    ) -> None:
        with pytest.raises(ConfigurationError, match=says.replace(".", r"\.")):
            load(write_config(f"{SHOP}{text}\n"))

    @pytest.mark.parametrize(
        ("text", "seconds"), [("45s", 45), ("30m", 1800), ("24h", 86_400), ("7d", 604_800)]
    )
    def test_the_time_to_decide_is_written_with_its_unit(
        self, write_config: Callable[[str], Path], text: str, seconds: int
    ) -> None:
        watch = load(write_config(f'[defaults]\napproval_timeout = "{text}"\n{SHOP}'))
        assert watch.defaults.approval_seconds == seconds

    def test_approvers_are_the_subscribers_of_alerts_unless_others_are_named(
        self, write_config: Callable[[str], Path], tmp_path: Path
    ) -> None:
        text = f'[defaults]\nalert_subscriptions = ["ops@example.com"]\n{SHOP}revert = true\n'
        made = synthesize(write_config(text), tmp_path / "out")
        subscribed = made.of_type("AWS::SNS::Subscription")
        assert [key[:4] for key, s in subscribed.items() if s["Endpoint"] == "ops@example.com"] == [
            "Aler",
            "Gate",
        ]

    def test_more_stacks_than_an_environment_holds_are_refused_at_synthesis(
        self, write_config: Callable[[str], Path], tmp_path: Path
    ) -> None:
        stacks = "".join(
            f'[[stacks]]\nname = "Stack{"x" * 100}{n}"\nregion = "us-east-1"\nrevert = true\n'
            'resource_types = ["AWS::SQS::Queue"]\n'
            for n in range(40)
        )
        with pytest.raises(ConfigurationError, match="40 stacks allow reverts"):
            synthesize(write_config(stacks), tmp_path / "out")
