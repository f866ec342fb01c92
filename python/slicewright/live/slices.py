"""`live slices`: how late the ends of waits are seen under a CPU limit, measured here, simulated, and by a formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any, ClassVar, get_args

from slicewright.live.disk import scratch_file
from slicewright.live.experiment import (
    ABSOLUTE_MS,
    GROUP,
    RELATIVE,
    Experiment,
    Progress,
    Result,
    Words,
    beside,
    checked,
    in_turn,
    processor_of,
    span_ms,
    spans_ms,
)
from slicewright.live.groups import ControlFiles, Group, Limit, enclosing_limits, hierarchy, limited_group
from slicewright.live.machine import Elsewhere, Environment, environment, load_average, processor_problems
from slicewright.live.tables import both_sides, difference
from slicewright.live.threads import Case, Saw, Threads, Wait, Waiter, run_threads
from slicewright.report.figure import Figure, Panel, Series
from slicewright.report.model import Paragraph, Section, Table
from slicewright.report.spec import columns
from slicewright.results.frame import Row
from slicewright.results.judge import SLICES, Agreement, Band
from slicewright.statistics import Estimate, estimate, fixed, percent, plural
from slicewright.values.errors import Problem, nearest, problem, refusal
from slicewright.values.settings import PROCESSOR, RARE, Option, number, whole

CASES: tuple[Case, ...] = get_args(Case)

PERIOD_MS = (1.0, 1000.0)
"""What the kernel takes as a period (Documentation/scheduler/sched-bwc: 1 ms to 1 s); a quota is at least 1 ms too."""

LONGEST_S = 900.0
"""A live run is bounded: it keeps half a processor busy all the time."""
_MOST_CELLS = 200

RUNS = 5
"""Runs of each pair and case, each in a group of its own; what the interval of a live mean is made from."""
REPLICATIONS = 20

SHARE_LIVE = 0.9
"""Of the progress that is shown, what measuring is; the rest is simulating."""

_READS_BYTES = (4 << 10, 64 << 10, 256 << 10, 1 << 20)
"""Reads that stand for waits: a longer one is many requests, and its thread runs between them to send the next."""

_READS_APART_NS, _UNLIMITED_NS = 40_000_000, 1_500_000_000
"""Without a limit: reads of a thread start within the first, and are timed for the second."""


@dataclass(frozen=True)
class _Grid:
    """Slices T of a period T / `share`, waits, cases; spans in ms, `seconds` of measuring for each slice and each case.

    `tick_ms` is the tick of the simulation; None is the tick of the kernel.
    """

    slices_ms: tuple[float, ...] = (30.0, 20.0, 10.0)
    waits_ms: tuple[float, ...] = (9.0, 18.0, 25.0, 45.0)
    cases: tuple[Case, ...] = CASES
    processor: int = 0
    seconds: float = 16.0
    share: float = 0.5
    work_ms: float = 0.5
    waiters: int = 8
    seed: int = 1
    disk: str = ""
    reads_bytes: tuple[int, ...] = _READS_BYTES
    tick_ms: float | None = None

    @property
    def length_s(self) -> float:
        """How long the threads of all measurements run, in seconds."""
        return self.seconds * len(self.slices_ms) * len(self.cases)

    def run_s(self, case: Case) -> float:
        """How long one run is, in seconds; waits on timers that are drawn share runs, others have each their own."""
        return self.seconds / self.parts(case)

    def parts(self, case: Case) -> int:
        """In how many runs the time for a slice and a case is divided."""
        turns = 1 if case == "uniform" and not self.disk else len(self.reads_bytes if self.disk else self.waits_ms)
        return turns * RUNS

    def limit(self, slice_ms: float) -> Limit:
        """The limit that makes slices of this length."""
        return Limit(round(slice_ms * 1000), round(slice_ms / self.share * 1000))

    def period_ms(self, slice_ms: float) -> float:
        """From the beginning of one slice to that of the next."""
        return self.limit(slice_ms).period_us / 1000

    def check(self) -> _Grid:
        """The same grid; raises InputError with everything that is wrong with it."""
        problems = [*self._limits(), *self._sizes(), *processor_problems(self.processor)]
        problems = problems or self._times()
        return checked(self, problems)

    def _limits(self) -> list[Problem]:
        if not 0.0 < self.share < 1.0:
            why = "a slice is a part of its period on one processor"
            return [problem(f"a share of {self.share:.4g}", key="share", why=why, allowed="more than 0 %, below 100 %")]
        problems = []
        for slice_ms in self.slices_ms:
            period = slice_ms / self.share
            if not PERIOD_MS[0] <= slice_ms or not period <= PERIOD_MS[1]:
                what = f"a quota of {slice_ms:.6g} ms of a period of {period:.6g} ms"
                allowed = "a quota of at least 1 ms, a period of at most 1 s"
                problems.append(problem(what, key="slices", why="the kernel takes no such limit", allowed=allowed))
        return problems

    def _sizes(self) -> list[Problem]:
        problems = []
        for key, values in (("slices", self.slices_ms), ("waits", self.waits_ms), ("case", self.cases)):
            if not values:
                problems.append(problem("nothing to measure", key=key))
            if len(set(values)) < len(values):
                problems.append(problem("the same twice", key=key))
        if any(not 0.0 < wait_ms <= 1000.0 for wait_ms in self.waits_ms):
            problems.append(problem("a wait out of bounds", key="waits", allowed="more than 0 ms, at most 1 s"))
        if not 0.0 < self.work_ms <= 100.0:
            problems.append(problem(f"work of {self.work_ms:.4g} ms", key="work", allowed="more than 0 ms, to 100 ms"))
        if self.tick_ms is not None and not 0.0 <= self.tick_ms <= 100.0:
            problems.append(problem(f"a tick of {self.tick_ms:.4g} ms", key="tick", allowed="0 ms to 100 ms"))
        if not 1 <= self.waiters <= 64:
            problems.append(problem(f"{self.waiters} waiters for each wait", key="waiters", allowed="1 to 64"))
        if len(self.slices_ms) * len(self.waits_ms) > _MOST_CELLS:
            problems.append(problem("too many pairs of slice and wait", key="slices", allowed=f"up to {_MOST_CELLS}"))
        return problems

    def _times(self) -> list[Problem]:
        longest_s = (max(self.waits_ms) + 3 * max(map(self.period_ms, self.slices_ms))) / 1000
        least_s = longest_s * max(map(self.parts, self.cases))
        if self.seconds >= least_s and self.length_s <= LONGEST_S:
            return []
        what = f"{self.seconds:.4g} s for each slice and case, {self.length_s:.4g} s in all"
        allowed = f"at least {least_s:.4g} s each, at most {LONGEST_S:.0f} s in all"
        why = "a live run is bounded, and each of its parts has to see three periods and the longest wait"
        return [problem(what, key="seconds", why=why, allowed=allowed)]


def _cases_of(text: str, key: str) -> tuple[Case, ...]:
    """The cases that a word names: one of them, or both; raises InputError for any other word."""
    if text == "both":
        return CASES
    found = tuple(case for case in CASES if case == text)
    if not found:
        words = (*CASES, "both")
        raise refusal(
            problem(f"no such case: {text!r}", key=key, allowed=", ".join(words), nearest=nearest(text, words))
        )
    return found


def _tick_of(text: str | None, key: str) -> float | None:
    return None if text is None else span_ms(text, key)


def _share_of(text: str, key: str) -> float:
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise refusal(problem(f"not a share: {text!r}", key=key, allowed="a percentage: 50%")) from None


@dataclass(frozen=True)
class _Cell:
    """One pair of slice and wait; spans in ms, with the mean of each run, live and simulated.

    `formula_ms` is None where the formula does not apply.
    """

    case: Case
    slice_ms: float
    wait_ms: float
    waits: int
    live_ms: float
    live_ms_half_width: float
    runs: int
    live_median_ms: float
    live_worst_ms: float
    simulated_ms: float
    simulated_ms_half_width: float
    replications: int
    formula_ms: float | None = None
    live_runs_ms: tuple[float, ...] = ()
    simulated_runs_ms: tuple[float, ...] = ()
    KEPT: ClassVar = ("difference_ms", "agrees", "verdict", "live_runs_ms", "simulated_runs_ms")
    UNKNOWN: ClassVar = (
        "live_ms", "live_ms_half_width", "live_median_ms", "live_worst_ms", "simulated_ms", "simulated_ms_half_width",
        "difference_ms", "live_runs_ms", "simulated_runs_ms",
    )  # fmt: skip

    @property
    def live(self) -> Estimate:
        """How late the ends of waits were seen live."""
        return Estimate(self.live_ms, self.live_ms_half_width, self.runs)

    @property
    def simulated(self) -> Estimate:
        """How late they are seen simulated."""
        return Estimate(self.simulated_ms, self.simulated_ms_half_width, self.replications)

    @property
    def difference_ms(self) -> float:
        """Live less simulated."""
        return self.live_ms - self.simulated_ms

    @property
    def agrees(self) -> bool:
        """Whether live and simulated are within a share, or within this many ms, of each other."""
        return self.verdict == "agrees"

    @property
    def verdict(self) -> Agreement:
        """Agrees, differs, or too noisy to tell: outside the band, and within what both intervals leave open."""
        return SLICES.beside(self.live, self.simulated, Band(RELATIVE, ABSOLUTE_MS))


def _agreement(cells: Sequence[_Cell]) -> tuple[int, float]:
    """How many pairs agree, and the median of the differences as shares of what was simulated, without their signs."""
    shares = [abs(cell.difference_ms / cell.simulated_ms) if cell.simulated_ms else math.inf for cell in cells]
    known = [share for share in shares if math.isfinite(share)]
    return sum(cell.agrees for cell in cells), median(known) if known else math.nan


@dataclass(frozen=True)
class _SlicesSeen:
    """The slices that groups really had, as their burners saw them.

    Means in ms of stretches on and off the processor, the shortest and longest stretch on, and two counters.
    """

    case: Case
    slice_ms: float
    on_ms: float
    off_ms: float
    on_range_ms: tuple[float, float]
    periods: int
    throttled: int
    UNKNOWN: ClassVar = ("on_ms", "off_ms", "on_range_ms")

    @staticmethod
    def of(case: Case, limit: Limit, seen: Sequence[Saw]) -> _SlicesSeen:
        """The observations of one slice and case over several runs."""
        on: list[float] = []
        off: list[float] = []
        for saw in seen:
            ran, stood = _stretches(saw.gaps_ms, limit)
            on += ran
            off += stood
        periods, throttled = (sum(saw.stat.get(name, 0) for saw in seen) for name in ("nr_periods", "nr_throttled"))
        on_range = (min(on, default=math.nan), max(on, default=math.nan))
        return _SlicesSeen(case, limit.quota_us / 1000, _mean(on), _mean(off), on_range, periods, throttled)


def _stretches(gaps_ms: Sequence[tuple[float, float]], limit: Limit) -> tuple[list[float], list[float]]:
    """Lengths in ms of stretches on and off the processor; a gap is off when it has a third of what a limit leaves.

    >>> _stretches([(30.0, 60.0), (70.0, 70.5), (90.0, 120.0)], Limit(30_000, 60_000))
    ([30.0], [30.0, 30.0])
    """
    least = (limit.period_us - limit.quota_us) / 3000
    off = [gap for gap in gaps_ms if gap[1] - gap[0] >= least]
    return [after[0] - before[1] for before, after in pairwise(off)], [end - begin for begin, end in off]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


@dataclass(frozen=True)
class _SlicesResult(Result):
    """A grid that was measured and simulated."""

    grid: _Grid
    environment: Environment
    cells: tuple[_Cell, ...]
    slices: tuple[_SlicesSeen, ...]
    KIND: ClassVar = "live slices"
    KEPT: ClassVar = ("agree", "median_relative_difference", "warnings")
    UNKNOWN: ClassVar = ("median_relative_difference",)

    def framed(self) -> Iterator[Row]:
        """How late the ends of waits were seen, live and simulated."""
        for cell in self.cells:
            subject = f"case {cell.case}, slice_ms {cell.slice_ms}, wait_ms {cell.wait_ms}"
            yield from beside(subject, {"late_ms": cell.live}, {"late_ms": cell.simulated})

    def of(self, case: Case) -> list[_Cell]:
        """The pairs of one case, in their order."""
        return [cell for cell in self.cells if cell.case == case]

    @property
    def agree(self) -> dict[str, int]:
        """How many pairs of each case agree."""
        return {case: _agreement(self.of(case))[0] for case in self.grid.cases}

    @property
    def median_relative_difference(self) -> dict[str, float]:
        """The median of the differences of each case, as shares of what was simulated."""
        return {case: _agreement(self.of(case))[1] for case in self.grid.cases}


class Slices(Experiment[_Grid, _SlicesResult]):
    """Waits under a limit."""

    name = "slices"
    summary = "Measure wake-up latency under a CPU limit."
    help = """Measure wake-up latency under a CPU limit, and simulate the same setup.

    A group with a quota is stopped when it has used it up, until its next period.  The wait of a thread in it is seen
    to be over then.  Two minutes on one processor, half of it used; the group is removed at the end.

    \b
    Example:
      sudo slicewright live slices --slices '20 ms, 10 ms' --waits '18 ms' --out live
    """
    options = (
        Option("slices", "T,T,...", "Slices: quotas of periods twice as long.", default="30 ms, 20 ms, 10 ms"),
        Option("waits", "S,S,...", "Lengths of waits.", default="9 ms, 18 ms, 25 ms, 45 ms"),
        Option("case", "CASE", "Start of waits: uniform, locked, or both.", default="both"),
        PROCESSOR,
        Option("seconds", "N", "Seconds for each slice and case.", takes=number(), default=16.0),
        Option("share", "P%", "Share of a slice in its period.", default="50%"),
        Option("work", "SPAN", "Processor time from the end of a wait to the next start (locked).", default="0.5 ms"),
        Option("waiters", "N", "Threads for each wait (uniform).", takes=whole(), default=8),
        Option("disk", "DIR", "Directory of a scratch file: wait for reads past the page cache.", default=""),
        Option("tick", "SPAN", "Timer tick of the simulation [default: the kernel's].", panel=RARE),
        GROUP,
        Option("seed", "N", "Random seed of starts.", takes=whole(), default=1),
    )
    reads: ClassVar = {
        "slices": spans_ms, "waits": spans_ms, "work": span_ms, "tick": _tick_of, "case": _cases_of, "share": _share_of,
        "processor": processor_of,
    }  # fmt: skip
    result = _SlicesResult

    def plan(self, given: Mapping[str, Any]) -> _Grid:
        """The grid from the values of the options."""
        return _Grid(
            given["slices"], given["waits"], given["case"], given["processor"], given["seconds"], given["share"],
            given["work"], given["waiters"], given["seed"], given["disk"], tick_ms=given["tick"],
        ).check()  # fmt: skip

    def measure(
        self, plan: _Grid, parent: Path | None = None, progress: Progress = lambda share: None
    ) -> _SlicesResult:
        """A group with a limit, threads in it for each slice and case, then the same simulated."""
        grid = plan.check()
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
            seen: list[_SlicesSeen] = []
            waits: dict[tuple[Case, float, float], list[list[Wait]]] = {}
            for case in grid.cases:
                for slice_ms in grid.slices_ms:
                    found, slices = _measured(session, case, slice_ms, reads)
                    waits |= {(case, slice_ms, wait_ms): found[wait_ms] for wait_ms in grid.waits_ms}
                    seen.append(slices)
            where = environment(grid.processor, here.version, load, Elsewhere.of(session.elsewhere), around)
        machine = Machine(where.tick_ms if grid.tick_ms is None else grid.tick_ms, where.bandwidth_slice_ms, grid.seed)
        cells = [_cell(grid, pair, waits[pair], reads, machine) for pair in in_turn(list(waits), progress, SHARE_LIVE)]
        return _SlicesResult(grid, where, tuple(cells), tuple(seen))

    def words(self, result: _SlicesResult) -> Words:
        """The report of a result."""
        grid = result.grid
        waits_for = "a timer"
        if grid.disk:
            reads = ", ".join(f"{count >> 10} KiB" for count in grid.reads_bytes)
            waits_for = f"reads past the page cache ({reads}; wait ms is how long they take without a limit)"
        measured = (
            f"quota T of each period T / {percent(grid.share, 0)}, a thread that burns the rest of it, waits for "
            f"{waits_for}"
        )
        title = "Slices as they were"
        said = {
            "on_range": lambda seen: _span(seen.on_range_ms),
            "throttled": lambda seen: f"{seen.throttled:,} of {seen.periods:,}",
        }
        seen = Table(columns(_SEEN, (), said), result.slices, title)
        sections = [*(_case(result, case) for case in grid.cases), Section(title, [seen])]
        facts = [_agreed(case, result) for case in grid.cases]
        place = result.environment.line()
        return Words("Slices, live and simulated", place, measured, sections, facts, "the processor")


@dataclass
class _Session:
    """The resources of a measurement, and its cost so far."""

    grid: _Grid
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
            group.weigh()
            group.limit(limit)
            saw = run_threads(threads, group, passed if limit else lambda seconds: None)
        if limit:
            self.done_s += threads.length_ns / 1e9
            self.elsewhere.append(saw.elsewhere)
        return saw


def _counted(waits: Sequence[Wait], length_ms: float, wait_ms: float, period_ms: float) -> list[Wait]:
    """The waits of a run that count: begun after the first period, and so that they are seen before its end.

    Otherwise late waits would be missing more often than others.

    >>> [wait.started_ms for wait in _counted([Wait(at, at, at + 9, at + 9) for at in (0, 70, 150)], 200, 9, 60)]
    [70]
    """
    return [wait for wait in waits if period_ms <= wait.started_ms <= length_ms - wait_ms - period_ms]


def _measured(
    session: _Session, case: Case, slice_ms: float, reads: Mapping[float, int]
) -> tuple[dict[float, list[list[Wait]]], _SlicesSeen]:
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
    for run, turn in ((run, turn) for run in range(RUNS) for turn in turns):
        waiters = tuple(
            Waiter(case, start_ns, round(wait_ms * 1e6), reads.get(wait_ms, 0)) for wait_ms in turn for _ in range(each)
        )
        seed = grid.seed * RUNS + run
        saw = session.run(Threads(grid.processor, length_ns, True, waiters, seed, session.file), limit)
        for at, wait_ms in enumerate(turn):
            own = [wait for waiter in saw.waiters[at * each : (at + 1) * each] for wait in waiter.waits]
            found[wait_ms].append(_counted(own, length_ns / 1e6, wait_ms, grid.period_ms(slice_ms)))
        burned.append(saw)
    return found, _SlicesSeen.of(case, limit, burned)


def _reads(session: _Session) -> dict[float, int]:
    """How long each read takes in ms without a limit, and its bytes."""
    grid = session.grid
    found = {}
    for count in grid.reads_bytes:
        waiters = (Waiter("uniform", _READS_APART_NS, 0, count),) * grid.waiters
        threads = Threads(grid.processor, _UNLIMITED_NS, False, waiters, grid.seed, session.file)
        took = [wait.late_ms for waits in session.run(threads, None).waits for wait in waits]
        if not took:
            why = f"not one read ended within {threads.length_ns / 1e9:.3g} s"
            raise refusal(problem("the disk is too slow for this measurement", file=session.file, key="disk", why=why))
        found[fmean(took)] = count
    return found


def _cell(
    grid: _Grid,
    pair: tuple[Case, float, float],
    seen: Sequence[Sequence[Wait]],
    reads: Mapping[float, int],
    machine: Machine,
) -> _Cell:
    case, slice_ms, wait_ms = pair
    limit = grid.limit(slice_ms)
    together = case == "uniform" and not reads
    others = grid.waiters * (len(grid.waits_ms) if together else 1) - 1 if case == "uniform" else 0
    taken_ms = wait_ms if reads else 0.0
    live, (middle_ms, worst_ms) = _lateness(seen, taken_ms)
    exact = _late_ms(wait_ms, slice_ms, grid.period_ms(slice_ms)) if case == "uniform" else None
    runs = _simulated_waits(limit, _Waits(case, wait_ms, grid.work_ms, others), machine)
    simulated = estimate(runs)
    return _Cell(
        case, slice_ms, wait_ms, sum(map(len, seen)), live.mean, live.half_width, live.replications, middle_ms,
        worst_ms, simulated.mean, simulated.half_width, simulated.replications, exact, _means(seen, taken_ms),
        tuple(runs),
    )  # fmt: skip


def _means(runs: Sequence[Sequence[Wait]], taken_ms: float = 0.0) -> tuple[float, ...]:
    """How late the waits of each run were seen to be over, on average, in ms; a run without waits has no mean.

    >>> _means([[Wait(0.0, 0.0, 9.0, 11.0), Wait(0.0, 0.0, 9.0, 12.0)], []])
    (2.5,)
    """
    return tuple(math.fsum(wait.late_ms - taken_ms for wait in waits) / len(waits) for waits in runs if waits)


def _lateness(runs: Sequence[Sequence[Wait]], taken_ms: float = 0.0) -> tuple[Estimate, tuple[float, float]]:
    """How late waits were seen to be over: mean with its interval, then median and worst, in ms.

    The interval is from the means of the runs. `taken_ms` is the time of a read without a limit, which is not
    lateness.

    >>> _lateness([[Wait(0.0, 0.0, 9.0, 10.0)], [Wait(0.0, 0.0, 9.0, 11.0), Wait(0.0, 0.0, 9.0, 12.0)]])[0].mean
    2.0
    """
    every = [wait.late_ms - taken_ms for waits in runs for wait in waits]
    if not every:
        return Estimate(math.nan, math.nan, 0), (math.nan, math.nan)
    between = estimate(_means(runs, taken_ms))
    mean = math.fsum(every) / len(every)
    return Estimate(mean, between.half_width, between.replications), (median(every), max(every))


def _late_ms(wait_ms: float, slice_ms: float, period_ms: float) -> float:
    """The mean delay in ms of a constant wait, with `slice_ms` of processor time from the beginning of each period.

    A wait begun at u is over at x = u + (wait mod period). From the end of the slice on, it is seen at the next
    period: the mean is over period - x for those u, and 0 for the others. With a slice T of a period 2T and m = wait
    mod 2T it is m - m²/2T for m up to T, else (2T - m)²/2T.

    >>> [round(_late_ms(18, slice_ms, 2 * slice_ms), 1) for slice_ms in (30, 20, 10)]
    [12.6, 9.9, 0.2]
    """
    over = wait_ms % period_ms
    first, last = max(over, slice_ms), min(over + slice_ms, period_ms)
    if last <= first:
        return 0.0
    return ((period_ms - first) ** 2 - (period_ms - last) ** 2) / (2 * slice_ms)


_TURN = "0.1 ms"
"""The base slice: the live burner gives way at once (SCHED_IDLE), and a short turn of the simulated one comes near."""

_WAITER, _ALARM, _CGROUP = "WAITER", "ALARM", "limited"


@dataclass(frozen=True)
class Machine:
    """The measured machine's constants for the simulation: the kernel's tick and bandwidth slice, in ms."""

    tick_ms: float
    bandwidth_slice_ms: float | None = None
    seed: int = 1


@dataclass(frozen=True)
class _Waits:
    """Waits to simulate, in ms: case, length, what a waiter works first (locked), how many others wait too."""

    case: Case
    wait_ms: float
    work_ms: float = 0.0
    others: int = 0


def _scenario(limit: Limit, waits: _Waits, machine: Machine) -> str:
    """A burner and a waiter in a limited group on one processor, as TOML.

    A start uniform over the slice is a wait after work drawn uniformly over a slice: after that much of its own time
    the position of a group in its slices is uniform. A live start is a wake-up, at which the kernel notices a used-up
    quota before its tick does. So another thread wakes up right before each simulated start.
    """
    quota_ms, period_ms = limit.quota_us / 1000, limit.period_us / 1000
    work = f'{{ compute = "{waits.work_ms:.6f} ms" }}'
    if waits.case == "uniform":
        drawn = f'{{ compute = {{ uniform = ["0 ms", "{quota_ms:.6f} ms"] }} }}'
        work = f'{drawn}, {{ spawn = "{_ALARM}" }}, {{ compute = "1 us" }}'
    guests = [
        *guest(_WAITER, "count = 1", 0, f'{work}, {{ think = "{waits.wait_ms:.6f} ms" }}'),
        *guest("BURNER", "count = 1", 19, '{ compute = "1 s" }'),
    ]
    if waits.case == "uniform":
        guests += guest(_ALARM, 'arrives = "spawned"', -20, '{ compute = "1 us" }')
    if waits.others:
        alarm = f'{{ think = {{ uniform = ["0 ms", "{period_ms:.6f} ms"] }} }}, {{ compute = "5 us" }}'
        guests += guest("OTHERS", f"count = {waits.others}", 0, alarm)
    name = f"waits of {waits.wait_ms:.6g} ms, slices of {quota_ms:.6g} ms"
    return container(machine, name, limit, guests, "20 s")


def _simulated_waits(limit: Limit, waits: _Waits, machine: Machine) -> list[float]:
    """How late the waits are seen to be over, in ms: the mean of each replication.

    >>> found = _simulated_waits(Limit(20_000, 40_000), _Waits("uniform", 18.0), Machine(0.0))
    >>> abs(sum(found) / len(found) - _late_ms(18.0, 20.0, 40.0)) < 0.3
    True
    """
    from slicewright.run.run import run

    text = _scenario(limit, waits, machine)
    return run(text, seed=machine.seed, replications=REPLICATIONS).values("threads", "wake_ms", _WAITER)


def container(machine: Machine, name: str, limit: Limit, guests: Sequence[str], interval: str) -> str:
    """Guests in a limited group on one processor, as TOML; the group is named "limited"."""
    slice_ms = machine.bandwidth_slice_ms
    lines = [
        f'name = "{name}"', "", "[cec]", "processors = 1", 'dispatcher = "cfs"', f'base_slice = "{_TURN}"',
        f'tick = "{machine.tick_ms:.6f} ms"', *([f'bandwidth_slice = "{slice_ms:.6f} ms"'] if slice_ms else []), "",
        "[[cgroup]]", f'name = "{_CGROUP}"', f'"cpu.max" = "{limit.quota_us} {limit.period_us}"',
        *([f'"cpu.max.burst" = "{limit.burst_us}"'] if limit.burst_us else []), "",
        *guests,
        "[measure]", f'interval = "{interval}"', 'warm_up = "2 s"', f"replications = {REPLICATIONS}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def guest(name: str, population: str, nice: int, program: str) -> list[str]:
    """Threads of the group, as lines."""
    head = ["[[guest]]", f'name = "{name}"', f'cgroup = "{_CGROUP}"', population, f"nice = {nice}"]
    return [*head, f"program = [ {program} ]", ""]


_HEADINGS: dict[Case, str] = {
    "uniform": "Starts uniform over the own slice",
    "locked": "Starts after the end of the last wait was seen",
}
_STEPS = 120


def _case(result: _SlicesResult, case: Case) -> Section:
    """One case of starts: the figure, the table, and of pairs that do not agree how far single runs lie apart."""
    cells = result.of(case)
    agree, middle = _agreement(cells)
    band = f"{fixed(100 * RELATIVE, 0)} % or {ABSOLUTE_MS:g} ms"
    legend = (
        f"{agree} of {plural(len(cells), 'pair')} within {band}; median difference {percent(middle, 0)}; ± 95 %, live "
        f"from {RUNS} runs, simulated from {REPLICATIONS}. Too noisy: outside the band, and intervals leave it open."
    )
    work = f", and {result.grid.work_ms:.4g} ms of work" if case == "locked" else ""
    exact = "Line: the exact formula. " if case == "uniform" else ""
    caption = f"{exact}Points: means with their 95 % intervals, live and simulated."
    apart = {"difference": lambda cell: difference(cell.live_ms, cell.simulated_ms, 2)}
    table = Table(columns(_CELLS, (), apart), cells, _HEADINGS[case] + work, legend)
    figure = _figure(result, case).captioned(caption)
    return Section(_HEADINGS[case], [figure, table, *map(Paragraph, _scattered(cells))])


_CELLS = """
    slice_ms   | :.6g    | slice ms
    wait_ms    | :.4g    | wait ms
    waits      | count
    live       | ±       | live, late ms
    simulated  | ±
    difference | right
    verdict    | verdict
    formula_ms ? | .2    | formula
