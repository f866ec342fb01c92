"""All tasks of the page, and what worker processes load before there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from slicewright.serve.reporter import Reporter
from slicewright.serve.tasks.ask import ask
from slicewright.serve.tasks.check import check, rewrite
from slicewright.serve.tasks.describe import describe
from slicewright.serve.tasks.panel import panel, panels
from slicewright.serve.tasks.record import perfetto, record
from slicewright.serve.tasks.simulate import full, pair, simulate
from slicewright.serve.tasks.studies import reproduce, studies, study


@dataclass(frozen=True, slots=True)
class Task:
    """A task: its function, the worker that does it, and what the server puts in the place of what the page names."""

    work: Callable[..., Any]
    """Takes a `Reporter` and its arguments, and returns what JSON can hold."""
    lane: Literal["quick", "long"] = "quick"
    """Short work does not wait for long work."""
    reads: Literal["", "drop", "timeline", "text"] = ""
    """A drop becomes a folder and names; a timeline the folder of its recording; a text has the files beside it."""


TASKS: Mapping[str, Task] = {
    "describe": Task(describe, reads="drop"),
    "ask": Task(ask, "long", "drop"),
    "check": Task(check, reads="text"),
    "rewrite": Task(rewrite, reads="text"),
    "simulate": Task(simulate, reads="text"),
    "pair": Task(pair, reads="text"),
    "full": Task(full, "long", "text"),
    "record": Task(record, "long", "timeline"),
    "perfetto": Task(perfetto, reads="timeline"),
    "panels": Task(panels),
    "panel": Task(panel),
    "studies": Task(studies),
    "study": Task(study),
    "reproduce": Task(reproduce, "long"),
}
"""All tasks, by the name under which the page asks for them."""
LANES = tuple(dict.fromkeys(task.lane for task in TASKS.values()))


def prepare() -> None:
    """Load what most tasks need; look at a scenario and draw a figure, as the first of each takes longest."""
    import slicewright.advise.questions  # noqa: F401
    from slicewright._core import starter
    from slicewright.figures import compiled
    from slicewright.report.figure import Figure, Panel, Series

    simulate(Reporter(0, lambda *report: None), text=starter("mm1"), changes=[], pace_s=0.1)
    compiled(Figure([Panel("ready", [Series([0, 1], [0.0, 1.0])])]))
