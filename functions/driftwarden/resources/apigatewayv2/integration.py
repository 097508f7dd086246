"""What answers the requests of an API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from driftwarden.convert import number
from driftwarden.model import ABSENT
from driftwarden.resources.apigatewayv2.shared import API_ID, GONE, merged
from driftwarden.resources.spec import By, Call, ResourceType, To, Write

if TYPE_CHECKING:
    from driftwarden.read.reading import Reading
    from driftwarden.remedy.update import Update

_WITH_URI: Final = frozenset({"AWS", "AWS_PROXY", "HTTP", "HTTP_PROXY"})


def _integration_uri(reading: Reading) -> Any:
    if reading.get("main.IntegrationType") not in _WITH_URI:
        return ABSENT
    return reading.get("main.IntegrationUri", "")


def _response_parameters(reading: Reading) -> Any:
    answer = reading.get("main.ResponseParameters")
    if answer is ABSENT:
        return ABSENT
    declared = reading.get("props.ResponseParameters", {})
    return {status: _mappings(flat, declared.get(status)) for status, flat in answer.items()}


def _mappings(flat: Mapping[str, str], declared: Any) -> Any:
    """AWS answers a flat map, CloudFormation has a list; the template's order and types are kept."""
    listed = declared.get("ResponseParameters") if isinstance(declared, Mapping) else []
    if not isinstance(listed, list):
        return flat
    written = {
        entry["Destination"]: entry.get("Source") for entry in listed if entry.get("Destination") in flat
    }
    rest = sorted(destination for destination in flat if destination not in written)
    pairs = [(destination, flat[destination], written.get(destination)) for destination in (*written, *rest)]
    return {"ResponseParameters": [{"Destination": d, "Source": _same_type(s, w)} for d, s, w in pairs]}


def _same_type(answer: str, declared: Any) -> Any:
    return (
        declared if isinstance(declared, bool | int | float) and number.write(declared) == answer else answer
    )


def _integration(reading: Reading) -> Any:
    """A service integration is only updated by requests that name its subtype."""
    integration = {"ApiId": reading.fill(API_ID), "IntegrationId": reading.id}
    subtype = reading.get("main.IntegrationSubtype")
    return integration if subtype is ABSENT else {**integration, "IntegrationSubtype": subtype}


def _map_integration(update: Update) -> None:
    """Parameters that are left out stay, so those that have to go are sent empty."""
    request: dict[str, Any] = {
        name: merged(update, name, "")
        for name in ("RequestParameters", "RequestTemplates")
        if name in update.drifted
    }
    if "ResponseParameters" in update.drifted:
        responses = merged(update, "ResponseParameters", {})
        request["ResponseParameters"] = {status: _flat(value) for status, value in responses.items()}
    update.call("UpdateIntegration", {**_integration(update.reading), **request})


def _flat(mappings: Mapping[str, Any]) -> dict[str, str]:
    listed = mappings.get("ResponseParameters")
    pairs = (
        ((e["Destination"], e["Source"]) for e in listed) if isinstance(listed, list) else mappings.items()
    )
    return {destination: number.write(source) for destination, source in pairs}


_INTEGRATION_MEMBERS: Final = (
    "ConnectionId",
    "ConnectionType",
    "ContentHandlingStrategy",
    "CredentialsArn",
    "Description",
    "IntegrationMethod",
    "IntegrationSubtype",
    "IntegrationType",
    "PassthroughBehavior",
    "PayloadFormatVersion",
    "TemplateSelectionExpression",
    "TimeoutInMillis",
    "TlsConfig",
)

INTEGRATION = ResourceType(
    name="AWS::ApiGatewayV2::Integration",
    service="apigatewayv2",
    gone=GONE,
    calls=(Call("GetIntegration", {"ApiId": API_ID, "IntegrationId": "{id}"}),),
    same=(*_INTEGRATION_MEMBERS, "RequestParameters", "RequestTemplates"),
    fields={
        "ApiId": "props.ApiId",
        "IntegrationUri": _integration_uri,
        "ResponseParameters": _response_parameters,
    },
    placeholders={"IntegrationMethod": "", "PayloadFormatVersion": ""},
    writes=(
        Write(
            "UpdateIntegration",
            _integration,
            same=_INTEGRATION_MEMBERS,
            sets={"IntegrationUri": To("IntegrationUri")},
            unset={"Description": ""},
        ),
        By(
            _map_integration,
            ("RequestParameters", "RequestTemplates", "ResponseParameters"),
            (Write("UpdateIntegration"),),
        ),
    ),
)
