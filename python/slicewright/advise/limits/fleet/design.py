"""Random loads under limits, simulated by the engine: the data that the surrogate of a fleet is fitted to."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from slicewright._core import Scenario
from slicewright.advise.limits.measured import LATENCY
from slicewright.advise.limits.model import GUEST, NO_LIMIT, Load, Node, Setting, scenario_text
from slicewright.advise.limits.request import PERIOD_MS, TICK_MS
from slicewright.experiment.outcome import columns
from slicewright.experiment.plan import Plan

LIMITS = (0.05, 16.0)
CPU_MS = (0.3, 600.0)
USED = (0.03, 0.94)
LUMPS = (0.01, 6.0)
BATCHES = (1.0, 40.0)
SCVS = (0.0, 0.5, 1.0, 2.0, 4.0, 10.0)
MOST_THREADS = 48
"""Ranges of the draws.  Lumps are those of `lump_ms` over the quota, USED is of the limit."""
SEED, JUDGES = 23, 24
"""Seeds of the draws that are fitted, and of those that judge the fit."""
LONGER = 10.0
"""How many times as long draws that judge are simulated."""
REQUESTS, PERIODS, MOST_EVENTS = 10_000, 250, 50_000
"""Requests and periods that a draw is worth, and the most events: requests, and ticks while they compute.

One replication is simulated: the 99th percentile of four short ones is too small where throttling is rare.
"""
SETTLES = 20.0
"""Times of relaxation that a replication is long: lump / (1 - used)^2 in periods, as of a queue in heavy traffic."""
SURELY_NEVER = 5.0
"""A limit that is this many standard deviations of a period's work above its mean throttles nothing worth a run."""
LEVELS = {name: "cycle_ms" if name == "mean_ms" else f"cycle_{name}" for name in LATENCY}


@dataclass(frozen=True, slots=True)
class Draw:
    """One load under one limit.

    >>> next(draws()).load.threads > 0
    True
    """

    load: Load
    limit: float
    share: float = 1.0
    """Of the time that it is worth."""

    @property
    def setting(self) -> Setting:
        """The limit as a setting."""
        return Setting(self.limit, self.load.threads, PERIOD_MS, 0.0)

    @property
    def plan(self) -> Plan:
        """How long it is simulated: for enough requests and periods, and longer where queues take long to settle."""
        load, quota_ms = self.load, self.limit * PERIOD_MS
        settles = SETTLES * lump_ms(load) / quota_ms / (1 - load.used / self.limit) ** 2
        requests = REQUESTS * (1 + load.scv / 5)
        worth_s = max(requests / load.requests_per_s, max(settles, PERIODS) * PERIOD_MS / 1000)
        seconds = self.share * min(worth_s, MOST_EVENTS / (load.requests_per_s + load.used * 1000 / TICK_MS))
        return Plan(float(f"{seconds:.3g}"), float(f"{max(1.0, seconds / 10):.3g}"), 1)


def lump_ms(load: Load) -> float:
    """The mean square of a batch's work over its mean, ms: how coarsely work comes.

    Of a geometric batch of mean b with requests of mean s and squared coefficient of variation c it is s (2 b - 1 + c).

    >>> lump_ms(Load(40.0, 8.0, 1.0, 3.0, 4))
    48.0
    """
    return load.cpu_ms * (2 * load.batch - 1 + load.scv)


def draws(seed: int = SEED, share: float = 1.0) -> Iterator[Draw]:
    """Loads under limits, without end; the same for the same seed.  `share` is that of the time that they are worth.

    >>> [next(draws()).load.threads for _ in range(2)] == [next(draws()).load.threads] * 2
    True
    """
    stream = random.Random(f"fleet {seed}")

    def between(ends: tuple[float, float]) -> float:
        return math.exp(stream.uniform(math.log(ends[0]), math.log(ends[1])))

    while True:
        limit = between(LIMITS)
        used = stream.uniform(*USED)
        threads = round(between((max(1.0, math.ceil(limit - 1e-9)), MOST_THREADS)))
        cpu_ms, scv, quota_ms = between(CPU_MS), stream.choice(SCVS), limit * PERIOD_MS
        batch = (between(LUMPS) * quota_ms / cpu_ms + 1 - scv) / 2
        if not BATCHES[0] <= batch <= BATCHES[1]:
            continue
        load = Load(used * limit / cpu_ms * 1000, cpu_ms, scv, batch, threads)
        if (1 - used) / math.sqrt(used * lump_ms(load) / quota_ms) < SURELY_NEVER:
            yield Draw(load, limit, share)


def simulated(draw: Draw, seed: int = 1) -> dict[str, float]:
    """The counters and latencies of a draw in the engine; latency is in CPU times of a request.

    `throttled` counts periods of all of the time, also of that in which the kernel counts none because the group is
    idle.  `ratio_` of a latency is the logarithm of that over the same without a limit, `free_` that of the latter.
    """
    limited, free = (_run(draw, limit, seed) for limit in (draw.limit, NO_LIMIT))
    load, throttled = draw.load, limited["nr_throttled"]
    found = {
        "limit": draw.limit, "threads": float(load.threads), "used": load.used / draw.limit, "cpu_ms": load.cpu_ms,
        "batch": load.batch, "scv": load.scv, "periods": draw.plan.interval_s / (PERIOD_MS / 1000),
        "throttled": throttled, "stopped_ms": limited["throttled_usec"] / 1000 / throttled if throttled else math.nan,
    }  # fmt: skip
    for name in LATENCY:
        found[f"ratio_{name}"] = math.log(limited[name] / free[name])
        found[f"free_{name}"] = math.log(free[name] / load.cpu_ms)
    return found


def _run(draw: Draw, limit: float, seed: int) -> dict[str, float]:
    setting = Setting(limit, draw.load.threads, PERIOD_MS, 0.0)
    processors = max(draw.load.threads, math.ceil(draw.limit - 1e-9))
    text = scenario_text(draw.load, setting, Node(processors, TICK_MS), draw.plan)
    tables = Scenario.read(text.encode(), "draw").simulate(seed, (0, 1), 1, draw.plan.warm_up_s)
    counters = columns(tables["cgroups"], {}, ["nr_throttled", "throttled_usec"], 1)
    seen = columns(tables["guests"], {"guest": GUEST}, list(LEVELS.values()), 1)
    found = counters | {name: seen[column] for name, column in LEVELS.items()}
    return {name: float(values[0]) for name, values in found.items()}
