"""A timeline as a figure: boxes with letters on the lanes, what waits below them, changes as dashed lines.

Colour only repeats what letters and textures say, so that the figure can be read in grey. With more holders than
colours there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from slicewright.report.figure import Figure, Look, Panel, Series
from slicewright.statistics import plural
from slicewright.timeline.marks import OTHERS, letter
from slicewright.timeline.recorded import Lane, Recorded, Span, Wait, Yield
from slicewright.timeline.scale import Scale, scale

ROW = 20.0
"""The height of a lane with the space to the next, in pixels."""
FULL, HALF, LINE, THREAD = 0.8, 0.4, 0.14, 0.36
"""Heights as shares of it: of a lane, of what is low, of a thin line, of a wait below the lane."""
STEP = 0.42
"""From one line of waits to the next."""
MOST_LANES = 60
"""Lanes that are drawn; the others are only counted, those that are idle first."""
MOST_THREADS = 8
"""Lines of waits that are drawn below a lane; the others are only counted."""

_PENDING = "I/O ended, its interrupt is not handled yet"
_GREY, _DARK = Look(0, 0.2), Look(0, 0.55)
_DOTTED = Look(0, 0.05, "dotted")
COLOURS = 5
"""Colours of holders that readers can distinguish as a tint; the sixth of the palette is too near the first."""
TINT = 0.4
"""The strength of that tint, below the letter."""
_PLAIN = Look(0, 0.1, edge="line")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A lane with its spans, and the waits below it, by line."""

    lane: Lane
    spans: Sequence[Span]
    yields: Sequence[Yield]
    threads: Sequence[Sequence[Wait]]
    hidden: int
    """Waits that are not drawn."""

    @property
    def rows(self) -> float:
        """The height in rows."""
        return 1 + STEP * (len(self.threads) + (1 if self.hidden else 0))


@dataclass(slots=True)
class _Boxes:
    """Boxes of one height, one after the other."""

    thickness: float
    x: list[float] = field(default_factory=list)
    low: list[float | None] = field(default_factory=list)
    high: list[float | None] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    def series(self) -> Series:
        """The boxes as spans."""
        return Series(
            self.x, [None] * len(self.x), None, "", "spans", self.low, self.high, names=self.names, tips=self.tips,
            look=self.looks, groups=self.groups, thickness=self.thickness,
        )  # fmt: skip


class _Sheet:
    """The drawing so far, by height, and the names."""

    def __init__(self, timeline: Recorded) -> None:
        self.timeline = timeline
        self.unit: Scale = scale(timeline.from_us, timeline.to_us)
        seen = {span.holder for span in timeline.span_rows if span.holder is not None}
        seen |= {wait.holder for wait in timeline.wait_rows}
        self.colours = {} if len(seen) > COLOURS else {holder: at for at, holder in enumerate(sorted(seen), 1)}
        self.boxes = {height: _Boxes(height) for height in (FULL, HALF, LINE, THREAD)}

    def at(self, instant_us: float) -> float:
        """An instant in the unit of the figure."""
        return min(max(instant_us, self.timeline.from_us), self.timeline.to_us) / self.unit.us

    def when(self, one: Span | Wait) -> str:
        """From when to when, as a tip says it."""
        start = self.unit.exact(one.from_us)
        if one.to_us is None:
            return f"from {start} {self.unit.unit} to after the end of the window"
        length = self.unit.exact(one.to_us - one.from_us)
        return f"from {start} to {self.unit.exact(one.to_us)} {self.unit.unit}, {length} {self.unit.unit}"

    def draw(self, one: Span | Wait, row: float, height: float, look: Look, tip: str) -> None:
        """Add a box; those of a holder have its letter."""
        own, holder = self.boxes[height], one.holder
        own.x.append(row)
        own.low.append(self.at(one.from_us))
        own.high.append(self.at(self.timeline.to_us if one.to_us is None else one.to_us))
        own.looks.append(look)
        own.names.append("" if holder is None or height == LINE else letter(holder))
        own.tips.append(tip)
        own.groups.append(self.group(holder) if look.edge == "line" else "")

    def of(self, holder: int | None) -> Look:
        """The look of a holder's boxes: its own colour, or the shade of all where there are too many for colours."""
        return Look(self.colours[holder], TINT, edge="line") if holder in self.colours else _PLAIN

    def group(self, holder: int | None) -> str:
        """The entry of the legend: the letter and the name of a holder."""
        if holder is None:
            return ""
        sign = letter(holder)
        return "*  others" if sign == OTHERS else f"{sign}  {self.timeline.holder_names[holder]}"


