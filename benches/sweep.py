"""`make bench`: a sweep of 33 alias counts, what its store costs, its memory, and SimPy's time for as many I/Os.

SimPy runs one point of a closed model of the same shape (`benches/peer_simpy.py`); its time for the whole sweep is
extrapolated by I/Os.  Then `choose` finds the fewest of 25 alias counts that keep a response, beside the sweep of the
same settings: few are enough, many are needed, or none is.  No number fails the run: a busy machine is no fault.
`python -m benches.sweep 60` simulates 60 s per replication instead of 600.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from slicewright._core import starter
from slicewright.explore.choose import choose
from slicewright.explore.store import Store
from slicewright.explore.sweep import sweep

from benches import machine
from benches.sides import peer

ALIASES = "alias_pool.LSS-52.aliases"
COUNTS = 33
REPLICATIONS = 20
SIMULATED_S = 600.0
PEER_S = 30.0
MORE = 10
"""Times as many points, each as much shorter, to see whether memory depends on their number."""
TARGET_S, TARGET_MB, TARGET_SHARE = 180, 300, 0.02


CHOSEN = "0..24"
LIMITS = (2.5, 2.0, 1.9, 1.5)
"""Responses in ms that a choice has to keep."""
TARGET_CHOICE = 1.5


@dataclass(frozen=True)
class Cost:
    """The cost of one sweep, in a process of its own."""

    points: int
    wall_s: float
    processor_s: float
    store_s: float
    """Processor time within the store: parts, their last writing anew, and the page."""
    peak_mb: float
    store_mb: float
    ios: float
    """I/Os that were measured, in all replications."""


def measured(simulated_s: float, points: int) -> Cost:
    """Sweep alias counts in this process; `points` is a multiple of 33, with gaps of volumes as the second axis."""
    axes = {ALIASES: f"0..{COUNTS - 1}"}
    if points > COUNTS:
        axes["volume.*.gap"] = f"1..{points // COUNTS} us"
    spent = [0.0]
    for name in ("add", "finish", "write_report"):
        setattr(Store, name, _timed(getattr(Store, name), spent))
    quick = {"measure.interval": f"{simulated_s:g} s", "measure.replications": REPLICATIONS}
    with tempfile.TemporaryDirectory() as folder:
        started, busy = time.perf_counter(), time.process_time()
        result = sweep(starter("pool"), axes, out=Path(folder, "store"), set=quick)
        wall_s, processor_s = time.perf_counter() - started, time.process_time() - busy
        size = sum(path.stat().st_size for path in result.directory.rglob("*") if path.is_file())
        ios = float(result.points["system.io_per_s"].sum()) * simulated_s * REPLICATIONS
        count = result.points.height
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost(count, wall_s, processor_s, spent[0], peak, size / 1e6, ios)


def _timed(method: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    def timed(*given: Any) -> Any:
        started = time.thread_time()
        try:
            return method(*given)
        finally:
            spent[0] += time.thread_time() - started

    return timed


def apart(simulated_s: float, points: int) -> Cost:
    """The same in a process of its own, for its peak of memory; raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "benches.sweep", "child", str(simulated_s), str(points)]
    child = subprocess.run(command, check=True, capture_output=True, text=True)
    return Cost(**json.loads(child.stdout))


def report(simulated_s: float) -> Table:
    """The table: a row per figure, a column per sweep."""
    sweeps = [apart(simulated_s, COUNTS), apart(simulated_s / MORE, COUNTS * MORE)]
    other = peer(1, PEER_S)
    ours, many = sweeps
    title = f"{COUNTS} alias counts x {REPLICATIONS} replications x {simulated_s:g} s of the eight-volume pool"
    table = Table(title=title, title_justify="left")
    for heading in ("", "the sweep", f"{MORE} x the points", "wanted, 600 s on 2 quiet cores"):
        table.add_column(heading, justify="right" if heading else "left")
    table.add_row("points", *(f"{cost.points}" for cost in sweeps), "")
    table.add_row("wall time, s", *(f"{cost.wall_s:,.1f}" for cost in sweeps), f"{TARGET_S}")
    table.add_row("processor time, s", *(f"{cost.processor_s:,.1f}" for cost in sweeps), f"{2 * TARGET_S}")
    share = (f"{100 * cost.store_s / cost.processor_s:.2f}" for cost in sweeps)
    table.add_row("of which the store, %", *share, f"{100 * TARGET_SHARE:g}")
    table.add_row("peak memory, MB", *(f"{cost.peak_mb:.0f}" for cost in sweeps), f"{TARGET_MB}")
    table.add_row("store, MB", *(f"{cost.store_mb:.2f}" for cost in sweeps), "")
    table.add_row("I/Os per second of processor time", *(f"{cost.ios / cost.processor_s:,.0f}" for cost in sweeps), "")
    rate = other.io_per_processor_s
    table.add_row("SimPy, one point: I/Os per second", f"{rate:,.0f}", "", "")
    table.add_row("SimPy, extrapolated, s", f"{ours.ios / rate:,.0f}", f"{many.ios / rate:,.0f}", "")
    table.add_row("  ratio", *(f"{cost.ios / rate / cost.processor_s:.0f} x" for cost in sweeps), "")
    return table


def choices(simulated_s: float) -> Table:
    """The table of choices: a row per limit, with the processor time as a multiple of that of the sweep."""
    quick = {"measure.interval": f"{simulated_s:g} s", "measure.replications": REPLICATIONS}
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        sweep(starter("pool"), {ALIASES: CHOSEN}, out=Path(folder, "store"), set=quick)
        swept = time.process_time() - started
    title = (
        f"choose among {CHOSEN} aliases x {REPLICATIONS} replications x {simulated_s:g} s; the sweep took {swept:.1f} s"
    )
    table = Table(title=title, title_justify="left")
    for heading in ("response_ms <=", "aliases", "simulated", "processor time, s", "times the sweep", "wanted"):
        table.add_column(heading, justify="right")
    for limit in LIMITS:
        started = time.process_time()
        answer = choose(starter("pool"), {ALIASES: CHOSEN}, "aliases", f"response_ms <= {limit}", set=quick).answer
        spent = time.process_time() - started
        found = "none" if answer.chosen is None else f"{answer.chosen.values[0]}"
        ran = sum(bool(each.costs) for each in answer.candidates)
        table.add_row(f"{limit:g}", found, f"{ran}", f"{spent:.1f}", f"{spent / swept:.2f}", f"{TARGET_CHOICE:g}")
    return table


def main() -> int:
    """Measure and print."""
    words = sys.argv[1:]
    if words[:1] == ["child"]:
        print(json.dumps(asdict(measured(float(words[1]), int(words[2])))))
        return 0
    console = Console()
    console.print(machine.description())
    simulated_s = float(words[0]) if words else SIMULATED_S
    console.print(report(simulated_s))
    console.print(choices(simulated_s))
    return 0


if __name__ == "__main__":
    sys.exit(main())
