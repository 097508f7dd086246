"""The whole product on an emulator: edits in the live account come back as alerts, reports, exit status."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.deployment import Alert, Deployment
from tests.e2e.edits import EDITS, make_all
from tests.e2e.emulator import Emulator
from tests.e2e.world import DATABASE_PASSWORD, World

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e")]

DRIFTED = sorted({edit.stack for edit in EDITS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Deployed, edited, scanned by the schedule."""

    emulator: Emulator
    world: World
    deployment: Deployment
    untouched: subprocess.CompletedProcess[str]
    alerts: dict[str, Alert]


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with Emulator() as emulator:
        world, deployment = World(emulator), Deployment(emulator)
        world.build()
        untouched = _drift(emulator, "--all", "--json")
        deployment.deploy(world.stacks)
        make_all(emulator, world)
        alerts = deployment.alerts(set(DRIFTED))
        yield Scene(emulator=emulator, world=world, deployment=deployment, untouched=untouched, alerts=alerts)


def _drift(emulator: Emulator, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["driftwarden", "drift", *arguments],
        env=emulator.environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _shown(report: dict[str, Any]) -> set[tuple[str, str, str]]:
    """(stack, logical id, path) of everything that a report object calls drifted or deleted."""
    rows = {
        (report["stack"], row["logicalId"], change["path"])
        for row in report["drifted"]
        for change in row["changes"]
    }
    return rows | {(report["stack"], row["logicalId"], "") for row in report["deleted"]}


EXPECTED = {(edit.stack, edit.logical_id, edit.path) for edit in EDITS}


def test_freshly_deployed_stacks_are_clean(scene: Scene) -> None:
    reports = json.loads(scene.untouched.stdout)
    assert [r["stack"] for r in reports] == ["Ledger", "Network", "Shop"]
    assert all(r["drifted"] == r["deleted"] == r["notCompared"] == [] for r in reports), (
        scene.untouched.stdout
    )
    assert scene.untouched.returncode == 0


def test_the_schedule_reports_every_edit_to_s3_and_nothing_else(scene: Scene) -> None:
    found = set()
    for stack in scene.world.stacks:
        document = scene.deployment.latest_report(stack)
        found |= _shown(document["report"])
        assert document["exitStatus"] == (1 if stack in DRIFTED else 0)
        assert document["summary"]["resources"] == len(scene.world.stacks[stack].resources)
    assert found == EXPECTED


def test_each_drifted_stack_raises_an_alert_that_names_the_resources(scene: Scene) -> None:
    for stack in DRIFTED:
        alert = scene.alerts[stack]
        assert alert.kind == "drift"
        for edit in EDITS:
            assert (edit.logical_id in alert.raw) is (edit.stack == stack)


def test_a_clean_stack_raises_no_alert(scene: Scene) -> None:
    assert set(scene.alerts) == set(DRIFTED)


def test_the_command_line_says_the_same_and_exits_with_1(scene: Scene) -> None:
    done = _drift(scene.emulator, "--all", "--json")
    assert done.returncode == 1
    assert set().union(*map(_shown, json.loads(done.stdout))) == EXPECTED
    human = _drift(scene.emulator, "--all")
    assert human.returncode == 1
    for edit in EDITS:
        assert edit.logical_id in human.stdout
    assert "✓ Ledger (us-east-1): no drift detected — 3 resources checked" in human.stdout


def test_one_resource_can_be_read_alone_without_showing_a_secret(scene: Scene) -> None:
    done = subprocess.run(
        ["driftwarden", "read", "Shop", "Worker"],
        env=scene.emulator.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    live = json.loads(done.stdout)
    assert live["Environment"]["Variables"]["LOG_LEVEL"] == "debug"
    assert DATABASE_PASSWORD not in done.stdout


def test_the_planted_secret_is_nowhere(scene: Scene) -> None:
    verbose = _drift(scene.emulator, "--all", "--verbose")
    outputs = [
        scene.deployment.everything_stored(),
        scene.deployment.everything_logged(),
        verbose.stdout + verbose.stderr,
        *(alert.raw for alert in scene.alerts.values()),
    ]
    assert all(outputs[:3])
    assert not any(DATABASE_PASSWORD in output for output in outputs)
