"""A revert of ten resources that is stopped in its middle, as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.emulator import ACCOUNT, REGION, Emulator

pytestmark = pytest.mark.e2e

BUCKET = f"cdkd-state-{ACCOUNT}"
KEY = f"cdkd/Shop/{REGION}/state.json"
LOCK = f"cdkd/Shop/{REGION}/lock.json"
NUMBER = 10
PATIENCE = 60

PROGRAM = """
import sys, time
from pathlib import Path
from botocore.client import BaseClient
from driftwarden.cli import main

original, written = BaseClient._make_api_call, []

def call(client, operation, params):
    if operation == "SetQueueAttributes":
        written.append(params)
        if len(written) == 4:
            Path(sys.argv[1]).touch()
            time.sleep(2)
    return original(client, operation, params)

BaseClient._make_api_call = call
main(["drift", "Shop", "--revert", "--yes", "--concurrency", "1"])
"""
"""Says when the fourth write is about to begin, and gives the signal time to arrive."""


class World:
    """An emulated AWS that outlives the process under test."""

    def __init__(self, emulator: Emulator) -> None:
        self.environment = emulator.environment
        self.s3, self.sqs = emulator.client("s3"), emulator.client("sqs")
        self.s3.create_bucket(Bucket=BUCKET)
        self.urls = [self._queue(index) for index in range(NUMBER)]
        resources = {
            f"Q{index}": {
                "physicalId": url,
                "resourceType": "AWS::SQS::Queue",
                "properties": {"VisibilityTimeout": 60},
            }
            for index, url in enumerate(self.urls)
        }
        self.document = {"version": 8, "stackName": "Shop", "region": REGION, "resources": resources}
        self.s3.put_object(Bucket=BUCKET, Key=KEY, Body=json.dumps(self.document).encode())

    def _queue(self, index: int) -> str:
        answer = self.sqs.create_queue(QueueName=f"q{index}", Attributes={"VisibilityTimeout": "77"})
        return str(answer["QueueUrl"])

    def reverted(self) -> int:
        return sum(self._timeout(url) == "60" for url in self.urls)

    def _timeout(self, url: str) -> str:
        answer = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])
        return str(answer["Attributes"]["VisibilityTimeout"])

    def state(self) -> Any:
        return json.loads(self.s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read())

    def locked(self) -> bool:
        return bool(self.s3.list_objects_v2(Bucket=BUCKET, Prefix=LOCK)["KeyCount"])

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = "from driftwarden.cli import main; main()"
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE * 2,
            check=False,
        )

    def stopped_by(self, number: int, marker: Path) -> tuple[int, str]:
        """Start a revert, send it a signal in its middle; (exit status, what it said)."""
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(marker)],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        until = time.monotonic() + PATIENCE
        while not marker.exists():
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(number)
        said, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, said


@pytest.fixture
def world() -> Iterator[World]:
    with Emulator() as emulator:
        yield World(emulator)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_releases_the_lock_and_a_second_run_finishes(
    world: World, tmp_path: Path, number: int
) -> None:
    status, said = world.stopped_by(number, tmp_path / "fourth")
    assert (status, "interrupted" in said) == (130, True)
    assert 3 <= world.reverted() < NUMBER
    assert not world.locked()
    assert world.state() == world.document
    again = world.run("drift", "Shop", "--revert", "--yes")
    assert again.returncode == 0, again.stdout + again.stderr
    assert world.reverted() == NUMBER


def test_after_a_kill_the_state_is_whole_and_the_lock_can_be_taken_over(world: World, tmp_path: Path) -> None:
    status, _ = world.stopped_by(signal.SIGKILL, tmp_path / "fourth")
    assert status == -signal.SIGKILL
    assert world.reverted() < NUMBER
    assert world.state() == world.document
    assert world.locked()
    blocked = world.run("drift", "Shop", "--revert", "--yes")
    assert blocked.returncode == 1
    assert "drift-revert" in blocked.stderr
    assert "aws s3 rm" in blocked.stderr
    lock = json.loads(world.s3.get_object(Bucket=BUCKET, Key=LOCK)["Body"].read())
    world.s3.put_object(Bucket=BUCKET, Key=LOCK, Body=json.dumps({**lock, "expiresAt": 1}).encode())
    assert world.run("drift", "Shop", "--revert", "--yes").returncode == 0
    assert world.reverted() == NUMBER
    assert not world.locked()
