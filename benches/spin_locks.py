"""`make bench`: how fast virtual machines are simulated that spin for locks, in seconds per second of one core.

The load is that of run E of the DIAGNOSE X'9C' study: 2 x 9 + 32 x 6 virtual processors on 9 logical ones, with its
connections and its rate of DIAGNOSE X'44'. It yields by X'44' and by X'9C', after 1000 attempts and after every one.
No number fails the run: a busy machine is no fault.
"""

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

SCENARIO = Path(__file__).with_name("spin_locks.toml")
ROUNDS = 3
SIMULATED_S = 2.0
WARM_UP_S = 0.5
WANTED = {1000: 25.0, 0: 1.0}
"""Simulated seconds per second of one core that are wanted, by the number of attempts between yields."""
YIELDS = ("x44", "x9c")

Way = tuple[str, int]
"""How virtual machines yield, and after how many tries."""

WAYS: list[Way] = [(yields, tries) for tries in WANTED for yields in YIELDS]


@dataclass(frozen=True)
class Speed:
    """One run: how long it took, and what it did per simulated second."""

    simulated_s: float
    processor_s: float
    diagnoses_per_s: float
    taken_per_s: float
    dispatches_per_s: float

    @property
    def speed(self) -> float:
        """Simulated seconds per second of one processor."""
        return self.simulated_s / self.processor_s


def settings(way: Way) -> list[str]:
    """Settings with which virtual machines yield in this way.

    >>> settings(("x9c", 0))[:2]
    ['virtual_machine.CLIENT.yields="x9c"', 'virtual_machine.CLIENT.spin_retry=0']
    """
    yields, tries = way
    kinds = ("CLIENT", "SERVER")
    return [
        line
        for kind in kinds
        for line in (f'virtual_machine.{kind}.yields="{yields}"', f"virtual_machine.{kind}.spin_retry={tries}")
    ]


def run(way: Way, seed: int, simulated_s: float = SIMULATED_S) -> Speed:
    """Simulate the load once; the reading of it is not counted."""
    chosen = [*settings(way), f'measure.interval="{simulated_s:g} s"']
    scenario = Scenario.read(SCENARIO.read_bytes(), SCENARIO.name, chosen)
    busy = time.process_time()
    tables = scenario.simulate(seed, (0, 1), 1, WARM_UP_S)
    processor_s = time.process_time() - busy
    row = tables["control_programs"]
    (diagnoses,), (dispatches,) = row["diagnoses_per_s"], row["dispatches_per_s"]
    taken = sum(tables["spin_locks"]["taken_per_s"])
    return Speed(simulated_s + WARM_UP_S, processor_s, diagnoses, taken, dispatches)


def measure(advance: Callable[[], None]) -> dict[Way, list[Speed]]:
    """All runs, ways by turns so that a busy moment hits every one; `advance` is called after each."""
    speeds: dict[Way, list[Speed]] = {way: [] for way in WAYS}
    for seed in range(1, ROUNDS + 1):
        for way in WAYS:
            speeds[way].append(run(way, seed))
            advance()
    return speeds


def report(speeds: dict[Way, list[Speed]]) -> Table:
    """The table: a row per way to yield, medians."""
    table = Table(title=f"Spin locks, run E, one core, {ROUNDS} rounds, medians", title_justify="left")
    for heading in ("yields", "tries", "DIAGNOSEs/s", "taken/s", "dispatches/s", "s per s", "wanted"):
        table.add_column(heading, justify="left" if heading == "yields" else "right", no_wrap=True)
    for (yields, tries), runs in speeds.items():
        rates = ("diagnoses_per_s", "taken_per_s", "dispatches_per_s")
        cells = [f"{median(getattr(run, rate) for run in runs):,.0f}" for rate in rates]
        speed = median(run.speed for run in runs)
        table.add_row(yields, f"{tries:,}", *cells, f"{speed:.1f}", f"{WANTED[tries]:g}")
    return table


def main() -> int:
    """Measure and print."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=ROUNDS * len(WAYS))
        speeds = measure(lambda: progress.advance(task))
    console.print(report(speeds))
    console.print("s per s: simulated seconds per second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
