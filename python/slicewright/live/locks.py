"""`live yields`: threads behind one lock on fewer processors than threads, measured here and simulated.

The simulation rests on the constants of the machine, each measured apart from the locks under test.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from slicewright._core import InputError, live_lock_costs, live_tick_s
from slicewright.live.experiment import (
    GROUP,
    RELATIVE,
    Experiment,
    Paired,
    Progress,
    Result,
    Words,
    agreed,
    checked,
    chosen,
    counts_of,
    in_turn,
    outside,
    span_ms,
    spans_ms,
    summed,
    wrong_length,
)
from slicewright.live.groups import Group, heavy_group
from slicewright.live.locks_program import Job, Method
from slicewright.live.locks_program import measure as run_job
from slicewright.live.machine import (
    Elsewhere,
    Environment,
    environment,
    last_processors,
    load_average,
    number_after,
    processors_here,
)
from slicewright.live.tables import both_sides, constants_section, sides, table_section
from slicewright.live.workers import answers
from slicewright.report.figure import Figure, Panel
from slicewright.report.model import Section
from slicewright.statistics import Estimate, estimate, fixed, plural
from slicewright.values.errors import problem, refusal
from slicewright.values.settings import Option, whole

METHODS: tuple[Method, ...] = get_args(Method)

RUNS = 5
"""Runs of each pair, which the interval of a live mean is made from."""
REPLICATIONS = 20
ABSOLUTE_US = 1000.0
"""Live and simulated waits agree also when they differ by at most 1 ms."""

_LEAST_RUN_S, _LONGEST_S = 0.1, 900.0
_SHARE_LIVE = 0.8
_ALONE_S, _ALONE_RUNS = 0.06, 3
_NO_GROUP = "no control group of its own (no right, or no cpu controller): other work on its processors weighs as much"

LIVE = ("locks_per_s", "wait_us", "p50_us", "p95_us", "p99_us", "held_us", "cpu_us", "gave_up", "taken_away")
SIMULATED = ("locks_per_s", "wait_us", "p50_us", "p95_us", "p99_us", "held_us", "cpu_us", "yields", "sleeps")

YieldRule = Literal["forfeit", "deadline"]
"""What sched_yield takes from its caller: the rest of its virtual slice, or only its place by deadline."""

_HALF = 0.25
"""A thread that yields beside one that computes has half of the processor, or next to nothing: the border."""

_KERNEL_SLICE_MS, _MOST_COUNTED = 0.7, 8
"""The kernel's base slice: .7 ms x (1 + log2 of its processors, 8 at most), since 6.16."""


@dataclass(frozen=True)
class Plan:
    """Threads on processors, hogs beside them, holding times and work outside the lock in us, seconds for each pair."""

    threads: int = 4
    processors: tuple[int, ...] = (0,)
    hogs: tuple[int, ...] = (0, 1, 2)
    holds_us: tuple[float, ...] = (2.0, 20.0, 200.0)
    methods: tuple[Method, ...] = METHODS
    think_us: float = 100.0
    tries: int = 100
    seconds: float = 2.0
    seed: int = 1

    @property
    def pairs(self) -> list[tuple[Method, int, float]]:
        """Method, hogs and holding time of each pair, in the order in which they are shown."""
        return [(method, hogs, hold) for hold in self.holds_us for hogs in self.hogs for method in self.methods]

    @property
    def run_s(self) -> float:
        """How long one run is, in seconds."""
        return self.seconds / RUNS

    def check(self) -> Plan:
        """The same plan; raises InputError with everything that is wrong with it."""
        problems = [
            *outside("threads", [self.threads], (1, 64), "threads"),
            *outside("hogs", self.hogs, (0, 64), "threads beside them"),
            *outside("hold", self.holds_us, (0.1, 10_000.0), "us under the lock"),
            *outside("think", [self.think_us], (1.0, 10_000.0), "us outside the lock"),
            *outside("tries", [self.tries], (1, 1_000_000), "tries before a yield"),
            *wrong_length(
                ("pair", self.seconds, RUNS * _LEAST_RUN_S), self.seconds * len(self.pairs), _LONGEST_S,
                f"each pair is measured in {RUNS} runs",
            ),
        ]  # fmt: skip
        return checked(self, problems)


