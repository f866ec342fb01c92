"""The process whose threads put filters in front of their calls: jobs from standard input, a line for each."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from slicewright._core import InputError, live_calls
from slicewright.errors import Problem, refusal
from slicewright.live.answers import work
from slicewright.live.environment import beside
from slicewright.live.hooks.program import filter_program
from slicewright.live.hooks.seccomp import install

PERCENTILES = {"p50_ns": 0.5, "p95_ns": 0.95, "p99_ns": 0.99}


def measure(job: Mapping[str, Any]) -> dict[str, Any]:
    """The calls of one job: without a filter, then behind each number of them, on a thread that ends afterwards.

    Raises InputError with what the system refused.

    >>> processor = min(os.sched_getaffinity(0))
    >>> job = {"order": "list", "rules": 9, "counts": [], "processor": processor, "length_ns": 1_000_000}
    >>> [sorted(called) for called in measure(job)["called"]]
    [['cpu_ns', 'p50_ns', 'p95_ns', 'p99_ns']]
    """
    called: list[dict[str, float]] = []
    problems: list[Problem] = []

    def work() -> None:
        try:
            os.sched_setaffinity(0, {job["processor"]})
            _work(job, called)
        except InputError as error:
            problems.extend(error.problems)

    def run() -> None:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    _, elsewhere = beside([job["processor"]], run)
    if problems:
        raise refusal(*problems)
    return {"called": called, "elsewhere": asdict(elsewhere)}


def _work(job: Mapping[str, Any], called: list[dict[str, float]]) -> None:
    program = filter_program(job["rules"], job["order"])
    called.append(_summed(live_calls(job["length_ns"])))
    there = 0
    for count in job["counts"]:
        for _ in range(count - there):
            install(program)
        there = count
        called.append(_summed(live_calls(job["length_ns"])))


def _summed(seen: Mapping[str, Any]) -> dict[str, float]:
    """Nanoseconds of a call at each percentile of stretches of calls, and of processor time in the mean."""
    stretches, each = sorted(seen["stretches_ns"]), seen["stretch_calls"]
    found = {name: stretches[int(share * (len(stretches) - 1))] / each for name, share in PERCENTILES.items()}
    return {**found, "cpu_ns": seen["cpu_ns"] / (each * len(stretches))}


if __name__ == "__main__":
    sys.exit(work(measure))
