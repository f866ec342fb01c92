"""The answer about aliases over a day as a report: the recommendation, groups of intervals, the day, the hardest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from slicewright.advise.aliases.day_answer import DayAnswer, Group
from slicewright.advise.aliases.measured_pool import Interval
from slicewright.advise.aliases.report import CAPTION, curve_table, picture, readings_table, reason_of, rejected
from slicewright.advise.aliases.report import document as document_of
from slicewright.advise.alike import ALIKE, MOST_GROUPS
from slicewright.advise.report import Parts, advice_report, says_nothing
from slicewright.io.numerals import finite, in_json
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import Span, decimals
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import fixed, percent, plural


def report(answer: DayAnswer) -> Report:
    """The answer as a report; notes are those of the hardest intervals.

    >>> from slicewright.advise.aliases.example import day_advice
    >>> report(day_advice()).facts[0][0]
    'aliases'
    """
    chosen, reason = answer.recommendation, day_reason(answer)
    facts = [("hardest", _when(answer, answer.hardest)), ("intervals", f"{len(answer.day.chosen):,}")]
    if chosen and not reason:
        facts = [
            ("aliases", str(chosen.aliases)),
            ("range over all readings", f"{chosen.low} to {chosen.high}"),
            *facts,
        ]
    hardest = answer.hardest.answer
    blocks = [*_headline(answer), groups_table(answer)]
    if len(answer.day.chosen) > 1:
        blocks.append(day_picture(answer))
    if hardest.curve and len(answer.groups) > 1:
        blocks.append(Paragraph(f"The hardest intervals, {_when(answer, answer.hardest)}:"))
    if hardest.curve:
        blocks += [picture(hardest).captioned(CAPTION), curve_table(hardest)]
    title, subject = f"Aliases for {answer.name} over a day", f"Pool {answer.name}"
    heading = f"{answer.day.name}  {answer.day.heading}"
    parts = Parts(title, subject, heading, facts, blocks, readings_table(hardest), rejected=rejected(hardest))
    return advice_report(hardest, parts)


def groups_table(answer: DayAnswer) -> Table[Group]:
    """The groups in the order of time: load, response, recommendation and range."""
    chosen = answer.recommendation
    then = chosen.aliases if chosen and not day_reason(answer) else None
    share = percent(ALIKE, 0)
    legend = (
        f"First to last interval of each group, whose intervals differ by at most {share} of the day's largest rate, "
        f"service and requests present; of up to {MOST_GROUPS} groups the harder are the narrower. Numbers are means."
    )
    if then is not None:
        legend += f" Resp then: with {plural(then, 'alias', 'aliases')}, and its range over all readings."
    columns: list[Column[Group]] = [
        Column("when", "first to last", lambda group: answer.day.span(group.intervals)),
        Column("intervals", "intervals", lambda group: len(group.intervals), form=decimals(0)),
        Column("io_per_s", "I/O per s", lambda group: group.report.io_per_s, form=decimals(0)),
        Column("response_ms", "Resp", lambda group: group.report.response_ms, "ms", decimals(2)),
        Column("queue_depth", "waiting", lambda group: group.report.queue_depth, form=decimals(1)),
        Column("fails_per_try", "fails/try", _fails, form=decimals(2), optional=True),
        Column("aliases", "aliases", _aliases),
        Column("range", "range", _range),
        Column("response_then_ms", "Resp then", lambda group: _then(group, then), "ms", decimals(2), optional=True),
        Column("response_range_ms", "all readings", lambda group: _span(group, then), form=_spans, optional=True),
    ]
    return Table(
        columns, sorted(answer.groups, key=lambda group: group.intervals[0].number), legend=legend,
        marks=lambda group: _marks(answer, group), face=Face.PEOPLE,
    )  # fmt: skip


def day_picture(answer: DayAnswer) -> Figure:
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
    """One answer as an object: the recommendation, its range, the hardest interval, groups, and every interval.

    >>> from slicewright.advise.aliases.example import day_advice
    >>> made = document(day_advice())
    >>> made["question"], made["hardest"]["interval"], [group["count"] for group in made["groups"]]
    ('aliases', 1, [1, 2])
    """
    reason, day = day_reason(answer), answer.day
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


def day_reason(answer: DayAnswer) -> str:
    """The reason why the day has no recommendation; empty where it has one."""
    chosen = answer.recommendation
    if chosen is None:
        return f"{_when(answer, answer.hardest)}, the hardest: {reason_of(answer.hardest.answer)}"
    if not says_nothing(chosen.low, chosen.high):
        return ""
    return f"the readings range from {chosen.low} to {chosen.high} aliases, which settles nothing"


def _headline(answer: DayAnswer) -> list[Block]:
    chosen, reason, rule = answer.recommendation, day_reason(answer), answer.hardest.answer.estimate
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


def _when(answer: DayAnswer, group: Group) -> str:
    return answer.day.span(group.intervals)


def _instant(answer: DayAnswer, interval: int) -> str:
    from slicewright.measured.tables import when

    return when(answer.day.measured.starts_us[interval])


def _interval(answer: DayAnswer, interval: Interval, group: Group) -> dict[str, Any]:
    """An interval as an object, with the number of its group."""
    return {
        "interval": interval.number, "starts": _instant(answer, interval.number),
        "group": answer.groups.index(group), "aliases": interval.aliases, "io_per_s": in_json(interval.io_per_s),
        "response_ms": in_json(interval.response_ms), "queue_depth": in_json(interval.waiting),
    }  # fmt: skip


def _marks(answer: DayAnswer, group: Group) -> list[str]:
    said = {"hardest": group is answer.hardest, "needs most": group is answer.deciding is not answer.hardest}
    return [mark for mark, holds in said.items() if holds and len(answer.groups) > 1]


def _fails(group: Group) -> float | None:
    return group.report.tries.fails_per_try if group.report.tries else None


def _aliases(group: Group) -> str:
    chosen = group.answer.recommendation
    return str(chosen.aliases) if chosen else "-"


def _range(group: Group) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low} to {chosen.high}" if chosen else "refused"


def _then(group: Group, aliases: int | None) -> float | None:
    point = group.point(aliases) if aliases is not None else None
    return point.estimates["response_ms"].mean if point else None


def _span(group: Group, aliases: int | None) -> Span | None:
    point = group.point(aliases) if aliases is not None else None
    return Span(point.low["response_ms"], point.high["response_ms"]) if point else None


def _spans(spans: Sequence[Span | None]) -> list[str]:
    return ["" if span is None else f"{fixed(span.low, 2)} - {fixed(span.high, 2)}" for span in spans]
