"""`make bench`: what a simulated transaction costs against the number of terminals, up to 100,000, of two domains.

Terminals and think times grow together, so the load stays the same and the difference is the cost of terminals. With a
clock that is k times slower, a run with k times the terminals has the original think times. Machine and load are then
k times as fast and high. No number fails the run: a busy machine is no fault.
"""

import math
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from slicewright._core import Scenario

from benches import machine

SCENARIO = Path(__file__).parents[1] / "scenarios" / "mdf" / "ims-tso-sched1.toml"
TERMINALS = (1_450, 3_000, 10_000, 30_000, 99_990)
"""The last leaves room for guests of other kinds among the 100,000 that a scenario may have."""
ROUNDS = 5
SIMULATED_S = 600.0
WARM_UP_S = 60.0
TARGET = 1_000.0
"""Simulated seconds per second of one core that are wanted of the whole scenario."""


@dataclass(frozen=True)
class Group:
    """Terminals of one name: how many there are, and their mean think time as the scenario has it."""

    name: str
    count: int
    think: str


@dataclass(frozen=True)
class Cost:
    """One run: what it simulated, and what that took of one processor."""

    terminals: int
    simulated_s: float
    processor_s: float
    cycles: float
    """Ended in all of the simulated time, at the rate of what was measured of it."""

    @property
    def speed(self) -> float:
        """Simulated seconds per second of one processor."""
        return self.simulated_s / self.processor_s

    @property
    def cycles_per_s(self) -> float:
        """Cycles of all terminals per simulated second."""
        return self.cycles / self.simulated_s

    @property
    def us_per_cycle(self) -> float:
        """Processor time for one cycle of a terminal: its transaction and all that goes on meanwhile."""
        return 1e6 * self.processor_s / self.cycles


def terminals(text: str) -> list[Group]:
    """The groups of a scenario that are always there and begin with an exponential think time.

    >>> text = '[[guest]]\\nname = "IMS"\\ncount = 5\\nprogram = [{think = {exponential = "16 s"}}]'
    >>> terminals(text)
    [Group(name='IMS', count=5, think='16 s')]
    """
    groups = []
    for guest in tomllib.loads(text)["guest"]:
        think: Any = guest.get("program", [{}])[0].get("think")
        if "count" in guest and isinstance(think, dict) and "exponential" in think:
            groups.append(Group(guest["name"], guest["count"], think["exponential"]))
    return groups


def settings(groups: list[Group], total: int) -> list[str]:
    """Settings for a total number of terminals, with think times longer by the same factor.

    >>> for setting in settings([Group("IMS", 10, "16 s"), Group("TSO", 5, "20 s")], 30):
    ...     print(setting)
    guest.IMS.count=20
    guest.IMS.program.1.think.exponential="32 s"
    guest.TSO.count=10
    guest.TSO.program.1.think.exponential="40 s"
    """
    times = total / sum(group.count for group in groups)
    counts = [round(group.count * times) for group in groups[:-1]]
    texts = []
    for group, count in zip(groups, [*counts, total - sum(counts)], strict=True):
        number, unit = group.think.split()
        texts.append(f"guest.{group.name}.count={count}")
        texts.append(f'guest.{group.name}.program.1.think.exponential="{float(number) * times:.10g} {unit}"')
    return texts


def run(seed: int, total: int, simulated_s: float = SIMULATED_S, path: Path = SCENARIO) -> Cost:
    """Simulate the scenario once with a total number of terminals; the time to read it is not counted."""
    text = path.read_text(encoding="utf-8")
    groups = terminals(text)
    interval = [f'measure.interval="{simulated_s:g} s"', "measure.intervals=1"]
    scenario = Scenario.read(text.encode(), path.name, [*settings(groups, total), *interval])
    busy = time.process_time()
    guests = scenario.simulate(seed, (0, 1), 1, WARM_UP_S)["guests"]
    processor_s = time.process_time() - busy
    names = {group.name for group in groups}
    rates = zip(guests["guest"], guests["cycles_per_s"], strict=True)
    per_s = sum(rate for name, rate in rates if name in names)
    return Cost(total, simulated_s + WARM_UP_S, processor_s, per_s * (simulated_s + WARM_UP_S))


def measure(advance: Callable[[], None]) -> dict[int, list[Cost]]:
    """All runs, sizes by turns so that a busy moment hits every one; `advance` is called after each."""
    costs: dict[int, list[Cost]] = {total: [] for total in TERMINALS}
    for seed in range(1, ROUNDS + 1):
        for total, runs in costs.items():
            runs.append(run(seed, total))
            advance()
    return costs


def growth(costs: dict[int, list[Cost]]) -> float:
    """The power of the number of terminals with which the cost of a second grows where the machine grows with them.

    >>> few, many = Cost(10, 1.0, 2e-3, 100.0), Cost(100, 1.0, 4e-3, 100.0)
    >>> round(growth({10: [few], 100: [many]}), 3)
    1.301
    """
    fewest, most = min(costs), max(costs)
    one, other = (median(cost.us_per_cycle for cost in costs[total]) for total in (fewest, most))
    return 1.0 + math.log(other / one) / math.log(most / fewest)


def report(costs: dict[int, list[Cost]]) -> Table:
    """The table with its curve: a row per number of terminals, medians."""
    title = f"{SCENARIO.stem}, more terminals with longer think times, one core, {ROUNDS} rounds"
    table = Table(title=title, title_justify="left")
    for heading in ("terminals", "cycles/s", "s per s", "us a cycle", "ms a s*"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("*", justify="left", no_wrap=True)
    fewest, most = min(costs), max(costs)
    for total, runs in costs.items():
        rate = median(cost.cycles_per_s for cost in runs)
        speed = median(cost.speed for cost in runs)
        each = median(cost.us_per_cycle for cost in runs)
        second = 1e3 * total / fewest / speed
        bar = "#" * max(1, round(20 * total / most * speed_of(costs, most) / speed))
        table.add_row(f"{total:,}", f"{rate:.1f}", f"{speed:,.0f}", f"{each:.2f}", f"{second:.2f}", bar)
    return table


def speed_of(costs: dict[int, list[Cost]], total: int) -> float:
    """The median speed with a total number of terminals."""
    return median(cost.speed for cost in costs[total])


def main() -> int:
    """Measure and print."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=ROUNDS * len(TERMINALS))
        costs = measure(lambda: progress.advance(task))
    console.print(report(costs))
    console.print("s per s: simulated seconds per second; us a cycle: a terminal's, all in all")
    console.print("* with the original think times, at a machine faster by the same factor: it grows as")
    console.print(f"  terminals to the power of {growth(costs):.3f}; 1 is in proportion to them")
    speed = speed_of(costs, min(costs))
    console.print(f"the scenario as it is: {speed:,.0f} s per s of one core; {TARGET:,.0f} are wanted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
