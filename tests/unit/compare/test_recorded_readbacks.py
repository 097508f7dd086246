"""The recorded read-backs of real AWS beside the checkout: no false alarm, no missed edit, nothing leaked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared"
SCORER = SHARED / "tools" / "score_compare.py"
COMMAND = (
    f"{sys.executable} -c "
    '"import sys; from driftwarden.compare_lines import compare_lines; '
    "from driftwarden.report.json import dumps; "
    '[sys.stdout.buffer.write(dumps(answer) + bytes([10])) for answer in compare_lines(sys.stdin.buffer)]"'
)


@pytest.mark.recorded
@pytest.mark.skipif(not SCORER.exists(), reason="the recorded cases are not beside this checkout")
@pytest.mark.parametrize("name", ["readbacks.jsonl", "reported.jsonl"])
def test_every_recorded_case_gets_the_right_answer(name: str) -> None:
    cases = SHARED / "corpus" / name
    done = subprocess.run(
        [sys.executable, SCORER, cases, "--mutations", "2", "--command", COMMAND],
        capture_output=True,
        text=True,
        check=True,
    )
    *wrong, summary = done.stdout.splitlines()
    assert wrong == []
    assert f"cases {sum(1 for line in cases.read_text().splitlines() if json.loads(line))}  " in summary
    assert "unanswered 0" in summary
