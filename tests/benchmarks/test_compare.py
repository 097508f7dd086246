"""How long comparing takes once everything is read: 5,000 resources of 40 properties, 5 % differing."""

from __future__ import annotations

from typing import Any

from driftwarden.compare import Context, compare
from driftwarden.model import Record

RESOURCES = 5_000
PROPERTIES = 40


def test_comparing_5000_resources(benchmark: Any) -> None:
    context = Context(region="us-east-1", account_id="123456789012", siblings={})
    pairs = [_pair(number) for number in range(RESOURCES)]

    def run() -> int:
        return sum(bool(compare(record, record.baseline, live, context).changes) for record, live in pairs)

    assert benchmark.pedantic(run, rounds=5, iterations=1) == RESOURCES // 20


def _pair(number: int) -> tuple[Record, dict[str, Any]]:
    properties = {f"Property{i}": {"Value": i, "List": [i, i + 1]} for i in range(PROPERTIES)}
    live: dict[str, Any] = {key: dict(value) for key, value in properties.items()}
    if number % 20 == 0:
        live["Property7"]["Value"] = "changed by hand"
    record = Record(
        logical_id=f"R{number}",
        resource_type="AWS::SQS::Queue",
        physical_id="id",
        properties=properties,
        observed=properties,
    )
    return record, live
