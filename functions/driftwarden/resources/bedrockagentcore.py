"""Amazon Bedrock AgentCore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import capitalised
from driftwarden.resources.spec import Call, From, ResourceType

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_SERVICE: Final = "bedrock-agentcore-control"
_GONE = ("ResourceNotFoundException",)


def _protocol(configuration: Mapping[str, Any]) -> Any:
    """CloudFormation takes the protocol alone as well as the block around it."""
    if set(configuration) == {"serverProtocol"}:
        return configuration["serverProtocol"]
    return capitalised()(configuration)


RUNTIME = ResourceType(
    name="AWS::BedrockAgentCore::Runtime",
    service=_SERVICE,
    gone=_GONE,
    calls=(Call("GetAgentRuntime", {"agentRuntimeId": "{id}"}),),
    camel=("AgentRuntimeName", "RoleArn", "Description", "EnvironmentVariables"),
    fields={
        "AgentRuntimeArtifact": From("main.agentRuntimeArtifact", capitalised()),
        "NetworkConfiguration": From("main.networkConfiguration", capitalised()),
        "AuthorizerConfiguration": From("main.authorizerConfiguration", capitalised()),
        "LifecycleConfiguration": From("main.lifecycleConfiguration", capitalised()),
        "ProtocolConfiguration": From("main.protocolConfiguration", _protocol),
    },
    placeholders={"Description": ""},
)


def _evaluator_id(reading: Reading) -> str:
    return reading.id.rpartition(":evaluator/")[2]


def _tags_as_answered(tags: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


EVALUATOR = ResourceType(
    name="AWS::BedrockAgentCore::Evaluator",
    service=_SERVICE,
    gone=_GONE,
    calls=(
        Call("GetEvaluator", {"evaluatorId": _evaluator_id}),
        Call(
            "ListTagsForResource", {"resourceArn": "{id}"}, at="tags", into="tags", lacking={}, absent=_GONE
        ),
    ),
    camel=("EvaluatorName", "Level", "KmsKeyArn", "Description"),
    fields={
        "EvaluatorConfig": From("main.evaluatorConfig", capitalised("additionalModelRequestFields")),
        "Tags": From("tags", _tags_as_answered),
    },
    placeholders={"Description": ""},
)


def _unknown(reading: Reading) -> dict[str, Any]:
    """CloudFormation has no type of this name, so there are no properties that an answer could be held to."""
    return {}


BROWSER = ResourceType(name="AWS::BedrockAgentCore::Browser", service=_SERVICE, custom=_unknown)
CODE_INTERPRETER = ResourceType(
    name="AWS::BedrockAgentCore::CodeInterpreter", service=_SERVICE, custom=_unknown
)

TYPES = (BROWSER, CODE_INTERPRETER, EVALUATOR, RUNTIME)
