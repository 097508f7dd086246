"""HTTP and WebSocket APIs: no route is opened that the record does not open, and removals are spelled out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import REGION, Life
from tests.lifecycle.gaps import fill
from tests.lifecycle.requests import a_record, sent, stopped

Calls = list[tuple[str, dict[str, Any]]]

CORS = {"AllowOrigins": ["https://shop.example"], "AllowMethods": ["GET"], "MaxAge": 60}
LOGS = {"DestinationArn": "arn:aws:logs:us-east-1:123456789012:log-group:/shop", "Format": "$requestId"}
JWT = {"Issuer": "https://id.example", "Audience": ["shop"]}


class Api:
    """The HTTP API under test, with a stage, an integration, an authorizer and a route."""

    def __init__(self, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
        self.life = life
        self.gateway = life.client("apigatewayv2")
        self.stage: dict[str, Any] = {
            "StageName": "live",
            "AutoDeploy": True,
            "StageVariables": {"shop": "1"},
        }
        fill(
            life,
            monkeypatch,
            {
                "GetStage": lambda p: dict(self.stage),
                "UpdateStage": self._update_stage,
                "DeleteAccessLogSettings": lambda p: self.stage.pop("AccessLogSettings") and None,
                "DeleteRouteSettings": lambda p: self.stage["RouteSettings"].pop(p["RouteKey"]) and None,
            },
        )
        made = self.gateway.create_api(
            Name="shop",
            ProtocolType="HTTP",
            CorsConfiguration=CORS,
            Description="the shop",
            Tags={"team": "shop", "cost": "7"},
        )
        self.id = str(made["ApiId"])
        self.api = {"ApiId": self.id}
        life.record("Api", "AWS::ApiGatewayV2::Api", self.id, {"Name": "shop", "ProtocolType": "HTTP"})

    def _update_stage(self, params: dict[str, Any]) -> None:
        for name in ("StageVariables", "RouteSettings"):
            merged = {**self.stage.get(name, {}), **params.get(name, {})}
            if merged:
                self.stage[name] = {key: value for key, value in merged.items() if value != ""}
        given = {k: v for k, v in params.items() if k not in ("ApiId", "StageVariables", "RouteSettings")}
        self.stage.update(given)

    def goes_round(self, logical_id: str, edit: Callable[[], object], *expect: str) -> Calls:
        return self.life.goes_round(logical_id, edit, expect=expect)


@pytest.fixture
def api(life: Life, monkeypatch: pytest.MonkeyPatch) -> Api:
    life.settings = ScanSettings(undeclared="drift")
    return Api(life, monkeypatch)


@pytest.mark.parametrize(
    ("edited", "expect", "member"),
    [
        ({"Description": "x"}, "Description", "Description"),
        ({"Name": "x"}, "Name", "Name"),
        ({"DisableExecuteApiEndpoint": True}, "DisableExecuteApiEndpoint", "DisableExecuteApiEndpoint"),
        (
            {"CorsConfiguration": {**CORS, "AllowOrigins": ["*"]}},
            "CorsConfiguration.AllowOrigins",
            "CorsConfiguration",
        ),
    ],
)
def test_a_change_of_an_api_goes_back_alone(
    api: Api, edited: dict[str, Any], expect: str, member: str
) -> None:
    ((operation, params),) = api.goes_round(
        "Api", lambda: api.gateway.update_api(ApiId=api.id, **edited), expect
    )
    assert (operation, set(params)) == ("UpdateApi", {"ApiId", member})


def test_cors_that_was_taken_away_comes_back(api: Api) -> None:
    paths = [f"CorsConfiguration.{name}" for name in sorted(CORS)]
    calls = api.goes_round("Api", lambda: api.gateway.delete_cors_configuration(ApiId=api.id), *paths)
    assert [name for name, _ in calls] == ["UpdateApi"]


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (lambda g, arn: g.tag_resource(ResourceArn=arn, Tags={"x": "1"}), "UntagResource"),
        (lambda g, arn: g.tag_resource(ResourceArn=arn, Tags={"team": "x"}), "TagResource"),
        (lambda g, arn: g.untag_resource(ResourceArn=arn, TagKeys=["cost"]), "TagResource"),
    ],
    ids=["added", "changed", "removed"],
)
def test_of_tags_only_the_difference_is_sent(
    api: Api, edit: Callable[[Any, str], object], written: str
) -> None:
    arn = f"arn:aws:apigateway:{REGION}::/apis/{api.id}"
    calls = api.goes_round("Api", lambda: edit(api.gateway, arn), "Tags")
    assert [(name, params["ResourceArn"]) for name, params in calls] == [(written, arn)]


API = a_record("AWS::ApiGatewayV2::Api", "a1")


def test_cors_that_was_recorded_empty_is_deleted() -> None:
    now = {"GetApi": {"ApiId": "a1", "ProtocolType": "HTTP", "CorsConfiguration": CORS}}
    assert sent(API, now, {"CorsConfiguration": {}}) == [("DeleteCorsConfiguration", {"ApiId": "a1"})]


def test_texts_that_were_recorded_empty_are_emptied() -> None:
    now = {"GetApi": {"ApiId": "a1", "ProtocolType": "HTTP", "Description": "x", "Version": "2"}}
    requests = sent(API, now, {"Description": "", "Version": ""})
    assert requests == [("UpdateApi", {"ApiId": "a1", "Description": "", "Version": ""})]


@pytest.fixture
def stage(api: Api) -> Api:
    api.stage |= {
        "AccessLogSettings": LOGS,
        "DefaultRouteSettings": {"DetailedMetricsEnabled": False},
        "RouteSettings": {"GET /a": {"ThrottlingBurstLimit": 5}},
    }
    template = {"ApiId": api.id, "StageName": "live"}
    api.life.record("Stage", "AWS::ApiGatewayV2::Stage", "live", template)
    return api


@pytest.mark.parametrize(
    ("edited", "expect", "expected"),
    [
        ({"AutoDeploy": False}, "AutoDeploy", {"AutoDeploy": True}),
        ({"Description": "x"}, "Description", {"Description": ""}),
        ({"StageVariables": {"shop": "2"}}, "StageVariables.shop", {"StageVariables": {"shop": "1"}}),
        (
            {"StageVariables": {"shop": "1", "x": "y"}},
            "StageVariables.x",
            {"StageVariables": {"shop": "1", "x": ""}},
        ),
        (
            {"AccessLogSettings": {**LOGS, "Format": "x"}},
            "AccessLogSettings.Format",
            {"AccessLogSettings": LOGS},
        ),
    ],
)
def test_a_change_of_a_stage_goes_back_alone(
    stage: Api, edited: dict[str, Any], expect: str, expected: dict[str, Any]
) -> None:
    calls = stage.goes_round("Stage", lambda: stage.stage.update(edited), expect)
    assert calls == [("UpdateStage", {"ApiId": stage.id, "StageName": "live", **expected})]


def test_route_settings_that_are_not_recorded_are_deleted_first(stage: Api) -> None:
    settings = {"GET /a": {"ThrottlingBurstLimit": 5}, "GET /b": {"ThrottlingBurstLimit": 1}}
    calls = stage.goes_round(
        "Stage", lambda: stage.stage.update(RouteSettings=settings), "RouteSettings.GET /b"
    )
    assert calls[0] == ("DeleteRouteSettings", {"ApiId": stage.id, "StageName": "live", "RouteKey": "GET /b"})


STAGE = a_record("AWS::ApiGatewayV2::Stage", "live", ApiId="a1", DeploymentId="d1")
AT = {"ApiId": "a1", "StageName": "live"}


def test_access_logs_that_were_recorded_empty_are_deleted() -> None:
    now = {"GetStage": {"StageName": "live", "AccessLogSettings": LOGS}}
    assert sent(STAGE, now, {"AccessLogSettings": {}}) == [("DeleteAccessLogSettings", AT)]


def test_a_stage_that_deploys_by_itself_keeps_its_deployment() -> None:
    now = {"GetStage": {"StageName": "live", "AutoDeploy": True, "DeploymentId": "d2"}}
    assert stopped(STAGE, now, {"DeploymentId": "d1"}, because="deploys automatically") == []


def test_an_earlier_deployment_comes_back_with_a_warning(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    api = Api(life, monkeypatch)
    api.stage |= {"AutoDeploy": False, "DeploymentId": "d1"}
    template = {"ApiId": api.id, "StageName": "live", "DeploymentId": "d1"}
    life.record("Stage", "AWS::ApiGatewayV2::Stage", "live", template)
    calls = api.goes_round("Stage", lambda: api.stage.update(DeploymentId="d2"), "DeploymentId")
    assert [params["DeploymentId"] for _, params in calls] == ["d1"]
    api.stage["DeploymentId"] = "d2"
    (step,) = life.plan().steps
    assert any("rolled back" in text for text in step.warnings)


@pytest.fixture
def route(api: Api) -> tuple[Api, str]:
    authorizer = api.gateway.create_authorizer(
        ApiId=api.id,
        AuthorizerType="JWT",
        IdentitySource=["$request.header.A"],
        Name="id",
        JwtConfiguration=JWT,
    )["AuthorizerId"]
    made = api.gateway.create_route(
        ApiId=api.id,
        RouteKey="GET /orders",
        Target="integrations/i1",
        AuthorizationType="JWT",
        AuthorizerId=authorizer,
        AuthorizationScopes=["orders"],
    )
    template = {"ApiId": api.id, "RouteKey": "GET /orders"}
    api.life.record("Route", "AWS::ApiGatewayV2::Route", made["RouteId"], template)
    return api, str(made["RouteId"])


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"Target": "integrations/i2"}, "Target"),
        ({"RouteKey": "GET /all"}, "RouteKey"),
        ({"AuthorizerId": "other"}, "AuthorizerId"),
        ({"AuthorizationScopes": ["orders", "all"]}, "AuthorizationScopes"),
    ],
)
def test_a_change_of_a_route_goes_back(route: tuple[Api, str], edited: dict[str, Any], expect: str) -> None:
    api, name = route
    calls = api.goes_round(
        "Route", lambda: api.gateway.update_route(ApiId=api.id, RouteId=name, **edited), expect
    )
    assert [operation for operation, _ in calls] == ["UpdateRoute"]
    assert all(params.get("AuthorizationType", "JWT") == "JWT" for _, params in calls)


def test_a_route_that_was_opened_by_hand_is_closed(route: tuple[Api, str]) -> None:
    api, name = route
    ((_, params),) = api.goes_round(
        "Route",
        lambda: api.gateway.update_route(ApiId=api.id, RouteId=name, AuthorizationType="NONE"),
        "AuthorizationType",
        "AuthorizerId",
        "AuthorizationScopes",
    )
    assert (params["AuthorizationType"], params["AuthorizationScopes"]) == ("JWT", ["orders"])
    assert params["AuthorizerId"]


ROUTE = a_record("AWS::ApiGatewayV2::Route", "r1", ApiId="a1")
JWT_ROUTE = {
    "RouteId": "r1",
    "RouteKey": "GET /",
    "AuthorizationType": "JWT",
    "AuthorizerId": "z",
    "AuthorizationScopes": ["s"],
}


@pytest.mark.parametrize("nothing", ["", None])
def test_a_route_is_never_opened_because_its_record_is_silent(nothing: Any) -> None:
    wanted = {"AuthorizationType": nothing, "AuthorizerId": ""}
    assert stopped(ROUTE, {"GetRoute": JWT_ROUTE}, wanted, because="does not say how") == []


@pytest.mark.parametrize("wanted", [{"Target": "integrations/i1"}, {"RouteKey": "GET /x"}])
def test_an_update_of_a_route_says_nothing_about_its_authorization(wanted: dict[str, Any]) -> None:
    ((_, params),) = sent(ROUTE, {"GetRoute": JWT_ROUTE}, wanted)
    assert not {"AuthorizationType", "AuthorizerId"} & params.keys()


def test_a_route_that_was_recorded_open_opens_with_a_warning(route: tuple[Api, str]) -> None:
    api, name = route
    observed = {
        k: v for k, v in api.life.read("Route").items() if k not in ("AuthorizerId", "AuthorizationScopes")
    }
    observed["AuthorizationType"] = "NONE"
    template = {"ApiId": api.id, "RouteKey": "GET /orders"}
    api.life.record("Route", "AWS::ApiGatewayV2::Route", name, template, observedProperties=observed)
    (step,) = api.life.plan().steps
    assert any("everybody can call" in text for text in step.warnings)
    ((_, params),) = sent(ROUTE, {"GetRoute": JWT_ROUTE}, {"AuthorizationType": "NONE"})
    assert params == {"ApiId": "a1", "RouteId": "r1", "AuthorizationType": "NONE"}


def test_a_record_without_authorization_is_refused_by_the_plan(route: tuple[Api, str]) -> None:
    api, name = route
    observed = {**api.life.read("Route"), "AuthorizationType": ""}
    template = {"ApiId": api.id, "RouteKey": "GET /orders"}
    api.life.record("Route", "AWS::ApiGatewayV2::Route", name, template, observedProperties=observed)
    assert [refusal.kind for refusal in api.life.plan().refusals] == [Kind.REFUSED]


def test_parameters_and_models_of_a_route_are_taken_away_one_by_one() -> None:
    now = {
        "GetRoute": {
            **JWT_ROUTE,
            "RequestParameters": {"a": {"Required": True}, "b": {"Required": True}},
            "RequestModels": {"x": "m", "y": "n"},
        }
    }
    wanted = {"RequestParameters": {"a": {"Required": False}}, "RequestModels": {"x": "m"}}
    at = {"ApiId": "a1", "RouteId": "r1"}
    assert sent(ROUTE, now, wanted) == [
        (
            "UpdateRoute",
            {**at, "RequestParameters": {"a": {"Required": False}}, "RequestModels": {"x": "m", "y": ""}},
        ),
        ("DeleteRouteRequestParameter", {**at, "RequestParameterKey": "b"}),
    ]


def test_an_authorizer_goes_back(api: Api) -> None:
    made = api.gateway.create_authorizer(
        ApiId=api.id,
        AuthorizerType="JWT",
        IdentitySource=["$request.header.A"],
        Name="id",
        JwtConfiguration=JWT,
    )
    at = {"ApiId": api.id, "AuthorizerId": made["AuthorizerId"]}
    api.life.record("Authorizer", "AWS::ApiGatewayV2::Authorizer", made["AuthorizerId"], {"ApiId": api.id})
    calls = api.goes_round(
        "Authorizer",
        lambda: api.gateway.update_authorizer(**at, JwtConfiguration={**JWT, "Audience": ["all"]}),
        "JwtConfiguration.Audience",
    )
    assert calls == [("UpdateAuthorizer", {**at, "JwtConfiguration": JWT})]
    calls = api.goes_round(
        "Authorizer", lambda: api.gateway.update_authorizer(**at, IdentitySource=["x"]), "IdentitySource"
    )
    assert calls == [("UpdateAuthorizer", {**at, "IdentitySource": ["$request.header.A"]})]


@pytest.mark.parametrize(
    ("edited", "expect"),
    [
        ({"IntegrationUri": "https://x.example"}, "IntegrationUri"),
        ({"TimeoutInMillis": 9000}, "TimeoutInMillis"),
        ({"Description": "x"}, "Description"),
    ],
)
def test_an_integration_goes_back_alone(api: Api, edited: dict[str, Any], expect: str) -> None:
    made = api.gateway.create_integration(
        ApiId=api.id,
        IntegrationType="HTTP_PROXY",
        IntegrationMethod="GET",
        IntegrationUri="https://shop.example",
        PayloadFormatVersion="1.0",
        TimeoutInMillis=5000,
        Description="the shop",
    )
    at = {"ApiId": api.id, "IntegrationId": made["IntegrationId"]}
    api.life.record("Integration", "AWS::ApiGatewayV2::Integration", made["IntegrationId"], {"ApiId": api.id})
    ((operation, params),) = api.goes_round(
        "Integration", lambda: api.gateway.update_integration(**at, **edited), expect
    )
    assert (operation, set(params)) == ("UpdateIntegration", {*at, *edited})


INTEGRATION = a_record("AWS::ApiGatewayV2::Integration", "i1", ApiId="a1")


def test_parameters_of_an_integration_that_have_to_go_are_sent_empty() -> None:
    now = {
        "GetIntegration": {
            "IntegrationSubtype": "SQS-SendMessage",
            "RequestParameters": {"QueueUrl": "x", "MessageBody": "y"},
            "ResponseParameters": {
                "200": {"overwrite:statuscode": "201"},
                "500": {"overwrite:statuscode": "502"},
            },
        }
    }
    mapped = {"200": {"ResponseParameters": [{"Destination": "overwrite:statuscode", "Source": "204"}]}}
    wanted = {"RequestParameters": {"QueueUrl": "q"}, "ResponseParameters": mapped}
    assert sent(INTEGRATION, now, wanted) == [
        (
            "UpdateIntegration",
            {
                "ApiId": "a1",
                "IntegrationId": "i1",
                "IntegrationSubtype": "SQS-SendMessage",
                "RequestParameters": {"QueueUrl": "q", "MessageBody": ""},
                "ResponseParameters": {"200": {"overwrite:statuscode": "204"}, "500": {}},
            },
        )
    ]
