"""A worker process as the server sees it: one task at a time, as lines of JSON, cancelled without a wait."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from slicewright.io.child import command

PATIENCE_S = 1.5
"""Seconds that a cancelled task has before its process is killed."""
_LONGEST_LINE = 1 << 28


class Worker:
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
