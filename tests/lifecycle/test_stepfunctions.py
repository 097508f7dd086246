"""State machines: a definition is never emptied, and logs, traces and keys go back by their own members."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.requests import a_record, sent

ROLE = f"arn:aws:iam::{ACCOUNT}:role/orders"
DEFINITION = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}
OTHER = {"StartAt": "No", "States": {"No": {"Type": "Fail"}}}
LOG_GROUP = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/shop/orders"
LOGGING = {
    "level": "ERROR",
    "includeExecutionData": False,
    "destinations": [{"cloudWatchLogsLogGroup": {"logGroupArn": f"{LOG_GROUP}:*"}}],
}


class Machine:
    """The state machine under test."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.states = life.client("stepfunctions")
        made = self.states.create_state_machine(
            name="orders",
            definition=json.dumps(DEFINITION),
            roleArn=ROLE,
            loggingConfiguration=LOGGING,
            tracingConfiguration={"enabled": True},
            tags=[{"key": "team", "value": "shop"}, {"key": "cost", "value": "7"}],
        )
        self.arn = str(made["stateMachineArn"])
        life.record("Machine", "AWS::StepFunctions::StateMachine", self.arn, {"StateMachineName": "orders"})

    def update(self, **members: Any) -> None:
        self.states.update_state_machine(stateMachineArn=self.arn, **members)

    def goes_round(self, edit: Callable[[], object], *expect: str) -> list[tuple[str, dict[str, Any]]]:
        return self.life.goes_round("Machine", edit, expect=expect)


@pytest.fixture
def machine(life: Life) -> Machine:
    life.settings = ScanSettings(undeclared="drift")
    return Machine(life)


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"roleArn": f"{ROLE}-x"}, "RoleArn"),
        ({"tracingConfiguration": {"enabled": False}}, "TracingConfiguration.Enabled"),
        ({"loggingConfiguration": {**LOGGING, "level": "ALL"}}, "LoggingConfiguration.Level"),
    ],
)
def test_a_change_goes_back_alone(machine: Machine, edited: dict[str, Any], expect: str) -> None:
    ((operation, params),) = machine.goes_round(lambda: machine.update(**edited), expect)
    assert operation == "UpdateStateMachine"
    assert set(params) == {"stateMachineArn", "roleArn", *edited}


def test_a_definition_goes_back_with_a_warning(machine: Machine) -> None:
    machine.update(definition=json.dumps(OTHER))
    (step,) = machine.life.plan().steps
    assert any("running executions" in text for text in step.warnings)
    machine.update(definition=json.dumps(DEFINITION))
    ((_, params),) = machine.goes_round(
        lambda: machine.update(definition=json.dumps(OTHER)),
        "Definition.StartAt",
        "Definition.States.Done",
        "Definition.States.No",
    )
    assert json.loads(params["definition"]) == DEFINITION


def test_an_empty_definition_is_never_sent(machine: Machine) -> None:
    observed = {**machine.life.read("Machine"), "Definition": {}}
    machine.life.record(
        "Machine", "AWS::StepFunctions::StateMachine", machine.arn, observedProperties=observed
    )
    machine.life.forget_calls()
    assert [refusal.kind for refusal in machine.life.plan().refusals] == [Kind.UPDATE_NOT_SUPPORTED]
    machine.life.revert()
    assert machine.life.calls == []


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (
            lambda m: m.states.tag_resource(resourceArn=m.arn, tags=[{"key": "x", "value": "1"}]),
            ["UntagResource"],
        ),
        (
            lambda m: m.states.tag_resource(resourceArn=m.arn, tags=[{"key": "team", "value": "x"}]),
            ["TagResource"],
        ),
        (lambda m: m.states.untag_resource(resourceArn=m.arn, tagKeys=["cost"]), ["TagResource"]),
    ],
    ids=["added", "changed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    machine: Machine, edit: Callable[[Machine], object], written: list[str]
) -> None:
    assert [name for name, _ in machine.goes_round(lambda: edit(machine), "Tags")] == written


def test_a_template_text_goes_back_with_its_substitutions(life: Life) -> None:
    machine = Machine(life)
    text = json.dumps({**DEFINITION, "Comment": "for ${Shop}"})
    template = {
        "StateMachineName": "orders",
        "RoleArn": ROLE,
        "DefinitionString": text,
        "DefinitionSubstitutions": {"Shop": "the shop"},
    }
    machine.update(definition=text.replace("${Shop}", "the shop"))
    life.record("Machine", "AWS::StepFunctions::StateMachine", machine.arn, template, observed=False)
    assert life.drift() == {}
    machine.update(definition=json.dumps(OTHER))
    life.forget_calls()
    life.revert()
    assert [json.loads(params["definition"])["Comment"] for _, params in life.calls] == ["for the shop"]
    assert life.drift() == {}


ARN = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:orders"
RECORD = a_record("AWS::StepFunctions::StateMachine", ARN)
NOW = {
    "DescribeStateMachine": {
        "stateMachineArn": ARN,
        "roleArn": ROLE,
        "definition": json.dumps(DEFINITION),
        "loggingConfiguration": LOGGING,
        "tracingConfiguration": {"enabled": True},
        "encryptionConfiguration": {"type": "CUSTOMER_MANAGED_KMS_KEY", "kmsKeyId": "k1"},
    }
}


@pytest.mark.parametrize(
    ("wanted", "member", "value"),
    [
        (
            {"LoggingConfiguration": {}},
            "loggingConfiguration",
            {"level": "OFF", "includeExecutionData": False, "destinations": []},
        ),
        ({"TracingConfiguration": {}}, "tracingConfiguration", {"enabled": False}),
        ({"EncryptionConfiguration": {}}, "encryptionConfiguration", {"type": "AWS_OWNED_KEY"}),
        (
            {
                "LoggingConfiguration": {
                    "Level": "ALL",
                    "Destinations": [{"CloudWatchLogsLogGroup": {"LogGroupArn": LOG_GROUP}}],
                }
            },
            "loggingConfiguration",
            {
                "level": "ALL",
                "destinations": [{"cloudWatchLogsLogGroup": {"logGroupArn": f"{LOG_GROUP}:*"}}],
            },
        ),
    ],
)
def test_what_was_not_set_has_a_value_of_its_own(wanted: dict[str, Any], member: str, value: Any) -> None:
    ((_, params),) = sent(RECORD, NOW, wanted)
    assert params == {"stateMachineArn": ARN, "roleArn": ROLE, member: value}
