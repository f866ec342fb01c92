"""The picture of an answer about yields: work, gains and what one of them is made of, over contention."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.yields.comparison import YieldAnswer, here
from slicewright.advise.yields.words import SAVED_WORDS, ordered
from slicewright.advise.yields.yielding import NEVER, Yielding
from slicewright.io.numerals import finite
from slicewright.report.figure import Figure, Panel, Series
from slicewright.run.yield_budget import SAVED
from slicewright.statistics import Estimate

CAPTION = (
    "Contention grows to the right: fewer processors for the same virtual ones. Lines: simulated, with the band"
    " of noise. Never yielding is drawn unless its scale would hide the other gains; the table has it."
)
MOST_TIMES = 3.0
"""The factor over the other gains beyond which those of never yielding would hide them."""
MOST_LINES = 4
"""Yields that have a line of their own, as many as a reader can distinguish; never yielding is dropped first."""
MOST_PARTS = 4
"""Parts of a gain that have a curve, those that come to most."""


def picture(answer: YieldAnswer) -> Figure:
    """Work, gains over X'44' and what one of them is made of, against contention.

    >>> from slicewright.advise.yields.example import advice
    >>> len(picture(advice()).panels)
    3
    """
    marks = [(here(answer).each, "now")]
    rates = [_line(answer, yielding, "work_percent") for yielding in _drawn(answer)]
    gains = [_line(answer, yielding, "gain") for yielding in _drawn(answer) if not _hides(answer, yielding)]
    panels = [
        Panel("Work, %", rates, marks, residuals=False),
        Panel("Gain over X'44', %", gains, marks, "both sides"),
        Panel(f"Gain of {answer.evidence.compared.words()}, from", _parts(answer), marks, "both sides"),
    ]
    return Figure(panels, "Virtual processors per logical one")


def gains_shown(answer: YieldAnswer) -> list[Yielding]:
    """The yields whose gains over contention are shown: all but X'44', over which they are.

    >>> from slicewright.advise.yields.example import advice
    >>> [one.words() for one in gains_shown(advice())]
    ['never', "X'9C'", 'sense-running']
    """
    return [
        point.variant.yielding
        for point in ordered(here(answer).points)
        if point.variant.yielding != answer.evidence.base
    ]


def _hides(answer: YieldAnswer, yielding: Yielding) -> bool:
    """Whether never yielding loses too much to show the gains of the others beside it."""
    if yielding.alike != NEVER:
        return False
    size = {shown: max(abs(row_gain) for row_gain in _gains(answer, shown)) for shown in gains_shown(answer)}
    others = [value for shown, value in size.items() if shown != yielding]
    return size[yielding] > MOST_TIMES * max(others, default=0.0)


def _gains(answer: YieldAnswer, yielding: Yielding) -> list[float]:
    found = [
        point.differences["gain"].mean for row in answer.evidence.rows if (point := row.point(yielding)) is not None
    ]
    return [gain for gain in found if math.isfinite(gain)] or [0.0]


def _drawn(answer: YieldAnswer) -> list[Yielding]:
    """Never yielding comes last: a yield has one colour in all panels, whether that line is there or not."""
    found = [point.variant.yielding for point in ordered(here(answer).points)]
    return sorted(found, key=lambda one: one.alike == NEVER)[:MOST_LINES]


def _line(answer: YieldAnswer, yielding: Yielding, name: str) -> Series:
    rows = [(row.each, point) for row in reversed(answer.evidence.rows) if (point := row.point(yielding)) is not None]
    values = [point.differences["gain"] if name == "gain" else point.columns[name] for _, point in rows]
    return _curve([each for each, _ in rows], values, yielding.words())


def _parts(answer: YieldAnswer) -> list[Series]:
    rows = [
        (row.each, point)
        for row in reversed(answer.evidence.rows)
        if (point := row.point(answer.evidence.compared)) is not None
    ]
    size = {name: max(abs(point.parts[name].mean) for _, point in rows) for name in SAVED if name in rows[0][1].parts}
    shown = sorted(sorted(size, key=lambda name: -size[name])[:MOST_PARTS], key=SAVED.index)
    x = [each for each, _ in rows]
    return [_curve(x, [point.parts[name] for _, point in rows], SAVED_WORDS[name]) for name in shown]


def _curve(x: Sequence[float], values: Sequence[Estimate], label: str) -> Series:
    means, noise = [finite(value.mean) for value in values], [finite(value.half_width) for value in values]
    return Series(x, means, half_width=noise, label=label)
