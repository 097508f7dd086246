"""A watched world for every test, and the search of everything that came out of it."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from copy import copy

import boto3
import pytest
from botocore.client import BaseClient
from moto import mock_aws

import driftwarden.remedy.revert
import runtime
from driftwarden.clients import Clients
from tests.leaks.canaries import MARK
from tests.leaks.world import ACCOUNT, REGION, REPORTS_BUCKET, World, in_front_of_aws

LIBRARIES = ("", "driftwarden", "botocore", "boto3", "urllib3")


@pytest.fixture(scope="session")
def session() -> boto3.Session:
    """One for all runs: what makes clients dear is loading the models of the services."""
    return boto3.Session("testing", "testing", region_name=REGION)


@pytest.fixture
def world(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], session: boto3.Session
) -> Iterator[World]:
    for name in [name for name in os.environ if name.startswith(("AWS_", "POWERTOOLS_", "STATE_", "CDKD_"))]:
        monkeypatch.delenv(name)
    topic = f"arn:aws:sns:{REGION}:{ACCOUNT}:alerts"
    variables = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_REGION": REGION,
        "REPORTS_BUCKET": REPORTS_BUCKET,
        "ALERTS_TOPIC_ARN": topic,
        "APPROVALS_TOPIC_ARN": topic,
        "DECIDE_ARN": f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:decide",
        "REVERTIBLE_STACKS": f'{{"{REGION}/Shop": {{}}}}',
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    log = io.StringIO()
    monkeypatch.setattr(runtime.logger.registered_handler, "stream", log)
    monkeypatch.setattr(Clients, "_new_session", lambda clients: session)
    monkeypatch.setattr(driftwarden.remedy.revert, "_pause", lambda stop: lambda seconds: None)
    for name in LIBRARIES:
        library = logging.getLogger(name)
        for attribute in ("handlers", "level", "propagate"):
            monkeypatch.setattr(library, attribute, copy(getattr(library, attribute)))
    with mock_aws():
        world = World(log, capsys)
        monkeypatch.setattr(BaseClient, "_make_api_call", in_front_of_aws(world))
        yield world
    runtime.redactor.forget()


@pytest.fixture
def assert_silent(leaks: Callable[[str, str], bool]) -> Callable[[Mapping[str, str]], None]:
    """Fails when an output holds a part of any canary, in any encoding."""

    def check(outputs: Mapping[str, str]) -> None:
        assert any(outputs.values()), "there was something to look at"
        telling = [name for name, text in outputs.items() if leaks(text, MARK)]
        assert not telling, "\n".join(f"{name}: {outputs[name]}" for name in telling)

    return check
