"""`make bench`: what a dispatch costs against the number of virtual processors, up to 10,000.

Logical processors of the dispatch model grow in proportion, up to the maximum of 256; beyond that, think times grow.
The load per logical processor stays the same, so the difference is the cost of virtual processors. One run has only
dispatching, one also caches, lock, controller and stealing by distance. No number fails the run: a busy machine is no
fault.
"""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from slicewright._core import Scenario

from benches import machine
from benches.dispatch_model import SCENARIO
from benches.peer_dispatch import BURST_MS, LOGICAL, THINK_MS, VIRTUAL

NUMBERS = (26, 104, 320, 1_000, 3_200, 10_000)
MOST_LOGICAL = 256
ROUNDS = 3
WARM_UP_S = 0.5
DISPATCHES = 1_500_000.0
"""About this number in a run, for any number of processors."""

DISPATCHES_A_BURST = 1.0 / (1.0 - math.exp(-2.0 / BURST_MS))
WHOLE = (
    'cec.machine="zEC12"',
    'partition.ZVM.control_program.polarization="vertical"',
    'partition.ZVM.control_program.method="rebalance"',
    'partition.ZVM.control_program.slice_jitter="25 %"',
    'partition.ZVM.control_program.lock={ hold = "0.1 us", per_waiter = "0.05 us" }',
    'partition.ZVM.control_program.costs={ wake = "1 us", dispatch = "1 us", simulate = "1 us", look = "0.1 us" }',
    'virtual_machine.LINUX.footprint="256 KiB"',
    'virtual_machine.LINUX.touched_in="1 ms"',
)
"""Mechanisms that the dispatch model omits."""


@dataclass(frozen=True)
class Cost:
    """One run: how many it dispatched, and what that took of one processor."""

    dispatches: float
    simulated_s: float
    processor_s: float

    @property
    def ns_per_dispatch(self) -> float:
        """Processor time for one dispatch and all that goes on meanwhile."""
        return 1e9 * self.processor_s / self.dispatches


def logical(virtual: int) -> int:
    """Logical processors for a number of virtual ones.

    >>> [logical(virtual) for virtual in (26, 104, 10_000)]
    [8, 32, 256]
    """
    return max(1, min(MOST_LOGICAL, round(virtual * LOGICAL / VIRTUAL)))


def think_ms(virtual: int) -> float:
    """The think time with which virtual processors load a logical processor as in the dispatch model.

    >>> think_ms(104), round(think_ms(10_000), 1)
    (5.0, 115.2)
    """
    return (THINK_MS + BURST_MS) * (virtual / logical(virtual)) / (VIRTUAL / LOGICAL) - BURST_MS


def settings(virtual: int) -> list[str]:
    """Settings of a dispatch model with a number of virtual processors."""
    return [
        f"cec.processors={logical(virtual)}",
        f"partition.ZVM.logical_processors={logical(virtual)}",
        f"virtual_machine.LINUX.count={virtual}",
        f"guest.PROGRAM.count={virtual}",
        f'guest.PROGRAM.program.1.think.exponential="{think_ms(virtual):.6g} ms"',
    ]


def run(seed: int, virtual: int, whole: bool, dispatches: float = DISPATCHES) -> Cost:
    """Simulate the model once with a number of virtual processors; the time to read it is not counted."""
    measured_s = dispatches / (logical(virtual) / BURST_MS * 1000.0 * DISPATCHES_A_BURST)
    chosen = [*settings(virtual), *(WHOLE if whole else ()), f'measure.interval="{measured_s:.6g} s"']
    scenario = Scenario.read(SCENARIO.read_bytes(), SCENARIO.name, chosen)
    busy = time.process_time()
    tables = scenario.simulate(seed, (0, 1), 1, WARM_UP_S)
    processor_s = time.process_time() - busy
    (rate,) = tables["control_programs"]["dispatches_per_s"]
    simulated_s = measured_s + WARM_UP_S
    return Cost(rate * simulated_s, simulated_s, processor_s)


Curve = dict[int, list[Cost]]


def measure(advance: Callable[[], None]) -> tuple[Curve, Curve]:
    """All runs, plain and whole, numbers by turns so that a busy moment hits every one."""
    curves: tuple[Curve, Curve] = ({number: [] for number in NUMBERS}, {number: [] for number in NUMBERS})
    for seed in range(1, ROUNDS + 1):
        for number in NUMBERS:
            for whole, curve in enumerate(curves):
                curve[number].append(run(seed, number, bool(whole)))
                advance()
    return curves


def typical(runs: list[Cost]) -> float:
    """The median cost of a dispatch, ns."""
    return median(cost.ns_per_dispatch for cost in runs)


def power(curve: Curve) -> float:
    """The power of the number of virtual processors with which a dispatch becomes dearer; 1 would be in proportion.

    >>> few, many = Cost(1.0, 1.0, 1e-7), Cost(1.0, 1.0, 2e-7)
    >>> round(power({10: [few], 1000: [many]}), 3)
    0.151
    """
    fewest, most = min(curve), max(curve)
    return math.log(typical(curve[most]) / typical(curve[fewest])) / math.log(most / fewest)


def report(curves: tuple[Curve, Curve]) -> Table:
    """The table with its curves: a row per number of virtual processors, medians."""
    table = Table(title=f"Growing dispatch model, one core, {ROUNDS} rounds, ns a dispatch", title_justify="left")
    for heading in ("virtual", "logical", "plain"):
        table.add_column(heading, justify="right")
    table.add_column("", no_wrap=True)
    table.add_column("whole*", justify="right")
    table.add_column("", no_wrap=True)
    plain, whole = curves
    longest = max(typical(runs) for curve in curves for runs in curve.values())
    for number in NUMBERS:
        cells = []
        for curve in (plain, whole):
            each = typical(curve[number])
            cells += [f"{each:.0f}", "#" * max(1, round(16 * each / longest))]
        table.add_row(f"{number:,}", str(logical(number)), *cells)
    return table


def main() -> int:
    """Measure and print."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=2 * ROUNDS * len(NUMBERS))
        curves = measure(lambda: progress.advance(task))
    console.print(report(curves))
    console.print("* with caches, scheduler lock, costs, stealing by distance and a controller")
    plain, whole = (power(curve) for curve in curves)
    console.print(f"a dispatch becomes dearer as virtual processors to the power of {plain:.2f} and {whole:.2f};")
    console.print("0 would be no dearer, 1 in proportion, and no more than 1 is wanted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
