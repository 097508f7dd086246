"""The example configuration, synthesized once per worker: every test here looks at the same template."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# Before anything of the CDK: it names the Node.js that importing the CDK starts.
import infra

ROOT = Path(infra.__file__).parent
EXAMPLE = ROOT / "watched-stacks.example.toml"


class Synthesized:
    """A template and what cdk-nag said about it."""

    def __init__(self, assembly: Path) -> None:
        self.resources: dict[str, Any] = json.loads((assembly / "Driftwarden.template.json").read_text())[
            "Resources"
        ]
        self.path = assembly / "Driftwarden.template.json"
        self.validation: dict[str, Any] = json.loads((assembly / "validation-report.json").read_text())

    def of_type(self, name: str) -> dict[str, dict[str, Any]]:
        """Properties by logical id."""
        return {key: r["Properties"] for key, r in self.resources.items() if r["Type"] == name}

    def policy(self, stack: str) -> list[dict[str, Any]]:
        """Every statement of the scanner's role for a watched stack."""
        return self.policy_of(f"Scan{stack}")

    def policy_of(self, start: str) -> list[dict[str, Any]]:
        """Every statement of the roles whose logical ids begin so."""
        roles = {key for key in self.of_type("AWS::IAM::Role") if key.startswith(start)}
        statements: list[dict[str, Any]] = []
        for kind in ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"):
            for properties in self.of_type(kind).values():
                if {role["Ref"] for role in properties.get("Roles", [])} & roles:
                    statements += properties["PolicyDocument"]["Statement"]
        return statements


def synthesize(
    config: Path, out: Path, *, target: str = "lambda", add: Callable[[Any], object] | None = None
) -> Synthesized:
    """Synthesize the app as the CDK command does, without bundling: nothing is installed or copied."""
    import aws_cdk as cdk

    from infra.app import build

    flags = json.loads((ROOT / "cdk.json").read_text())["context"]
    given = {**flags, "config": str(config), "target": target, "aws:cdk:bundling-stacks": []}
    app = cdk.App(outdir=str(out), context=given)
    stack = build(app)
    if add:
        add(stack)
    app.synth()
    return Synthesized(out)


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Synthesized:
    """The committed example: `Shop` with declared types, `Billing` with all, `Partner` in another account."""
    return synthesize(EXAMPLE, tmp_path_factory.mktemp("assembly"))


@pytest.fixture
def write_config(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a configuration file and says where it is."""

    def write(text: str) -> Path:
        path = tmp_path / "watched-stacks.toml"
        path.write_text(text)
        return path

    return write
