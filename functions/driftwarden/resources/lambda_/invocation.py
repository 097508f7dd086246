"""Who may invoke a Lambda function, at which address, and what becomes of asynchronous invocations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.answers import EmptyAnswer
from driftwarden.convert import completed
from driftwarden.model import ABSENT
from driftwarden.resources.spec import Call, Caution, From, ResourceType, To, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading

_GONE: Final = ("ResourceNotFoundException",)


def _statement(answer: Any, reading: Reading) -> Any:
    """The statement of the function's policy that AddPermission made, ABSENT if the policy lost it."""
    try:
        statements = json.loads(answer.get("Policy") or "")["Statement"]
    except (KeyError, TypeError, ValueError) as error:
        raise EmptyAnswer("lambda:GetPolicy", "a policy document") from error
    sid = reading.id.rsplit("|", 1)[-1]
    return next((s for s in statements if s.get("Sid") == sid), ABSENT)


def _first(value: Any) -> Any:
    if isinstance(value, list):
        return value[0] if value else ABSENT
    return value


def _principal(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kind = next((k for k in ("Service", "AWS", "Federated") if value.get(k)), "")
    return _first(value.get(kind, ABSENT))


def _source_arn(reading: Reading) -> Any:
    equals = reading.get("main.Condition.StringEquals.AWS:SourceArn")
    return _first(reading.get("main.Condition.ArnLike.AWS:SourceArn", equals))


# No writes: a statement made again needs another id, and by that id the record knows the resource.
PERMISSION = ResourceType(
    name="AWS::Lambda::Permission",
    service="lambda",
    gone=_GONE,
    calls=(Call("GetPolicy", {"FunctionName": "{props.FunctionName}"}, at=_statement),),
    fields={
        "FunctionName": "props.FunctionName",
        "Action": From("main.Action", _first),
        "Principal": From("main.Principal", _principal),
        "SourceArn": _source_arn,
        "SourceAccount": From("main.Condition.StringEquals.AWS:SourceAccount", _first),
        "PrincipalOrgID": From("main.Condition.StringEquals.aws:PrincipalOrgID", _first),
        "InvokedViaFunctionUrl": From(
            "main.Condition.Bool.lambda:InvokedViaFunctionUrl",
            lambda value: True if _first(value) == "true" else ABSENT,
        ),
    },
)


_CORS_LISTS: Final[Mapping[str, list[str]]] = {
    "AllowHeaders": [],
    "AllowMethods": [],
    "AllowOrigins": [],
    "ExposeHeaders": [],
}
_UNQUALIFIED_SEGMENTS: Final = 7


def _url_request(reading: Reading) -> dict[str, Any]:
    """An alias's address is found by its qualifier only; the physical id may or may not hold it."""
    qualifier = reading.get("props.Qualifier")
    if qualifier is ABSENT or len(reading.id.split(":")) > _UNQUALIFIED_SEGMENTS:
        return {"FunctionName": reading.id}
    return {"FunctionName": reading.id, "Qualifier": qualifier}


def _cors(value: Mapping[str, Any]) -> dict[str, Any]:
    """Empty lists stand for what is not configured; the structure without them is what resets it."""
    return {name: item for name, item in value.items() if item != []}


URL = ResourceType(
    name="AWS::Lambda::Url",
    service="lambda",
    gone=_GONE,
    calls=(Call("GetFunctionUrlConfig", _url_request),),
    same=("AuthType", "InvokeMode"),
    fields={
        "TargetFunctionArn": lambda reading: reading.id,
        "Cors": From("main.Cors", completed(_CORS_LISTS, "MaxAge", "AllowCredentials"), default=_CORS_LISTS),
    },
    writes=(
        Write(
            "UpdateFunctionUrlConfig",
            _url_request,
            same=("AuthType", "InvokeMode"),
            sets={"Cors": To("Cors", _cors)},
            unset={"InvokeMode": "BUFFERED", "Cors": {}},
        ),
    ),
    warns={
        "AuthType": Caution("anybody who knows the address can invoke the function", becomes("NONE")),
        "Cors": "pages of other origins than now can call the function",
    },
)

_LATEST: Final = "$LATEST"


def _qualifier(reading: Reading) -> str:
    return reading.parts[1] if len(reading.parts) > 1 else _LATEST


def _invoke_config_request(reading: Reading) -> dict[str, str]:
    function, qualifier = reading.parts[0], _qualifier(reading)
    return {"FunctionName": function} | ({} if qualifier == _LATEST else {"Qualifier": qualifier})


def _destinations(config: Any) -> Any:
    kept = {k: {"Destination": v["Destination"]} for k, v in config.items() if v and v.get("Destination")}
    return kept or ABSENT


EVENT_INVOKE_CONFIG = ResourceType(
    name="AWS::Lambda::EventInvokeConfig",
    service="lambda",
    gone=_GONE,
    calls=(Call("GetFunctionEventInvokeConfig", _invoke_config_request),),
    same=("MaximumEventAgeInSeconds", "MaximumRetryAttempts"),
    fields={
        "FunctionName": lambda reading: reading.parts[0],
        "Qualifier": _qualifier,
        "DestinationConfig": From("main.DestinationConfig", _destinations),
    },
    writes=(
        Write(
            "PutFunctionEventInvokeConfig",
            _invoke_config_request,
            same=("MaximumEventAgeInSeconds", "MaximumRetryAttempts"),
            sets={"DestinationConfig": To("DestinationConfig")},
            style="whole",
        ),
    ),
)
