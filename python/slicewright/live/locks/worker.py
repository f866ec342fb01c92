"""The process whose threads share a lock: it reads its jobs from standard input and prints a line for each."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from slicewright._core import live_locks
from slicewright.live.answers import work
from slicewright.live.environment import beside


def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Run one job and say what its threads saw: what `Seen.of_json` reads.

    Raises InputError with what the system refused.

    >>> import os
    >>> processor = min(os.sched_getaffinity(0))
    >>> job = {"method": "futex", "processors": [processor], "threads": 1, "hogs": 0, "turns": [1000, 10],
    ...        "tries": 100, "length_ns": 2_000_000, "seed": 1}
    >>> len(measure(job)["taken"])
    1
    """
    processors = job["processors"]
    who = (processors, job["threads"], job["hogs"])
    what = (*job["turns"], job["tries"], job["length_ns"], job["seed"])
    seen, elsewhere = beside(processors, lambda: live_locks(job["method"], who, what))
    return {**seen, "elsewhere": asdict(elsewhere)}


if __name__ == "__main__":
    sys.exit(work(measure))
