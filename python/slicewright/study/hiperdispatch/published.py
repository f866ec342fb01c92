"""The published numbers of the HiperDispatch study: Table 1, and what the text prints of its four figures."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slicewright.study.cells import Place
from slicewright.study.data import data_folder

Document = dict[str, Any]

FIGURES = ("figure1", "figure2", "figure3", "figure4")
"""The four figures: ETR over N, a family of tiles each."""

BLOCKS = ("n8", "n16")
"""The two blocks of Table 1, by their N."""

UNITS = {
    "gain_percent": "%",
    "etr": "tx/s",
    "unparked_lpus": "",
    "total_percent": "%",
    "guests_percent": "%",
    "chargeable_cp_percent": "%",
    "nonchargeable_cp_percent": "%",
    "tv_ratio": "",
    "srmslock_collisions_per_s": "1/s",
    "srmslock_spin_us_per_collision": "us",
    "srmslock_spin_s_per_s": "s/s",
    "transactions_per_s": "tx/s",
    "total_percent_per_tx": "%/tx",
    "guests_percent_per_tx": "%/tx",
    "chargeable_cp_percent_per_tx": "%/tx",
    "nonchargeable_cp_percent_per_tx": "%/tx",
    "srmslock_collisions_per_tx": "1/tx",
    "srmslock_spin_us_per_tx": "us/tx",
}
"""The published rows and their units; percents are of one processor."""


@dataclass(frozen=True, slots=True)
class Number:
    """One published number and where it stands.

    >>> numbers()[0].place.key, numbers()[0].value
    (('figure1', 'gain_percent', 'n=1'), 0.0)
    """

    place: Place
    value: float

    @property
    def n(self) -> int:
        """The N-way of the partition that it was measured in.

        >>> numbers()[0].n
        1
        """
        own = self.place.table.partition(".n")[2] or self.place.column.split()[0].removeprefix("n=")
        return int(own)


def study_folder() -> Path:
    """Where the study's published data lies.

    >>> (study_folder() / "hiperdispatch.toml").exists()
    True
    """
    return data_folder("published") / "hiperdispatch"


def document(folder: Path | None = None) -> Document:
    """The file of published numbers as it stands.

    >>> document()["tiles"]["light"]["virtual_cpus"]
    3
    """
    return tomllib.loads(((folder or study_folder()) / "hiperdispatch.toml").read_text("utf-8"))


def numbers(folder: Path | None = None) -> list[Number]:
    """Every published number: the figures', with gain 0 where the text says “little effect until”, then Table 1's.

    A copy without the last columns of a block has fewer numbers, and is no error.

    >>> len(numbers()), sum(number.value == 0 for number in numbers())
    (153, 10)
    """
    found = document(folder)
    listed = [number for figure in FIGURES for number in _figure(figure, found.get(figure, {}))]
    for block in BLOCKS:
        for row, values in found["table1"].get(block, {}).items():
            for column, value in zip(found["table1"]["columns"], values, strict=False):
                listed.append(Number(Place(f"table1.{block}", row, UNITS[row], column), float(value)))
    return listed


def _figure(figure: str, own: Document) -> Iterable[Number]:
    for n in own.get("no_effect_n", []):
        yield Number(Place(figure, "gain_percent", UNITS["gain_percent"], f"n={n}"), 0.0)
    for gain in own.get("gain_percent", []):
        yield Number(Place(figure, "gain_percent", UNITS["gain_percent"], f"n={gain['n']}"), float(gain["value"]))
    for etr in own.get("etr", []):
        yield Number(Place(figure, "etr", UNITS["etr"], f"n={etr['n']} {etr['zvm']}"), float(etr["value"]))
