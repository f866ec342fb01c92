"""Slices over a day: one answer per group of like intervals, and the slice that costs least over all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slicewright.advise.day import Day
from slicewright.advise.many import Group, Many, each_group, grouped, mean_of
from slicewright.advise.report import Parts, advice_report
from slicewright.advise.slices import report as of_pages
from slicewright.advise.slices.answer import Recommended, SliceAnswer, SlicePoint
from slicewright.advise.slices.build import parameter_of
from slicewright.advise.slices.from_pages import answer_evidence
from slicewright.advise.slices.measured_partitions import Interval, read_day_partitions, without_processors
from slicewright.advise.slices.picture import CAPTION, picture
from slicewright.advise.slices.request import SliceRequest
from slicewright.advise.slices.words import span
from slicewright.experiment.progress import Progress, silent
from slicewright.io.numerals import finite, in_json
from slicewright.report.figure import Panel, Series
from slicewright.report.forms import decimals
from slicewright.report.model import Block, Column, Lead, Paragraph, Report
from slicewright.statistics import fixed

_GROUPS = 4
"""Groups of a day: one takes several times as long as a group of `advise aliases`."""
_Group = Group[Interval, SliceAnswer]


@dataclass(frozen=True)
class DaySliceAnswer(Many[_Group]):
    """Of one partition; the hardest group has most requests present."""

    own: str

    question = "slices"
    caption = "Load as measured; steps are simulated for each group of like intervals. Band: all readings."

    @property
    def recommendation(self) -> Recommended | None:
        """The slice with the least mean cost over the day, and the ends of the ranges of all groups.

        None where no load reproduces the hardest group.
        """
        if self.hardest.answer.recommendation is None:
            return None
        curves = [{point.slice_ms for point in group.answer.curve} for group in self.answered]
        least = min(sorted(set.intersection(*curves)), key=self._cost)
        every = [group.answer.recommendation for group in self.answered if group.answer.recommendation]
        low, high = min(each.low_ms for each in every), max(each.high_ms for each in every)
        parameter = None if self.hardest.answer.weighs else parameter_of(least)
        return Recommended(least, min(low, least), max(high, least), parameter)

    def _cost(self, slice_ms: float) -> float:
        return self._mean(slice_ms, lambda group: 1.0, lambda point: point.cost.mean)

    def _hold_ms(self, slice_ms: float) -> float:
        """The wait of an ended I/O over the day, weighted by I/O."""
        return self._mean(
            slice_ms, lambda group: group.mean("io_per_s") or 0.0, lambda point: point.hold.simulated.mean
        )

    def _mean(self, slice_ms: float, weight: Callable[[_Group], float], value: Callable[[SlicePoint], float]) -> float:
        """A value with a slice over the intervals of the day."""
        points = [(group, group.answer.point(slice_ms)) for group in self.answered]
        known = [(len(group.intervals) * weight(group), value(point)) for group, point in points if point is not None]
        return sum(count * each for count, each in known) / sum(count for count, _ in known)

    def report(self) -> Report:
        """The answer as a report; notes are those of the hardest intervals."""
        chosen, hardest = self.recommendation, self.hardest.answer
        facts = [("hardest", self.span(self.hardest)), ("intervals", f"{len(self.day.chosen):,}")]
        if chosen:
            facts = [
                ("slice", span(chosen.slice_ms)),
                ("range over all readings", f"{chosen.low_ms:g} to {chosen.high_ms:g} ms"),
                *facts,
            ]
        blocks = self.blocks()
        if hardest.recommendation:
            blocks.append(Paragraph(f"The hardest intervals, {self.span(self.hardest)}:"))
            blocks.append(picture(hardest).captioned(CAPTION))
            blocks += [of_pages.curve_table(hardest), of_pages.partitions_table(hardest)]
        rejected = [f"{reading.load}: {reading.why}" for reading in hardest.readings if not reading.accepted]
        title = f"Slices for {self.own} over a day"
        return advice_report(hardest, Parts(title, "Slices", self.heading, facts, blocks, rejected=rejected))

    def legend(self) -> str:
        """Hold then is that with the recommended slice."""
        legend = (
            f"First to last interval of at most {_GROUPS} groups, of which the harder are the narrower."
            " Numbers are means."
        )
        chosen = self.recommendation
        what = "run" if self.hardest.answer.weighs else "slice"
        return legend + (f" Hold then: with a {what} of {span(chosen.slice_ms)} all day." if chosen else "")

    def columns(self) -> list[Column[_Group]]:
        """Load, wait of ended I/O, recommendation and range."""
        chosen = self.recommendation
        then = chosen.slice_ms if chosen else None
        what = "run" if self.hardest.answer.weighs else "slice"
        return [
            Column("io_per_s", "I/O per s", mean_of("io_per_s"), form=decimals(0)),
            Column("present", "requests", mean_of("present"), form=decimals(1)),
            Column("hold_ms", "hold now", lambda group: _hold(group, group.answer.now_ms), "ms", decimals(2)),
            Column("slice_ms", what, _slice),
            Column("range", "range", _range),
            Column("hold_then_ms", "hold then", lambda group: _hold(group, then), "ms", decimals(2)),
        ]

    def panels(self, track: Sequence[tuple[Interval, _Group]], line: Callable[..., Series]) -> list[Panel]:
        """Rate and processors used as measured; wait of ended I/O and slices as simulated for each group."""
        now = [_hold(group, group.answer.now_ms) for _, group in track]
        holds = [line(now, label="now", kind="steps")] if any(hold is not None for hold in now) else []
        panels = [
            Panel("I/O per second", [line((interval.io_per_s for interval, _ in track), label="measured")]),
            Panel("Processors used", [line((interval.used for interval, _ in track), label="measured")]),
        ]
        if chosen := self.recommendation:
            then = [_hold(group, chosen.slice_ms) for _, group in track]
            holds.append(line(then, label=f"with {span(chosen.slice_ms)}", kind="steps"))
            found = [group.answer.recommendation for _, group in track]
            least = line(
                (each.slice_ms if each else None for each in found),
                low=[each.low_ms if each else None for each in found],
                high=[each.high_ms if each else None for each in found], label="recommended", kind="steps",
            )  # fmt: skip
            panels += [Panel("Ended I/O waits, ms", holds), Panel("Least cost, ms", [least])]
        return panels

    def facts(self) -> dict[str, Any]:
        """The recommendation and its range."""
        chosen = self.recommendation
        made: dict[str, Any] = {"system": self.day.measured.name, "partition": self.own, "recommendation": None}
        if not chosen:
            return made | {"reason": self.hardest.answer.reason}
        made["recommendation"] = {"slice_ms": chosen.slice_ms, "low": chosen.low_ms, "high": chosen.high_ms}
        return made | {"hold_ms": in_json(self._hold_ms(chosen.slice_ms))}

    def of_group(self, group: _Group) -> dict[str, Any]:
        """Its load, and its answer."""
        return {
            "io_per_s": in_json(group.mean("io_per_s")), "requests": in_json(group.mean("present")),
            "answer": of_pages.document(group.answer),
        }  # fmt: skip

    def headline(self) -> list[Block]:
        """The slice, what it does to the wait of ended I/O, and what it leaves out."""
        chosen, hardest = self.recommendation, self.hardest.answer
        when = self.span(self.hardest)
        if chosen is None:
            return [Paragraph(f"No recommendation for {self.own}: {when}, the hardest: {hardest.reason}.")]
        scope = "every reading agrees"
        if chosen.low_ms != chosen.high_ms:
            scope = f"range {chosen.low_ms:g} to {chosen.high_ms:g} over groups and readings"
        hold = fixed(self._hold_ms(chosen.slice_ms), 2)
        if hardest.now_ms is not None and all(group.answer.point(hardest.now_ms) for group in self.answered):
            hold = f"{fixed(self._hold_ms(hardest.now_ms), 2)} -> {hold}"
        own = hardest.recommendation
        lines = [f"An ended I/O of {self.own} waits {hold} ms for its partition, over the day by I/O."]
        if own is not None and len(self.groups) > 1:
            lines.append(f"Hardest intervals, {when}: {span(own.slice_ms)}, range {own.low_ms:g} to {own.high_ms:g}.")
        without = [group for group in self.groups if group not in self.answered]
        if without:
            which = ", ".join(self.span(group) for group in without)
            lines.append(f"No load reproduces {which}: the recommendation leaves these intervals out.")
        head = f"{'Runs' if hardest.weighs else 'Slices'} of {span(chosen.slice_ms)} cost least over the day"
        return [Lead(head, scope), *(Paragraph(text) for text in lines)]


def answer_day(day: Day, question: SliceRequest, progress: Progress = silent) -> list[DaySliceAnswer]:
    """The answer on a day's partitions; raises InputError where data or options do not suffice."""
    found = read_day_partitions(day, question)
    intervals = found.intervals
    values = np.array([[interval.io_per_s, interval.used, interval.present] for interval in intervals])

    def ask(group: tuple[Interval, ...], part: Progress) -> SliceAnswer:
        evidence = found.evidence([interval.number for interval in group], day.span(group))
        return answer_evidence(evidence, (day.name,), without_processors(question), part)

    groups = [Group(*pair) for pair in each_group(grouped(intervals, values, _GROUPS), ask, progress)]
    return [DaySliceAnswer(day, tuple(sorted(groups, key=lambda group: -(group.mean("present") or 0.0))), found.own)]


def _hold(group: _Group, slice_ms: float | None) -> float | None:
    point = group.answer.point(slice_ms)
    return finite(point.hold.simulated.mean) if point else None


def _slice(group: _Group) -> str:
    chosen = group.answer.recommendation
    return span(chosen.slice_ms) if chosen else "-"


def _range(group: _Group) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low_ms:g} to {chosen.high_ms:g}" if chosen else "no load fits"
