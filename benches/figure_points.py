"""`make bench`: how fast the points of the HiperDispatch study are simulated, in seconds per second of one core."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from slicewright._core import Scenario

from benches import machine

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "hiperdispatch"
ROUNDS = 3
SIMULATED_S = 10.0
WARM_UP_S = 2.0
LOW_TARGET = 50.0
"""Simulated seconds per second of one core that are wanted where T/V is low."""
HIGH_TARGET = 40.0
"""The same where it is high."""


@dataclass(frozen=True)
class Speed:
    """One run: how it went, and what it did per simulated second."""

    simulated_s: float
    processor_s: float
    dispatches_per_s: float
    tv_ratio: float

    @property
    def speed(self) -> float:
        """Simulated seconds per second of one processor."""
        return self.simulated_s / self.processor_s


def wanted(name: str) -> float:
    """The speed that is wanted of a scenario: figure 1 and table 1 have a high ratio of total to virtual time.

    >>> wanted("figure1-n8-rebalance"), wanted("figure4-n32-horizontal")
    (40.0, 50.0)
    """
    return HIGH_TARGET if name.startswith(("figure1", "table1")) else LOW_TARGET


def run(path: Path, seed: int, simulated_s: float = SIMULATED_S) -> Speed:
    """Simulate a scenario once; the reading of it is not counted."""
    settings = [f'measure.interval="{simulated_s:g} s"', "measure.intervals=1"]
    scenario = Scenario.read(path.read_bytes(), path.name, settings)
    busy = time.process_time()
    row = scenario.simulate(seed, (0, 1), 1, WARM_UP_S)["control_programs"]
    processor_s = time.process_time() - busy
    (dispatches,), (ratio,) = row["dispatches_per_s"], row["tv_ratio"]
    return Speed(simulated_s + WARM_UP_S, processor_s, dispatches, ratio)


def measure(paths: list[Path], advance: Callable[[], None]) -> dict[str, list[Speed]]:
    """All runs, scenarios by turns so that a busy moment hits every one; `advance` is called after each."""
    speeds: dict[str, list[Speed]] = {path.stem: [] for path in paths}
    for seed in range(1, ROUNDS + 1):
        for path in paths:
            speeds[path.stem].append(run(path, seed))
            advance()
    return speeds


def report(speeds: dict[str, list[Speed]]) -> Table:
    """The table: a row per scenario, medians."""
    table = Table(title=f"HiperDispatch, one core, {ROUNDS} rounds, medians", title_justify="left")
    for heading in ("scenario", "T/V", "dispatches/s", "s per s", "wanted"):
        table.add_column(heading, justify="left" if heading == "scenario" else "right", no_wrap=True)
    for name, runs in speeds.items():
        rate = median(run.dispatches_per_s for run in runs)
        ratio, speed = median(run.tv_ratio for run in runs), median(run.speed for run in runs)
        table.add_row(name, f"{ratio:.2f}", f"{rate:,.0f}", f"{speed:.1f}", f"{wanted(name):g}")
    return table


def main() -> int:
    """Measure and print."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    paths = sorted(SCENARIOS.glob("*.toml"))
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=ROUNDS * len(paths))
        speeds = measure(paths, lambda: progress.advance(task))
    console.print(report(speeds))
    console.print("s per s: simulated seconds per second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
