"""The worker process: reads tasks from standard input, does one at a time, and writes results as JSON lines."""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import queue
import shutil
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any

from slicewright._core import InputError, RunError
from slicewright.cli.command import finite
from slicewright.io.reach import reading_only
from slicewright.serve.answers import of_system
from slicewright.serve.reporter import Reporter
from slicewright.serve.tasks.registry import TASKS, prepare


class Process:
    """Reads messages in a thread of its own, so that a task can be interrupted."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._tasks: queue.Queue[dict[str, Any]] = queue.Queue()
        self._current = 0
        self._cancelled = 0
        self._in = os.fdopen(os.dup(0), encoding="utf-8")
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)  # a reader of standard input gets none of the messages
        os.close(nothing)
        os.dup2(2, 1)  # prints of libraries stay out of the lines

    def run(self) -> None:
        """Work until the server closes the pipe."""
        threading.Thread(target=self._read, daemon=True).start()
        signal.signal(signal.SIGINT, self._interrupted)
        prepare()
        while True:
            self._work(self._tasks.get())

    def _interrupted(self, *signal: object) -> None:
        """Interrupt the task that was cancelled, and none that came after it; a result is written whole."""
        if self._current and self._cancelled == self._current:
            self._cancelled = 0
            raise KeyboardInterrupt

    def _read(self) -> None:
        for line in self._in:
            message = json.loads(line)
            if "cancel" not in message:
                self._tasks.put(message)
                continue
            self._cancelled = message["cancel"]  # also of a task that was read and has not begun
            _thread.interrupt_main()
        shutil.rmtree(self._folder, ignore_errors=True)  # the server does it too, unless it was killed
        os._exit(0)

    def _work(self, message: Mapping[str, Any]) -> None:
        job = message["job"]
        kind, value = "failed", [{"what": "cancelled"}]
        try:
            self._current = job
            if self._cancelled != job:
                kind, value = self._outcome(message)
            self._current = 0
        except KeyboardInterrupt:
            self._current = 0
        self._write(job, kind, value)

    def _outcome(self, message: Mapping[str, Any]) -> tuple[str, Any]:
        arguments = dict(message["arguments"])
        reach = arguments.pop("reach", None)  # tasks that take neither files nor texts have none
        try:
            os.chdir(self._folder)  # the task before was in a folder of its own
            with reading_only(reach) if reach is not None else contextlib.nullcontext():
                return "done", TASKS[message["task"]].work(Reporter(message["job"], self._write), **arguments)
        except InputError as error:
            return "refused", [dict(each) for each in getattr(error, "problems", [{"what": str(error)}])]
        except RunError as error:
            return "failed", [{"what": f"the run failed: {error}"}]
        except OSError as error:
            return "failed", [of_system(error)]
        except MemoryError:
            return "failed", [{"what": "there is not enough memory"}]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return "failed", [{"what": f"this is a bug: {type(error).__name__}: {error}"}]

    def _write(self, job: int, kind: str, value: Any) -> None:
        self._out.write(json.dumps([job, kind, finite(value)]) + "\n")
        self._out.flush()


if __name__ == "__main__":
    Process(sys.argv[1]).run()
