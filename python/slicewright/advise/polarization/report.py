"""The answer about polarization for people and for programs: the setting, a row per setting, evidence, what is open."""

from __future__ import annotations

import math
from typing import Any

from slicewright.advise.answer import Explanation
from slicewright.advise.controlled import Controlled
from slicewright.advise.polarization.comparison import (
    ELSEWHERE,
    PROCESSOR,
    SettingAnswer,
    SettingPoint,
    best,
    default_is,
    usual,
)
from slicewright.advise.polarization.setting import Setting
from slicewright.advise.report import (
    Document,
    Parts,
    advice_document,
    advice_report,
    capital,
    change,
    chosen_mark,
    holding,
    open_notes,
    plan_notes,
    readings_table,
)
from slicewright.experiment.paired import below
from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.report.json import fields, record, records
from slicewright.report.model import Block, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns
from slicewright.statistics import Estimate, fixed, percent, plural

_TABLES = ("control_programs", "locks")
_SETTINGS = """
    people    name                       |      | setting
    work_percent                         | ±
    work_percent.. ?                     | .0   | all readings
    total_percent                        | ±    | processor time
    programs  total_percent..
    page      guests_percent             | ±
    page      chargeable_cp_percent      | ±    | chargeable CP
    nonchargeable_cp_percent             | ± .1 | nc
    tv_ratio                             | ± .2
    unparked                             | ± .1
    moved_percent                        | ± .1
    page      spin_percent               | ±
    ready                                | ± .2 | wait
    programs  wait_percent dispatches_per_s work_from_now_percent total_from_now_percent wait_from_now_percent
    programs  tv_parks_percent
"""
_SOURCE = "z/VM HiperDispatch, Effect of T/V-Based Parking"
_KINDS = {
    "costs of the control program": r"\.(lock|costs)\.",
    "caches": r"^(topology|virtual_machine)\.",
    "the controller": r"\.controller\.",
    "dispatching": r"\.(slice|slice_jitter|barriers|horizontal_stealing|vertical_stealing|homes)$",
}
"""The kinds of constants, by their keys."""
_CAPTION = (
    "Higher is more work, further left is less processor time. Crosses: 95 % intervals. Light bars: the range"
    " over readings of "
    "assumed costs and caches."
)
_GATES = {"processor": "the processor", "elsewhere": "something else"}
"""The gates of throughput, by their names in the answer; anything between is the processor in part."""


def report(answer: SettingAnswer) -> Report:
    """The answer as a report."""
    name, chosen = answer.subject.name, answer.recommendation
    facts = [("recommendation", "none: it makes no difference")]
    if chosen:
        facts = [("setting", chosen.words(usual(answer))), ("processors", str(chosen.processors))]
        facts.append(("throughput is gated by", _GATES.get(answer.evidence.gate.where, "the processor in part")))
    blocks = [*_headline(answer), picture(answer).captioned(_CAPTION), _table(answer)]
    gain = ("work, vertical over horizontal", "%")
    readings = readings_table(answer.readings, lambda setting: setting.words(usual(answer)), gain)
    title = f"Polarization of {name}"
    parts = Parts(title, name, answer.case.heading, facts, blocks, readings, answer.case.constants)
    return advice_report(answer.explanation, parts)


def _table(answer: SettingAnswer) -> Table[SettingPoint]:
    """A row per setting that was simulated."""
    chosen = best(answer)
    values = {
        "name": lambda point: _short(point.variant, chosen, usual(answer)),
        "tv_parks_percent": lambda point: 100 * answer.evidence.parks[point.variant],
    }
    legend = (
        "100 % is one processor. Work: what its guests did, as if in warm caches; throughput is proportional to it. "
        "nc: non-chargeable. Wait: virtual processors that wait for a processor. ± is simulation noise (95 %,"
        f" {answer.plan.replications} runs)."
    )
    lines = columns(_SETTINGS, _TABLES, values)
    return Table(lines, answer.points, legend=legend, marks=lambda point: _marks(answer, point))


