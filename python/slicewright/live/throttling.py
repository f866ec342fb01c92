"""The test of unexplained throttling: some work, then a sleep, under a limit; counters live and simulated.

After the thread on kubernetes/kubernetes issue 67577, whose test burns 5 ms and sleeps.  Here one native thread works
for a stated processor time, without a language's runtime.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any, Literal, TypedDict

from slicewright.errors import problem, refusal
from slicewright.live.cells import KeptEstimate, Verdict, kept_estimate, or_nan
from slicewright.live.control_files import ControlFiles
from slicewright.live.environment import Elsewhere, Environment, environment, load_average
from slicewright.live.experiment import SHARE_LIVE, Progress
from slicewright.live.grid import LONGEST_S, PERIOD_MS, processor_problems
from slicewright.live.group import HEAVIEST, Limit, enclosing_limits, limited_group
from slicewright.live.hierarchy import hierarchy
from slicewright.live.launch import run_threads
from slicewright.live.simulated import Machine, simulated_work
from slicewright.live.threads import Saw, Threads, Waiter
from slicewright.statistics import Estimate

KIND = "live throttling"
LIMIT = Limit(20_000, 100_000)
"""20 ms of each 100 ms, what the thread's containers had."""

RELATIVE, ABSOLUTE = 0.10, 1.0
"""Counts of throttled periods agree within this share, or one period, of each other."""

FREE_S = (0.5, 2.0)
"""Lengths of two runs without a limit: their difference has no start and no end of threads in it."""


@dataclass(frozen=True)
class Plan:
    """Work and sleeps in ms, the limit, seconds for each sleep, and the processor.

    >>> Plan().length_s
    60.0
    """

    work_ms: float = 5.0
    sleeps_ms: tuple[float, ...] = (5.0, 10.0, 15.0, 18.0, 30.0, 1000.0)
    limit: Limit = LIMIT
    seconds: float = 10.0
    processor: int = 0
    seed: int = 1

    @property
    def length_s(self) -> float:
        """How long the threads of all measurements run, in seconds."""
        return self.seconds * len(self.sleeps_ms)

    def check(self) -> Plan:
        """The same plan; raises InputError with everything that is wrong with it.

        >>> Plan(limit=Limit(500, 100_000)).check()  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        slicewright._core.InputError: quota: a quota of 0.5 ms of a period of 100 ms
        """
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
        if problems:
            raise refusal(*problems)
        return self


@dataclass(frozen=True)
class Worked:
    """One sleep: nr_periods, nr_throttled, throttled_ms and work_ms, live and simulated.

    `work_ms` is from the instant at which the sleep was over until the work was done: where works fill a quota exactly
    it is a matter of microseconds whether the group is stopped right before the work or within it.

    >>> live = {"nr_periods": 100.0, "nr_throttled": 95.0, "throttled_ms": 900.0, "work_ms": 9.0}
    >>> simulated = {name: Estimate(value, 0.1, 10) for name, value in live.items()}
    >>> Worked(10.0, live, simulated).agrees
    True
    """

    sleep_ms: float
    live: Mapping[str, float]
    simulated: Mapping[str, Estimate]

    @property
    def agrees(self) -> bool:
        """Whether as many periods were throttled, within a tenth or one period."""
        return self._within("nr_throttled", ABSOLUTE)

    @property
    def verdict(self) -> Verdict:
        """Too noisy: outside the band, and where one run of twenty may be, as the simulated ones scatter.

        >>> counts = {name: 14.0 for name in ("nr_periods", "nr_throttled", "throttled_ms", "work_ms")}
        >>> Worked(20.0, counts, {name: Estimate(24.0, 3.4, 20) for name in counts}).verdict
        'too noisy'
        """
        if self.agrees:
            return "agrees"
        simulated = self.simulated["nr_throttled"]
        single = simulated.half_width * math.sqrt(simulated.replications + 1)
        return "too noisy" if abs(self.live["nr_throttled"] - simulated.mean) <= single else "differs"

    @property
    def time_agrees(self) -> bool:
        """Whether the group was throttled for as long, within a tenth or the time of one throttled period."""
        periods = self.simulated["nr_throttled"].mean
        return self._within("throttled_ms", self.simulated["throttled_ms"].mean / periods if periods > 0 else ABSOLUTE)

    def _within(self, name: str, absolute: float) -> bool:
        simulated = self.simulated[name].mean
        return abs(self.live[name] - simulated) <= max(absolute, RELATIVE * simulated)


