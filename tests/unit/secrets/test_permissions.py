"""Which IAM actions references need."""

from __future__ import annotations

from collections.abc import Callable

from driftwarden.model import Record, StackState
from driftwarden.secrets import SecretRead, required_actions, required_reads

ARN = "arn:aws:secretsmanager:us-east-2:111122223333:secret:db-AbCdEf"


def test_every_resolvable_reference_names_its_actions(
    make_record: Callable[..., Record], make_state: Callable[..., StackState]
) -> None:
    record = make_record(
        {
            "A": "{{resolve:secretsmanager:prod/db:SecretString:pw}}{{resolve:ssm:/p:3}}",
            "B": f"{{{{resolve:secretsmanager:{ARN}}}}}",
            "C": "{{resolve:ssm-secure:/x}}",
        }
    )
    secret = ("secretsmanager:GetSecretValue", "secretsmanager:BatchGetSecretValue", "kms:Decrypt")
    parameter = ("ssm:GetParameter", "ssm:GetParameters", "kms:Decrypt")
    assert required_actions(record) == {*secret, *parameter}
    assert required_reads(make_state(record)) == (
        SecretRead(service="secretsmanager", region="eu-west-1", name="prod/db", actions=secret),
        SecretRead(service="secretsmanager", region="us-east-2", name=ARN, actions=secret),
        SecretRead(service="ssm", region="eu-west-1", name="/p:3", actions=parameter),
    )


def test_a_record_without_references_needs_nothing(make_record: Callable[..., Record]) -> None:
    assert required_actions(make_record({"A": "***", "B": "{{resolve:vault:x}}"})) == frozenset()


def test_a_reference_that_is_refused_needs_nothing(
    make_record: Callable[..., Record], make_state: Callable[..., StackState]
) -> None:
    state = make_state(make_record({"A": "{{resolve:ssm:/p}}"}), foreign=frozenset({"us-east-1"}))
    assert required_reads(state) == ()
