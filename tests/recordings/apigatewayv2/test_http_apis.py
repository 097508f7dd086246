"""HTTP and WebSocket APIs."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

API = "AWS::ApiGatewayV2::Api"
STAGE = "AWS::ApiGatewayV2::Stage"

BOTH = {
    "Name": "shop",
    "CorsConfiguration": {"MaxAge": 1},
    "RouteSelectionExpression": "route",
    "ApiKeySelectionExpression": "key",
    "Tags": {"team": "web", "aws:x": "y"},
}


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


def test_an_http_api_has_no_selection_expressions(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetApi"] = {**BOTH, "ProtocolType": "HTTP"}
    assert properties(read(API, "a1")) == {
        "Name": "shop",
        "Description": "",
        "ProtocolType": "HTTP",
        "CorsConfiguration": {"MaxAge": 1},
        "Tags": [{"Key": "team", "Value": "web"}],
    }


def test_a_websocket_api_has_no_cors(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetApi"] = {**BOTH, "ProtocolType": "WEBSOCKET"}
    assert properties(read(API, "a1")) == {
        "Name": "shop",
        "Description": "",
        "ProtocolType": "WEBSOCKET",
        "RouteSelectionExpression": "route",
        "ApiKeySelectionExpression": "key",
        "Tags": [{"Key": "team", "Value": "web"}],
    }


def test_an_http_api_without_cors_says_so(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetApi"] = {"ProtocolType": "HTTP"}
    assert properties(read(API, "a1"))["CorsConfiguration"] == {}


def test_a_stage_takes_its_api_from_the_template(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetStage"] = {"StageName": "prod", "DeploymentId": "d9"}
    assert properties(read(STAGE, "prod", {"ApiId": "a1"})) == {
        "ApiId": "a1",
        "StageName": "prod",
        "AutoDeploy": False,
        "Description": "",
    }
    assert answers.asked("apigatewayv2:GetStage") == [{"ApiId": "a1", "StageName": "prod"}]


def test_a_deployment_counts_only_where_the_template_pins_one(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetStage"] = {"StageName": "prod", "DeploymentId": "d9"}
    found = properties(read(STAGE, "prod", {"ApiId": "a1", "DeploymentId": "d1"}))
    assert found["DeploymentId"] == "d9"


def test_a_stage_whose_api_nobody_knows_is_not_asked_for(answers: Any, read: Any) -> None:
    assert isinstance(read(STAGE, "prod", {}), Unsupported)
    assert answers.calls == []


@pytest.mark.parametrize(("operation", "kind"), [("GetApi", API), ("GetStage", STAGE)])
def test_what_is_not_found_is_gone(answers: Any, read: Any, operation: str, kind: str) -> None:
    answers.fails(f"apigatewayv2:{operation}", "NotFoundException", status=404)
    assert read(kind, "x", {"ApiId": "a1"}) == Gone()


@pytest.mark.parametrize(("operation", "kind"), [("GetApi", API), ("GetStage", STAGE)])
def test_a_denied_call_names_the_http_method_permission(
    answers: Any, read: Any, operation: str, kind: str
) -> None:
    answers.fails(f"apigatewayv2:{operation}", "AccessDeniedException", status=403)
    result = read(kind, "x", {"ApiId": "a1"})
    assert isinstance(result, Unreadable)
    assert result.action == "apigateway:GET"


def test_throttling_is_no_deletion(answers: Any, read: Any) -> None:
    answers.fails("apigatewayv2:GetApi", "TooManyRequestsException", status=429)
    assert isinstance(read(API, "a1"), Unreadable)
