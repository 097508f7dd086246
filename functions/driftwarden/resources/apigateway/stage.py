"""Where an API is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import capitalised, pick
from driftwarden.model import ABSENT
from driftwarden.resources.apigateway.patch import (
    GONE,
    REST_API,
    Operation,
    drifted_sides,
    entries,
    members,
    patch,
)
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update


def _method_settings(reading: Reading) -> Any:
    """AWS answers a full set of settings per method; the template declares some of them for some methods."""
    answers = reading.get("main.methodSettings", {})
    declared = reading.properties.get("MethodSettings")
    if not isinstance(declared, list) or not declared:
        return ABSENT
    return [_method_setting(entry, answers) for entry in declared]


def _method_key(declared: Mapping[str, Any]) -> tuple[str, str]:
    """How AWS names the methods that a setting is for: `~1` is the root, `*/*` are all."""
    path = declared.get("ResourcePath", "/*")
    return "~1" if path == "/" else path.removeprefix("/"), declared.get("HttpMethod", "*")


def _method_setting(declared: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    answer = answers.get("/".join(_method_key(declared)), {})
    setting = {name: declared[name] for name in ("ResourcePath", "HttpMethod") if name in declared}
    for name in declared.keys() - setting.keys():
        value = answer.get(f"{name[0].lower()}{name[1:]}")
        if value is not None:
            setting[name] = value
    return setting


_STAGE_PATHS: Final = {
    "DeploymentId": "/deploymentId",
    "Description": "/description",
    "TracingEnabled": "/tracingEnabled",
    "CacheClusterEnabled": "/cacheClusterEnabled",
    "CacheClusterSize": "/cacheClusterSize",
    "ClientCertificateId": "/clientCertificateId",
    "DocumentationVersion": "/documentationVersion",
}
_STAGE_UNSET: Final = {
    "Description": "",
    "TracingEnabled": False,
    "CacheClusterEnabled": False,
    "ClientCertificateId": "",
    "DocumentationVersion": "",
}
_LOG_PATHS: Final = {
    "DestinationArn": "/accessLogSettings/destinationArn",
    "Format": "/accessLogSettings/format",
}
_CANARY_PATHS: Final = {
    "DeploymentId": "/canarySettings/deploymentId",
    "PercentTraffic": "/canarySettings/percentTraffic",
    "UseStageCache": "/canarySettings/useStageCache",
}
_SETTING_PATHS: Final = {
    "LoggingLevel": "logging/loglevel",
    "DataTraceEnabled": "logging/dataTrace",
    "MetricsEnabled": "metrics/enabled",
    "ThrottlingBurstLimit": "throttling/burstLimit",
    "ThrottlingRateLimit": "throttling/rateLimit",
    "CachingEnabled": "caching/enabled",
    "CacheTtlInSeconds": "caching/ttlInSeconds",
    "CacheDataEncrypted": "caching/dataEncrypted",
}


def _update_stage(update: Update) -> None:
    """One patch: what belongs together, as a log's destination and format, is only taken together."""
    desired, live = drifted_sides(update)
    operations = [
        *members(desired, live, _STAGE_PATHS, _STAGE_UNSET),
        *entries("/variables", desired.get("Variables"), live.get("Variables")),
        *_access_log(desired.get("AccessLogSetting"), live.get("AccessLogSetting")),
        *_canary(desired.get("CanarySetting"), live.get("CanarySetting")),
        *_settings(desired.get("MethodSettings"), live.get("MethodSettings")),
    ]
    target = {"restApiId": update.fill(REST_API), "stageName": update.id}
    patch(update, "UpdateStage", target, operations)


def _access_log(desired: Mapping[str, Any] | None, live: Mapping[str, Any] | None) -> Iterator[Operation]:
    if desired:
        yield from members(desired, live or {}, _LOG_PATHS, {"Format": ""})
    elif live:
        yield {"op": "remove", "path": "/accessLogSettings"}


def _canary(desired: Mapping[str, Any] | None, live: Mapping[str, Any] | None) -> Iterator[Operation]:
    if desired:
        now = live or {}
        yield from members(desired, now, _CANARY_PATHS, {"PercentTraffic": 0, "UseStageCache": False})
        overrides = (side.get("StageVariableOverrides") for side in (desired, now))
        yield from entries("/canarySettings/stageVariableOverrides", *overrides)
    elif live:
        yield {"op": "remove", "path": "/canarySettings"}


def _settings(desired: list[Any] | None, live: list[Any] | None) -> Iterator[Operation]:
    """Each recorded entry has a live one; an entry that AWS lost comes without settings."""
    found = {_method_key(entry): entry for entry in live or ()}
    for entry in desired or ():
        resource, method = key = _method_key(entry)
        paths = {
            name: f"/{resource.replace('/', '~1')}/{method}/{path}" for name, path in _SETTING_PATHS.items()
        }
        yield from members(entry, found.get(key, {}), paths, {})


STAGE = ResourceType(
    name="AWS::ApiGateway::Stage",
    service="apigateway",
    gone=GONE,
    calls=(Call("GetStage", {"restApiId": REST_API, "stageName": "{id}"}),),
    camel=(
        "StageName",
        "DeploymentId",
        "Description",
        "TracingEnabled",
        "Variables",
        "CacheClusterEnabled",
        "CacheClusterSize",
        "ClientCertificateId",
        "DocumentationVersion",
    ),
    fields={
        "RestApiId": "props.RestApiId",
        "AccessLogSetting": From(
            "main.accessLogSettings", pick(DestinationArn="destinationArn", Format="format")
        ),
        "CanarySetting": From("main.canarySettings", capitalised("stageVariableOverrides")),
        "MethodSettings": _method_settings,
    },
    placeholders={"DeploymentId": "", "Description": ""},
    writes=(
        By(
            _update_stage,
            (*_STAGE_PATHS, "Variables", "AccessLogSetting", "CanarySetting", "MethodSettings"),
            (Write("UpdateStage"),),
        ),
    ),
    refuses={
        "DeploymentId": Caution("a stage cannot be without a deployment", lambda desired, _: not desired)
    },
    warns={
        "DeploymentId": "what was deployed since then is rolled back",
        "CacheClusterEnabled": "the cache is emptied, and being changed for minutes",
        "CacheClusterSize": "the cache is emptied, and being changed for minutes",
        "CanarySetting": Caution("a running canary ends", lambda desired, _: not desired),
    },
)
