"""Both sweeps, over global pairs and over processors: their runs, tables, pictures, and what JSON has of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.forms import decimals, words_right
from slicewright.report.model import Column, Table
from slicewright.results.judge import Band, Cell, Place, Ruling
from slicewright.statistics import Estimate, plus_minus_column
from slicewright.study.grs_exits.exits import (
    BATCH,
    POOLED,
    PROCESSORS,
    SHARES,
    SHORT,
    SINGLE,
    STRUCTURES,
    UNLOCKED,
    Case,
)
from slicewright.study.points import Point

SHARE, COUNT = "share", "processors"
"""The names of the sweeps, by which their tables begin."""

VALUES = {
    "elapsed_us": "us",
    "pairs_per_s": "1/s",
    "cpu_us": "us",
    "lock_held_percent": "%",
    "lock_wait_us": "us",
}
"""The values of a run and their units; times are per pair of ENQ and DEQ."""

SHOWN = {SHARE: ("elapsed_us", "cpu_us"), COUNT: ("pairs_per_s", "lock_held_percent", "lock_wait_us", "cpu_us")}
"""The values of a sweep's runs that are kept."""

Found = dict[tuple[str, ...], Estimate]

_DRAWN = (BATCH, POOLED, SINGLE, UNLOCKED)
"""Forms that have a line over processors: as many as a reader can distinguish."""

_OVER = {
    "pairs_per_s": "Processors, a guest for each: pairs per s",
    "lock_held_percent": "ENQ/DEQ lock held, % of the time",
    "lock_wait_us": "Wait for it, us a pair",
}


def sweeps() -> dict[str, list[Case]]:
    """The runs of each sweep; that of processors has the other extreme of the batch structure too.

    >>> {name: len(cases) for name, cases in sweeps().items()}
    {'share': 48, 'processors': 25}
    """
    return {
        SHARE: [Case(form, share=share) for form in STRUCTURES for share in SHARES],
        COUNT: [Case(form, processors=count) for form in (*STRUCTURES, UNLOCKED) for count in PROCESSORS],
    }


def beside(sweep: str, point: Point) -> Iterable[Cell]:
    """The cells of one run of a sweep: judged by nothing, except in directions.

    >>> point = Point(Case("batch", share=20), samples={name: [1.0, 1.0] for name in VALUES})
    >>> [cell.place.key for cell in beside(SHARE, point)]
    [('share.batch', 'elapsed_us', 'g=20'), ('share.batch', 'cpu_us', 'g=20')]
    """
    case = point.case
    column = f"g={case.share}" if sweep == SHARE else f"n={case.processors}"
    return [aside((f"{sweep}.{case.form}", value, column), point.estimate(value)) for value in SHOWN[sweep]]


def aside(key: tuple[str, ...], estimate: Estimate) -> Cell:
    """A simulated value without a published one.

    >>> aside(("share.batch", "cpu_us", "g=0"), Estimate(354.0, 0.0, 2)).verdict
    'excluded'
    """
    table, row, column = key
    return Cell(Place(table, row, VALUES[row], column), float("nan"), estimate, Ruling("excluded", Band()))


def swept(cell: Cell) -> dict[str, Any]:
    """One value of a sweep as an object, with its 95 % half-width.

    >>> swept(aside(("processors.batch", "pairs_per_s", "n=4"), Estimate(2_825.0, 0.5, 10)))
    {'processors': 4, 'exits': 'batch', 'value': 'pairs_per_s', 'unit': '1/s', 'simulated': 2825.0, 'half_width': 0.5}
    """
    sweep, _, exits = cell.place.table.partition(".")
    over = {SHARE: "global_percent", COUNT: "processors"}[sweep]
    return {
        over: int(cell.place.column.partition("=")[2]),
        "exits": exits,
        "value": cell.place.row,
        "unit": cell.place.unit,
        "simulated": cell.estimate.mean,
        "half_width": cell.estimate.half_width,
    }


