"""The answer about waits for a processor under Linux as a report and as an object."""

from __future__ import annotations

from typing import Any

from slicewright.advise.report import Parts, advice_report
from slicewright.advise.slices.waits import WaitsAnswer
from slicewright.io.numerals import in_json
from slicewright.measured.linux.sched import Task
from slicewright.report.forms import decimals, words_right
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import percent, plural


def report(answer: WaitsAnswer) -> Report:
    """The answer as a report."""
    blocks: list[Block] = []
    if answer.recommendation is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        low, high = answer.recommendation
        blocks.append(Lead(_processors(low, high), f"tasks wait {percent(answer.share)} of the time they want one"))
        more = "The lower number carries the work; with the higher one no task would have waited, on average."
        one = "It carries the work, and no task would have waited, on average."
        blocks.append(Paragraph(more if low < high else one))
    blocks.append(_table(answer))
    facts = [("waiting", percent(answer.share))]
    return advice_report(answer, Parts("Waits for a processor", "Tasks", answer.heading, facts, blocks))


def document(answer: WaitsAnswer) -> dict[str, Any]:
    """The answer as an object: recommendation (or null with `reason`), tasks, evidence, caveats."""
    chosen = answer.recommendation
    made: dict[str, Any] = {"question": "slices", "files": list(answer.files)}
    made["recommendation"] = None if chosen is None else {"processors": chosen[0], "without_waits": chosen[1]}
    if chosen is None:
        made["reason"] = answer.reason
    made["needed"] = list(answer.needed)
    made["waiting_share"] = in_json(answer.share)
    made["tasks"] = [_object(task) for task in (answer.total, *answer.tasks)]
    return made | {"evidence": {"facts": list(answer.facts)}, "caveats": list(answer.caveats)}


def _object(task: Task) -> dict[str, Any]:
    return {
        "task": task.name, "dispatches": task.runs, "on_processor_s": in_json(task.on_s),
        "waiting_s": in_json(task.waiting_s), "mean_run_ms": in_json(task.mean_run_ms),
        "mean_wait_ms": in_json(task.mean_wait_ms), "longest_wait_ms": in_json(task.longest_ms),
    }  # fmt: skip


def _processors(low: int, high: int) -> str:
    return plural(low, "processor") if low == high else f"{low} to {high} processors"


def _table(answer: WaitsAnswer) -> Table[Task]:
    columns: list[Column[Task]] = [
        Column("task", "task", lambda task: task.name),
        Column("dispatches", "dispatches", lambda task: f"{task.runs:,}", form=words_right),
        Column("on_processor_s", "on a processor", lambda task: task.on_s, "s", decimals(3)),
        Column("waiting_s", "waiting", lambda task: task.waiting_s, "s", decimals(3)),
        Column("mean_run_ms", "each run", lambda task: task.mean_run_ms, "ms", decimals(3)),
        Column("mean_wait_ms", "each wait", lambda task: task.mean_wait_ms, "ms", decimals(3)),
        Column("longest_wait_ms", "longest", lambda task: task.longest_ms, "ms", decimals(1), optional=True),
    ]
    legend = "Most waiting first. A run is from a dispatch until the task gives up the processor or loses it."
    return Table(columns, [answer.total, *answer.tasks], legend=legend, face=Face.PEOPLE)
