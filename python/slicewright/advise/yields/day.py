"""DIAGNOSEs and the scheduler lock over a day: rates, and the processor time that they take.

Records 5/12 have the rates of X'44' and X'9C', 0/23 the scheduler lock.  No record has the time in which guests hold
their locks or spin for them, so no yield is recommended from a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright.advise.alike import alike
from slicewright.advise.answer import Request
from slicewright.advise.day import Day
from slicewright.experiment.progress import Progress, silent
from slicewright.report.figure import Figure, Panel
from slicewright.report.json import fields
from slicewright.report.model import Block, Face, Notes, Paragraph, Report, Section, Table
from slicewright.report.spec import columns, series
from slicewright.scenario.starters import read_starter
from slicewright.statistics import fixed

_STARTER, _PARTITION = "apache-spin", "ZVM"
"""The shipped scenario whose costs of DIAGNOSEs are borrowed."""
_REASON = "no record has the time in which guests hold their locks or spin for them"
_GROUPS = """
    when               |    | first to last
    count              | .0 | intervals
    total_percent      | .0 | used
    tv_ratio ?         | .2
    x44_per_s          | .0
    x9c_per_s          | .0
    collisions_per_s ? | .0 | lock held per s
    spinning ?         | .2 | spins | %
    taken              | .2 | both  | %
