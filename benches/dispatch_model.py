"""`make bench`: round robin of virtual processors in the engine, in peers and as a flat loop by turns."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from slicewright._core import Scenario

from benches import machine, peer_compiled, peer_dispatch
from benches.closed_model import ratio

SCENARIO = Path(__file__).with_name("dispatch_model.toml")
ROUNDS = 5
WARM_UP_S = 1.0
ENGINE_S = 120.0
PEER_S = 20.0
SIMCORE_S = 60.0
FLAT_S = 240.0
WANTED = {"share of the flat loop, %": 40.0, "times simcore": 2.0, "times SimPy": 110.0}
"""The speed of the engine that is wanted, against each of the others."""

BURSTS_PER_S = peer_dispatch.LOGICAL / peer_dispatch.BURST_MS * 1000.0
# Five standard errors of 20 s of the peer are about 1.4 %.
AGREEMENT = 0.015


@dataclass(frozen=True)
class Figures:
    """One run of the dispatch model: what it simulated, and what that took of one processor."""

    simulated_s: float
    processor_s: float
    bursts_per_s: float
    dispatches_per_s: float
    """Both per simulated second, of what was measured."""

    @property
    def speed(self) -> float:
        """Dispatches per second of one processor, those of the warm-up included."""
        return self.dispatches_per_s * self.simulated_s / self.processor_s


@dataclass(frozen=True)
class Results:
    """Everything that the table prints, a value per round."""

    engine: list[Figures]
    peer: list[Figures]
    by_hand: list[Figures]
    simcore: list[Figures]
    flat: list[Figures]


@cache
def scenario(measured_s: float) -> Scenario:
    """The dispatch model, measured for a number of simulated seconds."""
    setting = f'measure.interval="{measured_s:g} s"'
    return Scenario.read(SCENARIO.read_bytes(), SCENARIO.name, [setting])


def engine(seed: int, measured_s: float = ENGINE_S) -> Figures:
    """One run of the engine with all its statistics; the reading of the scenario is not counted."""
    read = scenario(measured_s)
    busy = time.process_time()
    tables = read.simulate(seed, (0, 1), 1, WARM_UP_S)
    processor_s = time.process_time() - busy
    (bursts,) = tables["guests"]["cycles_per_s"]
    (dispatches,) = tables["control_programs"]["dispatches_per_s"]
    return Figures(measured_s + WARM_UP_S, processor_s, bursts, dispatches)


def peer(seed: int, measured_s: float = PEER_S, by_hand: bool = False) -> Figures:
    """One run of the peer, its queue that of the manual or written by hand."""
    written = peer_dispatch.by_hand if by_hand else peer_dispatch.by_the_manual
    busy = time.process_time()
    run = peer_dispatch.simulate(seed, measured_s, WARM_UP_S, written)
    processor_s = time.process_time() - busy
    return Figures(measured_s + WARM_UP_S, processor_s, run.bursts_per_s, run.dispatches_per_s)


def compiled(side: str, seed: int, measured_s: float) -> Figures:
    """One run of simcore or of the flat loop."""
    run = peer_compiled.run(side, "dispatch", seed, (measured_s, WARM_UP_S))
    return Figures(run.simulated_s, run.processor_s, run.cycles_per_s, run.operations_per_s)


def measure(advance: Callable[[], None]) -> Results:
    """All runs, the sides by turns so that a busy moment hits each; `advance` is called after each round."""
    results = Results([], [], [], [], [])
    for seed in range(1, ROUNDS + 1):
        results.engine.append(engine(seed))
        results.peer.append(peer(seed))
        results.by_hand.append(peer(seed, by_hand=True))
        results.simcore.append(compiled("simcore", seed, SIMCORE_S))
        results.flat.append(compiled("flat", seed, FLAT_S))
        advance()
    return results


def disagreements(results: Results) -> list[str]:
    """Differences which show that the sides ran different models."""
    problems = []
    others = [("SimPy", results.peer), ("SimPy by hand", results.by_hand)]
    others += [("simcore", results.simcore), ("flat loop", results.flat)]
    for side, runs in [("engine", results.engine), *others]:
        rate = median(run.bursts_per_s for run in runs)
        if abs(rate / BURSTS_PER_S - 1) > AGREEMENT:
            problems.append(f"{side}: {rate:,.1f} bursts per s, not {BURSTS_PER_S:,.1f}")
    ours = median(run.dispatches_per_s for run in results.engine)
    for side, runs in others:
        theirs = median(run.dispatches_per_s for run in runs)
        if abs(ours / theirs - 1) > AGREEMENT:
            problems.append(f"{ours:,.0f} dispatches per simulated s in the engine and {theirs:,.0f} in {side}")
    return problems


def report(results: Results) -> Table:
    """The table: a row per figure, a column per side."""
    title = f"Dispatch model, {peer_dispatch.VIRTUAL} on {peer_dispatch.LOGICAL}, {ROUNDS} rounds by turns, medians"
    table = Table(title=title, title_justify="left")
    peers_of = {"flat loop": results.flat, "simcore": results.simcore, "SimPy": results.peer}
    sides = {"slicewright": results.engine, **peers_of, "SimPy by hand*": results.by_hand}
    table.add_column("")
    for heading in sides:
        table.add_column(heading, justify="right")
    speeds = [median(run.speed for run in runs) for runs in sides.values()]
    table.add_row("dispatches per second of one core", *(f"{speed:,.0f}" for speed in speeds))
    ratios = [
        ratio([ours.speed / other.speed for ours, other in zip(results.engine, runs, strict=True)])
        for runs in list(sides.values())[1:]
    ]
    table.add_row("as many as", "", *ratios)
    rates = [median(run.dispatches_per_s for run in runs) for runs in sides.values()]
    table.add_row("dispatches per simulated second", *(f"{rate:,.0f}" for rate in rates))
    rates = [median(run.bursts_per_s for run in runs) for runs in sides.values()]
    table.add_row(f"bursts per simulated second, by law {BURSTS_PER_S:,.1f}", *(f"{rate:,.1f}" for rate in rates))
    return table


def reached(results: Results) -> Table:
    """How fast the engine is against the others, and what is wanted: a row per side, medians of the rounds."""
    table = Table(title="Dispatches per second of one core", title_justify="left")
    for heading in ("slicewright against the others", "measured", "wanted"):
        table.add_column(heading, justify="left" if heading.startswith("slicewright") else "right")
    others = (results.flat, results.simcore, results.peer)
    for (row, wanted), runs in zip(WANTED.items(), others, strict=True):
        times = median(ours.speed / other.speed for ours, other in zip(results.engine, runs, strict=True))
        measured = f"{100 * times:.0f}" if row.endswith("%") else f"{times:.2f}"
        table.add_row(row, measured, f"{wanted:g}")
    return table


def main() -> int:
    """Measure and print; 1 when the sides disagree, else 0."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running both sides", total=ROUNDS)
        results = measure(lambda: progress.advance(task))
    console.print(report(results))
    console.print(reached(results))
    console.print("slicewright keeps all its statistics, the others two counts")
    console.print("* a list of waiting processes instead of SimPy's resource")
    problems = disagreements(results)
    for problem in problems:
        errors.print(f"disagreement: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
