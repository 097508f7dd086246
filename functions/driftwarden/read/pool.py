"""Runs many reads at once: one pool of threads, and for every service no more than it bears.

A plain pool would let one slow service hold all threads; here a read starts only when its service has a free
place.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from driftwarden.read.limits import CONCURRENCY, DEFAULT_CONCURRENCY

THREADS: Final = 32
"""Scanning is CPU-bound in the client library beyond this many calls in flight."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Generic[T]):
    """One read. `calls`: about how many requests it makes; the longest queues start first."""

    service: str
    region: str
    calls: int
    run: Callable[[], T]


def run_all(jobs: Sequence[Job[T]], *, done: Callable[[int], None] | None = None) -> list[T]:
    """The results of all jobs, in the order of `jobs`. `done` is told after each how many are finished."""
    results: dict[int, T] = {}
    queues = _queues(jobs)
    running: Counter[tuple[str, str]] = Counter()
    futures: dict[Future[T], int] = {}
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="read")
    try:
        while queues or futures:
            for index in _startable(queues, running, THREADS - len(futures)):
                futures[pool.submit(jobs[index].run)] = index
            finished, _ = wait(futures, return_when=FIRST_COMPLETED)
            for future in finished:
                index = futures.pop(future)
                running[_place(jobs[index])] -= 1
                results[index] = future.result()
                if done:
                    done(len(results))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return [results[i] for i in range(len(jobs))]


def _place(job: Job[T]) -> tuple[str, str]:
    return job.service, job.region


def _queues(jobs: Sequence[Job[T]]) -> dict[tuple[str, str], deque[int]]:
    """Job numbers by service and region: the busiest service first, in it the dearest job first."""
    queues: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    weight: Counter[tuple[str, str]] = Counter()
    for index in sorted(range(len(jobs)), key=lambda i: -jobs[i].calls):
        place = _place(jobs[index])
        queues[place].append(index)
        weight[place] += jobs[index].calls
    return {place: queues[place] for place, _ in weight.most_common()}


def _startable(
    queues: dict[tuple[str, str], deque[int]], running: Counter[tuple[str, str]], free: int
) -> list[int]:
    """Take the job numbers that may start now off their queues, at most `free`."""
    taken: list[int] = []
    for place in list(queues):
        width = CONCURRENCY.get(place[0], DEFAULT_CONCURRENCY)
        while queues[place] and running[place] < width and len(taken) < free:
            taken.append(queues[place].popleft())
            running[place] += 1
        if not queues[place]:
            del queues[place]
    return taken
