"""AWS Step Functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import dig
from driftwarden.convert import Converter, each, json_document, pick, tag_list
from driftwarden.model import ABSENT
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import By, Call, From, ResourceType, Tags, To, Write

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update

_ALL_STREAMS: Final = ":*"


def _destination(value: dict[str, Any]) -> dict[str, Any]:
    arn = dig(value, "cloudWatchLogsLogGroup.logGroupArn")
    return {} if arn in (ABSENT, "") else {"CloudWatchLogsLogGroup": {"LogGroupArn": arn}}


def _log_group(value: dict[str, Any]) -> dict[str, Any]:
    """Step Functions wants the ARN that stands for all streams of the log group."""
    arn = dig(value, "CloudWatchLogsLogGroup.LogGroupArn")
    if arn in (ABSENT, ""):
        return {}
    return {"cloudWatchLogsLogGroup": {"logGroupArn": f"{str(arn).removesuffix(_ALL_STREAMS)}{_ALL_STREAMS}"}}


def _tracing(enabled: Any) -> dict[str, Any]:
    return {"Enabled": enabled}


def _define(update: Update) -> None:
    """A template may hold the definition as text, with names in it that its substitutions give values to."""
    name = "DefinitionString" if "DefinitionString" in update.drifted else "Definition"
    text = json_document.write(update.desired[name])
    for key, value in update.reading.properties.get("DefinitionSubstitutions", {}).items():
        text = text.replace(f"${{{key}}}", str(value))
    machine = {"stateMachineArn": update.id, "roleArn": update.desired["RoleArn"]}
    update.call("UpdateStateMachine", {**machine, "definition": text})


STATE_MACHINE = ResourceType(
    name="AWS::StepFunctions::StateMachine",
    service="stepfunctions",
    gone=("StateMachineDoesNotExist",),
    calls=(
        Call("DescribeStateMachine", {"stateMachineArn": "{id}"}),
        Call(
            "ListTagsForResource",
            {"resourceArn": "{id}"},
            at="tags",
            into="tags",
            absent=("ResourceNotFound", "StateMachineDoesNotExist"),
        ),
    ),
    camel=("RoleArn",),
    fields={
        "StateMachineName": "main.name",
        "StateMachineType": "main.type",
        "Definition": From("main.definition", json_document),
        "LoggingConfiguration": From(
            "main.loggingConfiguration",
            pick(
                Level="level",
                IncludeExecutionData="includeExecutionData",
                Destinations=("destinations", each(Converter(read=_destination, write=_log_group))),
            ),
            default={},
        ),
        "TracingConfiguration": From(
            "main.tracingConfiguration.enabled", _tracing, default={"Enabled": False}
        ),
        "EncryptionConfiguration": From(
            "main.encryptionConfiguration",
            pick(
                Type="type",
                KmsKeyId="kmsKeyId",
                KmsDataKeyReusePeriodSeconds="kmsDataKeyReusePeriodSeconds",
            ),
            default={},
        ),
        "Tags": From("tags", tag_list, default=[]),
    },
    compared=TypeFacts(
        alternates={"Definition": "DefinitionString", "DefinitionString": "Definition"},
        substitutions=dict.fromkeys(("Definition", "DefinitionString"), "DefinitionSubstitutions"),
        defaults={"StateMachineType": "STANDARD", "LoggingConfiguration.IncludeExecutionData": False},
    ),
    writes=(
        By(_define, ("Definition", "DefinitionString"), (Write("UpdateStateMachine"),), unsets=False),
        # The call is refused without a definition or a role.
        Write(
            "UpdateStateMachine",
            {"stateMachineArn": "{id}", "roleArn": "{main.roleArn}"},
            camel=("RoleArn", "LoggingConfiguration", "EncryptionConfiguration"),
            sets={"TracingConfiguration": To("tracingConfiguration.enabled", lambda value: value["Enabled"])},
            unset={
                "LoggingConfiguration": {"Level": "OFF", "IncludeExecutionData": False, "Destinations": []},
                "EncryptionConfiguration": {"Type": "AWS_OWNED_KEY"},
                "TracingConfiguration": {"Enabled": False},
            },
        ),
        Tags(
            "TagResource",
            "UntagResource",
            {"resourceArn": "{id}"},
            pairs_at="tags",
            keys_at="tagKeys",
            pairs=lambda tags: [{"key": tag["Key"], "value": tag["Value"]} for tag in tag_list(tags)],
        ),
    ),
    warns={
        "Definition": "a definition that was deployed since then is lost; running executions keep it",
        "DefinitionString": "a definition that was deployed since then is lost; running executions keep it",
        "EncryptionConfiguration": "executions and their readers need the other key",
    },
)

TYPES = (STATE_MACHINE,)
