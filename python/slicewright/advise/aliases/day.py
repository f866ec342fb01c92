"""A day of a pool: its measured intervals, the answer of each group of like ones, and its report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from slicewright.advise.aliases.answer import Answer, Recommendation, TargetAnswer
from slicewright.advise.aliases.curve import Point
from slicewright.advise.aliases.evidence import MEASURED, Device, PoolReport, Tries, Volume, by_name
from slicewright.advise.aliases.from_reports import Case, answer_reports, irrelevant_to_reports
from slicewright.advise.aliases.load import borrow
from slicewright.advise.aliases.report import CAPTION, curve_table, picture, readings_table, reason_of, rejected
from slicewright.advise.aliases.report import document as document_of
from slicewright.advise.aliases.request import REDISPATCH, AliasRequest, DeviceRange
from slicewright.advise.alike import ALIKE, MOST_GROUPS, alike, groups_each
from slicewright.advise.day import Day
from slicewright.advise.report import Parts, advice_report, says_nothing
from slicewright.errors import Problem, problem, refusal
from slicewright.experiment.progress import Progress, piece, silent
from slicewright.io.numerals import finite, in_json
from slicewright.reading.accept import chance_of_samples
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import Span, decimals
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.run.tables import per_replication
from slicewright.statistics import fixed, percent, plural

if TYPE_CHECKING:
    import polars


_COUNTER_MS = 0.001
"""Half a step of the times in records."""


@dataclass(frozen=True)
class _Interval:
    """A pool in one interval: aliases, rate per second, response in ms, requests waiting and in service."""

    number: int
    aliases: int
    io_per_s: float
    service_ms: float
    waiting: float
    fails_per_try: float | None

    @property
    def present(self) -> float:
        """Requests waiting and in service."""
        return self.waiting + self.io_per_s * self.service_ms / 1000

    @property
    def response_ms(self) -> float:
        """Response by Little's law."""
        return 1000 * self.present / self.io_per_s


@dataclass(frozen=True)
class _DayPool:
    """A pool over a day: rows of its volumes and of its own record, by interval.

    `name` is that in the records; "" is none, and then `membership` says why its volumes are together.
    """

    day: Day
    name: str
    volumes: polars.DataFrame
    record: polars.DataFrame
    membership: str = ""

    @property
    def intervals(self) -> list[_Interval]:
        """The intervals in which it did I/O."""
        import polars as pl

        io = pl.col("io_per_s")
        sums = self.volumes.group_by("interval").agg(
            io.sum(), (io * pl.col("service_ms")).sum().alias("busy"), pl.col("queue").sum()
        )
        own = {row["interval"]: row for row in self.record.iter_rows(named=True)}
        return [
            _Interval(
                row["interval"], round(own.get(row["interval"], {}).get("aliases") or 0), row["io_per_s"],
                row["busy"] / row["io_per_s"], row["queue"], own.get(row["interval"], {}).get("fails_per_try"),
            )
            for row in sums.sort("interval").iter_rows(named=True)
            if row["io_per_s"] > 0
        ]  # fmt: skip

    def report(self, intervals: Sequence[int], span: str) -> PoolReport:
        """The means over some intervals with one number of aliases; `span` names them."""
        import polars as pl

        inside = pl.col("interval").is_in(list(intervals))
        rows = per_replication(self.volumes.drop("queue").filter(inside), "volumes").to_dicts()
        measured = self.day.measured
        length_s = sum(measured.ends_us[at] - measured.starts_us[at] for at in intervals) / 1e6
        record = per_replication(self.record.filter(inside), "pools").to_dicts()
        count = round(record[0]["aliases"] or 0) if record else 0
        busy = [row for row in rows if row["io_per_s"] > 0]
        errors = [float(chance_of_samples(row["queue_depth_sampled"] or 0.0, length_s)) for row in busy]
        # Errors of volumes are independent, and of a pool that lends only the sums are compared.
        together = math.hypot(*errors) / sum(errors) if count and sum(errors) else 1.0
        known = self._known()
        devices = [
            _device(row, known.get(row["device"], {}), together * error, length_s)
            for row, error in zip(busy, errors, strict=True)
        ]
        return PoolReport(
            file=self.day.name, run=f"{self.day.name} {span}", started=span, interval_s=length_s, kind="HyperPAV",
            volumes=tuple(map(Volume, devices)), aliases=tuple(_alias(devices[0], at) for at in range(count)),
            membership=self.membership, idle=len(rows) - len(busy), page=self.day.records, source=MEASURED,
            tries=_tries(record, busy, length_s) if count else None,
        )  # fmt: skip

    def _known(self) -> dict[str, dict[str, Any]]:
        devices = self.day.table("devices").unique("device", keep="first", maintain_order=True)
        return {row["device"]: row for row in devices.select("device", "type", "paths").iter_rows(named=True)}