def _short(setting: Setting, chosen: Setting, usual: Setting) -> str:
    """A setting as a row is named: without polarization and method where they are those of the one to choose.

    >>> usual = Setting("vertical", "reshuffle", 100.0, "large", 8)
    >>> _short(usual.with_(processors=6), usual, usual), _short(usual, usual, usual)
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
        name = _short(point.variant, chosen, usual(answer)) + (f" ({', '.join(marks)})" if marks else "")
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
    """
    chosen, evidence, gate = answer.recommendation, answer.evidence, answer.evidence.gate
    ratio, table = evidence.runnable.mean, _table(answer)
    rows = zip(answer.points, records(table), strict=True)
    own: Document[Setting] = Document(
        recommendation=fields(
            **_setting(chosen), unparked=answer.point(chosen).columns["unparked"].mean,
            fewest_processors=evidence.fewest, indifferent=list(evidence.indifferent), as_now=chosen == answer.now,
        ) if chosen else None,
        situation={
            "estimate": fields(runnable_per_processor=ratio, fits=ratio <= 1), "now": _setting(answer.now),
        },
        variant=_setting,
        gain="vertical_over_horizontal_percent",
        asked=[_named(answer, point) | record(table, point) for point in map(answer.point, answer.case.asked)],
        target={"setting": _setting(answer.meets[0]) if answer.meets else None},
        tables={"curve": [_named(answer, point) | row for point, row in rows]},
        evidence=fields(
            gate=gate.where, work_follows=gate.follows or Estimate(math.nan, math.nan, 0),
            processor_share_of_cycles=gate.by_cycles, parking_engages=evidence.parking,
            tv_threshold=answer.subject.controller.tv_threshold,
        ),
    )  # fmt: skip
    return advice_document("polarization", answer, own)


def _setting(setting: Setting) -> dict[str, Any]:
    made: dict[str, Any] = {"polarization": setting.polarization, "processors": setting.processors}
    vertical = {"method": setting.method, "cpupad_percent": setting.cpupad, "unparking": setting.unparking}
    return made | (vertical if setting.vertical else dict.fromkeys(vertical))


def _named(answer: SettingAnswer, point: SettingPoint) -> dict[str, Any]:
    now = point.variant == answer.now
    return _setting(point.variant) | {"name": point.variant.words(usual(answer)), "now": now}


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
    return f"{name}: {work}, {total}, {_wait_change(answer, point)}."


def _processors(answer: SettingAnswer) -> str:
    now, chosen = answer.now, best(answer)
    fewer = [
        point
        for point in answer.points
        if point.variant.processors < chosen.processors and point.variant.with_(processors=chosen.processors) == chosen
    ]
    if chosen.processors < now.processors:
        return f"{plural(chosen.processors, 'logical processor')} instead of {now.processors}."
    if not fewer:
        return f"All {now.processors} logical processors are needed."
    most = max(fewer, key=lambda point: point.variant.processors)
    if answer.evidence.fewest < chosen.processors:
        fewest = next(point for point in fewer if point.variant.processors == answer.evidence.fewest)
        same = _wait_change(answer, fewest)
        return f"{answer.evidence.fewest} of {now.processors} logical processors would do the same ({same})."
    loss = f"{change(most.differences['work_from_chosen'], 'work')}, {_wait_change(answer, most)}"
    return f"{most.variant.processors} of {now.processors} logical processors: {loss}."


def _marks(answer: SettingAnswer, point: SettingPoint) -> list[str]:
    target = bool(answer.meets) and point.variant == answer.meets[0]
    return holding({**chosen_mark(answer, point.variant), "target": target})


def heading(file: str, read: Controlled, partition: Controlled) -> str:
    """The scenario and partition that were read, without growth."""
    return f"{file}  scenario: {read.words}"


def _wait_change(answer: SettingAnswer, point: SettingPoint) -> str:
    """How many virtual processors wait for a processor under the setting to choose, and under another."""
    return f"CPU wait {_wait(answer.point(best(answer)))} -> {_wait(point)}"


def explain(answer: SettingAnswer) -> Explanation:
    """All lines around an answer."""
    now = answer.point(answer.now)
    facts = (_gate(answer), _trade(answer), _parking(answer, now), _fits(answer), _costs(now))
    return Explanation(
        facts=facts, open=open_notes(answer, _KINDS.items()), caveats=tuple(_caveats(answer)),
        needed=tuple(_needed(answer)),
    )  # fmt: skip


def _gate(answer: SettingAnswer) -> str:
    gate, guests = answer.evidence.gate, ", ".join(answer.subject.paced)
    paced = f"; {guests} computes until charged a share of the time" if guests and gate.where != ELSEWHERE else ""
    if gate.follows is None:
        follows = f"guests want a processor for {percent(gate.by_cycles, 0)} of their time; no setting shows more"
    elif gate.follows.mean < 0:
        follows = "where work takes more of guests' processor time, no less of it is done"
    else:
        follows = f"where work takes 1 % more of guests' processor time, {gate.follows} % less of it is done"
    where = {PROCESSOR: "by the processor", ELSEWHERE: "elsewhere (think time, I/O, arrivals)"}
    return f"throughput is gated {where.get(gate.where, 'by the processor in part')}: {follows}{paced}"


