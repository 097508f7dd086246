"""The recorded cases beside the checkout: service answers, read-backs of real AWS, and a frozen cloud.

They are not part of the project. Where they are not there, these tests are skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from driftwarden.resources.registry import all_types

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
TOOLS, GOLDEN, CORPUS = SHARED / "tools", SHARED / "golden", SHARED / "corpus"
DRIFTWARDEN = Path(sys.executable).parent / "driftwarden"
EMULATOR = ROOT / ".emulator" / "bin" / "ministack"

DECLARED = tuple(sorted(declared.name for declared in all_types()))

DIFFERENCES = {"none": 1, "a": 1, "b": 1, "c": 1, "d": 0}
"""At most so many resources of declared types on which we and the recorded answer differ, by set of edits."""
EDITS_SHOWN = {"a": 300, "b": 199, "c": 75, "d": 30}
"""At least so many edits are in the report."""

READ_BESIDES = re.compile(r"^AWS::EC2::\w+ \S+: Tags: expected null got \[")
"""The deploy tool does not read the tags of these back; a change to them is drift all the same."""

pytestmark = [
    pytest.mark.recorded,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded cases are not beside the checkout"),
]


def measure(*command: str | Path) -> list[str]:
    """The lines that a scorer prints; the last one holds its figures."""
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MINISTACK": str(EMULATOR)},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    print(done.stdout)
    return done.stdout.splitlines()


def figures(pattern: str, line: str) -> tuple[int, ...]:
    """The numbers that a scorer's last line gives for `pattern`."""
    found = re.search(pattern, line)
    assert found, f"no {pattern!r} in {line!r}"
    return tuple(int(number) for number in found.groups())


def test_declared_readers_give_what_the_deploy_tool_read() -> None:
    *differing, line = measure(
        TOOLS / "score_readers.py", GOLDEN / "readers", "--types", *DECLARED, "--show", "1000"
    )
    right, cases = figures(r"cases right (\d+) of (\d+)", line)
    assert [told for told in differing if not READ_BESIDES.search(told)] == []
    assert right + len(differing) == cases


@pytest.mark.parametrize("corpus", ["readbacks", "reported"])
def test_comparing_raises_no_false_alarm_and_hides_nothing(corpus: str) -> None:
    command = f"{DRIFTWARDEN} compare --jsonl"
    line = measure(TOOLS / "score_compare.py", CORPUS / f"{corpus}.jsonl", "--command", command)[-1]
    assert figures(r"unanswered (\d+)", line) == (0,)
    assert figures(r"false alarms (\d+)", line) == (0,)
    assert figures(r"  misses (\d+)", line) == (0,)
    assert figures(r"leaks (\d+)", line) == (0,)
    assert figures(r"mutation misses (\d+)", line) == (0,)


@pytest.mark.xdist_group("frozen-cloud")
@pytest.mark.parametrize("edits", DIFFERENCES)
def test_the_frozen_cloud_reads_as_recorded_and_shows_every_edit(edits: str, tmp_path: Path) -> None:
    report, log = scan_frozen_cloud(edits, tmp_path)
    chosen = () if edits == "none" else ("--edits", edits)
    line = measure(GOLDEN / "cloud.py", "check", *chosen, "--types", ",".join(DECLARED), report)[-1]
    shown = measure(GOLDEN / "cloud.py", "seen", "--edits-log", log, report)[-1] if log else ""
    assert "STACK MISSING" not in line
    if "DIFFER" in line:
        assert figures(r"DIFFER (\d+)", line)[0] <= DIFFERENCES[edits]
    if shown:
        assert figures(r"edits shown (\d+)", shown)[0] >= EDITS_SHOWN[edits]


def scan_frozen_cloud(edits: str, folder: Path) -> tuple[Path, Path | None]:
    """Start a copy of the cloud, make the edits, scan all stacks: the report, and the log of the edits."""
    report, log = folder / "report.json", folder / "edits.jsonl"
    chosen = () if edits == "none" else ("--edits", edits, "--edits-log", str(log))
    command = [sys.executable, str(GOLDEN / "cloud.py"), "run", *chosen]
    with report.open("w") as out:
        done = subprocess.run(
            [*command, "--", str(DRIFTWARDEN), "drift", "--all", "--json"],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "MINISTACK": str(EMULATOR)},
        )
    assert done.returncode in (0, 1, 2), done.stderr[-2000:]
    return report, log if chosen else None
