"""`make bench`: one closed model in the engine, in peers and as a flat loop by turns, and what each costs."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benches import machine, peer_compiled
from benches.peer_simpy import ALIASES, GUESTS_A_VOLUME, SERVICE_MS, THINK_MS, VOLUMES
from benches.sides import WARM_UP_S, Figures, engine, peer

ROUNDS = 5
ENGINE_S = 600.0
PEER_S = 30.0
SIMCORE_S = 100.0
WANTED = "60 % of the flat loop and 70 x SimPy"
MEMORY_S = 60.0
REPLICATIONS = 8

AT_MOST_IO_PER_S = (VOLUMES + ALIASES) / SERVICE_MS * 1000.0
GUESTS = VOLUMES * GUESTS_A_VOLUME
# Five standard errors of a 30 s run of the peer are about half a percent.
AGREEMENT = 0.005


@dataclass(frozen=True)
class Results:
    """Everything that the table prints."""

    engine: list[Figures]
    peer: list[Figures]
    simcore: list[peer_compiled.Figures]
    flat: list[peer_compiled.Figures]
    threads: dict[int, list[float]]
    """Replications per second of wall time by number of threads, a value per round."""
    peak_mb: dict[tuple[str, float], float]
    """Peak memory of a process of its own, by side and simulated seconds."""


def measure(advance: Callable[[], None]) -> Results:
    """All runs, the two sides alternating so that a busy moment hits both; `advance` is called after each."""
    engines, simpy, simcore, flat = [], [], [], []
    threads: dict[int, list[float]] = {1: [], 2: []}
    for seed in range(1, ROUNDS + 1):
        engines.append(engine(seed, ENGINE_S))
        simpy.append(peer(seed, PEER_S))
        simcore.append(peer_compiled.run("simcore", "closed", seed, (SIMCORE_S, WARM_UP_S)))
        flat.append(peer_compiled.run("flat", "closed", seed, (ENGINE_S, WARM_UP_S)))
        for count, rates in threads.items():
            rates.append(REPLICATIONS / engine(seed, ENGINE_S / 4, REPLICATIONS, count).wall_s)
        advance()
    peaks = {
        (side, seconds): peak_mb(side, seconds)
        for side, seconds in [("engine", MEMORY_S), ("engine", 10 * MEMORY_S), ("peer", PEER_S)]
    }
    advance()
    return Results(engines, simpy, simcore, flat, threads, peaks)


def peak_mb(side: str, measured_s: float) -> float:
    """Peak memory of a process that runs one side once, in MB; raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "benches.sides", side, str(measured_s)]
    child = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(child.stdout)["peak_mb"])


def disagreements(results: Results) -> list[str]:
    """Differences which show that the sides ran different models."""
    problems = []
    for side, runs in [("engine", results.engine), ("SimPy", results.peer)]:
        rate = median(run.io_per_s for run in runs)
        cycle_s = (median(run.response_ms for run in runs) + THINK_MS) / 1000.0
        if rate > AT_MOST_IO_PER_S * (1 + AGREEMENT):
            problems.append(f"{side}: {rate:,.1f} I/O per s, more than {AT_MOST_IO_PER_S:,.1f} that 16 servers can do")
        if abs(rate * cycle_s / GUESTS - 1) > AGREEMENT:
            problems.append(f"{side}: X (R + 2 ms) = {rate * cycle_s:.2f}, not {GUESTS}")
    rate = median(run.io_per_s for run in results.engine)
    for side, others in [("simcore", results.simcore), ("flat loop", results.flat)]:
        other = median(run.operations_per_s for run in others)
        if abs(rate / other - 1) > AGREEMENT:
            problems.append(f"{rate:,.1f} I/O per simulated s in the engine and {other:,.1f} in the {side}")
    ours, theirs = (median(run.response_ms for run in runs) for runs in (results.engine, results.peer))
    if abs(ours / theirs - 1) > AGREEMENT:
        problems.append(f"response {ours:.3f} ms in the engine and {theirs:.3f} ms in SimPy")
    return problems


def report(results: Results) -> Table:
    """The table: a row per figure, a column per side."""
    table = Table(title=f"Closed model, {GUESTS} guests, {ROUNDS} alternating rounds, medians", title_justify="left")
    for heading in ("", "slicewright", "SimPy", "simcore", "flat loop"):
        table.add_column(heading, justify="right" if heading else "left")
    sides = (results.engine, results.peer)
    speeds = [median(run.io_per_wall_s for run in runs) for runs in sides]
    table.add_row("I/O per second of wall time", *(f"{speed:,.0f}" for speed in speeds))
    pairs = list(zip(*sides, strict=True))
    table.add_row("ratio", ratio([ours.io_per_wall_s / theirs.io_per_wall_s for ours, theirs in pairs]), "1 x")
    speeds = [median(run.io_per_processor_s for run in runs) for runs in sides]
    compiled = [median(run.speed for run in runs) for runs in (results.simcore, results.flat)]
    table.add_row("  per second of one processor", *(f"{speed:,.0f}" for speed in [*speeds, *compiled]))
    table.add_row(
        "  slicewright against it",
        "",
        ratio([o.io_per_processor_s / t.io_per_processor_s for o, t in pairs]),
        *against(results),
    )
    table.add_row("events per second", f"{median(run.events / run.wall_s for run in results.engine):,.0f}", "")
    rates = [median(run.io_per_s for run in runs) for runs in sides]
    rates += [median(run.operations_per_s for run in runs) for runs in (results.simcore, results.flat)]
    table.add_row("I/O per simulated second", *(f"{rate:,.1f}" for rate in rates))
    table.add_row("response, ms", *(f"{median(r.response_ms for r in runs):.3f}" for runs in sides))
    law = [median(r.io_per_s * (r.response_ms + THINK_MS) / 1000 for r in runs) for runs in sides]
    table.add_row(f"X (R + 2 ms), by law {GUESTS}", *(f"{value:.2f}" for value in law))
    peaks = results.peak_mb
    table.add_row("peak memory, MB", f"{peaks['engine', MEMORY_S]:.1f}", f"{peaks['peer', PEER_S]:.1f}")
    table.add_row("  for 10 x the simulated time", f"{peaks['engine', 10 * MEMORY_S]:.1f}", "")
    one, two = results.threads.values()
    table.add_row("replications per second, 1 thread", f"{median(one):.2f}", "")
    table.add_row("  2 threads", f"{median(two):.2f}", "")
    table.add_row("  ratio", ratio([second / first for first, second in zip(one, two, strict=True)]), "")
    return table


def against(results: Results) -> list[str]:
    """How many times as fast as simcore and as the flat loop the engine is, in processor time."""
    return [
        ratio([ours.io_per_processor_s / other.speed for ours, other in zip(results.engine, others, strict=True)])
        for others in (results.simcore, results.flat)
    ]


def ratio(values: list[float]) -> str:
    """The median of ratios, and between which they lie.

    >>> ratio([41.0, 40.0, 44.5])
    '41.00 x (40.00 to 44.50)'
    """
    return f"{median(values):.2f} x ({min(values):.2f} to {max(values):.2f})"


def main() -> int:
    """Measure and print; 1 when the two sides disagree, else 0."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running both sides", total=ROUNDS + 1)
        results = measure(lambda: progress.advance(task))
    console.print(report(results))
    console.print(f"slicewright keeps all its statistics, simcore and the flat loop one count; wanted: {WANTED}")
    problems = disagreements(results)
    for problem in problems:
        errors.print(f"disagreement: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
