"""The published times of the installation-exit study, row by row, with what rounding may hide."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from slicewright.study.cells import Place
from slicewright.study.data import data_folder

TABLE, ROW = "elapsed", "wall_s"


@dataclass(frozen=True, slots=True)
class Number:
    """One published time: where it stands, seconds, what a request goes through, and on which levels.

    >>> first = numbers()[0]
    >>> first.place.key, first.value, first.structure
    (('elapsed', 'wall_s', '1'), 19.0, 'svc-front-end')
    """

    place: Place
    value: float
    rounding: float
    structure: str
    environment: str
    path: str

    @property
    def row(self) -> str:
        """Which row of the table it is: "1" to "5"."""
        return self.place.column


def study_folder() -> Path:
    """Where the study's published data lies.

    >>> (study_folder() / "grs-exits.toml").exists()
    True
    """
    return data_folder("published") / "grs-exits"


def document(folder: Path | None = None) -> dict[str, Any]:
    """The file of published numbers as it stands.

    >>> document()["setup"]["pairs"]
    999999
    """
    return tomllib.loads(((folder or study_folder()) / "grs-exits.toml").read_text("utf-8"))


def numbers(folder: Path | None = None) -> list[Number]:
    """Every published number, in the order of the table.

    A copy that lacks some has fewer numbers, and is no error.

    >>> [one.value for one in numbers()]
    [19.0, 354.0, 45.0, 33.0, 20.0]
    """
    found = document(folder)
    rounding = found["setup"]["printed_to_s"] / 2
    return [
        Number(
            Place(TABLE, ROW, "s", one["row"]), float(one["wall_s"]), rounding,
            one["structure"], one["environment"], one["path"],
        )
        for one in found["elapsed"]
    ]  # fmt: skip


@cache
def pairs() -> int:
    """How many pairs of ENQ and DEQ were timed.

    >>> pairs()
    999999
    """
    count: int = document()["setup"]["pairs"]
    return count
