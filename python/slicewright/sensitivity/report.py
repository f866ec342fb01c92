"""The page of a sensitivity: what moves the answer most, a tornado of it, and a table of all guesses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from slicewright.io.numerals import finite
from slicewright.report.figure import Figure, Look, Number, Panel, Series
from slicewright.report.forms import digits
from slicewright.report.model import Block, Cell, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.sensitivity.answer import Answer, Line
from slicewright.statistics import Estimate, percent, plural, seconds, significant

if TYPE_CHECKING:
    import polars

DRAWN = 12
"""Guesses of the tornado."""
PRINTED = 15
"""Guesses as text; the page has all."""
FIRST = 3
"""Guesses that `advise` names."""
_NOISE = "not distinguishable from noise"
_NONE = "no effect"


def sensitivity_report(answer: Answer) -> Report:
    """A sensitivity as a report.

    >>> from slicewright.sensitivity.example import small
    >>> sensitivity_report(small().answer).title
    'Which guess matters in M/M/1 at 50 %'
    """
    blocks: list[Block] = [Paragraph(f"{answer.scenario.name}  {_measured(answer)}", flush=True, face=Face.TEXT)]
    blocks += [*_leads(answer), *_readings(answer)]
    blocks += [_tornado(answer), _table(answer)]
    sections = [Section("Guesses", blocks), Section("", _notes(answer))]
    first = answer.lines[0]
    facts = [("most", first.guess.key), ("guesses", str(len(answer.guesses.vary))), ("points", f"{answer.points:,}")]
    if answer.asked is not None:
        facts.insert(0, (f"would change {answer.asked.question}", str(len(answer.changing))))
    return Report(f"Which guess matters in {answer.scenario.name}", _measured(answer), facts, sections)


def first_lines(answer: Answer) -> list[str]:
    """The guesses that move the answer most, a sentence each, as `advise` repeats them.

    >>> from slicewright.sensitivity.example import small
    >>> first_lines(small().answer)[0]
    'guest.USERS.arrivals 500/s (assumed), 400/s to 600/s: response_ms ... to ...'
    """
    lines = [line for line in answer.lines if line.effect.distinguishable]
    if answer.asked is not None:
        lines.sort(key=lambda line: not answer.asked or not answer.asked.changes(line.place))
    return [_sentence(answer, line) for line in lines[:FIRST]]


def frame(answer: Answer) -> polars.DataFrame:
    """A row per guess, the largest effect first."""
    import polars as pl

    rows = [_row(answer, line) for line in answer.lines]
    return pl.DataFrame(rows, infer_schema_length=None)


def _row(answer: Answer, line: Line) -> dict[str, Any]:
    guess, effect, share, name = line.guess, line.effect, line.share, answer.quantity.counter
    ends = _ends(answer, line)
    row: dict[str, Any] = {
        "key": guess.key, "unit": guess.axis.unit, "value": guess.number, "role": guess.role,
        "low": guess.axis.low, "high": guess.axis.high,
        f"{name}_low": finite(ends[0].mean), f"{name}_high": finite(ends[1].mean),
        "effect": finite(effect.mean), "noise": finite(effect.noise), "spread": finite(effect.spread),
        "distinguishable": effect.distinguishable,
        "first": finite(share.first.mean) if share else None, "total": finite(share.total.mean) if share else None,
    }  # fmt: skip
    if answer.asked is not None:
        low, high = answer.asked.of[line.place]
        row |= {"recommended_low": low.words, "recommended_high": high.words}
        row["changes"] = answer.asked.changes(line.place)
    return row


def _measured(answer: Answer) -> str:
    measure = answer.measured.measure
    now = answer.found.now
    return (
        f"{answer.quantity.named} {now} as it is; intervals of {seconds(measure['interval_s'])}, "
        f"{plural(now.replications, 'seed')}"
    )


def _leads(answer: Answer) -> list[Block]:
    lines = answer.lines
    sure = [line for line in lines if line.effect.distinguishable]
    of_noise = f"noise floor {significant(answer.found.noise)}"
    counted = f"{len(sure)} of {plural(len(lines), 'guess', 'guesses')} more than noise ({of_noise})"
    first = Lead(f"{_short(answer, sure[0])}" if sure else "No guess moves the answer by more than noise", counted)
    if answer.asked is None:
        return [first]
    now, question = answer.asked.noise, answer.asked.question
    changing = answer.changing
    if not changing:
        return [first, Paragraph(f"advise {question}: {now}, whichever guess is wrong within its band.")]
    names = ", ".join(line.guess.key for line in changing)
    return [first, Paragraph(f"advise {question}: {now}; another recommendation with: {names}.")]


def _readings(answer: Answer) -> list[Block]:
    """The range over the readings that a fit left, which move several numbers together."""
    if not answer.readings:
        return []
    low, high = (pick(answer.readings.values(), key=lambda value: value.mean) for pick in (min, max))
    count = plural(len(answer.readings), "reading")
    return [Paragraph(f"{answer.quantity.named} over {count} of the fit: {low} to {high}.")]


def _short(answer: Answer, line: Line) -> str:
    return f"{line.guess.key} moves {answer.quantity.named} most: {_span(answer, line)}"


def _sentence(answer: Answer, line: Line) -> str:
    guess = line.guess
    said = f"{guess.key} {_value(line, guess.number)} ({guess.role}), {_band(line)}"
    said += f": {answer.quantity.named} {_span(answer, line)}"
    if answer.asked is None:
        return said
    low, high = answer.asked.of[line.place]
    changed = f"{low.words} to {high.words}" if answer.asked.changes(line.place) else "unchanged"
    return f"{said}; {answer.asked.question} {changed}"


def _ends(answer: Answer, line: Line) -> tuple[Estimate, Estimate]:
    """The answer at both ends of the band; the half-widths are those of differences."""
    now = answer.found.now.mean
    low, high = (
        Estimate(now + end.mean, end.half_width, end.replications) for end in (line.effect.low, line.effect.high)
    )
    return low, high


def _span(answer: Answer, line: Line) -> str:
    low, high = (_digits(end.mean) for end in _ends(answer, line))
    return f"{low} to {high}"


def _digits(value: float) -> str:
    return significant(value) if math.isfinite(value) else "no steady answer"


def _value(line: Line, value: float) -> str:
    unit = line.guess.axis.unit
    return f"{value:g}{'' if unit.startswith('/') or not unit else ' '}{unit}"


def _band(line: Line) -> str:
    return f"{_value(line, line.guess.axis.low)} to {_value(line, line.guess.axis.high)}"


def _table(answer: Answer) -> Table[Line]:
    name = answer.quantity.named
    columns: list[Column[Line]] = [
        Column("key", "guess", lambda line: line.guess.key),
        Column("value", "as it is", lambda line: Cell(_value(line, line.guess.number), note=line.guess.why)),
        Column("band", "band", _band),
        Column("answer", name, lambda line: _span(answer, line)),
        Column("effect", "effect", lambda line: finite(line.effect.mean), form=digits),
        Column("noise", "noise", lambda line: finite(line.effect.noise), form=digits),
        Column("first", "alone", lambda line: _share(line, "first"), optional=True),
        Column("total", "in all", lambda line: _share(line, "total"), optional=True),
    ]
    if answer.asked is not None:
        columns.append(Column("recommended", answer.asked.question, lambda line: _recommended(answer, line)))
    columns.append(Column("role", "role", lambda line: line.guess.role, face=Face.HTML | Face.JSON))
    columns.append(Column("why", "why", lambda line: line.guess.why, face=Face.JSON))
    shown = {line.guess.key for line in answer.lines[:PRINTED]}
    legend = (
        f"Effect: mean change of {name} over the band (mu* of the screening). Noise: what a guess without effect would "
        "show in 1 case of 20. Alone, in all: shares of the variance (Sobol), of guesses that matter."
    )
    return Table(
        columns, answer.lines, legend=legend, marks=lambda line: _marks(answer, line),
        brief=lambda line: line.guess.key in shown,
    )  # fmt: skip


def _share(line: Line, name: str) -> str:
    if line.share is None:
        return ""
    share: Estimate = getattr(line.share, name)
    return f"{percent(share.mean, 0)} ± {percent(share.half_width, 0)}"


def _recommended(answer: Answer, line: Line) -> str:
    assert answer.asked is not None
    low, high = answer.asked.of[line.place]
    return low.words if low.words == high.words else f"{low.words} to {high.words}"


def _marks(answer: Answer, line: Line) -> list[str]:
    marks = []
    if line.effect.none:
        marks.append(_NONE)
    elif not line.effect.distinguishable:
        marks.append(_NOISE)
    if answer.asked is not None and answer.asked.changes(line.place):
        marks.append(f"changes {answer.asked.question}")
    return marks


def _tornado(answer: Answer) -> Figure:
    """Of each guess the change of the answer at both ends of its band, the largest effect on top."""
    drawn = answer.lines[:DRAWN]
    names = [f"{line.guess.key}, {_band(line)}" for line in drawn]
    ends = [
        ("low end of its band", [line.effect.low for line in drawn], Look(2)),
        ("high end of its band", [line.effect.high for line in drawn], Look(1, texture="hatched")),
    ]
    panels = [_panel(f"Change of {answer.quantity.named}", names, ends)]
    if answer.asked is not None and (moved := _numbers(answer, drawn)):
        panels.append(_panel(f"Change of {answer.asked.question}", names, moved))
    most = answer.lines[0]
    alternative = (
        f"Tornado of {plural(len(drawn), 'guess', 'guesses')}: change of {answer.quantity.named} at both ends of the "
        f"band of each; most with {most.guess.key}, {_span(answer, most)}"
    )
    caption = "Each guess alone at both ends of its band; the others as they are. Whiskers: 95 % intervals over seeds."
    return Figure(panels, "", caption, layout="rows", alternative=alternative)


Ends = Sequence[tuple[str, Sequence[Estimate], Look]]


def _panel(label: str, names: Sequence[str], ends: Ends) -> Panel:
    rows = [float(at) for at in range(len(names))]
    series: list[Series] = []
    for name, values, look in ends:
        means: list[Number] = [finite(value.mean) for value in values]
        lows: list[Number] = [None if mean is None else min(mean, 0.0) for mean in means]
        highs: list[Number] = [None if mean is None else max(mean, 0.0) for mean in means]
        nothing: list[Number] = [None] * len(rows)
        series.append(Series(rows, nothing, label=name, kind="spans", low=lows, high=highs, look=look))
        if any(value.half_width for value in values):
            halves = [finite(value.half_width) for value in values]
            dot = Look(0, filled=False, shape="circle")
            series.append(Series(rows, means, halves, "", "points", look=dot))
    return Panel(label, series, origin="both sides", names=names)


def _numbers(answer: Answer, drawn: Sequence[Line]) -> Ends:
    """The change of the recommended number at both ends; none where it is a word."""
    asked = answer.asked
    now = asked.now[0].number if asked is not None else None
    if asked is None or now is None:
        return []
    found = []
    for at, (name, look) in enumerate(
        (("low end of its band", Look(2)), ("high end of its band", Look(1, texture="hatched")))
    ):
        numbers = [asked.of[line.place][at].number for line in drawn]
        found.append((name, [Estimate(math.nan if n is None else n - now, 0.0, 1) for n in numbers], look))
    return found


def _notes(answer: Answer) -> list[Block]:
    found = answer.found
    notes = list(answer.notes)
    complete, wanted = found.trajectories
    if complete < wanted:
        notes.append(
            f"{complete} of {wanted} trajectories are complete: others have settings that are refused, that fail, or "
            "whose load cannot be served; a narrower band (--within) helps"
        )
    blocks, planned = found.samples
    if blocks < planned:
        notes.append(f"{blocks} of {planned} samples are complete")
    if found.shares and found.noise_share > _NOISY:
        notes.append(f"{percent(found.noise_share, 0)} of the variance is simulation noise: measure longer intervals")
    narrowed = [line.guess.key for line in answer.lines if line.guess.narrowed]
    if narrowed:
        notes.append(f"a band is narrower, as other values are refused: {', '.join(narrowed)}")
    made: list[Block] = [Notes("Notes", notes)] if notes else []
    if answer.asked is not None:
        whys = {end.why: line.guess.key for line in answer.lines for end in answer.asked.of[line.place] if end.why}
        made += [Notes("No advice", [f"{key}: {why}" for why, key in whys.items()])] if whys else []
    if answer.guesses.left_out:
        left = plural(len(answer.guesses.left_out), "guess", "guesses")
        made.append(Notes("Not varied", answer.guesses.left_out, Face.HTML))
        made.append(Notes("Not varied", [f"{left}: words, and numbers without a band; the page lists them"], Face.TEXT))
    return made


_NOISY = 0.01
