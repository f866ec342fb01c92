"""The layers of one panel: bands, lines, bars, spans, points and marks, from the bottom up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.report.drawing.inks import INK, PAPER, SOFT, fill, look_of
from slicewright.report.drawing.legends import NOISE, RANGE, Legend, kept, kept_groups
from slicewright.report.figure import Figure, Look, Number, Panel, Series
from slicewright.statistics import count, plus_minus, significant
from slicewright.values.numerals import finite

Row = dict[str, Any]
Spec = dict[str, Any]

LETTER = 6.0
"""Width of a letter in a span, amply."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What all layers of a panel share: its figure, its legend, and whether it can be pointed at."""

    figure: Figure
    panel: Panel
    legend: Legend
    live: bool
    scales: tuple[Spec, Spec]
    """Of x and of the values."""
    pixels: float
    """Of one unit along the axis that runs across."""

    @property
    def sideways(self) -> bool:
        """Whether values run across."""
        return self.figure.layout == "rows"

    def encode(self, channels: Spec) -> Spec:
        """Channels named for x (`p`, `p2`) and for the value (`v`, `v2`) as those of the page; others stay."""
        names = {"p": "y", "p2": "y2", "v": "x", "v2": "x2"} if self.sideways else {
            "p": "x", "p2": "x2", "v": "y", "v2": "y2"
        }  # fmt: skip
        made: Spec = {}
        for name, value in channels.items():
            if name in ("p", "v") and isinstance(value, str):
                value = {"field": value, **self.scales[name == "v"]}
            elif name in ("p2", "v2"):
                value = {"field": value}
            made[names.get(name, name)] = value
        return made

    def name(self, x: float) -> str:
        """The value at x."""
        names, first = self.panel.names, 0 if self.sideways else 1
        places = self.figure.places if self.sideways and self.figure.places else range(first, first + len(names))
        return next((name for at, name in zip(places, names, strict=True) if at == x), "")

    def tip(self, series: Series, at: int) -> str:
        """The text when the pointer rests on a value."""
        if series.tips is not None:
            return series.tips[at]
        x = series.x[at]
        name = self.name(x)
        place = name or f"{self.figure.across or 'x'}: {count(x)}"
        half = finite(series.half_width[at]) if series.half_width else None
        value = plus_minus(finite(series.y[at]), half) if half else count(finite(series.y[at]))
        low, high = _ends(series, at)
        between = f"\n{RANGE}: {significant(low)} - {significant(high)}" if low is not None else ""
        what = self.panel.label or "value"
        return f"{series.label or self.panel.title}\n{place}\n{what}: {value}{between}"


def layers(sheet: Sheet) -> Iterator[Spec]:
    """All layers of a panel, those that lie on others last."""
    yield from _shade(sheet)
    if sheet.panel.origin == "both sides":
        yield _rule(sheet, {"v": {"datum": 0, **sheet.scales[1]}}, {"strokeWidth": 1})
    below: dict[float, float] = {}
    parts: list[list[Spec]] = [[], [], []]
    lines = 0
    for series in sheet.panel.series:
        if series.kind in ("line", "steps"):
            parts[0] += _bands(sheet, series)
            parts[1] += _line(sheet, series)
            lines += 1
        elif series.kind == "bars":
            parts[1] += _bars(sheet, series, below)
        elif series.kind == "spans":
            parts[1] += _spans(sheet, series)
        else:
            parts[2] += _points(sheet, series)
    for part in parts:
        yield from part
    yield from _marks(sheet)
    if sheet.panel.ends:
        yield _ends_of_rows(sheet)


def _layer(sheet: Sheet, rows: Sequence[Row], mark: Spec, channels: Spec, *labels: str) -> Spec:
    """A layer of rows that disappears when one of the labels is clicked."""
    own: Spec = {"data": {"values": list(rows)}, "mark": {"aria": False, **mark}, "encoding": sheet.encode(channels)}
    if sheet.live or mark["type"] in ("area", "rule"):
        own["mark"]["clip"] = True
    if sheet.live:
        grouped = bool(rows) and "series" in rows[0]
        steps = kept_groups(sheet.legend) if grouped else kept(sheet.legend, *labels)
        if steps:
            own["transform"] = steps
    return own


