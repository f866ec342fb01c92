"""The answer about polarization as a report: the setting first, a row per setting, readings, and what is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slicewright.advise.constants import constants_table
from slicewright.advise.polarization.answer import SHOWN, PolarizationAnswer, Recommended, SettingPoint
from slicewright.advise.polarization.build import default_is
from slicewright.advise.polarization.setting import Setting
from slicewright.advise.polarization.words import change, wait_change
from slicewright.advise.report import Parts, advice_report, readings_json, readings_table
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.forms import Form, Span, decimals, estimates, spans
from slicewright.report.json import record, records, values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.statistics import Estimate

CAPTION = (
    "Up is more work, left is less processor time. Crosses: 95 % intervals. Light bars: the range over readings of "
    "assumed costs and caches."
)
GATES = {"processor": "the processor", "elsewhere": "something else"}
"""What gates throughput, by what the answer calls it; anything between is the processor in part."""
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


def report(answer: PolarizationAnswer) -> Report:
    """The answer as a report.

    >>> from slicewright.advise.polarization.example import advice
    >>> report(advice()).title
    'Polarization of ZVM'
    """
    name, chosen = answer.partition.name, answer.recommendation
    facts = [("recommendation", "none: it makes no difference")]
    if chosen:
        facts = [("setting", chosen.setting.words(answer.usual)), ("processors", str(chosen.setting.processors))]
        facts.append(("throughput is gated by", GATES.get(answer.gate.where, "the processor in part")))
    blocks = [*_headline(answer), picture(answer).captioned(CAPTION), settings_table(answer)]
    gain = ("work, vertical over horizontal", "%")
    readings = readings_table(answer.readings, lambda setting: setting.words(answer.usual), gain)
    title = f"Polarization of {name}"
    return advice_report(answer, Parts(title, name, answer.heading, facts, blocks, readings, answer.constants))


def settings_table(answer: PolarizationAnswer) -> Table[SettingPoint]:
    """A row per setting that was simulated."""
    chosen = answer.recommendation.setting if answer.recommendation else answer.partition.now
    columns: list[Column[SettingPoint]] = [
        Column("setting", "setting", lambda point: short(point.setting, chosen, answer.usual), face=Face.PEOPLE)
    ]
    for name in SHOWN:
        header, unit, brief, face = COUNTERS.get(name, ("", "", estimates, Face.JSON))
        columns.append(Column(name, header, _counter(name), unit, estimates, brief=brief, face=face))
        if name in ("work_percent", "total_percent"):
            columns.append(_between(name))
    for name in ("work", "total", "wait"):
        columns.append(Column(f"{name}_from_now_percent", "", _from_now(name), face=Face.JSON))
    columns.append(Column("tv_parks_percent", "", lambda point: 100 * point.tv_parks, face=Face.JSON))
    legend = (
        "100 % is one processor. Work: what its guests did, as if in warm caches; throughput is proportional to it. "
        "nc: non-chargeable. Wait: virtual processors that wait for a processor. ± is simulation noise (95 %,"
        f" {answer.replications} runs)."
    )
    return Table(columns, answer.curve, legend=legend, marks=lambda point: _marks(answer, point))


def short(setting: Setting, chosen: Setting, usual: Setting) -> str:
    """A setting as a row is named: without polarization and method where they are those of the one to choose.

    >>> usual = Setting("vertical", "reshuffle", 100.0, "large", 8)
    >>> short(usual.with_(processors=6), usual, usual), short(usual, usual, usual)
    ('6 processors', 'vertical reshuffle')
    """
    words = setting.words(usual)
    if setting.key == chosen.key:
        return words
    return words.removeprefix(f"{chosen.polarization} {chosen.method}, ").removeprefix(f"{chosen.polarization}, ")


def picture(answer: PolarizationAnswer) -> Figure:
    """Work against processor time, a lettered point per setting with its intervals."""
    chosen = answer.recommendation.setting if answer.recommendation else answer.partition.now
    spots: list[Series] = []
    for point in answer.curve:
        work, total = point.columns["work_percent"], point.columns["total_percent"]
        marks = [mark for mark in _marks(answer, point) if mark in ("choose", "now")]
        name = short(point.setting, chosen, answer.usual) + (f" ({', '.join(marks)})" if marks else "")
        low, high = ([point.low["work_percent"]], [point.high["work_percent"]]) if point.low else (None, None)
        letter = chr(ord("A") + len(spots) % 26)
        spots.append(
            Series(
                [total.mean], [work.mean], [work.half_width], f"{letter}  {name}", "points", low, high,
                x_half_width=[total.half_width], names=[letter], look=Look(1 + len(spots) % 4, filled=False),
            )
        )  # fmt: skip
    return Figure([Panel("Work, %", spots, origin="free")], "Processor time, %")


def document(answer: PolarizationAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, readings, evidence, caveats.

    Percentages are of one processor but where a name says otherwise; `_low` and `_high` are null where only one reading
    was simulated.

    >>> from slicewright.advise.polarization.example import advice
    >>> made = document(advice())
    >>> made["question"], made["recommendation"]["polarization"], made["curve"][0]["now"]
    ('polarization', 'vertical', True)
    """
    chosen, now = answer.recommendation, answer.partition.now
    made: dict[str, Any] = {"question": "polarization", "files": [answer.file], "partition": answer.partition.name}
    made["recommendation"] = None
    if chosen:
        point = answer.point(chosen.setting)
        made["recommendation"] = {
            **_setting(chosen.setting), **values("unparked", point.columns["unparked"].mean if point else None),
            "fewest_processors": chosen.fewest, "indifferent": list(chosen.indifferent),
            "as_now": chosen.setting.key == now.key,
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    ratio = answer.runnable.mean
    made["estimate"] = {**values("runnable_per_processor", ratio), "fits": ratio <= 1}
    made |= {"now": _setting(now), "needed": list(answer.needed)}
    table = settings_table(answer)
    if answer.asked:
        points = (answer.point(setting) for setting in answer.asked)
        made["at"] = [_named(answer, point) | record(table, point) for point in points if point]
    if answer.target:
        met = answer.target.setting
        made["target"] = {"condition": str(answer.target.target), "setting": _setting(met) if met else None}
    rows = zip(answer.curve, records(table), strict=True)
    made["curve"] = [_named(answer, point) | row for point, row in rows]
    made["readings"] = readings_json(answer.readings, _setting, "vertical_over_horizontal_percent")
    gate = answer.gate
    made["evidence"] = {
        "facts": list(answer.facts), "gate": gate.where, **_follows(gate.follows),
        **values("processor_share_of_cycles", gate.by_cycles), "parking_engages": answer.parking,
        "tv_threshold": answer.partition.controller.tv_threshold, "growth_factor": answer.growth,
        "replications": answer.replications, "warm_up_s": answer.warm_up_s, "interval_s": answer.interval_s,
    }  # fmt: skip
    made["constants"] = records(constants_table(answer.constants))
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _setting(setting: Setting) -> dict[str, Any]:
    made: dict[str, Any] = {"polarization": setting.polarization, "processors": setting.processors}
    vertical = {"method": setting.method, "cpupad_percent": setting.cpupad, "unparking": setting.unparking}
    return made | (vertical if setting.vertical else dict.fromkeys(vertical))


def _named(answer: PolarizationAnswer, point: SettingPoint) -> dict[str, Any]:
    now = point.setting.key == answer.partition.now.key
    return _setting(point.setting) | {"name": point.setting.words(answer.usual), "now": now}


def _follows(value: Estimate | None) -> dict[str, Any]:
    return values("work_follows", value) if value else {"work_follows": None, "work_follows_half_width": None}


def _headline(answer: PolarizationAnswer) -> list[Block]:
    chosen, now = answer.recommendation, answer.partition.now
    blocks: list[Block] = []
    if chosen is None:
        blocks.append(Paragraph(f"No recommendation: {answer.reason}."))
    else:
        words = chosen.setting.words(answer.usual)
        which = "as it is now" if chosen.setting.key == now.key else f"instead of {now.words(answer.usual)}"
        default = "z/VM's default" if default_is(chosen.setting) else "not z/VM's default"
        blocks.append(Lead(f"{_capital(words)}, {which}", f"{_scope(answer, chosen)}; {default}"))
        blocks += [Paragraph(text) for text in _besides(answer, chosen)]
    blocks.append(Paragraph(_processors(answer, chosen)))
    if answer.target is not None:
        met = answer.target.setting
        what = f"{met.words(answer.usual)} in the least processor time" if met else "no setting that was looked at does"
        blocks.append(Paragraph(f"{answer.target.target}: {what}."))
    return blocks


def _scope(answer: PolarizationAnswer, chosen: Recommended) -> str:
    known = [reading.chosen for reading in answer.readings if reading.chosen is not None]
    others = [setting for setting in known if setting.key != chosen.setting.key]
    if len(known) < 2:
        return "one reading"
    return f"{len(others)} of {len(known)} readings differ" if others else "every reading agrees"


def _besides(answer: PolarizationAnswer, chosen: Recommended) -> list[str]:
    """Polarity, method and CPUPAD beside the chosen ones, a sentence each."""
    said = [text for point in answer.curve if (text := _beside(answer, chosen.setting, point))]
    if chosen.setting.vertical and not answer.parking:
        said.append("CPUPAD makes no difference: nothing is parked by need.")
    elif chosen.setting.vertical and "cpupad" in chosen.indifferent:
        said.append("CPUPAD makes no difference that counts.")
    return said


def _beside(answer: PolarizationAnswer, chosen: Setting, point: SettingPoint) -> str:
    """How one setting differs from the chosen one; empty where it is not worth a sentence."""
    other, now = point.setting, answer.partition.now
    same_size = other.processors == chosen.processors
    turned = other.vertical != chosen.vertical and same_size and other.cpupad == now.cpupad
    placed = other.vertical and chosen.vertical and other.method != chosen.method and same_size
    default = default_is(other) and same_size and other.key != chosen.key
    before = other.key == now.key != chosen.key
    if not (((turned or placed) and other.unparking == now.unparking) or default or before):
        return ""
    words = other.words(answer.usual)
    name = f"z/VM's default ({words})" if default else _capital(words)
    name = f"As it is now ({words})" if before else name
    work, total = change(point.from_chosen.work, "work"), change(point.from_chosen.total, "processor time")
    return f"{name}: {work}, {total}, {wait_change(answer, point)}."


def _processors(answer: PolarizationAnswer, recommended: Recommended | None) -> str:
    now = answer.partition.now
    chosen = recommended.setting if recommended else now
    fewer = [point for point in answer.curve if _only_fewer(point.setting, chosen)]
    if chosen.processors < now.processors:
        return f"{chosen.processors} logical processors instead of {now.processors}."
    if not fewer:
        return f"All {now.processors} logical processors are needed."
    most = max(fewer, key=lambda point: point.setting.processors)
    if answer.fewest < chosen.processors:
        fewest = next(point for point in fewer if point.setting.processors == answer.fewest)
        same = wait_change(answer, fewest)
        return f"{answer.fewest} of {now.processors} logical processors would do the same ({same})."
    loss = f"{change(most.from_chosen.work, 'work')}, {wait_change(answer, most)}"
    return f"{most.setting.processors} of {now.processors} logical processors: {loss}."


def _only_fewer(setting: Setting, chosen: Setting) -> bool:
    return setting.processors < chosen.processors and setting.with_(processors=chosen.processors).key == chosen.key


def _marks(answer: PolarizationAnswer, point: SettingPoint) -> list[str]:
    chosen, key, target = answer.recommendation, point.setting.key, answer.target
    said = {
        "choose": chosen is not None and key == chosen.setting.key,
        "now": key == answer.partition.now.key,
        "asked": any(key == setting.key for setting in answer.asked),
        "target": target is not None and target.setting is not None and key == target.setting.key,
    }
    return [mark for mark, holds in said.items() if holds]


def _counter(name: str) -> Callable[[SettingPoint], Estimate]:
    return lambda point: point.columns[name]


def _between(name: str) -> Column[SettingPoint]:
    """The range of a counter over readings; a page shows that of work."""
    face = Face.ALL if name == "work_percent" else Face.JSON
    return Column(
        name, "all readings", lambda point: Span(point.low.get(name), point.high.get(name)), form=spans(0), face=face,
        optional=True,
    )  # fmt: skip


def _from_now(name: str) -> Callable[[SettingPoint], Any]:
    return lambda point: getattr(point.from_now, name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
