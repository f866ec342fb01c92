"""A worker process that answers with a line for each job, and ends with this process."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Callable, Mapping
from typing import Any

from slicewright._core import RunError
from slicewright.errors import refusal
from slicewright.io.child import command


@contextlib.contextmanager
def _worker(module: str) -> Any:
    worker = subprocess.Popen(
        command(module), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        text=True,
    )  # fmt: skip
    try:
        yield worker
    finally:
        if worker.poll() is None:
            worker.kill()
        worker.communicate()


def answered(
    module: str, request: Mapping[str, Any], count: int, progress: Callable[[int], None] = lambda done: None
) -> list[dict[str, Any]]:
    """The answers of a worker module to a request, one for each of `count` jobs; `progress` gets how many are there.

    Raises InputError with what the system refused, RunError when the worker failed.
    """
    found: list[dict[str, Any]] = []
    with _worker(module) as worker:
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        for _, line in zip(range(count), worker.stdout, strict=False):
            answer = json.loads(line)
            if "problems" in answer:
                raise refusal(*answer["problems"])
            found.append(answer)
            progress(len(found))
        if len(found) < count:
            last = worker.communicate()[1].strip().splitlines()[-1:]
            raise RunError(f"a worker ended with status {worker.poll()}: {' '.join(last) or 'it said nothing'}")
    return found
