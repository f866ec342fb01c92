"""Worker processes: each measures jobs in control groups, a line of JSON each way, and ends with this process.

A program is a module with a function from a job to what was seen, both dataclasses; it ends with `sys.exit(work(it))`.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from slicewright._core import InputError, RunError, live_end_with_parent
from slicewright.live.groups import ControlFiles, Group
from slicewright.values import codec
from slicewright.values.child import command
from slicewright.values.errors import refusal

J = TypeVar("J")
S = TypeVar("S")

Heard = Callable[[int, float], None]
"""Called now and then while a worker measures: with how many jobs are done, and the seconds so far."""

_STEP_S = 0.2
_PIECE = 1 << 16


def answers(
    measure: Callable[[J], S],
    jobs: Sequence[J],
    groups: Sequence[Group] = (),
    heard: Heard = lambda done, seconds: None,
    patience_s: float = math.inf,
) -> list[S]:
    """The observations of a worker in groups, job after job; `measure` is the function of its program.

    Raises InputError with what the system refused, RunError when the worker failed or took longer than `patience_s`.
    """
    if not jobs:
        return []
    kind = get_type_hints(measure)["return"]
    request = {"parent": os.getpid(), "groups": [str(group.procs) for group in groups], "jobs": codec.plain(jobs)}
    found: list[S] = []
    with _worker(measure.__module__, groups) as worker:
        worker.stdin.write(json.dumps(request).encode() + b"\n")
        worker.stdin.flush()
        for line in _lines(worker, lambda seconds: heard(len(found), seconds), patience_s):
            answer = codec.parsed(line, measure.__module__)
            if "problems" in answer:
                raise refusal(*answer["problems"])
            found.append(codec.convert(kind, answer, measure.__module__))
            heard(len(found), 0.0)
            if len(found) == len(jobs):
                return found
        last = worker.stderr.read().decode(errors="replace").strip().splitlines()[-1:]
        raise RunError(f"a worker ended with status {worker.wait()}: {' '.join(last) or 'it said nothing'}")


def work(measure: Callable[[Any], Any]) -> int:
    """In a worker: print what is seen of each job on standard input, a line each; 2 with the problems of a refusal."""
    import msgspec

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    kind = get_type_hints(measure)["job"]
    try:
        for job in _jobs_of(json.loads(sys.stdin.readline())):
            print(msgspec.json.encode(measure(codec.convert(kind, job, "a job"))).decode(), flush=True)
    except InputError as error:
        print(json.dumps({"problems": error.problems}), flush=True)
        return 2
    return 0


def _jobs_of(request: dict[str, Any]) -> Iterator[Any]:
    """In a worker: the jobs of a request, after it has entered its groups; none if its parent has gone.

    >>> list(_jobs_of({"parent": 0, "groups": [], "jobs": [{}]}))
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


def mean(values: Sequence[int]) -> float:
    """The mean; NaN without values."""
    return math.fsum(values) / len(values) if values else math.nan


def quantile(values: Sequence[int], share: float) -> float:
    """The value of sorted ones that a share of them does not exceed; NaN without values."""
    return float(values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]) if values else math.nan


@contextlib.contextmanager
def _worker(module: str, groups: Sequence[Group]) -> Iterator[Any]:
    pipe = subprocess.PIPE
    worker = subprocess.Popen(command(module), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    try:
        yield worker
    except BaseException:
        worker.kill()
        for group in groups:  # so that it ends at once, not in its next slice
            with contextlib.suppress(InputError):
                group.limit(None)
        raise
    finally:
        worker.communicate()


def _lines(worker: subprocess.Popen[bytes], passed: Callable[[float], None], patience_s: float) -> Iterator[bytes]:
    """The lines of a worker as they come, until it has no more."""
    assert worker.stdout is not None
    began, rest = time.monotonic(), b""
    with selectors.DefaultSelector() as ready:
        ready.register(worker.stdout, selectors.EVENT_READ)
        while True:
            if ready.select(_STEP_S):
                piece = os.read(worker.stdout.fileno(), _PIECE)
                if not piece:
                    return
                *lines, rest = (rest + piece).split(b"\n")
                yield from lines
                continue
            seconds = time.monotonic() - began
            passed(seconds)
            if seconds > patience_s:
                raise RunError(f"a worker was not through {seconds:.0f} s after it began")
