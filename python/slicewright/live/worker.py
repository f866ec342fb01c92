"""The process whose threads are measured: it comes into the limited group, runs them, and prints what they saw."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from slicewright._core import InputError, live_end_with_parent, live_waits
from slicewright.live.control_files import ControlFiles
from slicewright.live.environment import moment
from slicewright.live.group import Group
from slicewright.live.threads import Threads


def measure(threads: Threads, group: Group | None) -> dict[str, Any]:
    """Run threads, in a group if there is one, and say what they saw: what `Saw.of_json` reads.

    Raises InputError with what the system refused.

    >>> from slicewright.live.threads import Waiter
    >>> processor = min(os.sched_getaffinity(0))
    >>> seen = measure(Threads(processor, 5_000_000, False, (Waiter("locked", 0, 1_000_000),)), None)
    >>> len(seen["waiters"])
    1
    """
    if group is not None:
        group.files.write(group.procs, str(os.getpid()))
    before: dict[str, Any] = {}

    def ready(burner: int | None) -> None:
        if burner is not None:
            yield_at_once(burner)
        before["stat"] = group.stat() if group else {}
        before["cpu_s"] = time.process_time()
        before["moment"] = moment(threads.processor)

    waiters = [
        (
            (waiter.wait_ns, (threads.file, waiter.read_bytes) if waiter.read_bytes else None),
            (waiter.case, waiter.start_ns),
        )
        for waiter in threads.waiters
    ]
    seen = live_waits((threads.processor, threads.length_ns, threads.burner, threads.seed), waiters, ready)
    stat, cpu_s = (group.stat() if group else {}), time.process_time() - before["cpu_s"]
    return {
        **seen,
        "stat": {name: value - before["stat"].get(name, 0) for name, value in stat.items()},
        "cpu_s": cpu_s,
        "elsewhere": asdict(moment(threads.processor).since(before["moment"], cpu_s)),
    }


def yield_at_once(thread: int) -> None:
    """Have a thread yield to the others of its group (SCHED_IDLE), so that a thread that wakes up runs at once.

    >>> yield_at_once(-1)
    """
    with contextlib.suppress(OSError):  # then it shares fairly, and wake-ups are late by up to a base slice
        os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))


def main() -> int:
    """Read a request from standard input and print what was seen; 2 with the problems when the system refuses.

    >>> main.__module__
    'slicewright.live.worker'
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    request = json.load(sys.stdin)
    live_end_with_parent()
    if os.getppid() != request["parent"]:
        return 1
    group = Group(ControlFiles(), request["version"], Path(request["group"])) if request["group"] else None
    try:
        json.dump(measure(Threads.of_json(request["threads"]), group), sys.stdout)
    except InputError as error:
        json.dump({"problems": error.problems}, sys.stdout)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
