"""A timeline as text: a lane per processor and exposure with the letter of its holder in each column, then each wait.

A lane shows in a column the state that took most of that column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from slicewright.report.text import aligned
from slicewright.statistics import plural, seconds
from slicewright.timeline.marks import CHANGE, IDLE, MEANINGS, OTHERS, letter, sign
from slicewright.timeline.recorded import Recorded, Span
from slicewright.timeline.scale import Scale, scale
from slicewright.values.errors import problem, refusal

NARROWEST, WIDEST = 40, 1_000
MOST_IDLE = 40
"""With more lanes than this, those that are idle all the time are only counted."""
FEWEST_COLUMNS = 10
NARROWEST_TICK = 8
"""Columns from one tick of the ruler to the next, at least."""
PASSED_OVER = "passed over"


def check_width(width: int) -> None:
    """Raise InputError for a width that nothing can be drawn in.

    >>> check_width(80)
    """
    if not NARROWEST <= width <= WIDEST:
        allowed = f"{NARROWEST} to {WIDEST:,} characters"
        raise refusal(problem(f"out of range: {width:,}", key="width", allowed=allowed))


def drawn(timeline: Recorded, width: int) -> str:
    """The timeline at this width in characters; the table of waits may be wider.

    Raises InputError for a width that nothing can be drawn in.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> print(drawn(slicewright.trace(starter("mm1"), for_s=0.005), 80))
    M/M/1...
    """
    check_width(width)
    unit = scale(timeline.from_us, timeline.to_us)
    shown = _shown(timeline)
    labels = [timeline.lane_rows[number].label for number in shown]
    margin = max([len(label) for label in labels] + [len(unit.unit)]) + 4
    columns = max(FEWEST_COLUMNS, width - margin)
    grid = _Grid(timeline, columns)
    rows = grid.rows(shown)
    blank = " " * margin
    lines = [*_head(timeline, unit, columns), "", *grid.ruler(unit, margin)]
    if timeline.change_rows:
        lines.append(blank + grid.changes())
    lines += [f"  {label.ljust(margin - 4)}  {row}" for label, row in zip(labels, rows, strict=True)]
    hidden = len(timeline.lane_rows) - len(shown)
    if hidden:
        lines.append(f"  and {plural(hidden, 'more lane')} idle all the time")
    lines += ["", *_legend(timeline, rows, width)]
    lines += ["", *_waits(timeline, unit)]
    if timeline.change_rows:
        lines += ["", *_changes(timeline, unit)]
    if timeline.yield_rows:
        lines += ["", *_yields(timeline, unit)]
    return "\n".join(line.rstrip() for line in lines)


class _Grid:
    """The columns of a timeline: which instants each of them covers."""

    def __init__(self, timeline: Recorded, columns: int) -> None:
        self._timeline = timeline
        self._columns = columns
        self._each_us = (timeline.to_us - timeline.from_us) / columns

    def rows(self, lanes: Sequence[int]) -> list[str]:
        by_lane: dict[int, list[Span]] = {number: [] for number in lanes}
        for span in self._timeline.span_rows:
            by_lane[span.lane].append(span)
        return [self._row(by_lane[number]) for number in lanes]

    def _row(self, spans: Iterable[Span]) -> str:
        """What took most of each column: a sign and how long, summed; what comes first where two took as long."""
        took: list[dict[str, float]] = [{} for _ in range(self._columns)]
        for span in spans:
            mark = sign(span.state, span.holder)
            start, end = self._place(span.from_us), self._place(self._end(span))
            for column in range(max(0, int(start)), min(self._columns, int(end) + 1)):
                share = min(end, column + 1) - max(start, column)
                if share > 0:
                    took[column][mark] = took[column].get(mark, 0.0) + share
        return "".join(_most(column) for column in took)

    def ruler(self, unit: Scale, margin: int) -> list[str]:
        """Two lines: the texts of the ticks, and the ticks."""
        timeline = self._timeline
        most = self._columns // NARROWEST_TICK + 1
        texts, line = "", ["-"] * self._columns
        for at_us, text in unit.ticks(timeline.from_us, timeline.to_us, most):
            column = min(self._columns - 1, round(self._place(at_us)))
            line[column] = "|"
            if column >= (len(texts) + 1 if texts else 0) and column + len(text) <= self._columns + 2:
                texts = texts.ljust(column) + text
        return [f"  {unit.unit}".ljust(margin) + texts, " " * margin + "".join(line)]

    def changes(self) -> str:
        line = [" "] * self._columns
        for at_us, _ in self._timeline.change_rows:
            line[min(self._columns - 1, int(self._place(at_us)))] = CHANGE
        return "".join(line)

    def _place(self, at_us: float) -> float:
        return (at_us - self._timeline.from_us) / self._each_us

    def _end(self, span: Span) -> float:
        return self._timeline.to_us if span.to_us is None else span.to_us


def _most(took: dict[str, float]) -> str:
    """The sign that took most of a column; the rest of it was idle."""
    sign, share = max(took.items(), key=lambda item: item[1], default=(IDLE, 0.0))
    return sign if share >= 1 - sum(took.values()) - 1e-9 else IDLE


def _shown(timeline: Recorded) -> list[int]:
    lanes = timeline.worth_drawing
    if len(lanes) <= MOST_IDLE:
        return lanes
    occupied = {span.lane for span in timeline.span_rows}
    return [number for number in lanes if number in occupied]


def _head(timeline: Recorded, unit: Scale, columns: int) -> list[str]:
    def told(at_us: float) -> str:
        return f"{at_us / unit.us:,.10g}"

    column_us = (timeline.to_us - timeline.from_us) / columns
    stretch = f"{told(timeline.from_us)} to {told(timeline.to_us)} {unit.unit} from the start of the first interval"
    origin = f"replication {timeline.replication}, seed {timeline.seed}, warm-up cut {seconds(timeline.warm_up_s)}"
    return [
        timeline.name,
        f"{stretch}; {origin}",
        f"A column is {_length(column_us)} and shows what took most of it.",
    ]


def _length(length_us: float) -> str:
    unit, size = ("us", 1.0) if length_us < 1e3 else ("ms", 1e3) if length_us < 1e6 else ("s", 1e6)
    return f"{length_us / size:,.4g} {unit}"


def _legend(timeline: Recorded, rows: Sequence[str], width: int) -> list[str]:
    """The holders behind the letters, as many beside each other as fit; then the signs."""
    drawn_signs = set("".join(rows))
    seen = {span.holder for span in timeline.span_rows if span.holder is not None}
    seen |= {wait.holder for wait in timeline.wait_rows}
    named = [number for number in sorted(seen) if letter(number) != OTHERS]
    names = [f"{letter(number)} {timeline.holder_names[number]}" for number in named]
    others = len(seen) - len(named)
    if others:
        names.append(f"{OTHERS} {plural(others, 'other')}")
    if timeline.change_rows:
        drawn_signs.add(CHANGE)
    meanings = [f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in drawn_signs]
    return [*_packed(names, width), *_packed(meanings, width)]


def _packed(texts: Sequence[str], width: int) -> list[str]:
    each = max((len(text) for text in texts), default=0) + 2
    beside = max(1, (width - 2) // each)
    return [
        "  " + "".join(text.ljust(each) for text in texts[start : start + beside])
        for start in range(0, len(texts), beside)
    ]


def _waits(timeline: Recorded, unit: Scale) -> list[str]:
    if not timeline.wait_rows:
        return ["Nobody waits."]
    rows = []
    for wait in timeline.wait_rows:
        beyond = ">" if wait.to_us is None else ""
        to_us = timeline.to_us if wait.to_us is None else wait.to_us
        who = f"{letter(wait.holder)} {timeline.holder_names[wait.holder]}"
        times = [unit.exact(wait.from_us), beyond + unit.exact(to_us), beyond + unit.exact(to_us - wait.from_us)]
        rows.append([*times, who, wait.where, wait.why])
    head = [f"from, {unit.unit}", "to", "length", "who", "where", "why"]
    lines = _table(head, rows)
    count = plural(len(rows), "wait")
    if any(wait.to_us is None for wait in timeline.wait_rows):
        count += "; > lasts beyond the end"
    if any(PASSED_OVER in wait.why for wait in timeline.wait_rows):
        count += f"; {PASSED_OVER}: an alias became free and did not take the waiting request (redispatch)"
    return [count, *lines]


def _changes(timeline: Recorded, unit: Scale) -> list[str]:
    rows = [[unit.exact(at_us), what] for at_us, what in timeline.change_rows]
    return [plural(len(rows), "change"), *_table([f"at, {unit.unit}", "what"], rows)]


def _yields(timeline: Recorded, unit: Scale) -> list[str]:
    lanes = timeline.lane_rows
    rows = [[unit.exact(row.at_us), lanes[row.lane].name, lanes[row.on].name, row.what] for row in timeline.yield_rows]
    return [plural(len(rows), "yield"), *_table([f"at, {unit.unit}", "who", "on", "what"], rows)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of numbers set to the right, those of words after them to the left."""
    numbers = next((at for at, title in enumerate(head) if title in ("who", "what")), len(head))
    lines = aligned([head, *rows], [at >= numbers for at in range(len(head))])
    return [f"  {line}".rstrip() for line in lines]
