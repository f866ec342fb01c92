"""The answer about slices over a day as a report: the slice, groups of intervals, the day, the hardest intervals."""

from __future__ import annotations

from typing import Any

from slicewright.advise.report import Parts, advice_report
from slicewright.advise.slices.answer import SlicePoint
from slicewright.advise.slices.day_answer import GROUPS, DaySliceAnswer, Group
from slicewright.advise.slices.picture import CAPTION, picture
from slicewright.advise.slices.report import curve_table, partitions_table
from slicewright.advise.slices.report import document as document_of
from slicewright.advise.slices.words import span
from slicewright.io.numerals import finite, in_json
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import decimals
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import fixed


def report(answer: DaySliceAnswer) -> Report:
    """The answer as a report; notes are those of the hardest intervals."""
    chosen, hardest = answer.recommendation, answer.hardest.answer
    facts = [("hardest", answer.day.span(answer.hardest.intervals)), ("intervals", f"{len(answer.day.chosen):,}")]
    if chosen:
        facts = [
            ("slice", span(chosen.slice_ms)),
            ("range over all readings", f"{chosen.low_ms:g} to {chosen.high_ms:g} ms"),
            *facts,
        ]
    blocks = [*_headline(answer), groups_table(answer)]
    if len(answer.day.chosen) > 1:
        blocks.append(day_picture(answer))
    if hardest.recommendation:
        blocks.append(Paragraph(f"The hardest intervals, {answer.day.span(answer.hardest.intervals)}:"))
        blocks += [picture(hardest).captioned(CAPTION), curve_table(hardest), partitions_table(hardest)]
    rejected = [f"{reading.load}: {reading.why}" for reading in hardest.readings if not reading.accepted]
    heading = f"{answer.day.name}  {answer.day.heading}"
    parts = Parts(f"Slices for {answer.own} over a day", "Slices", heading, facts, blocks, rejected=rejected)
    return advice_report(hardest, parts)


def groups_table(answer: DaySliceAnswer) -> Table[Group]:
    """The groups in the order of time: load, wait of ended I/O, recommendation and range."""
    chosen = answer.recommendation
    then = chosen.slice_ms if chosen else None
    what = "run" if answer.hardest.answer.weighs else "slice"
    legend = (
        f"First to last interval of at most {GROUPS} groups, of which the harder are the narrower. Numbers are means."
    )
    if then is not None:
        legend += f" Hold then: with a {what} of {span(then)} all day."
    return Table(
        [
            Column("when", "first to last", lambda group: answer.day.span(group.intervals)),
            Column("intervals", "intervals", lambda group: len(group.intervals), form=decimals(0)),
            Column("io_per_s", "I/O per s", lambda group: group.io_per_s, form=decimals(0)),
            Column("present", "requests", lambda group: group.present, form=decimals(1)),
            Column("hold_ms", "hold now", lambda group: _hold(group.point(group.answer.now_ms)), "ms", decimals(2)),
            Column("slice_ms", what, _slice),
            Column("range", "range", _range),
            Column("hold_then_ms", "hold then", lambda group: _hold(group.point(then)), "ms", decimals(2)),
        ],
        sorted(answer.groups, key=lambda group: group.intervals[0].number), legend=legend,
        marks=lambda group: ["hardest"] if group is answer.hardest and len(answer.groups) > 1 else [],
        face=Face.PEOPLE,
    )  # fmt: skip


