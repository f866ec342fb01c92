"""The answer about exits as a report: what to choose, a row per structure, what a pair is made of, readings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from slicewright.advise.constants import constants_table
from slicewright.advise.exits.answer import SHOWN, ExitAnswer, ExitPoint
from slicewright.advise.exits.structures import BATCH, COMPLETE, SHORT, SINGLE
from slicewright.advise.exits.words import STEP_WORDS, gained, made_of, share
from slicewright.advise.report import Parts, advice_report, readings_json, readings_table
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import Span, decimals, estimates, spans, words
from slicewright.report.json import record, records, values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
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
        saved = answer.point(answer.recommendation).saved
        facts = [("exits", SHORT[answer.recommendation])]
        facts.append(("saved over batch", f"{plus_minus(saved.mean, saved.half_width)} % of a processor"))
    blocks = [*_headline(answer), picture(answer).captioned(CAPTION), points_table(answer), parts_table(answer)]
    readings = readings_table(answer.readings, SHORT.__getitem__, ("saves over batch", "%"))
    title = f"Exits in {answer.partition}"
    parts = Parts(title, answer.partition, answer.heading, facts, blocks, readings, answer.constants)
    return advice_report(answer, parts)


def points_table(answer: ExitAnswer) -> Table[ExitPoint]:
    """A row per structure of exits; JSON has every counter that was compared."""
    shown = {
        "cpu_percent": ("CPU", "%", estimates),
        "cpu_us_per_pair": ("CPU a pair", "us", estimates),
        "elapsed_us_per_pair": ("elapsed", "us", estimates),
        "lock_held_percent": ("lock held", "%", decimals(1)),
        "lock_wait_us": ("wait", "us", decimals(1)),
    }
    columns: list[Column[ExitPoint]] = [
        Column(
            "exits",
            "exits",
            lambda point: point.structure,
            form=lambda names: [SHORT[name] for name in names],
            left=True,
        ),
        Column("now", "", lambda point: point.structure == answer.now, face=Face.JSON),
        Column("sees_every_request", "", lambda point: point.structure in COMPLETE, face=Face.JSON),
        Column("keeps_up", "", lambda point: point.fits, face=Face.JSON),
    ]
    for name in SHOWN:
        header, unit, brief = shown.get(name, ("", "", words))
        face = Face.ALL if name in shown else Face.JSON
        columns.append(Column(name, header, _counter(name), unit, estimates, brief=brief, face=face))
        if name == "cpu_percent":
            columns += _saved(answer)
    columns.append(Column("from_now_percent", "", lambda point: point.from_now, face=Face.JSON))
    legend = (
        "100 % is one processor; CPU is for as many pairs of ENQ and DEQ as now, saved is less than with slow exits at"
        " every request (batch). Elapsed: until a pair is through, its waits for the lock of ENQ and DEQ and for the"
        f" manager included. ± is simulation noise (95 %, {answer.replications} runs)."
    )
    return Table(columns, answer.points, legend=legend, marks=lambda point: _marks(answer, point))


def _saved(answer: ExitAnswer) -> list[Column[ExitPoint]]:
    """What a structure saves over slow exits at every request, which saves nothing over itself."""
    return [
        Column(
            "saved_percent",
            "saved",
            lambda point: point.saved if point.structure != BATCH else None,
            "%",
            estimates,
            face=Face.PEOPLE,
        ),
        Column("saved_percent", "", lambda point: point.saved, face=Face.JSON),
        Column(
            "saved",
            "all readings",
            lambda point: Span(point.low, point.high) if point.structure != BATCH else None,
            form=spans(1),
            face=Face.PEOPLE,
            optional=True,
        ),
        Column("saved", "", lambda point: Span(point.low, point.high), face=Face.JSON),
    ]


def parts_table(answer: ExitAnswer) -> Table[ExitPoint]:
    """What the processor time of a pair of ENQ and DEQ is made of."""
    parts = {**STEP_WORDS, "cpu_us_per_pair": "in all"}
    named: Column[ExitPoint] = Column("exits", "us a pair", lambda point: SHORT[point.structure])
    return Table(
        [named, *(Column(name, header, _counter(name), form=decimals(1)) for name, header in parts.items())],
        answer.points,
    )


def picture(answer: ExitAnswer) -> Figure:
    """Processor time a pair by what it is made of, elapsed time, and the lock, by structure."""
    marks = [(float(at), "now") for at, point in enumerate(answer.points, 1) if point.structure == answer.now]
    names = [SHORT[point.structure] for point in answer.points]
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
    made: dict[str, Any] = {"question": "exits", "files": [answer.file], "partition": answer.partition}
    made["recommendation"] = None
    if answer.recommendation is None:
        made["reason"] = answer.reason
    else:
        point = answer.point(answer.recommendation)
        made["recommendation"] = {
            "exits": point.structure, "as_now": point.structure == answer.now, **values("saved_percent", point.saved),
            **values("from_now_percent", point.from_now), "alike": list(answer.alike),
        }  # fmt: skip
    made |= {"now": answer.now, **values("global_percent", share(answer)), "needed": list(answer.needed)}
    points = points_table(answer)
    if answer.asked:
        made["at"] = [record(points, answer.point(structure)) for structure in answer.asked]
    if answer.target:
        made["target"] = {"condition": str(answer.target), "exits": list(answer.meets)}
    made["structures"] = records(points)
    made["readings"] = readings_json(answer.readings, str, "saved_percent")
    made["evidence"] = {
        "facts": list(answer.facts), "least_percent": answer.least_percent, "growth_factor": answer.growth,
        "replications": answer.replications, "warm_up_s": answer.warm_up_s, "interval_s": answer.interval_s,
    }  # fmt: skip
    made["constants"] = records(constants_table(answer.constants))
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _headline(answer: ExitAnswer) -> list[Block]:
    chosen = answer.recommendation
    blocks: list[Block] = []
    if chosen is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        which = "as it is now" if chosen == answer.now else f"instead of {SHORT[answer.now]}"
        blocks += [Lead(f"{SHORT[chosen]}, {which}", _scope(answer, chosen)), Paragraph(_gains(answer, chosen))]
    blocks.append(Paragraph(_filter(answer)))
    if answer.target is not None:
        met = ", ".join(SHORT[structure] for structure in answer.meets) or "no structure does"
        blocks.append(Paragraph(f"{answer.target}: {met}."))
    return blocks


def _gains(answer: ExitAnswer, chosen: str) -> str:
    point, now = answer.point(chosen), answer.point(answer.now)
    same = f" {_listed(answer.alike)} cannot be told from it." if answer.alike else ""
    if chosen == answer.now:
        return f"It takes {point.columns['cpu_percent']} % of a processor.{same}"
    return (
        f"{now.columns['cpu_percent']} -> {point.columns['cpu_percent']} % of a processor for the same pairs, "
        f"{gained(point.from_now, answer.now)}; of a pair, us: {made_of(now, point)}.{same}"
    )


def _filter(answer: ExitAnswer) -> str:
    """What a filter saves over slow exits at every request, whatever is recommended."""
    saved = answer.point(SINGLE).saved
    whole = answer.point(BATCH).columns["cpu_percent"].mean
    part = 100 * saved.mean / whole if whole > 0 else 0.0
    return (
        f"A filter saves {fixed(part, 0)} % of what slow exits at every request take, {saved} % of a processor, with "
        f"{fixed(share(answer), 1)} % of the pairs global."
    )


def _scope(answer: ExitAnswer, chosen: str) -> str:
    others = sorted({SHORT[reading.chosen] for reading in answer.readings if reading.chosen not in (None, chosen)})
    if others:
        return f"other readings: {', '.join(others)}"
    return "every reading agrees" if len(answer.readings) > 1 else "nothing in it is assumed"


def _marks(answer: ExitAnswer, point: ExitPoint) -> list[str]:
    said = {
        "choose": point.structure == answer.recommendation,
        "now": point.structure == answer.now,
        "asked": point.structure in answer.asked,
        "not advised": point.structure not in COMPLETE,
        "completes fewer": not point.fits,
    }
    return [mark for mark, holds in said.items() if holds]


def _listed(names: tuple[str, ...]) -> str:
    shown = " and ".join(SHORT[name] for name in names)
    return shown[:1].upper() + shown[1:]


def _counter(name: str) -> Callable[[ExitPoint], Estimate]:
    return lambda point: point.columns[name]


def _drawn(answer: ExitAnswer, name: str, label: str) -> Series:
    found = [point.columns[name] for point in answer.points]
    noise = [value.half_width if math.isfinite(value.half_width) else 0.0 for value in found]
    return dots([float(at) for at in range(1, len(found) + 1)], [value.mean for value in found], noise, label)