class KeptCounts(TypedDict):
    """The live counts of one sleep as they are kept.

    >>> "work_ms" in KeptCounts.__required_keys__
    True
    """

    nr_periods: float
    nr_throttled: float
    throttled_ms: float
    work_ms: float | None


class KeptEstimates(TypedDict):
    """The simulated counts of one sleep as they are kept.

    >>> KeptEstimates.__required_keys__ == KeptCounts.__required_keys__
    True
    """

    nr_periods: KeptEstimate
    nr_throttled: KeptEstimate
    throttled_ms: KeptEstimate
    work_ms: KeptEstimate


class KeptWorked(TypedDict):
    """One sleep as it is kept.

    >>> "sleep_ms" in KeptWorked.__required_keys__
    True
    """

    sleep_ms: float
    live: KeptCounts
    agrees: bool
    simulated: KeptEstimates


class KeptResult(TypedDict):
    """A result as it is kept.

    >>> "format" in KeptResult.__required_keys__
    True
    """

    format: int
    kind: Literal["live throttling"]
    plan: Plan
    environment: Environment
    overhead_ms: float
    late_ms: float
    worked: list[KeptWorked]
    agree: int
    warnings: list[str]


@dataclass(frozen=True)
class ThrottlingResult:
    """A plan that was measured and simulated.

    >>> ThrottlingResult(Plan(), Environment(), ()).worked
    ()
    """

    plan: Plan
    environment: Environment
    worked: tuple[Worked, ...]
    overhead_ms: float = 0.0
    """Processor time of a cycle beside its work, measured without the limit; it is simulated as work."""
    late_ms: float = 0.0
    """The median delay of a wake-up without the limit; sleeps are simulated as longer by it."""

    def as_json(self) -> dict[str, Any]:
        """The result as one object.

        >>> ThrottlingResult.of_json(ThrottlingResult(Plan(), Environment(), ()).as_json()).plan == Plan()
        True
        """
        rows = [
            {
                "sleep_ms": sleep.sleep_ms, "live": dict(sleep.live), "agrees": sleep.agrees,
                "simulated": {name: asdict(value) for name, value in sleep.simulated.items()},
            }
            for sleep in self.worked
        ]  # fmt: skip
        return {
            "kind": KIND, "plan": asdict(self.plan), "environment": asdict(self.environment),
            "overhead_ms": self.overhead_ms, "late_ms": self.late_ms,
            "worked": rows,
            "agree": sum(sleep.agrees for sleep in self.worked), "warnings": self.environment.warnings(),
        }  # fmt: skip

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> ThrottlingResult:
        """Read back what `as_json` gave."""
        plan = {**value["plan"], "limit": Limit(**value["plan"]["limit"])}
        plan["sleeps_ms"] = tuple(plan["sleeps_ms"])
        worked = [
            Worked(
                row["sleep_ms"], {name: or_nan(kept) for name, kept in row["live"].items()},
                {name: kept_estimate(kept) for name, kept in row["simulated"].items()},
            )
            for row in value["worked"]
        ]  # fmt: skip
        where = Environment.of_json(value["environment"])
        return ThrottlingResult(Plan(**plan), where, tuple(worked), value["overhead_ms"], value["late_ms"])


