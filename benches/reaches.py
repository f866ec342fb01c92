"""`make bench`: every speed that is wanted of slicewright beside what is measured, in one run.

Ratios are of processor time, sides by turns. Commands and studies are seconds of a clock. The studies, all in full, are
simulated only when asked for: `python -m benches.reaches studies`. No number fails the run: a busy machine is no fault.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benches import commands, dispatch_model, enq, figure_points, machine, peer_compiled, sides

ROUNDS = 5
ENGINE_S = 300.0
PEER_S = 20.0
FLAT_S = 300.0
POINT_S = 4.0
HIGH = sorted(path for path in figure_points.SCENARIOS.glob("*.toml") if figure_points.wanted(path.stem) == 40)
RUN_E = figure_points.SCENARIOS.parent / "diag9c" / "E-x9c.toml"
STUDIES = "six studies in full, minutes"


@dataclass(frozen=True)
class Reach:
    """A measured speed, a value per round, and the wanted one: at least that, or at most.

    >>> Reach("run, mm1, s", [0.5, 0.3], 0.4, less=True).is_met
    True
    """

    work: str
    values: Sequence[float]
    wanted: float
    less: bool = False

    @property
    def measured(self) -> float:
        """The median of the rounds."""
        return median(self.values)

    @property
    def is_met(self) -> bool:
        """Whether it is as fast as wanted."""
        return self.measured <= self.wanted if self.less else self.measured >= self.wanted


def closed() -> Iterator[Reach]:
    """The closed model, against the flat loop and SimPy."""
    share, times = [], []
    for seed in range(1, ROUNDS + 1):
        ours = sides.engine(seed, ENGINE_S).io_per_processor_s
        share.append(100 * ours / peer_compiled.run("flat", "closed", seed, (FLAT_S, sides.WARM_UP_S)).speed)
        times.append(ours / sides.peer(seed, PEER_S).io_per_processor_s)
    yield Reach("closed model, share of the flat loop, %", share, 60)
    yield Reach("closed model, times SimPy", times, 70)


def dispatches() -> Iterator[Reach]:
    """The dispatch model, against the flat loop, simcore and SimPy."""
    against: list[list[float]] = [[], [], []]
    for seed in range(1, ROUNDS + 1):
        ours = dispatch_model.engine(seed).speed
        others = (
            dispatch_model.compiled("flat", seed, dispatch_model.FLAT_S),
            dispatch_model.compiled("simcore", seed, dispatch_model.SIMCORE_S),
            dispatch_model.peer(seed),
        )
        for times, other in zip(against, others, strict=True):
            times.append(ours / other.speed)
    for times, (name, wanted) in zip(against, dispatch_model.WANTED.items(), strict=True):
        scale = 100 if name.endswith("%") else 1
        yield Reach(f"dispatch model, {name}", [scale * value for value in times], wanted)


def points() -> Iterator[Reach]:
    """Points of the studies, in simulated seconds per second of a processor."""
    high = [figure_points.run(path, seed, POINT_S).speed for path in HIGH for seed in (1, 2, 3)]
    yield Reach("high-T/V figure points, times real time", high, figure_points.HIGH_TARGET)
    run_e = [figure_points.run(RUN_E, seed, POINT_S).speed for seed in (1, 2, 3)]
    yield Reach("DIAGNOSE run E, times real time", run_e, 25)


def pairs() -> Iterator[Reach]:
    """Batched pairs of ENQ and DEQ against SQLite."""
    times = [enq.ns_per_pair(enq.sqlite_called) / enq.ns_per_pair(enq.engine_batched) for _ in range(enq.ROUNDS)]
    yield Reach("ENQ + DEQ from Python, batched, times SQLite", times, enq.TARGET)


def short_commands() -> Iterator[Reach]:
    """Commands that answer at once."""
    with tempfile.TemporaryDirectory() as folder:
        taken = commands.measure(Path(folder), lambda: None)
    for name, calls in taken.items():
        wanted = commands.COMMANDS[name].wanted_s
        yield Reach(f"{name}, s", [call.clock_s for call in calls], wanted, less=True)


def studies() -> Iterator[Reach]:
    """All studies in full, nothing kept from before."""
    started = time.monotonic()
    commands.call(["reproduce", "--quiet"], {**os.environ, "SLICEWRIGHT_STORE": "off"})
    yield Reach(STUDIES, [(time.monotonic() - started) / 60], 8, less=True)


PARTS: list[Callable[[], Iterator[Reach]]] = [closed, dispatches, points, pairs, short_commands]


def report(reaches: Sequence[Reach]) -> Table:
    """The table: a row per work, medians and between which values they lie."""
    table = Table(title="Speeds that are wanted, medians", title_justify="left")
    table.add_column("work")
    for heading in ("measured", "from", "to", "wanted", "met"):
        table.add_column(heading, justify="right", no_wrap=True)
    for reach in reaches:
        numbers = (reach.measured, min(reach.values), max(reach.values))
        sign = "at most" if reach.less else "at least"
        met = "yes" if reach.is_met else "no"
        table.add_row(reach.work, *(f"{number:.2f}" for number in numbers), f"{sign} {reach.wanted:g}", met)
    return table


def main(asked: Sequence[str]) -> int:
    """Measure and print; 2 for a word that is not `studies`."""
    console, errors = Console(), Console(stderr=True)
    if wrong := [word for word in asked if word != "studies"]:
        errors.print(f"{', '.join(wrong)}: not known; allowed: studies, or nothing")
        return 2
    console.print(machine.description())
    parts = [*PARTS, *([studies] if asked else [])]
    reaches: list[Reach] = []
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        for part in progress.track(parts, description="measuring"):
            reaches += part()
    console.print(report(reaches))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
