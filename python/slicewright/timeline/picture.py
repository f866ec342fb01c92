"""A timeline as an SVG picture: boxes with letters on the lanes, who waits below them, changes as upright lines.

It leaves out interaction beyond what a browser shows on hovering.  Colour only repeats what letters and lines say, so
that the picture can be read in grey; the same timeline gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from slicewright.plots.drawing import FONT
from slicewright.problems import visible_lines
from slicewright.timeline.marks import OF_HOLDER, OTHERS, letter
from slicewright.timeline.scale import Scale, scale
from slicewright.timeline.stretch import Lane, Span, Timeline, Wait, Yield

WIDTH, RIGHT, TOP = 900.0, 24.0, 34.0
LANE, THREAD, SPACE = 16.0, 8.5, 4.0
"""Heights: of a lane, of somebody who waits below it, and between lanes."""
LETTER, CHARACTER = 9.0, 6.1
"""Widths: the narrowest box that a letter stands in; a character of a label."""
MOST_LANES = 60
"""Lanes that are drawn; the others are only counted, those that are idle first."""
MOST_THREADS = 8
"""Who waits at one lane and is drawn beneath it; the others are only counted."""

_PENDING = "I/O ended, its interrupt is not handled yet"
_INK, _SOFT, _GRID, _PAPER = (
    "var(--ink, #1c2430)", "var(--soft, #5b6675)", "var(--grid, #dfe3e8)", "var(--paper, #ffffff)",
)  # fmt: skip
_FILLS = (
    ("#0072b2", 0.28),
    ("#d55e00", 0.30),
    ("#009e73", 0.28),
    ("#cc79a7", 0.38),
    ("#f0e442", 0.45),
    ("#56b4e9", 0.5),
)
"""Okabe and Ito's colours, washed out so that the letter on each is dark on light."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A lane with what is on it, and who waits below it, by the line that each stands in."""

    lane: Lane
    spans: Sequence[Span]
    yields: Sequence[Yield]
    threads: Sequence[Sequence[Wait]]
    hidden: int
    """Who waits and is not drawn."""

    @property
    def height(self) -> float:
        below = len(self.threads) + (1 if self.hidden else 0)
        return LANE + below * THREAD + SPACE


