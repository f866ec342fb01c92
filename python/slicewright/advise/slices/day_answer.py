"""The answer about slices over a day: one per group of like intervals, and the slice that costs least over all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from slicewright.advise.alike import alike
from slicewright.advise.day import Day
from slicewright.advise.slices.answer import Recommended, SliceAnswer, SlicePoint
from slicewright.advise.slices.build import parameter_of
from slicewright.advise.slices.from_pages import answer_evidence
from slicewright.advise.slices.measured_partitions import Interval, read_day_partitions, without_processors
from slicewright.advise.slices.request import SliceRequest
from slicewright.experiment.progress import Progress, piece, silent

GROUPS = 4
"""Groups of a day: one takes several times as long as a group of `advise aliases`."""


@dataclass(frozen=True)
class Group:
    """Like intervals of a day, and the answer of their means."""

    intervals: tuple[Interval, ...]
    answer: SliceAnswer

    @property
    def present(self) -> float:
        """Requests waiting and in service, on the average."""
        return float(np.mean([interval.present for interval in self.intervals]))

    @property
    def io_per_s(self) -> float:
        """I/Os per second, on the average."""
        return float(np.mean([interval.io_per_s for interval in self.intervals]))

    def point(self, slice_ms: float | None) -> SlicePoint | None:
        """The point of the curve with this slice."""
        return self.answer.point(slice_ms)


@dataclass(frozen=True)
class DaySliceAnswer:
    """All of it; `groups` hardest first: with most requests present."""

    day: Day
    own: str
    groups: tuple[Group, ...]

    @property
    def hardest(self) -> Group:
        """The group with most requests present."""
        return self.groups[0]

    @property
    def answered(self) -> tuple[Group, ...]:
        """The groups that a load reproduces."""
        return tuple(group for group in self.groups if group.answer.recommendation)

    @property
    def recommendation(self) -> Recommended | None:
        """The slice with the least mean cost over the day, and the ends of the ranges of all groups.

        None where no load reproduces the hardest group.
        """
        if self.hardest.answer.recommendation is None:
            return None
        least = min(self.slices, key=self.cost)
        every = [group.answer.recommendation for group in self.answered if group.answer.recommendation]
        low, high = min(each.low_ms for each in every), max(each.high_ms for each in every)
        parameter = None if self.hardest.answer.weighs else parameter_of(least)
        return Recommended(least, min(low, least), max(high, least), parameter)

    @property
    def slices(self) -> list[float]:
        """The slices that were simulated for every group."""
        curves = [{point.slice_ms for point in group.answer.curve} for group in self.answered]
        return sorted(set.intersection(*curves))

    def cost(self, slice_ms: float) -> float:
        """The mean cost over the intervals of the day."""
        rows = [(len(group.intervals), group.point(slice_ms)) for group in self.answered]
        known = [(count, point.cost.mean) for count, point in rows if point is not None]
        return sum(count * cost for count, cost in known) / sum(count for count, _ in known)

    def hold_ms(self, slice_ms: float) -> float:
        """The wait of an ended I/O over the day, weighted by I/O."""
        rows = [(group, group.point(slice_ms)) for group in self.answered]
        known = [
            (len(group.intervals) * group.io_per_s, point.hold.simulated.mean)
            for group, point in rows
            if point is not None
        ]
        return sum(ios * hold for ios, hold in known) / sum(ios for ios, _ in known)

    @property
    def track(self) -> Iterator[tuple[Interval, Group]]:
        """The intervals in the order of time, each with its group."""
        every = [(interval, group) for group in self.groups for interval in group.intervals]
        return iter(sorted(every, key=lambda pair: pair[0].number))


def answer_day(day: Day, question: SliceRequest, progress: Progress = silent) -> list[DaySliceAnswer]:
    """The answer on a day's partitions; raises InputError where data or options do not suffice."""
    found = read_day_partitions(day, question)
    intervals = found.intervals
    values = np.array([[interval.io_per_s, interval.used, interval.present] for interval in intervals])
    groups = [[intervals[at] for at in group] for group in alike(values, [0] * len(intervals), GROUPS)]
    made = []
    for at, group in enumerate(groups):
        evidence = found.evidence([interval.number for interval in group], day.span(group))
        answer = answer_evidence(evidence, (day.name,), without_processors(question), piece(progress, at, len(groups)))
        made.append(Group(tuple(group), answer))
    return [DaySliceAnswer(day, found.own, tuple(sorted(made, key=lambda group: -group.present)))]
