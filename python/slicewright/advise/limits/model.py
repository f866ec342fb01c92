"""A control group with a CPU limit as a scenario: its load and settings, and what a simulation measures of it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from slicewright._core import Scenario
from slicewright.experiment.outcome import Outcome, columns
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import simulate
from slicewright.values.numerals import in_scenario

GUEST, _POOL, _GROUP, _LOCK = "requests", "threads", "container", "lock"
"""Their names in the scenario."""
_SOURCE = "source"
NO_LIMIT = math.inf
Arrivals = Literal["geometric", "fixed", "uneven", "swaying", "surging", "regular", "jittered"]


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
