"""Values beside the judged cells of an ensemble's form: of each set, and of forms that are counted apart.

They are kept as cells whose column names the set, and whose table has the form's name before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from slicewright.results.judge import Band, Cell, Place, Ruling, Spread
from slicewright.study.ensemble.pool import BySet, numbered, pooled, spread_over
from slicewright.study.kept import Estimates


def of_set(column: str, at: int) -> str:
    """The column of a set's value, its sets counted from one.

    >>> of_set("n=16", 2), of_set("", 1)
    ('n=16 set 2', 'set 1')
    """
    return f"{column} set {at}".strip()


def sets_of(cell: Cell, by_set: BySet) -> list[Cell]:
    """The value of a cell in each set, judged by nothing.

    >>> sets_of(shown(Place("figure2", "gain_percent", "%", "n=16"), [[1.0]]), [[1.0], [2.0]])[1].place.column
    'n=16 set 2'
    """
    column = cell.place.column
    return [
        beside(replace(cell, estimate=estimate, spread=None), of_set(column, at)) for at, estimate in numbered(by_set)
    ]


def shown(place: Place, by_set: BySet) -> Cell:
    """A value of which nothing is published.

    >>> shown(Place("run.N", "throughput_gain_percent", "%"), [[1.0], [3.0]]).estimate.mean
    2.0
    """
    return Cell(place, float("nan"), pooled(by_set), Ruling("excluded", Band()), spread=spread_over(by_set))


def beside(cell: Cell, column: str) -> Cell:
    """A cell that is shown beside those that are judged: under an ablation, or of one set of the ensemble.

    >>> from slicewright.statistics import Estimate
    >>> judged = (Estimate(2.0, 0.1, 4), Ruling("predicted", Band(abs=3)))
    >>> beside(Cell(Place("run.A", "throughput_gain_percent", "%"), 2.1, *judged), "no-reload").verdict
    'excluded'
    """
    ruling = Ruling("excluded", cell.ruling.band, note=column)
    return replace(cell, place=replace(cell.place, column=column), ruling=ruling, change=None, identity="")


def aside(cells: Iterable[Cell], form: str, forms: Sequence[str]) -> list[Cell]:
    """The values beside the cells of a form, among those of all `forms`, the first of which has no name before tables.

    >>> aside([], "intercepts", ("first", "intercepts"))
    []
    """
    own, other = f"{form} ", tuple(f"{form} " for form in forms)
    if form == forms[0]:
        return [cell for cell in cells if not cell.place.table.startswith(other)]
    found = [cell for cell in cells if cell.place.table.startswith(own)]
    return [replace(cell, place=replace(cell.place, table=cell.place.table.removeprefix(own))) for cell in found]


def marked(cells: Iterable[Cell], form: str) -> list[Cell]:
    """The same cells of another form than the first, with its name before that of their table: `aside` finds them.

    >>> marked([], "intercepts")
    []
    """
    return [replace(cell, place=replace(cell.place, table=f"{form} {cell.place.table}")) for cell in cells]


def spread_of(place: Place, other: Estimates) -> Spread | None:
    """How far apart the sets are, from what each of them gave; None where they are not known.

    >>> spread_of(Place("run.A", "diag44.pldv_queue", ""), {})
    """
    before = of_set(place.column, 0).removesuffix("0")
    means = [
        estimate.mean
        for key, estimate in other.items()
        if key[:2] == (place.table, place.row) and key[2:] and key[2].startswith(before)
    ]
    return Spread.of(means) if means else None


def unjudged(other: Estimates) -> list[Cell]:
    """The values beside the cells, as cells without a verdict.

    >>> unjudged({})
    []
    """
    nothing = Ruling("excluded", Band())
    return [
        Cell(Place(key[0], key[1], "", "".join(key[2:])), float("nan"), estimate, nothing)
        for key, estimate in other.items()
    ]
