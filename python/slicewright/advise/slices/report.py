"""The answer about slices as a report: the slice first, then the curve, devices, partitions, and what stays open."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from slicewright.advise.report import Parts, advice_report, between, holding
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
from slicewright.report.forms import Span, estimates_apart
from slicewright.report.json import fields, record, records, values
from slicewright.report.model import Block, Column, Face, Lead, Paragraph, Report, Table
from slicewright.report.spec import columns, series
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.statistics import Estimate, fixed, percent
from slicewright.values.numerals import finite

_TABLES = ("volumes", "partitions")
_POINTS = """
    people    readings.. ?   | .1    | all readings
    programs  hold_ms..
    people    exact          | right
    programs  exact_hold_ms
    waiting                  | .2
    programs  lost_processors
    switch_percent           | .2    | switches | %
    cost                     | ±
    programs  devices
"""
"""Beside the slice and its hold."""
_DEVICES = """
    device
    partition
    io_per_s                 | .1
    service_ms               | .1    | service
    programs  slice_above_half_of_service
"""
_PARTITIONS = """
    partition
    people    due            | percent | share due
    people    got            | right   | share got
    people    used           | right   | its share
    people    growth ?       | right   | growth until full
    programs  share_due_percent share_got_percent idle_percent cap_binds headroom
