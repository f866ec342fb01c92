"""The answer about slices as a report: the slice first, then the curve, devices, partitions, and what stays open."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from slicewright.advise.report import Parts, advice_report
from slicewright.advise.slices.answer import (
    DeviceLine,
    DomainLine,
    Held,
    SliceAnswer,
    SlicePoint,
    SliceReading,
    settings,
    span,
)
from slicewright.advise.slices.machine import PRSM
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import Span, decimals, estimates, estimates_apart, spans, words_right
from slicewright.report.json import records, values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.values.numerals import finite
from slicewright.values.statistics import Estimate, fixed, percent

CAPTION = "Lines: simulated, with the band of noise. Points: the exact formula."
_MOST_CURVES = 3
"""Devices with a curve of their own, those with most I/O of all services first."""
_LONGEST_MS = 40.0


def picture(answer: SliceAnswer) -> Figure:
    """Hold, and the cost with what it is made of, against the slice."""
    points = [point for point in answer.curve if point.slice_ms <= max(_LONGEST_MS, 1.3 * (answer.now_ms or 0.0))]
    x = [point.slice_ms for point in points]
    many = len([reading for reading in answer.readings if reading.accepted]) > 1
    curves = []
    exact: dict[tuple[float, ...], Series] = {}
    for name in _drawn(answer):
        held = [point.devices[name] for point in points]
        line = Series(
            x, [finite(device.simulated.mean) for device in held],
            half_width=[finite(device.simulated.half_width) for device in held], label=name,
        )  # fmt: skip
        if many:
            low, high = [finite(device.low_ms) for device in held], [finite(device.high_ms) for device in held]
            line = replace(line, low=low, high=high)
        curves.append(line)
        known = [
            (slice_ms, device.exact_ms) for slice_ms, device in zip(x, held, strict=True) if device.exact_ms is not None
        ]
        values = tuple(value for _, value in known)
        if known:
            exact.setdefault(values, dots([at for at, _ in known], values, None, f"{name}, exact", [name]))
    marks = [(answer.now_ms, "now")] if answer.now_ms is not None else []
    if answer.recommendation:
        marks.append((answer.recommendation.slice_ms, "least"))
    cost = [
        Series(
            x,
            [point.cost.mean for point in points],
            half_width=[point.cost.half_width for point in points],
            label="cost",
        ),
        Series(x, [point.waiting.mean for point in points], label="waiting I/Os"),
        Series(x, [point.lost for point in points], label="processors lost"),
    ]
    return Figure([Panel("Hold, ms", [*curves, *exact.values()], marks), Panel("Cost", cost, marks)], "Slice, ms")


def _drawn(answer: SliceAnswer) -> list[str]:
    """The busiest devices, each of a service time of its own: alike ones would hide each other."""
    chosen: list[tuple[str, str, float]] = []
    for device in sorted(answer.devices, key=lambda line: -line.io_per_s):
        alike = [(domain, service) for _, domain, service in chosen]
        if all(device.domain != domain or abs(device.service_ms / service - 1) > 0.05 for domain, service in alike):
            chosen.append((device.name, device.domain, device.service_ms))
    return [name for name, _, _ in chosen[:_MOST_CURVES]]


_MOST_DEVICES = 12
"""Devices as text, those with most I/O; the page and the document have all."""
_NOBODY = Estimate(math.nan, math.nan, 0)
"""The share of a partition whose computing is not known."""


def report(answer: SliceAnswer) -> Report:
    """The answer as a report."""
    chosen = answer.recommendation
    facts = [("rule of thumb", f"{fixed(answer.estimate_ms, 1)} ms")]
    if chosen:
        facts = [
            ("slice", span(chosen.slice_ms)),
            ("range over all readings", f"{chosen.low_ms:g} to {chosen.high_ms:g} ms"),
            *facts,
        ]
        facts.append(("scheduling parameter", str(chosen.parameter or "none")))
    blocks = [*_headline(answer), picture(answer).captioned(CAPTION), curve_table(answer)]
    blocks += [_devices_table(answer), partitions_table(answer)]
    title = f"Slices for {', '.join(domain.name for domain in answer.domains)}"
    rejected = [f"{reading.load}: {reading.why}" for reading in answer.readings if not reading.accepted]
    return advice_report(answer, Parts(title, "Slices", answer.heading, facts, blocks, rejected=rejected))


def curve_table(answer: SliceAnswer) -> Table[SlicePoint]:
    """A row per slice; text shows those of the scheduling parameters and around the recommendation."""
    many = sum(reading.accepted for reading in answer.readings) > 1
    tail = "The range covers all readings of the evidence." if many else "The load is as given."
    brackets = "" if answer.weighs else "In brackets: scheduling parameter. "
    count = answer.curve[0].hold.simulated.replications
    shown = _shown(answer)

    def name(point: SlicePoint) -> str:
        return f"{point.slice_ms:.4g}{'' if answer.weighs else settings(point.slice_ms)}"

    return Table(
        [
            Column("slice_ms", "run" if answer.weighs else "slice", name, "ms"),
            Column("hold_ms", "hold", lambda point: point.hold.simulated, "ms", estimates),
            Column("hold", "all readings", _range if many else lambda point: None, form=spans(1), optional=True),
            Column("exact_hold_ms", "exact", lambda point: point.hold.exact_ms, form=_known),
            Column("waiting", "waiting", lambda point: point.waiting, form=decimals(2)),
            Column("switch_percent", "switches", lambda point: point.switch_percent, "%", decimals(2)),
            Column("cost", "cost", lambda point: point.cost, form=estimates),
        ],
        answer.curve,
        legend=f"± is simulation noise (95 %, {count} runs). {brackets}{tail}",
        marks=lambda point: _marks(answer, point),
        brief=lambda point: point.slice_ms in shown,
        face=Face.PEOPLE,
    )


def _devices_table(answer: SliceAnswer) -> Table[DeviceLine]:
    """A row per device: its load, and how long its ended I/O waits now and with the recommended slice."""
    chosen = answer.recommendation
    base = answer.now_ms if answer.now_ms is not None else parameter_slice_ms(1)
    slices = [base] + ([chosen.slice_ms] if chosen and chosen.slice_ms != base else [])
    columns: list[Column[DeviceLine]] = [
        Column("device", "device", lambda device: device.name),
        Column("partition", "partition", lambda device: device.domain),
        Column("io_per_s", "I/O per s", lambda device: device.io_per_s, form=decimals(1)),
        Column("service_ms", "service", lambda device: device.service_ms, "ms", decimals(1)),
    ]
    for point in (point for slice_ms in slices if (point := answer.point(slice_ms))):
        columns.append(Column("hold_ms", f"hold at {point.slice_ms:.4g}", _hold(point), form=estimates_apart))
        columns.append(Column("exact_hold_ms", "exact", _exact(point), form=_known))
    busiest = sorted(answer.devices, key=lambda device: -device.io_per_s)
    brief = {device.name for device in busiest[:_MOST_DEVICES]}
    more = len(busiest) - len(brief)
    return Table(
        columns,
        busiest,
        legend=f"Text shows the {_MOST_DEVICES} devices with most I/O of {len(busiest):,}." if more else "",
        marks=lambda device: ["slice above half of it"] if device.dear and answer.now_ms is not None else [],
        brief=lambda device: device.name in brief,
        face=Face.PEOPLE,
    )


def partitions_table(answer: SliceAnswer) -> Table[DomainLine]:
    """A row per partition: its share, what it gets of it, and how much it can grow."""
    return Table(
        [
            Column("partition", "partition", lambda line: line.name),
            Column("share_due_percent", "share due", lambda line: percent(line.due), form=words_right),
            Column("share_got_percent", "share got", _got, form=words_right),
            Column("idle_percent", "its share", _used, form=words_right),
            Column("headroom", "growth until full", _room, form=words_right, optional=True),
        ],
        answer.domains,
        face=Face.PEOPLE,
    )


def document(answer: SliceAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, devices, partitions, readings.

    Slices and times in ms, shares in percent; `exact_hold_ms` is null where the formula says nothing.
    """
    chosen = answer.recommendation
    made: dict[str, Any] = {"question": "slices", "files": list(answer.files), "recommendation": None}
    if chosen:
        parameter = chosen.parameter
        made["recommendation"] = {
            "slice_ms": chosen.slice_ms, "low": chosen.low_ms, "high": chosen.high_ms,
            "scheduling_parameter": parameter,
            "scheduling_parameter_slice_ms": parameter_slice_ms(parameter) if parameter is not None else None,
        }  # fmt: skip
    else:
        made["reason"] = answer.reason
    made["dispatcher"] = PRSM if answer.weighs else "slices"
    made |= values("estimate", None if answer.weighs else answer.estimate_ms)
    made |= {"now": answer.now_ms, "needed": list(answer.needed)}
    if answer.at:
        made["at"] = [_point(point) for slice_ms in answer.at if (point := answer.point(slice_ms))]
    if answer.target:
        made["target"] = {"condition": str(answer.target.target), "slice_ms": answer.target.slice_ms}
    made["curve"] = [_point(point) for point in answer.curve]
    made["devices"] = records(_device_records(answer))
    made["partitions"] = [_partition(domain) for domain in answer.domains]
    made["readings"] = [_reading(reading) for reading in answer.readings]
    made["evidence"] = {
        "facts": list(answer.facts), "growth_factor": answer.growth, "switch_ms": answer.switch_ms,
        "switch_assumed": answer.switch_assumed, **values("processor", answer.processor),
    }  # fmt: skip
    made["warnings"] = list(answer.warnings)
    made["caveats"] = [*answer.open, *answer.caveats]
    return made