def read_day_pools(day: Day, question: AliasRequest) -> list[_DayPool]:
    """The pools of a day, those first in which most requests wait; raises InputError where they cannot be advised on.

    Volumes of one pool of the records are together.  Volumes without a pool are grouped as on a DEVICE page, by the
    first two digits or as `--pool` names them.
    """
    import polars as pl

    volumes = _with_io(day)
    named = [span for spans in question.pools for span in spans]
    if named:
        inside = [number for number in volumes["device"].unique() if any(number in span for span in named)]
        pools = volumes.filter(pl.col("device").is_in(inside) & (pl.col("pool") != ""))["pool"].unique()
        volumes = volumes.filter(pl.col("pool").is_in(pools.to_list()) | pl.col("device").is_in(inside))
    if volumes.is_empty():
        allowed = "a day on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=day.name, allowed=allowed))
    records = _with_aliases(day, volumes, question)
    problems = _unsampled(volumes, day)
    if problems:
        raise refusal(*problems)
    found = [
        _DayPool(day, name, volumes.filter(pl.col("pool") == name), records.filter(pl.col("pool") == name))
        for name in volumes["pool"].unique(maintain_order=True)
        if name
    ]
    found += _loose(day, volumes.filter(pl.col("pool") == ""), records.clear(), question.pools)
    return sorted(found, key=lambda pool: -max(interval.waiting for interval in pool.intervals))


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    if day.of_linux:
        return [
            "volumes with queue and service apart; advise aliases reads the output of fio, iostat, btt and dasdstat"
        ]
    found = day.lacks("volumes", "io_per_s", "6/3 (MRIODDEV) or 74-1: rate, service and queue of volumes")
    if found:
        return found
    volumes = _with_io(day)
    problems = _unsampled(volumes, day) if volumes["queue"].is_null().all() else []
    if (volumes["pool"] == "").all():
        problems += _static(volumes, day)
    return [f"what it needs ({each['what']}: {each['why']}); {each['allowed']} has it" for each in problems]


def _with_io(day: Day) -> polars.DataFrame:
    """The rows of volumes that did I/O, with their queue as it was sampled or counted."""
    import polars as pl

    volumes = day.table("volumes").filter(pl.col("io_per_s") > 0)
    return volumes.with_columns(pl.coalesce("queue_depth_sampled", "queue_depth").alias("queue"))