"""


def _scattered(cells: Sequence[_Cell]) -> list[str]:
    """Of pairs that do not agree, how far single runs lie apart: each has its own place between two ticks."""
    return [
        f"{cell.slice_ms:.6g} and {cell.wait_ms:.4g} ms: single runs {_span(cell.live_runs_ms)} ms live,"
        f" {_span(cell.simulated_runs_ms)} simulated; each draws where its periods begin"
        for cell in cells
        if not cell.agrees and cell.live_runs_ms and cell.simulated_runs_ms
    ]


def _span(values: Sequence[float]) -> str:
    return f"{fixed(min(values), 1)} to {fixed(max(values), 1)}"


_SEEN = """
    case
    slice_ms  | :.6g  | slice ms
    on_ms     | .1    | on, ms
    on_range  | right | shortest, longest
    off_ms    | .1    | off, ms
    throttled | right | periods throttled
"""


def _agreed(case: Case, result: _SlicesResult) -> tuple[str, str]:
    cells = result.of(case)
    agree, middle = _agreement(cells)
    name = {"uniform": "starts uniform", "locked": "starts after ends"}[case]
    return name, f"{agree} of {plural(len(cells), 'pair')} agree, median difference {percent(middle, 0)}"


def _figure(result: _SlicesResult, case: Case) -> Figure:
    """How late waits were seen to be over, against how long they were: a panel per slice."""
    panels = []
    longest = max(cell.wait_ms for cell in result.cells)
    for slice_ms in result.grid.slices_ms:
        cells = [cell for cell in result.of(case) if cell.slice_ms == slice_ms and math.isfinite(cell.live_ms)]
        waits = [cell.wait_ms for cell in cells]
        points = both_sides(waits, [cell.live for cell in cells], [cell.simulated for cell in cells])
        exact = [] if case == "locked" else [_exact(slice_ms, result.grid.period_ms(slice_ms), longest)]
        panels.append(Panel(f"Late, ms; slices of {slice_ms:.6g} ms", [*exact, *points]))
    return Figure(panels, "Wait, ms")


def _exact(slice_ms: float, period_ms: float, longest_ms: float) -> Series:
    waits = [1.05 * longest_ms * step / _STEPS for step in range(_STEPS + 1)]
    return Series(waits, [_late_ms(wait, slice_ms, period_ms) for wait in waits], label="formula")
