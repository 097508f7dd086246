"""Cloud Control reads what has no declaration of its own, and whatever was provisioned through it."""

from __future__ import annotations

import json

import pytest

from driftwarden.clients import Clients
from driftwarden.model import Gone, Live, ReadResult, Unreadable, Unsupported
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place
from tests.recordings.conftest import REGION, Answers, record_of

GET = "cloudcontrol:GetResource"
WORKSPACE = "AWS::APS::Workspace"
QUEUE = "AWS::SQS::Queue"


def _read(resource_type: str, provisioned_by: str) -> ReadResult:
    record = record_of("Subject", resource_type, "the-id", provisioned_by=provisioned_by)
    return read_record(record, Place(region=REGION, clients=Clients(region=REGION), limits=Limits()), {})


def _answer(**properties: object) -> dict[str, object]:
    return {"ResourceDescription": {"Identifier": "the-id", "Properties": json.dumps(properties)}}


@pytest.mark.parametrize(
    ("resource_type", "by"), [(WORKSPACE, "sdk"), (WORKSPACE, "cc-api"), (QUEUE, "cc-api")]
)
def test_a_type_without_a_declaration_and_every_cloud_control_record_is_read_here(
    answers: Answers, resource_type: str, by: str
) -> None:
    answers[GET] = _answer(Alias="metrics")
    assert _read(resource_type, by) == Live({"Alias": "metrics"})
    assert answers.asked(GET) == [{"TypeName": resource_type, "Identifier": "the-id"}]


def test_tags_come_as_from_every_other_reader(answers: Answers) -> None:
    tags = [{"Key": "b", "Value": "2"}, {"Key": "aws:cdk:path", "Value": "x"}, {"Key": "a", "Value": "1"}]
    answers[GET] = _answer(Tags=tags)
    assert _read(WORKSPACE, "cc-api") == Live(
        {"Tags": [{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}]}
    )


def test_not_found_is_a_deletion_only_where_the_id_is_cloud_controls_own(answers: Answers) -> None:
    answers.fails(GET, "ResourceNotFoundException")
    assert _read(WORKSPACE, "cc-api") == Gone()
    assert isinstance(_read(WORKSPACE, "sdk"), Unsupported)


def test_an_id_of_another_form_is_no_failure_of_the_read_unless_it_is_cloud_controls_own(
    answers: Answers,
) -> None:
    answers.fails(GET, "ValidationException")
    assert isinstance(_read(WORKSPACE, "sdk"), Unsupported)
    assert isinstance(_read(WORKSPACE, "cc-api"), Unreadable)


@pytest.mark.parametrize("code", ["UnsupportedActionException", "TypeNotFoundException"])
def test_a_type_that_cloud_control_cannot_read_is_drift_unknown(answers: Answers, code: str) -> None:
    answers.fails(GET, code)
    assert isinstance(_read(WORKSPACE, "cc-api"), Unsupported)


def test_a_denied_read_names_the_action_and_is_never_a_deletion(answers: Answers) -> None:
    answers.fails(GET, "AccessDeniedException", status=403)
    result = _read(WORKSPACE, "cc-api")
    assert isinstance(result, Unreadable)
    assert result.action == "cloudformation:GetResource"
    assert "Grant cloudformation:GetResource" in result.reason


@pytest.mark.parametrize(
    "code", ["ThrottlingException", "HandlerInternalFailureException", "GeneralServiceException"]
)
def test_a_failing_handler_is_a_failed_read(answers: Answers, code: str) -> None:
    answers.fails(GET, code)
    result = _read(WORKSPACE, "cc-api")
    assert isinstance(result, Unreadable)
    assert result.code == code


@pytest.mark.parametrize(
    "answer", [{}, {"ResourceDescription": {}}, {"ResourceDescription": {"Properties": "{"}}]
)
def test_an_answer_without_the_resource_is_a_failed_read(answers: Answers, answer: dict[str, object]) -> None:
    answers[GET] = answer
    assert isinstance(_read(WORKSPACE, "cc-api"), Unreadable)


def test_a_nested_stack_is_never_compared(answers: Answers) -> None:
    assert isinstance(_read("AWS::CloudFormation::Stack", "cc-api"), Unsupported)
    assert answers.calls == []
