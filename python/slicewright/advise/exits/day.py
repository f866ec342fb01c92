"""The answer about installation exits over a day: rates of ENQ by groups of intervals, and contention by name.

Record 72-5 gives the requests of a system by scope, 77-1 names in contention.  Requests with SCOPE=STEP reach no exit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright.advise.alike import alike
from slicewright.advise.answer import Request
from slicewright.advise.day import Day
from slicewright.advise.exits.rates import Rate, as_scenario
from slicewright.advise.exits.report import document as document_of
from slicewright.advise.exits.report import report as report_of
from slicewright.advise.exits.structures import SHORT, ExitAnswer
from slicewright.experiment.progress import Progress, piece
from slicewright.report.figure import Figure, Panel
from slicewright.report.json import fields, records
from slicewright.report.model import Block, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns, series
from slicewright.run.tables import per_replication
from slicewright.statistics import fixed, percent

_GROUPS = 3
"""Groups of a day: the choice depends little on the rate."""
_SHOWN = 8
"""Names in contention that text shows: those longest in contention."""
_GROUP_LINES = """
    when           |    | first to last
    count          | .0 | intervals
    enq_per_s      | .0 | ENQ per s
    choose
    saved          | ±  | saves  | %
"""
_NAMES = """
    qname
    rname
    scope
    contentions          | .0
    people    share      | percent | of the time
    programs  share_percent
    people    mean_ms    | .2 | mean    | ms
    people    longest_ms | .1 | longest | ms
    people    when       |    | hardest
    programs  hardest
