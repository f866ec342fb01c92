"""`live io`: threads that read one file behind permits, with and without a limit, measured here and simulated.

The simulation rests on constants of the machine, each measured apart from the pairs under test.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, median, pvariance
from typing import Any, ClassVar, Literal, get_args

from slicewright._core import InputError, live_lock_costs, live_tick_s
from slicewright.live.disk import COUNT_FILE, Device, device_of, limit_reads, nameless_file
from slicewright.live.experiment import (
    ABSOLUTE_MS,
    GROUP,
    RELATIVE,
    Experiment,
    Paired,
    Progress,
    Result,
    Words,
    agreed,
    checked,
    counts_of,
    in_turn,
    span_ms,
    summed,
    wrong_length,
)
from slicewright.live.groups import BLOCK, ControlFiles, Group, heavy_group, hierarchy, limited_group
from slicewright.live.machine import Elsewhere, Environment, environment, load_average, processors_here
from slicewright.live.reads_program import READ_BYTES, Job, Seen
from slicewright.live.reads_program import measure as run_job
from slicewright.live.tables import both_sides, constants_section, sides, table_section
from slicewright.live.workers import answers
from slicewright.report.figure import Figure, Panel
from slicewright.report.model import Section
from slicewright.statistics import Estimate, estimate, fixed, plural
from slicewright.values.errors import problem, refusal
from slicewright.values.settings import Option, whole

Load = Literal["no limit", "limit", "paced"]
"""Without a limit; under it with all requesters always asking; under it with a demand below it."""

LOADS: tuple[Load, ...] = get_args(Load)

PACE = 0.75
"""The demand of the paced load, as a share of the limit."""

RUNS = 5
"""Runs of each pair, which the interval of a live number is made from."""
REPLICATIONS: Mapping[Load, int] = {"no limit": 5, "limit": 20, "paced": 20}
"""Without a limit there are many reads in a run, and runs differ little."""

_LEAST_RUN_S, _LONGEST_S = 0.3, 900.0
_LIMITS_PER_S, _MOST_REQUESTERS = (20.0, 1_000_000.0), 256
_SHARE_LIVE = 0.7
_ALONE_S, _ALONE_RUNS = 0.2, 3
_NO_WEIGHT = "no control group of its own for processors: other work on them weighs as much"

SHARED = ("reads_per_s", "wait_ms", "p50_ms", "p95_ms", "p99_ms", "cpu_us")
LIVE = (*SHARED, "read_us", "switches", "counted_per_s", "pressure_percent")

_KEPT_SHARE = 0.99
"""The share of the quickest reads that the spread is of: a read in a hundred meets other work."""

_PROBE_PER_S, _PROBE_S = 200, 0.75
"""The limit at which one thread finds out how long a slice is, and for how long."""

_SLICE_MS = 100.0
"""Linux, block/blk-throttle.c: DFL_THROTL_SLICE, a tenth of a second."""

_LEAST_US = 1.0
"""A simulated device takes some time: reads of memory alone are processor time."""

_LONG_NS = 5_000_000
"""A read that takes longer under the limit of the probe has waited for tokens."""


@dataclass(frozen=True)
class _Plan:
    """A directory, reads a second, threads that read, permits, seconds for each pair of load and permits."""

    folder: str
    limit_per_s: float = 3000.0
    requesters: int = 32
    depths: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    loads: tuple[Load, ...] = LOADS
    seconds: float = 3.0
    seed: int = 1

    @property
    def pairs(self) -> list[tuple[Load, int]]:
        """Load and permits of each pair, in the order in which they are shown."""
        return [(load, depth) for load in self.loads for depth in self.depths]

    @property
    def run_s(self) -> float:
        """How long one run is, in seconds."""
        return self.seconds / RUNS

    @property
    def every_ms(self) -> float:
        """The mean time between the reads of one requester under the paced load."""
        return 1000 * self.requesters / (PACE * self.limit_per_s)

    def check(self) -> _Plan:
        """The same plan; raises InputError with everything that is wrong with it."""
        problems = []
        least, most = _LIMITS_PER_S
        if not least <= self.limit_per_s <= most:
            what = f"a limit of {self.limit_per_s:.6g} reads a second"
            why = "a slice of a tenth of a second has to hold some reads"
            problems.append(problem(what, key="limit", why=why, allowed=f"{least:g}/s to {most:g}/s"))
        if not 1 <= self.requesters <= _MOST_REQUESTERS:
            what = f"{self.requesters} threads that read"
            problems.append(problem(what, key="requesters", allowed=f"1 to {_MOST_REQUESTERS}"))
        wrong = [depth for depth in self.depths if not 1 <= depth <= max(self.requesters, 1)]
        if wrong or not self.depths:
            what = f"{', '.join(map(str, wrong)) or 'no number of'} permits for {self.requesters} requesters"
            why = "more permits than requesters are never used"
            problems.append(problem(what, key="depth", why=why, allowed=f"1 to {max(self.requesters, 1)}"))
        problems += wrong_length(
            ("pair", self.seconds, RUNS * _LEAST_RUN_S), self.seconds * len(self.pairs), _LONGEST_S,
            f"each pair is measured in {RUNS} runs",
        )  # fmt: skip
        return checked(self, problems)


@dataclass(frozen=True)
class _Constants:
    """Of a read of one thread alone: its time in us and its squared coefficient of variation, and its processor time.

    Then the cost of handing a permit to another thread, a switch, processors, the kernel's tick, and a slice.

    >>> _Constants(read_us=60.0, cpu_us=14.0).device_us
    46.0
    """

    read_us: float = 60.0
    spread: float = 0.1
    cpu_us: float = 14.0
    hand_over_us: float = 2.0
    switch_us: float = 1.0
    processors: int = 2
    tick_ms: float = 4.0
    slice_ms: float = _SLICE_MS

    @property
    def device_us(self) -> float:
        """The part of a read in which its thread has no processor."""
        return max(_LEAST_US, self.read_us - self.cpu_us)

    @property
    def device_spread(self) -> float:
        """The squared coefficient of variation of that part: all of the spread is its."""
        return min(1000.0, max(0.001, self.spread * (self.read_us / self.device_us) ** 2))


def _alone(runs: Sequence[Seen]) -> tuple[float, float, float]:
    """Time, spread and processor time of a read alone, in us: of the run with the quickest reads."""
    best = min(runs, key=lambda run: median(run.spans_ns) if run.spans_ns else math.inf)
    spans = sorted(best.spans_ns)
    kept = [span / 1000 for span in spans[: max(1, math.floor(_KEPT_SHARE * len(spans)))]]
    mean = fmean(kept)
    return mean, pvariance(kept) / mean**2, min(best.cpu_us, 0.95 * mean)


def _slice_ms(spans_ns: Sequence[int], tick_ms: float) -> float:
    """How long a slice is, in ms and whole ticks, from the reads of one thread that always asks: from burst to burst.

    >>> _slice_ms([50_000] * 19 + [98_000_000] + [50_000] * 19 + [98_050_000], 4.0)
    100.0
    """
    ends, passed = [], 0
    for span in spans_ns:
        passed += span
        if span > _LONG_NS:
            ends.append(passed)
    gaps = [(later - earlier) / 1e6 for earlier, later in itertools.pairwise(ends)]
    return tick_ms * max(1, round(median(gaps) / tick_ms)) if gaps and tick_ms > 0 else math.nan


@dataclass(frozen=True)
class _Pair(Paired):
    """One load and number of permits."""

    load: Load
    depth: int
    others_percent: float
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]
    KEPT: ClassVar = ("verdicts",)
    JUDGED: ClassVar = {"reads_per_s": 0.0, "wait_ms": ABSOLUTE_MS, "p99_ms": ABSOLUTE_MS}


@dataclass(frozen=True)
class _ReadsResult(Result):
    """A plan that was measured and simulated; `left_out` says why the limit was not measured here."""

    plan: _Plan
    environment: Environment
    device: Device
    constants: _Constants
    pairs: tuple[_Pair, ...]
    left_out: str = ""
    notes: tuple[str, ...] = field(default=())
    KIND: ClassVar = "live io"
    KEPT: ClassVar = ("agree", "warnings")

    @property
    def agree(self) -> dict[str, int]:
        """How many pairs agree, by what is judged."""
        return agreed(self.pairs, _Pair.JUDGED)

    def of(self, load: Load) -> list[_Pair]:
        """The pairs of a load."""
        return [pair for pair in self.pairs if pair.load == load]

    @property
    def warnings(self) -> list[str]:
        """Disturbances, a limit that was not measured, and one that was not reached."""
        found = [*self.environment.warnings(), *self.notes]
        if self.left_out:
            found.append(f"the limit was not measured: {self.left_out}")
        unlimited = [pair.live["reads_per_s"].mean for pair in self.of("no limit")]
        if unlimited and self.of("limit") and max(unlimited) < self.plan.limit_per_s:
            found.append(
                f"without a limit there were at most {max(unlimited):,.0f} reads a second: a limit of "
                f"{self.plan.limit_per_s:,.0f} bounds nothing here"
            )
        return found


@dataclass(frozen=True)
class _Place:
    """The device, the group with the limit (if there may be one) and all groups, and why there is no limit."""

    device: Device
    limited: Group | None
    groups: Sequence[Group]
    left_out: str
    notes: tuple[str, ...]

    def run(self, jobs: Sequence[Job], progress: Progress = lambda done: None) -> list[Seen]:
        """The observations of a worker in the groups; `progress` is called with how many are done."""
        counted = [str(group.path / COUNT_FILE[group.version]) for group in self.groups[:1]]
        asked = [replace(job, counted="".join(counted), device=self.device.number) for job in jobs]
        return answers(run_job, asked, self.groups, lambda done, _: progress(done))


def _limit_of(text: str, key: str) -> float:
    """A limit in reads a second; raises InputError when it is none.

    >>> _limit_of("3000/s", "limit"), _limit_of("1500", "limit")
    (3000.0, 1500.0)
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*(?:/\s*s)?\s*", text)
    if not found:
        raise refusal(problem(f"not a limit: {text!r}", key=key, allowed="reads a second: 3000/s"))
    return float(found[1])


