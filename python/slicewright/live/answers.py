"""The answers of a worker process to its jobs, one line each; it ends with this process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from slicewright._core import InputError, RunError, live_end_with_parent
from slicewright.errors import refusal
from slicewright.io.child import command
from slicewright.live.control_files import ControlFiles
from slicewright.live.group import Group


def answers(
    module: str, groups: Sequence[Group], jobs: Sequence[Mapping[str, Any]], progress: Callable[[int], None]
) -> list[dict[str, Any]]:
    """The answer of a worker to each job, in groups; `progress` is called with how many are done.

    Raises InputError with what the system refused, RunError when the worker failed.

    >>> answers("slicewright.live.locks.worker", [], [], print)
    []
    """
    if not jobs:
        return []
    request = {"parent": os.getpid(), "groups": [str(group.procs) for group in groups], "jobs": list(jobs)}
    found: list[dict[str, Any]] = []
    with _worker(module) as worker:
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        for _, line in zip(jobs, worker.stdout, strict=False):
            answer = json.loads(line)
            if "problems" in answer:
                raise refusal(*answer["problems"])
            found.append(answer)
            progress(len(found))
        if len(found) < len(jobs):
            last = worker.communicate()[1].strip().splitlines()[-1:]
            raise RunError(f"a worker ended with status {worker.poll()}: {' '.join(last) or 'it said nothing'}")
    return found


def jobs_of(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """In a worker: the jobs of a request, after it has entered its groups; none if its parent has gone.

    >>> list(jobs_of({"parent": 0, "groups": [], "jobs": [{}]}))
    []
    """
    if os.getppid() != request["parent"]:
        return
    live_end_with_parent()
    if os.getppid() != request["parent"]:
        return
    for procs in request["groups"]:
        ControlFiles().write(Path(procs), str(os.getpid()))
    yield from request["jobs"]


def work(measure: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """In a worker: print the measurement of each job of the request, a line each; 2 with the problems of a refusal.

    >>> work.__module__
    'slicewright.live.answers'
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    try:
        for job in jobs_of(json.loads(sys.stdin.readline())):
            print(json.dumps(measure(job)), flush=True)
    except InputError as error:
        print(json.dumps({"problems": error.problems}), flush=True)
        return 2
    return 0


@contextlib.contextmanager
def _worker(module: str) -> Iterator[Any]:
    worker = subprocess.Popen(
        command(module),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True,
    )  # fmt: skip
    try:
        yield worker
    finally:
        if worker.poll() is None:
            worker.kill()
        worker.communicate()
