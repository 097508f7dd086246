"""Bedrock AgentCore runtimes and evaluators."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable

RUNTIME = "AWS::BedrockAgentCore::Runtime"
EVALUATOR = "AWS::BedrockAgentCore::Evaluator"
EVALUATOR_ARN = "arn:aws:bedrock-agentcore:eu-central-1:111122223333:evaluator/judge-1"
SERVICE = "bedrock-agentcore-control"


@pytest.fixture
def agentcore(answers: Any) -> Any:
    answers[f"{SERVICE}:GetAgentRuntime"] = {
        "agentRuntimeName": "agent",
        "roleArn": "arn:role",
        "networkConfiguration": {"networkMode": "PUBLIC"},
        "protocolConfiguration": {"serverProtocol": "MCP"},
        "environmentVariables": {"stage": "prod"},
        "status": "READY",
    }
    fields = {"additionalModelRequestFields": {"topK": 5}}
    answers[f"{SERVICE}:GetEvaluator"] = {
        "evaluatorName": "judge",
        "level": "TRACE",
        "evaluatorConfig": {"llmAsAJudge": {"modelConfig": {"bedrockEvaluatorModelConfig": fields}}},
    }
    answers[f"{SERVICE}:ListTagsForResource"] = {"tags": {"team": "web"}}
    return answers


def test_a_runtime_keeps_the_names_of_its_variables(agentcore: Any, read: Any) -> None:
    assert read(RUNTIME, "agent-1") == Live(
        {
            "AgentRuntimeName": "agent",
            "RoleArn": "arn:role",
            "Description": "",
            "NetworkConfiguration": {"NetworkMode": "PUBLIC"},
            "ProtocolConfiguration": "MCP",
            "EnvironmentVariables": {"stage": "prod"},
        }
    )


def test_an_evaluator_keeps_what_is_meant_for_the_model(agentcore: Any, read: Any) -> None:
    found = {"AdditionalModelRequestFields": {"topK": 5}}
    assert read(EVALUATOR, EVALUATOR_ARN) == Live(
        {
            "EvaluatorName": "judge",
            "Level": "TRACE",
            "Description": "",
            "EvaluatorConfig": {"LlmAsAJudge": {"ModelConfig": {"BedrockEvaluatorModelConfig": found}}},
            "Tags": [{"Key": "team", "Value": "web"}],
        }
    )
    assert agentcore.asked(f"{SERVICE}:GetEvaluator") == [{"evaluatorId": "judge-1"}]


@pytest.mark.parametrize(
    ("kind", "physical_id", "operation"),
    [(RUNTIME, "agent-1", "GetAgentRuntime"), (EVALUATOR, EVALUATOR_ARN, "GetEvaluator")],
)
def test_what_is_not_found_is_gone_and_what_is_denied_is_not(
    agentcore: Any, read: Any, kind: str, physical_id: str, operation: str
) -> None:
    agentcore.fails(f"{SERVICE}:{operation}", "ResourceNotFoundException", status=404)
    assert read(kind, physical_id) == Gone()

    agentcore.fails(f"{SERVICE}:{operation}", "AccessDeniedException", status=403)
    found = read(kind, physical_id)
    assert isinstance(found, Unreadable)
    assert found.action == f"bedrock-agentcore:{operation}"


def test_denied_tags_of_an_evaluator_name_the_permission(agentcore: Any, read: Any) -> None:
    agentcore.fails(f"{SERVICE}:ListTagsForResource", "AccessDeniedException", status=403)

    found = read(EVALUATOR, EVALUATOR_ARN)
    assert isinstance(found, Unreadable)
    assert found.action == "bedrock-agentcore:ListTagsForResource"


@pytest.mark.parametrize("kind", ["Browser", "CodeInterpreter"])
def test_types_that_cloudformation_does_not_know_have_no_properties(
    answers: Any, read: Any, kind: str
) -> None:
    assert read(f"AWS::BedrockAgentCore::{kind}", "x-1") == Live({})
    assert answers.calls == []
