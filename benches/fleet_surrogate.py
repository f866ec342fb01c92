"""Fit the surrogate of a fleet to simulations of the engine, and write it with its error.

    python -m benches.fleet_surrogate [DRAWS] > python/slicewright/reading/surrogate.json

Random loads under limits are simulated; a small network of two layers of tanh is fitted to each of their outcomes.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from slicewright._core import Scenario, __version__
from slicewright.advise.limits.request import PERIOD_MS
from slicewright.experiment.outcome import Array, columns
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import processors
from slicewright.reading.cgroup import GUEST, LATENCY, NO_LIMIT, TICK_MS, Load, Node, Setting, scenario_text
from slicewright.reading.surrogate import (
    BATCHES,
    FREE,
    LIMITED,
    LUMPS,
    Loads,
    Network,
    free_inputs,
    limited_inputs,
    of,
)

UNITS = 48
"""Units of each of the two layers."""
STEPS, RATE, DECAY = 6_000, 4e-3, 0.05
"""Steps of the fit, its first step size, and the decay of weights."""
BATCH = 512
FIRST, SECOND = 0.9, 0.999
"""Decay of the moments (Kingma and Ba, Adam, 2015)."""
LIMITS = (0.05, 16.0)
CPU_MS = (0.3, 600.0)
USED = (0.03, 0.94)
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


def counted(draw: Draw, seed: int = 1) -> dict[str, float]:
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


DRAWS, JUDGED = 9_000, 200
"""Draws that are fitted, and those that judge the fit."""
LEAST_ERROR, CLUSTERED = 0.05, 20.0
"""Of a simulation: the error below which it counts for no more, and its variance times its periods."""
FEWEST = 10
"""Throttled periods from which on their number, and the time stopped in each, are compared."""


def loads_of(rows: Sequence[dict[str, float]]) -> Loads:
    """The loads of simulated draws."""
    limit, threads, used, cpu_ms, batch, scv = (
        np.array([row[name] for row in rows]) for name in ("limit", "threads", "used", "cpu_ms", "batch", "scv")
    )
    return Loads(limit, threads, used, cpu_ms / PERIOD_MS, batch, scv)


def values_of(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Values:
    """The outputs of simulated draws, those of longer runs weighing more; no throttled period is less than one.

    What a run shows has no part in its weight: runs in which little happened by chance would count for more.
    """
    values, weights, at_most = (np.zeros((len(rows), len(names))) for _ in range(3))
    for at, row in enumerate(rows):
        periods, throttled = row["periods"], row["throttled"]
        for column, name in enumerate(names):
            if name == "throttled":
                share = min(max(throttled, 0.5) / periods, 1 - 0.5 / periods)
                values[at, column], at_most[at, column] = np.log(share / (1 - share)), throttled < 1
            elif name == "stopped":
                values[at, column] = np.log(row["stopped_ms"] / PERIOD_MS) if throttled >= FEWEST else np.nan
            else:
                values[at, column] = row[name]
            if np.isfinite(values[at, column]):
                weights[at, column] = 1 / (LEAST_ERROR**2 + CLUSTERED / periods)
    return Values(np.nan_to_num(values), weights, at_most.astype(bool))


def fit(rows: Sequence[dict[str, float]], judges: Sequence[dict[str, float]]) -> dict[str, Any]:
    """What the file of the surrogate holds: both networks, and by output the errors of draws that judge."""
    document: dict[str, Any] = {
        "made_by": "python -m benches.fleet_surrogate", "engine": __version__, "seed": SEED,
        "draws": len(rows), "judged": len(judges),
    }  # fmt: skip
    columns = loads_of(rows).flat()[1]
    for key, names, inputs in (("limited", LIMITED, limited_inputs), ("free", FREE, free_inputs)):
        network: Network = fitted(inputs(columns), values_of(rows, names))
        document[key] = _document(network)
    document["errors"] = errors({**document, "errors": {}}, judges)
    return document


def errors(document: dict[str, Any], rows: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """By output the 68 and 95 % points of the difference between the surrogate and simulations, as logarithms.

    They have the noise of those simulations in them.  Odds of throttling are compared where periods were throttled.
    """
    made = of(document)
    loads = loads_of(rows)
    shown = made.limited(loads) | made.free(loads)
    found = {}
    for name in (*LIMITED, *FREE):
        to = values_of(rows, (name,))
        values = shown[name]
        guess = np.log(values / (1 - values)) if name == "throttled" else np.log(values)
        judged = (to.weights[:, 0] > 0) & np.array([row["throttled"] >= FEWEST for row in rows])
        off: Array = np.abs(guess - to.values[:, 0])[judged]
        found[name] = {f"{share} %": float(f"{np.quantile(off, share / 100):.3g}") for share in (68, 95)}
    return found


def main(arguments: Sequence[str]) -> None:
    """Simulate, fit, print the file; how far it is goes to standard error."""
    count = int(arguments[0]) if arguments else DRAWS
    rows = _simulated(itertools.islice(draws(), count), count)
    judges = _simulated(itertools.islice(draws(JUDGES, LONGER), JUDGED), JUDGED)
    json.dump(fit(rows, judges), sys.stdout)
    print()


def _simulated(drawn: Iterable[Draw], count: int) -> list[dict[str, float]]:
    rows: list[dict[str, float]] = []
    with ThreadPoolExecutor(processors()) as threads:
        for at, row in enumerate(threads.map(counted, drawn), 1):
            rows.append(row)
            if at % 500 == 0:
                print(f"{at} of {count} simulated", file=sys.stderr)
    return rows


@dataclass(frozen=True)
class Values:
    """Values to fit, each with its weight (0: not known); of those `at_most`, the true value is that or less."""

    values: Array
    weights: Array
    at_most: np.typing.NDArray[np.bool_]


def fitted(inputs: Array, to: Values, steps: int = STEPS, seed: int = 1) -> Network:
    """The network that fits weighted values best; the same for the same seed."""
    stream = np.random.default_rng(seed)
    known = to.weights > 0
    means = np.array([column[mask].mean() for column, mask in zip(to.values.T, known.T, strict=True)])
    spreads = np.array([column[mask].std() for column, mask in zip(to.values.T, known.T, strict=True)])
    spreads = np.where(spreads > 0, spreads, 1.0)
    scale = inputs.mean(axis=0), np.where(inputs.std(axis=0) > 0, inputs.std(axis=0), 1.0)
    rows = (inputs - scale[0]) / scale[1]
    wanted = np.where(known, (to.values - means) / spreads, 0.0)
    # A value that is known to this spread has weight 1; no value counts for more than its neighbours by far.
    weights = to.weights / np.array([column[mask].mean() for column, mask in zip(to.weights.T, known.T, strict=True)])
    sizes = (inputs.shape[1], UNITS, UNITS, to.values.shape[1])
    parts = [stream.normal(0, 1 / np.sqrt(low), (low, high)) for low, high in pairwise(sizes)]
    parameters = [part for weight in parts for part in (weight, np.zeros(weight.shape[1]))]
    first, second = ([np.zeros_like(each) for each in parameters] for _ in range(2))
    for step in range(1, steps + 1):
        chosen = stream.integers(0, len(rows), min(BATCH, len(rows)))
        slopes = _slopes(parameters, rows[chosen], Values(wanted[chosen], weights[chosen], to.at_most[chosen]))
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for at, slope in enumerate(slopes):
            first[at] = FIRST * first[at] + (1 - FIRST) * slope
            second[at] = SECOND * second[at] + (1 - SECOND) * slope**2
            move = first[at] / (1 - FIRST**step) / (np.sqrt(second[at] / (1 - SECOND**step)) + 1e-8)
            parameters[at] = parameters[at] - rate * (move + DECAY * parameters[at])
    layers = [(parameters[at], parameters[at + 1]) for at in range(0, len(parameters), 2)]
    return Network(layers, scale, (means, spreads))


def _slopes(parameters: Sequence[Array], rows: Array, to: Values) -> list[Array]:
    """Slopes of half the mean weighted square of the error, by each parameter."""
    levels = [rows]
    for at in range(0, len(parameters) - 2, 2):
        levels.append(np.tanh(levels[-1] @ parameters[at] + parameters[at + 1]))
    off = levels[-1] @ parameters[-2] + parameters[-1] - to.values
    off = np.where(to.at_most & (off < 0), 0.0, off)
    back = to.weights * off / len(rows)
    found: list[Array] = []
    for at in range(len(parameters) - 2, -1, -2):
        level = levels[at // 2]
        found = [level.T @ back, back.sum(axis=0), *found]
        if at:
            back = (back @ parameters[at].T) * (1 - level**2)
    return found


def _rounded(values: Array) -> list[Any]:
    return [[float(f"{each:.6g}") for each in row] for row in values] if values.ndim == 2 else [
        float(f"{each:.6g}") for each in values
    ]  # fmt: skip


def _document(network: Network) -> dict[str, Any]:
    """The network as an object for a file."""
    return {
        "layers": [{"weights": _rounded(weights), "bias": _rounded(bias)} for weights, bias in network.layers],
        "inputs": [_rounded(each) for each in network.inputs], "outputs": [_rounded(each) for each in network.outputs],
    }  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