def day_picture(answer: DaySliceAnswer) -> Figure:
    """Rate and processors used over the day as measured; wait of ended I/O and slices as simulated for each group."""
    track, starts, chosen = list(answer.track), answer.day.measured.starts_us, answer.recommendation
    first = starts[track[0][0].number]
    unit, size = ("Hours", 3600e6) if starts[track[-1][0].number] - first >= 7200e6 else ("Minutes", 60e6)
    x = [(starts[interval.number] - first) / size for interval, _ in track]
    now = [_hold(group.point(group.answer.now_ms)) for _, group in track]
    holds = [Series(x, now, label="now", kind="steps")] if any(hold is not None for hold in now) else []
    panels = [
        Panel("I/O per second", [Series(x, [interval.io_per_s for interval, _ in track], label="measured")]),
        Panel("Processors used", [Series(x, [interval.used for interval, _ in track], label="measured")]),
    ]
    if chosen:
        then = [_hold(group.point(chosen.slice_ms)) for _, group in track]
        holds.append(Series(x, then, label=f"with {span(chosen.slice_ms)}", kind="steps"))
        found = [group.answer.recommendation for _, group in track]
        least = Series(
            x, [each.slice_ms if each else None for each in found],
            low=[each.low_ms if each else None for each in found],
            high=[each.high_ms if each else None for each in found], label="recommended", kind="steps",
        )  # fmt: skip
        panels += [Panel("Ended I/O waits, ms", holds), Panel("Least cost, ms", [least])]
    caption = "Load as measured; steps are simulated for each group of like intervals. Band: all readings."
    return Figure(panels, f"{unit} from {answer.day.when(track[0][0].number)}", caption, layout="below")


def document(answer: DaySliceAnswer) -> dict[str, Any]:
    """One answer as an object: the recommendation, its range, groups with their answers."""
    chosen, day = answer.recommendation, answer.day
    made: dict[str, Any] = {"question": "slices", "files": [day.name], "system": day.measured.name}
    made |= {"partition": answer.own, "recommendation": None}
    if chosen:
        made["recommendation"] = {"slice_ms": chosen.slice_ms, "low": chosen.low_ms, "high": chosen.high_ms}
        made["hold_ms"] = in_json(answer.hold_ms(chosen.slice_ms))
    else:
        made["reason"] = answer.hardest.answer.reason
    made["groups"] = [
        {
            "intervals": [interval.number for interval in group.intervals], "io_per_s": in_json(group.io_per_s),
            "requests": in_json(group.present), "answer": document_of(group.answer),
        }
        for group in answer.groups
    ]  # fmt: skip
    return made


def _headline(answer: DaySliceAnswer) -> list[Block]:
    chosen, hardest = answer.recommendation, answer.hardest.answer
    when = answer.day.span(answer.hardest.intervals)
    if chosen is None:
        return [Paragraph(f"No recommendation for {answer.own}: {when}, the hardest: {hardest.reason}.")]
    what = "Runs" if hardest.weighs else "Slices"
    scope = "every reading agrees"
    if chosen.low_ms != chosen.high_ms:
        scope = f"range {chosen.low_ms:g} to {chosen.high_ms:g} over groups and readings"
    hold = fixed(answer.hold_ms(chosen.slice_ms), 2)
    if hardest.now_ms is not None and hardest.now_ms in answer.slices:
        hold = f"{fixed(answer.hold_ms(hardest.now_ms), 2)} -> {hold}"
    own = hardest.recommendation
    lines = [f"An ended I/O of {answer.own} waits {hold} ms for its partition, over the day by I/O."]
    if own is not None and len(answer.groups) > 1:
        lines.append(f"Hardest intervals, {when}: {span(own.slice_ms)}, range {own.low_ms:g} to {own.high_ms:g}.")
    without = [group for group in answer.groups if group not in answer.answered]
    if without:
        which = ", ".join(answer.day.span(group.intervals) for group in without)
        lines.append(f"No load reproduces {which}: the recommendation leaves these intervals out.")
    head = f"{what} of {span(chosen.slice_ms)} cost least over the day"
    return [Lead(head, scope), *(Paragraph(text) for text in lines)]


def _hold(point: SlicePoint | None) -> float | None:
    return finite(point.hold.simulated.mean) if point else None


def _slice(group: Group) -> str:
    chosen = group.answer.recommendation
    return span(chosen.slice_ms) if chosen else "-"


def _range(group: Group) -> str:
    chosen = group.answer.recommendation
    return f"{chosen.low_ms:g} to {chosen.high_ms:g}" if chosen else "no load fits"
