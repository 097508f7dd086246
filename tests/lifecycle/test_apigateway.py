"""REST APIs: patches hold only what differs, and what cannot be patched stops the update before it begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from driftwarden.remedy.steps import Kind
from driftwarden.scan import ScanSettings
from tests.lifecycle.conftest import ACCOUNT, REGION, Life
from tests.lifecycle.requests import a_record, sent, stopped

ROLE = f"arn:aws:iam::{ACCOUNT}:role/gateway-logs"
LOGS = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/shop"
URI = f"arn:aws:apigateway:{REGION}:lambda:path/2015-03-31/functions/check/invocations"
SETTING = {"ResourcePath": "/*", "HttpMethod": "*", "LoggingLevel": "INFO", "ThrottlingBurstLimit": 5}


class Api:
    """A REST API to put the resources under test into."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.gateway = life.client("apigateway")
        self.id = str(self.gateway.create_rest_api(name="shop")["id"])
        root = self.gateway.get_resources(restApiId=self.id)["items"][0]["id"]
        at = {"restApiId": self.id, "resourceId": root, "httpMethod": "GET"}
        self.gateway.put_method(**at, authorizationType="NONE")
        self.gateway.put_integration(**at, type="MOCK")
        self.deployment = str(self.gateway.create_deployment(restApiId=self.id)["id"])

    def operate(self, *operations: dict[str, str]) -> None:
        self.gateway.update_stage(restApiId=self.id, stageName="live", patchOperations=list(operations))

    def goes_round(self, logical_id: str, edit: Callable[[], object], *expect: str) -> list[dict[str, str]]:
        """The patch operations of the only request."""
        ((_, params),) = self.life.goes_round(logical_id, edit, expect=expect)
        operations: list[dict[str, str]] = params["patchOperations"]
        return operations


@pytest.fixture
def stage(life: Life) -> Api:
    life.settings = ScanSettings(undeclared="drift")
    api = Api(life)
    api.gateway.create_stage(
        restApiId=api.id,
        stageName="live",
        deploymentId=api.deployment,
        description="the shop",
        variables={"shop": "1", "old": "2"},
    )
    for path, value in (("logging/loglevel", "INFO"), ("throttling/burstLimit", "5")):
        api.operate({"op": "replace", "path": f"/*/*/{path}", "value": value})
    for path, value in (("destinationArn", LOGS), ("format", "$requestId")):
        api.operate({"op": "replace", "path": f"/accessLogSettings/{path}", "value": value})
    template = {"RestApiId": api.id, "StageName": "live", "MethodSettings": [SETTING]}
    life.record("Stage", "AWS::ApiGateway::Stage", "live", template)
    return api


def replaced(path: str, value: str) -> dict[str, str]:
    return {"op": "replace", "path": path, "value": value}


@pytest.mark.parametrize(
    ("edit", "expect", "expected"),
    [
        (replaced("/description", "x"), "Description", replaced("/description", "the shop")),
        (replaced("/variables/shop", "9"), "Variables.shop", replaced("/variables/shop", "1")),
        (replaced("/variables/new", "9"), "Variables.new", {"op": "remove", "path": "/variables/new"}),
        (
            {"op": "remove", "path": "/variables/old", "value": ""},
            "Variables.old",
            replaced("/variables/old", "2"),
        ),
        (
            replaced("/accessLogSettings/format", "x"),
            "AccessLogSetting.Format",
            replaced("/accessLogSettings/format", "$requestId"),
        ),
        (
            replaced("/*/*/logging/loglevel", "OFF"),
            "MethodSettings",
            replaced("/*/*/logging/loglevel", "INFO"),
        ),
        (
            replaced("/*/*/throttling/burstLimit", "50"),
            "MethodSettings",
            replaced("/*/*/throttling/burstLimit", "5"),
        ),
    ],
)
def test_one_change_of_a_stage_is_one_operation(
    stage: Api, edit: dict[str, str], expect: str, expected: dict[str, str]
) -> None:
    assert stage.goes_round("Stage", lambda: stage.operate(edit), expect) == [expected]


def test_a_newer_deployment_is_rolled_back_with_a_warning(stage: Api) -> None:
    newer = stage.gateway.create_deployment(restApiId=stage.id)["id"]
    edit = replaced("/deploymentId", newer)
    operations = stage.goes_round("Stage", lambda: stage.operate(edit), "DeploymentId")
    assert operations == [replaced("/deploymentId", stage.deployment)]
    stage.operate(edit)
    (step,) = stage.life.plan().steps
    assert any("rolled back" in text for text in step.warnings)


STAGE = a_record(
    "AWS::ApiGateway::Stage",
    "live",
    RestApiId="a1",
    MethodSettings=[SETTING, {"ResourcePath": "/a/b", "HttpMethod": "GET", "MetricsEnabled": False}],
)


