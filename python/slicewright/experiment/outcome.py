"""What one simulation measured: columns of its tables as arrays, a value per replication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Table = Mapping[str, Sequence[Any]]
"""A table of counters as the engine gives it: columns by name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Columns by name, a value per replication, and the complete scenario: `run` gives the same numbers.

    >>> Outcome({"work_percent": np.array([90.0, np.nan])}).mean("work_percent")
    90.0
    """

    columns: Mapping[str, Array]
    text: str = field(default="", repr=False)

    def mean(self, name: str) -> float:
        """The mean of a column over the replications that know it; NaN where none does."""
        known = self.columns[name][np.isfinite(self.columns[name])]
        return float(known.mean()) if known.size else float("nan")


def columns(table: Table, row: Mapping[str, str], names: Sequence[str], replications: int) -> dict[str, Array]:
    """Columns of one row of a table, which `row` identifies; NaN where a replication has no value.

    >>> table = {"replication": [0, 1], "volume": ["A", "A"], "response_ms": [2.0, None]}
    >>> columns(table, {"volume": "A"}, ["response_ms"], 2)
    {'response_ms': array([ 2., nan])}
    """
    found = {name: np.full(replications, np.nan) for name in names}
    for at in rows(table, row):
        for name in names:
            value = table[name][at]
            found[name][int(table["replication"][at])] = np.nan if value is None else value
    return found


def grid(table: Table, rows: tuple[str, Sequence[str]], names: Sequence[str], replications: int) -> dict[str, Array]:
    """Columns of several rows (the key and its values), each as an array of replications x rows.

    >>> table = {"replication": [0, 0], "volume": ["A", "B"], "response_ms": [2.0, 3.0]}
    >>> grid(table, ("volume", ["B", "A"]), ["response_ms"], 1)
    {'response_ms': array([[3., 2.]])}
    """
    key, wanted = rows
    place = {name: index for index, name in enumerate(wanted)}
    found = {name: np.full((replications, len(wanted)), np.nan) for name in names}
    for at, (replication, entity) in enumerate(zip(table["replication"], table[key], strict=True)):
        if entity in place:
            for name in names:
                value = table[name][at]
                found[name][int(replication), place[entity]] = np.nan if value is None else value
    return found


def rows(table: Table, row: Mapping[str, str]) -> list[int]:
    """Where a table has a row with these values, in every replication.

    >>> rows({"volume": ["A", "B", "A"]}, {"volume": "A"})
    [0, 2]
    """
    if not row:
        return list(range(len(table["replication"])))
    values = tuple(row.values())
    return [at for at, cells in enumerate(zip(*(table[key] for key in row), strict=True)) if cells == values]
