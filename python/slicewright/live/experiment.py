"""The experiment: a group with a limit, threads in it for each slice and case, then the same simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from slicewright.live.cells import Cell, lateness, means
from slicewright.live.control_files import ControlFiles
from slicewright.live.environment import Elsewhere, Environment, environment, load_average
from slicewright.live.formula import late_ms
from slicewright.live.grid import RUNS, Grid
from slicewright.live.group import HEAVIEST, Group, Limit, enclosing_limits, limited_group
from slicewright.live.hierarchy import hierarchy
from slicewright.live.launch import run_threads
from slicewright.live.result import SlicesResult
from slicewright.live.scratch import scratch_file, unlimited_ms
from slicewright.live.simulated import Machine, Waits, simulated_waits
from slicewright.live.slices_seen import SlicesSeen, slices_seen
from slicewright.live.threads import Case, Saw, Threads, Wait, Waiter
from slicewright.statistics import estimate

SHARE_LIVE = 0.9
"""Of the progress that is shown, what measuring is; the rest is simulating."""

READS_APART_NS, UNLIMITED_NS = 40_000_000, 1_500_000_000
"""Without a limit: reads of a thread start within the first, and are timed for the second."""

Progress = Callable[[float], None]


@dataclass
class _Session:
    """The resources of a measurement, and its cost so far."""

    grid: Grid
    make_group: Callable[[], AbstractContextManager[Group]]
    progress: Progress
    file: str = ""
    done_s: float = 0.0
    elsewhere: list[Elsewhere] = field(default_factory=list)

    def run(self, threads: Threads, limit: Limit | None) -> Saw:
        """Run threads in a new group with a limit, and count what they took."""

        def passed(seconds: float) -> None:
            self.progress(min(1.0, (self.done_s + seconds) / self.grid.length_s))

        with self.make_group() as group:
            group.weigh(HEAVIEST[group.version])
            group.limit(limit)
            saw = run_threads(threads, group, passed if limit else None)
        if limit:
            self.done_s += saw.length_s
            self.elsewhere.append(saw.elsewhere)
        return saw


def measure_slices(grid: Grid, parent: Path | None = None, progress: Progress = lambda share: None) -> SlicesResult:
    """Measure a grid on this machine and simulate it; `parent` is the control group to make the limited one in.

    Raises InputError when the grid is wrong, the machine has no cpu controller, or there is no right to use it.

    >>> measure_slices(Grid(slices_ms=(0.1,)))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: slices: a quota of 0.1 ms of a period of 0.2 ms
    """
    grid.check()
    files = ControlFiles()
    here = hierarchy(files, chosen=parent)
    with ExitStack() as stack:
        file = str(stack.enter_context(scratch_file(grid.disk))) if grid.disk else ""
        with limited_group(files, here) as group:  # do the rights suffice, and is there a limit already?
            around = tuple(enclosing_limits(files, here, group.path))
        groups = partial(limited_group, files, here)
        session = _Session(grid, groups, lambda share: progress(SHARE_LIVE * share), file)
        reads = _reads(session) if file else {}
        grid = session.grid = replace(grid, waits_ms=tuple(reads)) if reads else grid
        load = load_average()
        seen: list[SlicesSeen] = []
        waits: dict[tuple[Case, float, float], list[list[Wait]]] = {}
        for case in grid.cases:
            for slice_ms in grid.slices_ms:
                found, slices = _measured(session, case, slice_ms, reads)
                waits |= {(case, slice_ms, wait_ms): found[wait_ms] for wait_ms in grid.waits_ms}
                seen.append(slices)
        where = environment(grid.processor, here.version, load, Elsewhere.of(session.elsewhere), around)
    cells = _cells(grid, waits, reads, where, progress)
    return SlicesResult(grid, where, cells, tuple(seen))


def counted(waits: Sequence[Wait], length_ms: float, wait_ms: float, period_ms: float) -> list[Wait]:
    """The waits of a run that count: begun after the first period, and so that they are seen before its end.

    Otherwise late waits would be missing more often than others.

    >>> [wait.started_ms for wait in counted([Wait(at, at, at + 9, at + 9) for at in (0, 70, 150)], 200, 9, 60)]
    [70]
    """
    return [wait for wait in waits if period_ms <= wait.started_ms <= length_ms - wait_ms - period_ms]


def _measured(
    session: _Session, case: Case, slice_ms: float, reads: Mapping[float, int]
) -> tuple[dict[float, list[list[Wait]]], SlicesSeen]:
    """The waits of one slice and case: of all lengths at once where they do not disturb each other, else in turns.

    Each turn is a run several times, in a group of its own: its periods begin at an instant that the kernel draws, and
    where they lie between two ticks is then what it is.
    """
    grid = session.grid
    limit = grid.limit(slice_ms)
    together = case == "uniform" and not reads
    each = grid.waiters if case == "uniform" else 1
    turns = [grid.waits_ms] if together else [(wait_ms,) for wait_ms in grid.waits_ms]
    length_ns = round(grid.run_s(case) * 1e9)
    start_ns = limit.period_us * 1000 if case == "uniform" else round(grid.work_ms * 1e6)
    found: dict[float, list[list[Wait]]] = {wait_ms: [] for wait_ms in grid.waits_ms}
    burned = []
    for number, turn in ((number, turn) for number in range(RUNS) for turn in turns):
        waiters = tuple(_waiter(case, start_ns, wait_ms, reads) for wait_ms in turn for _ in range(each))
        seed = grid.seed * RUNS + number
        saw = session.run(Threads(grid.processor, length_ns, True, waiters, seed, session.file), limit)
        for at, wait_ms in enumerate(turn):
            own = [wait for waits in saw.waits[at * each : (at + 1) * each] for wait in waits]
            found[wait_ms].append(counted(own, length_ns / 1e6, wait_ms, grid.period_ms(slice_ms)))
        burned.append((saw.gaps_ms, saw.stat))
    return found, slices_seen(case, limit, burned)


def _waiter(case: Case, start_ns: int, wait_ms: float, reads: Mapping[float, int]) -> Waiter:
    return Waiter(case, start_ns, round(wait_ms * 1e6), reads.get(wait_ms, 0))


def _reads(session: _Session) -> dict[float, int]:
    """How long each read takes in ms without a limit, and its bytes."""
    grid = session.grid
    found = {}
    for count in grid.reads_bytes:
        waiters = (Waiter("uniform", READS_APART_NS, 0, count),) * grid.waiters
        threads = Threads(grid.processor, UNLIMITED_NS, False, waiters, grid.seed, session.file)
        found[unlimited_ms(threads, lambda threads: session.run(threads, None))] = count
    return found


def _cells(
    grid: Grid,
    waits: Mapping[tuple[Case, float, float], list[list[Wait]]],
    reads: Mapping[float, int],
    where: Environment,
    progress: Progress,
) -> tuple[Cell, ...]:
    machine = Machine(where.tick_ms if grid.tick_ms is None else grid.tick_ms, where.bandwidth_slice_ms, grid.seed)
    cells = []
    for at, ((case, slice_ms, wait_ms), seen) in enumerate(waits.items()):
        progress(SHARE_LIVE + (1 - SHARE_LIVE) * at / len(waits))
        limit = grid.limit(slice_ms)
        together = case == "uniform" and not reads
        others = grid.waiters * (len(grid.waits_ms) if together else 1) - 1 if case == "uniform" else 0
        taken_ms = wait_ms if reads else 0.0
        live, median_worst = lateness(seen, taken_ms)
        asked = Waits(case, wait_ms, grid.work_ms, others)
        exact = late_ms(wait_ms, slice_ms, grid.period_ms(slice_ms)) if case == "uniform" else None
        simulated = simulated_waits(limit, asked, machine)
        runs = means(seen, taken_ms), tuple(simulated)
        count = sum(map(len, seen))
        cells.append(Cell(case, slice_ms, wait_ms, count, live, median_worst, estimate(simulated), exact, runs))
    return tuple(cells)
