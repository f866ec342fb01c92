"""A figure as a Vega-Lite specification: panels with their axes, the layers of each, and the legends that they share.

Layers are bands, lines, bars, spans, points and marks, from the bottom up.  A click on a name of a legend hides it.
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from slicewright.report.drawing.inks import FONT, GRID, INK, PAPER, SOFT, Style, area, fill, look_of, style
from slicewright.report.drawing.residuals import residuals
from slicewright.report.figure import Figure, Look, Number, Panel, Series
from slicewright.statistics import count, plus_minus, significant
from slicewright.values.numerals import finite

WIDTH = 860.0
"""Of a whole figure, in pixels."""
HEIGHTS = {"beside": 190.0, "below": 96.0}
RESIDUALS = 80.0
"""The height of a panel of residuals."""
AXIS = 62.0
"""The space of an axis's labels."""
FEW = 4
"""Whole numbers between the ends of an axis up to which each has a tick."""
LETTER = 5.8
"""Width of a letter of a note, amply."""
TITLE_LETTER = 8.4
"""Of a title."""
LEVEL = 6
"""Letters that a name below a panel may have and stand level."""

_SHOWN = "abs(datum.value) < 1e10 ? format(datum.value, ',.10~r') : datum.label"

Row = dict[str, Any]
Spec = dict[str, Any]

_SPAN_LETTER = 6.0
"""Width of a letter in a span, amply."""

NOISE, RANGE = "95 % interval", "range of readings"
BANDS = {NOISE: Look(0, 0.35), RANGE: Look(0, 0.13)}
_LINES = ("line", "steps")
_BANDED = (*_LINES, "points")
"""Kinds of series that a range can be around."""
CHARACTER = 6.2
"""Width of a letter of a legend, on average and amply."""
SYMBOL = 34.0
_LINE = 1.8
"""Width of a line."""

CHANNELS = ("stroke", "fill", "strokeDash", "shape")


def specification(figure: Figure, live: bool = False) -> Spec:
    """The figure in Vega-Lite; `live` for a page on which it is pointed at, moved and zoomed.

    >>> from slicewright.report.figure import Series
    >>> specification(Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0])])]))["background"]
    'transparent'
    """
    used = _legends(figure, live)
    views = [_view(figure, at, used, live) for at in range(len(figure.panels))]
    below = below_panels(figure)
    spec: Spec = {"vconcat" if figure.layout == "below" else "hconcat": views, "spacing": 22}
    if any(below):
        small = [_residuals(figure, at, used, live) if below[at] else _blank(figure, at) for at in range(len(below))]
        spec = {"concat": [*views, *small], "columns": len(views), "spacing": 22}
    how = "shared" if used[0] is used[-1] else "independent"
    resolve = {"resolve": {part: dict.fromkeys(CHANNELS, how) for part in ("scale", "legend")}}
    if figure.title:
        title = {"text": _lines([figure.title], TITLE_LETTER), "anchor": "start", "fontSize": 14}
        spec = {"title": title, **spec}
    if figure.notes:
        # A specification has one title, so that the notes are that of another around it.
        title = {
            "text": _lines(figure.notes), "orient": "bottom", "anchor": "start", "fontWeight": "normal", "fontSize": 11,
            "color": SOFT, "offset": 8,
        }  # fmt: skip
        spec = {"title": title, "vconcat": [{**spec, **resolve}]} if figure.title else {"title": title, **spec}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json", "description": figure.described,
        "background": "transparent", "padding": 5, **spec, **resolve, "config": _config(),
        **({"usermeta": {"layout": figure.layout}} if live else {}),
    }  # fmt: skip


def below_panels(figure: Figure) -> list[Panel | None]:
    """The panel of residuals below each panel, where curves nearly coincide."""
    if figure.layout != "beside":
        return [None] * len(figure.panels)
    made = []
    for panel in figure.panels:
        low, high = panel.limits or _room(panel)
        made.append(residuals(panel, high - low))
    return made


def _residuals(figure: Figure, at: int, used: Sequence[_Legend], live: bool) -> Spec:
    """The view of a panel of residuals, with the x axis of the panel above it."""
    panel = below_panels(figure)[at]
    assert panel is not None
    x, value = _across(figure, at), _up(figure, panel)
    value["axis"]["tickCount"] = 3
    width, _ = _size(figure, figure.panels[at])
    if "values" not in x["axis"]:
        x["axis"]["tickCount"] = max(2, round(width / 62))
    domain = x["scale"]["domain"]
    sheet = _Sheet(figure, panel, used[at], live, (x, value), width / (domain[1] - domain[0]))
    parts = list(_layers(sheet))
    if live:
        parts = _zoomed(parts, figure, at, "residuals")
    return {"width": round(width), "height": RESIDUALS, "layer": [*parts, _head(panel.label, 6)]}


