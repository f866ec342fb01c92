"""The published numbers of the DIAGNOSE X'9C' study: tables 1 to 4, run by run."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from slicewright.study.cells import Place
from slicewright.study.data import data_folder

Document = dict[str, Any]

RUNS = ("A", "B", "C", "E", "H", "X")
"""The pairs of runs, in the order of the tables."""

UNITS = {
    "diag44.rate_per_s": "1/s",
    "diag44.fast_path_percent": "%",
    "diag44.pldv_empty_percent": "%",
    "diag44.pldv_queue": "",
    "diag9c.total_diags_per_s": "1/s",
    "diag9c.diag9c_percent": "%",
    "throughput_gain_percent": "%",
    "zvm52_total_diags_per_s": "1/s",
    "zvm52_diag9c_percent": "%",
    "gain_percent": "%",
}
"""The published rows and their units; `diag44` is of the run with X'44', `diag9c` of that with X'9C'."""


@dataclass(frozen=True, slots=True)
class Number:
    """One published number and where it stands.

    >>> numbers()[0].place.key, numbers()[0].value
    (('run.A', 'diag44.rate_per_s'), 119868.0)
    """

    place: Place
    value: float

    @property
    def run(self) -> str:
        """The pair of runs that it is of; of table 3 its 5.3 side.

        >>> numbers()[0].run, numbers()[-1].run
        ('A', 'E')
        """
        return self.place.table.removeprefix("run.") if self.place.table != "table3" else "E"


def study_folder() -> Path:
    """Where the study's published data lies.

    >>> (study_folder() / "diag9c.toml").exists()
    True
    """
    return data_folder("published") / "diag9c"


def document(folder: Path | None = None) -> Document:
    """The file of published numbers as it stands.

    >>> document()["setup"]["processors"]
    9
    """
    return tomllib.loads(((folder or study_folder()) / "diag9c.toml").read_text("utf-8"))


@cache
def setting(run: str) -> Document:
    """How a pair of runs was set up; raises StopIteration when there is none of that name.

    >>> setting("E")["server_processors"]
    6
    """
    own: Document = next(one for one in document()["run"] if one["id"] == run)
    return own


def numbers(folder: Path | None = None) -> list[Number]:
    """Every published number, run by run, then table 3; what table 3 repeats of run E is not listed twice.

    A copy that lacks some has fewer numbers, and is no error.

    >>> len(numbers())
    45
    """
    found = document(folder)
    listed = [number for own in found["run"] for number in _run(own)]
    return listed + [
        Number(Place("table3", row, UNITS[row]), float(value))
        for row, value in found.get("table3", {}).items()
        if row in UNITS
    ]


def _run(own: Document) -> Iterable[Number]:
    table = f"run.{own['id']}"
    flat = {f"{part}.{row}": value for part in ("diag44", "diag9c") for row, value in own.get(part, {}).items()}
    for row, value in (flat | own).items():
        if row in UNITS:
            yield Number(Place(table, row, UNITS[row]), float(value))