def operations_of(record: Any, answers: dict[str, Any], wanted: dict[str, Any]) -> list[dict[str, str]]:
    ((_, params),) = sent(record, answers, wanted)
    operations: list[dict[str, str]] = params["patchOperations"]
    return operations


def test_a_method_setting_that_aws_lost_comes_back() -> None:
    settings = [SETTING, {"ResourcePath": "/a/b", "HttpMethod": "GET", "MetricsEnabled": False}]
    now = {"GetStage": {"stageName": "live", "methodSettings": {}}}
    assert operations_of(STAGE, now, {"MethodSettings": settings}) == [
        replaced("/*/*/logging/loglevel", "INFO"),
        replaced("/*/*/throttling/burstLimit", "5"),
        replaced("/a~1b/GET/metrics/enabled", "false"),
    ]


def test_a_limit_of_zero_is_a_value() -> None:
    now = {"GetStage": {"methodSettings": {"*/*": {"loggingLevel": "INFO", "throttlingBurstLimit": 5}}}}
    wanted = {"MethodSettings": [{**SETTING, "ThrottlingBurstLimit": 0}]}
    assert operations_of(STAGE, now, wanted) == [replaced("/*/*/throttling/burstLimit", "0")]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"AccessLogSetting": {}}, {"op": "remove", "path": "/accessLogSettings"}),
        ({"CanarySetting": {}}, {"op": "remove", "path": "/canarySettings"}),
        ({"TracingEnabled": ""}, replaced("/tracingEnabled", "false")),
        ({"Description": ""}, replaced("/description", "")),
        ({"ClientCertificateId": ""}, replaced("/clientCertificateId", "")),
        (
            {"CanarySetting": {"PercentTraffic": 10, "UseStageCache": True}},
            replaced("/canarySettings/percentTraffic", "10"),
        ),
        (
            {
                "CanarySetting": {
                    "PercentTraffic": 20,
                    "StageVariableOverrides": {"a": "b"},
                    "UseStageCache": True,
                }
            },
            replaced("/canarySettings/stageVariableOverrides/a", "b"),
        ),
    ],
)
def test_what_was_set_by_hand_is_taken_away(wanted: dict[str, Any], expected: dict[str, str]) -> None:
    now = {
        "GetStage": {
            "description": "x",
            "tracingEnabled": True,
            "clientCertificateId": "c1",
            "accessLogSettings": {"destinationArn": LOGS, "format": "x"},
            "canarySettings": {"percentTraffic": 20.0, "useStageCache": True},
        }
    }
    assert operations_of(STAGE, now, wanted) == [expected]


def test_the_size_of_a_cache_is_never_emptied() -> None:
    now = {"GetStage": {"cacheClusterSize": "0.5"}}
    assert stopped(STAGE, now, {"CacheClusterSize": ""}, because="no way to unset") == []


def test_the_role_of_the_account_goes_back_with_a_warning(life: Life) -> None:
    gateway = life.client("apigateway")

    def assign(role: str) -> None:
        gateway.update_account(patchOperations=[replaced("/cloudwatchRoleArn", role)])

    assign(ROLE)
    life.record("Account", "AWS::ApiGateway::Account", "account", {"CloudWatchRoleArn": ROLE})
    calls = life.goes_round("Account", lambda: assign(f"{ROLE}-x"), expect=["CloudWatchRoleArn"])
    assert calls == [("UpdateAccount", {"patchOperations": [replaced("/cloudwatchRoleArn", ROLE)]})]
    assign(f"{ROLE}-x")
    (step,) = life.plan().steps
    assert any("other stacks" in text for text in step.warnings)


def test_a_role_of_the_account_that_somebody_else_set_stays(life: Life) -> None:
    life.settings = ScanSettings(undeclared="drift")
    gateway = life.client("apigateway")
    gateway.update_account(patchOperations=[replaced("/cloudwatchRoleArn", ROLE)])
    observed = {"CloudWatchRoleArn": ""}
    life.record("Account", "AWS::ApiGateway::Account", "account", observedProperties=observed)
    assert [refusal.kind for refusal in life.plan().refusals] == [Kind.UPDATE_NOT_SUPPORTED]
    life.forget_calls()
    life.revert()
    assert life.calls == []


@pytest.mark.parametrize(
    ("path", "value", "expect", "expected"),
    [
        ("/authorizerUri", f"{URI}-x", "AuthorizerUri", replaced("/authorizerUri", URI)),
        (
            "/authorizerResultTtlInSeconds",
            "9",
            "AuthorizerResultTtlInSeconds",
            replaced("/authorizerResultTtlInSeconds", "0"),
        ),
        ("/name", "x", "Name", replaced("/name", "check")),
    ],
)
def test_one_change_of_an_authorizer_is_one_operation(
    life: Life, path: str, value: str, expect: str, expected: dict[str, str]
) -> None:
    life.settings = ScanSettings(undeclared="drift")
    api = Api(life)
    made = api.gateway.create_authorizer(
        restApiId=api.id,
        name="check",
        type="TOKEN",
        authorizerUri=URI,
        identitySource="method.request.header.A",
        authorizerResultTtlInSeconds=0,
    )
    at = {"restApiId": api.id, "authorizerId": made["id"]}
    life.record("Authorizer", "AWS::ApiGateway::Authorizer", made["id"], {"RestApiId": api.id})
    operations = api.goes_round(
        "Authorizer",
        lambda: api.gateway.update_authorizer(**at, patchOperations=[replaced(path, value)]),
        expect,
    )
    assert operations == [expected]


