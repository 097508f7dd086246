"""Event source mappings: which lists are there depends on the kind of source."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from driftwarden.model import Gone
from tests.recordings.conftest import Answers, Read, live, unreadable

UUID = "5f9a3c1e-0000-4000-8000-000000000001"
ARN = "arn:aws:lambda:eu-central-1:111122223333:event-source-mapping:1"
FUNCTION = "arn:aws:lambda:eu-central-1:111122223333:function:app"


def mapping(answers: Answers, **members: Any) -> None:
    answers["lambda:GetEventSourceMapping"] = {"EventSourceMappingArn": ARN, **members}
    answers.setdefault("lambda:ListTags", {})


def test_a_queue_mapping_reads_back_in_cloudformation_shape(answers: Answers, read: Read) -> None:
    mapping(
        answers,
        EventSourceArn="arn:aws:sqs:eu-central-1:111122223333:q",
        FunctionArn=FUNCTION,
        BatchSize=10,
        KMSKeyArn="arn:key",
        State="Enabled",
        StateTransitionReason="USER_INITIATED",
        StartingPositionTimestamp=datetime(2024, 1, 2, 3, 4, 5, 600000, tzinfo=UTC),
    )
    answers["lambda:ListTags"] = {"Tags": {"Team": "red", "env": "p", "aws:x": "y"}}
    assert live(read("AWS::Lambda::EventSourceMapping", UUID)) == {
        "EventSourceArn": "arn:aws:sqs:eu-central-1:111122223333:q",
        "FunctionName": FUNCTION,
        "FunctionResponseTypes": [],
        "BatchSize": 10,
        "KmsKeyArn": "arn:key",
        "Enabled": True,
        "StartingPositionTimestamp": 1704164645,
        "Tags": [{"Key": "env", "Value": "p"}, {"Key": "Team", "Value": "red"}],
    }


@pytest.mark.parametrize(
    ("source", "lists"),
    [
        ({"EventSourceArn": "arn:aws:kinesis:r:1:stream/s"}, {"FunctionResponseTypes"}),
        ({"EventSourceArn": "arn:aws:dynamodb:r:1:table/t"}, {"FunctionResponseTypes"}),
        ({"EventSourceArn": "arn:aws:mq:r:1:broker:b"}, {"SourceAccessConfigurations"}),
        ({"EventSourceArn": "arn:aws:rds:r:1:cluster:c"}, {"SourceAccessConfigurations"}),
        ({"EventSourceArn": "arn:aws:kafka:r:1:cluster/c"}, {"SourceAccessConfigurations"}),
        ({"SelfManagedEventSource": {}}, {"SourceAccessConfigurations"}),
        ({"DocumentDBEventSourceConfig": {}}, {"SourceAccessConfigurations"}),
        ({"EventSourceArn": "bogus"}, set()),
        ({}, set()),
    ],
)
def test_each_kind_of_source_has_its_own_list(
    answers: Answers, read: Read, source: dict[str, Any], lists: set[str]
) -> None:
    mapping(answers, **source)
    properties = live(read("AWS::Lambda::EventSourceMapping", UUID))
    assert {"FunctionResponseTypes", "SourceAccessConfigurations"} & set(properties) == lists


@pytest.mark.parametrize(
    ("declared", "expected"), [("app", "app"), (FUNCTION, FUNCTION), ("other", FUNCTION), (None, FUNCTION)]
)
def test_the_function_is_named_as_in_the_template_if_it_is_the_same(
    answers: Answers, read: Read, declared: str | None, expected: str
) -> None:
    mapping(answers, FunctionArn=FUNCTION)
    template = {} if declared is None else {"FunctionName": declared}
    assert live(read("AWS::Lambda::EventSourceMapping", UUID, template))["FunctionName"] == expected


def test_self_managed_brokers_are_named_as_in_cloudformation(answers: Answers, read: Read) -> None:
    mapping(
        answers, SelfManagedEventSource={"Endpoints": {"KAFKA_BOOTSTRAP_SERVERS": ["b:9092"], "X": ["y"]}}
    )
    assert live(read("AWS::Lambda::EventSourceMapping", UUID))["SelfManagedEventSource"] == {
        "Endpoints": {"KafkaBootstrapServers": ["b:9092"], "X": ["y"]}
    }


@pytest.mark.parametrize(
    ("state", "enabled"),
    [("Enabled", True), ("Enabling", True), ("Updating", True), ("Disabled", False), ("Disabling", False)],
)
def test_the_state_says_whether_it_is_enabled(
    answers: Answers, read: Read, state: str, enabled: bool
) -> None:
    mapping(answers, State=state)
    assert live(read("AWS::Lambda::EventSourceMapping", UUID))["Enabled"] is enabled


def test_tags_are_not_asked_for_without_an_arn(answers: Answers, read: Read) -> None:
    answers["lambda:GetEventSourceMapping"] = {"UUID": UUID}
    assert live(read("AWS::Lambda::EventSourceMapping", UUID)) == {"Tags": []}


@pytest.mark.parametrize("operation", ["GetEventSourceMapping", "ListTags"])
def test_a_mapping_that_lambda_does_not_know_is_gone(answers: Answers, read: Read, operation: str) -> None:
    mapping(answers)
    answers.fails(f"lambda:{operation}", "ResourceNotFoundException", status=404)
    assert isinstance(read("AWS::Lambda::EventSourceMapping", UUID), Gone)


def test_denied_tags_are_unreadable_and_never_empty(answers: Answers, read: Read) -> None:
    mapping(answers)
    answers.fails("lambda:ListTags", "AccessDeniedException", status=403)
    assert unreadable(read("AWS::Lambda::EventSourceMapping", UUID)).action == "lambda:ListTags"