def _point(point: SlicePoint) -> dict[str, Any]:
    return {
        "slice_ms": point.slice_ms, **_held(point.hold), **values("waiting", point.waiting),
        **values("lost_processors", point.lost), **values("switch_percent", point.switch_percent),
        **values("cost", point.cost), "devices": {name: _held(held) for name, held in point.devices.items()},
    }  # fmt: skip


def _held(held: Held) -> dict[str, Any]:
    made = values("hold_ms", held.simulated) | values("hold_ms", Span(held.low_ms, held.high_ms))
    return made | values("exact_hold_ms", held.exact_ms)


def _device_records(answer: SliceAnswer) -> Table[DeviceLine]:
    return Table(
        [
            Column("device", "", lambda device: device.name),
            Column("partition", "", lambda device: device.domain),
            Column("io_per_s", "", lambda device: device.io_per_s),
            Column("service_ms", "", lambda device: device.service_ms),
            Column("slice_above_half_of_service", "", lambda device: device.dear),
        ],
        answer.devices,
    )


def _partition(line: DomainLine) -> dict[str, Any]:
    got, known = line.got or _NOBODY, line.got is not None
    share = Estimate(100 * got.mean, 100 * got.half_width, got.replications)
    made = {"partition": line.name, **values("share_due_percent", 100 * line.due), **values("share_got_percent", share)}
    made |= values("idle_percent", 100 * line.idle if known else None)
    made |= {"cap_binds": line.binds if known else None, "headroom": None}
    if line.room:
        room = line.room
        made["headroom"] = {
            **values("low", room.low), **values("high", room.high), **values("bound", room.bound), "full": room.full,
        }  # fmt: skip
    return made


