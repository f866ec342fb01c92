"""Does work that is cancelled, or replaced by later work of its slot, leave the workers as they were?"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import http.client
import json
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from slicewright._core import starter
from slicewright.serve.jobs import Jobs, _Worker

from tests.serve.conftest import WITHIN_S, Served, end, start

PROCESSES = Path("/proc")
PATIENT = "import slicewright.serve.jobs as it; it.PATIENCE_S = 3600; from slicewright.cli.main import main; main()"
"""A server that kills no worker for being slow to stop, as on a busy machine it may be."""


@pytest.fixture
def patient() -> Iterator[Served]:
    """A server that waits until cancelled work has stopped."""
    found = start(program=("-c", PATIENT))
    yield found
    end(found)


def _call(served: Served, method: str, path: str, body: object = None) -> Any:
    allowed = {"Authorization": f"Bearer {served.token}"}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=WITHIN_S)) as asked:
        asked.request(method, path, json.dumps(body) if body is not None else None, allowed)
        data = asked.getresponse().read()
    return json.loads(data) if data else None


def _ended(served: Served, job: int) -> Any:
    until = time.monotonic() + WITHIN_S
    while time.monotonic() < until:
        found = _call(served, "GET", f"/jobs/{job}")
        if found["state"] not in ("waiting", "running"):
            return found
        time.sleep(0.05)
    raise AssertionError("the job did not end")


@pytest.mark.skipif(not PROCESSES.is_dir(), reason="child processes are listed in /proc")
def test_forty_looks_without_an_end_stop_when_they_are_cancelled(patient: Served) -> None:
    served = patient
    children = PROCESSES / str(served.process.pid) / "task" / str(served.process.pid) / "children"
    text = starter("pool").replace('interval = "10 min"', 'interval = "30 d"')
    look = {"text": text, "changes": [], "pace_s": 1e7}
    _ended(served, _call(served, "POST", "/jobs", {"task": "check", "arguments": look})["job"])
    before = children.read_text()
    for number in range(40):
        job = _call(served, "POST", "/jobs", {"task": "simulate", "slot": "look", "arguments": look | {"ask": number}})
        time.sleep(number % 7 / 100)
        if number % 2:
            _call(served, "POST", f"/jobs/{job['job']}/cancel")
    found = _ended(served, _call(served, "POST", "/jobs", {"task": "check", "arguments": look})["job"])
    assert found["state"] == "done"
    assert children.read_text() == before


def test_a_replaced_job_is_forgotten_and_the_last_one_is_kept(served: Served) -> None:
    ask = {"task": "check", "slot": "text", "arguments": {"text": starter("mm1")}}
    jobs = [_call(served, "POST", "/jobs", ask)["job"] for _ in range(3)]
    assert _ended(served, jobs[-1])["state"] == "done"
    _call(served, "POST", "/jobs", ask | {"slot": "another"})
    kept = {job["job"] for job in _call(served, "GET", "/state")["jobs"]}
    assert jobs[-1] in kept
    assert not kept & set(jobs[:-1])


def test_a_worker_that_cannot_start_ends_its_job_and_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refusals = [OSError(errno.ENOSPC, "No space left on device"), ValueError("Separator is not found")]

    async def work(worker: _Worker, number: int, task: str, arguments: object) -> AsyncIterator[tuple[str, Any]]:
        if refusals:
            raise refusals.pop(0)
        yield "done", "well"

    async def ready(worker: _Worker) -> None:
        pass

    async def states() -> list[Any]:
        jobs = Jobs(["quick"], tmp_path)
        async with jobs.open():
            asked = [jobs.submit("check", {}, "quick") for _ in range(3)]
            while not all(job.has_ended for job in asked):
                await asyncio.sleep(0.01)
            return [(job.state, job.result, [each["what"] for each in job.problems]) for job in asked]

    monkeypatch.setattr(_Worker, "work", work)
    monkeypatch.setattr(_Worker, "start", ready)
    with ThreadPoolExecutor(1) as apart:  # the browser of other tests has a loop in this thread
        full, other, well = apart.submit(lambda: asyncio.run(states())).result()
    assert full == ("failed", None, ["the disk is full"])
    assert other == ("failed", None, ["no result: Separator is not found"])
    assert well == ("done", "well", [])