def measure_throttling(
    plan: Plan, parent: Path | None = None, progress: Progress = lambda share: None
) -> ThrottlingResult:
    """Measure work and sleeps under a limit on this machine, and simulate the same.

    Raises InputError when the plan is wrong, the machine has no cpu controller, or there is no right to use it.

    >>> measure_throttling(Plan(sleeps_ms=()))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: sleeps: a sleep out of bounds
    """
    plan.check()
    files = ControlFiles()
    here = hierarchy(files, chosen=parent)
    seen: list[Saw] = []
    with limited_group(files, here) as group:
        group.weigh(HEAVIEST[group.version])
        load = load_average()
        cycle = cycle_costs(plan, lambda threads: run_threads(threads, group))
        group.limit(plan.limit)
        for at, sleep_ms in enumerate(plan.sleeps_ms):
            waiter = Waiter("locked", round(plan.work_ms * 1e6), round(sleep_ms * 1e6))
            threads = Threads(plan.processor, round(plan.seconds * 1e9), False, (waiter,), plan.seed)
            seen.append(run_threads(threads, group, _part(progress, at, plan)))
        around = tuple(enclosing_limits(files, here, group.path))
        elsewhere = Elsewhere.of([saw.elsewhere for saw in seen])
        where = environment(plan.processor, here.version, load, elsewhere, around)
    machine = Machine(where.tick_ms, where.bandwidth_slice_ms, plan.seed)
    worked = []
    for at, (sleep_ms, saw) in enumerate(zip(plan.sleeps_ms, seen, strict=True)):
        progress(SHARE_LIVE + (1 - SHARE_LIVE) * at / len(seen))
        worked.append(Worked(sleep_ms, _live(saw), _simulated(plan, cycle, sleep_ms, machine)))
    return ThrottlingResult(plan, where, tuple(worked), *cycle)


def cycle_costs(plan: Plan, run: Callable[[Threads], Saw]) -> tuple[float, float]:
    """Without a limit, in ms: processor time of a cycle beside its work, and the median delay of its wake-up.

    >>> from slicewright.live.threads import Wait
    >>> def run(threads):
    ...     cycles = round(threads.length_ns / 10_000_000)
    ...     return Saw([[Wait(0.0, 0.0, 1.0, 1.0)] * cycles], 0, [], {}, 0.3 + cycles * 0.00504, 1.0)
    >>> [round(cost, 6) for cost in cycle_costs(Plan(), run)]
    [0.04, 0.0]
    """
    waiter = Waiter("locked", round(plan.work_ms * 1e6), round(min(plan.sleeps_ms) * 1e6))
    cycle_s = (plan.work_ms + min(plan.sleeps_ms)) / 1000
    short, long = (
        run(Threads(plan.processor, round(max(length_s, count * cycle_s) * 1e9), False, (waiter,), plan.seed))
        for length_s, count in zip(FREE_S, (2, 8), strict=True)
    )
    cycles = len(long.waits[0]) - len(short.waits[0])
    late = [wait.late_ms for wait in long.waits[0]]
    if cycles <= 0 or not late:
        return 0.0, 0.0
    beside = 1000 * (long.cpu_s - short.cpu_s) / cycles - plan.work_ms
    return min(plan.work_ms, max(0.0, beside)), max(0.0, median(late))


def _live(saw: Saw) -> dict[str, float]:
    works = [after.started_ms - before.due_ms for before, after in pairwise(saw.waits[0]) if before.due_ms is not None]
    return {
        "nr_periods": float(saw.stat.get("nr_periods", 0)), "nr_throttled": float(saw.stat.get("nr_throttled", 0)),
        "throttled_ms": saw.stat.get("throttled_usec", 0) / 1000, "work_ms": fmean(works) if works else math.nan,
    }  # fmt: skip


def _simulated(plan: Plan, cycle: tuple[float, float], sleep_ms: float, machine: Machine) -> dict[str, Estimate]:
    overhead_ms, late_ms = cycle
    per_s = simulated_work(plan.limit, plan.work_ms + overhead_ms, sleep_ms + late_ms, machine)
    done = per_s["work_ms"]
    return {
        "nr_periods": _times(per_s["nr_periods_per_s"], plan.seconds),
        "nr_throttled": _times(per_s["nr_throttled_per_s"], plan.seconds),
        "throttled_ms": _times(per_s["throttled_usec_per_s"], plan.seconds / 1000),
        "work_ms": Estimate(done.mean + late_ms, done.half_width, done.replications),
    }


def _times(per_s: Estimate, factor: float) -> Estimate:
    return Estimate(per_s.mean * factor, per_s.half_width * factor, per_s.replications)


def _part(progress: Progress, at: int, plan: Plan) -> Progress:
    return lambda seconds: progress(SHARE_LIVE * min(1.0, (at * plan.seconds + seconds) / plan.length_s))
