"""A figure as data: panels with series over a common axis; `slicewright.report.drawing` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Number = float | None
"""A value; None and NaN are gaps."""

Kind = Literal["line", "steps", "points", "crosses", "ticks", "bars", "spans"]
"""How values are shown: `steps` hold from their x on, `bars` at one x stack up, `spans` lie from `low` to `high`."""

Layout = Literal["beside", "below", "rows"]
"""Panels side by side; one below the other; or side by side with names down the side and values running across."""

Origin = Literal["zero", "both sides", "free"]
"""The value axis starts at 0; has a line at 0 and room on both sides; or fits the values."""

Texture = Literal["", "hatched", "crossed", "dotted", "upright", "slanted"]


@dataclass(frozen=True, slots=True)
class Look:
    """How a series differs from its neighbours: colour 1 to 6 (0 for ink), its strength, a texture that survives grey.

    >>> Look(2, texture="hatched").strength
    1.0
    """

    colour: int = 1
    strength: float = 1.0
    texture: Texture = ""
    filled: bool = True
    """Whether points are filled."""
    edge: Literal["", "line", "dashes"] = ""
    """The outline of a span."""
    shape: Literal["", "circle", "square", "diamond"] = ""
    """The marker of points; chosen by place where it is not given."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values over x, with what is uncertain about each of them.

    All sequences that are given have one length; `ValueError` otherwise.

    >>> Series([0, 8], [3.7, 2.2], [0.1, 0.1], "simulated").kind
    'line'
    """

    x: Sequence[float]
    y: Sequence[Number]
    half_width: Sequence[Number] | None = None
    """Half of the 95 % interval, or of a band of acceptance, in units of y."""
    label: str = "simulated"
    """The name in the legend; series with the same name are one entry, one without a name has none."""
    kind: Kind = "line"
    low: Sequence[Number] | None = None
    high: Sequence[Number] | None = None
    """The range over readings; of spans, their ends."""
    x_half_width: Sequence[Number] | None = None
    names: Sequence[str] | None = None
    """The label at each point or in each span."""
    tips: Sequence[str] | None = None
    """The text of each when the pointer rests on it; made of label, x and y where it is not given."""
    opens: Sequence[str] | None = None
    """Of lines and points, the name of the scenario of the page that a click on each shows."""
    look: Look | Sequence[Look] | None = None
    """Chosen by place in the panel where it is not given; of spans, one for all or one for each."""
    of: Sequence[str] = ()
    """Of points, the labels of the lines whose published, measured or exact values they are."""
    groups: Sequence[str] | None = None
    """Of spans, the entry of the legend that each belongs to, where they belong to several."""
    thickness: float = 0.72
    """Of bars and spans, as a share of a row."""

    def __post_init__(self) -> None:
        looks = self.look if isinstance(self.look, Sequence) else None
        named = {
            "y": self.y, "half_width": self.half_width, "low": self.low, "high": self.high, "names": self.names,
            "x_half_width": self.x_half_width, "tips": self.tips, "groups": self.groups,
            "look": looks, "opens": self.opens,
        }  # fmt: skip
        for name, values in named.items():
            if values is not None and len(values) != len(self.x):
                raise ValueError(f"series {self.label!r} has {len(self.x)} x and {len(values)} values of {name}")
        if (self.low is None) != (self.high is None):
            raise ValueError(f"series {self.label!r} has one end of its range only")
        if self.kind == "spans" and self.low is None:
            raise ValueError(f"spans {self.label!r} have no ends")


def dots(
    x: Sequence[float],
    y: Sequence[Number],
    half_width: Sequence[Number] | None = None,
    label: str = "published",
    of: Sequence[str] = (),
) -> Series:
    """Published, measured or exact values: hollow points without a line; `of` the lines that they are values of.

    >>> dots([8], [1.9]).kind
    'points'
    """
    return Series(x, y, half_width, label, "points", look=Look(0, filled=False), of=of)


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes: the name of the values with their unit, and the series.

    >>> Panel("Response, ms", [Series([0, 1], [2.0, 1.0])]).origin
    'zero'
    """

    label: str
    series: Sequence[Series]
    marks: Sequence[tuple[float, str]] = ()
    """Instants or counts that are marked by a dashed line with a name."""
    origin: Origin = "zero"
    names: Sequence[str] = ()
    """Names of the places 1, 2, 3 and so on where x has no numbers.  In rows they begin at 0, from the top."""
    title: str = ""
    """Above the panel, where `label` does not stand there."""
    limits: tuple[float, float] | None = None
    """The ends of the value axis; chosen by the values where they are not given."""
    shaded: tuple[float, float] | None = None
    """A stretch of x that does not count, such as the warm-up."""
    share: float = 1.0
    """The width beside that of other panels."""
    ends: Sequence[str] = ()
    """In rows, a text at the right end of each, outside the panel."""
    residuals: bool = True
    """Whether curves that nearly coincide get a panel of residuals: not where another panel shows differences."""

    def __post_init__(self) -> None:
        lines = {series.label for series in self.series if series.kind in ("line", "steps")}
        for series in self.series:
            for label in series.of:
                if label not in lines:
                    raise ValueError(f"points {series.label!r} are of a line that the panel does not draw: {label!r}")


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels over one kind of x, a caption of a sentence or two, and the alternative text that a screen reader reads.

    `ValueError` without panels.

    >>> Figure([Panel("Response, ms", [Series([0, 1], [2.0, 1.0])])], "Aliases").described
    'Response, ms over Aliases: simulated'
    """

    panels: Sequence[Panel]
    across: str = ""
    """The name of x with its unit; in rows, what the rows are."""
    caption: str = ""
    title: str = ""
    layout: Layout = "beside"
    alternative: str = ""
    notes: Sequence[str] = ()
    """Lines below the legend."""
    places: Sequence[float] = ()
    """In rows, where the names stand; 0, 1, 2 and so on where it is not given."""
    row: float = 26
    """The height of a row."""

    def __post_init__(self) -> None:
        if not self.panels:
            raise ValueError("a figure needs at least one panel")

    @property
    def described(self) -> str:
        """The text alternative: given, or made of what the panels and series are called."""
        if self.alternative:
            return self.alternative
        shown = "; ".join(panel.label or panel.title for panel in self.panels)
        labels = dict.fromkeys(series.label for panel in self.panels for series in panel.series if series.label)
        over = f" over {self.across}" if self.across else ""
        head = f"{self.title}: " if self.title else ""
        return f"{head}{shown}{over}: {', '.join(labels)}"

    def captioned(self, caption: str) -> Figure:
        """The same figure with another caption.

        >>> Figure([Panel("y", [])]).captioned("Response falls.").caption
        'Response falls.'
        """
        return replace(self, caption=caption)