AUTHORIZER = a_record("AWS::ApiGateway::Authorizer", "z1", RestApiId="a1")


def test_user_pools_are_added_and_taken_away_one_by_one() -> None:
    now = {"GetAuthorizer": {"id": "z1", "providerARNs": ["arn:a", "arn:b"]}}
    assert operations_of(AUTHORIZER, now, {"ProviderARNs": ["arn:a", "arn:c"]}) == [
        {"op": "add", "path": "/providerARNs", "value": "arn:c"},
        {"op": "remove", "path": "/providerARNs", "value": "arn:b"},
    ]


def test_an_unset_time_to_live_is_the_default() -> None:
    now = {"GetAuthorizer": {"id": "z1", "authorizerResultTtlInSeconds": 9}}
    operations = operations_of(AUTHORIZER, now, {"AuthorizerResultTtlInSeconds": ""})
    assert operations == [replaced("/authorizerResultTtlInSeconds", "300")]


METHOD = a_record("AWS::ApiGateway::Method", "a1|r1|GET")
INTEGRATION = {
    "type": "AWS_PROXY",
    "httpMethod": "POST",
    "uri": URI,
    "timeoutInMillis": 29000,
    "requestTemplates": {"application/json": "{}", "text/plain": "x"},
    "cacheKeyParameters": ["a"],
    "integrationResponses": {"200": {"statusCode": "200"}},
}


def method(**members: Any) -> dict[str, Any]:
    return {"GetMethod": {"httpMethod": "GET", "methodIntegration": INTEGRATION, **members}}


def test_a_method_that_was_opened_by_hand_is_closed_with_its_authorizer() -> None:
    wanted = {"AuthorizationType": "COGNITO_USER_POOLS", "AuthorizerId": "z1"}
    ((operation, params),) = sent(METHOD, method(authorizationType="NONE"), wanted)
    assert (operation, params["resourceId"]) == ("UpdateMethod", "r1")
    assert params["patchOperations"] == [
        replaced("/authorizationType", "COGNITO_USER_POOLS"),
        replaced("/authorizerId", "z1"),
    ]


def test_an_integration_is_patched_so_that_its_responses_stay() -> None:
    wanted = {
        **INTEGRATION,
        "uri": f"{URI}-x",
        "requestTemplates": {"application/json": "{}"},
        "cacheKeyParameters": ["b"],
    }
    ((operation, params),) = sent(METHOD, method(authorizationType="NONE"), {"Integration": wanted})
    assert operation == "UpdateIntegration"
    assert params["patchOperations"] == [
        replaced("/uri", f"{URI}-x"),
        {"op": "remove", "path": "/requestTemplates/text~1plain"},
        {"op": "add", "path": "/cacheKeyParameters", "value": "b"},
        {"op": "remove", "path": "/cacheKeyParameters", "value": "a"},
    ]


@pytest.mark.parametrize(
    "wanted", [{"type": "HTTP"}, {"integrationResponses": {}}, {"uri": None}, {"timeoutInMillis": None}]
)
def test_what_a_patch_cannot_change_stops_the_update_before_it_begins(wanted: dict[str, Any]) -> None:
    integration = {k: v for k, v in {**INTEGRATION, "httpMethod": "GET", **wanted}.items() if v is not None}
    now = method(authorizationType="NONE")
    assert stopped(METHOD, now, {"Integration": integration}, because="no update of") == []


@pytest.mark.parametrize(
    ("kind", "physical_id", "answers", "member"),
    [
        ("AWS::ApiGateway::Resource", "r1", {"GetResource": {"pathPart": "a", "parentId": "p"}}, "PathPart"),
        ("AWS::ApiGateway::Deployment", "d1", {"GetDeployment": {"description": "a"}}, "Description"),
        ("AWS::ApiGateway::Authorizer", "z1", {"GetAuthorizer": {"type": "TOKEN"}}, "Type"),
        ("AWS::ApiGateway::Method", "a1|r1|GET", method(), "MethodResponses"),
    ],
)
def test_what_cannot_change_is_not_sent(
    kind: str, physical_id: str, answers: dict[str, Any], member: str
) -> None:
    assert sent(a_record(kind, physical_id, RestApiId="a1"), answers, {member: "x"}) == []
