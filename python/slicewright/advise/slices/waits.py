"""How long tasks of Linux wait for a processor, from counts of the kernel: the slices that they had, and the waits."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.advise.answer import Advised
from slicewright.advise.report import Parts, advice_report
from slicewright.advise.slices.request import SliceRequest
from slicewright.measured.linux.sched import ALLOWED, Task, Tasks, is_sched, read_sched
from slicewright.report.json import fields, records
from slicewright.report.model import Block, Face, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns
from slicewright.statistics import fixed, percent, plural
from slicewright.values.errors import Problem, gathered, problem, refusal

_SHOWN = 10
"""Tasks in the table."""
_TICKS = (100, 250, 300, 1000)
"""Jiffies a second that a kernel can have (CONFIG_HZ)."""
_OVER = 1.05
"""ASSUME: time on processors may be counted late by a twentieth of an interval."""
_SELDOM = 0.05
"""ASSUME: share of the time in which tasks want a processor, up to which waits for one are no matter."""


@dataclass(frozen=True, slots=True)
class WaitsAnswer(Advised):
    """The answer about one file."""

    tasks: tuple[Task, ...]
    total: Task
    recommendation: tuple[int, int] | None
    """Processors: those that the work needs, and those with which no task would wait."""

    @property
    def share(self) -> float:
        """Waiting, of the time in which tasks want a processor."""
        wanted = self.total.on_s + self.total.waiting_s
        return self.total.waiting_s / wanted if wanted else 0.0


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
        f"{plural(total.runs, 'dispatch', 'dispatches')}: {fixed(total.mean_run_ms, 3)} ms on a processor each, "
        f"after a wait of {fixed(total.mean_wait_ms, 3)} ms",
    ]
    caveats = list(found.notes)
    lengths = _lengths(found, total.on_s)
    chosen, reason, needed = None, f"tasks wait {percent(share)} of the time in which they want a processor", []
    reason += ": that is no matter"
    if found.jiffies is not None:
        facts.append(_ticks(found.jiffies, lengths))
        needed.append("`date +'time %s.%N'` before each copy")
    facts += [_running(total, length_s, found.processors) for length_s in lengths]
    if not lengths:
        reason = f"{found.kind} does not say how long it looked, so how many processors were wanted is not known"
        if found.jiffies is not None:
            reason = "the tasks ran for longer than all processors can in that time, however long a jiffy is"
        needed = [f"copies of schedstat with times: {ALLOWED.partition('; ')[2]}"]
    elif share > _SELDOM:
        chosen = max(1, math.ceil(total.on_s / max(lengths))), max(1, math.ceil(wanted / min(lengths)))
    caveats += [
        "a wait is counted whatever made it: other tasks, a limit of a control group, or a hypervisor that took the "
        "processor away; `live watch` separates a limit from neighbours",
        "a shorter slice makes single waits shorter and more of them; the time that tasks wait in all stays",
    ]
    heading = f"{found.file}  {found.kind}: {plural(len(tasks), 'row')}"
    if len(lengths) == 1:
        heading += f" over {fixed(lengths[0], 1)} s"
    return WaitsAnswer(
        tasks[:_SHOWN], total, chosen, files=(found.file,), heading=heading, reason="" if chosen else reason,
        facts=tuple(facts), caveats=tuple(caveats), needed=tuple(needed),
    )  # fmt: skip


def _lengths(found: Tasks, on_s: float) -> list[float]:
    """The lengths that the file may be of, in s: of jiffies those in which the processors could run the tasks."""
    if found.jiffies is None:
        return [] if found.length_s is None else [found.length_s]
    lengths = [found.jiffies / per_s for per_s in _TICKS]
    return [length_s for length_s in lengths if on_s <= _OVER * length_s * (found.processors or 1)]


def _running(total: Task, length_s: float, processors: int | None) -> str:
    """How many tasks ran and waited on average over a length, in a sentence."""
    of = f" of {plural(processors, 'processor')}" if processors else ""
    ran, waited = fixed(total.on_s / length_s, 2), fixed(total.waiting_s / length_s, 2)
    return f"over {fixed(length_s, 1)} s, on average {ran} tasks ran{of}, and {waited} waited"


def _ticks(jiffies: int, lengths: Sequence[float]) -> str:
    """The lengths that a number of jiffies may have, in a sentence."""
    known = ", ".join(f"{fixed(length_s, 1)} s at HZ={jiffies / length_s:.0f}" for length_s in lengths) or "no HZ fits"
    return f"the copies are {plural(jiffies, 'jiffy', 'jiffies')} apart: {known}; the files do not say which"


def report(answer: WaitsAnswer) -> Report:
    """The answer as a report."""
    blocks: list[Block] = []
    if answer.recommendation is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        low, high = answer.recommendation
        lead = plural(low, "processor") if low == high else f"{low} to {high} processors"
        blocks.append(Lead(lead, f"tasks wait {percent(answer.share)} of the time they want one"))
        more = "The lower number carries the work; with the higher one no task would have waited, on average."
        one = "It carries the work, and no task would have waited, on average."
        blocks.append(Paragraph(more if low < high else one))
    blocks.append(_table(answer))
    facts = [("waiting", percent(answer.share))]
    return advice_report(answer, Parts("Waits for a processor", "Tasks", answer.heading, facts, blocks))


def document(answer: WaitsAnswer) -> dict[str, Any]:
    """The answer as an object: recommendation (or null with `reason`), tasks, evidence, caveats."""
    chosen = answer.recommendation
    return fields(
        question="slices", files=list(answer.files),
        recommendation=chosen and {"processors": chosen[0], "without_waits": chosen[1]},
        **({} if chosen else {"reason": answer.reason}), needed=list(answer.needed), waiting_share=answer.share,
        tasks=records(_table(answer)), evidence={"facts": list(answer.facts)}, caveats=list(answer.caveats),
    )  # fmt: skip


_TASKS = """
    task
    dispatches               | count
    on_processor_s           | .3    | on a processor | s
    waiting_s                | .3    | waiting        | s
    mean_run_ms              | .3    | each run       | ms
    mean_wait_ms             | .3    | each wait      | ms
    longest_wait_ms ?        | .1    | longest        | ms
"""


def _table(answer: WaitsAnswer) -> Table[Task]:
    told: dict[str, Callable[[Task], Any]] = {
        "task": lambda task: task.name,
        "dispatches": lambda task: task.runs,
        "on_processor_s": lambda task: task.on_s,
        "longest_wait_ms": lambda task: task.longest_ms,
    }
    legend = "Most waiting first. A run is from a dispatch until the task gives up the processor or loses it."
    return Table(columns(_TASKS, values=told), [answer.total, *answer.tasks], legend=legend, face=Face.PEOPLE)
