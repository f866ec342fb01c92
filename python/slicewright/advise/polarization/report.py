"""The answer about polarization as a report: the setting first, a row per setting, readings, and what is open."""

from __future__ import annotations

from typing import Any

from slicewright.advise.polarization.comparison import SHOWN, SettingAnswer, SettingPoint, best, default_is, usual
from slicewright.advise.polarization.setting import Setting
from slicewright.advise.polarization.words import change, wait_change
from slicewright.advise.report import (
    Document,
    Parts,
    advice_document,
    advice_report,
    capital,
    counter,
    difference,
    readings_table,
)
from slicewright.advise.report import marks as holding
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import Form, decimals, estimates, spans
from slicewright.report.json import record, records, values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import Estimate

CAPTION = (
    "Higher is more work, further left is less processor time. Crosses: 95 % intervals. Light bars: the range"
    " over readings of "
    "assumed costs and caches."
)
GATES = {"processor": "the processor", "elsewhere": "something else"}
"""The gates of throughput, by their names in the answer; anything between is the processor in part."""
COUNTERS: dict[str, tuple[str, str, Form, Face]] = {
    "work_percent": ("work", "%", estimates, Face.ALL),
    "total_percent": ("processor time", "%", estimates, Face.ALL),
    "guests_percent": ("guests", "%", estimates, Face.HTML | Face.JSON),
    "chargeable_cp_percent": ("chargeable CP", "%", estimates, Face.HTML | Face.JSON),
    "nonchargeable_cp_percent": ("nc", "%", decimals(1), Face.ALL),
    "tv_ratio": ("T/V", "", decimals(2), Face.ALL),
    "unparked": ("unparked", "", decimals(1), Face.ALL),
    "moved_percent": ("moved", "%", decimals(1), Face.ALL),
    "spin_percent": ("spin", "%", estimates, Face.HTML | Face.JSON),
    "ready": ("wait", "", decimals(2), Face.ALL),
}
"""Header, unit, form as text and faces of the counters that people see; JSON has all that were compared."""


def report(answer: SettingAnswer) -> Report:
    """The answer as a report.

    >>> from slicewright.advise.polarization.example import advice
    >>> report(advice()).title
    'Polarization of ZVM'
    """
    name, chosen = answer.subject.name, answer.recommendation
    facts = [("recommendation", "none: it makes no difference")]
    if chosen:
        facts = [("setting", chosen.words(usual(answer))), ("processors", str(chosen.processors))]
        facts.append(("throughput is gated by", GATES.get(answer.evidence.gate.where, "the processor in part")))
    blocks = [*_headline(answer), picture(answer).captioned(CAPTION), settings_table(answer)]
    gain = ("work, vertical over horizontal", "%")
    readings = readings_table(answer.readings, lambda setting: setting.words(usual(answer)), gain)
    title = f"Polarization of {name}"
    parts = Parts(title, name, answer.case.heading, facts, blocks, readings, answer.case.constants)
    return advice_report(answer.explanation, parts)


def settings_table(answer: SettingAnswer) -> Table[SettingPoint]:
    """A row per setting that was simulated."""
    chosen = best(answer)
    columns: list[Column[SettingPoint]] = [
        Column("setting", "setting", lambda point: short(point.variant, chosen, usual(answer)), face=Face.PEOPLE)
    ]
    for name in SHOWN:
        header, unit, brief, face = COUNTERS.get(name, ("", "", estimates, Face.JSON))
        columns.append(Column(name, header, counter(name), unit, estimates, brief=brief, face=face))
        if name in ("work_percent", "total_percent"):
            columns.append(_between(name))
    for name in ("work", "total", "wait"):
        columns.append(Column(f"{name}_from_now_percent", "", difference(f"{name}_from_now"), face=Face.JSON))
    columns.append(
        Column("tv_parks_percent", "", lambda point: 100 * answer.evidence.parks[point.variant], face=Face.JSON)
    )
    legend = (
        "100 % is one processor. Work: what its guests did, as if in warm caches; throughput is proportional to it. "
        "nc: non-chargeable. Wait: virtual processors that wait for a processor. ± is simulation noise (95 %,"
        f" {answer.plan.replications} runs)."
    )
    return Table(columns, answer.points, legend=legend, marks=lambda point: _marks(answer, point))


