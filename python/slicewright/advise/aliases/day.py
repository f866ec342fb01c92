"""A day of a pool: its measured intervals, an answer per group of like ones, and the aliases that serve all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from slicewright.advise.aliases.answer import Answer, Recommendation, TargetAnswer
from slicewright.advise.aliases.curve import Point
from slicewright.advise.aliases.evidence import MEASURED, Device, PoolReport, Tries, Volume, borrow, by_name
from slicewright.advise.aliases.from_reports import Case, answer_reports, irrelevant_to_reports
from slicewright.advise.aliases.readings import most_busy
from slicewright.advise.aliases.report import CAPTION, curve_table, picture, readings_table, reason_of, rejected
from slicewright.advise.aliases.report import document as document_of
from slicewright.advise.aliases.request import REDISPATCH, AliasRequest, DeviceRange
from slicewright.advise.day import Day
from slicewright.advise.many import ALIKE, MOST_GROUPS, Group, Interval, Many, each_group, grouped, groups_each
from slicewright.advise.report import Parts, advice_report, between, unsettled
from slicewright.reading.accept import chance_of_samples
from slicewright.report.figure import Panel, Series
from slicewright.report.forms import Span
from slicewright.report.json import fields
from slicewright.report.model import Block, Column, Lead, Paragraph, Report
from slicewright.report.spec import columns
from slicewright.run.tables import per_replication
from slicewright.statistics import fixed, percent, plural
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.numerals import finite
from slicewright.values.progress import Progress, piece, silent

if TYPE_CHECKING:
    import polars


_USED = (
    "replication", "interval", "volume", "device", "pool", "io_per_s", "alias_io_per_s", "pend_ms", "disc_ms",
    "conn_ms", "service_ms", "response_ms", "queue_depth", "queue_depth_sampled", "exposures",
)  # fmt: skip
"""Columns of volumes: a day has millions of their rows."""
_WITH_SET = 5
"""Digits of a device number behind that of its subchannel set, which is not set 0."""
_COUNTER_MS = 0.001
"""Half a step of the times in records."""


@dataclass(frozen=True)
class DayPool:
    """A pool over a day: rows of its volumes and of its own record, by interval.

    `name` is that in the records; "" is none, and then `membership` says why its volumes are together.
    """

    day: Day
    name: str
    volumes: polars.DataFrame
    record: polars.DataFrame
    membership: str = ""

    @property
    def intervals(self) -> list[Interval]:
        """The intervals in which it did I/O."""
        import polars as pl

        io = pl.col("io_per_s")
        sums = self.volumes.group_by("interval").agg(
            io.sum(), (io * pl.col("service_ms")).sum().alias("busy"), pl.col("queue").sum()
        )
        own = {row["interval"]: row for row in self.record.iter_rows(named=True)}
        return [
            _interval(row, own.get(row["interval"], {}))
            for row in sums.sort("interval").iter_rows(named=True)
            if row["io_per_s"] > 0
        ]

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
            channel_busy_percent=record[0]["channel_busy_percent"] if record else None,
        )  # fmt: skip

    def _known(self) -> dict[str, dict[str, Any]]:
        devices = self.day.table("devices").unique("device", keep="first", maintain_order=True)
        return {row["device"]: row for row in devices.select("device", "type", "paths").iter_rows(named=True)}


def _interval(row: dict[str, Any], own: dict[str, Any]) -> Interval:
    """A pool in one interval: aliases, rate, service, requests waiting, all that are present, and their response.

    `own` is its own record; the response is by Little's law.
    """
    io, service, waiting = row["io_per_s"], row["busy"] / row["io_per_s"], row["queue"]
    present = waiting + io * service / 1000
    return Interval(row["interval"], {
        "aliases": round(own.get("aliases") or 0), "io_per_s": io, "service_ms": service, "queue_depth": waiting,
        "fails_per_try": own.get("fails_per_try"), "present": present, "response_ms": 1000 * present / io,
    })  # fmt: skip


def read_day_pools(day: Day, question: AliasRequest) -> list[DayPool]:
    """The pools of a day, those first in which most requests wait; raises InputError where they cannot be advised on.

    Volumes of one pool of the records are together.  Volumes without a pool are grouped as on a DEVICE page, by the
    first two digits or as `--pool` names them.
    """
    import polars as pl

    volumes = _with_io(day).collect()
    named = [span for spans in question.pools for span in spans]
    if named:
        inside = [number for number in volumes["device"].unique() if any(number in span for span in named)]
        pools = volumes.filter(pl.col("device").is_in(inside) & (pl.col("pool") != ""))["pool"].unique()
        volumes = volumes.filter(pl.col("pool").is_in(pools.to_list()) | pl.col("device").is_in(inside))
    if volumes.is_empty():
        allowed = "a day on which at least one disk did I/O, and --pool ranges that hold some of them"
        raise refusal(problem("no volume with I/O to advise on", file=day.name, allowed=allowed))
    records = _with_aliases(day, volumes, question)
    problems = _unsampled(volumes.lazy(), day)
    if problems:
        raise refusal(*problems)
    found = [
        DayPool(day, name, volumes.filter(pl.col("pool") == name), records.filter(pl.col("pool") == name))
        for name in volumes["pool"].unique(maintain_order=True)
        if name
    ]
    found += _loose(day, volumes.filter(pl.col("pool") == ""), records.clear(), question.pools)
    return sorted(found, key=lambda pool: -max(interval["queue_depth"] for interval in pool.intervals))


def missing(day: Day) -> list[str]:
    """The records that a day lacks for the question."""
    import polars as pl

    if day.of_linux:
        return [
            "volumes with queue and service apart; advise aliases reads the output of fio, iostat, btt and dasdstat"
        ]
    found = day.lacks("volumes", "io_per_s", "6/3 (MRIODDEV) or 74-1: rate, service and queue of volumes")
    if found:
        return found
    volumes = _with_io(day)
    queues, pools = (
        column.to_list()[0]
        for column in volumes.select(pl.col("queue").count(), (pl.col("pool") != "").any()).collect(engine="streaming")
    )
    problems = [] if queues else _unsampled(volumes, day)
    if not pools:
        problems += _static(volumes, day)
    return [f"what it needs ({each['what']}: {each['why']}); {each['allowed']} has it" for each in problems]


def _with_io(day: Day) -> polars.LazyFrame:
    """The rows of volumes that did I/O, with their queue as it was sampled or counted."""
    import polars as pl

    volumes = day.rows("volumes").filter(pl.col("io_per_s") > 0).select(*_USED)
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


def _unsampled(volumes: polars.LazyFrame, day: Day) -> list[Problem]:
    """A problem where the queues of volumes are not known: without them the requests that wait are not known."""
    import polars as pl

    lacking = _devices(volumes.filter(pl.col("queue").is_null()))
    if not lacking:
        return []
    why = f"{plural(len(lacking), 'volume')} with I/O, {lacking[0]} first: HFCTIO and HFRDEVCT of 6/3 do not count"
    allowed = "monitor data with high-frequency samples: MONITOR SAMPLE RATE, and domain I/O enabled"
    return [problem("queues are not in the records", file=day.name, why=why, allowed=allowed)]


def _devices(volumes: polars.LazyFrame) -> list[str]:
    return volumes.select("device").unique().collect(engine="streaming")["device"].sort().to_list()


def _aliased(volumes: polars.LazyFrame) -> list[str]:
    """Volumes with aliases of their own, by their I/O or, in records of z/OS, by their exposures."""
    import polars as pl

    own = (pl.col("alias_io_per_s") > 0) | ((pl.col("exposures") > 1) & (pl.col("pool") == ""))
    return _devices(volumes.filter(own.fill_null(value=False)))


def _static(volumes: polars.LazyFrame, day: Day) -> list[Problem]:
    """A problem where all volumes have aliases of their own, which records do not count."""
    aliased = _aliased(volumes)
    if not aliased or len(aliased) < len(_devices(volumes)):
        return []
    why = f"{plural(len(aliased), 'volume')}, {aliased[0]} first, whose aliases the records do not count"
    allowed = "a DEVICE report (FCX108), which has a row for each alias"
    return [problem("volumes with static aliases", file=day.name, why=why, allowed=allowed)]


def _loose(
    day: Day, volumes: polars.DataFrame, none: polars.DataFrame, named: Sequence[tuple[DeviceRange, ...]]
) -> list[DayPool]:
    """Volumes without a pool, grouped; raises InputError for some that have aliases of their own."""
    import polars as pl

    if volumes.is_empty():
        return []
    if problems := _static(volumes.lazy(), day):
        raise refusal(*problems)
    aliased = _aliased(volumes.lazy())
    rows = volumes.filter(~pl.col("device").is_in(aliased)).unique("device", keep="first").sort("device").to_dicts()
    left = f"; {plural(len(aliased), 'volume')} with static aliases ignored" if aliased else ""
    return [
        DayPool(
            day, "", volumes.filter(pl.col("device").is_in([row.device for row in group.rows])), none,
            group.membership + left if len(group.rows) > 1 else "",
        )
        for group in by_name([_device(row, {}, 0.0, 1.0) for row in rows], named)
    ]  # fmt: skip


def _device(row: dict[str, Any], known: dict[str, Any], queue_error: float, length_s: float) -> Device:
    number = row["device"].upper()
    return Device(
        device=number if len(number) == _WITH_SET else number[-4:], type=known.get("type") or "",
        label=row["volume"], base="",
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
    if not record:
        return None
    lent = [row["alias_io_per_s"] for row in volumes]
    known = None if any(rate is None for rate in lent) else sum(lent)
    if not record[0]["tries"] or record[0]["fails_per_try"] is None:
        fails, all_ios = record[0]["fails"], sum(row["io_per_s"] for row in volumes)
        return Tries(all_ios, fails / length_s / all_ios, known, "I/O") if fails else None
    return Tries(record[0]["tries"] / length_s, record[0]["fails_per_try"], known)


_GROUPS = """
    io_per_s        | .0 | I/O per s
    response_ms     | .2 | Resp      | ms
    queue_depth     | .1 | waiting
    fails_per_try ? | .2 | fails/try
    aliases; range
    then ?          | .2 | Resp then | ms
    then.. ?        | .2 | all readings
