"""The template holds against the rules of others: cdk-nag's AwsSolutions pack and cfn-lint."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cfnlint.api import ManualArgs, lint

from tests.infra.conftest import EXAMPLE, Synthesized, synthesize

pytestmark = pytest.mark.xdist_group("cdk")


def test_cdk_nag_finds_nothing(example: Synthesized) -> None:
    assert example.validation["pluginReports"] == []


def test_cdk_nag_would_find_what_nobody_accepted(tmp_path: Path) -> None:
    from aws_cdk import aws_sqs as sqs

    with pytest.raises(RuntimeError, match="AwsSolutions-SQS4"):
        synthesize(EXAMPLE, tmp_path / "out", add=lambda stack: sqs.Queue(stack, "Careless"))


def test_cfn_lint_finds_nothing(example: Synthesized) -> None:
    found = lint(example.path.read_text(), config=ManualArgs(regions=["us-east-1", "eu-central-1"]))
    assert [f"{match.rule.id} {match.message}" for match in found] == []


def test_synthesis_calls_nothing_in_aws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    made = synthesize(EXAMPLE, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "missing" not in manifest
    assert made.resources
