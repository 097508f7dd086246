"""The methods of an API, the tree that they stand in, and its deployments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.apigateway.patch import GONE, REST_API, elements, entries, members, patch, replace
from driftwarden.resources.spec import By, Call, Caution, ResourceType, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_WITH_AUTHORIZER: Final = frozenset({"CUSTOM", "COGNITO_USER_POOLS"})

RESOURCE = ResourceType(
    name="AWS::ApiGateway::Resource",
    service="apigateway",
    gone=GONE,
    calls=(Call("GetResource", {"restApiId": REST_API, "resourceId": "{id}"}),),
    camel=("ParentId", "PathPart"),
    fields={"RestApiId": "props.RestApiId"},
    placeholders={"ParentId": ""},
)

DEPLOYMENT = ResourceType(
    name="AWS::ApiGateway::Deployment",
    service="apigateway",
    gone=GONE,
    calls=(Call("GetDeployment", {"restApiId": REST_API, "deploymentId": "{id}"}),),
    camel=("Description",),
    fields={"RestApiId": "props.RestApiId"},
    placeholders={"Description": ""},
)


def _authorizer(reading: Reading) -> Any:
    """Methods without an authorizer of their own may still answer the last one they had."""
    if reading.get("main.authorizationType") not in _WITH_AUTHORIZER:
        return ABSENT
    return reading.get("main.authorizerId", "")


_INTEGRATION_PATHS: Final = {
    name: f"/{name}"
    for name in (
        "cacheNamespace",
        "connectionId",
        "connectionType",
        "contentHandling",
        "credentials",
        "httpMethod",
        "passthroughBehavior",
        "timeoutInMillis",
        "uri",
    )
}
_INTEGRATION_MAPS: Final = ("requestParameters", "requestTemplates")


def _authorize(update: Update) -> None:
    """An authorizer counts only with the kinds that have one."""
    operations = [replace("/authorizationType", update.desired["AuthorizationType"])]
    if update.desired["AuthorizationType"] in _WITH_AUTHORIZER:
        operations.append(replace("/authorizerId", update.desired.get("AuthorizerId", "")))
    patch(update, "UpdateMethod", _method(update), operations)


def _update_integration(update: Update) -> None:
    """A patch keeps the integration's responses; putting it anew would drop them. What a patch cannot change
    refuses the whole.
    """
    desired, live = ((bag.get("Integration") or {}) for bag in (update.desired, update.live))
    known = {*_INTEGRATION_PATHS, *_INTEGRATION_MAPS, "cacheKeyParameters"}
    fixed = sorted(name for name in {*desired, *live} - known if desired.get(name) != live.get(name))
    lost = sorted(name for name in _INTEGRATION_PATHS if live.get(name) and not desired.get(name))
    if fixed or lost:
        raise UpdateFailed(f"AWS offers no update of {', '.join(fixed + lost)} in place")
    operations = [
        *members(desired, live, _INTEGRATION_PATHS, {}),
        *(op for name in _INTEGRATION_MAPS for op in entries(f"/{name}", desired.get(name), live.get(name))),
        *elements("/cacheKeyParameters", desired.get("cacheKeyParameters"), live.get("cacheKeyParameters")),
    ]
    patch(update, "UpdateIntegration", _method(update), operations)


def _method(update: Update) -> dict[str, str]:
    api, resource, method = update.parts
    return {"restApiId": api, "resourceId": resource, "httpMethod": method}


METHOD = ResourceType(
    name="AWS::ApiGateway::Method",
    service="apigateway",
    id_parts=3,
    gone=GONE,
    calls=(Call("GetMethod", {"restApiId": "{id.0}", "resourceId": "{id.1}", "httpMethod": "{id.2}"}),),
    camel=("HttpMethod", "AuthorizationType", "MethodResponses"),
    fields={
        "RestApiId": "id.0",
        "ResourceId": "id.1",
        "AuthorizerId": _authorizer,
        "Integration": "main.methodIntegration",
    },
    placeholders={"Integration": {}, "MethodResponses": {}},
    writes=(
        By(_authorize, ("AuthorizationType", "AuthorizerId"), (Write("UpdateMethod"),), unsets=False),
        By(_update_integration, ("Integration",), (Write("UpdateIntegration"),), unsets=False),
    ),
    warns={
        "AuthorizationType": Caution("everybody can call the method once it is deployed", becomes("NONE")),
        "Integration": "callers see it after the next deployment of the stage",
    },
)
