"""Parts of REST APIs."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

PARENT = {"RestApiId": "a1"}
STAGE = "AWS::ApiGateway::Stage"
METHOD = "AWS::ApiGateway::Method"

CHILDREN = [
    ("AWS::ApiGateway::Authorizer", "GetAuthorizer"),
    ("AWS::ApiGateway::Resource", "GetResource"),
    ("AWS::ApiGateway::Deployment", "GetDeployment"),
    (STAGE, "GetStage"),
]


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_the_account_settings(answers: Any, read: Any) -> None:
    answers["apigateway:GetAccount"] = {"cloudwatchRoleArn": "arn:role"}
    assert properties(read("AWS::ApiGateway::Account", "account")) == {"CloudWatchRoleArn": "arn:role"}


@pytest.mark.parametrize(
    ("kind", "operation", "expected"),
    [
        (
            "AWS::ApiGateway::Authorizer",
            "GetAuthorizer",
            {
                "Name": "",
                "AuthorizerUri": "",
                "AuthorizerCredentials": "",
                "IdentitySource": "",
                "IdentityValidationExpression": "",
                "ProviderARNs": [],
            },
        ),
        ("AWS::ApiGateway::Resource", "GetResource", {"ParentId": ""}),
        ("AWS::ApiGateway::Deployment", "GetDeployment", {"Description": ""}),
        (STAGE, "GetStage", {"DeploymentId": "", "Description": ""}),
    ],
)
def test_a_child_with_nothing_set(
    answers: Any, read: Any, kind: str, operation: str, expected: dict[str, Any]
) -> None:
    answers[f"apigateway:{operation}"] = {}
    assert properties(read(kind, "x", PARENT)) == {"RestApiId": "a1", **expected}


@pytest.mark.parametrize(("kind", "operation"), CHILDREN)
def test_a_child_whose_api_nobody_knows_is_not_asked_for(
    answers: Any, read: Any, kind: str, operation: str
) -> None:
    assert isinstance(read(kind, "x", {}), Unsupported)
    assert answers.asked(f"apigateway:{operation}") == []


@pytest.mark.parametrize(("kind", "operation"), [*CHILDREN, (METHOD, "GetMethod")])
def test_what_is_not_found_is_gone(answers: Any, read: Any, kind: str, operation: str) -> None:
    answers.fails(f"apigateway:{operation}", "NotFoundException", status=404)
    assert read(kind, "a1|r1|GET" if kind == METHOD else "x", PARENT) == Gone()


@pytest.mark.parametrize(("kind", "operation"), [*CHILDREN, (METHOD, "GetMethod")])
def test_a_denied_call_names_the_http_method_permission(
    answers: Any, read: Any, kind: str, operation: str
) -> None:
    answers.fails(f"apigateway:{operation}", "AccessDeniedException", status=403)
    result = read(kind, "a1|r1|GET" if kind == METHOD else "x", PARENT)
    assert isinstance(result, Unreadable)
    assert result.action == "apigateway:GET"


def test_throttling_is_no_deletion(answers: Any, read: Any) -> None:
    answers.fails("apigateway:GetStage", "TooManyRequestsException", status=429)
    assert isinstance(read(STAGE, "prod", PARENT), Unreadable)


def test_stage_settings_have_cloudformation_names(answers: Any, read: Any) -> None:
    answers["apigateway:GetStage"] = {
        "stageName": "prod",
        "accessLogSettings": {"destinationArn": "arn:logs", "format": "$context"},
        "canarySettings": {"percentTraffic": 5.0, "stageVariableOverrides": {"colour": "blue"}},
        "variables": {"colour": "red"},
    }
    found = properties(read(STAGE, "prod", PARENT))
    assert found["AccessLogSetting"] == {"DestinationArn": "arn:logs", "Format": "$context"}
    assert found["CanarySetting"] == {"PercentTraffic": 5.0, "StageVariableOverrides": {"colour": "blue"}}
    assert found["Variables"] == {"colour": "red"}
    assert "MethodSettings" not in found


def test_method_settings_are_those_the_template_declares(answers: Any, read: Any) -> None:
    answers["apigateway:GetStage"] = {
        "methodSettings": {
            "*/*": {"metricsEnabled": True, "loggingLevel": "INFO"},
            "orders/GET": {"cachingEnabled": True, "loggingLevel": "OFF"},
            "~1/POST": {"throttlingBurstLimit": 7},
        }
    }
    declared = [
        {"ResourcePath": "/*", "HttpMethod": "*", "MetricsEnabled": False},
        {"ResourcePath": "/orders", "HttpMethod": "GET", "LoggingLevel": "ERROR"},
        {"ResourcePath": "/", "HttpMethod": "POST", "ThrottlingBurstLimit": 5, "MetricsEnabled": True},
        {"LoggingLevel": "ERROR"},
    ]
    found = properties(read(STAGE, "prod", {**PARENT, "MethodSettings": declared}))
    assert found["MethodSettings"] == [
        {"ResourcePath": "/*", "HttpMethod": "*", "MetricsEnabled": True},
        {"ResourcePath": "/orders", "HttpMethod": "GET", "LoggingLevel": "OFF"},
        {"ResourcePath": "/", "HttpMethod": "POST", "ThrottlingBurstLimit": 7},
        {"LoggingLevel": "INFO"},
    ]


def test_a_method_is_named_by_its_composite_id(answers: Any, read: Any) -> None:
    answers["apigateway:GetMethod"] = {
        "httpMethod": "GET",
        "authorizationType": "NONE",
        "authorizerId": "left-over",
        "methodIntegration": {"type": "AWS_PROXY", "timeoutInMillis": 5},
    }
    assert properties(read(METHOD, "a1|r1|GET")) == {
        "RestApiId": "a1",
        "ResourceId": "r1",
        "HttpMethod": "GET",
        "AuthorizationType": "NONE",
        "Integration": {"type": "AWS_PROXY", "timeoutInMillis": 5},
        "MethodResponses": {},
    }
    assert answers.asked("apigateway:GetMethod") == [
        {"restApiId": "a1", "resourceId": "r1", "httpMethod": "GET"}
    ]


@pytest.mark.parametrize("kind", ["CUSTOM", "COGNITO_USER_POOLS"])
def test_an_authorized_method_names_its_authorizer(answers: Any, read: Any, kind: str) -> None:
    answers["apigateway:GetMethod"] = {"authorizationType": kind, "authorizerId": "auth"}
    assert properties(read(METHOD, "a1|r1|GET"))["AuthorizerId"] == "auth"


def test_an_id_of_another_form_names_no_method(answers: Any, read: Any) -> None:
    assert isinstance(read(METHOD, "a1-r1-GET"), Unsupported)
    assert answers.calls == []
