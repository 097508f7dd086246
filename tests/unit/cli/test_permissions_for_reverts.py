"""`driftwarden permissions STACK --revert`: what pushing recorded values back takes."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.cli.conftest import Run, put_state, queue, record

UNHEARD = {"physicalId": "x", "resourceType": "AWS::Foo::Bar", "properties": {}}


def _statements(done: Any) -> dict[str, list[str]]:
    return {s["Sid"]: s["Action"] for s in json.loads(done.out)["Statement"]}


def test_writes_are_a_statement_of_their_own_beside_the_reads(run: Run) -> None:
    put_state("Shop", {"Queue": record(queue("orders"))})
    reads = _statements(run("permissions", "Shop"))
    both = _statements(run("permissions", "Shop", "--revert"))
    assert both["ReadWatchedResources"] == reads["ReadWatchedResources"]
    assert both["RevertWatchedResources"] == ["sqs:SetQueueAttributes", "sqs:TagQueue", "sqs:UntagQueue"]
    assert "RevertWatchedResources" not in reads


def test_what_cannot_be_derived_is_said(run: Run) -> None:
    put_state("Shop", {"X": UNHEARD})
    done = run("permissions", "Shop", "--revert")
    assert _statements(done)["RevertWatchedResources"] == [
        "cloudformation:GetResourceRequestStatus",
        "cloudformation:UpdateResource",
    ]
    assert "add the read and update actions of that service" in done.err
    assert "iam:PassRole" in done.err


def test_a_queue_that_cloud_control_made_is_updated_by_it(run: Run) -> None:
    made = {**record(queue("orders")), "provisionedBy": "cc-api"}
    put_state("Shop", {"Queue": made})
    allowed = _statements(run("permissions", "Shop", "--revert"))
    assert "cloudformation:GetResource" in allowed["ReadWatchedResources"]
    assert "cloudformation:UpdateResource" in allowed["RevertWatchedResources"]
