"""Colours that a page's style sheet may replace, textures that survive grey, and the looks of series."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from slicewright.report.figure import Look, Series

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""Families with the same widths, the first of them in vl-convert: labels have the same room on every machine."""

INK, SOFT = "var(--ink, #1c2430)", "var(--soft, #5b6675)"
GRID, PAPER = "var(--grid, #dfe3e8)", "var(--paper, #ffffff)"
SERIES = tuple(
    f"var(--series-{number}, {colour})"
    for number, colour in enumerate(("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#f0e442", "#56b4e9"), 1)
)
"""Okabe and Ito's colours, which most people can tell apart; dashes, shapes and textures tell them apart in grey."""
LINES = 4
"""Colours that are used for lines and points; the others are too light for them."""
DASHES: tuple[list[float], ...] = ([1, 0], [6, 3], [7, 3, 1.5, 3], [1.5, 2.5])
SHAPES = (
    "circle", "square", "diamond", "triangle-up", "triangle-down", "cross",
    "M-1,-1L1,1L-1,1L1,-1Z", "M-1,-0.4L0,-1L1,-0.4L0.6,0.8L-0.6,0.8Z",
)  # fmt: skip
"""Vega's own, an hourglass and a pentagon; after the last they begin again, filled where they were hollow."""
CROSS = "M-0.6,-0.6L0.6,0.6M0.6,-0.6L-0.6,0.6"
TICKS = {True: "M0,-1.4L0,1.4", False: "M-1.4,0L1.4,0"}
"""A tick across the value axis, by whether that runs across."""
STROKE = "M-1.6,0L1.6,0"
"""A line in the legend."""

_TEXTURES = {
    "hatched": (5, '<path d="M-1 1L1 -1M0 5L5 0M4 6L6 4" stroke="{ink}" stroke-width="1.1"/>'),
    "slanted": (5, '<path d="M-1 4L1 6M0 0L5 5M4 -1L6 1" stroke="{ink}" stroke-width="1.1"/>'),
    "crossed": (5, '<path d="M0 5L5 0M0 0L5 5" stroke="{ink}" stroke-width="0.9"/>'),
    "dotted": (4, '<circle cx="1.2" cy="1.2" r="0.8" fill="{ink}"/>'),
    "upright": (3, '<path d="M0.5 0V3" stroke="{ink}" stroke-width="1"/>'),
}


def plain(text: str) -> str:
    """The same with the colours themselves in the place of the names that a style sheet gives them.

    >>> plain('fill="var(--ink, #1c2430)"')
    'fill="#1c2430"'
    """
    return re.sub(r"var\(--[\w-]+, (#[0-9a-f]{6})\)", r"\1", text)


def _colour(look: Look) -> str:
    """The colour of a look; 0 is the colour of text.

    >>> _colour(Look(0))
    'var(--ink, #1c2430)'
    """
    return INK if look.colour == 0 else SERIES[(look.colour - 1) % len(SERIES)]


def fill(look: Look) -> str:
    """What an area of this look is filled with: its colour, or the texture on it.

    >>> fill(Look(2, 0.5, "hatched"))
    'url(#hatched-2-50)'
    """
    return f"url(#{_name(look)})" if look.texture or look.strength < 1 else _colour(look)


def definitions(looks: Sequence[Look]) -> str:
    """The textures of these looks, each once, as a `defs` element; empty without any.

    >>> definitions([Look()])
    ''
    """
    textures = {_name(look): _pattern(look) for look in looks if look.texture or look.strength < 1}
    return f"<defs>{''.join(textures[name] for name in sorted(textures))}</defs>" if textures else ""


def _name(look: Look) -> str:
    return f"{look.texture or 'plain'}-{look.colour}-{round(100 * look.strength)}"


def _pattern(look: Look) -> str:
    side, lines = _TEXTURES.get(look.texture, (5, ""))
    strong = look.strength > 0.6 and look.colour
    ground = f'<rect width="{side}" height="{side}" fill="{_colour(look)}" fill-opacity="{look.strength:g}"/>'
    return (
        f'<pattern id="{_name(look)}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">{ground}'
        f"{lines.format(ink=PAPER if strong else INK)}</pattern>"
    )


@dataclass(frozen=True, slots=True)
class Style:
    """The look of an entry of a legend, which no other has."""

    stroke: str
    fill: str
    dash: Sequence[float]
    shape: str


def area(look: Look) -> Style:
    """The entry of a bar, a span or a band."""
    edge = INK if look.edge else "transparent"
    return Style(edge, fill(look), [2, 2] if look.edge == "dashes" else [1, 0], "square")


def style(series: Series, line: int, marker: int, sideways: bool) -> Style:
    """The style of a series that is the `line`-th line and the `marker`-th set of points of its figure.

    Sixteen lines differ, and sixteen sets of points: by colour and dashes, and by shape and filling.
    """
    look = look_of(series, line)
    ink = _colour(look)
    if series.kind in ("bars", "spans"):
        return area(look)
    if series.kind in ("line", "steps"):
        return Style(ink, "transparent", DASHES[(line + line // LINES) % len(DASHES)], STROKE)
    again, at = divmod(marker, len(SHAPES))
    shape = {"crosses": CROSS, "ticks": TICKS[sideways]}.get(series.kind, look.shape or SHAPES[at])
    return Style(ink, ink if look.filled == (again % 2 == 0 or bool(look.shape)) else PAPER, [1, 0], shape)


def look_of(series: Series, line: int) -> Look:
    """The look that is given, or that of the place.

    >>> look_of(Series([], [], label="a"), 1).colour
    2
    """
    if series.look is None:
        return Look(1 + line % LINES)
    return series.look if isinstance(series.look, Look) else next(iter(series.look), Look())