@dataclass(frozen=True)
class Constants:
    """Spans in ns: a turn of work, a try, the calls that yield, sleep and wake, a switch; then the scheduler's."""

    turn_ns: float = 1.0
    attempt_ns: float = 10.0
    yield_ns: float = 300.0
    switch_ns: float = 1000.0
    sleep_ns: float = 300.0
    wake_ns: float = 1000.0
    yields_per_s: float = 0.0
    yielder_share: float = 0.0
    tick_ms: float = 4.0
    base_slice_ms: float = 3.0
    sched_yield: YieldRule = "forfeit"

    @staticmethod
    def of(costs: Mapping[str, float], tick_ms: float, processors: int) -> Constants:
        """The constants from what was measured on a processor.

        A kernel whose yields forfeit a slice says by their rate how long a slice is: beside a thread that computes, a
        yield costs one.  Another one shows it in /proc/self/sched, or has the usual one.

        >>> constants = Constants.of({"yields_per_s": 1000.0, "yielder_share": 0.01, "turn_ns": 0.2}, 4.0, 2)
        >>> constants.base_slice_ms, constants.sched_yield
        (1.0, 'forfeit')
        """
        rule: YieldRule = "deadline" if costs["yielder_share"] > _HALF else "forfeit"
        measured = 1000.0 / costs["yields_per_s"] if costs["yields_per_s"] > 0 else math.nan
        slice_ms = measured if rule == "forfeit" else _shown_slice_ms()
        if not 0.1 <= slice_ms <= 1000.0:
            slice_ms = _KERNEL_SLICE_MS * (1 + math.floor(math.log2(min(processors, _MOST_COUNTED))))
        return Constants(**dict(costs), tick_ms=tick_ms, base_slice_ms=slice_ms, sched_yield=rule)


def _shown_slice_ms(file: Path = Path("/proc/self/sched")) -> float:
    """The base slice that the kernel shows, in ms; not a number where it shows none."""
    slice_ns = number_after(file, r"se\.slice\s*:")
    return math.nan if slice_ns is None else slice_ns / 1e6


@dataclass(frozen=True)
class Times:
    """The times of one thread alone, in us: work outside, the way to the lock, the time under it."""

    outside_us: float
    take_us: float
    hold_us: float


@dataclass(frozen=True)
class _Alone:
    """The times of one method and holding time."""

    method: Method
    hold_us: float
    alone: Times


def _times_of(every: Sequence[_Alone], method: Method, hold_us: float) -> Times:
    """The times of a thread alone with a method and a holding time."""
    return next(kind.alone for kind in every if (kind.method, kind.hold_us) == (method, hold_us))


@dataclass(frozen=True)
class _Pair(Paired):
    """One method, number of hogs and holding time."""

    method: Method
    hogs: int
    hold_us: float
    others_percent: float
    live: Mapping[str, Estimate]
    simulated: Mapping[str, Estimate]
    KEPT: ClassVar = ("verdicts",)
    JUDGED: ClassVar = {"locks_per_s": 0.0, "wait_us": ABSOLUTE_US}


