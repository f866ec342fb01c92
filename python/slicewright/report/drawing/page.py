"""Figures on a page: the still picture, what replaces it where scripts run, and the numbers as a folded table."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from slicewright.report.drawing.bundle import FILE
from slicewright.report.drawing.draw import compiled, reason, svg
from slicewright.report.drawing.views import below_panels
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import count, plural, plus_minus
from slicewright.values.numerals import finite

MOST_ROWS = 400
"""Rows of a folded table; what has more of them is a timeline, whose files hold all."""

_HINT = (
    "Point at a value to read it. Click a name to hide it. Drag to move, Ctrl and wheel to zoom, double-click to reset."
)


def html(figure: Figure) -> str:
    """The figure as a part of a page that has `style` in its head and `script` once at its end."""
    caption = f"<figcaption>{escape(figure.caption)}</figcaption>\n" if figure.caption else ""
    try:
        spec = json.dumps(compiled(figure), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        spec = spec.replace("<", "\\u003c")
        picture = svg(figure)
    except BaseException as error:
        return f"<figure>\n{_why_not_drawn(error)}{caption}{_numbers(figure)}</figure>"
    return (
        f'<figure class="drawn">\n<div class="still">{picture}</div>\n<div class="live" aria-hidden="true"></div>\n'
        f'<script type="application/json">{spec}</script>\n<p class="hint">{_HINT}</p>\n'
        f"{caption}{_data(figure)}</figure>"
    )


def _why_not_drawn(error: BaseException) -> str:
    """The note in the place of a figure: results that took hours are not lost to a picture of them."""
    return f'<p class="notes">This figure is not drawn: {escape(reason(error))}</p>\n'


def _numbers(figure: Figure) -> str:
    """The table below a figure that is not drawn; none where its numbers are what cannot be shown."""
    try:
        return _data(figure)
    except (ArithmeticError, ValueError, LookupError, TypeError):
        return ""


def still(figure: Figure) -> str:
    """The figure as a picture with its caption, for a page that has no script of ours.

    >>> from slicewright.report.figure import Panel, Series
    >>> "<script" in still(Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0])])], "Aliases", "Response falls."))
    False
    """
    caption = f"<figcaption>{escape(figure.caption)}</figcaption>\n" if figure.caption else ""
    try:
        picture = f"{svg(figure)}\n"
    except BaseException as error:
        picture = _why_not_drawn(error)
    return f"<figure>\n{picture}{caption}</figure>"


@functools.cache
def style() -> str:
    """The style sheet of figures; the page gives the colours."""
    return (Path(__file__).parent / "page.css").read_text("utf-8")


@functools.cache
def script() -> str:
    """The scripts that make figures interactive, once for a page: the runtime, and what starts it."""
    return FILE.read_text("utf-8") + (Path(__file__).parent / "page.js").read_text("utf-8")


def _data(figure: Figure) -> str:
    panels = [*figure.panels, *filter(None, below_panels(figure))]
    tables = "".join(_table(figure, panel) for panel in panels)
    return f'<details><summary>Data</summary><div class="data">{tables}</div></details>\n' if tables else ""


def _table(figure: Figure, panel: Panel) -> str:
    """The numbers of a panel: a row for each x, a column for each series; of spans a row for each."""
    drawn = [series for series in panel.series if series.x]
    listed = [series for series in drawn if series.kind == "spans"]
    rows: list[Sequence[str]] = []
    if listed:
        head: Sequence[str] = (figure.across or "row", "what", "from", "to")
        rows = [row for series in listed for row in _spans(figure, panel, series)]
    else:
        head = (figure.across or "", *(series.label for series in drawn))
        cells = [dict(_cells(series)) for series in drawn]
        for x in sorted({x for series in drawn for x in series.x}):
            rows.append([_name(figure, panel, x), *(of.get(x, "") for of in cells)])
    if not rows:
        return ""
    left = plural(len(rows) - MOST_ROWS, "more row is", "more rows are")
    more = f"<p>{left} not listed.</p>" if len(rows) > MOST_ROWS else ""
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in rows[:MOST_ROWS])
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    title = escape(panel.title or panel.label)
    head_row = f"<thead><tr>{names}</tr></thead>"
    body = f"<tbody>\n{lines}</tbody>"
    return f'<table class="values">\n<caption>{title}</caption>\n{head_row}\n{body}</table>{more}'


def _cells(series: Series) -> Iterator[tuple[float, str]]:
    for at, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
        half = finite(series.half_width[at]) if series.half_width is not None else None
        value = finite(y)
        text = plus_minus(value, half) if half else count(value)
        if series.low is not None and series.high is not None and finite(series.low[at]) is not None:
            text += f" ({count(series.low[at])} - {count(series.high[at])})"
        yield x, text if value is not None else text.removeprefix("- ").strip("()")


def _spans(figure: Figure, panel: Panel, series: Series) -> Iterator[Sequence[str]]:
    assert series.low is not None
    assert series.high is not None
    for at, x in enumerate(series.x):
        what = " ".join(filter(None, (series.names[at] if series.names else "", series.label)))
        yield _name(figure, panel, x), what, _exact(series.low[at]), _exact(series.high[at])


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _name(figure: Figure, panel: Panel, x: float) -> str:
    first = 0 if figure.layout == "rows" else 1
    names = figure.panels[0].names if figure.layout == "rows" else panel.names
    places = figure.places if figure.layout == "rows" and figure.places else range(first, first + len(names))
    return next((name for at, name in zip(places, names, strict=True) if at == x), f"{x:,.6g}")
