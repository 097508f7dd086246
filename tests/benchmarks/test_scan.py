"""How long a scan of 300 resources takes, near and far from AWS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from driftwarden.model import Outcome, StackReport, StackState
from driftwarden.scan import scan
from tests.benchmarks.mixed_stack import FarAwayClients, build
from tests.e2e.emulator import Emulator


@pytest.fixture(scope="module")
def stack() -> Iterator[StackState]:
    with Emulator() as emulator, emulator.as_environment():
        yield build(emulator.client)


@pytest.mark.parametrize("milliseconds", [0, 40])
def test_scan_of_300_resources(benchmark: Any, stack: StackState, milliseconds: int) -> None:
    requests = 0

    def run() -> list[StackReport]:
        nonlocal requests
        clients = FarAwayClients(milliseconds / 1000)
        reports = scan([stack], clients)
        requests = clients.requests
        return reports

    (report,) = benchmark.pedantic(run, rounds=3, iterations=1)
    assert [f for f in report.findings if f.outcome is not Outcome.CLEAN] == []
    benchmark.extra_info["requests"] = requests
