"""What a cold start of the scanner costs beside a bare `import boto3`, in a fresh interpreter."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from typing import Any

import pytest

from tests.e2e.emulator import ROOT


@pytest.mark.parametrize("module", ["boto3", "scan_stack.handler", "driftwarden.cli"])
def test_import(benchmark: Any, module: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "functions"), "AWS_DEFAULT_REGION": "us-east-1"}

    def run() -> None:
        subprocess.run([sys.executable, "-c", f"import {module}"], env=environment, check=True)

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    benchmark.pedantic(run, rounds=5, iterations=1, warmup_rounds=1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    benchmark.extra_info["cpu_seconds"] = round(used / 6, 3)