"""


@dataclass(frozen=True)
class _Interval:
    """One interval: processors used in percent of one, DIAGNOSEs per second, and spinning for the scheduler lock.

    `spinning` is in percent of one processor, `collisions_per_s` are requests that found the lock held; None without
    record 0/23.  `taken` is the processor time of DIAGNOSEs and of this spinning, percent of one processor.
    """

    number: int
    total_percent: float
    tv_ratio: float | None
    x44_per_s: float
    x9c_per_s: float
    spinning: float | None
    collisions_per_s: float | None
    taken: float


@dataclass(frozen=True)
class _Group:
    """Like intervals of a day."""

    intervals: tuple[_Interval, ...]

    def __getitem__(self, name: str) -> float | None:
        """The mean of a value over the intervals that have it."""
        known = [value for interval in self.intervals if (value := getattr(interval, name)) is not None]
        return float(np.mean(known)) if known else None


@dataclass(frozen=True)
class DayYields:
    """All of it; `groups` hardest first: with most processor time in DIAGNOSEs and spinning."""

    day: Day
    intervals: tuple[_Interval, ...]
    groups: tuple[_Group, ...]
    x44_us: float
    x9c_us: float

    @property
    def taken(self) -> float:
        """The processor time of DIAGNOSEs and spinning over the day, percent of one processor."""
        return float(np.mean([interval.taken for interval in self.intervals]))

    @property
    def peak(self) -> _Interval:
        """The hardest interval."""
        return max(
            (interval for group in self.groups for interval in group.intervals), key=lambda interval: interval.taken
        )


def answer_day(day: Day, request: Request, progress: Progress = silent) -> list[DayYields]:
    """The rates and costs of a day in groups of like intervals; nothing is simulated."""
    costs = read_starter(_STARTER).view.partition(_PARTITION).program.costs
    x44_us, x9c_us = 1e6 * costs.x44_s, 1e6 * costs.x9c_s
    intervals = _intervals(day, x44_us, x9c_us)
    values = np.array([[each.total_percent, each.x44_per_s + each.x9c_per_s, each.taken] for each in intervals])
    groups = [_Group(tuple(intervals[at] for at in rows)) for rows in alike(values, [0] * len(intervals))]
    progress(1.0)
    ordered = tuple(sorted(groups, key=lambda group: -(group["taken"] or 0.0)))
    return [DayYields(day, tuple(intervals), ordered, x44_us, x9c_us)]


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    return day.lacks("control_programs", "diagnoses_per_s", "5/12: rates of DIAGNOSE X'44' and X'9C'")


def report(answer: DayYields) -> Report:
    """The rates and costs as a report."""
    day, peak = answer.day, answer.peak
    heading, taken = f"{day.name}  {day.heading}", f"{fixed(answer.taken, 2)} % of a processor"
    blocks: list[Block] = [
        Paragraph(heading, flush=True, face=Face.TEXT),
        Paragraph(f"No recommendation: {_REASON}."),
        Paragraph(f"DIAGNOSEs and the scheduler lock take {taken} over the day. Guests that "
                  "spin for locks of their own take more, which no record shows."),
        Paragraph(f"Hardest interval: {peak.number} ({day.when(peak.number)}), {fixed(peak.taken, 2)} % of a "
                  "processor."),
        _groups(answer),
    ]  # fmt: skip
    if len(day.chosen) > 1:
        blocks.append(_picture(answer))
    lacking = ["0/23: the scheduler lock is not in these records"] if answer.groups[0]["spinning"] is None else []
    notes = [
        Notes("Open", [*lacking, f"a DIAGNOSE X'44' takes {answer.x44_us:g} us, X'9C' {answer.x9c_us:g} us: borrowed "
                       f"from the starter {_STARTER}"]),
        Notes("Settles it", ["a scenario with the locks of the guests: advise yields SCENARIO"]),
    ]  # fmt: skip
    facts = [("taken", taken), ("hardest", day.when(peak.number))]
    return Report("Yields over a day", heading, facts, [Section("Yields", blocks), Section("", notes)])


def document(answer: DayYields) -> dict[str, Any]:
    """The rates and costs as an object; there is no recommendation."""
    names = ("total_percent", "x44_per_s", "x9c_per_s", "spinning", "collisions_per_s")
    groups = [
        fields(
            intervals=[interval.number for interval in group.intervals], taken_percent=group["taken"],
            **{name: group[name] for name in names},
        )
        for group in answer.groups
    ]  # fmt: skip
    return fields(
        question="yields", files=[answer.day.name], system=answer.day.measured.name, recommendation=None,
        reason=_REASON, hardest={"interval": answer.peak.number}, taken_percent=answer.taken,
        x44_us=answer.x44_us, x9c_us=answer.x9c_us, groups=groups,
    )  # fmt: skip


def _intervals(day: Day, x44_us: float, x9c_us: float) -> list[_Interval]:
    import polars as pl

    locks = day.table("locks").group_by("interval").agg(pl.col("spin_percent").sum(), pl.col("collisions_per_s").sum())
    lock = {row["interval"]: row for row in locks.iter_rows(named=True)}
    found = []
    for row in day.table("control_programs").sort("interval").iter_rows(named=True):
        spinning, collisions = (lock.get(row["interval"], {}).get(of) for of in ("spin_percent", "collisions_per_s"))
        x44, x9c = row["x44_per_s"] or 0.0, row["x9c_per_s"] or 0.0
        taken = (x44 * x44_us + x9c * x9c_us) / 1e4 + (spinning or 0.0)
        used = row["total_percent"] or 0.0
        found.append(_Interval(row["interval"], used, row["tv_ratio"], x44, x9c, spinning, collisions, taken))
    return found


def _groups(answer: DayYields) -> Table[_Group]:
    """The groups in the order of time: processor time, rates, their cost, and the scheduler lock."""
    values = {
        "when": lambda group: answer.day.span(group.intervals),
        "count": lambda group: len(group.intervals),
    }
    hardest = answer.groups[0]
    return Table(
        columns(_GROUPS, ["control_programs"], values),
        sorted(answer.groups, key=lambda group: group.intervals[0].number),
        legend="First to last interval of each group of like intervals. Percent of one processor. Spins: for the "
        "scheduler lock; both: these and DIAGNOSEs.",
        marks=lambda group: ["hardest"] if group is hardest and len(answer.groups) > 1 else [], face=Face.PEOPLE,
    )  # fmt: skip


def _picture(answer: DayYields) -> Figure:
    """Rates of DIAGNOSEs and their processor time over the day, as measured."""
    track, starts = answer.intervals, answer.day.measured.starts_us
    x = [(starts[interval.number] - starts[track[0].number]) / 60e6 for interval in track]
    rates = [
        series(x, [interval.x44_per_s for interval in track], "X'44'"),
        series(x, [interval.x9c_per_s for interval in track], "X'9C'"),
    ]
    taken = [series(x, [interval.taken for interval in track], "DIAGNOSEs and scheduler lock")]
    panels = [Panel("DIAGNOSEs per second", rates), Panel("Taken, % of a processor", taken)]
    across = f"Minutes from {answer.day.when(track[0].number)}"
    return Figure(panels, across, "Every interval as measured, with borrowed costs.", layout="below")
