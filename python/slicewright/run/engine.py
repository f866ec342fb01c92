"""The terms of a run, and the source of its simulations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slicewright._core import Scenario

_Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """The terms of a run; `share` is the precision that is asked for."""

    seed: int
    threads: int
    replications: int
    share: float | None = None


class Engine:
    """The source of simulations: the engine itself; a subclass may keep what it simulated."""

    def warm_up(self, world: Scenario, asked: Asked, progress: _Progress | None) -> tuple[float, bool]:
        """The warm-up to cut, and whether the pilots settled within it."""
        return world.warm_up(asked.seed, progress, asked.threads)

    def simulate(
        self, world: Scenario, asked: Asked, which: tuple[int, int], warm_up_s: float, progress: _Progress | None
    ) -> dict[str, Any]:
        """The tables of some replications."""
        return world.simulate(asked.seed, which, asked.threads, warm_up_s, progress)
