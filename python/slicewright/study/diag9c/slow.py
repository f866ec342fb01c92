"""What a slow X'44' costs: the capacity that X'9C' sets free, over the rate of the X'44' that are not fast.

The published numbers pin this one best: it is nearly the same in C, E, H and X, whose gains are 10 to 32 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from slicewright.report.model import Block, Column, Table
from slicewright.results.judge import Cell
from slicewright.statistics import fixed
from slicewright.study.diag9c.cases import RUNS, Case
from slicewright.study.diag9c.runs import aside
from slicewright.study.look import right
from slicewright.study.summary import Context

ROWS = ("throughput_gain_percent", "diag44.rate_per_s", "diag44.fast_path_percent")
"""The values that it follows from."""

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Slow:
    """Of a pair of runs, in us of a z990: from the published numbers, from the means over sets, and of each set.

    >>> Slow("A", 12.0, 8.0, (6.0, 11.0)).span
    '6 to 11'
    """

    run: str
    published: float
    simulated: float
    sets: tuple[float, ...]

    @property
    def span(self) -> str:
        """From the least of the sets to the largest."""
        return f"{fixed(min(self.sets), 0)} to {fixed(max(self.sets), 0)}" if self.sets else ""


def saved_us(run: str, values: Values) -> float:
    """Processor time that is set free for each X'44' that is not fast, in us of a z990.

    With a gain g the same work needs 1 / (1 + g) of the processors' time; what is left has been set free.  A gain of a
    set may be below zero, and so is this then.

    >>> document = {"A": (2.1, 119868, 87), "E": (12.1, 48306, 58), "X": (9.9, 61115, 55)}
    >>> [round(saved_us(run, dict(zip(ROWS, values)))) for run, values in document.items()]
    [12, 48, 47]
    """
    case = Case(run, "x44")
    gain, rate, fast = (values[row] for row in ROWS)
    slow = rate * (1 - fast / 100)
    return 1e6 * case.processors * gain / (100 + gain) / slow * case.speed if slow > 0 else 0.0


def found(cells: Iterable[Cell], beside: Iterable[Cell]) -> list[Slow]:
    """Of each pair of runs of a form: its cells, and the values of its sets beside them.

    >>> found([], [])
    []
    """
    own = {cell.place.key: cell for cell in cells}
    sets: dict[str, dict[str, dict[str, float]]] = {}
    for cell in beside:
        if cell.place.row in ROWS and cell.place.column.startswith("set "):
            values = sets.setdefault(cell.place.table, {}).setdefault(cell.place.column, {})
            values[cell.place.row] = cell.estimate.mean
    made = []
    for run in RUNS:
        keys = [(f"run.{run}", row) for row in ROWS]
        if all(key in own for key in keys):
            published, simulated = (
                saved_us(run, dict(zip(ROWS, values, strict=True)))
                for values in ([own[key].published for key in keys], [own[key].estimate.mean for key in keys])
            )
            each = [saved_us(run, values) for values in sets.get(f"run.{run}", {}).values() if len(values) == len(ROWS)]
            made.append(Slow(run, published, simulated, tuple(each)))
    return made


def table(context: Context) -> Iterable[Block]:
    """Published and simulated, run by run; nothing where a pair of runs has no gain."""
    rows = found(context.cells, aside(context.result.comparison, context.form))
    columns: list[Column[Slow]] = [
        Column("run", "run", lambda row: row.run),
        right("published", "published, us", lambda row: fixed(row.published, 0)),
        right("simulated", "simulated, us", lambda row: fixed(row.simulated, 0)),
        right("sets_mean", "mean of the sets", lambda row: fixed(fmean(row.sets), 0) if row.sets else ""),
        Column("sets", "sets", lambda row: row.span),
    ]
    if rows:
        yield Table(columns, rows, legend="Processor time set free per X'44' that is not fast, us of a z990.")