@dataclass(frozen=True)
class _LocksResult(Result):
    """A plan that was measured and simulated; `left_out` says why a method was not measured here."""

    plan: Plan
    environment: Environment
    constants: Constants
    alone: tuple[_Alone, ...]
    pairs: tuple[_Pair, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    KIND: ClassVar = "live yields"
    KEPT: ClassVar = ("agree", "warnings")

    @property
    def agree(self) -> dict[str, int]:
        """How many pairs agree, by what is judged."""
        return agreed(self.pairs, _Pair.JUDGED)

    @property
    def warnings(self) -> list[str]:
        """Disturbances, and methods that could not be measured."""
        left_out = [f"{method} was not measured: {why}" for method, why in self.left_out.items()]
        return [*self.environment.warnings(), *left_out]


class Locks(Experiment[Plan, _LocksResult]):
    """Threads behind a lock."""

    name = "yields"
    summary = "Measure threads behind a lock on fewer processors."
    help = """Measure threads behind one lock on fewer processors than threads, and simulate the same.

    Methods: spin is test and set, ticket is served in turn.  With yield and ticket-yield threads call sched_yield after
    --tries.  With futex they sleep at once.  With handover they yield, and the holder is at nice -20, which needs
    CAP_SYS_NICE.  The simulation uses costs that are measured before, and printed.

    \b
    Example:
      slicewright live yields --hogs 0,2 --hold 20us --methods spin,futex --for 1s
    """
    options = (
        Option("threads", "N", "Threads that share the lock.", takes=whole(), default=4),
        Option("processors", "N", "Processors for all of them: the last ones.", takes=whole(), default=1),
        Option("hogs", "N,N,...", "Threads beside them that only compute.", default="0,1,2"),
        Option("hold", "SPAN,...", "Work under the lock.", default="2us,20us,200us"),
        Option("think", "SPAN", "Mean work outside the lock.", default="100us"),
        Option("methods", "METHOD,...", "How threads wait.", default=",".join(METHODS)),
        Option("tries", "N", "Tries before a yield.", takes=whole(), default=100),
        Option("for", "SPAN", "Time of each pair of method and load.", default="2s"),
        GROUP,
        Option("seed", "N", "Random seed of work.", takes=whole(), default=1),
    )
    reads: ClassVar = {
        "hold": spans_ms, "think": span_ms, "for": span_ms,
        "methods": lambda text, key: chosen(text, key, "method", METHODS), "hogs": counts_of,
        "processors": lambda count, key: last_processors(count),
    }  # fmt: skip
    result = _LocksResult

    def plan(self, given: Mapping[str, Any]) -> Plan:
        """The plan from the values of the options."""
        holds_us = tuple(1000 * span for span in given["hold"])
        return Plan(
            given["threads"], given["processors"], given["hogs"], holds_us, given["methods"], 1000 * given["think"],
            given["tries"], given["for"] / 1000, given["seed"],
        ).check()  # fmt: skip

    def measure(self, plan: Plan, parent: Path | None = None, progress: Progress = lambda share: None) -> _LocksResult:
        """The constants, every pair in several runs, then the same simulated."""
        plan.check()
        load = load_average()
        constants = Constants.of(live_lock_costs(plan.processors[-1]), live_tick_s() * 1000, len(processors_here()))
        plan, left_out = _allowed(plan, constants)
        with heavy_group(parent) as group:
            groups = [group] if group else []
            alone = _alone(plan, constants, groups)
            jobs = [_job(plan, pair, constants, run) for run in range(RUNS) for pair in plan.pairs]
            seen = answers(run_job, jobs, groups, lambda done, _: progress(_SHARE_LIVE * done / len(jobs)))
        around, version = ((), group.version) if group else ((_NO_GROUP,), 0)
        where = environment(plan.processors[-1], version, load, Elsewhere.of([run.elsewhere for run in seen]), around)
        pairs = []
        for at, pair in enumerate(in_turn(plan.pairs, progress, _SHARE_LIVE)):
            others, live = summed(seen[at :: len(plan.pairs)], LIVE)
            times = _times_of(alone, pair[0], pair[2])
            pairs.append(_Pair(*pair, others, live, simulated_lock(plan, pair, constants, times)))
        return _LocksResult(plan, where, constants, alone, tuple(pairs), left_out)

    def words(self, result: _LocksResult) -> Words:
        """The report of a result."""
        plan, environment = result.plan, result.environment
        where = f"{len(plan.processors)} of {plural(environment.processors, 'processor')}"
        measured = (
            f"{plural(plan.threads, 'thread')} behind one lock on {where}, {plan.think_us:.6g} us of work outside it; "
            f"{plan.seconds:.4g} s for each pair in {RUNS} runs"
        )
        agree = {name: f"{count} of {len(result.pairs)}" for name, count in result.agree.items()}
        sections = [_constants(result), _rates(result, agree), _costs(result)]
        facts = [("locks a second that agree", agree["locks_per_s"]), ("mean waits that agree", agree["wait_us"])]
        return Words("A lock, live and simulated", environment.line(), measured, sections, facts)


def _allowed(plan: Plan, constants: Constants) -> tuple[Plan, dict[str, str]]:
    """The plan without the method that this user has no right to; raises InputError when nothing is left."""
    if "handover" not in plan.methods:
        return plan, {}
    try:
        answers(run_job, [_job(replace(plan, threads=1), ("handover", 0, 1.0), constants, 0, 0.002)])
        return plan, {}
    except InputError as error:
        why = "; ".join(str(row.get("why") or row.get("what")) for row in error.problems)
    rest = tuple(method for method in plan.methods if method != "handover")
    left_out = {"handover": f"{why}; a holder's priority needs CAP_SYS_NICE (root), or `ulimit -e 40`"}
    if not rest:
        allowed = "root, `ulimit -e 40`, or other methods"
        raise refusal(problem("the priority of a holder cannot be lifted", key="methods", why=why, allowed=allowed))
    return replace(plan, methods=rest), left_out


def _job(plan: Plan, pair: tuple[Method, int, float], constants: Constants, run: int, seconds: float = 0.0) -> Job:
    method, hogs, hold_us = pair
    turns = (_turns(plan.think_us, constants), _turns(hold_us, constants))
    length_ns = round(1e9 * (seconds or plan.run_s))
    return Job(method, plan.processors, plan.threads, hogs, turns, plan.tries, length_ns, plan.seed + run)


def _turns(us: float, constants: Constants) -> int:
    return round(us * 1000 / constants.turn_ns)


def _alone(plan: Plan, constants: Constants, groups: Sequence[Group]) -> tuple[_Alone, ...]:
    """The times of a thread by itself, of each method and holding time: the quickest of some runs."""
    single = replace(plan, threads=1)
    kinds = [(method, hold_us) for method in plan.methods for hold_us in plan.holds_us]
    jobs = [
        _job(single, (method, 0, hold_us), constants, run, _ALONE_S)
        for method, hold_us in kinds
        for run in range(_ALONE_RUNS)
    ]
    seen = answers(run_job, jobs, groups)
    found = []
    for at, kind in enumerate(kinds):
        best = min(seen[at * _ALONE_RUNS : (at + 1) * _ALONE_RUNS], key=lambda own: own.cpu_us)
        outside_us = max(0.001, best.cpu_us - best.usual_wait_us - best.usual_held_us)
        found.append(_Alone(*kind, Times(outside_us, best.usual_wait_us, best.usual_held_us)))
    return tuple(found)


_USER, _HOG, _CGROUP, _LOCK = "USER", "HOG", "live", "L"
_HOG_MS = 1.0
"""A hog computes in pieces, so that its pieces count its processor time."""

_LIFTED = -20

_WAYS: Mapping[Method, tuple[str, str]] = {
    "spin": ("spin", "unordered"), "ticket": ("spin", "ticket"), "yield": ("yield", "unordered"),
    "ticket-yield": ("yield", "ticket"), "futex": ("sleep", "unordered"), "handover": ("yield", "unordered"),
}  # fmt: skip
"""How the scenario says what a method does: what a waiting thread does, and the order of grants."""

_COUNTERS = ("wait_us", "wait_p50_us", "wait_p95_us", "wait_p99_us", "held_us")


def _scenario(plan: Plan, pair: tuple[Method, int, float], constants: Constants, alone: Times) -> str:
    """Threads, their lock and hogs on a few processors, as TOML.

    A run is as long as a live one, and begins as that does: with threads that all want to run, and a free lock. Work
    outside the lock is uniform from half to one and a half of its mean, as it is live.
    """
    method, hogs, hold_us = pair
    drawn = f'["{alone.outside_us / 2:.6f} us", "{1.5 * alone.outside_us:.6f} us"]'
    under = f'{{ thread_lock = "{_LOCK}", steps = [ {{ compute = "{alone.hold_us:.6f} us" }} ] }}'
    lines = [
        f'name = "{method}, {hogs} hogs, {hold_us:.6g} us"', "", "[cec]", f"processors = {len(plan.processors)}",
        'dispatcher = "cfs"', f'base_slice = "{constants.base_slice_ms:.6f} ms"',
        f'tick = "{constants.tick_ms:.6f} ms"',
        'wakeup_preemption = "no"', 'slice_ends = "ticks"', f'sched_yield = "{constants.sched_yield}"',
        f'switch = "{constants.switch_ns:.3f} ns"', "", "[[cgroup]]", f'name = "{_CGROUP}"', "",
        *_lock(plan, method, constants, alone),
        *_guest(_USER, plan.threads, f"{{ compute = {{ uniform = {drawn} }} }}, {under}"),
    ]  # fmt: skip
    if hogs:
        lines += _guest(_HOG, hogs, f'{{ compute = "{_HOG_MS:g} ms" }}')
    lines += ["[measure]", f'interval = "{plan.run_s:.6f} s"', 'warm_up = "0 s"', f"replications = {REPLICATIONS}", ""]
    return "\n".join(lines)


def _lock(plan: Plan, method: Method, constants: Constants, alone: Times) -> list[str]:
    wait, order = _WAYS[method]
    own = [f'attempt = "{max(1.0, 1000 * alone.take_us):.3f} ns"']
    if wait == "yield":
        # While it waits a try is one of the loop; the first one has the whole way to the lock.
        tries = max(1, round(plan.tries * constants.attempt_ns / max(1.0, 1000 * alone.take_us)))
        own += [f"tries = {tries}", f'call = "{constants.yield_ns:.3f} ns"']
    if wait == "sleep":
        own += [f'call = "{constants.sleep_ns:.3f} ns"', f'wake = "{constants.wake_ns:.3f} ns"']
    if method == "handover":
        own.append(f"lift = {_LIFTED}")
    return ["[[thread_lock]]", f'name = "{_LOCK}"', f'wait = "{wait}"', f'order = "{order}"', *own, ""]


def _guest(name: str, count: int, program: str) -> list[str]:
    return [
        "[[guest]]",
        f'name = "{name}"',
        f'cgroup = "{_CGROUP}"',
        f"count = {count}",
        f"program = [ {program} ]",
        "",
    ]


def simulated_lock(
    plan: Plan, pair: tuple[Method, int, float], constants: Constants, alone: Times
) -> dict[str, Estimate]:
    """Locks a second, waits and holds in us, processor time of a lock in us, yields and sleeps for each lock.

    >>> found = simulated_lock(Plan(threads=1), ("spin", 0, 20.0), Constants(switch_ns=0.0), Times(79.0, 1.0, 20.0))
    >>> round(found["locks_per_s"].mean / 100), round(found["cpu_us"].mean)
    (100, 100)
    """
    from slicewright.run.run import run

    result = run(_scenario(plan, pair, constants, alone), seed=plan.seed, replications=REPLICATIONS)
    rates = result.values("thread_locks", "taken_per_s", _LOCK)
    found = {name.replace("wait_p", "p"): result.values("thread_locks", name, _LOCK) for name in _COUNTERS}
    used = [usage / 1e6 / plan.run_s for usage in result.values("cgroups", "usage_usec", _CGROUP)]
    hogs = result.values("guests", "cycles_per_s", _HOG) if pair[1] else [0.0] * REPLICATIONS
    found["cpu_us"] = [
        1e6 * (busy - each * _HOG_MS / 1e3) / rate if rate else 0.0
        for busy, each, rate in zip(used, hogs, rates, strict=True)
    ]
    for name in ("yields", "sleeps"):
        each = result.values("thread_locks", f"{name}_per_s", _LOCK)
        found[name] = [value / rate if rate else 0.0 for value, rate in zip(each, rates, strict=True)]
    return {"locks_per_s": estimate(rates), **{name: estimate(values) for name, values in found.items()}}


def _constants(result: _LocksResult) -> Section:
    own = result.constants
    rule = {"forfeit": "forfeits the rest of a base slice", "deadline": "only defers its caller's deadline"}
    rows = [
        ("a try of a held lock", f"{fixed(own.attempt_ns, 1)} ns"),
        ("sched_yield, alone", f"{fixed(own.yield_ns, 0)} ns"),
        ("a switch to another thread", f"{fixed(own.switch_ns, 0)} ns"),
        ("the futex calls that sleep and wake", f"{fixed(own.sleep_ns, 0)} and {fixed(own.wake_ns, 0)} ns"),
        ("base slice and tick", f"{fixed(own.base_slice_ms, 2)} and {own.tick_ms:.4g} ms"),
        (
            "sched_yield beside a thread that computes",
            f"{rule[own.sched_yield]} ({fixed(own.yields_per_s, 0)} a second)",
        ),
    ]
    for each in result.alone:
        if each.hold_us == result.plan.holds_us[0]:
            turn_us = each.alone.outside_us + each.alone.take_us + each.alone.hold_us
            over = turn_us - result.plan.think_us - each.hold_us
            rows.append((f"a turn with {each.method}, beside its work", f"{fixed(1000 * max(over, 0.0), 0)} ns"))
    return constants_section(rows)


_RATES = """
    hold_us               | :.6g    | hold us
    hogs                  | :d
    method
    live.locks_per_s      | ±       | locks/s, live
    simulated.locks_per_s | ±       | simulated
    verdicts.locks_per_s  | verdict | verdict
    live.wait_us          | ±       | mean wait us
    simulated.wait_us     | ±       | simulated
    verdicts.wait_us      | verdict | verdict
    live.p95_us           | .1      | 95 % us
    simulated.p95_us      | .1      | simulated
    live.p99_us           | .1      | 99 % us
    simulated.p99_us      | .1      | simulated
"""
_COSTS = """
    hold_us               | :.6g    | hold us
    hogs                  | :d
    method
    live.cpu_us           | .1      | cpu/lock us
    simulated.cpu_us      | .1      | simulated
    live.held_us          | .1      | held us
    simulated.held_us     | .1      | simulated
    off                   | .0      | holder off %
    off_simulated         | .0      | simulated
    live.gave_up          | .3      | gave up
    live.taken_away       | .3      | taken
    simulated.yields      | .3      | yields
    simulated.sleeps      | .3      | sleeps
"""


def _rates(result: _LocksResult, agree: dict[str, str]) -> Section:
    legend = (
        f"{agree['locks_per_s']} rates within {fixed(100 * RELATIVE, 0)} %, {agree['wait_us']} mean waits within that "
        f"or {ABSOLUTE_US / 1000:g} ms; ± 95 %, live from {RUNS} runs, simulated from {REPLICATIONS}. A wait is from "
        "the first try to having the lock. Too noisy: outside the band, where the intervals leave it open or others "
        "took more than 3 % of the processors."
    )
    caption = "Locks a second by method, live and simulated; bars are 95 % intervals."
    titled = ("Locks a second, and waits", legend)
    return table_section(titled, _RATES, result.pairs, [_figure(result).captioned(caption)])


def _costs(result: _LocksResult) -> Section:
    def off(side: str) -> Callable[[_Pair], float]:
        def share(pair: _Pair) -> float:
            held, alone = getattr(pair, side)["held_us"].mean, _times_of(result.alone, pair.method, pair.hold_us)
            return 100 * max(0.0, 1 - alone.hold_us / held) if held > 0 else math.nan

        return share

    legend = (
        "Cpu/lock: processor time of the threads for each lock. Holder off: share of the time under the lock in which "
        "the holder had no processor. Gave up, taken: switches for each lock, voluntary and not, as /proc counts them; "
        "a yield is among the second. Yields, sleeps: calls for each lock, simulated."
    )
    values = {"off": off("live"), "off_simulated": off("simulated")}
    return table_section(("What a lock costs", legend), _COSTS, result.pairs, values=values)


def _figure(result: _LocksResult) -> Figure:
    """Locks a second by method: a panel for each number of hogs, at the middle holding time."""
    holds = sorted(result.plan.holds_us)
    hold_us = holds[len(holds) // 2]
    panels = []
    for hogs in result.plan.hogs:
        pairs = [pair for pair in result.pairs if pair.hogs == hogs and pair.hold_us == hold_us]
        points = both_sides(range(1, len(pairs) + 1), *sides(pairs, "locks_per_s"))
        label = f"Locks/s; {plural(hogs, 'hog')}, {hold_us:.6g} us held"
        panels.append(Panel(label, points, names=[pair.method for pair in pairs]))
    return Figure(panels, "Method")
