"""Entry point of the CDK: `cdk synth` and `cdk deploy` run `python -m infra.app`.

Context: `config`, the file that says what to watch; `target`, `lambda` (the default) or `local` for an
emulator that runs the functions with this machine's Python.
"""

from __future__ import annotations

import sys
from pathlib import Path

import aws_cdk as cdk
from cdk_nag import AwsSolutionsChecks

from driftwarden.errors import ConfigurationError
from infra.bundling import HERE, LAMBDA
from infra.config import load
from infra.stack import DriftwardenStack

TARGETS = {"lambda": LAMBDA, "local": HERE}
DEFAULT_CONFIG = Path(__file__).parent / "watched-stacks.toml"


def build(app: cdk.App) -> DriftwardenStack:
    """The stack that the app's context describes. Raises `ConfigurationError`. Calls nothing in AWS."""
    name = app.node.try_get_context("target") or "lambda"
    if name not in TARGETS:
        raise ConfigurationError(f"context target={name}: expected one of {', '.join(TARGETS)}")
    watch = load(Path(app.node.try_get_context("config") or DEFAULT_CONFIG))
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return DriftwardenStack(app, "Driftwarden", watch=watch, target=TARGETS[name])


def main() -> None:
    app = cdk.App()
    try:
        build(app)
    except ConfigurationError as error:
        sys.exit(str(error))
    app.synth()


if __name__ == "__main__":
    main()