def _with_aliases(day: Day, volumes: polars.DataFrame, question: AliasRequest) -> polars.DataFrame:
    """The records of the pools, with the aliases that `--aliases` gives where they have none; raises InputError."""
    import polars as pl

    records = day.table("pools").filter(pl.col("pool").is_in(volumes["pool"].unique().to_list()))
    lending = volumes.filter(pl.col("pool") != "")["pool"].unique(maintain_order=True).to_list()
    counted = set(records.filter(pl.col("aliases").is_not_null())["pool"].unique().to_list())
    given = {pool: question.aliases.get(pool, question.aliases.get("")) for pool in lending if pool not in counted}
    why = f"{day.records} of this day gives the tries of a pool, not how many aliases it has"
    problems = [
        problem("the number of aliases is missing", file=day.name, key=f"pool {pool}", why=why,
                allowed=f"--aliases {pool}=N; D M=DEV gives the number configured")
        for pool, count in given.items()
        if count is None
    ]  # fmt: skip
    allowed = ", ".join(pool for pool in lending if pool not in counted) or "none: the records give the numbers"
    problems += [
        problem("no pool whose aliases are missing", file=day.name, key=f"aliases {pool}", allowed=allowed)
        for pool in question.aliases
        if pool not in given and (pool or not given)
    ]
    if problems:
        raise refusal(*problems)
    known = pl.col("pool").replace_strict(given, default=None, return_dtype=pl.Float64)
    return records.with_columns(pl.coalesce("aliases", known).alias("aliases"))


def _unsampled(volumes: polars.DataFrame, day: Day) -> list[Problem]:
    """A problem where the queues of volumes are not known: without them the requests that wait are not known."""
    lacking = volumes.filter(volumes["queue"].is_null())["device"].unique().sort().to_list()
    if not lacking:
        return []
    why = f"{plural(len(lacking), 'volume')} with I/O, {lacking[0]} first: HFCTIO and HFRDEVCT of 6/3 do not count"
    allowed = "monitor data with high-frequency samples: MONITOR SAMPLE RATE, and domain I/O enabled"
    return [problem("queues are not in the records", file=day.name, why=why, allowed=allowed)]


def _aliased(volumes: polars.DataFrame) -> list[str]:
    return list(volumes.filter(volumes["alias_io_per_s"] > 0)["device"].unique().sort())


def _static(volumes: polars.DataFrame, day: Day) -> list[Problem]:
    """A problem where all volumes have aliases of their own, which records do not count."""
    aliased = _aliased(volumes)
    if not aliased or len(aliased) < volumes["device"].n_unique():
        return []
    why = f"{plural(len(aliased), 'volume')}, {aliased[0]} first, whose aliases the records do not count"
    allowed = "a DEVICE report (FCX108), which has a row for each alias"
    return [problem("volumes with static aliases", file=day.name, why=why, allowed=allowed)]


def _loose(
    day: Day, volumes: polars.DataFrame, none: polars.DataFrame, named: Sequence[tuple[DeviceRange, ...]]
) -> list[_DayPool]:
    """Volumes without a pool, grouped; raises InputError for some that have aliases of their own."""
    import polars as pl

    if volumes.is_empty():
        return []
    if problems := _static(volumes, day):
        raise refusal(*problems)
    aliased = _aliased(volumes)
    rows = volumes.filter(~pl.col("device").is_in(aliased)).unique("device", keep="first").sort("device").to_dicts()
    left = f"; {plural(len(aliased), 'volume')} with static aliases ignored" if aliased else ""
    return [
        _DayPool(
            day, "", volumes.filter(pl.col("device").is_in([row.device for row in group.rows])), none,
            group.membership + left if len(group.rows) > 1 else "",
        )
        for group in by_name([_device(row, {}, 0.0, 1.0) for row in rows], named)
    ]  # fmt: skip


def _device(row: dict[str, Any], known: dict[str, Any], queue_error: float, length_s: float) -> Device:
    number = row["device"].upper()
    return Device(
        device=number[-4:], type=known.get("type") or "", label=row["volume"], base="",
        io_per_s=row["io_per_s"], io_rounding=0.5 / length_s,
        pend_ms=row["pend_ms"] or 0.0, disc_ms=row["disc_ms"] or 0.0, conn_ms=row["conn_ms"] or 0.0,
        part_rounding=3 * _COUNTER_MS, service_ms=row["service_ms"], service_rounding=3 * _COUNTER_MS,
        response_ms=row["response_ms"] or 0.0, response_rounding=3 * _COUNTER_MS,
        queue_depth=row["queue_depth_sampled"] or row["queue_depth"] or 0.0, queue_rounding=queue_error,
        paths=int(known.get("paths") or 0),
    )  # fmt: skip