"""


@dataclass(frozen=True)
class _Interval:
    """The requests of an interval, per second: those that reach exits, and of them those with SCOPE=SYSTEMS."""

    number: int
    enq_per_s: float
    systems_per_s: float


@dataclass(frozen=True)
class _Group:
    """Like intervals of a day, their mean rates, and the answer at these."""

    intervals: tuple[_Interval, ...]
    enq_per_s: float
    systems_per_s: float
    answer: ExitAnswer


@dataclass(frozen=True)
class Contended:
    """A name in contention: how often in the intervals in all, share of the time, mean and longest time in ms."""

    qname: str
    rname: str
    scope: str
    contentions: float
    share: float
    mean_ms: float | None
    longest_ms: float | None
    hardest: int
    """The interval with most time in contention."""


@dataclass(frozen=True)
class DayExitAnswer:
    """All of it; `groups` hardest first: with most requests."""

    day: Day
    groups: tuple[_Group, ...]
    names: tuple[Contended, ...]

    @property
    def hardest(self) -> _Group:
        """The group with most requests."""
        return self.groups[0]

    @property
    def wide(self) -> float:
        """The share of requests with SCOPE=SYSTEMS in the hardest intervals."""
        return self.hardest.systems_per_s / self.hardest.enq_per_s

    @property
    def recommendation(self) -> str | None:
        """The structure for the hardest intervals; None where none saves more than noise."""
        return self.hardest.answer.recommendation

    @property
    def saved_percent(self) -> float:
        """Its saving over slow exits at every request, percent of a processor, over the day."""
        chosen = self.recommendation
        if chosen is None:
            return 0.0
        rows = [(len(group.intervals), group.answer.point(chosen).differences["saved"].mean) for group in self.groups]
        return sum(count * saved for count, saved in rows) / sum(count for count, _ in rows)


def answer_day(
    day: Day, request: Request, progress: Progress, ask: Callable[[bytes, Request, Progress], ExitAnswer]
) -> list[DayExitAnswer]:
    """The answer on a day; `ask` compares the structures for one scenario.  Raises InputError and RunError."""
    intervals = _intervals(day)
    values = np.array([[interval.enq_per_s, interval.systems_per_s] for interval in intervals])
    groups = alike(values, [0] * len(intervals), _GROUPS)
    made = []
    for at, places in enumerate(groups):
        enq, systems = (float(mean) for mean in values[places].mean(axis=0))
        answer = ask(_world(enq, systems, day), request, piece(progress, at, len(groups)))
        made.append(_Group(tuple(intervals[place] for place in places), enq, systems, answer))
    return [DayExitAnswer(day, tuple(sorted(made, key=lambda group: -group.enq_per_s)), contended(day))]


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    return [] if _intervals(day) else ["72-5: the rate of ENQ and DEQ; 77-1 adds names in contention"]


def contended(day: Day) -> tuple[Contended, ...]:
    """The names in contention over the intervals, longest time first."""
    rows = day.table("enqueues")
    if rows.is_empty():
        return ()
    measured = day.measured
    total_ms = sum(measured.ends_us[at] - measured.starts_us[at] for at in day.chosen) / 1e3
    found = []
    for row in per_replication(rows, "enqueues").iter_rows(named=True):
        own = rows.filter((rows["enqueue"] == row["enqueue"]) & (rows["scope"] == row["scope"]))
        found.append(
            Contended(
                row["qname"], row["rname"], row["scope"], row["contentions"] or 0.0,
                (row["contention_total_ms"] or 0.0) / total_ms, row["contention_mean_ms"], row["contention_max_ms"],
                own.sort("contention_total_ms", descending=True, nulls_last=True)["interval"][0],
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda name: (-name.share, name.qname, name.rname)))


def report(answer: DayExitAnswer) -> Report:
    """The answer as a report; the sections behind it are those of the hardest intervals."""
    when = answer.day.span(answer.hardest.intervals)
    heading = f"{answer.day.name}  {answer.day.heading}"
    blocks: list[Block] = [Paragraph(heading, flush=True, face=Face.TEXT), *_headline(answer, when), _groups(answer)]
    if len(answer.day.chosen) > 1:
        blocks.append(_picture(answer))
    open_ = [
        "the present structure of exits is in no record: slow exits at every request are taken for it",
        "72-5 counts ENQs: each is taken for a pair of ENQ and DEQ",
    ]
    title = f"The hardest intervals, {when}"
    sections = [
        Section("Exits", blocks), Section("Names in contention", [_names(answer)]),
        Section("", [Notes("Open", open_)]), Section(title, [Paragraph(f"{title}:", flush=True, face=Face.TEXT)]),
    ]  # fmt: skip
    facts = [("structure", _short(answer.recommendation)), ("hardest", when)]
    return Report(
        "Installation exits over a day", heading, facts, [*sections, *report_of(answer.hardest.answer).sections]
    )


def document(answer: DayExitAnswer) -> dict[str, Any]:
    """One answer as an object: the structure, groups with their answers, names in contention."""
    return fields(
        question="exits", files=[answer.day.name], system=answer.day.measured.name,
        recommendation=answer.recommendation, saved_percent=answer.saved_percent,
        global_share_percent=100 * answer.wide,
        groups=[
            fields(
                intervals=[interval.number for interval in group.intervals], enq_per_s=group.enq_per_s,
                answer=document_of(group.answer),
            )
            for group in answer.groups
        ],
        names=records(_names(answer)),
    )  # fmt: skip


def _intervals(day: Day) -> list[_Interval]:
    """The intervals with requests that reach exits."""
    import polars as pl

    outside = pl.col("enq_per_s") - pl.col("enq_step_per_s")
    rows = day.table("serialization").select("interval", outside, "enq_systems_per_s").drop_nulls()
    return [_Interval(at, enq, systems) for at, enq, systems in rows.iter_rows() if enq > 0]


def _world(enq_per_s: float, systems_per_s: float, day: Day) -> bytes:
    rates = [Rate("ALL", "LOCAL", "system", enq_per_s - systems_per_s), Rate("ALL", "GLOBAL", "systems", systems_per_s)]
    return as_scenario([rate for rate in rates if rate.pairs_per_s > 0], day.name).encode()


def _groups(answer: DayExitAnswer) -> Table[_Group]:
    """The groups in the order of time: rate, structure, and what it saves."""

    def saved(group: _Group) -> Any:
        chosen = group.answer.recommendation
        return group.answer.point(chosen).differences["saved"] if chosen else None

    values = {
        "when": lambda group: answer.day.span(group.intervals),
        "count": lambda group: len(group.intervals),
        "choose": lambda group: _short(group.answer.recommendation),
        "saved": saved,
    }
    return Table(
        columns(_GROUP_LINES, values=values), sorted(answer.groups, key=lambda group: group.intervals[0].number),
        legend="First to last interval of each group; of up to three groups the harder are the narrower. Saves: of a "
        "processor, over slow exits at every request.",
        marks=lambda group: ["hardest"] if group is answer.hardest and len(answer.groups) > 1 else [], face=Face.PEOPLE,
    )  # fmt: skip


def _names(answer: DayExitAnswer) -> Table[Contended]:
    """The names in contention, longest first."""
    shown = set(answer.names[:_SHOWN])
    rest = f" Text shows {_SHOWN} of {len(answer.names):,} names." if len(answer.names) > _SHOWN else ""
    values = {"share_percent": lambda name: 100 * name.share, "when": lambda name: answer.day.when(name.hardest)}
    return Table(
        columns(_NAMES, values=values), answer.names, legend=f"Record 77-1, over all intervals.{rest}",
        face=Face.PEOPLE, brief=lambda name: name in shown,
    )  # fmt: skip


def _picture(answer: DayExitAnswer) -> Figure:
    """Requests over the day as measured, and what the recommended structure saves as simulated for each group."""
    pairs = [(interval, group) for group in answer.groups for interval in group.intervals]
    track = sorted(pairs, key=lambda pair: pair[0].number)
    starts, chosen = answer.day.measured.starts_us, answer.recommendation
    x = [(starts[interval.number] - starts[track[0][0].number]) / 60e6 for interval, _ in track]
    panels = [Panel("ENQ per second", [series(x, [interval.enq_per_s for interval, _ in track], "measured")])]
    if chosen:
        saved = [group.answer.point(chosen).differences["saved"].mean for _, group in track]
        panels.append(Panel("Saved, % of a processor", [series(x, saved, _short(chosen), "steps")]))
    across = f"Minutes from {answer.day.when(track[0][0].number)}"
    return Figure(panels, across, "Rates as measured; steps are simulated for each group.", layout="below")


def _headline(answer: DayExitAnswer, when: str) -> list[Block]:
    chosen, rate = answer.recommendation, fixed(answer.hardest.enq_per_s, 0)
    lines = [
        f"Hardest intervals: {when}, {rate} ENQs per second outside STEP, {percent(answer.wide)} with SCOPE=SYSTEMS."
    ]
    if answer.names:
        worst = answer.names[0]
        lines.append(
            f"Longest in contention: {worst.qname} {worst.rname}, {percent(worst.share)} of the time, most in interval "
            f"{worst.hardest} ({answer.day.when(worst.hardest)})."
        )
    if chosen is None:
        return [Paragraph(f"No recommendation: {answer.hardest.answer.reason}."), *map(Paragraph, lines)]
    groups = {group.answer.recommendation for group in answer.groups}
    scope = "every group agrees" if groups == {chosen} else "other groups choose differently"
    saves = (
        f"It saves {fixed(answer.saved_percent, 1)} % of a processor over slow exits at every request, over the day."
    )
    return [Lead(f"{_short(chosen)}, for the rates of the day", scope), *map(Paragraph, [saves, *lines])]


def _short(structure: str | None) -> str:
    return SHORT[structure] if structure else "none"