def _blank(figure: Figure, at: int) -> Spec:
    """The place below a panel that has no residuals."""
    width, _ = _size(figure, figure.panels[at])
    return {
        "width": round(width), "height": RESIDUALS, "data": {"values": [{}]}, "mark": {"type": "point", "opacity": 0},
    }  # fmt: skip


def _view(figure: Figure, at: int, used: Sequence[_Legend], live: bool) -> Spec:
    panel, legend, joint = figure.panels[at], used[at], used[0] is used[-1]
    width, height = _size(figure, panel)
    x, value = _across(figure, at), _up(figure, panel)
    level = (value if figure.layout == "rows" else x)["axis"]
    if "values" not in level:
        # Vega thins out given values too where there is a count beside them.
        level["tickCount"] = max(3 if figure.layout == "rows" else 2, round(width / 62))
    unit = (value if figure.layout == "rows" else x)["scale"]["domain"]
    sheet = _Sheet(figure, panel, legend, live, (x, value), width / (unit[1] - unit[0]))
    parts = list(_layers(sheet))
    if live:
        parts = _zoomed(parts, figure, at)
    if any(legend.entries):
        # The first layer decides what a legend answers to.
        parts.insert(0, _legend_layer(legend, WIDTH - 20 if joint else width, switch=not (joint and at)))
    title = panel.title or ("" if figure.layout == "rows" else panel.label)
    if title:
        parts.append(_head(title, 6 + 13 * (0 if figure.layout == "below" and at else _mark_lines(figure))))
    return {"width": round(width), "height": round(height), "layer": parts or [_empty(figure, x, value)]}


def _empty(figure: Figure, x: Spec, value: Spec) -> Spec:
    """The axes of a panel that has nothing: Vega does not know the size of a view without layers."""
    across, up = (value, x) if figure.layout == "rows" else (x, value)
    places = {name: {**axis, "datum": axis["scale"]["domain"][0]} for name, axis in (("x", across), ("y", up))}
    return {"data": {"values": [{}]}, "mark": {"type": "point", "opacity": 0, "aria": False}, "encoding": places}


def _mark_lines(figure: Figure) -> int:
    """The lines that names of marks have above panels: titles beside each other are level."""
    most = 0
    for at, panel in enumerate(figure.panels):
        low, high = (_up(figure, panel) if figure.layout == "rows" else _across(figure, at))["scale"]["domain"]
        most = max(
            [most, *(1 + level for level in _levels(panel.marks, (low, high), _size(figure, panel)[0] / (high - low)))]
        )
    return most


def _zoomed(parts: list[Spec], figure: Figure, at: int, name: str = "zoom") -> list[Spec]:
    """The layers, the first of which that has both axes moves and zooms all of them."""
    encodings = ["x"] if figure.layout in ("rows", "below") else ["x", "y"]
    for number, part in enumerate(parts):
        if all("field" in part["encoding"].get(name, {}) for name in "xy"):
            select = {"type": "interval", "encodings": encodings, "zoom": "wheel![event.ctrlKey || event.shiftKey]"}
            zoomed = {**part, "params": [{"name": f"{name}_{at}", "select": select, "bind": "scales"}]}
            return [*parts[:number], zoomed, *parts[number + 1 :]]
    return parts


def _head(title: str, above: float) -> Spec:
    """The title as a mark: Vega's own is higher where the uppermost label of an axis is."""
    mark = {
        "type": "text", "text": title, "align": "left", "fontSize": 12, "fontWeight": "bold", "color": INK,
        "clip": False, "aria": False,
    }  # fmt: skip
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {"x": {"value": 0}, "y": {"value": -above - 4}}}


def _size(figure: Figure, panel: Panel) -> tuple[float, float]:
    if figure.layout == "below":
        return WIDTH - AXIS, HEIGHTS["below"] if len(figure.panels) > 1 else HEIGHTS["beside"]
    count, shares = len(figure.panels), sum(panel.share for panel in figure.panels)
    if figure.layout == "beside":
        most = 420.0 if count == 1 else 330.0
        return min(most, (WIDTH - count * AXIS) / count) * (panel.share if count > 1 else 1), HEIGHTS["beside"]
    names = 7 * min(40, max(map(len, figure.panels[0].names), default=1))
    rows = max(figure.places, default=len(figure.panels[0].names) - 1) + 1
    ends = sum(LETTER * max(map(len, each.ends), default=0) for each in figure.panels)
    return (WIDTH - names - ends - 24 * count) * panel.share / shares, figure.row * rows + 4