def _trade(answer: SettingAnswer) -> str:
    """The effect of parking, or of fewer processors, here, beside the document's caution."""
    chosen, elsewhere = answer.point(best(answer)), answer.evidence.gate.where == ELSEWHERE
    most = max(point.columns["unparked"].mean for point in answer.points)
    saving = [
        point
        for point in answer.points
        if point.variant.vertical
        and point.columns["unparked"].mean < most - 0.05
        and below(point.differences["total_from_chosen"], 0.0)
        and not (elsewhere and below(point.differences["work_from_chosen"], 0.0))
    ]
    caution = "gated by the processor loses throughput by parking"
    caution = f"work {'gated elsewhere may save processor time at no loss' if elsewhere else caution} ({_SOURCE})"
    if not saving:
        at_no_loss = " at no loss" if elsewhere else ""
        return f"{caution}; here neither parking nor fewer processors saves processor time{at_no_loss}"
    least = min(saving, key=lambda one: one.columns["total_percent"].mean)
    names = ("total_percent", "work_percent")
    shares = [100 * (least.columns[name].mean / chosen.columns[name].mean - 1) for name in names]
    total, work = (f"{'+' if share > 0 else ''}{fixed(share, 1)} %" for share in shares)
    name = least.variant.words(usual(answer))
    return f"{caution}; here {name}: processor time {total}, work {work}, {_wait_change(answer, least)}"


def _wait(point: SettingPoint) -> str:
    return fixed(point.columns["ready"].mean, 2)


def _parking(answer: SettingAnswer, now: SettingPoint) -> str:
    """Whether T/V-based parking engages."""
    threshold = answer.subject.controller.tv_threshold
    here = [point for point in answer.points if point.variant.processors == now.variant.processors]
    verticals = [point for point in here if point.variant.vertical]
    ratios = [ratio for point in verticals if math.isfinite(ratio := point.columns["tv_ratio"].mean)]
    ends = [fixed(end(ratios), 2) for end in (min, max)] if ratios else ["not known"]
    shown = " to ".join(dict.fromkeys(ends))
    often = max(answer.evidence.parks[point.variant] for point in verticals)
    if often > 0:
        return (
            f"T/V-based parking engages: T/V is {shown}, it parks by need from {threshold:g},"
            f" at most in {percent(often, 0)} of decisions"
        )
    all_the_same = "UNPARKING SMALL parks by need all the same"
    none = "so CPUPAD has no effect, unless UNPARKING is SMALL (--at 'UNPARKING SMALL')"
    then = all_the_same if answer.evidence.parking else none
    return f"T/V-based parking does not engage: T/V is {shown}, below {threshold:g}; {then}"


def _fits(answer: SettingAnswer) -> str:
    ratio = answer.evidence.runnable.mean
    room = "the workload fits the partition, so vertical mode has room to work"
    full = "more virtual processors are ready than processors exist, so vertical mode changes little"
    size = room if ratio <= 1 else full
    return (
        f"{fixed(ratio, 2)} virtual processors per logical processor run or are ready: {size} (It Needs Room to Work)"
    )


def _costs(now: SettingPoint) -> str:
    names = ("nonchargeable_cp_percent", "spin_percent", "moved_percent")
    nc, spin, moved = (fixed(now.columns[name].mean, 1) for name in names)
    return (
        f"now: {nc} % of a processor non-chargeable, of which {spin} % spinning for the scheduler lock;"
        f" {moved} % of dispatches moved; {_wait(now)} virtual processors wait"
    )


def _caveats(answer: SettingAnswer) -> list[str]:
    now = answer.now
    beside = "it is as now" if default_is(now) else f"now is {now.words(usual(answer))}"
    fewer = "fewer processors were simulated at this mean demand: peaks above it need room"
    said = {
        "no guest has anything in caches (cec.machine, footprint, touched_in): moving is free here": (
            not answer.subject.caches
        ),
        f"z/VM's defaults: vertical, reshuffle, CPUPAD 100 %, UNPARKING LARGE; {beside}": True,
        "partitions that share its processors stay unchanged; their gains and losses are not weighed": (
            answer.subject.shares
        ),
        fewer: answer.evidence.fewest < now.processors,
    }
    return [*holding(said), *plan_notes(answer)]


def _needed(answer: SettingAnswer) -> list[str]:
    noise = max((point.differences["work_from_now"].half_width for point in answer.points), default=0.0)
    longer = f"a higher demand for processors, or longer runs: noise is up to {fixed(noise, 1)} % of the work"
    return holding(
        {
            "costs and caches: T/V, moved % and work of one interval in each mode (SET SRM POLARIZATION)": (
                len({setting.polarization for setting in answer.chosen}) > 1
            ),
            longer: answer.recommendation is None and math.isfinite(noise),
        }
    )
