"""Installation exits over a day: rates of ENQ by groups of intervals, structures, and contention by name.

Record 72-5 gives the requests of a system by scope, 77-1 names in contention, 87-2 each request that GRS monitors.
Requests with SCOPE=STEP reach no exit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from slicewright.advise.answer import Request
from slicewright.advise.day import Day
from slicewright.advise.exits.comparison import COMPARISON
from slicewright.advise.exits.rates import Rate, as_scenario
from slicewright.advise.exits.report import ExitAnswer
from slicewright.advise.exits.report import document as document_of
from slicewright.advise.exits.report import report as report_of
from slicewright.advise.exits.structures import SHORT
from slicewright.advise.many import Group, Interval, Many, each_group, grouped, intervals_of
from slicewright.report.figure import Panel, Series
from slicewright.report.json import fields, records
from slicewright.report.model import Block, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns
from slicewright.run.tables import per_replication
from slicewright.statistics import Estimate, fixed, percent
from slicewright.values.progress import Progress

T = TypeVar("T")
_GROUPS = 3
"""Groups of a day: the choice depends little on the rate."""
_SHOWN = 8
"""Names in contention that text shows: those longest in contention."""
_NAMES = """
    qname
    rname
    scope
    contentions          | .0
    people    share      | percent | of the time
    programs  share_percent
    people    mean_ms    | .2      | mean        | ms
    people    longest_ms | .1      | longest     | ms
    people    when       |         | hardest
    programs  hardest
"""
_HELD = """
    qname
    rname
    scope
    requests_per_s | .2 | ENQ per s
    released_per_s | .2 | DEQ per s
    held_ms        | .2 | held | ms