def _told(sheet: Sheet, mark: Spec, channels: Spec) -> tuple[Spec, Spec]:
    """The mark and the channels with the text of each row: on a page when pointed at, alone as a title."""
    if sheet.live:
        return mark, {**channels, "tooltip": {"field": "t", "type": "nominal"}}
    return {**mark, "aria": True}, {**channels, "description": {"field": "t", "type": "nominal"}}


def _opened(series: Series, at: int) -> Row:
    """The name that a click on a value opens."""
    return {"o": series.opens[at]} if series.opens is not None else {}


def _pointed(series: Series) -> Spec:
    return {"cursor": "pointer"} if series.opens is not None else {}


def _rows(series: Series) -> Iterator[tuple[int, float, Number]]:
    for at, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
        yield at, float(x), finite(y)


def _number(value: Number) -> Number:
    """Seven significant digits: more cannot be seen."""
    return None if value is None else float(f"{value:.7g}")


def _ends(series: Series, at: int) -> tuple[Number, Number]:
    if series.low is None or series.high is None:
        return None, None
    low, high = finite(series.low[at]), finite(series.high[at])
    return (None, None) if low is None or high is None else (low, high)


def _interpolate(series: Series) -> Spec:
    return {"interpolate": "step-after"} if series.kind == "steps" else {}


def _bands(sheet: Sheet, series: Series) -> Iterator[Spec]:
    ink = sheet.legend.style(series.label).stroke
    shown = (
        (RANGE, 0.13, [_ends(series, at) for at in range(len(series.x))] if series.low is not None else []),
        (NOISE, 0.35, [_around(series, at) for at in range(len(series.x))] if series.half_width is not None else []),
    )
    for name, strength, ends in shown:
        # Each stretch between gaps is an area of its own: an area breaks at no gap by itself.
        for stretch in _stretches(series.x, ends):
            mark = {"type": "area", "color": ink, "opacity": strength, "line": False, **_interpolate(series)}
            yield _layer(sheet, stretch, mark, {"p": "p", "v": "a", "v2": "b"}, series.label, name)


def _stretches(x: Sequence[float], ends: Sequence[tuple[Number, Number]]) -> Iterator[list[Row]]:
    stretch: list[Row] = []
    for at, (low, high) in zip(x, ends, strict=bool(ends)):
        if low is None or high is None:
            if stretch:
                yield stretch
            stretch = []
        else:
            stretch.append({"p": float(at), "a": _number(low), "b": _number(high)})
    if stretch:
        yield stretch


def _around(series: Series, at: int) -> tuple[Number, Number]:
    y = finite(series.y[at])
    half = finite(series.half_width[at]) if series.half_width is not None else None
    return (None, None) if y is None or half is None else (y - half, y + half)


def _line(sheet: Sheet, series: Series) -> Iterator[Spec]:
    style = sheet.legend.style(series.label)
    rows = [{"p": x, "v": _number(y)} for _, x, y in _rows(series)]
    mark = {"type": "line", "color": style.stroke, "strokeDash": list(style.dash), "strokeWidth": 1.8}
    yield _layer(sheet, rows, {**mark, **_interpolate(series)}, {"p": "p", "v": "v"}, series.label)
    if sheet.live:
        told: list[Row] = [
            {"p": x, "v": _number(y), "t": sheet.tip(series, at), **_opened(series, at)}
            for at, x, y in _rows(series)
            if y is not None
        ]
        mark, channels = _told(sheet, {"type": "point", "filled": True, "size": 90, "opacity": 0}, {"p": "p", "v": "v"})
        mark = {**mark, "color": style.stroke, **_pointed(series)}
        yield _layer(sheet, told, mark, channels, series.label)