class Reads(Experiment[_Plan, _ReadsResult]):
    """Reads behind permits."""

    name = "io"
    summary = "Measure reads behind permits, with and without a limit."
    help = """Measure reads behind permits, without a limit and under one (io.max), and simulate the same.

    Threads share permits in front of one file and read it past the page cache.  Three loads: no limit; a limit with all
    threads always asking; the same limit with a demand of three quarters of it.  The kernel keeps a limit in slices
    of a tenth of a second.  Root, or a delegated group, is needed for the limit; without it the first load is measured.
    Nothing is left behind: the scratch file and the groups are removed.

    \b
    Example:
      sudo slicewright live io /var/tmp --limit 3000/s --depth 1,8,32 --out reads
    """
    options = (
        Option("folder", "DIR", "Directory for a scratch file of 64 MiB: on the disk.", required=True, spelt=("",)),
        Option("limit", "N", "Reads a second of the disk.", default="3000"),
        Option("requesters", "N", "Threads that read.", takes=whole(), default=32),
        Option("depth", "N,N,...", "Permits: how many threads may read at a time.", default="1,2,4,8,16,32"),
        Option("for", "SPAN", "Time of each pair of load and permits.", default="3s"),
        GROUP.with_(help="Parent of the control group with the limit."),
        Option("seed", "N", "Random seed of places and instants.", takes=whole(), default=1),
    )
    reads: ClassVar = {"limit": _limit_of, "depth": counts_of, "for": span_ms}
    result = _ReadsResult

    def plan(self, given: Mapping[str, Any]) -> _Plan:
        """The plan from the values of the options."""
        return _Plan(
            given["folder"], given["limit"], given["requesters"], given["depth"], seconds=given["for"] / 1000,
            seed=given["seed"],
        ).check()  # fmt: skip

    def measure(self, plan: _Plan, parent: Path | None = None, progress: Progress = lambda share: None) -> _ReadsResult:
        """The constants, every pair of load and permits in several runs, then the same simulated."""
        plan.check()
        load = load_average()
        with nameless_file(plan.folder) as file, _place(plan, parent) as place:
            plan = plan if place.limited else replace(plan, loads=("no limit",))
            job = Job(str(file), plan.requesters, 1, 0, round(1e9 * plan.run_s), plan.seed)
            constants, notes = _constants(job, place)
            seen = _measured(plan, job, place, lambda share: progress(_SHARE_LIVE * share))
            version = place.limited.version if place.limited else 0
        elsewhere = Elsewhere.of([run.elsewhere for runs in seen.values() for run in runs])
        where = environment(processors_here()[-1], version, load, elsewhere)
        pairs = []
        for pair in in_turn(plan.pairs, progress, _SHARE_LIVE):
            others, live = summed(seen[pair], LIVE)
            pairs.append(_Pair(*pair, others, live, _simulated(plan, pair, constants)))
        every = (*place.notes, *notes)
        return _ReadsResult(plan, where, place.device, constants, tuple(pairs), place.left_out, every)

    def words(self, result: _ReadsResult) -> Words:
        """The report of a result."""
        plan, environment, device = result.plan, result.environment, result.device
        groups = f"limit by control groups version {environment.version}" if environment.version else "no limit"
        place = (
            f"{environment.linux}, {plural(result.constants.processors, 'processor')}, "
            f"disk {device.name} ({device.number or 'no number'}, scheduler {device.scheduler or 'none'}), {groups}"
        )
        measured = (
            f"{plural(plan.requesters, 'thread')} read 4 KiB at random places past the page cache, as many at a time "
            f"as there are permits; {plan.seconds:.4g} s for each pair in {RUNS} runs"
        )
        agree = {name: f"{count} of {len(result.pairs)}" for name, count in result.agree.items()}
        sections = [_measured_apart(result), _waits(result, agree), _costs(result)]
        facts = [("reads a second that agree", agree["reads_per_s"]), ("99 % waits that agree", agree["p99_ms"])]
        return Words("Reads behind permits, live and simulated", place, measured, sections, facts)


