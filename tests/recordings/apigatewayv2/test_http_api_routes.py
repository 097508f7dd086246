"""Integrations, routes and authorizers of HTTP and WebSocket APIs."""

from __future__ import annotations

from typing import Any

import pytest

from driftwarden.model import Gone, Live, Unreadable, Unsupported

PARENT = {"ApiId": "a1"}
INTEGRATION = "AWS::ApiGatewayV2::Integration"
ROUTE = "AWS::ApiGatewayV2::Route"
AUTHORIZER = "AWS::ApiGatewayV2::Authorizer"

KINDS = [(INTEGRATION, "GetIntegration"), (ROUTE, "GetRoute"), (AUTHORIZER, "GetAuthorizer")]


def properties(result: Any) -> Any:
    assert isinstance(result, Live), result
    return result.properties


@pytest.mark.parametrize("kind", ["AWS", "AWS_PROXY", "HTTP", "HTTP_PROXY"])
def test_an_integration_with_a_backend_has_a_uri(answers: Any, read: Any, kind: str) -> None:
    answers["apigatewayv2:GetIntegration"] = {"IntegrationType": kind}
    assert properties(read(INTEGRATION, "i1", PARENT)) == {
        "ApiId": "a1",
        "IntegrationType": kind,
        "IntegrationUri": "",
        "IntegrationMethod": "",
        "PayloadFormatVersion": "",
    }


def test_a_mock_integration_has_no_uri(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetIntegration"] = {"IntegrationType": "MOCK", "IntegrationUri": "left-over"}
    assert "IntegrationUri" not in properties(read(INTEGRATION, "i1", PARENT))


FLAT = {"append:header.a": "v", "overwrite:statuscode": "403", "overwrite:header.b": "true"}


def response_parameters(answers: Any, read: Any, declared: Any) -> Any:
    answers["apigatewayv2:GetIntegration"] = {"ResponseParameters": {"200": FLAT}}
    template = PARENT if declared is None else {**PARENT, "ResponseParameters": {"200": declared}}
    return properties(read(INTEGRATION, "i1", template))["ResponseParameters"]["200"]


def test_response_mappings_are_a_list_in_order_of_destination(answers: Any, read: Any) -> None:
    assert response_parameters(answers, read, None) == {
        "ResponseParameters": [
            {"Destination": "append:header.a", "Source": "v"},
            {"Destination": "overwrite:header.b", "Source": "true"},
            {"Destination": "overwrite:statuscode", "Source": "403"},
        ]
    }


def test_response_mappings_keep_the_order_and_types_of_the_template(answers: Any, read: Any) -> None:
    declared = {
        "ResponseParameters": [
            {"Destination": "overwrite:statuscode", "Source": 403},
            {"Destination": "removed", "Source": "x"},
            {"Destination": "overwrite:header.b", "Source": True},
        ]
    }
    assert response_parameters(answers, read, declared) == {
        "ResponseParameters": [
            {"Destination": "overwrite:statuscode", "Source": 403},
            {"Destination": "overwrite:header.b", "Source": True},
            {"Destination": "append:header.a", "Source": "v"},
        ]
    }


def test_a_changed_source_is_never_hidden_by_the_template(answers: Any, read: Any) -> None:
    declared = {"ResponseParameters": [{"Destination": "overwrite:statuscode", "Source": 200}]}
    first = response_parameters(answers, read, declared)["ResponseParameters"][0]
    assert first == {"Destination": "overwrite:statuscode", "Source": "403"}


def test_a_flat_map_in_the_template_is_answered_flat(answers: Any, read: Any) -> None:
    assert response_parameters(answers, read, {"overwrite:statuscode": "403"}) == FLAT


def test_an_open_route_has_no_authorizer(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetRoute"] = {"RouteKey": "GET /", "AuthorizerId": "left-over"}
    assert properties(read(ROUTE, "r1", PARENT)) == {
        "ApiId": "a1",
        "RouteKey": "GET /",
        "Target": "",
        "AuthorizationType": "NONE",
        "ApiKeyRequired": False,
    }


def test_an_authorized_route_names_authorizer_and_scopes(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetRoute"] = {"AuthorizationType": "JWT", "AuthorizerId": "auth"}
    found = properties(read(ROUTE, "r1", PARENT))
    assert found["AuthorizerId"] == "auth"
    assert found["AuthorizationScopes"] == []


def test_a_jwt_authorizer_has_only_its_own_members(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetAuthorizer"] = {"AuthorizerType": "JWT", "AuthorizerUri": "left-over"}
    assert properties(read(AUTHORIZER, "x", PARENT)) == {
        "ApiId": "a1",
        "AuthorizerType": "JWT",
        "Name": "",
        "IdentitySource": [],
        "JwtConfiguration": {},
    }


def test_a_request_authorizer_has_only_its_own_members(answers: Any, read: Any) -> None:
    answers["apigatewayv2:GetAuthorizer"] = {
        "AuthorizerType": "REQUEST",
        "Name": "lambda",
        "EnableSimpleResponses": False,
        "JwtConfiguration": {"Issuer": "left-over"},
    }
    assert properties(read(AUTHORIZER, "x", PARENT)) == {
        "ApiId": "a1",
        "AuthorizerType": "REQUEST",
        "Name": "lambda",
        "IdentitySource": [],
        "AuthorizerUri": "",
        "AuthorizerPayloadFormatVersion": "",
        "EnableSimpleResponses": False,
    }


@pytest.mark.parametrize(("kind", "operation"), KINDS)
def test_what_is_not_found_is_gone(answers: Any, read: Any, kind: str, operation: str) -> None:
    answers.fails(f"apigatewayv2:{operation}", "NotFoundException", status=404)
    assert read(kind, "x", PARENT) == Gone()


@pytest.mark.parametrize(("kind", "operation"), KINDS)
@pytest.mark.parametrize("code", ["AccessDeniedException", "TooManyRequestsException"])
def test_a_failed_call_is_unreadable(answers: Any, read: Any, kind: str, operation: str, code: str) -> None:
    answers.fails(f"apigatewayv2:{operation}", code)
    assert isinstance(read(kind, "x", PARENT), Unreadable)


@pytest.mark.parametrize(("kind", "operation"), KINDS)
def test_a_child_whose_api_nobody_knows_is_not_asked_for(
    answers: Any, read: Any, kind: str, operation: str
) -> None:
    assert isinstance(read(kind, "x", {}), Unsupported)
    assert answers.asked(f"apigatewayv2:{operation}") == []