def _points(sheet: Sheet, series: Series) -> Iterator[Spec]:
    style = sheet.legend.style(series.label)
    known = [(at, x, y) for at, x, y in _rows(series) if y is not None]
    between = [(x, *_ends(series, at)) for at, x, _ in known]
    rows: list[Row] = [{"p": x, "a": low, "b": high} for x, low, high in between if low is not None]
    if rows:
        mark = {"type": "rule", "stroke": style.stroke, "strokeWidth": 6, "opacity": 0.25}
        yield _layer(sheet, rows, mark, {"p": "p", "v": "a", "v2": "b"}, series.label, RANGE)
    yield from _whiskers(sheet, series, [(at, x, y) for at, x, y in known if y is not None])
    size = {"ticks": 110, "crosses": 60}.get(series.kind, 52)
    mark = {
        "type": "point", "shape": style.shape, "stroke": style.stroke, "fill": style.fill, "size": size,
        "strokeWidth": 1.4, "opacity": 1,
    }  # fmt: skip
    rows = [{"p": x, "v": _number(y), "t": sheet.tip(series, at), **_opened(series, at)} for at, x, y in known]
    mark |= _pointed(series)
    yield _layer(sheet, rows, *_told(sheet, mark, {"p": "p", "v": "v"}), series.label)
    if series.names is not None:
        rows = [{"p": x, "v": _number(y), "n": series.names[at]} for at, x, y in known]
        mark = {"type": "text", "dx": 6, "dy": -7, "align": "left", "color": INK, "fontSize": 11}
        yield _layer(sheet, rows, mark, {"p": "p", "v": "v", "text": {"field": "n", "type": "nominal"}}, series.label)


def _whiskers(sheet: Sheet, series: Series, ends: Sequence[tuple[int, float, float]]) -> Iterator[Spec]:
    """Half-widths of the values, and of x where they are given."""
    mark = {"type": "rule", "stroke": INK, "strokeWidth": 1.1}
    for widths, along in ((series.half_width, True), (series.x_half_width, False)):
        rows = []
        for at, x, y in ends:
            half = finite(widths[at]) if widths is not None else None
            if half:
                middle = y if along else x
                rows.append({"p": x, "v": _number(y), "a": _number(middle - half), "b": _number(middle + half)})
        if rows:
            channels = {"p": "p", "v": "a", "v2": "b"} if along else {"p": "a", "p2": "b", "v": "v"}
            yield _layer(sheet, rows, mark, channels, series.label)
            for end in "ab" if along else "":
                tick: Spec = {"type": "point", "shape": "M0,-1L0,1" if sheet.sideways else "M-1,0L1,0", "size": 30}
                tick |= {"stroke": INK, "strokeWidth": 1.1, "opacity": 1}
                start = sheet.scales[1]["scale"]["domain"][0]
                yield _layer(
                    sheet, [row for row in rows if row[end] >= start], tick, {"p": "p", "v": end}, series.label
                )


def _bars(sheet: Sheet, series: Series, below: dict[float, float]) -> Iterator[Spec]:
    """Bars on top of those before them; a half-width is that of the whole up to here."""
    look, half = look_of(series, 0), series.thickness / 2
    rows: list[Row] = []
    ends = []
    for at, x, y in _rows(series):
        start = below.get(x, 0.0)
        below[x] = start + (y or 0.0)
        if y:
            ends.append((at, x, below[x]))
            tip = sheet.tip(series, at)
            rows.append({"p": x - half, "q": x + half, "a": _number(start), "b": _number(below[x]), "t": tip})
    mark = {
        "type": "rect", "fill": fill(look), "stroke": PAPER, "strokeWidth": 0.6,
        "opacity": 1,
    }  # fmt: skip
    yield _layer(sheet, rows, *_told(sheet, mark, {"p": "p", "p2": "q", "v": "a", "v2": "b"}), series.label)
    yield from _whiskers(sheet, series, ends)