def short(setting: Setting, chosen: Setting, usual: Setting) -> str:
    """A setting as a row is named: without polarization and method where they are those of the one to choose.

    >>> usual = Setting("vertical", "reshuffle", 100.0, "large", 8)
    >>> short(usual.with_(processors=6), usual, usual), short(usual, usual, usual)
    ('6 processors', 'vertical reshuffle')
    """
    words = setting.words(usual)
    if setting == chosen:
        return words
    return words.removeprefix(f"{chosen.polarization} {chosen.method}, ").removeprefix(f"{chosen.polarization}, ")


def picture(answer: SettingAnswer) -> Figure:
    """Work against processor time, a lettered point per setting with its intervals."""
    chosen = best(answer)
    spots: list[Series] = []
    for point in answer.points:
        work, total = point.columns["work_percent"], point.columns["total_percent"]
        marks = [mark for mark in _marks(answer, point) if mark in ("choose", "now")]
        name = short(point.variant, chosen, usual(answer)) + (f" ({', '.join(marks)})" if marks else "")
        span = point.ranges.get("work_percent")
        low, high = ([span.low], [span.high]) if span else (None, None)
        letter = chr(ord("A") + len(spots) % 26)
        spots.append(
            Series(
                [total.mean], [work.mean], [work.half_width], f"{letter}  {name}", "points", low, high,
                x_half_width=[total.half_width], names=[letter], look=Look(1 + len(spots) % 4, filled=False),
            )
        )  # fmt: skip
    return Figure([Panel("Work, %", spots, origin="free")], "Processor time, %")