def _reading(reading: SliceReading) -> dict[str, Any]:
    made: dict[str, Any] = {"name": reading.name, "load": reading.load, "accepted": reading.accepted}
    return made | (values("least_ms", reading.least_ms) if reading.accepted else {"why": reading.why})


def _headline(answer: SliceAnswer) -> list[Block]:
    chosen = answer.recommendation
    if chosen is None:
        return [Paragraph(f"No recommendation: {answer.reason}.")]
    what = "Runs" if answer.weighs else "Slices"
    best, now = answer.point(chosen.slice_ms), answer.point(answer.now_ms)
    assert best is not None
    hold, taken = fixed(best.hold.simulated.mean, 1), fixed(best.switch_percent, 1)
    if now is not None:
        hold = f"{fixed(now.hold.simulated.mean, 1)} -> {hold}"
        taken = f"{fixed(now.switch_percent, 1)} -> {taken}"
    said = [f"An ended I/O waits {hold} ms for its partition; switches take {taken} % of the shared processors."]
    if answer.target is not None:
        longest = answer.target.slice_ms
        met = "no slice meets it" if longest is None else f"{what.lower()} up to {span(longest)}"
        said.append(f"{answer.target.target}: {met}.")
    said += [f"Warning: {warning}." for warning in answer.warnings]
    return [Lead(f"{what} of {span(chosen.slice_ms)} cost least", _scope(answer)), *(Paragraph(text) for text in said)]


