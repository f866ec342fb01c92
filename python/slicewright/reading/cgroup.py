"""A control group with a CPU limit: its loads as scenarios, its counters by intervals, and how much its work varies.

Throttling within a period shows how coarse work is, and batches make up for every other property of a load.  Over
longer times loads differ in the variance of processor time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import numpy as np

from slicewright._core import Scenario
from slicewright.experiment.outcome import Array, Outcome, columns
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate
from slicewright.reading.accept import STOPPED
from slicewright.statistics import fixed
from slicewright.values.numerals import in_scenario

GUEST, _POOL, _GROUP, _LOCK = "requests", "threads", "container", "lock"
"""Their names in the scenario."""
_SOURCE = "source"
NO_LIMIT = math.inf
TICK_MS = 4.0
"""ASSUME: the kernel was built with CONFIG_HZ=250, its own default, and sees at ticks that a quota is used up;
`--assume tick=1ms` where it is 1000."""
MARGIN_PERCENT = 100 * STOPPED
"""How far what is predicted of the last interval may be off, beyond noise; `--assume margin=15%`."""
Arrivals = Literal["geometric", "fixed", "uneven", "swaying", "surging", "regular", "jittered"]

Kind = tuple[float, float, Arrivals]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """How batches arrive: spread of the gaps between them, and the part by which the rate is higher and lower by turns.

    `words` follow "batches of 2".  Sizes of batches are geometric, or the two whole numbers beside the mean.  Where the
    swing is `fitted` requests come alone, and `swing` is where the search begins.
    """

    words: str
    gap_scv: float = 1.0
    swing: float = 0.0
    phase_s: float = 5.0
    geometric: bool = False
    fitted: bool = False

    @property
    def regular(self) -> bool:
        """Whether batches arrive by a clock and not at random."""
        return self.gap_scv < 1

    @property
    def locked(self) -> bool:
        """Whether the gaps are all alike: each replication then has a phase of its own, which no counter shows."""
        return self.gap_scv == 0


PATTERNS: dict[Arrivals, _Pattern] = {
    "geometric": _Pattern("", geometric=True),
    "fixed": _Pattern(" each"),
    "uneven": _Pattern(" each at a rate that varies by {swing} %", swing=0.5),
    "swaying": _Pattern(
        " each at a rate that varies by {swing} % for 3 s at a time", swing=0.5, phase_s=3.0, fitted=True
    ),
    "surging": _Pattern(" each at a rate that varies by {swing} % for 20 s", swing=0.5, phase_s=20.0, fitted=True),
    "regular": _Pattern(" each at equal gaps", gap_scv=0.0),
    "jittered": _Pattern(" each at gaps that vary by 30 %", gap_scv=0.1),
}
"""ASSUME: the ways to arrive that are tried, their swings, phases and spreads of gaps."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group as it is limited: processors' worth, period and burst in ms; processors of its node, if known."""

    limit: float
    period_ms: float
    burst_ms: float = 0.0
    processors: int | None = None

    @property
    def quota_ms(self) -> float:
        """How much it may use in each period."""
        return self.limit * self.period_ms


@dataclass(frozen=True, slots=True)
class Load:
    """A load: requests per s, their mean batch, the CPU time of each, and how many are served at once.

    `serial` is the share of that CPU time in which a request holds one lock that all of them take, as an interpreter's.
    `arrivals` is how they come, one of `PATTERNS`.

    >>> Load(40.0, 8.0, 1.0, 3.0, 4).used
    0.32
    """

    requests_per_s: float
    cpu_ms: float
    scv: float
    batch: float
    threads: int
    serial: float = 0.0
    arrivals: Arrivals = "geometric"
    fitted_swing: float | None = None
    """By which part of the mean the rate is higher and lower by turns; None: by that of the pattern."""

    @property
    def swing(self) -> float:
        """By which part of the mean the rate is higher and lower by turns."""
        return self.pattern.swing if self.fitted_swing is None else self.fitted_swing

    @property
    def come(self) -> str:
        """The words on how batches arrive."""
        return self.pattern.words.format(swing=f"{100 * self.swing:.0f}")

    @property
    def used(self) -> float:
        """Processors' worth that it uses, if it gets them."""
        return self.requests_per_s * self.cpu_ms / 1000

    @property
    def pattern(self) -> _Pattern:
        """How batches arrive."""
        return PATTERNS[self.arrivals]

    def kind(self, bursts: bool) -> Kind:
        """The spread of CPU times, of bursts the pieces, and how requests arrive; a batch is found."""
        return self.scv, self.batch if bursts else 0.0, self.arrivals


