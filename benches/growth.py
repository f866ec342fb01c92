"""`make bench`: what a cycle of a guest costs against the size of the machine: groups, partitions, volumes, guests.

Each machine keeps its load for each processor or volume while it grows, and about as many cycles are simulated of each.
So the cost of a cycle would stay the same if nothing went through the whole machine.  Virtual processors have a
benchmark of their own.  No number fails the run: a busy machine is no fault.
"""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from slicewright._core import Scenario

from benches import machine

ROUNDS = 3
WARM_UP_S = 0.5
CYCLES = 400_000.0
"""About this number in a run, for any size."""

Settings = dict[str, object]


@dataclass(frozen=True)
class Kind:
    """A machine that grows: its sizes, its scenario at a size, and the cycles a second of one unit of the size."""

    name: str
    sizes: tuple[int, ...]
    scenario: Callable[[int], Settings]
    cycles_per_s: float


def _work(compute_ms: float, think_ms: float) -> list[Settings]:
    return [{"compute": {"exponential": f"{compute_ms} ms"}}, {"think": {"exponential": f"{think_ms} ms"}}]


def _groups(size: int) -> Settings:
    """Groups of four threads on as many processors; every other one has a limit of a processor."""
    limits: list[Settings] = [{"cpu.max": "100 ms 100 ms"}, {}]
    groups = [{"name": f"g{at}", "cpu.weight": 100, **limits[at % 2]} for at in range(size)]
    guests = [{"name": f"w{at}", "cgroup": f"g{at}", "count": 4, "program": _work(2, 4)} for at in range(size)]
    return {"cec": {"processors": size, "dispatcher": "cfs"}, "cgroup": groups, "guest": guests}


def _partitions(size: int) -> Settings:
    """Partitions of one logical processor each, two of them for a physical one."""
    partitions = [{"name": f"P{at}", "weight": 100, "logical_processors": 1} for at in range(size)]
    guests = [{"name": f"w{at}", "partition": f"P{at}", "count": 1, "program": _work(2, 3)} for at in range(size)]
    return {"cec": {"processors": size // 2, "dispatcher": "prsm"}, "partition": partitions, "guest": guests}


def _volumes(size: int) -> Settings:
    """Volumes of 16 guests each, without aliases."""
    volumes = [
        {
            "name": f"V{at}",
            "device": f"{0x1000 + at:04X}",
            "service": {"pend": "0.2 ms", "connect": {"exponential": "0.8 ms"}},
        }
        for at in range(size)
    ]
    guests = [
        {"name": f"w{at}", "count": 16, "program": [{"think": {"exponential": "20 ms"}}, {"io": {"volume": f"V{at}"}}]}
        for at in range(size)
    ]
    return {"volume": volumes, "guest": guests}


def _guests(size: int) -> Settings:
    """Guests of one group that only think."""
    return {"guest": [{"name": "w", "count": size, "program": [{"think": {"exponential": "10 ms"}}]}]}


KINDS = (
    Kind("groups of threads", (8, 60, 250), _groups, 500.0),
    Kind("partitions by weight", (8, 60, 250, 500), _partitions, 195.0),
    Kind("volumes", (8, 800, 6_000), _volumes, 700.0),
    Kind("guests", (10, 1_000, 100_000), _guests, 100.0),
)


def run(kind: Kind, size: int, seed: int) -> float:
    """Simulate a machine of a size once; processor time for a cycle in ns, without that to read the scenario."""
    length_s = CYCLES / (kind.cycles_per_s * size)
    measure = {"warm_up": f"{WARM_UP_S} s", "interval": f"{length_s:.6g} s"}
    values = {"name": kind.name, "assume": "round numbers", **kind.scenario(size), "measure": measure}
    scenario = Scenario.of(values, "growth.toml")
    busy = time.process_time()
    tables: Mapping[str, Mapping[str, list[float]]] = scenario.simulate(seed, (0, 1), 1, WARM_UP_S)
    processor_s = time.process_time() - busy
    return 1e9 * processor_s / (sum(tables["guests"]["cycles_per_s"]) * (length_s + WARM_UP_S))


def main() -> int:
    """Measure and print: sizes by turns, so that a busy moment hits every one."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    costs: dict[tuple[str, int], list[float]] = {}
    every = [(kind, size) for kind in KINDS for size in kind.sizes]
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=ROUNDS * len(every))
        for seed in range(1, ROUNDS + 1):
            for kind, size in every:
                costs.setdefault((kind.name, size), []).append(run(kind, size, seed))
                progress.advance(task)
    table = Table(title=f"Growing machines, one core, {ROUNDS} rounds, ns a cycle", title_justify="left")
    for heading in ("machine", "size", "ns", "times the smallest"):
        table.add_column(heading, justify="left" if heading == "machine" else "right")
    for kind, size in every:
        own, least = median(costs[kind.name, size]), median(costs[kind.name, kind.sizes[0]])
        table.add_row(kind.name, f"{size:,}", f"{own:,.0f}", f"{own / least:.1f}")
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
