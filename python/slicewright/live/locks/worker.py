"""The process whose threads share a lock: it reads its jobs from standard input and prints a line for each."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import asdict
from typing import Any

from slicewright._core import InputError, live_locks
from slicewright.live.answers import jobs_of
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


def main() -> int:
    """Run the jobs of a request; 2 with the problems when the system refuses.

    >>> main.__module__
    'slicewright.live.locks.worker'
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    request = json.loads(sys.stdin.readline())
    try:
        for job in jobs_of(request):
            print(json.dumps(measure(job)), flush=True)
    except InputError as error:
        print(json.dumps({"problems": error.problems}), flush=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
