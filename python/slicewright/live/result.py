"""The result of a live run: what was asked for, where it was measured, and every pair live and simulated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict

from slicewright.live.cells import Cell, KeptCell, agreement
from slicewright.live.environment import Environment
from slicewright.live.grid import Grid
from slicewright.live.slices_seen import KeptSlices, SlicesSeen
from slicewright.live.threads import Case

KIND = "live slices"


class KeptResult(TypedDict):
    """A result as it is kept.

    >>> "format" in KeptResult.__required_keys__
    True
    """

    format: int
    kind: Literal["live slices"]
    grid: Grid
    environment: Environment
    cells: list[KeptCell]
    slices: list[KeptSlices]
    agree: dict[str, int]
    median_relative_difference: dict[str, float | None]
    warnings: list[str]


@dataclass(frozen=True)
class SlicesResult:
    """A grid that was measured and simulated.

    >>> SlicesResult(Grid(), Environment(), (), ()).of("uniform")
    []
    """

    grid: Grid
    environment: Environment
    cells: tuple[Cell, ...]
    slices: tuple[SlicesSeen, ...]

    def of(self, case: Case) -> list[Cell]:
        """The pairs of one case, in their order."""
        return [cell for cell in self.cells if cell.case == case]

    def as_json(self) -> dict[str, Any]:
        """The result as one object, with its summary and its disturbances.

        >>> SlicesResult.of_json(SlicesResult(Grid(), Environment(), (), ()).as_json()).grid == Grid()
        True
        """
        counts = {case: agreement(self.of(case)) for case in self.grid.cases}
        return {
            "kind": KIND, "grid": asdict(self.grid), "environment": asdict(self.environment),
            "cells": [cell.as_json() for cell in self.cells], "slices": [slice_.as_json() for slice_ in self.slices],
            "agree": {case: count for case, (count, _) in counts.items()},
            "median_relative_difference": {case: median for case, (_, median) in counts.items()},
            "warnings": self.environment.warnings(),
        }  # fmt: skip

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> SlicesResult:
        """Read back what `as_json` gave."""
        grid: dict[str, Any] = {
            name: tuple(field) if isinstance(field, list) else field for name, field in value["grid"].items()
        }
        return SlicesResult(
            Grid(**grid), Environment.of_json(value["environment"]), tuple(map(Cell.of_json, value["cells"])),
            tuple(map(SlicesSeen.of_json, value["slices"])),
        )  # fmt: skip
