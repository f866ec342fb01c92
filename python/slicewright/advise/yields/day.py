"""DIAGNOSEs and the scheduler lock over a day: rates, and the processor time that they take.

Records 5/12 have the rates of X'44' and X'9C', 0/23 the scheduler lock.  No record has the time in which guests hold
their locks or spin for them, so no yield is recommended from a day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright.advise.answer import Request
from slicewright.advise.day import Day
from slicewright.advise.many import Group, Interval, Many, grouped, intervals_of
from slicewright.report.figure import Panel, Series
from slicewright.report.json import fields
from slicewright.report.model import Block, Column, Face, Notes, Paragraph, Report, Section
from slicewright.report.spec import columns
from slicewright.scenario.starters import read_starter
from slicewright.statistics import fixed
from slicewright.values.progress import Progress, silent

_STARTER, _PARTITION = "apache-spin", "ZVM"
"""The shipped scenario whose costs of DIAGNOSEs are borrowed."""
_GROUPS = """
    total_percent ?    | .0 | used
    tv_ratio ?         | .2
    x44_per_s          | .0
    x9c_per_s          | .0
    collisions_per_s ? | .0 | lock held per s
    spinning ?         | .2 | spins | %
    taken              | .2 | both  | %
"""
_REASON = "no record has the time in which guests hold their locks or spin for them"


_Group = Group[None]


@dataclass(frozen=True)
class DayYields(Many[_Group]):
    """The hardest group has most processor time in DIAGNOSEs and spinning."""

    x44_us: float
    x9c_us: float

    question = "yields"
    caption = "Every interval as measured, with borrowed costs."

    @property
    def _peak(self) -> Interval:
        return max((interval for group in self.groups for interval in group.intervals), key=lambda each: each["taken"])

    @property
    def _taken(self) -> float:
        return float(np.mean([interval["taken"] for group in self.groups for interval in group.intervals]))

    def report(self) -> Report:
        """The rates and costs as a report."""
        missing = [] if self.hardest.mean("spinning") is not None else [
            "0/23: the scheduler lock is not in these records"
        ]  # fmt: skip
        notes = [
            Notes("Open", [*missing, *self.day.printed, f"a DIAGNOSE X'44' takes {self.x44_us:g} us, X'9C' "
                           f"{self.x9c_us:g} us: borrowed from the starter {_STARTER}"]),
            Notes("Settles it", ["a scenario with the locks of the guests: advise yields SCENARIO"]),
        ]  # fmt: skip
        facts = [
            ("taken", f"{fixed(self._taken, 2)} % of a processor"), ("hardest", self.day.when(self._peak.number)),
        ]  # fmt: skip
        blocks = [Paragraph(self.heading, flush=True, face=Face.TEXT), *self.blocks()]
        return Report("Yields over a day", self.heading, facts, [Section("Yields", blocks), Section("", notes)])

    def headline(self) -> list[Block]:
        """The processor time over the day, and in the hardest interval."""
        peak = self._peak
        return [
            Paragraph(f"No recommendation: {_REASON}."),
            Paragraph(f"DIAGNOSEs and the scheduler lock take {fixed(self._taken, 2)} % of a processor over the day. "
                      "Guests that spin for locks of their own take more, which no record shows."),
            Paragraph(f"Hardest interval: {peak.number} ({self.day.when(peak.number)}), {fixed(peak['taken'], 2)} % of "
                      "a processor."),
        ]  # fmt: skip

    def legend(self) -> str:
        """The meaning of spins and both."""
        return (
            "First to last interval of each group of like intervals. Percent of one processor. Spins: for the "
            "scheduler lock; both: these and DIAGNOSEs."
        )

    def columns(self) -> list[Column[_Group]]:
        """Processor time, rates, their cost, and the scheduler lock."""
        return columns(_GROUPS, ["control_programs"])

    def panels(self, track: Sequence[tuple[Interval, _Group]], line: Callable[..., Series]) -> list[Panel]:
        """Rates of DIAGNOSEs and their processor time, as measured."""
        rates = [line("x44_per_s", "X'44'"), line("x9c_per_s", "X'9C'")]
        taken = line("taken", "DIAGNOSEs and scheduler lock")
        return [Panel("DIAGNOSEs per second", rates), Panel("Taken, % of a processor", [taken])]

    def facts(self) -> dict[str, Any]:
        """The costs of the day; there is no recommendation."""
        return fields(
            system=self.day.measured.name, recommendation=None, reason=_REASON,
            hardest={"interval": self._peak.number}, taken_percent=self._taken, x44_us=self.x44_us, x9c_us=self.x9c_us,
        )  # fmt: skip

    def of_group(self, group: _Group) -> dict[str, Any]:
        """The means of a group."""
        names = ("total_percent", "x44_per_s", "x9c_per_s", "spinning", "collisions_per_s")
        return fields(taken_percent=group["taken"], **{name: group[name] for name in names})


def answer_day(day: Day, request: Request, progress: Progress = silent) -> list[DayYields]:
    """The rates and costs of a day in groups of like intervals; nothing is simulated."""
    costs = read_starter(_STARTER).view.partition(_PARTITION).program.costs
    x44_us, x9c_us = 1e6 * costs.x44_s, 1e6 * costs.x9c_s
    intervals = _intervals(day, x44_us, x9c_us)
    groups = [Group(members, None) for members in grouped(intervals, ("total_percent", "diagnoses_per_s", "taken"))]
    progress(1.0)
    ordered = tuple(sorted(groups, key=lambda group: -(group.mean("taken") or 0.0)))
    return [DayYields(day, ordered, x44_us, x9c_us)]


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    return day.lacks("control_programs", "diagnoses_per_s", "5/12: rates of DIAGNOSE X'44' and X'9C'")


def _intervals(day: Day, x44_us: float, x9c_us: float) -> list[Interval]:
    """Processors used in percent of one, DIAGNOSEs per second, and spinning for the scheduler lock.

    `spinning` is in percent of one processor, `collisions_per_s` are requests that found the lock held; None without
    record 0/23, as processor time is without 0/2.  `taken` is the processor time of DIAGNOSEs and of spinning, percent
    of one processor.
    """
    import polars as pl

    x44, x9c = pl.col("x44_per_s").fill_null(0.0), pl.col("x9c_per_s").fill_null(0.0)
    locks = (
        day.table("locks")
        .group_by("interval")
        .agg(spinning=pl.col("spin_percent").sum(), collisions_per_s=pl.col("collisions_per_s").sum())
    )
    rows = day.table("control_programs").select("interval", "total_percent", "tv_ratio", x44, x9c)
    taken = (x44 * x44_us + x9c * x9c_us) / 1e4 + pl.col("spinning").fill_null(0.0)
    rows = rows.sort("interval").join(locks, on="interval", how="left", maintain_order="left")
    return intervals_of(rows.with_columns(taken=taken, diagnoses_per_s=x44 + x9c))
