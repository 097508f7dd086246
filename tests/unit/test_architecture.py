"""The order of the house: what may import what. Data flows one way; the core knows no Lambda and no CDK."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "functions" / "driftwarden"
MODULES = sorted(CORE.rglob("*.py"))


def _imports(module: Path) -> Iterator[str]:
    """Dotted names that a module imports when it runs; what is for the type checker alone does not count."""
    pending: list[ast.AST] = [ast.parse(module.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        pending.extend(ast.iter_child_nodes(node))


def _reaches(module: Path, *forbidden: str) -> list[str]:
    return [
        name for name in _imports(module) if any(name == f or name.startswith(f"{f}.") for f in forbidden)
    ]


def _below(*packages: str) -> list[Path]:
    return [m for m in MODULES if m.relative_to(CORE).parts[0].removesuffix(".py") in packages]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(CORE)))
def test_the_core_knows_no_lambda_and_no_cdk(module: Path) -> None:
    handlers = (p.name for p in (ROOT / "functions").iterdir() if (p / "handler.py").exists())
    assert (
        _reaches(module, "aws_lambda_powertools", "aws_cdk", "constructs", "infra", "runtime", *handlers)
        == []
    )


@pytest.mark.parametrize("module", _below("compare", "model", "convert", "errors"), ids=str)
def test_comparing_calls_nobody(module: Path) -> None:
    forbidden = ("boto3", "botocore", "driftwarden.clients", "driftwarden.read", "driftwarden.state", "time")
    assert _reaches(module, *forbidden) == []


@pytest.mark.parametrize("module", _below("resources", "schema"), ids=str)
def test_facts_about_resource_types_depend_on_no_machinery(module: Path) -> None:
    pipeline = ("read", "compare", "state", "secrets", "scan", "examine", "remedy", "report")
    machinery = (*pipeline, "commands", "cli")
    assert _reaches(module, *(f"driftwarden.{name}" for name in machinery)) == []


@pytest.mark.parametrize("module", _below("read", "compare", "secrets", "state"), ids=str)
def test_nothing_below_the_pipeline_knows_the_pipeline(module: Path) -> None:
    above = ("scan", "examine", "remedy", "gate", "commands", "cli", "console")
    assert _reaches(module, *(f"driftwarden.{name}" for name in above)) == []


def test_every_module_stays_small_enough_to_read() -> None:
    sizes = {str(m.relative_to(ROOT)): len(m.read_text(encoding="utf-8").splitlines()) for m in MODULES}
    assert {name: lines for name, lines in sizes.items() if lines > 400} == {}
