"""The worker process: its tasks, read from standard input and done one at a time, with results as JSON lines."""

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
from slicewright.serve import explored, look, panels, plans, questions, studies, timelines
from slicewright.serve.answers import of_system
from slicewright.serve.tasks import Reporter, Task
from slicewright.values import codec
from slicewright.values.reach import reading_only

TASKS: Mapping[str, Task] = (
    questions.TASKS | look.TASKS | timelines.TASKS | panels.TASKS | studies.TASKS | plans.TASKS | explored.TASKS
)
"""All tasks, by the name under which the page asks for them."""
LANES = tuple(dict.fromkeys(task.lane for task in TASKS.values()))


def _prepare() -> None:
    """Load what most tasks need; look at a scenario and draw a figure, as the first of each takes longest."""
    import slicewright.advise.questions  # noqa: F401
    from slicewright._core import starter
    from slicewright.report.drawing import compiled
    from slicewright.report.figure import Figure, Panel, Series

    TASKS["simulate"].work(Reporter(0, lambda *report: None), text=starter("mm1"), changes=[], pace_s=0.1)
    compiled(Figure([Panel("ready", [Series([0, 1], [0.0, 1.0])])]))


class _Process:
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
        _prepare()
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
        self._out.write(json.dumps([job, kind, codec.plain(value)]) + "\n")
        self._out.flush()


if __name__ == "__main__":
    _Process(sys.argv[1]).run()