@contextlib.contextmanager
def _place(plan: _Plan, parent: Path | None) -> Iterator[_Place]:
    """The groups of a measurement; without the right to limit reads there is none, unless a parent was named."""
    files = ControlFiles()
    with contextlib.ExitStack() as undo:
        left_out, limited, device = "", None, Device("", "unknown")
        try:
            device = device_of(plan.folder)
            limited = undo.enter_context(limited_group(files, hierarchy(files, chosen=parent, controller=BLOCK)))
            limit_reads(limited, device, None)
        except InputError as error:
            if parent is not None:
                raise
            limited, left_out = (
                None,
                "; ".join(
                    ": ".join(str(row[key]) for key in ("what", "why") if row.get(key)) for row in error.problems
                ),
            )
        groups = [limited] if limited else []
        if limited and limited.version == 2:
            limited.weigh()
            weighed: Group | None = limited
        elif weighed := undo.enter_context(heavy_group()):
            groups.append(weighed)
        yield _Place(device, limited, groups, left_out, () if weighed else (_NO_WEIGHT,))


def _constants(job: Job, place: _Place) -> tuple[_Constants, list[str]]:
    """One thread alone for the time of a read; the same under a small limit for the length of a slice."""
    single = replace(job, requesters=1, length_ns=round(1e9 * _ALONE_S))
    read_us, spread, cpu_us = _alone(place.run([replace(single, seed=job.seed + run) for run in range(_ALONE_RUNS)]))
    costs = live_lock_costs(processors_here()[-1])
    slices, notes, tick_ms = _SLICE_MS, [], round(live_tick_s() * 1000, 6)
    if place.limited:
        limit_reads(place.limited, place.device, _PROBE_PER_S)
        slices = _slice_ms(place.run([replace(single, length_ns=round(1e9 * _PROBE_S))])[0].spans_ns, tick_ms)
        if not 1.0 <= slices <= 1000.0:
            slices = _SLICE_MS
            notes.append(f"the length of a slice could not be measured: {_SLICE_MS:g} ms is assumed")
    hand_over_us, switch_us = (costs["sleep_ns"] + costs["wake_ns"]) / 1000, costs["switch_ns"] / 1000
    here = len(processors_here())
    return _Constants(read_us, spread, cpu_us, hand_over_us, switch_us, here, tick_ms, slices), notes