"""
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
        line = series(x, [device.simulated for device in held], name)
        if many:
            low, high = [finite(device.low_ms) for device in held], [finite(device.high_ms) for device in held]
            line = replace(line, low=low, high=high)
        curves.append(line)
        known = [
            (slice_ms, device.exact_ms) for slice_ms, device in zip(x, held, strict=True) if device.exact_ms is not None
        ]
        times = tuple(time for _, time in known)
        if known:
            exact.setdefault(times, dots([at for at, _ in known], times, None, f"{name}, exact", [name]))
    marks = [(answer.now_ms, "now")] if answer.now_ms is not None else []
    if answer.recommendation:
        marks.append((answer.recommendation.slice_ms, "least"))
    cost = [
        series(x, [point.cost for point in points], "cost"),
        series(x, [point.waiting.mean for point in points], "waiting I/Os"),
        series(x, [point.lost for point in points], "processors lost"),
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

    told = {
        "length": lambda point: f"{point.slice_ms:.4g}{'' if answer.weighs else settings(point.slice_ms)}",
        "hold_ms": lambda point: point.hold.simulated,
        "hold_ms..": lambda point: Span(point.hold.low_ms, point.hold.high_ms),
        "readings..": lambda point: Span(point.hold.low_ms, point.hold.high_ms) if many else None,
        "exact": lambda point: fixed(point.hold.exact_ms, 1),
        "exact_hold_ms": lambda point: point.hold.exact_ms,
        "lost_processors": lambda point: point.lost,
        "devices": lambda point: {name: _held(held) for name, held in point.devices.items()},
    }
    what = "run" if answer.weighs else "slice"
    return Table(
        columns(f"people length || {what} | ms; hold_ms | ±; {_POINTS}", _TABLES, told),
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
    shown: list[Column[DeviceLine]] = columns(_DEVICES, _TABLES, _OF_DEVICE)
    for point in (point for slice_ms in slices if (point := answer.point(slice_ms))):
        shown += _held_columns(point)
    busiest = sorted(answer.devices, key=lambda device: -device.io_per_s)
    brief = {device.name for device in busiest[:_MOST_DEVICES]}
    more = len(busiest) - len(brief)
    return Table(
        shown,
        busiest,
        legend=f"Text shows the {_MOST_DEVICES} devices with most I/O of {len(busiest):,}." if more else "",
        marks=lambda device: ["slice above half of it"] if device.dear and answer.now_ms is not None else [],
        brief=lambda device: device.name in brief,
        face=Face.PEOPLE,
    )


def _held_columns(point: SlicePoint) -> list[Column[DeviceLine]]:
    exact = columns(
        "people exact | right", values={"exact": lambda device: fixed(point.devices[device.name].exact_ms, 1)}
    )
    return [
        Column(
            "hold_ms", f"hold at {point.slice_ms:.4g}", lambda device: point.devices[device.name].simulated,
            form=estimates_apart, face=Face.PEOPLE,
        ),
        *exact,
    ]  # fmt: skip


_OF_DEVICE: dict[str, Callable[[DeviceLine], Any]] = {
    "device": lambda line: line.name,
    "partition": lambda line: line.domain,
    "slice_above_half_of_service": lambda line: line.dear,
}


def partitions_table(answer: SliceAnswer) -> Table[DomainLine]:
    """A row per partition: its share, what it gets of it, and how much it can grow."""
    told: dict[str, Callable[[DomainLine], Any]] = {
        "partition": lambda line: line.name,
        "got": lambda line: percent(line.got.mean) if line.got else "-",
        "used": _used,
        "growth": _growth,
        "share_due_percent": lambda line: 100 * line.due,
        "share_got_percent": _share_got,
        "idle_percent": lambda line: 100 * line.idle if line.got else None,
        "cap_binds": lambda line: line.binds if line.got else None,
        "headroom": lambda line: (
            line.room and fields(low=line.room.low, high=line.room.high, bound=line.room.bound, full=line.room.full)
        ),
    }
    return Table(columns(_PARTITIONS, values=told), answer.domains, face=Face.PEOPLE)


def document(answer: SliceAnswer) -> dict[str, Any]:
    """One answer as an object: recommendation (or null with `reason`), estimate, curve, devices, partitions, readings.

    Slices and times in ms, shares in percent; `exact_hold_ms` is null where the formula says nothing.
    """
    chosen, target, curve = answer.recommendation, answer.target, curve_table(answer)
    devices, asked = _devices_table(answer), [point for at in answer.at if (point := answer.point(at))]
    # Slices are not rounded as measured values are: they are settings.
    return fields(
        question="slices", files=list(answer.files),
        recommendation=chosen and {
            "slice_ms": chosen.slice_ms, "low": chosen.low_ms, "high": chosen.high_ms,
            "scheduling_parameter": chosen.parameter,
            "scheduling_parameter_slice_ms": chosen.parameter and parameter_slice_ms(chosen.parameter),
        },
        **({} if chosen else {"reason": answer.reason}), dispatcher=PRSM if answer.weighs else "slices",
        estimate=None if answer.weighs else answer.estimate_ms,
    ) | {"now": answer.now_ms} | fields(
        needed=list(answer.needed), **({"at": [_point(curve, point) for point in asked]} if answer.at else {}),
        **({"target": {"condition": str(target.target), "slice_ms": target.slice_ms}} if target else {}),
        curve=[_point(curve, point) for point in answer.curve],
        devices=[record(devices, line) for line in answer.devices],
        partitions=records(partitions_table(answer)),
        readings=[_reading(reading) for reading in answer.readings],
        evidence={
            "facts": list(answer.facts), "growth_factor": answer.growth, "switch_ms": answer.switch_ms,
            "switch_assumed": answer.switch_assumed, **values("processor", answer.processor),
        },
        warnings=list(answer.warnings), caveats=[*answer.open, *answer.caveats],
        **({"machine": answer.whole.document()} if answer.whole else {}),
    )  # fmt: skip


def _point(curve: Table[SlicePoint], point: SlicePoint) -> dict[str, Any]:
    return {"slice_ms": point.slice_ms, **record(curve, point)}


def _held(held: Held) -> dict[str, Any]:
    return values("hold_ms", held.simulated) | fields(
        hold_ms=Span(held.low_ms, held.high_ms), exact_hold_ms=held.exact_ms
    )


def _share_got(line: DomainLine) -> Estimate:
    got = line.got or Estimate(math.nan, math.nan, 0)
    return Estimate(100 * got.mean, 100 * got.half_width, got.replications)


def _reading(reading: SliceReading) -> dict[str, Any]:
    found = {"least_ms": reading.least_ms} if reading.accepted else {"why": reading.why}
    return fields(name=reading.name, load=reading.load, accepted=reading.accepted, **found)


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
    scope = between(f"{chosen.low_ms:g}", f"{chosen.high_ms:g}")
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
    return holding({
        "least cost": answer.recommendation is not None and point.slice_ms == answer.recommendation.slice_ms,
        "now": point.slice_ms == answer.now_ms,
        "asked": point.slice_ms in answer.at,
        "target": answer.target is not None and point.slice_ms == answer.target.slice_ms,
    })  # fmt: skip


def _used(line: DomainLine) -> str:
    if line.got is None:
        return "not told"
    return "binds" if line.binds else f"{percent(line.idle)} idle"


def _growth(line: DomainLine) -> str:
    room = line.room
    if room is None:
        return ""
    if room.high == 1.0:
        return f"none: {room.full} is full now"
    if math.isinf(room.high):
        return f"over {room.low:.3g} times"
    return f"{room.low:.3g} to {room.high:.3g} times: {room.full}; by laws {room.bound:.3g}"
