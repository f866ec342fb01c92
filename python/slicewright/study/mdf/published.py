"""The published numbers of the 580/MDF study: every cell of tables 1 to 4 and figure 8, by table, row and column."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slicewright.study.cells import Place
from slicewright.study.data import data_folder

Document = dict[str, Any]

COLUMNS = {"sched1": 1, "sched3": 3, "sched5": 5}
"""The columns that can be simulated, with the scheduling parameter of each; BASE is not described."""

UNITS = {
    "response_ms": "ms",
    "iosq_ms": "ms",
    "rate_per_s": "I/O/s",
    "io_per_s": "I/O/s",
    "front_end_4705_rate_per_s": "I/O/s",
    "tpns_queue_s": "s",
    "input_queue_s": "s",
    "execution_s": "s",
    "output_queue_s": "s",
    "response_s": "s",
    "external_transactions_per_s": "1/s",
    "cpu_percent": "%",
}
"""The published rows and their units."""


@dataclass(frozen=True, slots=True)
class Number:
    """One published number and where it stands.

    >>> numbers()[0].place.key, numbers()[0].value
    (('table1.ims', 'response_ms', 'sched1'), 24.72)
    """

    place: Place
    value: float


def study_folder() -> Path:
    """Where the study's published data lies.

    >>> (study_folder() / "mdf.toml").exists()
    True
    """
    return data_folder("published") / "mdf"


def document(folder: Path | None = None) -> Document:
    """The file of published numbers as it stands.

    >>> document()["setup"]["ims_terminals"]
    1000
    """
    return tomllib.loads(((folder or study_folder()) / "mdf.toml").read_text("utf-8"))


def numbers(folder: Path | None = None) -> list[Number]:
    """Every published number of a table or figure, in the order of the file; BASE included.

    >>> len(numbers()), sum(number.place.column in ("sched3", "sched5") for number in numbers())
    (96, 53)
    """
    found = document(folder)
    return [
        Number(Place(f"{table}.{own}", row, UNITS[row], column), value)
        for table in found
        if table.startswith("table") or table == "figure8"
        for own, rows in found[table].items()
        for row, columns in rows.items()
        for column, value in columns.items()
    ]
