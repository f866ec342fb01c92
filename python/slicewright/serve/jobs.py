"""Jobs: what the page has asked for, in order, each done by a worker process, with events for every open page."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from slicewright.serve.answers import of_system
from slicewright.values import codec
from slicewright.values.child import command
from slicewright.values.errors import problem

PATIENCE_S = 1.5
"""Seconds that a cancelled task has before its process is killed."""
_LONGEST_LINE = 1 << 28


class _Worker:
    """A process that is started when there is work, and anew after it was killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._killer: asyncio.TimerHandle | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """The process, which loads what tasks need while there is no work."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *command("slicewright.serve.working", str(self._folder)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,
            )
        return self._process

    async def work(self, number: int, task: str, arguments: Mapping[str, Any]) -> AsyncIterator[tuple[str, Any]]:
        """Do one task: progress and parts as they come, and at the end one of done, refused, failed."""
        process = await self.start()
        assert process.stdout is not None
        try:
            self._send(process, {"job": number, "task": task, "arguments": arguments})
            while line := await process.stdout.readline():
                of, kind, value = json.loads(line)
                if of == number:
                    yield kind, value
                    if kind not in ("progress", "part"):
                        return
        finally:
            self._spare()
        self._process = None
        yield "failed", [{"what": "the process that worked on it ended", "why": "it was cancelled, or out of memory"}]

    def cancel(self, number: int) -> None:
        """Stop the task of this number; its process is killed where it does not stop by itself."""
        process = self._process
        if process is None:
            return
        self._send(process, {"cancel": number})
        self._spare()
        self._killer = asyncio.get_running_loop().call_later(PATIENCE_S, _kill, process)

    async def end(self) -> None:
        """End the process."""
        self._spare()
        if self._process is not None:
            _kill(self._process)
            await self._process.wait()

    def _send(self, process: asyncio.subprocess.Process, message: Mapping[str, Any]) -> None:
        assert process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            process.stdin.write(json.dumps(message).encode() + b"\n")

    def _spare(self) -> None:
        if self._killer is not None:
            self._killer.cancel()
            self._killer = None


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


_State = Literal["waiting", "running", "done", "refused", "failed", "cancelled"]
_ENDED = ("done", "refused", "failed", "cancelled")
_MOST_KEPT = 60
"""Ended jobs whose results are kept; the oldest go first."""
_BEHIND = 2000
"""Events that a page may be behind before it has to ask for everything anew."""


@dataclass
class _Job:
    """One task with its arguments: its state, the share done, partial results, and the result or the problems."""

    job: int
    """Its number."""
    task: str
    arguments: Mapping[str, Any]
    lane: str
    slot: str = ""
    """A new job cancels earlier ones of its slot: a slider has one answer that is asked for."""
    state: _State = "waiting"
    share: float = 0.0
    started: float = 0.0
    part: Any = None
    """The latest partial result."""
    result: Any = None
    problems: list[dict[str, Any]] = field(default_factory=list)
    SHOWN: ClassVar = ("job", "task", "slot", "state", "share", "left_s", "problems", "about")

    @property
    def has_ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in _ENDED

    @property
    def left_s(self) -> float | None:
        """The time left, where it can be estimated."""
        passed = time.monotonic() - self.started
        return passed * (1 - self.share) / self.share if self.state == "running" and self.share > 0.02 else None

    @property
    def about(self) -> Any:
        """Its name on the page."""
        return self.arguments.get("about", "")


class Jobs:
    """The jobs of a session: one worker process for each lane, and a queue before each."""

    def __init__(self, lanes: Iterable[str], folder: Path) -> None:
        self._numbers = itertools.count(1)
        self._jobs: dict[int, _Job] = {}
        self._workers = {lane: _Worker(folder) for lane in lanes}
        self._waiting: dict[str, asyncio.Queue[_Job]] = {lane: asyncio.Queue() for lane in self._workers}
        self._readers: set[asyncio.Queue[dict[str, Any]]] = set()
        self._running: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Work on jobs until the block ends; then no process is left."""
        await asyncio.gather(*(worker.start() for worker in self._workers.values()))
        self._running = [asyncio.create_task(self._work(lane)) for lane in self._workers]
        try:
            yield
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)
            await asyncio.gather(*(worker.end() for worker in self._workers.values()))

    def submit(self, task: str, arguments: Mapping[str, Any], lane: str, slot: str = "") -> _Job:
        """Add a job; the earlier ones of its slot are cancelled."""
        for earlier in list(self._jobs.values()):
            if slot and earlier.slot == slot and not earlier.has_ended:
                self.cancel(earlier.job)
        job = _Job(next(self._numbers), task, arguments, lane, slot)
        self._jobs[job.job] = job
        self._forget()
        self._waiting[lane].put_nowait(job)
        self._heard(job)
        return job

    def cancel(self, number: int) -> None:
        """Cancel a job that has not ended; one that runs is stopped within a second or two."""
        job = self._jobs.get(number)
        if job is None or job.has_ended:
            return
        if job.state == "running":
            self._workers[job.lane].cancel(number)
        job.state = "cancelled"
        self._heard(job)

    def of(self, number: int) -> _Job | None:
        """The job of that number, if it is kept."""
        return self._jobs.get(number)

    def __iter__(self) -> Any:
        return iter(self._jobs.values())

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """The jobs as they are, then every change, for one open page."""
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_BEHIND)
        self._readers.add(queue)
        try:
            for job in list(self._jobs.values()):
                yield codec.plain(job)
            while True:
                yield await queue.get()
        finally:
            self._readers.discard(queue)

    def _heard(self, job: _Job, part: Any = None) -> None:
        event = codec.plain(job) | ({"part": part} if part is not None else {})
        for queue in self._readers:
            if queue.full():
                with contextlib.suppress(asyncio.QueueEmpty):
                    queue.get_nowait()
            queue.put_nowait(event)

    def _forget(self) -> None:
        """Forget jobs that a later one of their slot has replaced, and the oldest of the others."""
        last = {job.slot: job.job for job in self._jobs.values() if job.slot}
        for job in list(self._jobs.values()):
            if job.slot and job.has_ended and job.job != last[job.slot]:
                del self._jobs[job.job]
        ended = [number for number, job in self._jobs.items() if job.has_ended]
        for number in ended[: max(0, len(ended) - _MOST_KEPT)]:
            del self._jobs[number]

    async def _work(self, lane: str) -> None:
        while True:
            job = await self._waiting[lane].get()
            if job.state != "waiting":
                continue
            try:
                await self._done(job)
            except (OSError, ValueError) as error:  # no process, or a result that is no line: the next job has another
                await self._workers[lane].end()
                job.state = "failed"
                job.problems = [of_system(error) if isinstance(error, OSError) else problem(f"no result: {error}")]
                self._heard(job)

    async def _done(self, job: _Job) -> None:
        job.state, job.started = "running", time.monotonic()
        self._heard(job)
        async for kind, value in self._workers[job.lane].work(job.job, job.task, job.arguments):
            if job.has_ended:  # it was cancelled, and its process has not heard of it yet
                continue
            if kind == "progress":
                job.share = value
                self._heard(job)
            elif kind == "part":
                job.part = value
                self._heard(job, value)
            elif kind == "done":
                job.state, job.share, job.result = "done", 1.0, value
                self._heard(job)
            else:
                job.state, job.problems = "refused" if kind == "refused" else "failed", value
                self._heard(job)
