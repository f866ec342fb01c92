"""The process whose threads share a lock: it reads its jobs from standard input and prints a line for each."""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from slicewright._core import InputError, live_end_with_parent, live_locks
from slicewright.live.control_files import ControlFiles
from slicewright.live.environment import Elsewhere, moment
from slicewright.live.group import Group


def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Run one job and say what its threads saw: what `Seen.of_json` reads.

    Raises InputError with what the system refused.

    >>> processor = min(os.sched_getaffinity(0))
    >>> job = {"method": "futex", "processors": [processor], "threads": 1, "hogs": 0, "turns": [1000, 10],
    ...        "tries": 100, "length_ns": 2_000_000, "seed": 1}
    >>> len(measure(job)["taken"])
    1
    """
    processors = job["processors"]
    before, times = [moment(processor) for processor in processors], os.times()
    who = (processors, job["threads"], job["hogs"])
    seen = live_locks(job["method"], who, (*job["turns"], job["tries"], job["length_ns"], job["seed"]))
    after, passed = [moment(processor) for processor in processors], os.times()
    own_s = (passed.user + passed.system - times.user - times.system) / len(processors)
    elsewhere = [end.since(begin, own_s) for begin, end in zip(before, after, strict=True)]
    return {**seen, "elsewhere": asdict(Elsewhere.of(elsewhere))}


def main() -> int:
    """Run the jobs of a request; 2 with the problems when the system refuses.

    >>> main.__module__
    'slicewright.live.locks.worker'
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    request = json.loads(sys.stdin.readline())
    live_end_with_parent()
    if os.getppid() != request["parent"]:
        return 1
    if request["group"]:
        group = Group(ControlFiles(), request["version"], Path(request["group"]))
        group.files.write(group.procs, str(os.getpid()))
    try:
        for job in request["jobs"]:
            print(json.dumps(measure(job)), flush=True)
    except InputError as error:
        print(json.dumps({"problems": error.problems}), flush=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
