"""The answer about yields as one HTML page: work and gains over contention, where gains are from, and the text.

It leaves out drawing: `figures` and `html` do that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.constants import constant_sections
from slicewright.advise.notes import note_sections
from slicewright.advise.yields.answer import YieldAnswer
from slicewright.advise.yields.page import gains_shown, page
from slicewright.advise.yields.words import SAVED_WORDS, ordered
from slicewright.advise.yields.yielding import NEVER, Yielding
from slicewright.html import Page, Section, Table, render
from slicewright.numerals import finite
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import NOTHING, Estimate, fixed, plus_minus
from slicewright.yield_budget import SAVED

CAPTION = (
    "To the right there is more contention: fewer processors for the same virtual ones. Lines: simulated, with the band"
    " of noise. Who never yields stands among the gains unless he would hide the others; the table has him."
)
MOST_TIMES = 3.0
"""So many times as large as those of the others, the gains of who never yields would hide them."""
MOST_LINES = 4
"""Yields that have a line of their own, as many as can be told apart; who never yields is the first to go."""
MOST_PARTS = 4
"""Parts of a gain that have a curve, those that come to most."""


def report_page(answers: Sequence[YieldAnswer]) -> str:
    """All answers as one self-contained document; the same answers give the same bytes.

    >>> from slicewright.advise.yields.example import advice
    >>> "<title>Yields in ZVM</title>" in report_page([advice()])
    True
    """
    sections = [section for one in answers for section in _sections(one)]
    first = answers[0]
    facts = [("recommendation", "none: it makes no difference")]
    if first.recommendation:
        point = first.here.point(first.recommendation)
        assert point is not None
        facts = [("yield", first.recommendation.words())]
        facts.append(("over X'44'", f"{plus_minus(point.gain.mean, point.gain.half_width)} %"))
    facts.append(("virtual processors per logical one", fixed(first.partition.each, 1)))
    if first.none_from:
        facts.append(("none to be expected from", f"{first.none_from.processors} processors on"))
    title = f"Yields in {', '.join(one.partition.name for one in answers)}"
    return render(Page(title, first.heading, facts, sections))


def picture(answer: YieldAnswer) -> Figure:
    """Work, gains over X'44' and what one of them is made of, against contention.

    >>> from slicewright.advise.yields.example import advice
    >>> len(picture(advice()).panels)
    3
    """
    marks = [(answer.here.each, "now")]
    rates = [_line(answer, one, "work_percent") for one in _drawn(answer)]
    gains = [_line(answer, one, "gain") for one in _drawn(answer) if not _hides(answer, one)]
    panels = [
        Panel("Work, %", rates, marks),
        Panel("Gain over X'44', %", gains, marks, "both sides"),
        Panel(f"Gain of {answer.compared.words()}, from", _parts(answer), marks, "both sides"),
    ]
    return Figure(panels, "Virtual processors per logical one")


def _hides(answer: YieldAnswer, yielding: Yielding) -> bool:
    """Whether who never yields loses so much that what the others gain could not be seen."""
    if yielding.alike != NEVER:
        return False
    size = {one: max(abs(row_gain) for row_gain in _gains(answer, one)) for one in gains_shown(answer)}
    others = [value for one, value in size.items() if one != yielding]
    return size[yielding] > MOST_TIMES * max(others, default=0.0)


def _gains(answer: YieldAnswer, yielding: Yielding) -> list[float]:
    found = [point.gain.mean for row in answer.rows if (point := row.point(yielding)) is not None]
    return [one for one in found if math.isfinite(one)] or [0.0]


def _drawn(answer: YieldAnswer) -> list[Yielding]:
    """Who never yields comes last: a yield has one colour in all panels, whether he is there or not."""
    found = [one.yielding for one in ordered(answer.here.points)]
    return sorted(found, key=lambda one: one.alike == NEVER)[:MOST_LINES]


def _line(answer: YieldAnswer, yielding: Yielding, name: str) -> Series:
    rows = [(row.each, point) for row in reversed(answer.rows) if (point := row.point(yielding)) is not None]
    values = [point.gain if name == "gain" else point.columns[name] for _, point in rows]
    return _curve([each for each, _ in rows], values, yielding.words())


def _parts(answer: YieldAnswer) -> list[Series]:
    rows = [(row.each, point) for row in reversed(answer.rows) if (point := row.point(answer.compared)) is not None]
    size = {name: max(abs(point.saved[name].mean) for _, point in rows) for name in SAVED if name in rows[0][1].saved}
    shown = sorted(sorted(size, key=lambda name: -size[name])[:MOST_PARTS], key=SAVED.index)
    x = [each for each, _ in rows]
    return [_curve(x, [point.saved[name] for _, point in rows], SAVED_WORDS[name]) for name in shown]


def _curve(x: Sequence[float], values: Sequence[Estimate], label: str) -> Series:
    means, noise = [finite(one.mean) for one in values], [finite(one.half_width) for one in values]
    return Series(x, means, half_width=noise, label=label)


def _sections(answer: YieldAnswer) -> list[Section]:
    sections = [
        Section(
            answer.partition.name, [answer.heading], [picture(answer).captioned(CAPTION)],
            [_points(answer), _saved(answer)], (("As text", page(answer)),),
        )
    ]  # fmt: skip
    if len(answer.readings) > 1:
        sections.append(Section("Readings", tables=[_readings(answer)]))
    return [*sections, *note_sections(answer), *constant_sections(answer.constants)]


def _points(answer: YieldAnswer) -> Table:
    names = {
        "work_percent": "work, %", "spinning_percent": "spin, %", "diagnoses_per_s": "DIAGNOSEs per s",
        "fast_x44_percent": "fast X'44', %", "x9c_yielded_per_s": "run at once per s",
        "contended_percent": "contended, %", "wait_us": "wait, us", "held_us": "held, us",
    }  # fmt: skip
    rows = []
    for row in answer.rows:
        for one in ordered(row.points):
            none = {"fast_x44_percent"} if not one.columns["x44_per_s"].mean > 0 else set()
            value = {name: one.columns[name] for name in names}
            cells = [NOTHING if name in none else plus_minus(at.mean, at.half_width) for name, at in value.items()]
            gain = plus_minus(one.gain.mean, one.gain.half_width)
            rows.append([str(row.processors), one.yielding.words(), gain, *cells])
    head = ["processors", "yields", "gain, %", *names.values()]
    return Table(head, rows, "Every yield on every number of processors; gains are over X'44'.")


def _saved(answer: YieldAnswer) -> Table:
    rows = []
    # Gains are of work, so that nothing else is left of it.
    names = [name for name in SAVED if name != "work"]
    for row in answer.rows:
        for one in ordered(row.points):
            if one.yielding == answer.base:
                continue
            cells = [plus_minus(one.saved[name].mean, one.saved[name].half_width) for name in names]
            gain = plus_minus(one.gain.mean, one.gain.half_width)
            rows.append([str(row.processors), one.yielding.words(), gain, *cells])
    caption = "Where gains are from, in % of the work with X'44'; the parts add up to the gain."
    return Table(["processors", "yields", "gain, %", *(SAVED_WORDS[name] for name in names)], rows, caption)


def _readings(answer: YieldAnswer) -> Table:
    rows = []
    for one in answer.readings:
        chosen = one.chosen.words() if one.chosen else f"not simulated: {one.why}"
        rows.append([one.what, chosen, plus_minus(one.gain.mean, one.gain.half_width)])
    return Table(["reading", "choose", f"gain of {answer.compared.words()}, %"], rows)