def _alias(base: Device, at: int) -> Device:
    """An alias of the pool, whose I/O is that of volumes."""
    return replace(
        base, device=f"{base.device}+{at + 1}", label="", io_per_s=0.0, io_rounding=0.0, pend_ms=0.0, disc_ms=0.0,
        conn_ms=0.0, service_ms=0.0, response_ms=0.0, queue_depth=0.0, queue_rounding=0.0,
    )  # fmt: skip


def _tries(record: list[dict[str, Any]], volumes: list[dict[str, Any]], length_s: float) -> Tries | None:
    if not record or not record[0]["tries"] or record[0]["fails_per_try"] is None:
        return None
    lent = [row["alias_io_per_s"] for row in volumes]
    known = None if any(rate is None for rate in lent) else sum(lent)
    return Tries(record[0]["tries"] / length_s, record[0]["fails_per_try"], known)


@dataclass(frozen=True)
class _Group:
    """Like intervals of a day, their means as a report, and the answer of these."""

    intervals: tuple[_Interval, ...]
    report: PoolReport
    answer: Answer

    @property
    def hardest(self) -> _Interval:
        """The interval in which most requests wait, the first of equals."""
        return max(self.intervals, key=lambda interval: interval.waiting)

    @property
    def ios(self) -> float:
        """I/Os in the unit of one interval, which weigh a mean over the day."""
        return sum(interval.io_per_s for interval in self.intervals)

    def point(self, aliases: int) -> Point | None:
        """The point of the curve with a number of aliases; more than were simulated change nothing."""
        curve = self.answer.curve
        return next((point for point in reversed(curve) if point.aliases <= aliases), None)


@dataclass(frozen=True)
class DayAnswer:
    """All of it, for one pool; `groups` hardest first."""

    day: Day
    pool: _DayPool
    groups: tuple[_Group, ...]

    @property
    def hardest(self) -> _Group:
        """The group with the longest queue."""
        return self.groups[0]

    @property
    def name(self) -> str:
        """The pool by its bases."""
        return self.hardest.answer.pool

    @property
    def present(self) -> int:
        """The aliases of the hardest intervals."""
        return self.hardest.report.aliases_present

    @property
    def answered(self) -> tuple[_Group, ...]:
        """The groups that a load reproduces."""
        return tuple(group for group in self.groups if group.answer.recommendation)

    @property
    def recommendation(self) -> Recommendation | None:
        """Aliases that serve every group: the most that one needs; so are both ends of the range.

        None where no load reproduces the hardest group.
        """
        if self.hardest.answer.recommendation is None:
            return None
        return _most(self.answered)

    @property
    def easier(self) -> Recommendation | None:
        """The aliases that would serve the day without its hardest group; None where there is no other."""
        others = [group for group in self.answered if group is not self.hardest]
        return _most(others) if others else None

    @property
    def deciding(self) -> _Group:
        """The group that needs the aliases that are recommended, the hardest of equals."""
        return max(self.answered, key=lambda group: _aliases(group), default=self.hardest)

    @property
    def excluded(self) -> tuple[str, ...]:
        """Redispatch policies that tries and fails exclude."""
        return tuple(name for name in REDISPATCH if any(name in group.answer.excluded for group in self.groups))

    @property
    def target(self) -> TargetAnswer | None:
        """The fewest aliases that meet the condition in every group; None where none is asked for."""
        found = [group.answer.target for group in self.answered if group.answer.target]
        if not found:
            return None
        return TargetAnswer(
            found[0].target, *(_largest([getattr(met, of) for met in found]) for of in ("aliases", "low", "high"))
        )

    def response_ms(self, aliases: int) -> tuple[float, float, float, float] | None:
        """The response over the day, weighted by I/O: as measured, and with these aliases (mean, low, high)."""
        rows = []
        for group in self.answered:
            point = group.point(aliases)
            if point is not None:
                name = "response_ms"
                means = (group.report.response_ms, point.estimates[name].mean, point.low[name], point.high[name])
                rows.append([group.ios, *means])
        if not rows:
            return None
        ios, *columns = np.array(rows).T
        now, then, low, high = (float((ios * column).sum() / ios.sum()) for column in columns)
        return now, then, low, high

    @property
    def track(self) -> Iterator[tuple[_Interval, _Group]]:
        """The intervals in the order of time, each with its group."""
        every = [(interval, group) for group in self.groups for interval in group.intervals]
        return iter(sorted(every, key=lambda pair: pair[0].number))