class _Sheet:
    """Where instants are on paper, and what things are called."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.unit: Scale = scale(timeline.from_us, timeline.to_us)
        labels = [len(lane.label) for lane in timeline.lane_rows]
        self.left = 10 + CHARACTER * max(labels, default=4)

    def x(self, at_us: float) -> float:
        share = (at_us - self.timeline.from_us) / (self.timeline.to_us - self.timeline.from_us)
        return self.left + min(1.0, max(0.0, share)) * (WIDTH - RIGHT - self.left)

    def sides(self, one: Span | Wait) -> tuple[float, float]:
        return self.x(one.from_us), self.x(self.timeline.to_us if one.to_us is None else one.to_us)

    def told(self, one: Span | Wait) -> str:
        """From when to when, as a tooltip says it."""
        start = self.unit.exact(one.from_us)
        if one.to_us is None:
            return f"from {start} {self.unit.unit} to after the end of the window"
        length = self.unit.exact(one.to_us - one.from_us)
        return f"from {start} to {self.unit.exact(one.to_us)} {self.unit.unit}, {length} {self.unit.unit}"


def picture(timeline: Timeline) -> str:
    """The timeline as SVG text.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> picture(slicewright.trace(starter("mm1"), for_s=0.01)).startswith("<svg")
    True
    """
    sheet = _Sheet(timeline)
    lanes = _lanes(timeline)
    body: list[str] = []
    y = TOP
    for one in lanes:
        body += _lane(sheet, one, y)
        y += one.height
    bottom = y
    hidden = len(timeline.lane_rows) - len(lanes)
    if hidden:
        body.append(_text(4, bottom + 12, f"and {hidden:,} more, mostly idle", _SOFT))
        y += 18
    legend, height = _legend(sheet, y + 14)
    marks = [*_ruler(sheet, bottom), *body, *_changes(sheet, bottom), *legend]
    total = y + 14 + height
    exposures = any(lane.is_exposure for lane in timeline.lane_rows)
    what = "who holds and who waits for each exposure" if exposures else "who runs on each processor, and who waits"
    title = escape(f"Timeline of {timeline.name}: {what}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {total:g}" width="{WIDTH:g}" '
        f'height="{total:g}" role="img" font-family="{FONT}" font-size="10.5">'
    )
    pending = any(span.state == "interrupt-pending" for span in timeline.span_rows)
    definitions = _PATTERNS + (_PENDING_PATTERN if pending else "") + "</defs>"
    return visible_lines("\n".join([head, f"<title>{title}</title>", definitions, *marks, "</svg>\n"]))


_PATTERNS = (
    '<defs><pattern id="timeline-held" width="5" height="5" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)">'
    f'<rect width="2" height="5" fill="{_INK}" fill-opacity="0.55"/></pattern>'
    '<pattern id="timeline-offline" width="4" height="4" patternUnits="userSpaceOnUse">'
    f'<circle cx="1" cy="1" r="0.8" fill="{_SOFT}"/></pattern>'
)
_PENDING_PATTERN = (
    '<pattern id="timeline-pending" width="3" height="4" patternUnits="userSpaceOnUse">'
    f'<rect width="1" height="4" fill="{_INK}" fill-opacity="0.6"/></pattern>'
)


def _lanes(timeline: Timeline) -> list[_Drawn]:
    spans: dict[int, list[Span]] = {}
    for span in timeline.span_rows:
        spans.setdefault(span.lane, []).append(span)
    numbers = timeline.worth_drawing
    if len(numbers) > MOST_LANES:
        busiest = sorted(numbers, key=lambda number: -len(spans.get(number, [])))[:MOST_LANES]
        # Of many virtual processors most are idle, and are not worth a line.
        numbers = [at for at in sorted(busiest) if at in spans or timeline.lane_rows[at].kind != "virtual-processor"]
    # Who is held has an exposure and is drawn there; a virtual processor has a lane.
    waits: dict[int, list[Wait]] = {}
    for wait in timeline.wait_rows:
        if wait.kind != "held" and timeline.lane_rows[wait.lane].kind != "virtual-processor":
            waits.setdefault(wait.lane, []).append(wait)
    yields: dict[int, list[Yield]] = {}
    for one in timeline.yield_rows:
        yields.setdefault(one.lane, []).append(one)
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
        free = next((thread for thread in threads if _over(thread[-1], wait.from_us)), None)
        if free is not None:
            free.append(wait)
        elif len(threads) < MOST_THREADS:
            threads.append([wait])
        else:
            hidden += 1
    return threads, hidden


def _over(wait: Wait, at_us: float) -> bool:
    return wait.to_us is not None and wait.to_us <= at_us


def _lane(sheet: _Sheet, one: _Drawn, y: float) -> Iterator[str]:
    middle = y + LANE / 2
    yield _text(4, middle + 3.7, one.lane.label, _INK)
    yield f'<path d="M{sheet.left:.2f} {middle:.2f}H{WIDTH - RIGHT:g}" stroke="{_GRID}"/>'
    for span in one.spans:
        yield from _box(sheet, span, y)
    for own in one.yields:
        yield _yield(sheet, own, y)
    for number, thread in enumerate(one.threads):
        for wait in thread:
            yield from _thread(sheet, wait, y + LANE + number * THREAD)
    if one.hidden:
        text = f"and {one.hidden:,} more that wait"
        yield _text(sheet.left, y + LANE + len(one.threads) * THREAD + 6, text, _SOFT, 'font-size="7"')


def _box(sheet: _Sheet, span: Span, y: float) -> Iterator[str]:
    left, right = sheet.sides(span)
    wide = max(0.4, right - left)
    if sheet.timeline.lane_rows[span.lane].is_processor:
        yield from _processor(sheet, span, (left, y, wide))
        return
    if not sheet.timeline.lane_rows[span.lane].is_exposure:
        yield from _virtual(sheet, span, (left, y, wide))
        return
    if span.holder is None:
        tip = f"offline, {sheet.told(span)}"
        yield _rectangle((left, y, wide, LANE), 'fill="url(#timeline-offline)"', tip)
        return
    who = sheet.timeline.holder_names[span.holder]
    state = _PENDING if span.state == "interrupt-pending" else span.state
    tip = f"{who} at {span.what}, {state}, {sheet.told(span)}"
    if span.state == "gap":
        yield _rectangle((left, y + LANE / 2 - 1.5, wide, 3), f'fill="{_SOFT}"', tip)
        return
    yield _rectangle((left, y, wide, LANE), f'{_fill(span.holder)} stroke="{_INK}" stroke-width="0.5"', tip)
    pattern = {"held": "timeline-held", "interrupt-pending": "timeline-pending"}.get(span.state)
    if pattern:
        yield _rectangle((left, y, wide, LANE), f'fill="url(#{pattern})" pointer-events="none"')
    if wide >= LETTER:
        style = 'text-anchor="middle" pointer-events="none"'
        if pattern:
            style += f' stroke="{_PAPER}" stroke-width="2.5" paint-order="stroke"'
        yield _text((left + right) / 2, y + LANE / 2 + 3.7, letter(span.holder), _INK, style)


def _processor(sheet: _Sheet, span: Span, place: tuple[float, float, float]) -> Iterator[str]:
    """What a processor does: a letter where it has work, dark for the handler, grey where it is not carried."""
    left, y, wide = place
    who = "" if span.holder is None else sheet.timeline.holder_names[span.holder]
    name, told = sheet.timeline.lane_rows[span.lane].name, sheet.told(span)
    grey = f'fill="{_SOFT}" fill-opacity="0.22"'
    styles = {
        "working": (f"{who} on {name}", f'{_fill(span.holder or 0)} stroke="{_INK}" stroke-width="0.5"'),
        "handling-interrupt": (f"{name} handles the interrupt of {who} at {span.what}", f'fill="{_INK}"'),
        "control-program": (f"{name}, in the control program", f'fill="{_INK}" fill-opacity="0.55"'),
        "parked": (f"{name}, parked", 'fill="url(#timeline-offline)"'),
        "in-wait": (f"{name}, carried, in wait", f'fill="{_PAPER}" stroke="{_SOFT}" stroke-width="0.7"'),
        "not-dispatched": (f"{name}, not carried", grey),
        "work-not-dispatched": (
            f"{name}, not carried, has work{f' of {who}' if who else ''}",
            f'{grey} stroke="{_INK}" stroke-width="0.7" stroke-dasharray="2 2"',
        ),
    }
    tip, style = styles[span.state]
    # What is not carried is lower, so that slices are seen at a glance.
    low = LANE / 4 if span.state in ("not-dispatched", "work-not-dispatched") else 0.0
    yield _rectangle((left, y + low, wide, LANE - 2 * low), style, f"{tip}, {told}")
    if span.holder is not None and wide >= LETTER:
        colour = _PAPER if span.state == "handling-interrupt" else _INK
        size = ' font-size="8"' if low else ""
        where = f'text-anchor="middle" pointer-events="none"{size}'
        yield _text(left + wide / 2, y + LANE / 2 + (2.9 if low else 3.7), letter(span.holder), colour, where)


def _virtual(sheet: _Sheet, span: Span, place: tuple[float, float, float]) -> Iterator[str]:
    """How a virtual processor stands: full where it runs, half where it waits, a line where it wakes; or a lock."""
    left, y, wide = place
    lanes, told = sheet.timeline.lane_rows, sheet.told(span)
    name, on = lanes[span.lane].name, "" if span.on is None else lanes[span.on].name
    who = "" if span.holder is None else sheet.timeline.holder_names[span.holder]
    filled = f'{_fill(span.holder or 0)} stroke="{_INK}" stroke-width="0.5"'
    several = f'fill="{_SOFT}" fill-opacity="0.45"'
    half, line = LANE / 2, LANE / 2 - 1.5
    styles = {
        "running": (f"{name} runs on {on}", filled, 0.0),
        "interrupted": (f"{name}, its processor handles a wake-up or is not carried", filled, 0.0),
        "cpu-wait": (f"{name} waits for a processor", filled, half / 2),
        "waking": (f"{name}, its interrupt is not handled yet", f'fill="{_SOFT}"', line),
        "limited": (f"{name}, at its limit", 'fill="url(#timeline-offline)"', 0.0),
        "locked": (f"{name}, held by {on}", f'fill="{_INK}" fill-opacity="0.55"', 0.0),
        "taken": (f"{name}, held by {who}", filled, 0.0),
        "owned": (f"{name}, which {who} has", filled, 0.0),
        "shared": (f"{name}, shared by {who or 'several'}", filled if who else several, half / 2),
    }
    tip, style, low = styles[span.state]
    yield _rectangle((left, y + low, wide, LANE - 2 * low), style, f"{tip}, {told}")
    if span.state == "interrupted":
        yield _rectangle((left, y, wide, LANE), 'fill="url(#timeline-held)" pointer-events="none"')
    if span.state in OF_HOLDER and span.holder is not None and wide >= LETTER:
        where = 'text-anchor="middle" pointer-events="none"'
        yield _text(left + wide / 2, y + LANE / 2 + 3.7, letter(span.holder), _INK, where)


def _yield(sheet: _Sheet, one: Yield, y: float) -> str:
    """A notch at the foot of the lane."""
    x, foot = sheet.x(one.at_us), y + LANE
    tip = escape(f"{sheet.unit.exact(one.at_us)} {sheet.unit.unit}: {one.what}")
    return f'<path d="M{x:.2f} {foot - 5:.2f}l3 5h-6z" fill="{_INK}"><title>{tip}</title></path>'


def _thread(sheet: _Sheet, wait: Wait, y: float) -> Iterator[str]:
    left, right = sheet.sides(wait)
    wide = max(0.4, right - left)
    tip = f"{sheet.timeline.holder_names[wait.holder]} waits at {wait.where}: {wait.why}; {sheet.told(wait)}"
    style = f'{_fill(wait.holder)} stroke="{_SOFT}" stroke-width="0.4"'
    yield _rectangle((left, y + 1.5, wide, THREAD - 1.5), style, tip)
    if wide >= LETTER:
        where = 'text-anchor="middle" font-size="6.5" pointer-events="none"'
        yield _text((left + right) / 2, y + THREAD - 1.2, letter(wait.holder), _INK, where)


def _fill(holder: int) -> str:
    colour, opacity = _FILLS[holder % len(_FILLS)]
    return f'fill="{colour}" fill-opacity="{opacity}"'


def _ruler(sheet: _Sheet, bottom: float) -> Iterator[str]:
    timeline = sheet.timeline
    for at_us, text in sheet.unit.ticks(timeline.from_us, timeline.to_us, 11):
        x = sheet.x(at_us)
        yield f'<path d="M{x:.2f} {TOP - 8:g}V{bottom:g}" stroke="{_GRID}"/>'
        yield _text(x, TOP - 12, text, _SOFT, 'text-anchor="middle"')
    yield _text(4, TOP - 12, sheet.unit.unit, _SOFT)


def _changes(sheet: _Sheet, bottom: float) -> Iterator[str]:
    for number, (at_us, what) in enumerate(sheet.timeline.change_rows, 1):
        x = sheet.x(at_us)
        tip = escape(f"{sheet.unit.exact(at_us)} {sheet.unit.unit}: {what}")
        yield (
            f'<g><path d="M{x:.2f} {TOP - 6:g}V{bottom:g}" stroke="{_INK}" stroke-width="1.2" stroke-dasharray="3 2"/>'
            f"{_text(x + 2, TOP - 1, f'{number}', _INK)}<title>{tip}</title></g>"
        )


def _legend(sheet: _Sheet, y: float) -> tuple[list[str], float]:
    """Who the letters are, and what the signs mean; and how much room that takes."""
    timeline = sheet.timeline
    seen = {span.holder for span in timeline.span_rows if span.holder is not None}
    seen |= {wait.holder for wait in timeline.wait_rows}
    named = [number for number in sorted(seen) if letter(number) != OTHERS]
    texts = [(number, f"{letter(number)}  {timeline.holder_names[number]}") for number in named]
    each = 24 + CHARACTER * max((len(text) for _, text in texts), default=1)
    beside = max(1, int((WIDTH - 8) / each))
    parts = []
    for at, (number, text) in enumerate(texts):
        x, line = 4 + at % beside * each, y + at // beside * 15
        parts.append(_rectangle((x, line - 8, 9, 9), f'{_fill(number)} stroke="{_INK}" stroke-width="0.5"'))
        parts.append(_text(x + 13, line, text, _INK))
    y_end = y + -(-len(texts) // beside) * 15
    notes = [*_notes(sheet, len(seen) - len(named))]
    parts += [_text(4, y_end + 4 + number * 14, note, _SOFT) for number, note in enumerate(notes)]
    return parts, y_end - y + 4 + len(notes) * 14


def _notes(sheet: _Sheet, others: int) -> Iterator[str]:
    timeline = sheet.timeline
    if others:
        yield f"{OTHERS}  {others:,} others"
    below = "lane" if any(lane.is_processor for lane in timeline.lane_rows) else "base"
    signs = [f"low bars below a {below}: who waits there"] if timeline.wait_rows else []
    states = {span.state for span in timeline.span_rows}
    names = {
        "held": "hatched: held, the I/O stays pending",
        "interrupt-pending": f"upright lines: {_PENDING}",
        "gap": "thin line: gap between I/Os",
        "offline": "dotted: offline",
    }
    signs += [text for state, text in names.items() if state in states]
    if signs:
        yield "; ".join(signs)
    names = {
        "handling-interrupt": "dark: handles the interrupt of that letter's I/O",
        "in-wait": "empty: carried, in wait",
        "not-dispatched": "grey: not carried",
        "work-not-dispatched": "grey, dashed: not carried, has work of that letter",
    }
    signs = [text for state, text in names.items() if state in states]
    if signs:
        yield f"processors: {'; '.join(signs)}"
    names = {
        "control-program": "dark grey: in the control program, for nobody",
        "parked": "dotted: parked",
    }
    signs = [text for state, text in names.items() if state in states]
    if signs:
        yield f"of control programs: {'; '.join(signs)}"
    names = {
        "running": "letter: runs",
        "cpu-wait": "low: waits for a processor",
        "waking": "thin line: wakes",
        "interrupted": "hatched: its processor handles a wake-up",
        "limited": "dotted: at its limit",
    }
    signs = [text for state, text in names.items() if state in states]
    signs += ["notch at the foot: yields"] if timeline.yield_rows else []
    if signs:
        yield f"virtual processors: {'; '.join(signs)}"
    if any(lane.kind == "spin-lock" for lane in timeline.lane_rows) and "taken" in states:
        yield "spin locks: letter: has it; low bars below: who spins for it"
    if states & {"owned", "shared"}:
        shared = "; low: shared, grey: by several" if "shared" in states else ""
        yield f"names and ENQ/DEQ locks: letter: has it{shared}"
    for number, (at_us, what) in enumerate(timeline.change_rows, 1):
        yield f"{number}  at {sheet.unit.exact(at_us)} {sheet.unit.unit}: {what}"


def _rectangle(place: tuple[float, float, float, float], style: str, tip: str = "") -> str:
    x, y, width, height = place
    shape = f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" {style}'
    return f"{shape}><title>{escape(tip)}</title></rect>" if tip else f"{shape}/>"


def _text(x: float, y: float, text: str, colour: str, style: str = "") -> str:
    style = f" {style}" if style else ""
    return f'<text x="{x:.2f}" y="{y:.2f}" fill="{colour}"{style}>{escape(text)}</text>'