def _across(figure: Figure, at: int) -> Spec:
    """The encoding of x: numbers, or names in their places."""
    panel = figure.panels[at]
    if figure.layout == "rows":
        names = figure.panels[0].names
        places = list(figure.places) or list(range(len(names)))
        axis: Spec = {
            "values": places, "grid": False, "ticks": False, "domain": False, "title": figure.across or None,
            "labelExpr": _named(places, names), "labelLimit": 300, "labelOverlap": False, "labelPadding": 6,
        } if at == 0 else None  # type: ignore[assignment]  # fmt: skip
        domain = [max(places, default=0) + 0.55, -0.55]
        return {"type": "quantitative", "scale": {"domain": domain, "nice": False, "zero": False}, "axis": axis}
    names = panel.names
    last = figure.layout != "below" or at == len(figure.panels) - 1
    title = (figure.across or None) if last else None
    if names:
        places = list(range(1, len(names) + 1))
        tilt: Spec = {"labelAngle": -20, "labelAlign": "right"} if max(map(len, names)) > LEVEL else {}
        axis = {
            "values": places,
            "grid": False,
            "labelExpr": _named(places, names),
            "title": title,
            "labelOverlap": False,
            **tilt,
        }
        return {"type": "quantitative", "scale": {"domain": [0.5, len(names) + 0.5], "nice": False}, "axis": axis}
    low, high = _across_extent(figure.panels if figure.layout == "below" else [panel])
    pad = (0.01 if figure.layout == "below" else 0.05) * (high - low) or 0.5
    whole = all(float(x).is_integer() for series in panel.series for x in series.x)
    axis = {"labelExpr": _SHOWN, "title": title, "labels": last, **(_whole_ticks(low, high) if whole else {})}
    # Moving a panel by a pixel must not move its ticks: the ends are rounded to what can be seen.
    domain = [_rounded(low - pad), _rounded(high + pad)]
    return {"type": "quantitative", "scale": {"domain": domain, "nice": False, "zero": False}, "axis": axis}


def _up(figure: Figure, panel: Panel) -> Spec:
    """The encoding of the values."""
    low, high = panel.limits or _room(panel)
    title = panel.label if figure.layout == "rows" else None
    whole = _whole_ticks(low, high) if _whole(panel) else {}
    axis = {"labelExpr": _SHOWN, "title": title or None, "tickCount": 5, **whole}
    return {"type": "quantitative", "scale": {"domain": [low, high], "nice": False, "zero": False}, "axis": axis}


def _room(panel: Panel) -> tuple[float, float]:
    """The ends of the value axis: from 0, or around 0, or around the values; with room for a marker."""
    low, high = _extent(panel)
    if panel.origin == "zero":
        return min(0.0, _rounded(1.07 * low)), _rounded(1.07 * high) or 1.0
    if panel.origin == "both sides":
        low, high = min(low, 0.0), max(high, 0.0)
    pad = 0.1 * (high - low) or 1.0
    return _rounded(low - pad), _rounded(high + pad)


def _lines(notes: Sequence[str], letter: float = LETTER) -> list[str]:
    """Notes in lines that fit the width of a figure, with letters this wide.

    >>> [len(line) < 150 for line in _lines(["a note " * 30])]
    [True, True]
    """
    return [line for note in notes for line in textwrap.wrap(note, int(WIDTH / letter)) or [""]]


def _whole(panel: Panel) -> bool:
    """Whether all values of a panel are counts, which have no ticks between them."""
    if any(series.kind == "spans" or series.half_width for series in panel.series):
        return False
    sequences = [values for series in panel.series for values in (series.y, series.low, series.high) if values]
    return all(value is None or float(value).is_integer() for values in sequences for value in values)


def _whole_ticks(low: float, high: float) -> Spec:
    """Ticks at whole numbers: each of a few, which a least step does not hold Vega to, else a least step.

    >>> _whole_ticks(0.0, 2.1), _whole_ticks(0.0, 30.0)
    ({'values': [0, 1, 2]}, {'tickMinStep': 1})
    """
    if high - low > FEW:
        return {"tickMinStep": 1}
    return {"values": list(range(math.ceil(low), math.floor(high) + 1))}


