"""Aliases of a pool over a day: an answer per group of like intervals, and the aliases that serve all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from slicewright.advise.aliases import report as of_reports
from slicewright.advise.aliases.answer import Answer, Recommendation, TargetAnswer
from slicewright.advise.aliases.borrowed import borrow
from slicewright.advise.aliases.curve import Point
from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.from_reports import Case, answer_reports
from slicewright.advise.aliases.irrelevant import irrelevant_to_reports
from slicewright.advise.aliases.measured_pool import DayPool, Interval, read_day_pools
from slicewright.advise.aliases.request import REDISPATCH, AliasRequest
from slicewright.advise.day import Day
from slicewright.advise.many import ALIKE, MOST_GROUPS, Group, Many, each_group, grouped, groups_each
from slicewright.advise.report import Parts, advice_report, says_nothing
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress, piece, silent
from slicewright.io.numerals import finite, in_json
from slicewright.report.figure import Panel, Series
from slicewright.report.forms import Span, decimals
from slicewright.report.model import Block, Column, Lead, Paragraph, Report
from slicewright.statistics import fixed, percent, plural


@dataclass(frozen=True)
class PoolGroup(Group[Interval, Answer]):
    """Like intervals of a day, the answer about them, and their means as a report."""

    report: PoolReport

    @property
    def hardest(self) -> Interval:
        """The interval in which most requests wait, the first of equals."""
        return max(self.intervals, key=lambda interval: interval.waiting)

    @property
    def fails(self) -> float | None:
        """Fails per try."""
        return self.report.tries.fails_per_try if self.report.tries else None

    def point(self, aliases: int | None) -> Point | None:
        """The point of the curve with a number of aliases; more than were simulated change nothing."""
        if aliases is None:
            return None
        return next((point for point in reversed(self.answer.curve) if point.aliases <= aliases), None)


@dataclass(frozen=True)
class DayAnswer(Many[PoolGroup]):
    """Of one pool; the hardest group has the longest queue.

    >>> from slicewright.advise.aliases.example import day_advice
    >>> found = day_advice()
    >>> found.hardest.hardest.number, len(found.groups)
    (1, 2)
    """

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
            return f"{self.span(self.hardest)}, the hardest: {of_reports.reason_of(self.hardest.answer)}"
        if not says_nothing(chosen.low, chosen.high):
            return ""
        return f"the readings range from {chosen.low} to {chosen.high} aliases, which settles nothing"

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
                rows.append([sum(interval.io_per_s for interval in group.intervals), *means])
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
            drawn = of_reports.picture(hardest).captioned(of_reports.CAPTION)
            blocks += [drawn, of_reports.curve_table(hardest)]
        parts = Parts(
            f"Aliases for {self.name} over a day", f"Pool {self.name}", self.heading, facts, blocks,
            of_reports.readings_table(hardest), rejected=of_reports.rejected(hardest),
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
        scope = f"range {chosen.low} to {chosen.high}" if chosen.low != chosen.high else "every reading agrees"
        head = f"{plural(chosen.aliases, 'alias', 'aliases')} for {where}, all day{change}"
        return [Lead(head, f"{scope}; {thumb}"), *(Paragraph(text) for text in self._outcome(chosen))]

    def _outcome(self, chosen: Recommendation) -> list[str]:
        """The response over the day, the hardest interval, what the spread contributes, and what data excluded."""
        lines = []
        if found := self.response_ms(chosen.aliases):
            now, then, low, high = (fixed(value, 2) for value in found)
            lines.append(f"Response over the day, by I/O: {now} -> {then} ms; {low} to {high} ms over all readings.")
        peak = self.hardest.hardest
        lines.append(
            f"Hardest interval: {peak.number} ({self.day.when(peak.number)}), {fixed(peak.waiting, 1)} waiting, "
            f"{fixed(peak.response_ms, 2)} ms."
        )
        lines += self._spread(chosen)
        if gone := self.excluded:
            which = f"{'policies' if len(gone) > 1 else 'policy'} {' and '.join(gone)}"
            lines.append(f"Tries and fails of the pool exclude the redispatch {which}.")
        if met := self.target:
            which = "no number of aliases meets it in every interval"
            which = which if met.aliases is None else f"{met.aliases} aliases"
            ends = (
                f"; {met.low} to {met.high} over all readings" if met.low is not None and met.high is not None else ""
            )
            lines.append(f"{met.target}: {which}{ends}.")
        return lines + [
            f"{self.span(group)} does not count in the recommendation: {of_reports.reason_of(group.answer)}."
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
            f" largest rate, service and requests present; of up to {MOST_GROUPS} groups the harder are the narrower."
            " Numbers are means."
        )
        if self._then is not None:
            legend += f" Resp then: with {plural(self._then, 'alias', 'aliases')}, and its range over all readings."
        return legend

    def columns(self) -> list[Column[PoolGroup]]:
        """Load, response, recommendation and range."""
        then = self._then
        return [
            Column("io_per_s", "I/O per s", lambda group: group.report.io_per_s, form=decimals(0)),
            Column("response_ms", "Resp", lambda group: group.report.response_ms, "ms", decimals(2)),
            Column("queue_depth", "waiting", lambda group: group.report.queue_depth, form=decimals(1)),
            Column("fails_per_try", "fails/try", lambda group: group.fails, form=decimals(2), optional=True),
            Column("aliases", "aliases", lambda group: str(_aliases(group)) if group.answer.recommendation else "-"),
            Column("range", "range", _range),
            Column("response_then_ms", "Resp then", lambda group: _response(group, then), "ms", decimals(2),
                   optional=True),
            Column("response_range_ms", "all readings", lambda group: _span(group, then), form=_spans, optional=True),
        ]  # fmt: skip

    def panels(self, track: Sequence[tuple[Interval, PoolGroup]], line: Callable[..., Series]) -> list[Panel]:
        """Rate, response, queue and aliases: as measured, and as recommended for each group."""
        response = [line((interval.response_ms for interval, _ in track), label="measured")]
        panels = [
            Panel("I/O per second", [line((interval.io_per_s for interval, _ in track), label="measured")]),
            Panel("Response, ms", response),
            Panel("Waiting requests", [line((interval.waiting for interval, _ in track), label="measured")]),
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
            now = line((interval.aliases for interval, _ in track), label="now", kind="steps")
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
            made["response_ms"] = {name: in_json(value) for name, value in zip(names, found, strict=True)}
        if met := self.target:
            made["target"] = {"condition": str(met.target), "aliases": met.aliases, "low": met.low, "high": met.high}
        return made

    def of_group(self, group: PoolGroup) -> dict[str, Any]:
        """Its fails per try, and its answer."""
        return {
            "count": len(group.intervals), "fails_per_try": in_json(group.fails),
            "answer": of_reports.document(group.answer),
        }  # fmt: skip

    def rest(self) -> dict[str, Any]:
        """Every interval, with the number of its group."""
        intervals = [
            {
                "interval": interval.number, "starts": self._instant(interval.number),
                "group": self.groups.index(group), "aliases": interval.aliases, "io_per_s": in_json(interval.io_per_s),
                "response_ms": in_json(interval.response_ms), "queue_depth": in_json(interval.waiting),
            }
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


def _groups(pool: DayPool, most: int) -> list[tuple[tuple[Interval, ...], PoolReport]]:
    """The groups of a pool with their means, the longest queue first; one where nothing ever waits."""
    intervals = pool.intervals
    values = np.array([[interval.io_per_s, interval.service_ms, interval.present] for interval in intervals])
    waits = any(interval.waiting > 0 for interval in intervals)
    groups = grouped(intervals, values, most if waits else 1, [interval.aliases for interval in intervals])
    found = [(group, pool.report([interval.number for interval in group], pool.day.span(group))) for group in groups]
    return sorted(found, key=lambda pair: -pair[1].queue_depth)


def _answered(
    groups: Sequence[tuple[tuple[Interval, ...], PoolReport]], question: AliasRequest, progress: Progress
) -> tuple[PoolGroup, ...]:
    """The answers, the hardest first; a redispatch policy that one excludes is excluded for all that follow."""
    borrowed, gone = borrow(), frozenset[str]()

    def ask(group: tuple[tuple[Interval, ...], PoolReport], part: Progress) -> Answer:
        nonlocal gone
        answer = answer_reports(Case((group[1],), question, borrowed, part, gone))
        if gone | answer.excluded < frozenset(REDISPATCH):
            gone |= answer.excluded
        return answer

    return tuple(PoolGroup(group[0], answer, group[1]) for group, answer in each_group(groups, ask, progress))


def _aliases(group: PoolGroup) -> int:
    chosen = group.answer.recommendation
    return chosen.aliases if chosen else -1


def _range(group: PoolGroup) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low} to {chosen.high}" if chosen else "refused"


def _response(group: PoolGroup, aliases: int | None) -> float | None:
    point = group.point(aliases)
    return point.estimates["response_ms"].mean if point else None


def _span(group: PoolGroup, aliases: int | None) -> Span | None:
    point = group.point(aliases)
    return Span(point.low["response_ms"], point.high["response_ms"]) if point else None


def _spans(spans: Sequence[Span | None]) -> list[str]:
    return ["" if span is None else f"{fixed(span.low, 2)} - {fixed(span.high, 2)}" for span in spans]


def _most(groups: Sequence[PoolGroup]) -> Recommendation:
    """The most aliases that one of the groups needs, and the most of each end of the ranges."""
    every = [group.answer.recommendation for group in groups if group.answer.recommendation]
    return Recommendation(*(max(getattr(chosen, of) for chosen in every) for of in ("aliases", "low", "high")))


def _largest(values: Sequence[int | None]) -> int | None:
    """The most of some numbers of aliases; None where one group has none that meets the condition."""
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None