def answer_day(day: Day, question: AliasRequest, progress: Progress = silent) -> list[DayAnswer]:
    """One answer per pool of a day, those first in which most requests wait; raises InputError."""
    if question.pool_listing is not None:
        why = "monitor data name the pool of each volume"
        raise refusal(problem("does not apply to monitor data", key="pool-listing", why=why))
    pools = read_day_pools(day, question)
    most = groups_each(len(pools))
    grouped = [(pool, _groups(pool, most)) for pool in pools]
    idle = irrelevant_to_reports(question.assumed, [report for _, groups in grouped for _, report in groups])
    if idle:
        raise refusal(*idle)
    return [
        DayAnswer(day, pool, _answered(groups, question, piece(progress, at, len(grouped))))
        for at, (pool, groups) in enumerate(grouped)
    ]


def _groups(pool: _DayPool, most: int) -> list[tuple[tuple[_Interval, ...], PoolReport]]:
    """The groups of a pool with their means, the longest queue first; one where nothing ever waits."""
    intervals = pool.intervals
    values = np.array([[interval.io_per_s, interval.service_ms, interval.present] for interval in intervals])
    waits = any(interval.waiting > 0 for interval in intervals)
    groups = [
        tuple(intervals[at] for at in group)
        for group in alike(values, [interval.aliases for interval in intervals], most if waits else 1)
    ]
    found = [(group, pool.report([interval.number for interval in group], pool.day.span(group))) for group in groups]
    return sorted(found, key=lambda pair: -pair[1].queue_depth)


def _answered(
    groups: Sequence[tuple[tuple[_Interval, ...], PoolReport]], question: AliasRequest, progress: Progress
) -> tuple[_Group, ...]:
    """The answers, the hardest first; a redispatch policy that one excludes is excluded for all that follow."""
    borrowed, gone, found = borrow(), frozenset[str](), []
    for at, (intervals, report) in enumerate(groups):
        case = Case((report,), question, borrowed, piece(progress, at, len(groups)), gone)
        answer = answer_reports(case)
        if gone | answer.excluded < frozenset(REDISPATCH):
            gone |= answer.excluded
        found.append(_Group(intervals, report, answer))
    return tuple(found)


def _aliases(group: _Group) -> int:
    chosen = group.answer.recommendation
    return chosen.aliases if chosen else -1


def _most(groups: Sequence[_Group]) -> Recommendation:
    """The most aliases that one of the groups needs, and the most of each end of the ranges."""
    every = [group.answer.recommendation for group in groups if group.answer.recommendation]
    return Recommendation(*(max(getattr(chosen, of) for chosen in every) for of in ("aliases", "low", "high")))


