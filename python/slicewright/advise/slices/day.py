"""Slices over a day: partitions as records show them, an answer per group of like intervals, the cheapest slice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from slicewright.advise.day import Day
from slicewright.advise.many import Group, Interval, Many, each_group, grouped, intervals_of
from slicewright.advise.report import Parts, advice_report, between
from slicewright.advise.slices import report as of_pages
from slicewright.advise.slices.answer import Recommended, SliceAnswer, SlicePoint, parameter_of, span
from slicewright.advise.slices.from_pages import answer_evidence
from slicewright.advise.slices.machine import check_fits
from slicewright.advise.slices.pages import CpuPage, Evidence, MachinePage, PartitionPage, Weighed, plain
from slicewright.advise.slices.report import CAPTION, picture
from slicewright.advise.slices.request import SliceRequest
from slicewright.reading.slices import PageVolume
from slicewright.report.figure import Panel, Series
from slicewright.report.json import fields
from slicewright.report.model import Block, Column, Lead, Paragraph, Report
from slicewright.report.spec import columns
from slicewright.run.tables import per_replication
from slicewright.statistics import fixed
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.numerals import finite
from slicewright.values.progress import Progress, silent

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class _DayPartitions:
    """Rows of volumes with I/O and of partitions over a day, by interval; `own` is the partition with the volumes.

    `weights` are by partition, 0 where its processors are dedicated; `processors` are those that the others share.
    """

    day: Day
    volumes: polars.DataFrame
    partitions: polars.DataFrame
    own: str
    weights: Mapping[str, float]
    processors: float

    @property
    def intervals(self) -> list[Interval]:
        """Those with I/O: its rate, requests waiting and in service, and processors that all partitions used."""
        import polars as pl

        busy = pl.col("io_per_s") * pl.col("service_ms") / 1000 + pl.col("queue_depth_sampled").fill_null(0)
        sums = self.volumes.group_by("interval").agg(pl.col("io_per_s").sum(), busy.sum().alias("present"))
        spent = self.partitions.group_by("interval").agg(pl.col("used").sum())
        rows = sums.join(spent, on="interval", how="left").with_columns(pl.col("used").fill_null(0.0))
        return intervals_of(rows.sort("interval"))

    def evidence(self, intervals: Sequence[int], span: str) -> Evidence:
        """The means over some intervals as pages; `span` names them."""
        import polars as pl

        inside = pl.col("interval").is_in(list(intervals))
        measured = self.day.measured
        length_s = sum(measured.ends_us[at] - measured.starts_us[at] for at in intervals) / 1e6
        rows = per_replication(self.volumes.filter(inside), "volumes").to_dicts()
        volumes = tuple(
            PageVolume(
                plain(row["volume"], f"DEV-{row['device']}"), row["device"], row["io_per_s"], row["pend_ms"] or 0.0,
                row["disc_ms"] or 0.0, row["conn_ms"] or 0.0, row["queue_depth_sampled"] or 0.0, 0.0, None,
                bool(row["pool"]) or (row["alias_io_per_s"] or 0) > 0,
            )
            for row in rows
        )  # fmt: skip
        head = (self.day.name, self.own, span)
        page = PartitionPage(*head, length_s, "current", volumes)
        inside_rows = self.partitions.filter(inside)
        shown = per_replication(inside_rows.drop("used"), "partitions").to_dicts()
        used = dict(inside_rows.group_by("partition").agg(pl.col("used").mean()).iter_rows())
        partitions = tuple(
            Weighed(
                row["partition"], self.weights[row["partition"]] or None, row["logical_processors"],
                used[row["partition"]] or 0.0,
            )
            for row in shown
        )  # fmt: skip
        dedicated = sum(row.logicals for row in partitions if row.weight is None)
        waits = any((row["wait_percent"] or 0.0) > 0 for row in shown)
        processors = round(self.processors + dedicated)
        machine = MachinePage(self.day.name, self.own, self.own, span, partitions, processors, None, waits, length_s)
        return Evidence((page,), (machine,), self._cpu(inside, head, length_s), measured=True)

    def _cpu(self, inside: polars.Expr, head: tuple[str, str, str], length_s: float) -> tuple[CpuPage, ...]:
        """How busy the logical processors of the own partition were, where the records have it."""
        import polars as pl

        rows = self.day.table("logical_processors").filter(inside & (pl.col("partition") == self.own))
        busy, count = rows["busy_percent"].mean(), rows["number"].n_unique()
        if not isinstance(busy, float) or not count:
            return ()
        file, system, span = head
        return (CpuPage(file, system, count, busy / 100, None, span, length_s),)


def read_day_partitions(day: Day, question: SliceRequest) -> _DayPartitions:
    """The partitions of a day; raises InputError where weights, processors or the own partition are missing.

    Raises InputError too where an option contradicts the records, or the partitions used more than there is.
    """
    import polars as pl

    volumes = day.table("volumes").filter(pl.col("io_per_s") > 0)
    partitions = day.table("partitions").with_columns(_used().alias("used"))
    names = partitions["partition"].unique(maintain_order=True).to_list()
    problems: list[Problem] = []
    weights = _weights(_last(partitions, "weight"), day, question, problems)
    processors = _processors(partitions, weights, day, question, problems)
    if question.shares:
        problems.append(problem("shares follow from weights", key="share", allowed="--weight NAME=N"))
    own = _own(day, partitions, question, problems)
    if problems:
        raise refusal(*problems)
    if own not in {name for name in names if weights[name]}:
        why = "dedicated processors are never waited for"
        raise refusal(problem("does not share processors", file=day.name, key=f"partition {own}", why=why))
    return _DayPartitions(day, volumes, partitions, own, weights, processors)


def _used() -> polars.Expr:
    """Processors that carried a partition: from its work over the elapsed time where that is known."""
    import polars as pl

    carried = pl.col("cpu_percent") * pl.col("dispatched_percent") / pl.col("effective_percent")
    whole = pl.col("dispatched_percent") * pl.col("logical_processors")
    return pl.when(pl.col("effective_percent") > 0).then(pl.coalesce(carried, whole)).otherwise(whole) / 100


def _last(partitions: polars.DataFrame, column: str) -> dict[str, float | None]:
    """The last value of a column that each partition has; None where it has none."""
    found: dict[str, float | None] = dict.fromkeys(partitions["partition"].unique(maintain_order=True).to_list())
    found |= {name: value for name, value in partitions.select("partition", column).iter_rows() if value is not None}
    return found


def _processors(
    partitions: polars.DataFrame, weights: Mapping[str, float], day: Day, question: SliceRequest,
    problems: list[Problem],
) -> float:  # fmt: skip
    """The processors that are shared: as the records have them, or as given; not fewer than were used."""
    import polars as pl

    dedicated = [name for name, weight in weights.items() if weight == 0]
    others = partitions.filter(~pl.col("partition").is_in(dedicated))
    own = partitions.filter(pl.col("partition").is_in(dedicated)).group_by("interval")
    most = max((value or 0.0 for value in others.group_by("interval").agg(pl.col("used").sum())["used"]), default=0.0)
    taken = max(own.agg(pl.col("logical_processors").sum())["logical_processors"], default=0)
    machine = next((value for value in _last(partitions, "machine_processors").values() if value), None)
    there = None if machine is None else machine - taken
    given = question.assumed.processors
    if given is not None:
        shared, source = float(given), f"--assume processors={given}"
    elif there is not None:
        shared, source = there, f"the records have {machine:g} general processors"
    else:
        why, allowed = f"{day.records} of this day has no number of them", "--assume processors=10"
        what = "the number of shared processors is missing"
        problems.append(problem(what, file=day.name, why=why, allowed=allowed))
        return 0.0
    found = check_fits(day.name, most, shared, source)
    if not found and there is not None and shared != there:
        why = f"{machine:g} general processors, {taken:g} of them dedicated"
        found = [problem(f"the records have {there:g} shared processors, not {given}", file=day.name,
                         key="assume processors", why=why, allowed="the answer without it")]  # fmt: skip
    problems += found
    return shared


def _weights(
    measured: Mapping[str, float | None], day: Day, question: SliceRequest, problems: list[Problem]
) -> dict[str, float]:
    """The weight of each partition, of the records or as given; 0 is dedicated."""
    names = list(measured)
    known = {name.upper(): name for name in names}
    problems += [
        problem("no such partition", file=day.name, key=f"weight {name}", allowed=", ".join(names),
                nearest=nearest(name, names))
        for name in question.weights
        if name not in known
    ]  # fmt: skip
    problems += [
        problem(f"the records have another weight: {f'{weight:g}' if weight else 'DED'}", file=day.name,
                key=f"weight {name}", allowed="the answer without it")
        for name, weight in measured.items()
        if weight is not None and question.weights.get(name.upper(), weight) != weight
    ]  # fmt: skip
    found = {
        name: question.weights.get(name.upper()) if weight is None else weight for name, weight in measured.items()
    }
    without = [name for name, weight in found.items() if weight is None]
    weights = {name: weight or 0.0 for name, weight in found.items()}
    if without:
        why = f"{day.records} of this day has no weight of {'it' if len(without) == 1 else 'them'}"
        allowed = f"{' '.join(f'--weight {name}=N' for name in without)}; DED for dedicated processors"
        problems.append(problem(f"no weight of {', '.join(without)}", file=day.name, why=why, allowed=allowed))
    elif sum(weight > 0 for weight in weights.values()) < 2:
        why = "a partition that shares with no other never waits for a processor"
        problems.append(problem("no two partitions share processors", file=day.name, key="weight", why=why))
    return weights


def _own(day: Day, partitions: polars.DataFrame, question: SliceRequest, problems: list[Problem]) -> str:
    """The partition of the system: as given, with its own interrupts (70-1), or of the same name."""
    names = partitions["partition"].unique(maintain_order=True).to_list()
    if question.partition is not None:
        if question.partition in names:
            return question.partition
        near = nearest(question.partition, names)
        problems.append(problem(f"no such partition: {question.partition}", key="partition", allowed=", ".join(names),
                                nearest=near))  # fmt: skip
        return ""
    handled = partitions.filter(partitions["interrupts_per_s"].is_not_null())["partition"].unique().to_list()
    same = [name for name in names if name == day.measured.name]
    found = [*(handled if len(handled) == 1 else []), *same]
    if not found:
        why = f"the records are of system {day.measured.name}, and do not name its partition"
        problems.append(problem("the partition of the system is missing", file=day.name, key="partition", why=why,
                                allowed=", ".join(names)))  # fmt: skip
    return next(iter(found), "")


_LOAD = ("io_per_s", "used", "present")
_GROUPS = 4
"""Groups of a day: one takes several times as long as a group of `advise aliases`."""
_Group = Group[SliceAnswer]


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
            f"First to last interval of at most {_GROUPS} groups, of which the harder have fewer intervals."
            " Numbers are means."
        )
        chosen = self.recommendation
        what = "run" if self.hardest.answer.weighs else "slice"
        return legend + (f" Hold then: with a {what} of {span(chosen.slice_ms)} all day." if chosen else "")

    def columns(self) -> list[Column[_Group]]:
        """Load, wait of ended I/O, recommendation and range."""
        chosen = self.recommendation
        what = "run" if self.hardest.answer.weighs else "slice"
        told: dict[str, Callable[[_Group], Any]] = {
            "now": lambda group: _hold(group, group.answer.now_ms),
            "then": lambda group: _hold(group, chosen.slice_ms if chosen else None),
            "least": lambda group: span(own.slice_ms) if (own := group.answer.recommendation) else "-",
            "range": _range,
        }
        return columns(
            f"io_per_s | .0; present | .1 | requests; now | .2 | hold now | ms; least || {what}; range; "
            "then | .2 | hold then | ms",
            ("volumes",), told,
        )  # fmt: skip

    def panels(self, track: Sequence[tuple[Interval, _Group]], line: Callable[..., Series]) -> list[Panel]:
        """Rate and processors used as measured; wait of ended I/O and slices as simulated for each group."""
        now = [_hold(group, group.answer.now_ms) for _, group in track]
        holds = [line(now, label="now", kind="steps")] if any(hold is not None for hold in now) else []
        panels = [
            Panel("I/O per second", [line("io_per_s")]),
            Panel("Processors used", [line("used")]),
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
        return fields(
            system=self.day.measured.name, partition=self.own,
            recommendation=chosen
            and {"slice_ms": chosen.slice_ms, "low": chosen.low_ms, "high": chosen.high_ms},
            **({"hold_ms": self._hold_ms(chosen.slice_ms)} if chosen else {"reason": self.hardest.answer.reason}),
        )  # fmt: skip

    def of_group(self, group: _Group) -> dict[str, Any]:
        """Its load, and its answer."""
        return fields(
            io_per_s=group["io_per_s"], requests=group["present"], answer=of_pages.document(group.answer)
        )  # fmt: skip

    def headline(self) -> list[Block]:
        """The slice, what it does to the wait of ended I/O, and the intervals without an answer."""
        chosen, hardest = self.recommendation, self.hardest.answer
        when = self.span(self.hardest)
        if chosen is None:
            return [Paragraph(f"No recommendation for {self.own}: {when}, the hardest: {hardest.reason}.")]
        scope = between(f"{chosen.low_ms:g}", f"{chosen.high_ms:g}", " over groups and readings")
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

    # The evidence has the processors.
    asked = replace(question, assumed=replace(question.assumed, processors=None))

    def ask(group: tuple[Interval, ...], part: Progress) -> SliceAnswer:
        evidence = found.evidence([interval.number for interval in group], day.span(group))
        return answer_evidence(evidence, (day.name,), asked, part)

    groups = [Group(*pair) for pair in each_group(grouped(intervals, _LOAD, _GROUPS), ask, progress)]
    return [DaySliceAnswer(day, tuple(sorted(groups, key=lambda group: -(group.mean("present") or 0.0))), found.own)]


def _hold(group: _Group, slice_ms: float | None) -> float | None:
    point = group.answer.point(slice_ms)
    return finite(point.hold.simulated.mean) if point else None


def _range(group: _Group) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low_ms:g} to {chosen.high_ms:g}" if chosen else "no load fits"
