"""How long tasks of Linux wait for a processor, from counts of the kernel: the slices that they had, and the waits."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.advise.slices.request import SliceRequest
from slicewright.errors import Problem, gathered, problem, refusal
from slicewright.measured.linux.sched import ALLOWED, Task, Tasks, is_sched, read_sched
from slicewright.statistics import fixed, percent, plural

SHOWN = 10
"""Tasks in the table."""
SELDOM = 0.05
"""ASSUME: share of the time in which tasks want a processor, up to which waits for one are no matter."""


@dataclass(frozen=True, slots=True)
class WaitsAnswer:
    """The answer about one file."""

    files: tuple[str, ...]
    heading: str
    tasks: tuple[Task, ...]
    total: Task
    recommendation: tuple[int, int] | None
    """Processors: those that the work needs, and those with which no task would wait."""
    reason: str
    facts: tuple[str, ...]
    caveats: tuple[str, ...]
    needed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Waiting, of the time in which tasks want a processor."""
        wanted = self.total.on_s + self.total.waiting_s
        return self.total.waiting_s / wanted if wanted else 0.0


def is_waiting(files: Sequence[tuple[str, bytes]]) -> bool:
    """Whether files count waits for a processor."""
    return any(is_sched(data) for _, data in files)


def answer_waits(files: Sequence[tuple[str, bytes]], request: SliceRequest) -> list[WaitsAnswer]:
    """An answer per file; raises InputError with every problem.

    >>> text = b"time 10\\n/proc/1/schedstat:0 0 0\\ntime 12\\n/proc/1/schedstat:1000000000 500000000 10\\n"
    >>> answer_waits([("a.txt", text)], SliceRequest())[0].share
    0.3333333333333333
    """
    others = [name for name, data in files if not is_sched(data)]
    problems: list[Problem] = [
        problem("counts no waits for a processor", file=name, allowed=ALLOWED) for name in others
    ]
    default = SliceRequest()
    for key in SliceRequest.__dataclass_fields__:
        if getattr(request, key) != getattr(default, key):
            problems.append(problem("has no effect on counts of Linux", key=_OPTIONS.get(key, key)))
    found = [
        each
        for name, data in files
        if is_sched(data)
        for each in gathered(problems, functools.partial(read_sched, data, name))
    ]
    if problems:
        raise refusal(*problems)
    return [_answer(each) for each in found]


_OPTIONS = {"slice_ms": "slices", "shares": "share", "weights": "weight", "assumed": "assume"}


def _answer(found: Tasks) -> WaitsAnswer:
    tasks = found.tasks
    longest = [task.longest_ms for task in tasks if task.longest_ms is not None]
    total = Task(
        "all", sum(task.runs for task in tasks), math.fsum(task.on_s for task in tasks),
        math.fsum(task.waiting_s for task in tasks), max(longest) if longest else None,
    )  # fmt: skip
    wanted = total.on_s + total.waiting_s
    share = total.waiting_s / wanted if wanted else 0.0
    facts = [
        f"of the {fixed(wanted, 2)} s in which tasks wanted a processor they waited {percent(share)}",
        f"{total.runs:,} dispatches: {fixed(total.mean_run_ms, 3)} ms on a processor each, after a wait of "
        f"{fixed(total.mean_wait_ms, 3)} ms",
    ]
    caveats = list(found.notes)
    needed: list[str] = []
    chosen = None
    if found.length_s is None:
        reason = f"{found.kind} does not say how long it looked, so how many processors were wanted is not known"
        needed.append(f"copies of schedstat with times: {ALLOWED.partition('; ')[2]}")
    else:
        on, waiting = total.on_s / found.length_s, total.waiting_s / found.length_s
        of = f" of {plural(found.processors, 'processor')}" if found.processors else ""
        facts.append(f"on average {fixed(on, 2)} tasks ran{of}, and {fixed(waiting, 2)} waited")
        reason = f"tasks wait {percent(share)} of the time in which they want a processor: that is no matter"
        if share > SELDOM:
            chosen = (max(1, math.ceil(on)), max(1, math.ceil(on + waiting)))
    caveats += [
        "a wait is counted whatever made it: other tasks, a limit of a control group, or a hypervisor that took the "
        "processor away; `live watch` separates a limit from neighbours",
        "a shorter slice makes single waits shorter and more of them; the time that tasks wait in all stays",
    ]
    heading = f"{found.file}  {found.kind}: {plural(len(tasks), 'row')}"
    if found.length_s is not None:
        heading += f" over {fixed(found.length_s, 1)} s"
    return WaitsAnswer(
        (found.file,), heading, tasks[:SHOWN], total, chosen, "" if chosen else reason, tuple(facts), tuple(caveats),
        tuple(needed),
    )  # fmt: skip