def _measured(plan: _Plan, job: Job, place: _Place, progress: Progress) -> dict[tuple[Load, int], list[Seen]]:
    """The measurements of every pair, run by run; the permits of a load take turns under one limit."""
    found: dict[tuple[Load, int], list[Seen]] = {pair: [] for pair in plan.pairs}
    turns = [(run, load) for run in range(RUNS) for load in plan.loads]
    for at, (run, load) in enumerate(turns):
        if place.limited:
            limit_reads(place.limited, place.device, None if load == "no limit" else round(plan.limit_per_s))
        every_ns = round(1e6 * plan.every_ms) if load == "paced" else 0
        jobs = [replace(job, depth=depth, every_ns=every_ns, seed=job.seed + run) for depth in plan.depths]

        def passed(done: float, at: int = at) -> None:
            progress((at * len(plan.depths) + done) / (RUNS * len(plan.pairs)))

        for depth, sight in zip(plan.depths, place.run(jobs, passed), strict=True):
            found[load, depth].append(sight)
    return found


_READER, _CGROUP, _DISK, _PERMITS = "READER", "live", "DISK", "PERMITS"


def _scenario(plan: _Plan, pair: tuple[Load, int], constants: _Constants) -> str:
    """Requesters that take a permit, read and give it back, as TOML.

    A run is as long as a live one and begins as that does: with requesters that all ask.  The device has an exposure
    for each of them, so that permits alone bound the reads in progress.  The paced load comes from outside: its
    requests are planned, and one that waits delays no other.
    """
    load, depth = pair
    half_us, paced = constants.cpu_us / 2, load == "paced"
    handed_on = depth < plan.requesters and not paced
    device = f'{{ gamma = "{constants.device_us:.6f} us", scv = {constants.device_spread:.6f} }}'
    read = (
        f'{{ compute = "{half_us:.6f} us" }}, {{ io = {{ volume = "{_DISK}", bytes = "{READ_BYTES} B" }} }}, '
        f'{{ compute = "{half_us:.6f} us" }}'
    )
    program = f'{{ hold = "{_PERMITS}", steps = [ {read} ] }}'
    if handed_on:
        program += f', {{ compute = "{constants.hand_over_us:.6f} us" }}'
    rate = f'arrivals = "{1000 * plan.requesters / plan.every_ms:.6f}/s"'
    lines = [
        f'name = "{load}, {depth} permits"', "", "[cec]", f"processors = {constants.processors}", 'dispatcher = "cfs"',
        f'tick = "{constants.tick_ms:.6f} ms"', f'switch = "{constants.switch_us:.6f} us"', "",
        "[[cgroup]]", f'name = "{_CGROUP}"', "", "[[resource]]", f'name = "{_PERMITS}"', f"count = {depth}", "",
        "[[volume]]", f'name = "{_DISK}"', 'device = "1000"', f"aliases = {plan.requesters - 1}",
        *_limit(plan, load, constants), f"service.connect = {device}", "",
        "[[guest]]", f'name = "{_READER}"', f'cgroup = "{_CGROUP}"', rate if paced else f"count = {plan.requesters}",
        f"program = [ {program} ]", "", "[measure]", f'interval = "{plan.run_s:.6f} s"', 'warm_up = "0 s"',
        f"replications = {REPLICATIONS[load]}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _limit(plan: _Plan, load: Load, constants: _Constants) -> list[str]:
    if load == "no limit":
        return []
    return [
        f'limit = "{plan.limit_per_s:.3f}/s"', f'limit_slice = "{constants.slice_ms:.6f} ms"',
        f'limit_tick = "{constants.tick_ms:.6f} ms"',
    ]  # fmt: skip


def _simulated(plan: _Plan, pair: tuple[Load, int], constants: _Constants) -> dict[str, Estimate]:
    """Reads a second, waits in ms, processor time of a read in us, as they are measured.

    >>> found = _simulated(_Plan(".", requesters=1, depths=(1,), seconds=1.5), ("limit", 1), _Constants())
    >>> round(found["reads_per_s"].mean)
    3000
    """
    load, _ = pair
    from slicewright.run.run import run

    result = run(_scenario(plan, pair, constants), seed=plan.seed, replications=REPLICATIONS[load])
    rates = result.values("volumes", "io_per_s", _DISK)
    busy_us = [usage / plan.run_s for usage in result.values("cgroups", "usage_usec", _CGROUP)]
    cpu_us = [each / rate if rate else 0.0 for each, rate in zip(busy_us, rates, strict=True)]
    waits = {"wait_ms": "cycle_ms", "p50_ms": "cycle_p50_ms", "p95_ms": "cycle_p95_ms", "p99_ms": "cycle_p99_ms"}
    found = {name: estimate(result.values("guests", column, _READER)) for name, column in waits.items()}
    return {"reads_per_s": estimate(rates), "cpu_us": estimate(cpu_us), **found}


def _measured_apart(result: _ReadsResult) -> Section:
    own = result.constants
    rows = [
        ("a read of one thread alone", f"{fixed(own.read_us, 1)} us"),
        ("its spread (squared coefficient of variation)", fixed(own.spread, 3)),
        ("processor time of it", f"{fixed(own.cpu_us, 1)} us"),
        ("handing a permit to another thread", f"{fixed(own.hand_over_us, 1)} us"),
        ("a switch to another thread", f"{fixed(own.switch_us, 1)} us"),
        ("processors", str(own.processors)),
    ]
    if result.of("limit") or result.of("paced"):
        rows.append(("slice of a limit, and tick", f"{own.slice_ms:.4g} and {own.tick_ms:.4g} ms"))
    return constants_section(rows)


_WAITS = """
    load
    depth                  | :d      | permits
    live.reads_per_s       | ±       | reads/s, live
    simulated.reads_per_s  | ±       | simulated
    verdicts.reads_per_s   | verdict | verdict
    live.wait_ms           | .2      | mean ms
    simulated.wait_ms      | .2      | simulated
    verdicts.wait_ms       | verdict | verdict
    live.p50_ms            | .2      | 50 % ms
    simulated.p50_ms       | .2      | simulated
    live.p95_ms            | .2      | 95 % ms
    simulated.p95_ms       | .2      | simulated
    live.p99_ms            | ±       | 99 % ms
    simulated.p99_ms       | ±       | simulated
    verdicts.p99_ms        | verdict | verdict
"""
_COSTS = """
    load
    depth                  | :d      | permits
    live.cpu_us            | .1      | cpu/read us
    simulated.cpu_us       | .1      | simulated
    live.switches          | .2      | switches
    live.read_us           | .0      | with permit us
    live.counted_per_s     | .0      | counted/s
    live.pressure_percent  | .0      | pressure %
"""


def _waits(result: _ReadsResult, agree: dict[str, str]) -> Section:
    limited = (
        f" Limit: {result.plan.limit_per_s:,.0f}/s, all threads always ask. Paced: the same limit, and a demand of "
        f"{fixed(100 * PACE, 0)} % of it at planned instants."
    )
    legend = (
        f"{agree['reads_per_s']} rates within {fixed(100 * RELATIVE, 0)} %, {agree['wait_ms']} mean waits and "
        f"{agree['p99_ms']} waits at 99 % within that or {ABSOLUTE_MS:g} ms; ± 95 %, live from {RUNS} runs, "
        f"simulated from {REPLICATIONS['limit']} ({REPLICATIONS['no limit']} without a limit). A wait is from asking "
        f"for a permit to having the data.{'' if result.left_out else limited} Too noisy: outside the band, where "
        "the intervals leave it open or others took more than 3 % of the processors."
    )
    caption = "Waits that one read in a hundred exceeds, by permits; bars are 95 % intervals."
    titled = ("Reads a second, and waits", legend)
    return table_section(titled, _WAITS, result.pairs, [_figure(result).captioned(caption)])


def _costs(result: _ReadsResult) -> Section:
    legend = (
        "Cpu/read: processor time of the threads for each read. Switches: for each read, voluntary or not. With "
        "permit: from having the permit to having the data. Counted: reads in the group's own counters (io.stat, "
        "blkio.throttle.io_serviced), with those that end after a run. Pressure: share of the time in which some task "
        "of the machine waited for I/O (/proc/pressure/io)."
    )
    return table_section(("What a read costs", legend), _COSTS, result.pairs)


def _figure(result: _ReadsResult) -> Figure:
    """The waits at 99 % by permits: a panel for each load."""
    labels: dict[Load, str] = {
        "no limit": "99 % wait, ms; no limit", "limit": f"limit {result.plan.limit_per_s:,.0f}/s",
        "paced": f"limit, {fixed(100 * PACE, 0)} % of it asked for",
    }  # fmt: skip
    panels = []
    for load in result.plan.loads:
        pairs = result.of(load)
        points = both_sides(range(1, len(pairs) + 1), *sides(pairs, "p99_ms"))
        panels.append(Panel(labels[load], points, names=[str(pair.depth) for pair in pairs]))
    return Figure(panels, "Permits")