def _largest(values: Sequence[int | None]) -> int | None:
    """The most of some numbers of aliases; None where one group has none that meets the condition."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None


def report(answer: DayAnswer) -> Report:
    """The answer as a report; notes are those of the hardest intervals."""
    chosen, reason = answer.recommendation, _day_reason(answer)
    facts = [("hardest", _when(answer, answer.hardest)), ("intervals", f"{len(answer.day.chosen):,}")]
    if chosen and not reason:
        facts = [
            ("aliases", str(chosen.aliases)),
            ("range over all readings", f"{chosen.low} to {chosen.high}"),
            *facts,
        ]
    hardest = answer.hardest.answer
    blocks = [*_headline(answer), _groups_table(answer)]
    if len(answer.day.chosen) > 1:
        blocks.append(_day_picture(answer))
    if hardest.curve and len(answer.groups) > 1:
        blocks.append(Paragraph(f"The hardest intervals, {_when(answer, answer.hardest)}:"))
    if hardest.curve:
        blocks += [picture(hardest).captioned(CAPTION), curve_table(hardest)]
    title, subject = f"Aliases for {answer.name} over a day", f"Pool {answer.name}"
    heading = f"{answer.day.name}  {answer.day.heading}"
    parts = Parts(title, subject, heading, facts, blocks, readings_table(hardest), rejected=rejected(hardest))
    return advice_report(hardest, parts)


def _groups_table(answer: DayAnswer) -> Table[_Group]:
    """The groups in the order of time: load, response, recommendation and range."""
    chosen = answer.recommendation
    then = chosen.aliases if chosen and not _day_reason(answer) else None
    share = percent(ALIKE, 0)
    legend = (
        f"First to last interval of each group, whose intervals differ by at most {share} of the day's largest rate, "
        f"service and requests present; of up to {MOST_GROUPS} groups the harder are the narrower. Numbers are means."
    )
    if then is not None:
        legend += f" Resp then: with {plural(then, 'alias', 'aliases')}, and its range over all readings."
    columns: list[Column[_Group]] = [
        Column("when", "first to last", lambda group: answer.day.span(group.intervals)),
        Column("intervals", "intervals", lambda group: len(group.intervals), form=decimals(0)),
        Column("io_per_s", "I/O per s", lambda group: group.report.io_per_s, form=decimals(0)),
        Column("response_ms", "Resp", lambda group: group.report.response_ms, "ms", decimals(2)),
        Column("queue_depth", "waiting", lambda group: group.report.queue_depth, form=decimals(1)),
        Column("fails_per_try", "fails/try", _fails, form=decimals(2), optional=True),
        Column("aliases", "aliases", _aliases_printed),
        Column("range", "range", _range),
        Column("response_then_ms", "Resp then", lambda group: _then(group, then), "ms", decimals(2), optional=True),
        Column("response_range_ms", "all readings", lambda group: _span(group, then), form=_spans, optional=True),
    ]
    return Table(
        columns, sorted(answer.groups, key=lambda group: group.intervals[0].number), legend=legend,
        marks=lambda group: _marks(answer, group), face=Face.PEOPLE,
    )  # fmt: skip


def _day_picture(answer: DayAnswer) -> Figure:
    """Rate, response, queue and aliases over the day: as measured, and as recommended for each group."""
    chosen, track = answer.recommendation, list(answer.track)
    starts = answer.day.measured.starts_us
    first = starts[track[0][0].number]
    unit, size = ("Hours", 3600e6) if starts[track[-1][0].number] - first >= 7200e6 else ("Minutes", 60e6)
    x = [(starts[interval.number] - first) / size for interval, _ in track]
    panels = [
        Panel("I/O per second", [Series(x, [interval.io_per_s for interval, _ in track], label="measured")]),
        Panel("Response, ms", [Series(x, [interval.response_ms for interval, _ in track], label="measured")]),
        Panel("Waiting requests", [Series(x, [interval.waiting for interval, _ in track], label="measured")]),
    ]
    if chosen:
        points = [group.point(chosen.aliases) for _, group in track]
        response = Series(
            x, [finite(point.estimates["response_ms"].mean) if point else None for point in points],
            low=[finite(point.low["response_ms"]) if point else None for point in points],
            high=[finite(point.high["response_ms"]) if point else None for point in points],
            label=f"with {plural(chosen.aliases, 'alias', 'aliases')}", kind="steps",
        )  # fmt: skip
        panels[1] = Panel("Response, ms", [*panels[1].series, response])
        found = [group.answer.recommendation for _, group in track]
        aliases = Series(
            x, [each.aliases if each else None for each in found], low=[each.low if each else None for each in found],
            high=[each.high if each else None for each in found], label="recommended", kind="steps",
        )  # fmt: skip
        now = Series(x, [interval.aliases for interval, _ in track], label="now", kind="steps")
        panels.append(Panel("Aliases", [aliases, now]))
    caption = "Every interval as measured; steps are simulated for each group of like intervals. Bands: all readings."
    return Figure(panels, f"{unit} from {answer.day.when(track[0][0].number)}", caption, layout="below")


def document(answer: DayAnswer) -> dict[str, Any]:
    """One answer as an object: the recommendation, its range, the hardest interval, groups, and every interval."""
    reason, day = _day_reason(answer), answer.day
    chosen = answer.recommendation if not reason else None
    made: dict[str, Any] = {"question": "aliases", "files": [day.name], "pool": answer.name}
    made |= {"system": day.measured.name, "recommendation": asdict(chosen) if chosen else None}
    if chosen is None:
        made["reason"] = reason
    hardest, easier = answer.hardest, answer.easier
    own = hardest.answer.recommendation
    made["hardest"] = {"interval": hardest.hardest.number, "starts": _instant(answer, hardest.hardest.number)}
    made["spread"] = {
        "hardest": asdict(own) if own else None, "without_hardest": asdict(easier) if easier else None,
        "excluded_redispatch": list(answer.excluded),
    }  # fmt: skip
    found = answer.response_ms(chosen.aliases) if chosen else None
    if found:
        names = ("now", "then", "then_low", "then_high")
        made["response_ms"] = {name: in_json(value) for name, value in zip(names, found, strict=True)}
    if answer.target:
        met = answer.target
        made["target"] = {"condition": str(met.target), "aliases": met.aliases, "low": met.low, "high": met.high}
    made["groups"] = [
        {
            "intervals": [interval.number for interval in group.intervals], "count": len(group.intervals),
            "fails_per_try": in_json(_fails(group)), "answer": document_of(group.answer),
        }
        for group in answer.groups
    ]  # fmt: skip
    made["intervals"] = [_interval(answer, interval, group) for interval, group in answer.track]
    return made


def _day_reason(answer: DayAnswer) -> str:
    """The reason why the day has no recommendation; empty where it has one."""
    chosen = answer.recommendation
    if chosen is None:
        return f"{_when(answer, answer.hardest)}, the hardest: {reason_of(answer.hardest.answer)}"
    if not says_nothing(chosen.low, chosen.high):
        return ""
    return f"the readings range from {chosen.low} to {chosen.high} aliases, which settles nothing"


def _headline(answer: DayAnswer) -> list[Block]:
    chosen, reason, rule = answer.recommendation, _day_reason(answer), answer.hardest.answer.estimate
    thumb = f"rule of thumb at the hardest {rule.aliases}"
    where = f"the pool of {answer.name}" + (f" (pool {answer.pool.name})" if answer.pool.name else "")
    if chosen is None or reason:
        return [Paragraph(f"No recommendation for {where}: {reason}."), Paragraph(f"{thumb.capitalize()}.")]
    more = chosen.aliases - answer.present
    change = f" ({abs(more)} {'more' if more > 0 else 'fewer'} than now)" if answer.present and more else ""
    scope = f"range {chosen.low} to {chosen.high}" if chosen.low != chosen.high else "every reading agrees"
    head = f"{plural(chosen.aliases, 'alias', 'aliases')} for {where}, all day{change}"
    return [Lead(head, f"{scope}; {thumb}"), *(Paragraph(text) for text in _outcome(answer))]


def _outcome(answer: DayAnswer) -> list[str]:
    """The response over the day, the hardest interval, what the spread contributes, and what data excluded."""
    chosen = answer.recommendation
    assert chosen is not None
    lines = []
    if found := answer.response_ms(chosen.aliases):
        now, then, low, high = (fixed(value, 2) for value in found)
        lines.append(f"Response over the day, by I/O: {now} -> {then} ms; {low} to {high} ms over all readings.")
    hardest = answer.hardest
    peak = hardest.hardest
    lines.append(
        f"Hardest interval: {peak.number} ({answer.day.when(peak.number)}), {fixed(peak.waiting, 1)} waiting, "
        f"{fixed(peak.response_ms, 2)} ms."
    )
    lines += _spread(answer)
    if answer.excluded:
        which = f"{'policies' if len(answer.excluded) > 1 else 'policy'} {' and '.join(answer.excluded)}"
        lines.append(f"Tries and fails of the pool exclude the redispatch {which}.")
    if met := answer.target:
        which = "no number of aliases meets it in every interval" if met.aliases is None else f"{met.aliases} aliases"
        ends = f"; {met.low} to {met.high} over all readings" if met.low is not None and met.high is not None else ""
        lines.append(f"{met.target}: {which}{ends}.")
    return lines + [
        f"{_when(answer, group)} does not count in the recommendation: {reason_of(group.answer)}."
        for group in answer.groups
        if group not in answer.answered
    ]


def _spread(answer: DayAnswer) -> list[str]:
    """How far the recommendation is that of the hardest intervals, and what others add to the range."""
    chosen, own, easier = answer.recommendation, answer.hardest.answer.recommendation, answer.easier
    if chosen is None or own is None or easier is None:
        return []
    least = min(group.answer.recommendation.aliases for group in answer.answered if group.answer.recommendation)
    added = (own.low, own.high) != (chosen.low, chosen.high)
    other = answer.deciding is not answer.hardest
    lines = [
        f"Over the day {least} to {chosen.aliases}. Without the hardest intervals {easier.aliases} "
        f"(range {easier.low} to {easier.high}); these alone {own.aliases} (range {own.low} to {own.high})"
        + (", so other intervals widen or move the range." if added else ", which is the range of the day.")
    ]
    return lines + ([f"{_when(answer, answer.deciding)} needs most aliases."] if other else [])


def _when(answer: DayAnswer, group: _Group) -> str:
    return answer.day.span(group.intervals)


def _instant(answer: DayAnswer, interval: int) -> str:
    from slicewright.measured.tables import when

    return when(answer.day.measured.starts_us[interval])


def _interval(answer: DayAnswer, interval: _Interval, group: _Group) -> dict[str, Any]:
    """An interval as an object, with the number of its group."""
    return {
        "interval": interval.number, "starts": _instant(answer, interval.number),
        "group": answer.groups.index(group), "aliases": interval.aliases, "io_per_s": in_json(interval.io_per_s),
        "response_ms": in_json(interval.response_ms), "queue_depth": in_json(interval.waiting),
    }  # fmt: skip


def _marks(answer: DayAnswer, group: _Group) -> list[str]:
    said = {"hardest": group is answer.hardest, "needs most": group is answer.deciding is not answer.hardest}
    return [mark for mark, holds in said.items() if holds and len(answer.groups) > 1]


def _fails(group: _Group) -> float | None:
    return group.report.tries.fails_per_try if group.report.tries else None


def _aliases_printed(group: _Group) -> str:
    chosen = group.answer.recommendation
    return str(chosen.aliases) if chosen else "-"


def _range(group: _Group) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low} to {chosen.high}" if chosen else "refused"


def _then(group: _Group, aliases: int | None) -> float | None:
    point = group.point(aliases) if aliases is not None else None
    return point.estimates["response_ms"].mean if point else None


def _span(group: _Group, aliases: int | None) -> Span | None:
    point = group.point(aliases) if aliases is not None else None
    return Span(point.low["response_ms"], point.high["response_ms"]) if point else None


def _spans(spans: Sequence[Span | None]) -> list[str]:
    return ["" if span is None else f"{fixed(span.low, 2)} - {fixed(span.high, 2)}" for span in spans]
