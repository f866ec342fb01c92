"""The answer about slices as a page of text: the slice first, then the curve, devices, partitions, and what stays open.

It leaves out deciding anything: every number is in the answer.
"""

from __future__ import annotations

import math
import textwrap

from slicewright.advise.notes import notes
from slicewright.advise.slices.answer import DomainLine, Held, SliceAnswer, SlicePoint
from slicewright.advise.slices.words import settings, span
from slicewright.domains import PARAMETERS, parameter_slice_ms
from slicewright.statistics import fixed, percent, plus_minus, plus_minus_column
from slicewright.text import aligned

WIDTH = 118
MOST_DEVICES = 12
"""Devices on the page, those with most I/O first; the document has all."""


def page(answer: SliceAnswer) -> str:
    """The answer as text, no line wider than 118 characters but for long names.

    >>> from slicewright.advise.slices.example import advice
    >>> print(page(advice()))
    two-domains.toml  scenario: 2 partitions share 2 processors, slices of 30 ms; 5 devices, ...
    <BLANKLINE>
      Slices of ...
    """
    blocks = [
        answer.heading,
        _headline(answer),
        _curve(answer),
        _devices(answer),
        _domains(answer),
        notes(answer, _rejected(answer)),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(answer: SliceAnswer) -> str:
    told = answer.recommendation
    if told is None:
        return "\n".join(f"  {line}" for line in textwrap.wrap(f"No recommendation: {answer.reason}.", WIDTH - 2))
    scope = "every reading agrees"
    if told.low_ms != told.high_ms:
        scope = f"range {told.low_ms:g} to {told.high_ms:g}"
    near = "no scheduling parameter"
    if answer.weighs:
        near = f"now {span(answer.now_ms)}" if answer.now_ms is not None else "now not told"
    elif told.parameter is not None:
        near = f"of the scheduling parameters {told.parameter} ({span(parameter_slice_ms(told.parameter))})"
    thumb = f"rule of thumb {fixed(answer.estimate_ms, 1)} ms"
    what = "Runs" if answer.weighs else "Slices"
    thumb = "" if answer.weighs else f"; {thumb}"
    lines = [f"  {what} of {span(told.slice_ms)} cost least".ljust(40) + f"{scope}; {near}{thumb}"]
    best, now = answer.point(told.slice_ms), answer.point(answer.now_ms)
    assert best is not None
    hold, taken = fixed(best.hold.simulated.mean, 1), fixed(best.switch_percent, 1)
    if now is not None:
        hold = f"{fixed(now.hold.simulated.mean, 1)} -> {hold}"
        taken = f"{fixed(now.switch_percent, 1)} -> {taken}"
    lines.append(f"  An ended I/O waits {hold} ms for its partition; switches take {taken} % of the shared processors.")
    if answer.target is not None:
        found = (
            "nothing does" if answer.target.slice_ms is None else f"{what.lower()} up to {span(answer.target.slice_ms)}"
        )
        lines.append(f"  {answer.target.target}: {found}.")
    wrapped = [textwrap.wrap(f"Warning: {text}.", WIDTH - 2, subsequent_indent="  ") for text in answer.warnings]
    return "\n".join([*lines, *(f"  {line}" for one in wrapped for line in one)])


def _curve(answer: SliceAnswer) -> str:
    points = _shown(answer)
    many = len([one for one in answer.readings if one.accepted]) > 1
    holds = plus_minus_column([(one.hold.simulated.mean, one.hold.simulated.half_width) for one in points])
    costs = plus_minus_column([(one.cost.mean, one.cost.half_width) for one in points])
    rows = []
    for at, one in enumerate(points):
        between = [f"{fixed(one.hold.low_ms, 1)} - {fixed(one.hold.high_ms, 1)}"] if many else []
        setting = "" if answer.weighs else settings(one.slice_ms)
        cells = [f"{one.slice_ms:.4g}{setting}", holds[at], *between, fixed(one.hold.exact_ms, 1)]
        cells += [fixed(one.waiting.mean, 2), fixed(one.switch_percent, 2), costs[at], _mark(answer, one)]
        rows.append(cells)
    head = [
        "run ms" if answer.weighs else "slice ms",
        "hold ms",
        *(["all readings"] if many else []),
        "exact",
        "waiting",
        "switches %",
        "cost",
        "",
    ]
    lines = aligned(head, _marked(rows))
    count = points[0].hold.simulated.replications
    tail = "The range is what the evidence cannot tell." if many else "The load is as given."
    brackets = "" if answer.weighs else "In brackets: scheduling parameter. "
    return "\n".join([*lines, f"  ± is simulation noise (95 %, {count} runs). {brackets}{tail}"])


def _marked(rows: list[list[str]]) -> list[list[str]]:
    """The rows with their last cells of one width, so that marks begin under each other."""
    width = max(len(row[-1]) for row in rows)
    return [[*row[:-1], row[-1].ljust(width)] for row in rows]


def _mark(answer: SliceAnswer, point: SlicePoint) -> str:
    told = answer.recommendation
    marks = []
    if told and point.slice_ms == told.slice_ms:
        marks.append("least cost")
    if point.slice_ms == answer.now_ms:
        marks.append("now")
    if point.slice_ms in answer.at:
        marks.append("asked")
    if answer.target and point.slice_ms == answer.target.slice_ms:
        marks.append("target")
    return f"<- {'; '.join(marks)}" if marks else ""


def _shown(answer: SliceAnswer) -> list[SlicePoint]:
    told = answer.recommendation
    wanted: set[float | None] = {*map(parameter_slice_ms, PARAMETERS), 2.0, 5.0, 7.0}
    if answer.weighs:
        wanted = {1.0, 5.0, 12.0, 25.0, 50.0, 100.0}
    wanted |= {*answer.at, answer.now_ms}
    if told:
        wanted |= {told.slice_ms, told.low_ms, told.high_ms}
    if answer.target:
        wanted.add(answer.target.slice_ms)
    return [one for one in answer.curve if one.slice_ms in wanted]


def _devices(answer: SliceAnswer) -> str:
    told = answer.recommendation
    base = answer.now_ms if answer.now_ms is not None else parameter_slice_ms(1)
    columns = [base] + ([told.slice_ms] if told and told.slice_ms != base else [])
    points = [point for slice_ms in columns if (point := answer.point(slice_ms))]
    shown = sorted(answer.devices, key=lambda one: -one.io_per_s)[:MOST_DEVICES]
    rows = []
    for one in shown:
        cells = [one.name, one.domain, fixed(one.io_per_s, 1), fixed(one.service_ms, 1)]
        for point in points:
            held = point.devices[one.name]
            cells += [_held(held), fixed(held.exact_ms, 1)]
        cells.append("<- slice above half of it" if one.dear and answer.now_ms is not None else "")
        rows.append(cells)
    head = ["device", "partition", "I/O per s", "service ms"]
    for point in points:
        head += [f"hold at {point.slice_ms:.4g}", "exact"]
    lines = aligned([*head, ""], _marked(rows), left=2)
    more = len(answer.devices) - len(shown)
    return "\n".join([*lines, *([f"  and {more:,} more devices with less I/O"] if more else [])])


def _held(held: Held) -> str:
    return plus_minus(held.simulated.mean, held.simulated.half_width)


def _domains(answer: SliceAnswer) -> str:
    if not answer.domains:
        return ""
    room = any(one.room for one in answer.domains)
    rows = [
        [
            one.name, percent(one.due), *_got(one),
            *([_room(one)] if room else []),
        ]
        for one in answer.domains
    ]  # fmt: skip
    head = ["partition", "share due", "share got", "its share", *(["growth until full"] if room else [])]
    return "\n".join(aligned(head, rows))


def _got(line: DomainLine) -> tuple[str, str]:
    if line.got is None:
        return "-", "not told"
    return percent(line.got.mean), "binds" if line.binds else f"{percent(line.idle)} idle"


def _room(line: DomainLine) -> str:
    room = line.room
    if room is None:
        return ""
    if room.high == 1.0:
        return f"none: {room.full} is full now"
    if math.isinf(room.high):
        return f"over {room.low:.3g} times"
    return f"{room.low:.3g} to {room.high:.3g} times: {room.full}; by laws {room.bound:.3g}"


def _rejected(answer: SliceAnswer) -> list[str]:
    return [f"{one.load}: {one.why}" for one in answer.readings if not one.accepted]
