"""APIs and where they are reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import tag_list, tag_map
from driftwarden.errors import UpdateFailed
from driftwarden.model import ABSENT
from driftwarden.resources.apigatewayv2.shared import API_ID, GONE, is_set, merged, only_if
from driftwarden.resources.spec import By, Call, Caution, From, ResourceType, Tags, To, Write, becomes

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update


def _declared_deployment(reading: Reading) -> Any:
    """With automatic deployment AWS moves the stage on to ever new deployments by itself."""
    return reading.get("main.DeploymentId") if "DeploymentId" in reading.properties else ABSENT


def _api_arn(reading: Reading) -> str:
    """API Gateway answers no ARNs; its ARNs hold no account."""
    from botocore.session import get_session

    partition = get_session().get_partition_for_region(reading.region)
    return f"arn:{partition}:apigateway:{reading.region}::/apis/{reading.id}"


API = ResourceType(
    name="AWS::ApiGatewayV2::Api",
    service="apigatewayv2",
    gone=GONE,
    calls=(Call("GetApi", {"ApiId": "{id}"}),),
    same=("Name", "Description", "ProtocolType", "DisableExecuteApiEndpoint", "Version", "IpAddressType"),
    fields={
        "CorsConfiguration": only_if("ProtocolType", "HTTP", "CorsConfiguration", {}),
        "RouteSelectionExpression": only_if("ProtocolType", "WEBSOCKET", "RouteSelectionExpression"),
        "ApiKeySelectionExpression": only_if("ProtocolType", "WEBSOCKET", "ApiKeySelectionExpression"),
        "Tags": From("main.Tags", tag_list, default=[]),
    },
    placeholders={"Name": "", "Description": ""},
    writes=(
        Write(
            "UpdateApi",
            {"ApiId": "{id}"},
            same=("Name", "Description", "DisableExecuteApiEndpoint", "Version", "IpAddressType"),
            sets={
                name: To(name)
                for name in ("CorsConfiguration", "RouteSelectionExpression", "ApiKeySelectionExpression")
            },
            unset={"Description": "", "Version": "", "DisableExecuteApiEndpoint": False},
        ),
        Write("DeleteCorsConfiguration", {"ApiId": "{id}"}, removes=("CorsConfiguration",)),
        Tags(
            "TagResource",
            "UntagResource",
            {"ResourceArn": _api_arn},
            pairs=tag_map,
            actions=("apigateway:POST", "apigateway:DELETE"),
        ),
    ),
    warns={
        "CorsConfiguration": "other web origins than now can call the API",
        "DisableExecuteApiEndpoint": Caution("the default endpoint answers again", becomes(False)),
    },
)


def _update_stage(update: Update) -> None:
    """Route settings of one route go by a call of their own, which is the only way to lose single ones."""
    stage = {"ApiId": update.fill(API_ID), "StageName": update.id}
    request = {name: update.desired[name] for name in _STAGE_MEMBERS if is_set(update, name)}
    request |= {name: nothing for name, nothing in _STAGE_UNSET.items() if _is_emptied(update, name)}
    if "DeploymentId" in request and update.wanted("AutoDeploy") is True:
        raise UpdateFailed("the stage deploys automatically, so its deployment cannot be chosen")
    if "StageVariables" in update.drifted:
        request["StageVariables"] = merged(update, "StageVariables", "")
    if _is_emptied(update, "AccessLogSettings"):
        update.call("DeleteAccessLogSettings", stage)
    for route in _routes_to_reset(update):
        update.call("DeleteRouteSettings", {**stage, "RouteKey": route}, done=GONE)
    if request:
        update.call("UpdateStage", {**stage, **request})


def _is_emptied(update: Update, name: str) -> bool:
    return name in update.drifted and update.unset(name)


def _routes_to_reset(update: Update) -> list[str]:
    """The routes that have a setting now which the record does not give them."""
    if "RouteSettings" not in update.drifted:
        return []
    desired, live = (bag.get("RouteSettings") or {} for bag in (update.desired, update.live))
    return sorted(
        route for route, settings in live.items() if settings.keys() - desired.get(route, {}).keys()
    )


_STAGE_MEMBERS: Final = (
    "AutoDeploy",
    "Description",
    "DefaultRouteSettings",
    "AccessLogSettings",
    "ClientCertificateId",
    "RouteSettings",
    "DeploymentId",
)
_STAGE_UNSET: Final = {
    "AutoDeploy": False,
    "Description": "",
    "DefaultRouteSettings": {"DetailedMetricsEnabled": False},
    "ClientCertificateId": "",
}

STAGE = ResourceType(
    name="AWS::ApiGatewayV2::Stage",
    service="apigatewayv2",
    gone=GONE,
    calls=(Call("GetStage", {"ApiId": API_ID, "StageName": "{id}"}),),
    same=(
        "StageName",
        "AutoDeploy",
        "Description",
        "StageVariables",
        "DefaultRouteSettings",
        "AccessLogSettings",
        "ClientCertificateId",
        "RouteSettings",
    ),
    fields={"ApiId": "props.ApiId", "DeploymentId": _declared_deployment},
    placeholders={"AutoDeploy": False, "Description": ""},
    writes=(
        By(
            _update_stage,
            (*_STAGE_MEMBERS, "StageVariables"),
            (Write("UpdateStage"), Write("DeleteAccessLogSettings"), Write("DeleteRouteSettings")),
        ),
    ),
    refuses={
        "DeploymentId": Caution("a stage cannot be without a deployment", lambda desired, _: not desired)
    },
    warns={"DeploymentId": "what was deployed since then is rolled back"},
)
