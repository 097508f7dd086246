"""Amazon API Gateway, HTTP and WebSocket APIs."""

from __future__ import annotations

from driftwarden.resources.apigatewayv2.api import API, STAGE
from driftwarden.resources.apigatewayv2.integration import INTEGRATION
from driftwarden.resources.apigatewayv2.route import AUTHORIZER, ROUTE

TYPES = (API, STAGE, INTEGRATION, ROUTE, AUTHORIZER)
