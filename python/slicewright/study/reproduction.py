"""What to reproduce of a study and what came out: every published number beside the simulated one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slicewright.results.judge import Cell
from slicewright.study.points import Point


@dataclass(slots=True)
class Reproduction:
    """A study reproduced; `cells` in the order of the published tables, in whatever order they were simulated.

    >>> list(Reproduction("hyperpav", 1).to_json())
    ['study', 'wall_s', 'events', 'seed', 'replications', 'cells']
    """

    study: str
    seed: int
    points: list[Point] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    comparison: list[Cell] = field(default_factory=list)
    """The scored cells under the other form that was declared, for comparison only."""
    adopted: list[Cell] = field(default_factory=list)
    """The simulated cells of a second form, which adopts variants: counted too, but apart; else empty."""
    variant: list[Cell] = field(default_factory=list)
    """The simulated cells of a form that was declared and not adopted: shown, counted apart; else empty."""
    wall_s: float = 0.0
    ablation: str = ""
    """The ablation, if any; the same cells of the whole model are then in `comparison`."""

    @property
    def events(self) -> int:
        """Events simulated for the cells."""
        return sum(point.events for point in self.points)

    @property
    def replications(self) -> int:
        """Replications of the point that needed most; of kept numbers, those of the cell that has most."""
        counts = [point.replications for point in self.points]
        return max(counts or [cell.estimate.replications for cell in self.cells], default=0)

    def to_json(self) -> dict[str, Any]:
        """The object that `reproduce --format json` prints; only `wall_s` differs between two runs."""
        document: dict[str, Any] = {
            "study": self.study,
            "wall_s": round(self.wall_s, 3),
            "events": self.events,
            "seed": self.seed,
            "replications": self.replications,
            "cells": [cell.to_json() for cell in self.cells],
        }
        if self.adopted:
            document["adopted"] = [cell.to_json() for cell in self.adopted]
        if self.variant:
            document["variant"] = [cell.to_json() for cell in self.variant]
        if self.ablation:
            document |= {"ablation": self.ablation, "whole": [cell.to_json() for cell in self.comparison]}
        return document


@dataclass(frozen=True, slots=True)
class Request:
    """The extent of a reproduction, quick or full, its folder, and callbacks for finished runs and progress (0 to 1).

    `done` hears the name of a published run and its cells.  `ablation` names what is taken away; empty: nothing.
    Without `curves` a page has only the figures that need no further simulation.

    >>> Request(quick=True).seed
    1
    """

    quick: bool = False
    seed: int = 1
    folder: Path | None = None
    done: Callable[[str, list[Cell]], None] = lambda run, cells: None
    progress: Callable[[float], None] = lambda share: None
    ablation: str = ""
    curves: bool = True
