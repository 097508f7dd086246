"""Least privilege: what a scanner's role may do, action by action."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from policy_sentry.querying.actions import get_action_data
from policy_sentry.querying.all import get_all_actions

from tests.infra.conftest import Synthesized, synthesize

pytestmark = pytest.mark.xdist_group("cdk")

STACKS = ("Shop", "Billing", "Partner")
OWN = ("Scan", "Reports", "Alerts", "Failures", "Encryption")
"""How the logical ids of the deployment's own constructs begin."""
UNBOUND = {
    "kms:Decrypt",
    "s3express:CreateSession",
    "sts:AssumeRole",
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
}
"""What AWS counts as writes without a resource of ours: each has a test or a reason of its own."""
NEWER = {"lambda:GetMicrovmImage"}
"""Actions that policy-sentry's list does not have yet."""
VALUES = {"secretsmanager:GetSecretValue", "ssm:GetParameter", "ssm:GetParameters", "kms:Decrypt"}


def many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def actions(statements: Iterable[dict[str, Any]]) -> set[str]:
    return {action for statement in statements for action in many(statement["Action"])}


def named(statements: Iterable[dict[str, Any]], sid: str) -> dict[str, Any]:
    (statement,) = (s for s in statements if s.get("Sid") == sid)
    return statement


def access_level(action: str) -> str:
    """`Read`, `List`, `Write`, `Tagging` or `Permissions management`, as AWS documents it."""
    service, name = action.split(":")
    return str(get_action_data(service, name)[service][0]["access_level"])


@pytest.mark.parametrize("stack", STACKS)
def test_every_action_exists_and_none_is_a_pattern(example: Synthesized, stack: str) -> None:
    known = {action.lower() for action in get_all_actions()}
    asked = actions(example.policy(stack))
    assert not [action for action in asked if "*" in action]
    assert not [action for action in asked - NEWER if action.lower() not in known]


@pytest.mark.parametrize("stack", ["Shop", "Billing"])
def test_watched_resources_are_only_read(example: Synthesized, stack: str) -> None:
    asked = actions([named(example.policy(stack), "ReadResources")]) - NEWER
    assert {action for action in asked if access_level(action) not in ("Read", "List")} == set()


@pytest.mark.parametrize("stack", STACKS)
def test_whatever_writes_goes_to_the_deployments_own_resources(example: Synthesized, stack: str) -> None:
    for statement in example.policy(stack):
        asked = set(many(statement["Action"])) - UNBOUND - NEWER
        if any(access_level(action) not in ("Read", "List") for action in asked):
            resources = [json.dumps(resource) for resource in many(statement["Resource"])]
            assert not [r for r in resources if not any(f'"{own}' in r for own in OWN)]


def test_a_stack_may_read_what_its_types_need_and_no_more(example: Synthesized) -> None:
    allowed = actions([named(example.policy("Shop"), "ReadResources")])
    services = {action.split(":")[0] for action in allowed}
    assert services >= {"cloudformation", "dynamodb", "glue", "iam", "lambda", "s3", "sqs"}
    assert not services & {"ec2", "ecs", "kms", "rds", "secretsmanager", "sns", "ssm", "states"}
    assert {"sqs:GetQueueAttributes", "cloudformation:GetResource", "glue:GetDatabase"} <= allowed


def test_reads_are_bound_to_the_stacks_region_and_those_of_global_services(example: Synthesized) -> None:
    condition = named(example.policy("Shop"), "ReadResources")["Condition"]
    regions = {"aws:RequestedRegion": ["eu-central-1", "us-east-1", "us-west-2"]}
    assert condition == {"StringEquals": regions}


def test_directory_buckets_are_opened_for_reading_alone(example: Synthesized) -> None:
    (statement,) = (s for s in example.policy("Billing") if "s3express:CreateSession" in many(s["Action"]))
    assert statement["Condition"]["StringEquals"]["s3express:SessionMode"] == "ReadOnly"


@pytest.mark.parametrize("stack", STACKS)
def test_values_are_never_read_on_everything(example: Synthesized, stack: str) -> None:
    open_to_all = [s for s in example.policy(stack) if "*" in many(s["Resource"])]
    assert not actions(open_to_all) & VALUES


def test_secrets_are_read_only_where_the_configuration_names_them(example: Synthesized) -> None:
    secret = named(example.policy("Shop"), "ReadNamedSecrets")
    assert secret["Resource"] == "arn:aws:secretsmanager:eu-central-1:111122223333:secret:shop/db-AbCdEf"
    assert not {"secretsmanager:GetSecretValue", "ssm:GetParameter"} & actions(example.policy("Billing"))


def test_another_account_is_reached_through_its_role_alone(example: Synthesized) -> None:
    policy = example.policy("Partner")
    assume = named(policy, "AssumeReader")
    assert assume["Resource"] == "arn:aws:iam::444455556666:role/driftwarden-reader"
    assert not {"ReadResources", "ReadState", "FindState"} & {s.get("Sid") for s in policy}


def test_state_is_read_under_the_names_of_the_stack_and_its_parents(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    state = {"resources": {"Limit": {"resourceType": "AWS::SSM::Parameter", "physicalId": "/shop/limit"}}}
    (tmp_path / "state.json").write_text(json.dumps(state))
    config = write_config(
        '[defaults]\nstate_bucket = "state-of-things"\nstate_prefix = "team/cdkd"\n'
        '[[stacks]]\nname = "Shop~Queues"\nregion = "us-east-1"\nstate_file = "state.json"\n'
    )
    policy = synthesize(config, tmp_path / "out").policy("Shop")
    records = [json.dumps(r) for r in named(policy, "ReadState")["Resource"]]
    for number, name in enumerate(("Shop", "Shop~Queues", "_driftwarden")):
        found = [f"state-of-things/team/cdkd/{name}/*" in record for record in records]
        assert found == [place == number for place in range(3)]
    parameters = json.dumps(named(policy, "ReadNamedParameters")["Resource"])
    assert ":parameter/shop/limit" in parameters


def test_a_scanner_writes_under_the_keys_of_its_own_stack(example: Synthesized) -> None:
    policy = example.policy("Shop")
    written = json.dumps([named(policy, "WriteReports"), named(policy, "MarkRunning")])
    keys = {
        "/reports/Shop/eu-central-1/*",
        "/latest/Shop/eu-central-1.json",
        "/running/Shop/eu-central-1.json",
    }
    assert all(f'"{key}"' in written for key in keys)


@pytest.mark.parametrize("stack", STACKS)
def test_a_schedule_may_start_its_scanner_and_nothing_else(example: Synthesized, stack: str) -> None:
    (role,) = (
        r for key, r in example.of_type("AWS::IAM::Role").items() if key.startswith(f"Schedule{stack}")
    )
    (policy,) = role["Policies"]
    statements = policy["PolicyDocument"]["Statement"]
    (start,) = (s for s in statements if s["Action"] == "lambda:InvokeFunction")
    assert start["Resource"]["Fn::GetAtt"][0].startswith(f"Scan{stack}")
    assert actions(statements) == {
        "lambda:InvokeFunction",
        "sqs:SendMessage",
        "kms:GenerateDataKey",
        "kms:Decrypt",
    }
