"""Reading at the same time: every service gets what it bears, and results never depend on timing."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from driftwarden.read.limits import CONCURRENCY, DEFAULT_CONCURRENCY
from driftwarden.read.pool import THREADS, Job, run_all


def _job(service: str, run: object, calls: int = 1) -> Job[object]:
    return Job(service=service, region="us-east-1", calls=calls, run=run)  # type: ignore[arg-type]


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert run_all([_job("sqs", lambda n=n: n, calls=n % 7) for n in range(100)]) == list(range(100))


def test_no_jobs_give_no_results() -> None:
    assert run_all([]) == []


def test_no_service_gets_more_calls_at_once_than_it_bears() -> None:
    running: Counter[str] = Counter()
    peak: Counter[str] = Counter()
    lock = threading.Lock()
    busy = threading.Event()

    def work(service: str) -> None:
        with lock:
            running[service] += 1
            peak[service] = max(peak[service], running[service])
        busy.wait(0.002)
        with lock:
            running[service] -= 1

    services = ["iam"] * 40 + ["sqs"] * 40 + ["s3"] * 40
    run_all([_job(s, lambda s=s: work(s)) for s in services])
    assert peak["iam"] <= CONCURRENCY["iam"]
    assert peak["sqs"] <= DEFAULT_CONCURRENCY
    assert peak["s3"] <= CONCURRENCY["s3"]


def test_a_crowded_service_does_not_keep_the_others_waiting() -> None:
    release = threading.Event()

    def slow() -> str:
        assert release.wait(10)
        return "slow"

    def quick() -> str:
        release.set()
        return "quick"

    jobs = [_job("iam", slow, calls=9) for _ in range(THREADS)] + [_job("sqs", quick)]
    assert run_all(jobs)[-1] == "quick"


def test_progress_counts_up_to_the_number_of_jobs() -> None:
    told: list[int] = []
    run_all([_job("sqs", lambda: None) for _ in range(9)], done=told.append)
    assert told == list(range(1, 10))


def test_a_fault_in_a_job_is_not_swallowed() -> None:
    def broken() -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        run_all([_job("sqs", broken)])