"""
_OPEN = "the present structure of exits is in no record: slow exits at every request are taken for it"
_OF_72_5 = "72-5 counts ENQs: each is taken for a pair of ENQ and DEQ"
_OF_87_2 = "87-2 has the requests that GRS monitors, as its parameters choose them: there may be more"
_HOLDS = "holds are shown and not simulated: a hold of an ENQ that waited may contain its wait"


_Group = Group[ExitAnswer]
_RATES = ("enq_per_s", "systems_per_s")
"""The requests of an interval, per second: those that reach exits, and of them those with SCOPE=SYSTEMS."""


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
class DayExitAnswer(Many[_Group]):
    """The hardest group has most requests."""

    names: tuple[Contended, ...]
    requested: Sequence[dict[str, Any]] = ()
    """The names of record 87-2, most requests first: means over the intervals; held, where a pair is known."""
    paired: bool = False
    """Whether pairs are those of record 87-2."""

    question = "exits"
    caption = "Rates as measured; steps are simulated for each group."

    @property
    def _wide(self) -> float:
        """The share of requests with SCOPE=SYSTEMS in the hardest intervals."""
        return (self.hardest.mean("systems_per_s") or 0.0) / (self.hardest.mean("enq_per_s") or 1.0)

    @property
    def recommendation(self) -> str | None:
        """The structure for the hardest intervals; None where none saves more than noise."""
        return self.hardest.answer.recommendation

    @property
    def _saved_percent(self) -> float:
        """Its saving over slow exits at every request, percent of a processor, over the day."""
        chosen = self.recommendation
        if chosen is None:
            return 0.0
        rows = [(len(group.intervals), _saved(group, chosen).mean) for group in self.groups]
        return sum(count * saved for count, saved in rows) / sum(count for count, _ in rows)

    def report(self) -> Report:
        """The answer as a report; the sections behind it are those of the hardest intervals."""
        facts = [("structure", _short(self.recommendation)), ("hardest", self.span(self.hardest))]
        blocks: list[Block] = [Paragraph(self.heading, flush=True, face=Face.TEXT), *self.blocks()]
        left_open = [_OPEN, _OF_87_2 if self.paired else _OF_72_5, *([_HOLDS] if self.requested else [])]
        title = f"The hardest intervals, {self.span(self.hardest)}"
        sections = [
            Section("Exits", blocks), Section("Names in contention", [_names_table(self)]),
            *([Section("Names by requests", [_requested_table(self)])] if self.requested else []),
            Section("", [Notes("Open", left_open)]),
            Section(title, [Paragraph(f"{title}:", flush=True, face=Face.TEXT)]),
            *report_of(self.hardest.answer).sections,
        ]  # fmt: skip
        return Report("Installation exits over a day", self.heading, facts, sections)

    def headline(self) -> list[Block]:
        """The structure, what it saves, and the hardest intervals."""
        chosen = self.recommendation
        rate, wide = fixed(self.hardest.mean("enq_per_s"), 0), percent(self._wide)
        lines = [
            f"Hardest intervals: {self.span(self.hardest)}, {rate} ENQs per second outside STEP, {wide} with "
            "SCOPE=SYSTEMS."
        ]
        if self.names:
            worst = self.names[0]
            lines.append(
                f"Longest in contention: {worst.qname} {worst.rname}, {percent(worst.share)} of the time, most in "
                f"interval {worst.hardest} ({self.day.when(worst.hardest)})."
            )
        if chosen is None:
            return [Paragraph(f"No recommendation: {self.hardest.answer.reason}."), *map(Paragraph, lines)]
        groups = {group.answer.recommendation for group in self.groups}
        scope = "every group agrees" if groups == {chosen} else "other groups choose differently"
        saves = (
            f"It saves {fixed(self._saved_percent, 1)} % of a processor over slow exits at every request, over the day."
        )
        return [Lead(f"{_short(chosen)}, for the rates of the day", scope), *map(Paragraph, [saves, *lines])]

    def legend(self) -> str:
        """The baseline of the saving."""
        return (
            "First to last interval of each group; of up to three groups the harder have fewer intervals. Saves: of a "
            "processor, over slow exits at every request."
        )

    def columns(self) -> list[Column[_Group]]:
        """Rate, structure, and what it saves."""

        def saved(group: _Group) -> Any:
            return _saved(group, group.answer.recommendation) if group.answer.recommendation else None

        values = {"choose": lambda group: _short(group.answer.recommendation), "saved": saved}
        return columns("enq_per_s | .0; choose; saved | ± | saves | %", ["serialization"], values)

    def panels(self, track: Sequence[tuple[Interval, _Group]], line: Callable[..., Series]) -> list[Panel]:
        """Requests as measured, and what the recommended structure saves as simulated for each group."""
        panels = [Panel("ENQ per second", [line("enq_per_s")])]
        if chosen := self.recommendation:
            saved = line((_saved(group, chosen).mean for _, group in track), label=_short(chosen), kind="steps")
            panels.append(Panel("Saved, % of a processor", [saved]))
        return panels

    def facts(self) -> dict[str, Any]:
        """The structure, and what it saves over the day."""
        return fields(
            system=self.day.measured.name, recommendation=self.recommendation, saved_percent=self._saved_percent,
            global_share_percent=100 * self._wide,
        )  # fmt: skip

    def of_group(self, group: _Group) -> dict[str, Any]:
        """Its rate, and its answer."""
        return fields(enq_per_s=group["enq_per_s"], answer=document_of(group.answer))

    def rest(self) -> dict[str, Any]:
        """The names in contention, and those with requests."""
        requested = {"requested": records(_requested_table(self))} if self.requested else {}
        return {"names": records(_names_table(self)), **requested}


def answer_day(day: Day, request: Request, progress: Progress) -> list[DayExitAnswer]:
    """The answer on a day: each group is asked as a table of rates is.  Raises InputError and RunError."""
    intervals = _intervals(day)

    def ask(members: tuple[Interval, ...], part: Progress) -> ExitAnswer:
        enq, systems = np.array([[member[name] for name in _RATES] for member in members]).mean(axis=0).tolist()
        return COMPARISON.answer([(day.name, _world(enq, systems, day))], request, part)[0]

    groups = [Group(*pair) for pair in each_group(grouped(intervals, _RATES, _GROUPS), ask, progress)]
    ordered = sorted(groups, key=lambda group: -(group.mean("enq_per_s") or 0.0))
    return [DayExitAnswer(day, tuple(ordered), contended(day), _requested(day), bool(_pairs(day)))]


def _intervals(day: Day) -> list[Interval]:
    """The intervals with requests that reach exits: pairs of record 87-2, where 72-5 does not count all ENQs."""
    import polars as pl

    if pairs := _pairs(day):
        return pairs
    outside = pl.col("enq_per_s") - pl.col("enq_step_per_s")
    rows = day.table("serialization").select("interval", outside, systems_per_s="enq_systems_per_s").drop_nulls()
    return intervals_of(rows.filter(pl.col("enq_per_s") > 0))


def _pairs(day: Day) -> list[Interval]:
    """DEQs that reach exits, of intervals whose service is that of record 87-2: it alone counts DEQs."""
    import polars as pl

    of_87_2 = day.table("serialization").filter(pl.col("deq_per_s").is_not_null())["interval"]
    released = pl.col("released_per_s")
    rows = day.table("enqueues").filter(pl.col("interval").is_in(of_87_2.implode()), pl.col("scope") != "STEP")
    systems = released.filter(pl.col("scope") == "SYSTEMS").sum()
    sums = rows.group_by("interval", maintain_order=True).agg(enq_per_s=released.sum(), systems_per_s=systems)
    return intervals_of(sums.filter(pl.col("enq_per_s") > 0).sort("interval"))


def _requested(day: Day) -> list[dict[str, Any]]:
    import polars as pl

    measured = day.measured
    lengths = {at: float(measured.ends_us[at] - measured.starts_us[at]) for at in day.chosen}
    rows = day.table("enqueues").filter(pl.col("requests_per_s").is_not_null())
    share = pl.col("interval").replace_strict(lengths, return_dtype=pl.Float64) / sum(lengths.values())
    released = pl.col("released_per_s") * share
    held = (pl.col("held_ms") * released).sum() / released.filter(pl.col("held_ms").is_not_null()).sum()
    sums = rows.group_by("qname", "rname", "scope").agg((pl.col("requests_per_s") * share).sum(), released.sum(), held)
    ordered = sums.sort("requests_per_s", "qname", "rname", "scope", descending=[True, False, False, False])
    return ordered.fill_nan(None).to_dicts()


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    return (
        [] if _intervals(day) else ["72-5: the rate of ENQ and DEQ; 87-2: each of them; 77-1 adds names in contention"]
    )


def contended(day: Day) -> tuple[Contended, ...]:
    """The names in contention over the intervals, longest time first."""
    every = day.table("enqueues")
    rows = every.filter(every["contentions"].is_not_null())
    if rows.is_empty():
        return ()
    measured, count = day.measured, len(day.chosen)
    total_ms = sum(measured.ends_us[at] - measured.starts_us[at] for at in day.chosen) / 1e3
    found = []
    for row in per_replication(rows, "enqueues").iter_rows(named=True):
        own = rows.filter((rows["enqueue"] == row["enqueue"]) & (rows["scope"] == row["scope"]))
        worst = own.sort("contention_total_ms", descending=True, nulls_last=True)["interval"][0]
        found.append(
            Contended(
                row["qname"], row["rname"], row["scope"], row["contentions"] or 0.0,
                (row["contention_total_ms"] or 0.0) / total_ms if count else 0.0,
                row["contention_mean_ms"], row["contention_max_ms"], worst,
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda name: (-name.share, name.qname, name.rname)))


def _world(enq_per_s: float, systems_per_s: float, day: Day) -> bytes:
    rates = [Rate("ALL", "LOCAL", "system", enq_per_s - systems_per_s), Rate("ALL", "GLOBAL", "systems", systems_per_s)]
    return as_scenario([rate for rate in rates if rate.pairs_per_s > 0], day.name).encode()


def _names_table(answer: DayExitAnswer) -> Table[Contended]:
    """The names in contention, longest first."""
    values = {"share_percent": lambda name: 100 * name.share, "when": lambda name: answer.day.when(name.hardest)}
    return _listed(columns(_NAMES, values=values), answer.names, "Record 77-1, over all intervals.")


def _requested_table(answer: DayExitAnswer) -> Table[dict[str, Any]]:
    """The names of record 87-2, most requests first."""
    legend = "Record 87-2, over all intervals; held: from the end of an ENQ to the start of the task's DEQ."
    return _listed(columns(_HELD), answer.requested, legend)


def _listed(shown: Sequence[Column[T]], rows: Sequence[T], legend: str) -> Table[T]:
    rest = f" Text shows {_SHOWN} of {len(rows):,} names." if len(rows) > _SHOWN else ""
    first = rows[:_SHOWN]
    return Table(shown, rows, legend=f"{legend}{rest}", face=Face.PEOPLE, brief=lambda row: row in first)


def _short(structure: str | None) -> str:
    return SHORT[structure] if structure else "none"


def _saved(group: _Group, structure: str) -> Estimate:
    return group.answer.point(structure).differences["saved"]