def _spans(sheet: Sheet, series: Series) -> Iterator[Spec]:
    """Spans in rows, each with its look, and its name where there is room for it."""
    one = look_of(series, 0)
    looks = (
        list(series.look) if series.look is not None and not isinstance(series.look, Look) else [one] * len(series.x)
    )
    half = series.thickness / 2
    rows: list[Row] = []
    names: list[Row] = []
    for at, x in enumerate(series.x):
        low, high = _ends(series, at)
        if low is None or high is None:
            continue
        look = looks[at]
        rows.append({
            "p": _number(x - half), "q": _number(x + half), "a": _number(low), "b": _number(high), "f": fill(look),
            "s": INK if look.edge == "line" else SOFT if look.edge else PAPER,
            "d": [2, 2] if look.edge == "dashes" else [1, 0], "t": _said(sheet, series, at, low, high),
        })  # fmt: skip
        group = {"series": series.groups[at]} if series.groups is not None else {}
        rows[-1] |= group
        name = series.names[at] if series.names is not None else ""
        if name and sheet.pixels * (high - low) >= LETTER * len(name) + 2:
            ink = PAPER if look.strength > 0.9 and look.colour in (0, 1) and not look.texture else INK
            names.append({"p": _number(x), "v": _number((low + high) / 2), "n": name, "c": ink, **group})
    own = {key: {"field": field, "type": "nominal", "scale": None} for key, field in _GIVEN.items()}
    mark = {"type": "rect", "strokeWidth": 0.5, "opacity": 1}
    channels = {"p": "p", "p2": "q", "v": "a", "v2": "b", **own}
    yield _layer(sheet, rows, *_told(sheet, mark, channels), series.label)
    size = max(7.0, min(11.0, 0.62 * sheet.figure.row * series.thickness))
    if names:
        text = {"field": "n", "type": "nominal"}
        colours = {"field": "c", "type": "nominal", "scale": None}
        mark = {"type": "text", "fontSize": size, "baseline": "middle", "align": "center"}
        yield _layer(sheet, names, mark, {"p": "p", "v": "v", "text": text, "color": colours}, series.label)


_GIVEN = {"fill": "f", "stroke": "s", "strokeDash": "d"}


def _said(sheet: Sheet, series: Series, at: int, low: float, high: float) -> str:
    if series.tips is not None:
        return series.tips[at]
    name = f"{series.names[at]}, " if series.names is not None and series.names[at] else ""
    return f"{name}{series.label}\n{sheet.name(series.x[at])}: {significant(low)} to {significant(high)}"


def _shade(sheet: Sheet) -> Iterator[Spec]:
    if sheet.panel.shaded is not None:
        start, end = sheet.panel.shaded
        mark = {"type": "rect", "color": INK, "opacity": 0.06}
        yield _layer(sheet, [{"a": start, "b": end}], mark, {"p": "a", "p2": "b"})


def _rule(sheet: Sheet, channels: Spec, mark: Spec) -> Spec:
    return _layer(sheet, [{}], {"type": "rule", "color": INK, **mark}, channels)


def _marks(sheet: Sheet) -> Iterator[Spec]:
    """Dashed lines, with names above the panel, where no values are; below one another, above the first panel."""
    first = sheet.figure.panels[0]
    marks = first.marks if sheet.figure.layout == "below" else sheet.panel.marks
    if not marks:
        return
    rows = [{"p": float(x)} for x, _ in marks]
    along = "v" if sheet.sideways else "p"
    yield _layer(sheet, rows, {"type": "rule", "strokeDash": [3, 3], "color": INK}, {along: "p"})
    if sheet.figure.layout == "below" and sheet.panel is not first:
        return
    low, high = sheet.scales[sheet.sideways]["scale"]["domain"]
    for (x, name), level in zip(marks, levels(marks, (low, high), sheet.pixels), strict=True):
        late = _is_late(x, (low, high))
        height = -5 - 12 * level
        text = {"type": "text", "align": "right" if late else "left", "dx": -4 if late else 4, "fontSize": 10.5}
        for halo in ({"stroke": PAPER, "strokeWidth": 3}, {}):
            mark = {**text, "color": INK, **halo}
            spec = _layer(sheet, [{"p": float(x), "n": name}], mark, {
                along: "p", "text": {"field": "n", "type": "nominal"}, "y": {"value": height},
            })  # fmt: skip
            spec["mark"]["clip"] = False
            yield spec


