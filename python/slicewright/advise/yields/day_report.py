"""DIAGNOSEs and the scheduler lock over a day as a report: groups of intervals, and their processor time."""

from __future__ import annotations

from typing import Any

from slicewright.advise.yields.day_answer import STARTER, DayYields, Group
from slicewright.io.numerals import in_json
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import decimals
from slicewright.report.model import Block, Column, Face, Notes, Paragraph, Report, Section, Table
from slicewright.statistics import fixed

REASON = "no record has the time in which guests hold their locks or spin for them"


def report(answer: DayYields) -> Report:
    """The rates and costs as a report."""
    day, peak = answer.day, answer.peak
    heading = f"{day.name}  {day.heading}"
    most = fixed(answer.mean(), 2)
    blocks: list[Block] = [
        Paragraph(heading, flush=True, face=Face.TEXT),
        Paragraph(f"No recommendation: {REASON}."),
        Paragraph(f"DIAGNOSEs and the scheduler lock take {most} % of a processor over the day. Guests that "
                  "spin for locks of their own take more, which no record shows."),
        Paragraph(f"Hardest interval: {peak.number} ({day.when(peak.number)}), {fixed(answer.taken(peak), 2)} % of a "
                  "processor."),
        groups_table(answer),
    ]  # fmt: skip
    if len(day.chosen) > 1:
        blocks.append(day_picture(answer))
    lock = answer.hardest.mean("spinning")
    missing = [] if lock is not None else ["0/23: the scheduler lock is not in these records"]
    notes = [
        Notes("Open", [*missing, f"a DIAGNOSE X'44' takes {answer.x44_us:g} us, X'9C' {answer.x9c_us:g} us: borrowed "
                       f"from the starter {STARTER}"]),
        Notes("Settles it", ["a scenario with the locks of the guests: advise yields SCENARIO"]),
    ]  # fmt: skip
    facts = [("taken", f"{most} % of a processor"), ("hardest", day.when(peak.number))]
    return Report("Yields over a day", heading, facts, [Section("Yields", blocks), Section("", notes)])


def groups_table(answer: DayYields) -> Table[Group]:
    """The groups in the order of time: processor time, rates, their cost, and the scheduler lock."""
    return Table(
        [
            Column("when", "first to last", lambda group: answer.day.span(group.intervals)),
            Column("intervals", "intervals", lambda group: len(group.intervals), form=decimals(0)),
            Column("total_percent", "used", lambda group: group.mean("total_percent"), "%", decimals(0)),
            Column("tv_ratio", "T/V", lambda group: group.mean("tv_ratio"), form=decimals(2), optional=True),
            Column("x44_per_s", "X'44' per s", lambda group: group.mean("x44_per_s"), form=decimals(0)),
            Column("x9c_per_s", "X'9C' per s", lambda group: group.mean("x9c_per_s"), form=decimals(0)),
            Column("collisions_per_s", "lock held per s", lambda group: group.mean("collisions_per_s"),
                   form=decimals(0), optional=True),
            Column("spinning", "spins", lambda group: group.mean("spinning"), "%", decimals(2), optional=True),
            Column("taken", "both", answer.mean, "%", decimals(2)),
        ],
        sorted(answer.groups, key=lambda group: group.intervals[0].number),
        legend="First to last interval of each group of like intervals. Percent of one processor. Spins: for the "
        "scheduler lock; both: these and DIAGNOSEs.",
        marks=lambda group: ["hardest"] if group is answer.hardest and len(answer.groups) > 1 else [], face=Face.PEOPLE,
    )  # fmt: skip


def day_picture(answer: DayYields) -> Figure:
    """Rates of DIAGNOSEs and their processor time over the day, as measured."""
    track = sorted((interval for group in answer.groups for interval in group.intervals), key=lambda each: each.number)
    starts = answer.day.measured.starts_us
    x = [(starts[interval.number] - starts[track[0].number]) / 60e6 for interval in track]
    rates = [
        Series(x, [interval.x44_per_s for interval in track], label="X'44'"),
        Series(x, [interval.x9c_per_s for interval in track], label="X'9C'"),
    ]
    taken = [Series(x, [answer.taken(interval) for interval in track], label="DIAGNOSEs and scheduler lock")]
    panels = [Panel("DIAGNOSEs per second", rates), Panel("Taken, % of a processor", taken)]
    across = f"Minutes from {answer.day.when(track[0].number)}"
    return Figure(panels, across, "Every interval as measured, with borrowed costs.", layout="below")


def document(answer: DayYields) -> dict[str, Any]:
    """The rates and costs as an object; there is no recommendation."""
    made: dict[str, Any] = {"question": "yields", "files": [answer.day.name], "system": answer.day.measured.name}
    made |= {"recommendation": None, "reason": REASON, "hardest": {"interval": answer.peak.number}}
    made |= {"taken_percent": in_json(answer.mean()), "x44_us": answer.x44_us, "x9c_us": answer.x9c_us}
    names = ("total_percent", "x44_per_s", "x9c_per_s", "spinning", "collisions_per_s")
    made["groups"] = [
        {"intervals": [interval.number for interval in group.intervals], "taken_percent": in_json(answer.mean(group))}
        | {name: in_json(value) if (value := group.mean(name)) is not None else None for name in names}
        for group in answer.groups
    ]
    return made