@dataclass(frozen=True, slots=True)
class Setting:
    """What may be changed: by the pod's owner the limit (inf: none) and the threads, on the node period and burst."""

    limit: float
    threads: int
    period_ms: float
    burst_ms: float

    @property
    def quota_ms(self) -> float:
        """How much may be used in each period; inf without a limit."""
        return self.limit * self.period_ms


def setting_of(group: Group, load: Load) -> Setting:
    """The settings of now."""
    return Setting(group.limit, load.threads, group.period_ms, group.burst_ms)


@dataclass(frozen=True, slots=True)
class Node:
    """What runs it: processors, and how far apart the ticks are at which the kernel sees that a quota is used up."""

    processors: int
    tick_ms: float = 4.0


def scenario_text(load: Load, setting: Setting, node: Node, plan: Plan) -> str:
    """The complete scenario; the same input gives the same text."""
    period_us = round(setting.period_ms * 1000)
    most = "max" if math.isinf(setting.limit) else str(max(1000, round(setting.quota_ms * 1000)))
    lines = [
        'name = "A container with a CPU limit"', "", "[source]", 'document = "copies of cpu.stat"',
        f"remark = {json.dumps('CPU time and rate of requests as measured; batches and threads fitted')}", "",
        "[cec]", f"processors = {node.processors}", 'dispatcher = "cfs"',
        f'tick = "{in_scenario(node.tick_ms)} ms"',
        'assume = "as many as the load can use: the number on the node is unknown"', "",
        "[[cgroup]]", f'name = "{_GROUP}"', f'"cpu.max" = "{most} {period_us}"',
    ]  # fmt: skip
    if setting.burst_ms > 0 and not math.isinf(setting.limit):
        lines.append(f'"cpu.max.burst" = "{round(setting.burst_ms * 1000)}"')
    lines += ["", "[[resource]]", f'name = "{_POOL}"', f"count = {setting.threads}"]
    if load.serial > 0:
        lines += ["", "[[resource]]", f'name = "{_LOCK}"', "count = 1"]
    lines += [
        "", "[[guest]]", f'name = "{GUEST}"', f'cgroup = "{_GROUP}"', *_arrivals(load),
        f'program = [ {{ hold = "{_POOL}", steps = [ {_work(load)} ] }} ]',
        'calibrated = "batches and threads reproduce how often, and for how long, the group was throttled"',
        *_source(load), "", "[measure]", f'interval = "{in_scenario(plan.interval_s)} s"', "intervals = 1",
        f'warm_up = "{in_scenario(plan.warm_up_s)} s"', f'sample = "{in_scenario(plan.sample_s)} s"',
        f"replications = {plan.replications}", 'assume = "long enough for the curve that advise draws"',
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _arrivals(load: Load) -> list[str]:
    if not load.pattern.geometric:
        return ['arrives = "spawned"']
    return [f'arrivals = "{_rate(load.requests_per_s / load.batch)}/s"', f"batch_mean = {in_scenario(load.batch)}"]


def _source(load: Load) -> list[str]:
    """A guest that spawns requests in batches of the two whole numbers beside the mean; nothing for geometric ones."""
    pattern = load.pattern
    if pattern.geometric:
        return []
    spawn = f'{{ repeat_mean = {in_scenario(load.batch)}, steps = [ {{ spawn = "{GUEST}" }} ] }}'
    phases = []
    for factor in (1 + load.swing, 1 - load.swing) if load.swing else (1.0,):
        per_s = factor * load.requests_per_s / load.batch
        gap = f"{{ think = {_span(1000 / per_s, pattern.gap_scv)} }}"
        count = in_scenario(max(per_s * pattern.phase_s, 1.0))
        phases.append(f"{{ repeat_mean = {count}, steps = [ {gap}, {spawn} ] }}")
    return ["", "[[guest]]", f'name = "{_SOURCE}"', "count = 1", f"program = [ {', '.join(phases)} ]"]


def _work(load: Load) -> str:
    """The CPU time of a request, what is under the lock first; two spans that are drawn vary as much as one would."""
    if load.serial <= 0:
        return f"{{ compute = {_span(load.cpu_ms, load.scv)} }}"
    free = 1 - load.serial
    scv = load.scv / (load.serial**2 + free**2)
    held = f'{{ hold = "{_LOCK}", steps = [ {{ compute = {_span(load.serial * load.cpu_ms, scv)} }} ] }}'
    return held if free <= 0 else f"{held}, {{ compute = {_span(free * load.cpu_ms, scv)} }}"


def _span(mean_ms: float, scv: float) -> str:
    mean = f'"{in_scenario(mean_ms)} ms"'
    if scv == 0:
        return f"{{ constant = {mean} }}"
    if scv == 1:
        return f"{{ exponential = {mean} }}"
    kind = "gamma" if scv < 1 else "hyperexponential"
    return f"{{ {kind} = {mean}, scv = {in_scenario(scv)} }}"


def _rate(value: float) -> str:
    return f"{value:.9g}" if value >= 1e-3 else in_scenario(value)


_PERCENTILES = ("p50_ms", "p90_ms", "p95_ms", "p99_ms")
LATENCY = ("mean_ms", *_PERCENTILES)
"""From the arrival of a request to its end."""
_COUNTERS = {
    "used_s": "usage_usec",
    "periods": "nr_periods",
    "throttled": "nr_throttled",
    "stopped_s": "throttled_usec",
}
"""Totals of the interval, as in `intervals.Interval`, by the columns of the table of control groups."""


@dataclass(frozen=True, slots=True)
class Measured(Outcome):
    """Columns by name: LATENCY, COUNTERS, `served_per_s`, `throttled_percent`; `length_s` of each interval."""

    length_s: float = field(kw_only=True)


def measured(text: str) -> Measured:
    """Simulate a complete scenario as it says that it is measured; raises InputError, RunError."""
    scenario = Scenario.read(text.encode(), "limits")
    count, tables = int(scenario.measure["replications"]), simulate(scenario)
    names = {**{name: f"cycle_{name}" for name in _PERCENTILES}, "mean_ms": "cycle_ms", "served_per_s": "cycles_per_s"}
    requests = columns(tables["guests"], {"guest": GUEST}, list(names.values()), count)
    group = columns(tables["cgroups"], {}, list(_COUNTERS.values()), count)
    found = {name: requests[column] for name, column in names.items()}
    for name, column in _COUNTERS.items():
        found[name] = group[column] / 1e6 if name.endswith("_s") else group[column]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = 100 * found["throttled"] / found["periods"]
    found["throttled_percent"] = np.where(found["periods"] > 0, share, 0.0)
    return Measured(found, text, length_s=float(scenario.measure["interval_s"]))


class Clock(Enum):
    """How the length of an interval is known."""

    TIME = "time"
    """Each copy says when it was made."""
    EVERY = "every"
    """The time between copies is given."""
    PERIODS = "periods"
    """At least nr_periods x period: the kernel's timer rests while a group does nothing (sched-bwc.rst)."""


MOST_USED = 0.97
"""Of what is allowed: above it requests pile up, and what is served is what the limit lets through."""


@dataclass(frozen=True, slots=True)
class Interval:
    """One interval: time used, periods counted, periods throttled, and the time stopped in all.

    `length_s` is how long it was; where `clock` is PERIODS that is the least that it can have been.  `first` and `last`
    are numbers of copies, from 1; 0 is when the group was made.  `stopped_s` is None where no copy has it.

    >>> one = Interval(1, 2, 20.0, 600, 120, 9.0, 60.0, Clock.EVERY)
    >>> one.throttled_percent, one.stopped_ms
    (20.0, 75.0)
    """

    first: int
    last: int
    used_s: float
    periods: int
    throttled: int
    stopped_s: float | None
    length_s: float
    clock: Clock

    @property
    def throttled_percent(self) -> float:
        """The share of the periods that were throttled, in percent; 0 where none was counted."""
        return 100 * self.throttled / self.periods if self.periods else 0.0

    @property
    def stopped_ms(self) -> float | None:
        """For how long processors were stopped, in ms of each throttled period; 0 without any, None: not known."""
        if self.stopped_s is None:
            return None
        return 1000 * self.stopped_s / self.throttled if self.throttled else 0.0

    @property
    def stopped_percent(self) -> float | None:
        """Stopped processors' worth, in percent of one, over all of the time; None where it is not known."""
        return None if self.stopped_s is None else 100 * self.stopped_s / self.length_s if self.length_s else 0.0

    @property
    def name(self) -> str:
        """In words: from which copy to which."""
        return f"copy {self.first} to {self.last}" if self.first else f"until copy {self.last}"


def pooled(parts: Sequence[Interval]) -> Interval:
    """Several intervals, one after the other, as one.

    >>> half = Interval(1, 2, 10.0, 300, 60, 4.5, 30.0, Clock.EVERY)
    >>> pooled([half, half]).throttled_percent, pooled([half, half]).length_s
    (20.0, 60.0)
    """
    first, last = parts[0], parts[-1]
    return Interval(
        first.first, last.last, sum(part.used_s for part in parts), sum(part.periods for part in parts),
        sum(part.throttled for part in parts), _sum([part.stopped_s for part in parts]),
        sum(part.length_s for part in parts),
        first.clock,
    )  # fmt: skip


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


_LEVEL = 0.01
"""A load is refuted where it would show less variation, or more, than was measured this seldom."""
MODEL = 2.0
"""ASSUME: factor by which a variance may be off in addition: lumps of work are inferred from throttling."""
MORE, _LESS = "varies more", "varies less"
"""First words on a load that varies more, or less, from interval to interval than what was measured."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Processor time used in some intervals of about the same load.

    `length_s` is the mean length of an interval.  `squares_s2` sums the squared differences from a constant rate.
    """

    length_s: float
    count: int
    squares_s2: float
    used_s: float

    @property
    def deviation_s(self) -> float:
        """The standard deviation of what an interval used."""
        return math.sqrt(self.squares_s2 / (self.count - 1))


def spread_of(found: Sequence[Interval]) -> Spread | None:
    """The spread between intervals; None where there are fewer than two, or only their periods say how long they were.

    >>> alike = [Interval(at, at + 1, 9.0, 900, 600, 52.2, 300.0, Clock.TIME) for at in (1, 2, 3)]
    >>> spread_of(alike)
    Spread(length_s=300.0, count=3, squares_s2=0.0, used_s=9.0)
    """
    timed = [interval for interval in found if interval.clock is not Clock.PERIODS]
    if len(timed) < 2:
        return None
    length = sum(interval.length_s for interval in timed)
    rate = sum(interval.used_s for interval in timed) / length
    # A longer interval varies more, in proportion to its length.
    mean = length / len(timed)
    squares = sum(
        (interval.used_s - rate * interval.length_s) ** 2 * mean / interval.length_s for interval in timed
    )  # fmt: skip
    return Spread(mean, len(timed), float(f"{squares:.9g}"), rate * mean)


def variance_s2(load: Load, length_s: float) -> tuple[float, float]:
    """The least and the most variance of the work that arrives in an interval, s² of processor time.

    Batches arrive as a renewal process: variance of their number over its mean is the spread of the gaps (Cox, Renewal
    Theory, 1962, section 4.2).  Of a geometric batch of mean b the second moment over the mean is 2 b - 1.  A rate that
    rises and falls adds the variance of its integral: least where it does so by a clock, most where it switches at
    random, so that its correlation falls as exp(-2 t / phase).

    >>> random, regular = (Load(1.0, 30.0, 0.0, 1.0, 1, arrivals=kind) for kind in ("geometric", "regular"))
    >>> round(variance_s2(random, 300.0)[0], 6), variance_s2(regular, 300.0)
    (0.27, (0.0, 0.0))
    """
    pattern, work, each = load.pattern, load.used * length_s, load.cpu_ms / 1000
    rest = load.batch % 1
    lump = 2 * load.batch - 1 if pattern.geometric else pattern.gap_scv * load.batch + rest * (1 - rest) / load.batch
    steady = work * each * (lump + load.scv)
    if not load.swing:
        return steady, steady
    cycle_s, kept_s = 2 * pattern.phase_s, pattern.phase_s / 2
    part_s = min(length_s % cycle_s, -length_s % cycle_s)
    by_clock = part_s**2 * (1 - 4 * part_s / (3 * cycle_s))
    random = 2 * kept_s * (length_s - kept_s * (1 - math.exp(-length_s / kept_s)))
    low, high = sorted((by_clock, random))
    return steady + (load.swing * load.used) ** 2 * low, steady + (load.swing * load.used) ** 2 * high


def refuted(load: Load, seen: Spread | None, group: Group) -> str:
    """Why the spread between intervals refutes a load; empty where it does not, or where nothing is known of it.

    Queues even out what is used: an interval shorter than they last shows less variation.  The end of an interval may
    cut a batch, which is not held against a load.

    >>> seen = Spread(300.0, 3, 0.0, 9.0)
    >>> refuted(Load(1.0, 30.0, 0.0, 1.0, 1), seen, Group(0.13, 100.0))
    'varies more from interval to interval than measured: .52 s of processor time, measured .00 s'
    >>> refuted(Load(1.0, 30.0, 0.0, 1.0, 1, arrivals="regular"), seen, Group(0.13, 100.0))
    ''
    """
    if seen is None:
        return ""
    degrees, (least, most) = seen.count - 1, variance_s2(load, seen.length_s)
    batch_s = load.batch * load.cpu_ms / 1000
    # Lumps of work are inferred from throttling where requests come at random; a clock has none to infer.
    off = 1.0 if load.pattern.regular else MODEL
    low = least * seen.length_s / (seen.length_s + 2 * _queue_s(load, group))
    rounded = 0.0
    if load.scv == 0 and not load.pattern.geometric:
        # Whole batches alone make up a mean that is no multiple of them by more of them in some intervals.
        part = seen.used_s / batch_s % 1
        low, rounded = max(low, part * (1 - part) * batch_s**2), degrees * batch_s**2 / 12
    words = f"from interval to interval than measured: {fixed(math.sqrt(max(low, most)), 2)} s of processor time,"
    words = f"{words} measured {fixed(seen.deviation_s, 2)} s"
    high = off * (most + batch_s**2 / 2)
    less, _ = sides(*(np.array(each) for each in (degrees, seen.squares_s2 + rounded, low / off, high)))
    _, more = sides(*(np.array(each) for each in (degrees, seen.squares_s2, low / off, high)))
    return f"{MORE} {words}" if less else f"{_LESS} {words}" if more else ""


def sides(degrees: Array, squares_s2: Array, low_s2: Array, high_s2: Array) -> tuple[Array, Array]:
    """Where variation is less than the lower, and where it is more than the higher of two variances would show."""
    from scipy.special import chdtr, chdtrc

    with np.errstate(invalid="ignore", divide="ignore"):
        less = (low_s2 > 0) & (chdtr(degrees, squares_s2 / low_s2) < _LEVEL)
        more = (high_s2 > 0) & (chdtrc(degrees, squares_s2 / high_s2) < _LEVEL)
    return less, more


def _queue_s(load: Load, group: Group) -> float:
    """How long a queue lasts under the limit: the relaxation time of a queue in heavy traffic."""
    busy = min(load.used / group.limit, 0.99)
    lump_ms = load.cpu_ms * (2 * load.batch - 1 + load.scv)
    return group.period_ms / 1000 * lump_ms / group.quota_ms / (1 - busy) ** 2


FIT_REQUESTS, CURVE_REQUESTS = 20_000, 60_000
"""Requests simulated in all for a step of a fit, and for a point of a curve."""
FIT_RUNS, CURVE_RUNS = 4, 10
_SPREAD = 5.0
"""The spread of CPU times at which twice as many requests are simulated: a few long ones decide, and are rare."""
_FEWEST_PERIODS, _MOST_PERIODS = 100, 10_000
"""Periods that each replication has at least, and at most."""


@dataclass
class LimitSimulations:
    """Trials by load, setting and plan, simulated when first asked for; `processors` of the node, None is not known."""

    processors: int | None = None
    tick_ms: float = TICK_MS
    done: Callable[[int], None] = lambda replications: None
    """Called after each simulation with its replications."""
    seen: dict[tuple[Load, Setting, Plan], Measured] = field(default_factory=dict)

    def at(self, load: Load, setting: Setting, plan: Plan | None = None) -> Measured:
        """The trial of a load under a setting; without a plan one that is good enough for a fit."""
        plan = plan or plan_for(load, setting.period_ms, FIT_REQUESTS, FIT_RUNS)
        key = (load, setting, plan)
        if key not in self.seen:
            self.seen[key] = measured(self.text(load, setting, plan))
            self.done(plan.replications)
        return self.seen[key]

    def text(self, load: Load, setting: Setting, plan: Plan) -> str:
        """The complete scenario.  Where the number of the node's processors is not given, each thread finds one."""
        wanted = max(setting.threads, 1 if math.isinf(setting.limit) else math.ceil(setting.limit - 1e-9))
        return scenario_text(load, setting, Node(self.processors or wanted, self.tick_ms), plan)


def plan_for(load: Load, period_ms: float, requests: int, runs: int) -> Plan:
    """A plan that simulates about this number of requests in all, and at least FEWEST_PERIODS in each replication.

    >>> plan_for(Load(40.0, 8.0, 1.0, 3.0, 4), 100.0, 12_000, 4)
    Plan(interval_s=90.0, warm_up_s=4.5, replications=4)
    """
    requests = round(requests * (1 + load.scv / _SPREAD))
    least, most = (count * period_ms / 1000 for count in (_FEWEST_PERIODS, _MOST_PERIODS))
    interval = float(f"{min(max(requests / runs / load.requests_per_s, least), most):.3g}")
    return Plan(interval, float(f"{max(interval / 20, 10 * period_ms / 1000):.2g}"), runs)
