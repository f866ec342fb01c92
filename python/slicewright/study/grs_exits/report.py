"""The study as one HTML page: rows, both sweeps as pictures, directions, prices, what is assumed and not known."""

from __future__ import annotations

from slicewright import html
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.statistics import fixed
from slicewright.study.cells import Cell
from slicewright.study.grs_exits.cases import BATCH, POOLED, PROCESSORS, SHARES, SHORT, SINGLE, STRUCTURES, UNLOCKED
from slicewright.study.grs_exits.constants import MEANINGS, committed
from slicewright.study.grs_exits.directions import directions
from slicewright.study.grs_exits.page import LOOK, missed
from slicewright.study.grs_exits.points import Point
from slicewright.study.report import cells, facts
from slicewright.study.reproduction import Reproduction, Wish

Found = dict[tuple[str, ...], Cell]

_DRAWN = (BATCH, POOLED, SINGLE, UNLOCKED)
"""Forms that have a line over processors: as many as can be told apart."""

_NAMED = (
    "1 front end, 2 batch, 3 pooled on z/OS 1.2, 4 pooled on z/OS 1.4, 5 single area. Row 3 is predicted, with its "
    "band; the others are what the prices come from."
)


def page(result: Reproduction[Point], wish: Wish) -> html.Page:
    """The page of a reproduction; the same reproduction gives the same page.

    >>> page(Reproduction("grs-exits", 1), Wish(quick=True)).title
    'Installation exits: published and simulated'
    """
    found = {cell.place.key: cell for cell in result.comparison}
    sections = [
        _rows(result),
        _shares(found),
        _processors(found),
        html.Section("Directions", [f"{one.said}." for one in directions(result.comparison)]),
        cells(result.cells, LOOK, ("table", "value", "row")),
        _prices(),
        _limits(),
    ]
    return html.Page(
        "Installation exits: published and simulated",
        "Five times of 999,999 pairs of ENQ and DEQ from “GRS/MIM Installation Exit Performance”",
        facts(result, 0.5 if wish.quick else 10),
        [section for section in sections if section.tables or section.pictures or section.text],
    )


def _rows(result: Reproduction[Point]) -> html.Section:
    if not result.cells:
        return html.Section("Five rows")
    x = [float(cell.place.column) for cell in result.cells]
    margins = [
        cell.ruling.band.width(cell.published) if cell.ruling.scored else 0.0 for cell in result.cells
    ]  # fmt: skip
    own = [cell.estimate for cell in result.cells]
    points = [
        dots(x, [cell.published for cell in result.cells], margins, "published"),
        dots(x, [one.mean for one in own], [one.half_width for one in own], "simulated"),
    ]
    drawn = Figure([Panel("999,999 pairs, s", points)], "row", _NAMED)
    text = [one.strip() for one in missed(result.cells)]
    return html.Section("Five rows", text, pictures=[drawn])


def _shares(found: Found) -> html.Section:
    if not any(key[0].startswith("share.") for key in found):
        return html.Section("Global pairs")
    x = [float(share) for share in SHARES]
    panels = [
        Panel(label, [_curve(found, f"share.{form}", row, x, "g") for form in STRUCTURES])
        for row, label in (("cpu_us", "processor time a pair, us"), ("elapsed_us", "elapsed time a pair, us"))
    ]
    first, second = (
        [found[f"share.{form}", "elapsed_us", f"g={share}"].estimate.mean for share in SHARES]
        for form in (BATCH, SINGLE)
    )
    ratio = Series(x, [one / other for one, other in zip(first, second, strict=True)], label="batch / single area")
    panels.append(Panel("elapsed, batch over single area", [ratio]))
    caption = (
        "The messages of a global pair take 200 us of processor time, the first is answered after 5 ms: both assumed."
    )
    return html.Section("Global pairs", pictures=[Figure(panels, "Global pairs, %", caption)])


def _processors(found: Found) -> html.Section:
    if not any(key[0].startswith("processors.") for key in found):
        return html.Section("Processors")
    x = [float(count) for count in PROCESSORS]
    labels = (
        ("pairs_per_s", "pairs per s"),
        ("lock_held_percent", "ENQ/DEQ lock held, %"),
        ("lock_wait_us", "wait for it a pair, us"),
    )
    panels = [
        Panel(label, [_curve(found, f"processors.{form}", row, x, "n") for form in _DRAWN]) for row, label in labels
    ]
    caption = (
        "A guest for each processor, a resource each: what they share is the lock. The front end, not drawn, is nearly "
        "as the single area."
    )
    return html.Section("Processors", pictures=[Figure(panels, "Processors", caption)])


def _curve(found: Found, table: str, row: str, x: list[float], letter: str) -> Series:
    own = [found[table, row, f"{letter}={at:g}"].estimate for at in x]
    label = SHORT[table.partition(".")[2]]
    return Series(x, [one.mean for one in own], half_width=[one.half_width for one in own], label=label)


def _prices() -> html.Section:
    found = committed()
    rows: list[list[str | html.Cell]] = [
        [name, fixed(found.prices.named[name], 2), source, what] for name, (source, what) in MEANINGS.items()
    ]
    text = [f"Differences of rows that are printed in whole seconds leave ± {found.open_us:g} us open."]
    return html.Section("Prices", text, tables=[html.Table(("price", "us a pair", "from", "what it is"), rows)])


def _limits() -> html.Section:
    return html.Section(
        "What this does not show",
        [
            "Four prices come from four rows: that these rows come out says that the arithmetic is right, and no more.",
            "Rows 3 and 4 have the same exits here. What made the later levels faster is not published.",
            "Everything of row 2 beyond base is one number. What of it is storage, copy, page faults, recovery or "
            "locks, and how much of it is locked, is not published; both extremes of the latter are simulated.",
            "The manager's messages are assumed, in processor time and in delay. What a filter saves of elapsed time "
            "where pairs are global is what the delay leaves of it.",
            "The prices are those of machines that the document does not name. Elsewhere they are borrowed.",
        ],
    )
