"""`live throttling`: some work, then a sleep, under a limit; counts of throttled periods, live and simulated.

After the thread on kubernetes/kubernetes issue 67577, whose test burns 5 ms and sleeps.  Here one native thread works
for a stated processor time, without a language's runtime.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any, ClassVar

from slicewright.live.experiment import (
    GROUP,
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
from slicewright.live.groups import ControlFiles, Limit, enclosing_limits, hierarchy, limited_group
from slicewright.live.machine import Elsewhere, Environment, environment, load_average, processor_problems
from slicewright.live.slices import LONGEST_S, PERIOD_MS, REPLICATIONS, SHARE_LIVE, Machine, container, guest
from slicewright.live.tables import crosses
from slicewright.live.threads import Saw, Threads, Waiter, run_threads
from slicewright.report.figure import Figure, Panel, dots
from slicewright.report.model import Section, Table
from slicewright.report.spec import columns
from slicewright.results.frame import Row
from slicewright.results.judge import SLICES, Agreement, Band
from slicewright.statistics import Estimate, estimate, fixed
from slicewright.values.errors import problem
from slicewright.values.settings import PROCESSOR, RARE, Option, number

_RELATIVE, _ABSOLUTE = 0.10, 1.0
"""Counts of throttled periods agree within this share, or one period, of each other."""

_FREE_S = (0.5, 2.0)
"""Lengths of two runs without a limit: their difference has no start and no end of threads in it."""


@dataclass(frozen=True)
class _Plan:
    """Work and sleeps in ms, the limit, seconds for each sleep, and the processor."""

    work_ms: float = 5.0
    sleeps_ms: tuple[float, ...] = (5.0, 10.0, 15.0, 18.0, 30.0, 1000.0)
    limit: Limit = field(default_factory=lambda: Limit(20_000, 100_000))
    seconds: float = 10.0
    processor: int = 0
    seed: int = 1

    @property
    def length_s(self) -> float:
        """How long the threads of all measurements run, in seconds."""
        return self.seconds * len(self.sleeps_ms)

    def check(self) -> _Plan:
        """The same plan; raises InputError with everything that is wrong with it."""
        quota, period = self.limit.quota_us / 1000, self.limit.period_us / 1000
        problems = processor_problems(self.processor)
        if quota < 1 or not PERIOD_MS[0] <= period <= PERIOD_MS[1]:
            allowed = "a quota of at least 1 ms, a period of 1 ms to 1 s"
            why = "the kernel takes no such limit"
            what = f"a quota of {quota:.6g} ms of a period of {period:.6g} ms"
            problems.append(problem(what, key="quota", why=why, allowed=allowed))
        if quota > period:
            why = "one thread uses at most the whole of one processor, and never more than such a quota"
            what = f"a quota of {quota:.6g} ms of a period of {period:.6g} ms"
            problems.append(problem(what, key="quota", why=why, allowed="at most the period"))
        if not 0 <= self.limit.burst_us <= self.limit.quota_us:
            what = f"a burst of {self.limit.burst_us / 1000:.6g} ms"
            problems.append(problem(what, key="burst", why="the kernel takes no such limit", allowed="up to the quota"))
        if not 0.0 < self.work_ms <= 1000.0:
            problems.append(problem(f"work of {self.work_ms:.6g} ms", key="work", allowed="more than 0 ms, to 1 s"))
        if not self.sleeps_ms or any(not 0.0 < sleep <= 10_000.0 for sleep in self.sleeps_ms):
            problems.append(problem("a sleep out of bounds", key="sleeps", allowed="more than 0 ms, at most 10 s"))
        if not self.seconds >= 1.0 or self.length_s > LONGEST_S:
            allowed = f"at least 1 s each, at most {LONGEST_S:.0f} s in all"
            problems.append(problem(f"{self.length_s:.6g} s in all", key="seconds", allowed=allowed))
        return checked(self, problems)


@dataclass(frozen=True)
class _Counts:
    """The counters of one sleep live.

    `work_ms` is from the instant at which the sleep was over until the work was done: where works fill a quota exactly
    it is a matter of microseconds whether the group is stopped right before the work or within it.
    """

    nr_periods: float
    nr_throttled: float
    throttled_ms: float
    work_ms: float
    UNKNOWN: ClassVar = ("work_ms",)


@dataclass(frozen=True)
class _Estimates:
    """The same simulated."""

    nr_periods: Estimate
    nr_throttled: Estimate
    throttled_ms: Estimate
    work_ms: Estimate


@dataclass(frozen=True)
class _Worked:
    """One sleep, live and simulated."""

    sleep_ms: float
    live: _Counts
    simulated: _Estimates
    KEPT: ClassVar = ("agrees", "simulated")

    @property
    def agrees(self) -> bool:
        """Whether as many periods were throttled, within a tenth or one period."""
        return self.verdict == "agrees"

    @property
    def verdict(self) -> Agreement:
        """Too noisy: outside the band, and where one run of twenty may be, as the simulated ones scatter."""
        simulated = self.simulated.nr_throttled
        single = simulated.half_width * math.sqrt(simulated.replications + 1)
        return _verdict(self.live.nr_throttled, simulated, _ABSOLUTE, single)

    @property
    def time_verdict(self) -> Agreement:
        """Whether the group was throttled for as long, within a tenth or the time of one throttled period."""
        periods, time = self.simulated.nr_throttled.mean, self.simulated.throttled_ms
        return _verdict(self.live.throttled_ms, time, time.mean / periods if periods > 0 else _ABSOLUTE)


def _verdict(live: float, simulated: Estimate, absolute: float, noise: float = 0.0) -> Agreement:
    return SLICES.verdict(live - simulated.mean, Band(_RELATIVE, absolute).width(simulated.mean), noise)


@dataclass(frozen=True)
class _ThrottlingResult(Result):
    """A plan that was measured and simulated."""

    plan: _Plan
    environment: Environment
    worked: tuple[_Worked, ...]
    overhead_ms: float = 0.0
    """Processor time of a cycle beside its work, measured without the limit; it is simulated as work."""
    late_ms: float = 0.0
    """The median delay of a wake-up without the limit; sleeps are simulated as longer by it."""
    KIND: ClassVar = "live throttling"
    KEPT: ClassVar = ("worked", "agree", "warnings")
    LATER: ClassVar = ("overhead_ms", "late_ms")

    def framed(self) -> Iterator[Row]:
        """The counters of each sleep; those of a single run have no half-width."""
        for each in self.worked:
            live = {name: Estimate(value, math.nan, 1) for name, value in vars(each.live).items()}
            yield from beside(f"sleep_ms {each.sleep_ms}", live, vars(each.simulated))

    @property
    def agree(self) -> int:
        """How many counts of throttled periods agree."""
        return sum(sleep.agrees for sleep in self.worked)


class Throttling(Experiment[_Plan, _ThrottlingResult]):
    """Work and sleeps under a limit."""

    name = "throttling"
    summary = "Count throttled periods of a thread that works and sleeps."
    help = """Count throttled periods of a thread that works and sleeps under a limit, and simulate the same setup.

    \b
    Example:
      sudo slicewright live throttling --sleeps '10 ms' --quota '20 ms' --period '100 ms'
    """
    options = (
        Option("work", "SPAN", "Processor time before each sleep.", default="5 ms"),
        Option(
            "sleeps", "S,S,...", "Sleeps, each measured by itself.", default="5 ms, 10 ms, 15 ms, 18 ms, 30 ms, 1 s"
        ),
        Option("quota", "SPAN", "Processor time per period.", default="20 ms"),
        Option("period", "SPAN", "Period of the limit.", default="100 ms", panel=RARE),
        Option("burst", "SPAN", "Unused quota that may accumulate.", default="0 ms", panel=RARE),
        PROCESSOR,
        Option("seconds", "N", "Seconds for each sleep.", takes=number(), default=10.0),
        GROUP,
    )
    reads: ClassVar = {
        "quota": span_ms, "period": span_ms, "burst": span_ms, "work": span_ms, "sleeps": spans_ms,
        "processor": processor_of,
    }  # fmt: skip
    result = _ThrottlingResult

    def plan(self, given: Mapping[str, Any]) -> _Plan:
        """The plan from the values of the options."""
        limit = Limit(*(round(given[key] * 1000) for key in ("quota", "period", "burst")))
        return _Plan(given["work"], given["sleeps"], limit, given["seconds"], given["processor"]).check()

    def measure(
        self, plan: _Plan, parent: Path | None = None, progress: Progress = lambda share: None
    ) -> _ThrottlingResult:
        """Work and sleeps under a limit, each sleep in a run, then the same simulated."""
        plan.check()
        files = ControlFiles()
        here = hierarchy(files, chosen=parent)
        seen: list[Saw] = []
        with limited_group(files, here) as group:
            group.weigh()
            load = load_average()
            cycle = _cycle_costs(plan, lambda threads: run_threads(threads, group))
            group.limit(plan.limit)
            for at, sleep_ms in enumerate(plan.sleeps_ms):
                threads = _threads(plan, sleep_ms, plan.seconds)
                seen.append(run_threads(threads, group, _part(progress, at, plan)))
            around = tuple(enclosing_limits(files, here, group.path))
        where = environment(plan.processor, here.version, load, Elsewhere.of([saw.elsewhere for saw in seen]), around)
        machine = Machine(where.tick_ms, where.bandwidth_slice_ms, plan.seed)
        worked = [
            _Worked(sleep_ms, _live(saw), _simulated(plan, cycle, sleep_ms, machine))
            for sleep_ms, saw in in_turn(list(zip(plan.sleeps_ms, seen, strict=True)), progress, SHARE_LIVE)
        ]
        return _ThrottlingResult(plan, where, tuple(worked), *cycle)

    def words(self, result: _ThrottlingResult) -> Words:
        """The report of a result."""
        plan = result.plan
        measured = (
            f"{plan.work_ms:.6g} ms of work, then a sleep, under a quota of {plan.limit.quota_us / 1000:.6g} ms per "
            f"{plan.limit.period_us / 1000:.6g} ms; {plan.seconds:.4g} s each"
        )
        agree = f"{result.agree} of {len(result.worked)}"
        times = f"{sum(worked.time_verdict == 'agrees' for worked in result.worked)} of {len(result.worked)}"
        legend = (
            f"{agree} counts of throttled periods agree within 10 % or one period, {times} times of throttling within "
            f"10 % or the time of one. Live counts are of one run each; simulated ones are means over {REPLICATIONS}, "
            "± 95 %. Too noisy: outside the band, and where a single run may be. Done after: "
            "from the end of a sleep until the work is done, pauses of the group included. Simulated work has "
            f"{fixed(result.overhead_ms, 3)} ms more, the processor time of a cycle beside its work, and sleeps have "
            f"{fixed(result.late_ms, 3)}, the median delay of a wake-up; both measured before, without the limit."
        )
        caption = "Counts of cpu.stat against the sleep, live and simulated; bars are 95 % intervals of the simulated."
        figure = _figure(result).captioned(caption)
        shown = Table(columns(_WORKED), result.worked, legend=legend)
        sections = [Section("Throttled periods", [figure, shown])]
        facts = [("counts of throttled periods that agree", agree)]
        place = result.environment.line()
        return Words("Throttling, live and simulated", place, measured, sections, facts, "the processor")


def _threads(plan: _Plan, sleep_ms: float, seconds: float) -> Threads:
    waiter = Waiter("locked", round(plan.work_ms * 1e6), round(sleep_ms * 1e6))
    return Threads(plan.processor, round(seconds * 1e9), False, (waiter,), plan.seed)


def _cycle_costs(plan: _Plan, run: Callable[[Threads], Saw]) -> tuple[float, float]:
    """Without a limit, in ms: processor time of a cycle beside its work, and the median delay of its wake-up."""
    sleep_ms = min(plan.sleeps_ms)
    cycle_s = (plan.work_ms + sleep_ms) / 1000
    short, long = (
        run(_threads(plan, sleep_ms, max(length_s, count * cycle_s)))
        for length_s, count in zip(_FREE_S, (2, 8), strict=True)
    )
    waits = long.waits[0]
    cycles = len(waits) - len(short.waits[0])
    if cycles <= 0 or not waits:
        return 0.0, 0.0
    beside = 1000 * (long.cpu_s - short.cpu_s) / cycles - plan.work_ms
    return min(plan.work_ms, max(0.0, beside)), max(0.0, median(wait.late_ms for wait in waits))


def _live(saw: Saw) -> _Counts:
    waits = saw.waits[0]
    works = [after.started_ms - before.due_ms for before, after in pairwise(waits) if before.due_ms is not None]
    periods, throttled = (float(saw.stat.get(name, 0)) for name in ("nr_periods", "nr_throttled"))
    return _Counts(periods, throttled, saw.stat.get("throttled_usec", 0) / 1000, fmean(works) if works else math.nan)


def _simulated(plan: _Plan, cycle: tuple[float, float], sleep_ms: float, machine: Machine) -> _Estimates:
    overhead_ms, late_ms = cycle
    per_s = _simulated_work(plan.limit, plan.work_ms + overhead_ms, sleep_ms + late_ms, machine)
    done = per_s["work_ms"]
    return _Estimates(
        _times(per_s["nr_periods_per_s"], plan.seconds), _times(per_s["nr_throttled_per_s"], plan.seconds),
        _times(per_s["throttled_usec_per_s"], plan.seconds / 1000),
        Estimate(done.mean + late_ms, done.half_width, done.replications),
    )  # fmt: skip


def _times(per_s: Estimate, factor: float) -> Estimate:
    return Estimate(per_s.mean * factor, per_s.half_width * factor, per_s.replications)


def _part(progress: Progress, at: int, plan: _Plan) -> Progress:
    return lambda seconds: progress(SHARE_LIVE * min(1.0, (at * plan.seconds + seconds) / plan.length_s))


def _scenario(limit: Limit, work_ms: float, sleep_ms: float, machine: Machine) -> str:
    """One thread in a limited group that works, sleeps, and so on, as TOML."""
    program = f'{{ compute = "{work_ms:.6f} ms" }}, {{ think = "{sleep_ms:.6f} ms" }}'
    name = f"{work_ms:.6g} ms of work, {sleep_ms:.6g} ms of sleep"
    return container(machine, name, limit, guest("WAITER", "count = 1", 0, program), "60 s")


def _simulated_work(limit: Limit, work_ms: float, sleep_ms: float, machine: Machine) -> dict[str, Estimate]:
    """The counts of cpu.stat per second for a thread that works and sleeps, and when its work is done, in ms.

    `work_ms` is counted from the end of a sleep.

    >>> found = _simulated_work(Limit(20_000, 100_000), 5.0, 1000.0, Machine(0.0))
    >>> found["nr_throttled_per_s"].mean
    0.0
    """
    from slicewright.run.run import run

    text = _scenario(limit, work_ms, sleep_ms, machine)
    result = run(text, seed=machine.seed, replications=REPLICATIONS)
    interval_s = 60.0
    found = {
        f"{name}_per_s": estimate([value / interval_s for value in result.values("cgroups", name, "limited")])
        for name in ("nr_periods", "nr_throttled", "throttled_usec", "usage_usec")
    }
    found["work_ms"] = estimate(result.values("guests", "transaction_ms", "WAITER"))
    return found


_WORKED = """
    sleep_ms               | :.6g    | sleep ms
    live.nr_periods        | :,.0f   | nr_periods
    simulated.nr_periods   | ±       | simulated
    live.nr_throttled      | :,.0f   | nr_throttled
    simulated.nr_throttled | ±       | simulated
    verdict                | verdict
    live.throttled_ms      | :,.0f   | throttled ms
    simulated.throttled_ms | ±       | simulated
    time_verdict           | verdict | verdict
    live.work_ms           | :,.2f   | done after, ms
    simulated.work_ms      | ±       | simulated
"""


def _figure(result: _ThrottlingResult) -> Figure:
    """Throttled periods, and how long after a sleep the work is done, by sleep."""
    panels = []
    places = list(range(1, len(result.worked) + 1))
    names = [f"{worked.sleep_ms:.6g}" for worked in result.worked]
    for name, label in (("nr_throttled", "Periods throttled"), ("work_ms", "Work done after, ms")):
        live = dots(places, [getattr(worked.live, name) for worked in result.worked], label="live")
        simulated = crosses(places, [getattr(worked.simulated, name) for worked in result.worked])
        panels.append(Panel(label, [live, simulated], names=names))
    return Figure(panels, "Sleep, ms")