def _scope(answer: SliceAnswer) -> str:
    """What qualifies the slice: its range over readings, the nearest scheduling parameter, the rule of thumb."""
    chosen = answer.recommendation
    assert chosen is not None
    scope = "every reading agrees"
    if chosen.low_ms != chosen.high_ms:
        scope = f"range {chosen.low_ms:g} to {chosen.high_ms:g}"
    if answer.weighs:
        return f"{scope}; {f'now {span(answer.now_ms)}' if answer.now_ms is not None else 'present slice unknown'}"
    near = "no scheduling parameter"
    if chosen.parameter is not None:
        near = f"of the scheduling parameters {chosen.parameter} ({span(parameter_slice_ms(chosen.parameter))})"
    return f"{scope}; {near}; rule of thumb {fixed(answer.estimate_ms, 1)} ms"


def _shown(answer: SliceAnswer) -> set[float | None]:
    chosen = answer.recommendation
    shown: set[float | None] = {*map(parameter_slice_ms, PARAMETERS), 2.0, 5.0, 7.0}
    if answer.weighs:
        shown = {1.0, 5.0, 12.0, 25.0, 50.0, 100.0}
    shown |= {*answer.at, answer.now_ms}
    if chosen:
        shown |= {chosen.slice_ms, chosen.low_ms, chosen.high_ms}
    if answer.target:
        shown.add(answer.target.slice_ms)
    return shown


def _marks(answer: SliceAnswer, point: SlicePoint) -> list[str]:
    said = {
        "least cost": answer.recommendation is not None and point.slice_ms == answer.recommendation.slice_ms,
        "now": point.slice_ms == answer.now_ms,
        "asked": point.slice_ms in answer.at,
        "target": answer.target is not None and point.slice_ms == answer.target.slice_ms,
    }
    return [mark for mark, holds in said.items() if holds]


def _range(point: SlicePoint) -> Span:
    return Span(point.hold.low_ms, point.hold.high_ms)


def _hold(point: SlicePoint) -> Callable[[DeviceLine], Estimate]:
    return lambda device: point.devices[device.name].simulated


def _exact(point: SlicePoint) -> Callable[[DeviceLine], float | None]:
    return lambda device: point.devices[device.name].exact_ms


def _got(line: DomainLine) -> str:
    return percent(line.got.mean) if line.got else "-"


def _used(line: DomainLine) -> str:
    if line.got is None:
        return "not told"
    return "binds" if line.binds else f"{percent(line.idle)} idle"


def _room(line: DomainLine) -> str:
    room = line.room
    if room is None:
        return ""
    if room.high == 1.0:
        return f"none: {room.full} is full now"
    if math.isinf(room.high):
        return f"over {room.low:.3g} times"
    return f"{room.low:.3g} to {room.high:.3g} times: {room.full}; by laws {room.bound:.3g}"


def _known(numbers: Sequence[float | None]) -> list[str]:
    """Times in ms; a dash where the formula says nothing."""
    return [fixed(number, 1) for number in numbers]
