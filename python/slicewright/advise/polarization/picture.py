"""The answer about polarization as one HTML page: work against processor time, a point per setting, and the text.

It leaves out drawing: `figures` and `html` do that.
"""

from __future__ import annotations

from collections.abc import Sequence

from slicewright.advise.constants import constant_sections
from slicewright.advise.notes import note_sections
from slicewright.advise.polarization.answer import PolarizationAnswer
from slicewright.advise.polarization.page import page, short
from slicewright.html import Page, Section, Table, render
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.statistics import fixed, plus_minus

CAPTION = (
    "Up is more work, left is less processor time. Crosses: 95 % intervals. Light bars: the range over readings of "
    "assumed costs and caches."
)


def report_page(answers: Sequence[PolarizationAnswer]) -> str:
    """All answers as one self-contained document; the same answers give the same bytes.

    >>> from slicewright.advise.polarization.example import advice
    >>> "<title>Polarization of ZVM</title>" in report_page([advice()])
    True
    """
    sections = [section for one in answers for section in _sections(one)]
    first = answers[0]
    told = first.recommendation
    facts = [("recommendation", "none: it makes no difference")]
    if told:
        facts = [("setting", told.setting.words(first.usual)), ("processors", str(told.setting.processors))]
        facts.append(("throughput is gated by", {"processor": "the processor", "elsewhere": "something else"}
                      .get(first.gate.where, "the processor in part")))  # fmt: skip
    title = f"Polarization of {', '.join(one.partition.name for one in answers)}"
    return render(Page(title, first.heading, facts, sections))


def picture(answer: PolarizationAnswer) -> Figure:
    """Work against processor time, a numbered point per setting with its intervals.

    >>> from slicewright.advise.polarization.example import advice
    >>> len(picture(advice()).panels)
    1
    """
    chosen = answer.recommendation.setting if answer.recommendation else answer.partition.now
    spots: list[Series] = []
    for one in answer.curve:
        work, total = one.columns["work_percent"], one.columns["total_percent"]
        name = short(one.setting, chosen, answer.usual)
        marks = [
            word for word, key in (("choose", chosen.key), ("now", answer.partition.now.key)) if key == one.setting.key
        ]
        if answer.recommendation is None:
            marks = [word for word in marks if word != "choose"]
        name += f" ({', '.join(marks)})" if marks else ""
        low, high = ([one.low["work_percent"]], [one.high["work_percent"]]) if one.low else (None, None)
        letter = chr(ord("A") + len(spots) % 26)
        spots.append(
            Series(
                [total.mean], [work.mean], [work.half_width], f"{letter}  {name}", "points", low, high,
                x_half_width=[total.half_width], names=[letter], look=Look(1 + len(spots) % 4, filled=False),
            )
        )  # fmt: skip
    return Figure([Panel("Work, %", spots, origin="free")], "Processor time, %")


def _sections(answer: PolarizationAnswer) -> list[Section]:
    name = answer.partition.name
    sections = [
        Section(
            name,
            [answer.heading],
            [picture(answer).captioned(CAPTION)],
            [_points(answer)],
            (("As text", page(answer)),),
        )
    ]
    if len(answer.readings) > 1:
        sections.append(Section("Readings", tables=[_readings(answer)]))
    return [*sections, *note_sections(answer), *constant_sections(answer.constants)]


def _points(answer: PolarizationAnswer) -> Table:
    names = {
        "work_percent": "work, %", "total_percent": "processor time, %", "guests_percent": "guests, %",
        "chargeable_cp_percent": "chargeable CP, %", "nonchargeable_cp_percent": "non-chargeable CP, %",
        "spin_percent": "spin, %", "moved_percent": "moved, %", "ready": "CPU wait", "unparked": "unparked",
    }  # fmt: skip
    rows = []
    for one in answer.curve:
        cells = [plus_minus(one.columns[name].mean, one.columns[name].half_width) for name in names]
        rows.append([one.setting.words(answer.usual), *cells, fixed(one.columns["tv_ratio"].mean, 2)])
    return Table(["setting", *names.values(), "T/V"], rows)


def _readings(answer: PolarizationAnswer) -> Table:
    rows = []
    for one in answer.readings:
        chosen = one.chosen.words(answer.usual) if one.chosen else f"not simulated: {one.why}"
        rows.append([one.what, chosen, plus_minus(one.gain.mean, one.gain.half_width)])
    return Table(["reading", "choose", "work, vertical over horizontal, %"], rows)
