"""Legends: which panels share one, the style of every entry, and the names that a click hides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from slicewright.report.drawing.inks import PAPER, Style, area, style
from slicewright.report.figure import Figure, Look, Panel

NOISE, RANGE = "95 % interval", "range of readings"
BANDS = {NOISE: Look(0, 0.35), RANGE: Look(0, 0.13)}
CHARACTER = 6.2
"""Width of a letter of a legend, on average and amply."""
SYMBOL = 34.0

CHANNELS = ("stroke", "fill", "strokeDash", "shape")


@dataclass(frozen=True, slots=True)
class Legend:
    """The entries of one legend, in order, and the name of the parameter that holds what is hidden."""

    entries: Mapping[str, Style]
    hidden: str

    def style(self, label: str) -> Style:
        """The style of an entry."""
        return self.entries[label]


def legends(figure: Figure) -> list[Legend]:
    """The legend of each panel; one for all where looks are given, or where no two panels differ both ways in names.

    A name has one look in all panels, and no two names of a figure have the same.

    >>> from slicewright.report.figure import Series
    >>> first, second = legends(Figure([Panel("a", [Series([0], [1])]), Panel("b", [Series([0], [1])])]))
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
        bands = [name for name in BANDS if any(name in _bands(panel) for panel in figure.panels)]
        joint = Legend({**entries, **{name: area(BANDS[name]) for name in bands}}, "hidden_0")
        return [joint] * len(figure.panels)
    made = []
    for at, panel in enumerate(figure.panels):
        own = {name: entries[name] for series in panel.series for name in (series.groups or [series.label])}
        own |= {name: area(look) for name, look in BANDS.items() if name in _bands(panel)}
        made.append(Legend(own, f"hidden_{at}"))
    return made


def _bands(panel: Panel) -> set[str]:
    """The bands that the lines and points of a panel have."""
    lines = [series for series in panel.series if series.kind in ("line", "steps")]
    ranged = [series for series in panel.series if series.kind in ("line", "steps", "points") and series.low]
    return ({NOISE} if any(series.half_width for series in lines) else set()) | ({RANGE} if ranged else set())


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


def layer(legend: Legend, width: float, switch: bool) -> dict[str, Any]:
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


def kept(legend: Legend, *labels: str) -> list[dict[str, Any]]:
    """Transforms that drop the rows of a layer whose name was clicked."""
    steps: list[dict[str, Any]] = []
    for label in labels:
        if label in legend.entries and label:
            steps.append({"calculate": _repr_of(label), "as": "series"})
            steps.append({"filter": {"not": {"param": legend.hidden, "empty": False}}})
    return steps


def kept_groups(legend: Legend) -> list[dict[str, Any]]:
    """The transform that drops the rows whose own group was clicked."""
    return [{"filter": {"not": {"param": legend.hidden, "empty": False}}}]


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


__all__ = ["BANDS", "CHANNELS", "NOISE", "RANGE", "Legend", "faded", "kept", "kept_groups", "layer", "legends"]