def tables(sweep: str, cells: Iterable[Cell]) -> list[Table[int]]:
    """A table per value of a sweep; none where nothing of it was simulated.

    >>> tables(SHARE, [])
    []
    """
    found = {cell.place.key: cell.estimate for cell in cells if cell.place.table.startswith(f"{sweep}.")}
    if not found:
        return []
    return _share_tables(found) if sweep == SHARE else _processor_tables(found)


def _share_tables(found: Found) -> list[Table[int]]:
    """Elapsed and processor time per pair over the share of global pairs."""
    made = []
    for value, title in (("elapsed_us", "elapsed time a pair, us"), ("cpu_us", "processor time a pair, us")):
        own = {form: [found[f"share.{form}", value, f"g={share}"] for share in SHARES] for form in STRUCTURES}
        columns: list[Column[int]] = [Column("global_percent", "global", lambda at: f"{SHARES[at]} %")]
        for form in STRUCTURES:
            printed = plus_minus_column([(estimate.mean, estimate.half_width) for estimate in own[form]])
            columns.append(Column(form, SHORT[form], printed.__getitem__, form=words_right))
        columns.append(Column("ratio", "batch / single area", _ratio(own[BATCH], own[SINGLE]), form=decimals(2)))
        made.append(Table(columns, range(len(SHARES)), f"Global pairs: {title}"))
    return made


def _processor_tables(found: Found) -> list[Table[int]]:
    """Pairs per second, how much the lock is held and what a pair waits for it, over processors."""
    made = []
    for value, title in _OVER.items():
        columns: list[Column[int]] = [Column("processors", "processors", str)]
        for form in (*STRUCTURES, UNLOCKED):
            columns.append(Column(form, SHORT[form], _mean(found, f"processors.{form}", value), form=decimals(0)))
        made.append(Table(columns, PROCESSORS, title))
    return made


def figures(cells: Iterable[Cell]) -> dict[str, Figure]:
    """The picture of each sweep that was simulated.

    >>> figures([])
    {}
    """
    found = {cell.place.key: cell.estimate for cell in cells}
    made = {}
    if any(key[0].startswith("share.") for key in found):
        made[SHARE] = _share_figure(found)
    if any(key[0].startswith("processors.") for key in found):
        made[COUNT] = _processor_figure(found)
    return made


def _share_figure(found: Found) -> Figure:
    x = [float(share) for share in SHARES]
    panels = [
        Panel(label, [_curve(found, f"share.{form}", row, x, "g") for form in STRUCTURES])
        for row, label in (("cpu_us", "processor time a pair, us"), ("elapsed_us", "elapsed time a pair, us"))
    ]
    first, second = (
        [found[f"share.{form}", "elapsed_us", f"g={share}"].mean for share in SHARES] for form in (BATCH, SINGLE)
    )
    ratio = Series(x, [value / other for value, other in zip(first, second, strict=True)], label="batch / single area")
    panels.append(Panel("elapsed, batch over single area", [ratio]))
    caption = (
        "The messages of a global pair take 200 us of processor time, the first is answered after 5 ms: both assumed."
    )
    return Figure(panels, "Global pairs, %", caption)


def _processor_figure(found: Found) -> Figure:
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
    return Figure(panels, "Processors", caption)


def _curve(found: Found, table: str, row: str, x: list[float], letter: str) -> Series:
    own = [found[table, row, f"{letter}={at:g}"] for at in x]
    label = SHORT[table.partition(".")[2]]
    return Series(
        x, [estimate.mean for estimate in own], half_width=[estimate.half_width for estimate in own], label=label
    )


def _ratio(above: Sequence[Estimate], below: Sequence[Estimate]) -> Callable[[int], float]:
    return lambda at: above[at].mean / below[at].mean


def _mean(found: Found, table: str, row: str) -> Callable[[int], float]:
    return lambda count: found[table, row, f"n={count}"].mean
