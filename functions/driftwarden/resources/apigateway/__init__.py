"""Amazon API Gateway, REST APIs."""

from __future__ import annotations

from driftwarden.resources.apigateway.access import ACCOUNT, AUTHORIZER, FACTS
from driftwarden.resources.apigateway.method import DEPLOYMENT, METHOD, RESOURCE
from driftwarden.resources.apigateway.stage import STAGE

TYPES = (ACCOUNT, AUTHORIZER, RESOURCE, DEPLOYMENT, STAGE, METHOD)

__all__ = ["FACTS", "TYPES"]