def _rounded(value: float) -> float:
    return float(f"{value:.6g}") if math.isfinite(value) else 1.0


def _named(places: Sequence[float], names: Sequence[str]) -> str:
    """An expression that has a name for each place."""
    named = {f"{float(at):g}": name for at, name in zip(places, names, strict=True)}
    return f"({json.dumps(named, ensure_ascii=False)})[datum.value]"


def _config() -> Spec:
    return {
        "font": FONT,
        "view": {"stroke": None},
        "title": {"color": INK, "fontSize": 12, "fontWeight": "bold", "anchor": "start", "frame": "group"},
        "axis": {
            "labelColor": INK, "titleColor": INK, "gridColor": GRID, "domainColor": INK, "tickColor": INK,
            "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "tickSize": 4, "labelFlush": False,
            "labelOverlap": True, "gridWidth": 0.8,
        },
        "legend": {
            "labelColor": INK, "labelFontSize": 11, "labelLimit": 0, "symbolStrokeWidth": 1.8, "symbolSize": 80,
            "columnPadding": 16, "rowPadding": 3, "offset": 10, "clipHeight": 14,
        },
        "concat": {"spacing": 22},
        "text": {"color": SOFT},
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What all layers of a panel share: its figure, its legend, and whether it can be pointed at."""

    figure: Figure
    panel: Panel
    legend: _Legend
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


def _layers(sheet: _Sheet) -> Iterator[Spec]:
    """All layers of a panel, those that lie on others last."""
    yield from _shade(sheet)
    if sheet.panel.origin == "both sides":
        yield _layer(
            sheet, [{}], {"type": "rule", "color": INK, "strokeWidth": 1}, {"v": {"datum": 0, **sheet.scales[1]}}
        )
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


def _layer(sheet: _Sheet, rows: Sequence[Row], mark: Spec, channels: Spec, *labels: str) -> Spec:
    """A layer of rows that disappears when one of the labels is clicked."""
    own: Spec = {"data": {"values": list(rows)}, "mark": {"aria": False, **mark}, "encoding": sheet.encode(channels)}
    if sheet.live or mark["type"] in ("area", "rule"):
        own["mark"]["clip"] = True
    if sheet.live:
        grouped = bool(rows) and "series" in rows[0]
        of_groups = [{"filter": {"not": {"param": sheet.legend.hidden, "empty": False}}}]
        steps = of_groups if grouped else _kept(sheet.legend, *labels)
        if steps:
            own["transform"] = steps
    return own


def _told(sheet: _Sheet, mark: Spec, channels: Spec) -> tuple[Spec, Spec]:
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


def _bands(sheet: _Sheet, series: Series) -> Iterator[Spec]:
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


def _line(sheet: _Sheet, series: Series) -> Iterator[Spec]:
    style = sheet.legend.style(series.label)
    rows = [{"p": x, "v": _number(y)} for _, x, y in _rows(series)]
    mark = {"type": "line", "color": style.stroke, "strokeDash": list(style.dash), "strokeWidth": _LINE}
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


def _points(sheet: _Sheet, series: Series) -> Iterator[Spec]:
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


def _whiskers(sheet: _Sheet, series: Series, ends: Sequence[tuple[int, float, float]]) -> Iterator[Spec]:
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


def _bars(sheet: _Sheet, series: Series, below: dict[float, float]) -> Iterator[Spec]:
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


def _spans(sheet: _Sheet, series: Series) -> Iterator[Spec]:
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
        if name and sheet.pixels * (high - low) >= _SPAN_LETTER * len(name) + 2:
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


def _said(sheet: _Sheet, series: Series, at: int, low: float, high: float) -> str:
    if series.tips is not None:
        return series.tips[at]
    name = f"{series.names[at]}, " if series.names is not None and series.names[at] else ""
    return f"{name}{series.label}\n{sheet.name(series.x[at])}: {significant(low)} to {significant(high)}"


def _shade(sheet: _Sheet) -> Iterator[Spec]:
    if sheet.panel.shaded is not None:
        start, end = sheet.panel.shaded
        mark = {"type": "rect", "color": INK, "opacity": 0.06}
        yield _layer(sheet, [{"a": start, "b": end}], mark, {"p": "a", "p2": "b"})


def _marks(sheet: _Sheet) -> Iterator[Spec]:
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
    for (x, name), level in zip(marks, _levels(marks, (low, high), sheet.pixels), strict=True):
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


def _ends_of_rows(sheet: _Sheet) -> Spec:
    """Texts beside the right ends of rows, where no values are."""
    places = sheet.figure.places or range(len(sheet.panel.ends))
    rows = [{"p": float(at), "n": text} for at, text in zip(places, sheet.panel.ends, strict=True)]
    right = sheet.pixels * (sheet.scales[1]["scale"]["domain"][1] - sheet.scales[1]["scale"]["domain"][0])
    mark = {"type": "text", "align": "left", "baseline": "middle", "fontSize": 11, "color": INK, "clip": False}
    place: dict[str, Any] = {"value": round(right) + 5}
    if sheet.live:  # the page makes the panel wider
        place, mark = {"value": "width"}, {**mark, "xOffset": 5}
    spec = _layer(sheet, rows, mark, {"p": "p", "text": {"field": "n", "type": "nominal"}, "x": place})
    spec["mark"]["clip"] = False
    return spec


def _levels(marks: Sequence[tuple[float, str]], domain: tuple[float, float], pixels: float) -> list[int]:
    """The line of each mark's name, so that none covers another.

    >>> _levels([(1, "first"), (1.1, "second"), (9, "third")], (0, 10), 20)
    [0, 1, 0]
    """
    taken: list[list[tuple[float, float]]] = []
    found = []
    for x, name in marks:
        wide = (_SPAN_LETTER * len(name) + 8) / pixels
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


def _extent(panel: Panel) -> tuple[float, float]:
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


def _across_extent(panels: Sequence[Panel]) -> tuple[float, float]:
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


@dataclass(frozen=True, slots=True)
class _Legend:
    """The entries of one legend, in order, and the name of the parameter that holds what is hidden."""

    entries: Mapping[str, Style]
    hidden: str

    def style(self, label: str) -> Style:
        """The style of an entry."""
        return self.entries[label]


def _legends(figure: Figure, live: bool = False) -> list[_Legend]:
    """The legend of each panel; one for all where looks are given, or where no two panels differ both ways in names.

    A name has one look in all panels, and no two names of a figure have the same.  On a live page a band that is no
    wider than its line has no entry, as it cannot be seen.

    >>> from slicewright.report.figure import Series
    >>> first, second = _legends(Figure([Panel("a", [Series([0], [1])]), Panel("b", [Series([0], [1])])]))
    >>> first is second
    True
    """
    named = [
        {name for series in panel.series for name in (series.groups or [series.label])} - {""}
        for panel in figure.panels
    ]
    given = all(series.look is not None for panel in figure.panels for series in panel.series)
    entries = _entries(figure.panels, figure.layout == "rows")
    if given or figure.layout == "below" or not any(a - b and b - a for a in named for b in named):
        bands = [name for name in BANDS if any(name in _bands_of(figure, panel, live) for panel in figure.panels)]
        joint = _Legend({**entries, **{name: _band(figure.panels, name, entries, live) for name in bands}}, "hidden_0")
        return [joint] * len(figure.panels)
    made = []
    for at, panel in enumerate(figure.panels):
        own = {name: entries[name] for series in panel.series for name in (series.groups or [series.label])}
        own |= {name: _band([panel], name, entries, live) for name in BANDS if name in _bands_of(figure, panel, live)}
        made.append(_Legend(own, f"hidden_{at}"))
    return made


def _band(panels: Sequence[Panel], name: str, entries: Mapping[str, Style], live: bool) -> Style:
    """The entry of a band: on a live page in the colour of the lines that have it, where this is one."""
    banded = [
        series
        for panel in panels
        for series in panel.series
        if (series.low if name == RANGE else series.half_width)
        and series.kind in (_BANDED if name == RANGE else _LINES)
    ]
    inks = {entries[series.label].stroke for series in banded}
    style, share = area(BANDS[name]), round(100 * BANDS[name].strength)
    if not live or len(inks) != 1:
        return style
    (ink,) = inks
    return replace(style, stroke=ink, fill=f"color-mix(in srgb, {ink} {share}%, transparent)")


def _bands_of(figure: Figure, panel: Panel, live: bool) -> set[str]:
    """The bands that the lines and points of a panel have; on a live page those that can be seen."""
    lines = [series for series in panel.series if series.kind in ("line", "steps") and series.half_width]
    ranged = [series for series in panel.series if series.kind in _BANDED and series.low]
    low, high = panel.limits or _extent(panel)
    unit = _size(figure, panel)[1] / ((high - low) or 1.0)
    widest = max(
        (2 * unit * (finite(half) or 0.0) for series in lines for half in series.half_width or ()), default=0.0
    )
    noise = widest > 2 * _LINE if live else bool(lines)
    return ({NOISE} if noise else set()) | ({RANGE} if ranged else set())


def _groups(panel: Panel) -> Iterator[tuple[str, Look]]:
    for series in panel.series:
        if series.groups is not None and isinstance(series.look, Sequence):
            yield from zip(series.groups, series.look, strict=True)


def _entries(panels: Sequence[Panel], sideways: bool) -> dict[str, Style]:
    """The style of each name of a figure; points whose name is of one line have its colour."""
    entries: dict[str, Style] = {}
    of: dict[str, set[str]] = {}
    for series in (series for panel in panels for series in panel.series):
        of.setdefault(series.label, set()).update(series.of)
    lines = markers = own = 0
    for panel in panels:
        for group, look in sorted(_groups(panel), key=lambda pair: pair[0]):
            entries.setdefault(group, area(replace(look, texture="")))
        for series in panel.series:
            if series.groups is not None:
                continue
            if series.label in entries:
                continue
            line = series.kind in ("line", "steps")
            made = style(series, lines if line else own, markers, sideways)
            if len(of[series.label]) == 1 and series.of[0] in entries:
                stroke = entries[series.of[0]].stroke
                made = replace(made, stroke=stroke, fill=PAPER if made.fill == PAPER else stroke)
            entries[series.label] = made
            lines += line
            markers += series.kind == "points"
            own += series.look is None
    return entries


def _legend_layer(legend: _Legend, width: float, switch: bool) -> dict[str, Any]:
    """A layer without data that makes one legend of all entries; with `switch`, a click on a name hides what has it."""
    labels = [label for label in legend.entries if label]
    styles = [legend.entries[label] for label in labels]
    ranges: dict[str, list[Any]] = {
        "stroke": [look.stroke for look in styles],
        "fill": [look.fill for look in styles],
        "strokeDash": [list(look.dash) for look in styles],
        "shape": [look.shape for look in styles],
    }
    room = SYMBOL + CHARACTER * max(map(len, labels), default=0)
    shown = {"orient": "bottom", "direction": "horizontal", "columns": max(1, int(width / room)), "title": None}
    encoding = {
        channel: {
            "field": "series", "type": "nominal", "scale": {"domain": labels, "range": ranges[channel]},
            "legend": shown,
        }
        for channel in CHANNELS
    }  # fmt: skip
    select = {"type": "point", "fields": ["series"], "toggle": "true"}
    return {
        "data": {"values": []},
        **({"params": [{"name": legend.hidden, "select": select, "bind": "legend"}]} if switch else {}),
        "mark": {"type": "point", "strokeWidth": 1.6, "size": 80, "opacity": 1},
        "encoding": encoding,
    }


def _kept(legend: _Legend, *labels: str) -> list[dict[str, Any]]:
    """Transforms that drop the rows of a layer whose name was clicked."""
    steps: list[dict[str, Any]] = []
    for label in labels:
        if label in legend.entries and label:
            steps.append({"calculate": _repr_of(label), "as": "series"})
            steps.append({"filter": {"not": {"param": legend.hidden, "empty": False}}})
    return steps


def _repr_of(text: str) -> str:
    """The text as a literal of an expression.

    >>> _repr_of("X'9C'")
    '"X\\'9C\\'"'
    """
    return json.dumps(text, ensure_ascii=False)


def faded(spec: Any) -> Any:
    """The compiled specification with the names that are hidden faded, in the place of those that are not."""
    if isinstance(spec, list):
        return [faded(part) for part in spec]
    if not isinstance(spec, dict):
        return spec
    made = {key: faded(value) for key, value in spec.items()}
    for legend in made.get("legends", []):
        for part in ("symbols", "labels"):
            update = legend.get("encode", {}).get(part, {}).get("update", {})
            if "opacity" in update:
                update["opacity"] = _swapped(update["opacity"])
    return made


def _swapped(rules: Any) -> Any:
    if isinstance(rules, dict):
        return rules
    stores = {store for rule in rules for store in re.findall(r'data\("(hidden_\d+)_store"\)', rule.get("test", ""))}
    if len(stores) != 1:
        return rules
    own = f'{stores.pop()}["series"]'
    return [{"test": f"{own} && indexof({own}, datum.value) >= 0", "value": 0.3}, {"value": 1}]