def document(answer: SettingAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, readings, evidence, caveats.

    Percentages are of one processor but where a name says otherwise; `_low` and `_high` are null where only one reading
    was simulated.

    >>> from slicewright.advise.polarization.example import advice
    >>> made = document(advice())
    >>> made["question"], made["recommendation"]["polarization"], made["curve"][0]["now"]
    ('polarization', 'vertical', True)
    """
    chosen, evidence, gate = answer.recommendation, answer.evidence, answer.evidence.gate
    ratio, table = evidence.runnable.mean, settings_table(answer)
    rows = zip(answer.points, records(table), strict=True)
    own: Document[Setting] = Document(
        recommendation={
            **_setting(chosen), **values("unparked", answer.point(chosen).columns["unparked"].mean),
            "fewest_processors": evidence.fewest, "indifferent": list(evidence.indifferent),
            "as_now": chosen == answer.now,
        } if chosen else None,
        situation={
            "estimate": {**values("runnable_per_processor", ratio), "fits": ratio <= 1}, "now": _setting(answer.now),
        },
        variant=_setting,
        gain="vertical_over_horizontal_percent",
        asked=[_named(answer, point) | record(table, point) for point in map(answer.point, answer.case.asked)],
        target={"setting": _setting(answer.meets[0]) if answer.meets else None},
        tables={"curve": [_named(answer, point) | row for point, row in rows]},
        evidence={
            "gate": gate.where, **_follows(gate.follows), **values("processor_share_of_cycles", gate.by_cycles),
            "parking_engages": evidence.parking, "tv_threshold": answer.subject.controller.tv_threshold,
        },
    )  # fmt: skip
    return advice_document("polarization", answer, own)


def _setting(setting: Setting) -> dict[str, Any]:
    made: dict[str, Any] = {"polarization": setting.polarization, "processors": setting.processors}
    vertical = {"method": setting.method, "cpupad_percent": setting.cpupad, "unparking": setting.unparking}
    return made | (vertical if setting.vertical else dict.fromkeys(vertical))


def _named(answer: SettingAnswer, point: SettingPoint) -> dict[str, Any]:
    now = point.variant == answer.now
    return _setting(point.variant) | {"name": point.variant.words(usual(answer)), "now": now}


def _follows(value: Estimate | None) -> dict[str, Any]:
    return values("work_follows", value) if value else {"work_follows": None, "work_follows_half_width": None}


def _headline(answer: SettingAnswer) -> list[Block]:
    chosen, now = answer.recommendation, answer.now
    blocks: list[Block] = []
    if chosen is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        words = chosen.words(usual(answer))
        which = "as it is now" if chosen == now else f"instead of {now.words(usual(answer))}"
        default = "z/VM's default" if default_is(chosen) else "not z/VM's default"
        blocks.append(Lead(f"{capital(words)}, {which}", f"{_scope(answer, chosen)}; {default}"))
        blocks += [Paragraph(text) for text in _besides(answer, chosen)]
    blocks.append(Paragraph(_processors(answer)))
    if answer.request.target is not None:
        met = answer.meets[0] if answer.meets else None
        what = f"{met.words(usual(answer))} in the least processor time" if met else "no setting that was simulated"
        blocks.append(Paragraph(f"{answer.request.target}: {what}."))
    return blocks


def _scope(answer: SettingAnswer, chosen: Setting) -> str:
    known = answer.chosen
    others = [setting for setting in known if setting != chosen]
    if len(known) < 2:
        return "one reading"
    return f"{len(others)} of {len(known)} readings differ" if others else "every reading agrees"


def _besides(answer: SettingAnswer, chosen: Setting) -> list[str]:
    """Polarity, method and CPUPAD beside the chosen ones, a sentence each."""
    said = [text for point in answer.points if (text := _beside(answer, chosen, point))]
    if chosen.vertical and not answer.evidence.parking:
        said.append("CPUPAD makes no difference: no processor is parked by need.")
    elif chosen.vertical and "cpupad" in answer.evidence.indifferent:
        said.append("CPUPAD makes no relevant difference.")
    return said


def _beside(answer: SettingAnswer, chosen: Setting, point: SettingPoint) -> str:
    """How one setting differs from the chosen one; empty where it is not worth a sentence."""
    other, now = point.variant, answer.now
    same_size = other.processors == chosen.processors
    turned = other.vertical != chosen.vertical and same_size and other.cpupad == now.cpupad
    placed = other.vertical and chosen.vertical and other.method != chosen.method and same_size
    default = default_is(other) and same_size and other != chosen
    before = other == now != chosen
    if not (((turned or placed) and other.unparking == now.unparking) or default or before):
        return ""
    words = other.words(usual(answer))
    name = f"z/VM's default ({words})" if default else capital(words)
    name = f"As it is now ({words})" if before else name
    work, total = (
        change(point.differences["work_from_chosen"], "work"),
        change(point.differences["total_from_chosen"], "processor time"),
    )
    return f"{name}: {work}, {total}, {wait_change(answer, point)}."


def _processors(answer: SettingAnswer) -> str:
    now, chosen = answer.now, best(answer)
    fewer = [point for point in answer.points if _only_fewer(point.variant, chosen)]
    if chosen.processors < now.processors:
        return f"{chosen.processors} logical processors instead of {now.processors}."
    if not fewer:
        return f"All {now.processors} logical processors are needed."
    most = max(fewer, key=lambda point: point.variant.processors)
    if answer.evidence.fewest < chosen.processors:
        fewest = next(point for point in fewer if point.variant.processors == answer.evidence.fewest)
        same = wait_change(answer, fewest)
        return f"{answer.evidence.fewest} of {now.processors} logical processors would do the same ({same})."
    loss = f"{change(most.differences['work_from_chosen'], 'work')}, {wait_change(answer, most)}"
    return f"{most.variant.processors} of {now.processors} logical processors: {loss}."


def _only_fewer(setting: Setting, chosen: Setting) -> bool:
    return setting.processors < chosen.processors and setting.with_(processors=chosen.processors) == chosen


def _marks(answer: SettingAnswer, point: SettingPoint) -> list[str]:
    variant = point.variant
    said = {
        "choose": variant == answer.recommendation,
        "now": variant == answer.now,
        "asked": variant in answer.case.asked,
        "target": bool(answer.meets) and variant == answer.meets[0],
    }
    return holding(said)


def _between(name: str) -> Column[SettingPoint]:
    """The range of a counter over readings; a page shows that of work."""
    face = Face.ALL if name == "work_percent" else Face.JSON
    return Column(
        name, "all readings", lambda point: point.range(name), form=spans(0), face=face,
        optional=True,
    )  # fmt: skip