def picture(timeline: Recorded) -> Figure:
    """The timeline as a figure.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> picture(slicewright.trace(starter("mm1"), for_s=0.01)).layout
    'rows'
    """
    sheet = _Sheet(timeline)
    lanes = _lanes(timeline)
    places, notches, hidden_at, row = [], [], [], 0.0
    for strip in lanes:
        places.append(row)
        for span in strip.spans:
            _box(sheet, span, row)
        notches += [(row + 0.3, event) for event in strip.yields]
        for number, thread in enumerate(strip.threads):
            for wait in thread:
                _wait(sheet, wait, row + 0.5 + STEP * (number + 0.5))
        if strip.hidden:
            hidden_at.append((row + 0.5 + STEP * (len(strip.threads) + 0.5), f"and {strip.hidden:,} more that wait"))
        row = round(row + strip.rows, 2)
    series = [boxes.series() for boxes in sheet.boxes.values() if boxes.x]
    if notches:
        tips = [f"{sheet.unit.exact(event.at_us)} {sheet.unit.unit}: {event.what}" for _, event in notches]
        x, y = [at for at, _ in notches], [sheet.at(event.at_us) for _, event in notches]
        series.append(Series(x, y, None, "yields", "points", tips=tips, look=Look(0)))
    if hidden_at:
        series.append(_words(sheet, hidden_at))
    names = [lane.lane.label for lane in lanes]
    marks = [(sheet.at(at_us), str(number)) for number, (at_us, _) in enumerate(timeline.change_rows, 1)]
    limits = (timeline.from_us / sheet.unit.us, timeline.to_us / sheet.unit.us)
    panel = Panel(f"Simulated time, {sheet.unit.unit}", series, marks, names=names, limits=limits)
    exposures = any(lane.is_exposure for lane in timeline.lane_rows)
    what = "what holds and what waits for each exposure" if exposures else "what runs on each processor, and what waits"
    notes = [*_left_out(len(timeline.lane_rows) - len(lanes)), *_notes(timeline, sheet.unit)]
    said = f"Recorded of {timeline.subject}: {what}"
    return Figure(
        [panel], "", title=_title(timeline, sheet.unit), layout="rows", alternative=said, notes=notes, places=places,
        row=ROW,
    )  # fmt: skip


def _title(timeline: Recorded, unit: Scale) -> str:
    start, end = (f"{at_us / unit.us:,.10g}" for at_us in (timeline.from_us, timeline.to_us))
    return f"{timeline.subject}: {start} to {end} {unit.unit}"


def _left_out(lanes: int) -> Iterator[str]:
    if lanes:
        yield f"and {plural(lanes, 'more lane')}, mostly idle"


def _words(sheet: _Sheet, rows: Sequence[tuple[float, str]]) -> Series:
    start = sheet.timeline.from_us / sheet.unit.us
    x, texts = [at for at, _ in rows], [text for _, text in rows]
    return Series(x, [start] * len(x), None, "", "points", names=texts, tips=texts, look=Look(0, filled=False))


def _lanes(timeline: Recorded) -> list[_Drawn]:
    spans: dict[int, list[Span]] = {}
    for span in timeline.span_rows:
        spans.setdefault(span.lane, []).append(span)
    numbers = timeline.worth_drawing
    if len(numbers) > MOST_LANES:
        busiest = sorted(numbers, key=lambda number: -len(spans.get(number, [])))[:MOST_LANES]
        # Of many virtual processors most are idle, and are not worth a line.
        numbers = [at for at in sorted(busiest) if at in spans or timeline.lane_rows[at].kind != "virtual-processor"]
    # A held I/O has an exposure and is drawn there; a virtual processor has a lane.
    waits: dict[int, list[Wait]] = {}
    for wait in timeline.wait_rows:
        if wait.kind != "held" and timeline.lane_rows[wait.lane].kind != "virtual-processor":
            waits.setdefault(wait.lane, []).append(wait)
    yields: dict[int, list[Yield]] = {}
    for row in timeline.yield_rows:
        yields.setdefault(row.lane, []).append(row)
    drawn = []
    for number in numbers:
        lane = timeline.lane_rows[number]
        threads, hidden = _threads(waits.get(number, []))
        drawn.append(_Drawn(lane, spans.get(number, []), yields.get(number, []), threads, hidden))
    return drawn


def _threads(waits: Sequence[Wait]) -> tuple[list[list[Wait]], int]:
    """Waits in lines without overlap, each in the first line that is free; and how many found none."""
    threads: list[list[Wait]] = []
    hidden = 0
    for wait in waits:
        ended = (thread for thread in threads if (at := thread[-1].to_us) is not None and at <= wait.from_us)
        free = next(ended, None)
        if free is not None:
            free.append(wait)
        elif len(threads) < MOST_THREADS:
            threads.append([wait])
        else:
            hidden += 1
    return threads, hidden


def _box(sheet: _Sheet, span: Span, row: float) -> None:
    lane = sheet.timeline.lane_rows[span.lane]
    if lane.is_processor:
        height, look, tip = _processor(sheet, span)
    elif not lane.is_exposure:
        height, look, tip = _virtual(sheet, span)
    else:
        height, look, tip = _exposure(sheet, span)
    sheet.draw(span, row, height, look, f"{tip}, {sheet.when(span)}")


