"""A figure as a Vega-Lite specification: its panels with their axes, side by side or one below the other."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Sequence

from slicewright.report.drawing.inks import FONT, GRID, INK, SOFT
from slicewright.report.drawing.layers import Sheet, Spec, across_extent, extent, layers, levels
from slicewright.report.drawing.legends import CHANNELS, Legend, layer, legends
from slicewright.report.drawing.residuals import residuals
from slicewright.report.figure import Figure, Panel

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


def specification(figure: Figure, live: bool = False) -> Spec:
    """The figure in Vega-Lite; `live` for a page on which it is pointed at, moved and zoomed.

    >>> from slicewright.report.figure import Series
    >>> specification(Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0])])]))["background"]
    'transparent'
    """
    used = legends(figure)
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


def _residuals(figure: Figure, at: int, used: Sequence[Legend], live: bool) -> Spec:
    """The view of a panel of residuals, with the x axis of the panel above it."""
    panel = below_panels(figure)[at]
    assert panel is not None
    x, value = _across(figure, at), _up(figure, panel)
    value["axis"]["tickCount"] = 3
    width, _ = _size(figure, figure.panels[at])
    if "values" not in x["axis"]:
        x["axis"]["tickCount"] = max(2, round(width / 62))
    domain = x["scale"]["domain"]
    sheet = Sheet(figure, panel, used[at], live, (x, value), width / (domain[1] - domain[0]))
    parts = list(layers(sheet))
    if live:
        parts = _zoomed(parts, figure, at, "residuals")
    return {"width": round(width), "height": RESIDUALS, "layer": [*parts, _head(panel.label, 6)]}


def _blank(figure: Figure, at: int) -> Spec:
    """The place below a panel that has no residuals."""
    width, _ = _size(figure, figure.panels[at])
    return {
        "width": round(width), "height": RESIDUALS, "data": {"values": [{}]}, "mark": {"type": "point", "opacity": 0},
    }  # fmt: skip


def _view(figure: Figure, at: int, used: Sequence[Legend], live: bool) -> Spec:
    panel, legend, joint = figure.panels[at], used[at], used[0] is used[-1]
    width, height = _size(figure, panel)
    x, value = _across(figure, at), _up(figure, panel)
    level = (value if figure.layout == "rows" else x)["axis"]
    if "values" not in level:
        # Vega thins out given values too where there is a count beside them.
        level["tickCount"] = max(3 if figure.layout == "rows" else 2, round(width / 62))
    unit = (value if figure.layout == "rows" else x)["scale"]["domain"]
    sheet = Sheet(figure, panel, legend, live, (x, value), width / (unit[1] - unit[0]))
    parts = list(layers(sheet))
    if live:
        parts = _zoomed(parts, figure, at)
    if any(legend.entries):
        # The first layer decides what a legend answers to.
        parts.insert(0, layer(legend, WIDTH - 20 if joint else width, switch=not (joint and at)))
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
            [most, *(1 + level for level in levels(panel.marks, (low, high), _size(figure, panel)[0] / (high - low)))]
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
    low, high = across_extent(figure.panels if figure.layout == "below" else [panel])
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
    low, high = extent(panel)
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
