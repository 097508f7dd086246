"""Where a call brings no answer of AWS, the resource is unreadable, and the reason says where to look."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import EndpointConnectionError, ParamValidationError
from botocore.parsers import ResponseParserError

from driftwarden.clients import Clients
from driftwarden.model import Record, Unreadable
from driftwarden.read.api import read_record
from driftwarden.read.limits import Limits
from driftwarden.read.reading import Place

QUEUE = Record(logical_id="Queue", resource_type="AWS::SQS::Queue", physical_id="u", properties={})


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ParamValidationError(report="Invalid"), "does not take what the state records"),
        (ResponseParserError("<html>"), "not AWS's. Check the endpoint and the proxy."),
        (EndpointConnectionError(endpoint_url="http://a"), "check the network and the endpoint."),
    ],
)
def test_the_reason_tells_the_record_the_proxy_and_the_network_apart(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(BaseClient, "_make_api_call", fail)
    place = Place(region="eu-west-1", clients=Clients(region="eu-west-1"), limits=Limits())
    result = read_record(QUEUE, place, {})
    assert isinstance(result, Unreadable)
    assert said in result.reason
    assert result.code == type(error).__name__
