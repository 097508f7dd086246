"""Who can call an API, and the role that logs calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from driftwarden.resources.apigateway.patch import (
    GONE,
    REST_API,
    drifted_sides,
    elements,
    members,
    patch,
    replace,
)
from driftwarden.resources.comparing import TypeFacts
from driftwarden.resources.spec import By, Call, From, ResourceType, Write

if TYPE_CHECKING:
    from driftwarden.remedy.update import Update


def _set_account_role(update: Update) -> None:
    """One role serves all APIs of the region."""
    patch(update, "UpdateAccount", {}, [replace("/cloudwatchRoleArn", update.desired["CloudWatchRoleArn"])])


ACCOUNT = ResourceType(
    name="AWS::ApiGateway::Account",
    service="apigateway",
    gone=GONE,
    calls=(Call("GetAccount"),),
    fields={"CloudWatchRoleArn": From("main.cloudwatchRoleArn", default="")},
    writes=(By(_set_account_role, ("CloudWatchRoleArn",), (Write("UpdateAccount"),), unsets=False),),
    warns={"CloudWatchRoleArn": "all APIs of the region, also those of other stacks, log with that role"},
)

_AUTHORIZER_PATHS: Final = {
    "Name": "/name",
    "AuthType": "/authType",
    "AuthorizerUri": "/authorizerUri",
    "AuthorizerCredentials": "/authorizerCredentials",
    "AuthorizerResultTtlInSeconds": "/authorizerResultTtlInSeconds",
    "IdentitySource": "/identitySource",
    "IdentityValidationExpression": "/identityValidationExpression",
}
_AUTHORIZER_UNSET: Final = {
    "AuthorizerCredentials": "",
    "AuthorizerResultTtlInSeconds": 300,
    "IdentityValidationExpression": "",
}


def _update_authorizer(update: Update) -> None:
    """User pools are added and taken away one by one."""
    desired, live = drifted_sides(update)
    operations = [
        *members(desired, live, _AUTHORIZER_PATHS, _AUTHORIZER_UNSET),
        *elements("/providerARNs", desired.get("ProviderARNs"), live.get("ProviderARNs")),
    ]
    target = {"restApiId": update.fill(REST_API), "authorizerId": update.id}
    patch(update, "UpdateAuthorizer", target, operations)


AUTHORIZER = ResourceType(
    name="AWS::ApiGateway::Authorizer",
    service="apigateway",
    gone=GONE,
    calls=(Call("GetAuthorizer", {"restApiId": REST_API, "authorizerId": "{id}"}),),
    camel=(
        "Name",
        "Type",
        "AuthType",
        "AuthorizerUri",
        "AuthorizerCredentials",
        "AuthorizerResultTtlInSeconds",
        "IdentitySource",
        "IdentityValidationExpression",
        "ProviderARNs",
    ),
    fields={"RestApiId": "props.RestApiId"},
    placeholders={
        "Name": "",
        "AuthorizerUri": "",
        "AuthorizerCredentials": "",
        "IdentitySource": "",
        "IdentityValidationExpression": "",
        "ProviderARNs": [],
    },
    writes=(By(_update_authorizer, (*_AUTHORIZER_PATHS, "ProviderARNs"), (Write("UpdateAuthorizer"),)),),
    warns={
        "AuthorizerUri": "another function than now decides who can call the API",
        "ProviderARNs": "users of other pools than now can call the API",
    },
)

FACTS = {
    "AWS::ApiGateway::RestApi": TypeFacts(users_own=("Policy",)),
}