def _exposure(sheet: _Sheet, span: Span) -> tuple[float, Look, str]:
    """What the I/O at an exposure does: textured where it does not go on, a line between two of them."""
    if span.holder is None:
        return FULL, _DOTTED, "offline"
    state = _PENDING if span.state == "interrupt-pending" else span.state
    tip = f"{sheet.timeline.holder_names[span.holder]} at {span.what}, {state}"
    if span.state == "gap":
        return LINE, Look(0, 0.6), tip
    look = sheet.of(span.holder)
    if span.state == "held":
        return FULL, replace(look, texture="hatched"), tip
    return FULL, replace(look, texture="upright") if span.state == "interrupt-pending" else look, tip


def _processor(sheet: _Sheet, span: Span) -> tuple[float, Look, str]:
    """What a processor does: coloured where it has work, dark for the handler, low and grey where not dispatched."""
    name = sheet.timeline.lane_rows[span.lane].name
    task = "" if span.holder is None else sheet.timeline.holder_names[span.holder]
    looks = {
        "working": (FULL, sheet.of(span.holder), f"{task} on {name}"),
        "handling-interrupt": (FULL, Look(0), f"{name} handles the interrupt of {task} at {span.what}"),
        "control-program": (FULL, _DARK, f"{name}, in the control program"),
        "parked": (FULL, _DOTTED, f"{name}, parked"),
        "in-wait": (FULL, Look(0, 0.02, edge="line"), f"{name}, carried, in wait"),
        "not-dispatched": (HALF, _GREY, f"{name}, not carried"),
        "work-not-dispatched": (
            HALF, replace(_GREY, edge="dashes"), f"{name}, not carried, has work{f' of {task}' if task else ''}",
        ),
    }  # fmt: skip
    return looks[span.state]


def _virtual(sheet: _Sheet, span: Span) -> tuple[float, Look, str]:
    """The state of a virtual processor: full where it runs, half where it waits, a line where it wakes; or a lock."""
    lanes = sheet.timeline.lane_rows
    name, on = lanes[span.lane].name, "" if span.on is None else lanes[span.on].name
    holder = "" if span.holder is None else sheet.timeline.holder_names[span.holder]
    own = sheet.of(span.holder)
    looks = {
        "running": (FULL, own, f"{name} runs on {on}"),
        "interrupted": (
            FULL, replace(own, texture="hatched"), f"{name}, its processor handles a wake-up or is not carried",
        ),
        "cpu-wait": (HALF, own, f"{name} waits for a processor"),
        "waking": (LINE, Look(0, 0.6), f"{name}, its interrupt is not handled yet"),
        "limited": (FULL, _DOTTED, f"{name}, at its limit"),
        "locked": (FULL, _DARK, f"{name}, held by {on}"),
        "taken": (FULL, own, f"{name}, held by {holder}"),
        "owned": (FULL, own, f"{name}, which {holder} has"),
        "shared": (HALF, own if holder else Look(0, 0.35), f"{name}, shared by {holder or 'several'}"),
    }  # fmt: skip
    return looks[span.state]


def _wait(sheet: _Sheet, wait: Wait, row: float) -> None:
    tip = f"{sheet.timeline.holder_names[wait.holder]} waits at {wait.where}: {wait.why}; {sheet.when(wait)}"
    sheet.draw(wait, row, THREAD, sheet.of(wait.holder), tip)


_LEGEND: Mapping[str, Mapping[str, str]] = {
    "": {
        "held": "hatched: held, the I/O stays pending", "interrupt-pending": f"upright lines: {_PENDING}",
        "gap": "thin line: gap between I/Os", "offline": "dotted: offline",
    },
    "processors: ": {
        "handling-interrupt": "dark: handles the interrupt of that letter's I/O", "in-wait": "empty: carried, in wait",
        "not-dispatched": "grey: not carried",
        "work-not-dispatched": "grey, dashed: not carried, has work of that letter",
    },
    "of control programs: ": {
        "control-program": "dark grey: in the control program, without a guest", "parked": "dotted: parked",
    },
    "virtual processors: ": {
        "running": "letter: runs", "cpu-wait": "low: waits for a processor", "waking": "thin line: wakes",
        "interrupted": "hatched: its processor handles a wake-up", "limited": "dotted: at its limit",
        "yields": "notch at the foot: yields",
    },
}  # fmt: skip
"""Of each kind of lane, how its states are drawn."""


def _notes(timeline: Recorded, unit: Scale) -> Iterator[str]:
    below = "lane" if any(lane.is_processor for lane in timeline.lane_rows) else "base"
    states = {span.state for span in timeline.span_rows} | ({"yields"} if timeline.yield_rows else set())
    for of, meanings in _LEGEND.items():
        signs = [f"low bars below a {below}: waits there"] if timeline.wait_rows and not of else []
        signs += [text for state, text in meanings.items() if state in states]
        if signs:
            yield f"{of}{'; '.join(signs)}"
    if any(lane.kind == "spin-lock" for lane in timeline.lane_rows) and "taken" in states:
        yield "spin locks: letter: its holder; low bars below: guests that spin for it"
    if states & {"owned", "shared"}:
        shared = "; low: shared, grey: by several" if "shared" in states else ""
        yield f"names and ENQ/DEQ locks: letter: has it{shared}"
    for number, (at_us, what) in enumerate(timeline.change_rows, 1):
        yield f"{number}  at {unit.exact(at_us)} {unit.unit}: {what}"
