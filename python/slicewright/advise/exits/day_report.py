"""The answer about installation exits over a day as a report: structure, groups of intervals, names in contention."""

from __future__ import annotations

from typing import Any

from slicewright.advise.exits.day_answer import Contended, DayExitAnswer, Group
from slicewright.advise.exits.report import document as document_of
from slicewright.advise.exits.report import report as report_of
from slicewright.advise.exits.structures import SHORT
from slicewright.io.numerals import in_json
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import decimals, estimates, words_right
from slicewright.report.model import Block, Column, Face, Lead, Notes, Paragraph, Report, Section, Table
from slicewright.statistics import fixed, percent

SHOWN = 8
"""Names in contention that text shows: those longest in contention."""


def report(answer: DayExitAnswer) -> Report:
    """The answer as a report; the sections behind it are those of the hardest intervals."""
    chosen = answer.recommendation
    facts = [("structure", _short(chosen)), ("hardest", answer.day.span(answer.hardest.intervals))]
    heading = f"{answer.day.name}  {answer.day.heading}"
    blocks: list[Block] = [Paragraph(heading, flush=True, face=Face.TEXT), *_headline(answer), groups_table(answer)]
    if len(answer.day.chosen) > 1:
        blocks.append(day_picture(answer))
    sections = [Section("Exits", blocks), Section("Names in contention", [names_table(answer)])]
    sections.append(Section("", [Notes("Open", _open(answer))]))
    hardest = report_of(answer.hardest.answer).sections
    title = f"The hardest intervals, {answer.day.span(answer.hardest.intervals)}"
    sections += [Section(title, [Paragraph(f"{title}:", flush=True, face=Face.TEXT)]), *hardest]
    return Report("Installation exits over a day", heading, facts, sections)


def groups_table(answer: DayExitAnswer) -> Table[Group]:
    """The groups in the order of time: rate, structure, and what it saves."""
    return Table(
        [
            Column("when", "first to last", lambda group: answer.day.span(group.intervals)),
            Column("intervals", "intervals", lambda group: len(group.intervals), form=decimals(0)),
            Column("enq_per_s", "ENQ per s", lambda group: group.enq_per_s, form=decimals(0)),
            Column("choose", "choose", lambda group: _short(group.answer.recommendation)),
            Column("saved_percent", "saves", _saved, "%", estimates),
        ],
        sorted(answer.groups, key=lambda group: group.intervals[0].number),
        legend="First to last interval of each group; of up to three groups the harder are the narrower. Saves: of a "
        "processor, over slow exits at every request.",
        marks=lambda group: ["hardest"] if group is answer.hardest and len(answer.groups) > 1 else [], face=Face.PEOPLE,
    )  # fmt: skip


def names_table(answer: DayExitAnswer) -> Table[Contended]:
    """The names in contention, longest first."""
    shown = set(answer.names[:SHOWN])
    rest = f" Text shows {SHOWN} of {len(answer.names):,} names." if len(answer.names) > SHOWN else ""
    return Table(
        [
            Column("qname", "qname", lambda name: name.qname),
            Column("rname", "rname", lambda name: name.rname),
            Column("scope", "scope", lambda name: name.scope),
            Column("contentions", "contentions", lambda name: name.contentions, form=decimals(0)),
            Column("share", "of the time", lambda name: percent(name.share), form=words_right),
            Column("mean_ms", "mean", lambda name: name.mean_ms, "ms", decimals(2)),
            Column("longest_ms", "longest", lambda name: name.longest_ms, "ms", decimals(1)),
            Column("hardest", "hardest", lambda name: answer.day.when(name.hardest)),
        ],
        answer.names, legend=f"Record 77-1, over all intervals.{rest}", face=Face.PEOPLE,
        brief=lambda name: name in shown,
    )  # fmt: skip


def day_picture(answer: DayExitAnswer) -> Figure:
    """Requests over the day as measured, and what the recommended structure saves as simulated for each group."""
    track = sorted(
        ((interval, group) for group in answer.groups for interval in group.intervals), key=lambda pair: pair[0].number
    )
    starts, chosen = answer.day.measured.starts_us, answer.recommendation
    x = [(starts[interval.number] - starts[track[0][0].number]) / 60e6 for interval, _ in track]
    panels = [Panel("ENQ per second", [Series(x, [interval.enq_per_s for interval, _ in track], label="measured")])]
    if chosen:
        saved = [group.answer.point(chosen).differences["saved"].mean for _, group in track]
        panels.append(Panel("Saved, % of a processor", [Series(x, saved, label=_short(chosen), kind="steps")]))
    across = f"Minutes from {answer.day.when(track[0][0].number)}"
    return Figure(panels, across, "Rates as measured; steps are simulated for each group.", layout="below")


def document(answer: DayExitAnswer) -> dict[str, Any]:
    """One answer as an object: the structure, groups with their answers, names in contention."""
    made: dict[str, Any] = {"question": "exits", "files": [answer.day.name], "system": answer.day.measured.name}
    made |= {"recommendation": answer.recommendation, "saved_percent": in_json(answer.saved_percent)}
    made["global_share_percent"] = in_json(100 * answer.wide)
    made["groups"] = [
        {
            "intervals": [interval.number for interval in group.intervals], "enq_per_s": in_json(group.enq_per_s),
            "answer": document_of(group.answer),
        }
        for group in answer.groups
    ]  # fmt: skip
    made["names"] = [
        {
            "qname": name.qname, "rname": name.rname, "scope": name.scope, "contentions": in_json(name.contentions),
            "share_percent": in_json(100 * name.share), "hardest": name.hardest,
        }
        for name in answer.names
    ]  # fmt: skip
    return made


def _headline(answer: DayExitAnswer) -> list[Block]:
    chosen, when = answer.recommendation, answer.day.span(answer.hardest.intervals)
    rate, wide = fixed(answer.hardest.enq_per_s, 0), percent(answer.wide)
    lines = [f"Hardest intervals: {when}, {rate} ENQs per second outside STEP, {wide} with SCOPE=SYSTEMS."]
    if answer.names:
        worst = answer.names[0]
        lines.append(
            f"Longest in contention: {worst.qname} {worst.rname}, {percent(worst.share)} of the time, most in interval "
            f"{worst.hardest} ({answer.day.when(worst.hardest)})."
        )
    if chosen is None:
        return [Paragraph(f"No recommendation: {answer.hardest.answer.reason}."), *map(Paragraph, lines)]
    groups = {group.answer.recommendation for group in answer.groups}
    scope = "every group agrees" if groups == {chosen} else "other groups choose differently"
    saves = (
        f"It saves {fixed(answer.saved_percent, 1)} % of a processor over slow exits at every request, over the day."
    )
    return [Lead(f"{_short(chosen)}, for the rates of the day", scope), *map(Paragraph, [saves, *lines])]


def _open(answer: DayExitAnswer) -> list[str]:
    return [
        "the present structure of exits is in no record: slow exits at every request are taken for it",
        "72-5 counts ENQs: each is taken for a pair of ENQ and DEQ",
    ]


def _short(structure: str | None) -> str:
    return SHORT[structure] if structure else "none"


def _saved(group: Group) -> Any:
    chosen = group.answer.recommendation
    return group.answer.point(chosen).differences["saved"] if chosen else None
