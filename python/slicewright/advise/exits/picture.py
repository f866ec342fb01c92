"""The answer about exits as one HTML page: processor time a pair by its parts, what filters save, and the text.

It leaves out drawing: `figures` and `html` do that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.constants import constant_sections
from slicewright.advise.exits.answer import ExitAnswer
from slicewright.advise.exits.page import page
from slicewright.advise.exits.structures import SHORT
from slicewright.advise.exits.words import STEP_WORDS
from slicewright.advise.notes import note_sections
from slicewright.html import Page, Section, Table, render
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import Estimate, fixed, plus_minus

CAPTION = "Bars are simulation noise (95 %)."
DRAWN = {"cpu_us_per_pair": "in all", "slow_us": "slow exits"}
"""Of the processor time of a pair: all of it, and the part that a filter is about."""


def report_page(answers: Sequence[ExitAnswer]) -> str:
    """All answers as one self-contained document; the same answers give the same bytes.

    >>> from slicewright.advise.exits.example import advice
    >>> "<title>Exits in MVS</title>" in report_page([advice()])
    True
    """
    first = answers[0]
    facts = [("recommendation", "none: it makes no difference")]
    if first.recommendation:
        point = first.point(first.recommendation)
        facts = [("exits", SHORT[first.recommendation])]
        facts.append(("saved over batch", f"{plus_minus(point.saved.mean, point.saved.half_width)} % of a processor"))
    title = f"Exits in {', '.join(one.partition for one in answers)}"
    return render(Page(title, first.heading, facts, [section for one in answers for section in _sections(one)]))


def picture(answer: ExitAnswer) -> Figure:
    """Processor time a pair by what it is made of, elapsed time, and the lock, by structure.

    >>> from slicewright.advise.exits.example import advice
    >>> len(picture(advice()).panels)
    3
    """
    marks = [(float(at), "now") for at, one in enumerate(answer.points, 1) if one.structure == answer.now]
    names = [SHORT[one.structure] for one in answer.points]
    drawn = {
        "CPU a pair, us": [_points_of(answer, name, label) for name, label in DRAWN.items()],
        "elapsed a pair, us": [_points_of(answer, "elapsed_us_per_pair", "elapsed")],
        "lock held, %": [_points_of(answer, "lock_held_percent", "held")],
    }
    return Figure([Panel(label, points, marks, names=names) for label, points in drawn.items()], "")


def _points_of(answer: ExitAnswer, name: str, label: str) -> Series:
    found = [one.columns[name] for one in answer.points]
    noise = [one.half_width if math.isfinite(one.half_width) else 0.0 for one in found]
    return dots([float(at) for at in range(1, len(found) + 1)], [one.mean for one in found], noise, label)


def _sections(answer: ExitAnswer) -> list[Section]:
    sections = [
        Section(
            answer.partition, [answer.heading], [picture(answer).captioned(CAPTION)], [_points(answer), _parts(answer)],
            (("As text", page(answer)),),
        )
    ]  # fmt: skip
    if len(answer.readings) > 1:
        rows = [
            [one.what, SHORT[one.chosen] if one.chosen else f"not simulated: {one.why}", _shown(one.gain)]
            for one in answer.readings
        ]
        sections.append(Section("Readings", tables=[Table(["reading", "choose", "saves over batch, %"], rows)]))
    return [*sections, *note_sections(answer), *constant_sections(answer.constants)]


def _points(answer: ExitAnswer) -> Table:
    names = {
        "cpu_percent": "CPU, %", "cpu_us_per_pair": "CPU a pair, us", "elapsed_us_per_pair": "elapsed, us",
        "lock_held_percent": "lock held, %", "lock_wait_us": "wait, us",
    }  # fmt: skip
    rows = [
        [SHORT[one.structure], _shown(one.saved), *(_shown(one.columns[name]) for name in names)]
        for one in answer.points
    ]
    return Table(["exits", "saved, %", *names.values()], rows, "Saved: over slow exits at every request (batch).")


def _parts(answer: ExitAnswer) -> Table:
    rows = [
        [SHORT[one.structure], *(fixed(one.columns[name].mean, 1) for name in (*STEP_WORDS, "cpu_us_per_pair"))]
        for one in answer.points
    ]
    return Table(["CPU a pair, us", *STEP_WORDS.values(), "in all"], rows, "What a pair of ENQ and DEQ is made of.")


def _shown(value: Estimate) -> str:
    return plus_minus(value.mean, value.half_width)