def _ends_of_rows(sheet: Sheet) -> Spec:
    """Texts beside the right ends of rows, where no values are."""
    places = sheet.figure.places or range(len(sheet.panel.ends))
    rows = [{"p": float(at), "n": text} for at, text in zip(places, sheet.panel.ends, strict=True)]
    right = sheet.pixels * (sheet.scales[1]["scale"]["domain"][1] - sheet.scales[1]["scale"]["domain"][0])
    mark = {"type": "text", "align": "left", "baseline": "middle", "fontSize": 11, "color": INK, "clip": False}
    spec = _layer(sheet, rows, mark, {
        "p": "p", "text": {"field": "n", "type": "nominal"}, "x": {"value": round(right) + 5},
    })  # fmt: skip
    spec["mark"]["clip"] = False
    return spec


def levels(marks: Sequence[tuple[float, str]], domain: tuple[float, float], pixels: float) -> list[int]:
    """The line of each mark's name, so that none covers another.

    >>> levels([(1, "first"), (1.1, "second"), (9, "third")], (0, 10), 20)
    [0, 1, 0]
    """
    taken: list[list[tuple[float, float]]] = []
    found = []
    for x, name in marks:
        wide = (LETTER * len(name) + 8) / pixels
        own = (x - wide, x) if _is_late(x, domain) else (x, x + wide)
        free = (at for at, others in enumerate(taken) if all(own[1] < a or b < own[0] for a, b in others))
        level = next(free, len(taken))
        taken += [[]] if level == len(taken) else []
        taken[level].append(own)
        found.append(level)
    return found


def _is_late(x: float, domain: tuple[float, float]) -> bool:
    """Whether a name beside x would run over the end."""
    return x > domain[0] + 0.6 * (domain[1] - domain[0])


def extent(panel: Panel) -> tuple[float, float]:
    """The least and the largest value of a panel, with what is uncertain; 0 and 1 without any."""
    values: list[float] = []
    stacked: dict[float, float] = {}
    for series in panel.series:
        for at, x, y in _rows(series):
            low, high = _ends(series, at)
            values += [value for value in (low, high) if value is not None]
            if y is None:
                continue
            if series.kind == "bars":
                y = stacked[x] = stacked.get(x, 0.0) + y
            half = finite(series.half_width[at]) if series.half_width is not None else None
            # A value that cannot be negative is not drawn below 0, however uncertain it is.
            below = 0.0 if y >= 0 and panel.origin == "zero" else y - (half or 0.0)
            values += [below, y + (half or 0.0)]
    found = [value for value in values if math.isfinite(value)]
    return (min(found), max(found)) if found else (0.0, 1.0)


def across_extent(panels: Sequence[Panel]) -> tuple[float, float]:
    """The least and the largest x of panels, with their half-widths and marks; 0 and 1 without any."""
    values: list[float] = []
    for panel in panels:
        for series in panel.series:
            for at, x in enumerate(series.x):
                half = finite(series.x_half_width[at]) if series.x_half_width is not None else None
                values += [x - (half or 0.0), x + (half or 0.0)]
        values += [x for x, _ in panel.marks]
    found = [value for value in values if math.isfinite(value)]
    return (min(found), max(found)) if found else (0.0, 1.0)


__all__ = ["Sheet", "across_extent", "extent", "layers", "levels"]
