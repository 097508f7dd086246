"""Which requests an API takes, and who can make them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.apigatewayv2.shared import API_ID, GONE, is_set, merged, only_if
from driftwarden.resources.spec import By, Call, Caution, ResourceType, To, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update


def _if_authorized(member: str, default: Any) -> Callable[[Reading], Any]:
    """Routes without authorization may still answer what an earlier one had."""

    def read(reading: Reading) -> Any:
        kind = reading.get("main.AuthorizationType", "NONE")
        return ABSENT if kind == "NONE" else reading.get(f"main.{member}", default)

    return read


def _authorize(update: Update) -> None:
    """What authorizes a route changes together; a route without a recorded kind is never opened."""
    kind = update.wanted("AuthorizationType")
    if update.unset("AuthorizationType"):
        raise UpdateFailed("the record does not say how the route is authorized")
    request = {**_route(update), "AuthorizationType": kind}
    if kind in _WITH_AUTHORIZER:
        request["AuthorizerId"] = update.desired.get("AuthorizerId", "")
    if kind == "JWT":
        request["AuthorizationScopes"] = update.desired.get("AuthorizationScopes") or []
    update.call("UpdateRoute", request)


def _map_route(update: Update) -> None:
    """Parameters have a delete call; a model is taken away by an empty name."""
    desired, live = (bag.get("RequestParameters") or {} for bag in (update.desired, update.live))
    request = {}
    if is_set(update, "RequestParameters"):
        request["RequestParameters"] = desired
    if "RequestModels" in update.drifted:
        request["RequestModels"] = merged(update, "RequestModels", "")
    if request:
        update.call("UpdateRoute", {**_route(update), **request})
    for key in sorted(live.keys() - desired.keys()):
        parameter = {**_route(update), "RequestParameterKey": key}
        update.call("DeleteRouteRequestParameter", parameter, done=GONE)


def _route(update: Update) -> dict[str, Any]:
    return {"ApiId": update.fill(API_ID), "RouteId": update.id}


_WITH_AUTHORIZER: Final = frozenset({"JWT", "CUSTOM"})

ROUTE = ResourceType(
    name="AWS::ApiGatewayV2::Route",
    service="apigatewayv2",
    gone=GONE,
    calls=(Call("GetRoute", {"ApiId": API_ID, "RouteId": "{id}"}),),
    same=(
        "RouteKey",
        "Target",
        "AuthorizationType",
        "ApiKeyRequired",
        "OperationName",
        "ModelSelectionExpression",
        "RequestModels",
        "RequestParameters",
        "RouteResponseSelectionExpression",
    ),
    fields={
        "ApiId": "props.ApiId",
        "AuthorizerId": _if_authorized("AuthorizerId", ""),
        "AuthorizationScopes": _if_authorized("AuthorizationScopes", []),
    },
    placeholders={"Target": "", "AuthorizationType": "NONE", "ApiKeyRequired": False},
    writes=(
        By(
            _authorize,
            ("AuthorizationType", "AuthorizerId", "AuthorizationScopes"),
            (Write("UpdateRoute"),),
        ),
        Write(
            "UpdateRoute",
            {"ApiId": API_ID, "RouteId": "{id}"},
            same=(
                "RouteKey",
                "Target",
                "ApiKeyRequired",
                "OperationName",
                "ModelSelectionExpression",
                "RouteResponseSelectionExpression",
            ),
            unset={"Target": "", "ApiKeyRequired": False, "OperationName": ""},
        ),
        By(
            _map_route,
            ("RequestParameters", "RequestModels"),
            (Write("UpdateRoute"), Write("DeleteRouteRequestParameter")),
        ),
    ),
    refuses={
        "AuthorizationType": Caution(
            "the record does not say how the route is authorized", lambda desired, _: not desired
        )
    },
    warns={
        "AuthorizationType": Caution("everybody can call the route", becomes("NONE")),
        "ApiKeyRequired": Caution("the route can be called without an API key", becomes(False)),
    },
)

_OF_ONE_KIND: Final = (
    "JwtConfiguration",
    "AuthorizerUri",
    "AuthorizerPayloadFormatVersion",
    "AuthorizerCredentialsArn",
    "AuthorizerResultTtlInSeconds",
    "EnableSimpleResponses",
    "IdentityValidationExpression",
)

AUTHORIZER = ResourceType(
    name="AWS::ApiGatewayV2::Authorizer",
    service="apigatewayv2",
    gone=GONE,
    calls=(Call("GetAuthorizer", {"ApiId": API_ID, "AuthorizerId": "{id}"}),),
    same=("AuthorizerType", "Name", "IdentitySource"),
    fields={
        "ApiId": "props.ApiId",
        "JwtConfiguration": only_if("AuthorizerType", "JWT", "JwtConfiguration", {}),
        "AuthorizerUri": only_if("AuthorizerType", "REQUEST", "AuthorizerUri", ""),
        "AuthorizerPayloadFormatVersion": only_if(
            "AuthorizerType", "REQUEST", "AuthorizerPayloadFormatVersion", ""
        ),
        "AuthorizerCredentialsArn": only_if("AuthorizerType", "REQUEST", "AuthorizerCredentialsArn"),
        "AuthorizerResultTtlInSeconds": only_if("AuthorizerType", "REQUEST", "AuthorizerResultTtlInSeconds"),
        "EnableSimpleResponses": only_if("AuthorizerType", "REQUEST", "EnableSimpleResponses"),
        "IdentityValidationExpression": only_if("AuthorizerType", "REQUEST", "IdentityValidationExpression"),
    },
    placeholders={"Name": "", "IdentitySource": []},
    writes=(
        Write(
            "UpdateAuthorizer",
            {"ApiId": API_ID, "AuthorizerId": "{id}"},
            same=("AuthorizerType", "Name", "IdentitySource"),
            sets={name: To(name) for name in _OF_ONE_KIND},
            unset={"EnableSimpleResponses": False, "IdentityValidationExpression": ""},
        ),
    ),
    warns={
        "JwtConfiguration": "tokens of other issuers or audiences than now are accepted",
        "AuthorizerUri": "another function than now decides who can call the routes",
    },
)
