"""The answer about exits as a report: what to choose, a row per structure, what a pair is made of, readings."""

from __future__ import annotations

import math
from typing import Any

from slicewright.advise.answer import Point
from slicewright.advise.exits.comparison import SHOWN, ExitAnswer
from slicewright.advise.exits.structures import BATCH, COMPLETE, SHORT, SINGLE
from slicewright.advise.exits.words import STEP_WORDS, gained, made_of, share
from slicewright.advise.report import (
    Document,
    Parts,
    advice_document,
    advice_report,
    counter,
    difference,
    readings_table,
    recommendation,
    scope,
)
from slicewright.advise.report import marks as holding
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import Span, decimals, estimates, spans, words
from slicewright.report.json import record, records, values
from slicewright.report.model import Block, Column, Face, Paragraph, Report, Table
from slicewright.statistics import Estimate, fixed, plus_minus

CAPTION = "Bars are simulation noise (95 %)."
DRAWN = {"cpu_us_per_pair": "in all", "slow_us": "slow exits"}
"""Of the processor time of a pair: all of it, and the part that a filter is about."""


def report(answer: ExitAnswer) -> Report:
    """The answer as a report.

    >>> from slicewright.advise.exits.example import advice
    >>> report(advice()).facts[0]
    ('exits', 'single area')
    """
    facts = [("recommendation", "none: it makes no difference")]
    if answer.recommendation:
        saved = answer.point(answer.recommendation).differences["saved"]
        facts = [("exits", SHORT[answer.recommendation])]
        facts.append(("saved over batch", f"{plus_minus(saved.mean, saved.half_width)} % of a processor"))
    blocks = [*_headline(answer), picture(answer).captioned(CAPTION), points_table(answer), parts_table(answer)]
    readings = readings_table(answer.readings, SHORT.__getitem__, ("saves over batch", "%"))
    title = f"Exits in {answer.subject.name}"
    parts = Parts(title, answer.subject.name, answer.case.heading, facts, blocks, readings, answer.case.constants)
    return advice_report(answer.explanation, parts)


def points_table(answer: ExitAnswer) -> Table[Point[str]]:
    """A row per structure of exits; JSON has every counter that was compared."""
    shown = {
        "cpu_percent": ("CPU", "%", estimates),
        "cpu_us_per_pair": ("CPU a pair", "us", estimates),
        "elapsed_us_per_pair": ("elapsed", "us", estimates),
        "lock_held_percent": ("lock held", "%", decimals(1)),
        "lock_wait_us": ("wait", "us", decimals(1)),
    }
    columns: list[Column[Point[str]]] = [
        Column(
            "exits",
            "exits",
            lambda point: point.variant,
            form=lambda names: [SHORT[name] for name in names],
            left=True,
        ),
        Column("now", "", lambda point: point.variant == answer.now, face=Face.JSON),
        Column("sees_every_request", "", lambda point: point.variant in COMPLETE, face=Face.JSON),
        Column("keeps_up", "", lambda point: point.fits, face=Face.JSON),
    ]
    for name in SHOWN:
        header, unit, brief = shown.get(name, ("", "", words))
        face = Face.ALL if name in shown else Face.JSON
        columns.append(Column(name, header, counter(name), unit, estimates, brief=brief, face=face))
        if name == "cpu_percent":
            columns += _saved()
    columns.append(Column("from_now_percent", "", difference("from_now"), face=Face.JSON))
    legend = (
        "100 % is one processor; CPU is for the present number of pairs of ENQ and DEQ; saved: relative to slow"
        " exits at every request (batch). Elapsed: time of a pair, including its waits for the lock of ENQ and"
        f" DEQ and for the manager. ± is simulation noise (95 %, {answer.plan.replications} runs)."
    )
    return Table(columns, answer.points, legend=legend, marks=lambda point: _marks(answer, point))


def _saved() -> list[Column[Point[str]]]:
    """The saving of a structure over slow exits at every request, which save nothing over themselves."""
    saved = difference("saved")

    def over_batch(point: Point[str]) -> Estimate | None:
        return saved(point) if point.variant != BATCH else None

    def between(point: Point[str]) -> Span | None:
        return point.range("saved") if point.variant != BATCH else None

    return [
        Column("saved_percent", "saved", over_batch, "%", estimates, face=Face.PEOPLE),
        Column("saved_percent", "", saved, face=Face.JSON),
        Column("saved", "all readings", between, form=spans(1), face=Face.PEOPLE, optional=True),
        Column("saved", "", lambda point: point.range("saved"), face=Face.JSON),
    ]


