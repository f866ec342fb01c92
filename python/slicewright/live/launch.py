"""A worker process: started, waited for with a time limit, and gone when its parent is."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Callable
from typing import Any

from slicewright._core import InputError, RunError
from slicewright.errors import refusal
from slicewright.io.child import command
from slicewright.live.group import Group
from slicewright.live.threads import Saw, Threads

GRACE_S = 20.0
"""How much longer than its threads a worker may take: at worst it ends in slices of a limited group."""

STEP_S = 0.2


def run_threads(threads: Threads, group: Group | None, progress: Callable[[float], None] | None = None) -> Saw:
    """Run threads in a process of their own, in a group if one is given; `progress` is called with seconds so far.

    Raises InputError with what the system refused, RunError when the worker failed or did not end in time.

    >>> from slicewright.live.threads import Waiter
    >>> processor = min(os.sched_getaffinity(0))
    >>> saw = run_threads(Threads(processor, 20_000_000, False, (Waiter("locked", 0, 1_000_000),)), None)
    >>> all(wait.late_ms >= 0 for wait in saw.waits[0])
    True
    """
    request = {
        "parent": os.getpid(), "version": group.version if group else 0,
        "group": str(group.path) if group else "", "threads": threads.as_json(),
    }  # fmt: skip
    worker = subprocess.Popen(
        command("slicewright.live.worker"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    length_s = threads.length_ns / 1e9
    try:
        said, complained = _heard(worker, json.dumps(request).encode(), length_s, progress)
    finally:
        if worker.poll() is None:
            worker.kill()
            if group is not None:  # it ends at once, not in its next slice
                with contextlib.suppress(InputError):
                    group.limit(None)
            worker.wait()
    return _understood(worker.returncode, said, complained, length_s)


def _heard(
    worker: subprocess.Popen[bytes], request: bytes, length_s: float, progress: Callable[[float], None] | None
) -> tuple[bytes, bytes]:
    began = time.monotonic()
    given: bytes | None = request
    while True:
        try:
            return worker.communicate(given, timeout=STEP_S)
        except subprocess.TimeoutExpired:
            given = None
            passed = time.monotonic() - began
            if progress is not None:
                progress(min(passed, length_s))
            if passed > length_s + GRACE_S:
                raise RunError(f"a worker was not through {GRACE_S:g} s after its threads should have been") from None


def _understood(status: int, said: bytes, complained: bytes, length_s: float) -> Saw:
    answer: dict[str, Any] = {}
    try:
        answer = json.loads(said)
    except ValueError:
        status = status or 1
    if "problems" in answer:
        raise refusal(*answer["problems"])
    if status != 0:
        last = complained.decode(errors="replace").strip().splitlines()[-1:]
        raise RunError(f"a worker ended with status {status}: {' '.join(last) or 'it said nothing'}")
    return Saw.of_json(answer, length_s)