"""


@dataclass(frozen=True)
class PoolGroup(Group[Answer]):
    """Like intervals of a day, the answer about them, and their means as a report."""

    report: PoolReport

    @property
    def hardest(self) -> Interval:
        """The interval in which most requests wait, the first of equals."""
        return max(self.intervals, key=lambda interval: interval["queue_depth"])

    @property
    def fails(self) -> float | None:
        """Fails per try; None where they are known per I/O alone."""
        tries = self.report.tries
        return tries.fails_per_try if tries and tries.per == "try" else None

    def point(self, aliases: int | None) -> Point | None:
        """The point of the curve with a number of aliases; more than were simulated change nothing."""
        if aliases is None:
            return None
        return next((point for point in reversed(self.answer.curve) if point.aliases <= aliases), None)


@dataclass(frozen=True)
class DayAnswer(Many[PoolGroup]):
    """Of one pool; the hardest group has the longest queue."""

    pool: DayPool

    question = "aliases"
    caption = "Every interval as measured; steps are simulated for each group of like intervals. Bands: all readings."

    @property
    def name(self) -> str:
        """The pool by its bases."""
        return self.hardest.answer.pool

    @property
    def recommendation(self) -> Recommendation | None:
        """Aliases that serve every group: the most that one needs; so are both ends of the range.

        None where no load reproduces the hardest group.
        """
        if self.hardest.answer.recommendation is None:
            return None
        return _most(self.answered)

    @property
    def reason(self) -> str:
        """The reason why the day has no recommendation; empty where it has one."""
        chosen = self.recommendation
        if chosen is None:
            return f"{self.span(self.hardest)}, the hardest: {reason_of(self.hardest.answer)}"
        return unsettled(chosen.low, chosen.high, "aliases")

    @property
    def easier(self) -> Recommendation | None:
        """The aliases that would serve the day without its hardest group; None where there is no other."""
        others = [group for group in self.answered if group is not self.hardest]
        return _most(others) if others else None

    @property
    def _deciding(self) -> PoolGroup:
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
                rows.append([sum(interval["io_per_s"] for interval in group.intervals), *means])
        if not rows:
            return None
        ios, *columns = np.array(rows).T
        now, then, low, high = (float((ios * column).sum() / ios.sum()) for column in columns)
        return now, then, low, high

    def report(self) -> Report:
        """The answer as a report; notes are those of the hardest intervals."""
        chosen, hardest = self.recommendation, self.hardest.answer
        facts = [("hardest", self.span(self.hardest)), ("intervals", f"{len(self.day.chosen):,}")]
        if chosen and not self.reason:
            facts = [
                ("aliases", str(chosen.aliases)),
                ("range over all readings", f"{chosen.low} to {chosen.high}"),
                *facts,
            ]
        blocks = self.blocks()
        if hardest.curve and len(self.groups) > 1:
            blocks.append(Paragraph(f"The hardest intervals, {self.span(self.hardest)}:"))
        if hardest.curve:
            drawn = picture(hardest).captioned(CAPTION)
            blocks += [drawn, curve_table(hardest)]
        parts = Parts(
            f"Aliases for {self.name} over a day", f"Pool {self.name}", self.heading, facts, blocks,
            readings_table(hardest), rejected=rejected(hardest),
        )  # fmt: skip
        return advice_report(hardest, parts)

    def headline(self) -> list[Block]:
        """The aliases for all day, or why none are recommended."""
        chosen, rule = self.recommendation, self.hardest.answer.estimate
        thumb = f"rule of thumb at the hardest {rule.aliases}"
        where = f"the pool of {self.name}" + (f" (pool {self.pool.name})" if self.pool.name else "")
        if chosen is None or self.reason:
            return [Paragraph(f"No recommendation for {where}: {self.reason}."), Paragraph(f"{thumb.capitalize()}.")]
        present = self.hardest.report.aliases_present
        more = chosen.aliases - present
        change = f" ({abs(more)} {'more' if more > 0 else 'fewer'} than now)" if present and more else ""
        head = f"{plural(chosen.aliases, 'alias', 'aliases')} for {where}, all day{change}"
        return [
            Lead(head, f"{between(chosen.low, chosen.high)}; {thumb}"),
            *(Paragraph(text) for text in self._outcome(chosen)),
        ]

    def _outcome(self, chosen: Recommendation) -> list[str]:
        """The response over the day, the hardest interval, what the spread contributes, and what data excluded."""
        lines = []
        if found := self.response_ms(chosen.aliases):
            now, then, low, high = (fixed(value, 2) for value in found)
            lines.append(f"Response over the day, by I/O: {now} -> {then} ms; {low} to {high} ms over all readings.")
        peak = self.hardest.hardest
        lines.append(
            f"Hardest interval: {peak.number} ({self.day.when(peak.number)}), {fixed(peak['queue_depth'], 1)} waiting, "
            f"{fixed(peak['response_ms'], 2)} ms."
        )
        lines += self._spread(chosen)
        if gone := self.excluded:
            which = f"{'policies' if len(gone) > 1 else 'policy'} {' and '.join(gone)}"
            lines.append(f"Tries and fails of the pool exclude the redispatch {which}.")
        if met := self.target:
            which = "no number of aliases meets it in every interval"
            which = which if met.aliases is None else plural(met.aliases, "alias", "aliases")
            ends = (
                f"; {met.low} to {met.high} over all readings" if met.low is not None and met.high is not None else ""
            )
            lines.append(f"{met.target}: {which}{ends}.")
        return lines + [
            f"{self.span(group)} does not count in the recommendation: {reason_of(group.answer)}."
            for group in self.groups
            if group not in self.answered
        ]

    def _spread(self, chosen: Recommendation) -> list[str]:
        """How far the recommendation is that of the hardest intervals, and what others add to the range."""
        own, easier = self.hardest.answer.recommendation, self.easier
        if own is None or easier is None:
            return []
        least = min(_aliases(group) for group in self.answered)
        added = (own.low, own.high) != (chosen.low, chosen.high)
        lines = [
            f"Over the day {least} to {chosen.aliases}. Without the hardest intervals {easier.aliases} "
            f"(range {easier.low} to {easier.high}); these alone {own.aliases} (range {own.low} to {own.high})"
            + (", so other intervals widen or move the range." if added else ", which is the range of the day.")
        ]
        other = self._deciding is not self.hardest
        return lines + ([f"{self.span(self._deciding)} needs most aliases."] if other else [])

    @property
    def _then(self) -> int | None:
        return self.recommendation.aliases if self.recommendation and not self.reason else None

    def legend(self) -> str:
        """The extent of groups, and the response then."""
        legend = (
            f"First to last interval of each group, whose intervals differ by at most {percent(ALIKE, 0)} of the day's"
            f" largest rate, service and requests present; of up to {MOST_GROUPS} groups the harder have fewer"
            " intervals. Numbers are means."
        )
        if self._then is not None:
            legend += f" Resp then: with {plural(self._then, 'alias', 'aliases')}, and its range over all readings."
        return legend

    def columns(self) -> list[Column[PoolGroup]]:
        """Load, response, recommendation and range."""
        then = self._then
        values: dict[str, Callable[[PoolGroup], Any]] = {
            **{name: partial(_of_report, name) for name in ("io_per_s", "response_ms", "queue_depth")},
            "fails_per_try": lambda group: group.fails,
            "aliases": lambda group: _aliases(group) if group.answer.recommendation else "-",
            "range": _range,
            "then": lambda group: point.estimates["response_ms"] if (point := group.point(then)) else None,
            "then..": lambda group: (
                Span(point.low["response_ms"], point.high["response_ms"]) if (point := group.point(then)) else None
            ),
        }
        return columns(_GROUPS, values=values)

    def panels(self, track: Sequence[tuple[Interval, PoolGroup]], line: Callable[..., Series]) -> list[Panel]:
        """Rate, response, queue and aliases: as measured, and as recommended for each group."""
        response = [line("response_ms")]
        panels = [
            Panel("I/O per second", [line("io_per_s")]),
            Panel("Response, ms", response),
            Panel("Waiting requests", [line("queue_depth")]),
        ]
        if chosen := self.recommendation:
            points = [group.point(chosen.aliases) for _, group in track]
            response.append(
                line(
                    (finite(point.estimates["response_ms"].mean) if point else None for point in points),
                    low=[finite(point.low["response_ms"]) if point else None for point in points],
                    high=[finite(point.high["response_ms"]) if point else None for point in points],
                    label=f"with {plural(chosen.aliases, 'alias', 'aliases')}", kind="steps",
                )
            )  # fmt: skip
            found = [group.answer.recommendation for _, group in track]
            aliases = line(
                (each.aliases if each else None for each in found), low=[each.low if each else None for each in found],
                high=[each.high if each else None for each in found], label="recommended", kind="steps",
            )  # fmt: skip
            now = line("aliases", "now", kind="steps")
            panels.append(Panel("Aliases", [aliases, now]))
        return panels

    def marks(self, group: PoolGroup) -> list[str]:
        """The hardest, and the one that needs most aliases where it is another."""
        most = group is self._deciding is not self.hardest
        return [*super().marks(group), *(["needs most"] if most else [])]

    def facts(self) -> dict[str, Any]:
        """The recommendation, its range, the hardest interval, and what the spread contributes."""
        chosen = self.recommendation if not self.reason else None
        made: dict[str, Any] = {"pool": self.name, "system": self.day.measured.name}
        made["recommendation"] = asdict(chosen) if chosen else None
        if chosen is None:
            made["reason"] = self.reason
        hardest, easier = self.hardest, self.easier
        own, number = hardest.answer.recommendation, hardest.hardest.number
        made["hardest"] = {"interval": number, "starts": self._instant(number)}
        made["spread"] = {
            "hardest": asdict(own) if own else None, "without_hardest": asdict(easier) if easier else None,
            "excluded_redispatch": list(self.excluded),
        }  # fmt: skip
        if found := self.response_ms(chosen.aliases) if chosen else None:
            names = ("now", "then", "then_low", "then_high")
            made["response_ms"] = fields(**dict(zip(names, found, strict=True)))
        if met := self.target:
            made["target"] = {"condition": str(met.target), "aliases": met.aliases, "low": met.low, "high": met.high}
        return made

    def of_group(self, group: PoolGroup) -> dict[str, Any]:
        """Its fails per try, and its answer."""
        return fields(count=len(group.intervals), fails_per_try=group.fails, answer=document_of(group.answer))

    def rest(self) -> dict[str, Any]:
        """Every interval, with the number of its group."""
        intervals = [
            fields(
                interval=interval.number, starts=self._instant(interval.number), group=self.groups.index(group),
                **{name: interval[name] for name in ("aliases", "io_per_s", "response_ms", "queue_depth")},
            )
            for interval, group in self.track
        ]  # fmt: skip
        return {"intervals": intervals}

    def _instant(self, interval: int) -> str:
        from slicewright.measured.tables import when

        return when(self.day.measured.starts_us[interval])


def answer_day(day: Day, question: AliasRequest, progress: Progress = silent) -> list[DayAnswer]:
    """One answer per pool of a day, those first in which most requests wait; raises InputError."""
    if question.pool_listing is not None:
        why = "monitor data name the pool of each volume"
        raise refusal(problem("does not apply to monitor data", key="pool-listing", why=why))
    pools = read_day_pools(day, question)
    most = groups_each(len(pools))
    found = [(pool, _groups(pool, most)) for pool in pools]
    idle = irrelevant_to_reports(question.assumed, [report for _, groups in found for _, report in groups])
    if idle:
        raise refusal(*idle)
    return [
        DayAnswer(day, _answered(groups, question, piece(progress, at, len(found))), pool)
        for at, (pool, groups) in enumerate(found)
    ]


def hardest_cases(day: Day, question: AliasRequest) -> list[Case]:
    """The means of the hardest intervals of each pool of a day; raises InputError."""
    pools = read_day_pools(day, question)
    reports = [_groups(pool, groups_each(len(pools)))[0][1] for pool in pools]
    if idle := irrelevant_to_reports(question.assumed, reports):
        raise refusal(*idle)
    from slicewright.measured.tables import when

    borrowed, starts = borrow(), when(day.measured.starts_us[day.chosen[0]])
    return [
        Case((replace(report, started=f"{starts.split()[0]} {report.started}"),), _measured(question, report), borrowed)
        for report in reports
    ]


def _groups(pool: DayPool, most: int) -> list[tuple[tuple[Interval, ...], PoolReport]]:
    """The groups of a pool with their means, the longest queue first; one where nothing ever waits."""
    intervals = pool.intervals
    waits = any(interval["queue_depth"] > 0 for interval in intervals)
    groups = grouped(intervals, ("io_per_s", "service_ms", "present"), most if waits else 1, "aliases")
    found = [(group, pool.report([interval.number for interval in group], pool.day.span(group))) for group in groups]
    return sorted(found, key=lambda pair: -pair[1].queue_depth)


def _answered(
    groups: Sequence[tuple[tuple[Interval, ...], PoolReport]], question: AliasRequest, progress: Progress
) -> tuple[PoolGroup, ...]:
    """The answers, the hardest first; a redispatch policy that one excludes is excluded for all that follow."""
    borrowed, gone = borrow(), frozenset[str]()

    def ask(group: tuple[tuple[Interval, ...], PoolReport], part: Progress) -> Answer:
        nonlocal gone
        answer = answer_reports(Case((group[1],), _measured(question, group[1]), borrowed, part, gone))
        if gone | answer.excluded < frozenset(REDISPATCH):
            gone |= answer.excluded
        return answer

    return tuple(PoolGroup(group[0], answer, group[1]) for group, answer in each_group(groups, ask, progress))


def _measured(question: AliasRequest, report: PoolReport) -> AliasRequest:
    """The question with the utilization of the channels that records have, where no other is given.

    Others use the channels too where they are busier than the I/O of the pool can keep them; its part is then unknown.
    """
    assumed, busy = question.assumed, report.channel_busy_percent
    given = (assumed.channel, assumed.channel_busy_percent, assumed.sharing_percent) != (None, None, None)
    if given or busy is None or busy > 100 * most_busy(report):
        return question
    return replace(question, assumed=replace(assumed, channel_busy_percent=busy))


def _aliases(group: PoolGroup) -> int:
    chosen = group.answer.recommendation
    return chosen.aliases if chosen else -1


def _range(group: PoolGroup) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low} to {chosen.high}" if chosen else "refused"


def _of_report(name: str, group: PoolGroup) -> Any:
    return getattr(group.report, name)


def _most(groups: Sequence[PoolGroup]) -> Recommendation:
    """The most aliases that one of the groups needs, and the most of each end of the ranges."""
    every = [group.answer.recommendation for group in groups if group.answer.recommendation]
    return Recommendation(*(max(getattr(chosen, of) for chosen in every) for of in ("aliases", "low", "high")))


def _largest(values: Sequence[int | None]) -> int | None:
    """The most of some numbers of aliases; None where one group has none that meets the condition."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None