def parts_table(answer: ExitAnswer) -> Table[Point[str]]:
    """The parts of the processor time of a pair of ENQ and DEQ."""
    parts = {**STEP_WORDS, "cpu_us_per_pair": "in all"}
    named: Column[Point[str]] = Column("exits", "us a pair", lambda point: SHORT[point.variant])
    return Table(
        [named, *(Column(name, header, counter(name), form=decimals(1)) for name, header in parts.items())],
        answer.points,
    )


def picture(answer: ExitAnswer) -> Figure:
    """Processor time a pair by what it is made of, elapsed time, and the lock, by structure."""
    marks = [(float(at), "now") for at, point in enumerate(answer.points, 1) if point.variant == answer.now]
    names = [SHORT[point.variant] for point in answer.points]
    drawn = {
        "CPU a pair, us": [_drawn(answer, name, label) for name, label in DRAWN.items()],
        "elapsed a pair, us": [_drawn(answer, "elapsed_us_per_pair", "elapsed")],
        "lock held, %": [_drawn(answer, "lock_held_percent", "held")],
    }
    return Figure([Panel(label, points, marks, names=names) for label, points in drawn.items()], "")


def document(answer: ExitAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), a row per structure, readings, evidence.

    Savings are over slow exits at every request, in % of one processor; `saved_low` and `saved_high` are null where
    only one reading was simulated.

    >>> from slicewright.advise.exits.example import advice
    >>> made = document(advice())
    >>> made["question"], len(made["structures"]), made["recommendation"]["exits"]
    ('exits', 5, 'prebatch-single-area')
    """
    chosen = answer.recommendation and answer.point(answer.recommendation)
    points = points_table(answer)
    own: Document[str] = Document(
        recommendation={
            "exits": chosen.variant, "as_now": chosen.variant == answer.now,
            **values("saved_percent", chosen.differences["saved"]),
            **values("from_now_percent", chosen.differences["from_now"]), "alike": list(answer.alike),
        } if chosen else None,
        situation={"now": answer.now, **values("global_percent", share(answer))},
        variant=str,
        gain="saved_percent",
        asked=[record(points, answer.point(structure)) for structure in answer.case.asked],
        target={"exits": list(answer.meets)},
        tables={"structures": records(points)},
        evidence={"least_percent": answer.request.knobs["least"]},
    )  # fmt: skip
    return advice_document("exits", answer, own)


def _headline(answer: ExitAnswer) -> list[Block]:
    gains = [_gains(answer, answer.recommendation)] if answer.recommendation else []
    blocks = recommendation(answer, SHORT.__getitem__, scope(answer, SHORT.__getitem__), gains)
    blocks.append(Paragraph(_filter(answer)))
    if answer.request.target is not None:
        met = ", ".join(SHORT[structure] for structure in answer.meets) or "no structure does"
        blocks.append(Paragraph(f"{answer.request.target}: {met}."))
    return blocks


def _gains(answer: ExitAnswer, chosen: str) -> str:
    point, now = answer.point(chosen), answer.point(answer.now)
    same = (
        f" No difference from {' and '.join(SHORT[name] for name in answer.alike)} beyond noise."
        if answer.alike
        else ""
    )
    if chosen == answer.now:
        return f"It takes {point.columns['cpu_percent']} % of a processor.{same}"
    return (
        f"{now.columns['cpu_percent']} -> {point.columns['cpu_percent']} % of a processor for the same pairs, "
        f"{gained(point.differences['from_now'], answer.now)}; of a pair, us: {made_of(now, point)}.{same}"
    )


def _filter(answer: ExitAnswer) -> str:
    """The saving of a filter over slow exits at every request, whatever is recommended."""
    saved = answer.point(SINGLE).differences["saved"]
    whole = answer.point(BATCH).columns["cpu_percent"].mean
    part = 100 * saved.mean / whole if whole > 0 else 0.0
    return (
        f"A filter saves {fixed(part, 0)} % of what slow exits at every request take, {saved} % of a processor, with "
        f"{fixed(share(answer), 1)} % of the pairs global."
    )


def _marks(answer: ExitAnswer, point: Point[str]) -> list[str]:
    said = {
        "choose": point.variant == answer.recommendation,
        "now": point.variant == answer.now,
        "asked": point.variant in answer.case.asked,
        "not advised": point.variant not in COMPLETE,
        "completes fewer": not point.fits,
    }
    return holding(said)


def _drawn(answer: ExitAnswer, name: str, label: str) -> Series:
    found = [point.columns[name] for point in answer.points]
    noise = [value.half_width if math.isfinite(value.half_width) else 0.0 for value in found]
    places = [float(at) for at in range(1, len(found) + 1)]
    return Series(places, [value.mean for value in found], noise, label, "points")
