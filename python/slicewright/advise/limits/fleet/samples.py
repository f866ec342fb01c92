"""A simulated fleet, and its counters as samples, as a cluster keeps them: a row per container and instant.

    python -m slicewright.advise.limits.fleet.samples FILE.parquet [CONTAINERS [MINUTES]]

writes those of a simulated fleet.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright._core import Scenario
from slicewright.advise.limits.fleet.cluster import INTERVALS, WORKLOADS, Fleet
from slicewright.advise.limits.request import PERIOD_MS
from slicewright.experiment.plan import Plan
from slicewright.experiment.simulations import processors
from slicewright.reading.cgroup import TICK_MS, Load, Node, Setting, scenario_text
from slicewright.statistics import plural

if TYPE_CHECKING:
    import polars as pl


_START_S = 1_700_000_000.0
"""The instant at which the data begin, seconds since 1970."""
_WARM_UP_S = 10.0
_LIMITS = (0.1, 0.2, 0.25, 0.5, 0.5, 1.0, 1.0, 2.0, 4.0)
"""Limits that people set."""
_SPACES = ("shop", "search", "media", "ledger")
_NAMES = ("cart", "pay", "stock", "users", "mail", "rank", "feed", "export", "quota", "auth", "route", "thumb", "price")
_REPLICAS = (1, 2, 2, 3, 5, 8)
_NODES = 40
"""Names that simulated workloads have, how many replicas, and on how many nodes they are."""
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""Letters of the names of pods (Kubernetes, apimachinery, util/rand)."""


@dataclass(frozen=True, slots=True)
class Workload:
    """One workload: its name, the load of each replica, its limit (inf: none) and replicas."""

    name: str
    load: Load
    limit: float
    replicas: int
    reserved: float
    counted: bool = True
    """Whether requests are counted."""
    stopped: bool = True
    """Whether the time for which processors were stopped is kept."""


@dataclass(frozen=True, slots=True)
class Watch:
    """For how long a fleet is watched, and how far apart its samples are, s."""

    length_s: float = 1800.0
    every_s: float = 60.0
    seed: int = 1


def workloads(containers: int, seed: int = 1) -> list[Workload]:
    """Random workloads with at least this number of containers, the same for the same seed, sorted by name."""
    stream = random.Random(f"workloads {seed}")
    found: list[Workload] = []
    count = 0
    while count < containers:
        at = len(found)
        name = f"{_SPACES[at % len(_SPACES)]}/{_NAMES[at // len(_SPACES) % len(_NAMES)]}"
        name += f"-{at // (len(_SPACES) * len(_NAMES))}/app"
        found.append(_drawn(stream, name))
        count += found[-1].replicas
    return sorted(found, key=lambda workload: workload.name)


def _drawn(stream: random.Random, name: str) -> Workload:
    limit = stream.choice(_LIMITS)
    used = limit * stream.choice((0.05, 0.15, 0.3, 0.5, 0.7, 0.85)) * stream.uniform(0.8, 1.15)
    cpu_ms = math.exp(stream.uniform(math.log(1.0), math.log(60.0)))
    batch = math.exp(stream.uniform(0.0, math.log(8.0)))
    threads = max(stream.choice((1, 2, 4, 8, 16)), math.ceil(limit))
    load = Load(1000 * used / cpu_ms, cpu_ms, stream.choice((0.0, 1.0, 1.0, 2.0, 4.0)), batch, threads)
    return Workload(
        name, load, limit, stream.choice(_REPLICAS), round(limit * stream.choice((0.5, 1.0)), 3),
        counted=stream.random() < 0.7, stopped=stream.random() < 0.9,
    )  # fmt: skip


def simulated(fleet: Sequence[Workload], watch: Watch) -> Fleet:
    """The fleet as it was measured; raises RunError."""
    with ThreadPoolExecutor(processors()) as threads:
        tables = threads.map(lambda workload: list(_rows(workload, watch)), fleet)
    stream = random.Random("nodes")
    facts = [
        (workload.name, workload.replicas, None if math.isinf(workload.limit) else workload.limit, workload.reserved,
         [f"node-{stream.randrange(_NODES):02}" for _ in range(workload.replicas)], None, None, None, None)
        for workload in fleet
    ]  # fmt: skip
    return fleet_of([row for table in tables for row in table], facts)


def fleet_of(rows: Sequence[tuple[Any, ...]], facts: Sequence[tuple[Any, ...]]) -> Fleet:
    """A fleet of rows of intervals and of workloads, in the order of their columns."""
    import polars as pl

    intervals = {name: getattr(pl, kind) for name, kind in INTERVALS.items()}
    kinds = {name: pl.List(pl.String) if name == "nodes" else getattr(pl, kind) for name, kind in WORKLOADS.items()}
    return Fleet(
        pl.DataFrame(rows, schema=intervals, orient="row").sort("workload", "replica", "at_s"),
        pl.DataFrame(facts, schema=kinds, orient="row").sort("workload"),
    )


def _rows(workload: Workload, watch: Watch) -> Iterator[tuple[Any, ...]]:
    """The intervals of each replica, which is a replication."""
    count = max(1, round(watch.length_s / watch.every_s))
    setting = Setting(workload.limit, workload.load.threads, PERIOD_MS, 0.0)
    plan = Plan(watch.every_s, _WARM_UP_S, workload.replicas)
    wanted = workload.load.threads if math.isinf(workload.limit) else math.ceil(workload.limit)
    node = Node(max(workload.load.threads, wanted), TICK_MS)
    scenario = Scenario.read(scenario_text(workload.load, setting, node, plan).encode(), workload.name)
    scenario = scenario.with_([f"measure.intervals={count}"])
    tables = scenario.simulate(watch.seed, (0, workload.replicas), 1, _WARM_UP_S)
    group, guests = tables["cgroups"], tables["guests"]
    served = [each for name, each in zip(guests["guest"], guests["cycles_per_s"], strict=True) if name == "requests"]
    for at in range(len(group["replication"])):
        used, periods, throttled, stopped = (
            float(group[name][at]) for name in ("usage_usec", "nr_periods", "nr_throttled", "throttled_usec")
        )
        end = _START_S + watch.every_s * (group["interval"][at] + 1)
        limited = math.isfinite(workload.limit)
        yield (
            workload.name, _pod(workload.name, group["replication"][at]), end, watch.every_s,
            used / 1e6, round(periods) if limited else 0, round(throttled) if limited else 0,
            stopped / 1e6 if workload.stopped else None, workload.limit if limited else None, PERIOD_MS,
            served[at] if workload.counted else None, None,
        )  # fmt: skip


def _pod(workload: str, replica: int) -> str:
    """The name of a pod as a ReplicaSet makes it."""
    stream = random.Random(f"{workload} {replica}")
    own = "".join(stream.choices(_LETTERS, k=5))
    made = "".join(random.Random(workload).choices(_LETTERS, k=9))
    return f"{workload.split('/')[1]}-{made}-{own}"


_COUNTERS = {
    "container_cpu_usage_seconds_total": "used_s",
    "container_cpu_cfs_periods_total": "periods",
    "container_cpu_cfs_throttled_periods_total": "throttled",
    "container_cpu_cfs_throttled_seconds_total": "stopped_s",
    "http_server_request_duration_seconds_count": "served",
}
"""Names of the counters, and of the totals that they count."""
_CONTAINERS, _MINUTES = 1000, 5
_USAGE = "usage: python -m slicewright.advise.limits.fleet.samples FILE.parquet [CONTAINERS [MINUTES]]"


def samples(fleet: Fleet) -> pl.DataFrame:
    """The counters of every container at the start and at the end of each interval, with its limit and request."""
    import polars as pl

    each = fleet.intervals.with_columns(
        served=pl.col("requests_per_s") * pl.col("length_s"), place=pl.int_range(pl.len()).over("workload", "replica")
    )
    first = each.filter(pl.col("place") == 0).with_columns(
        at_s=pl.col("at_s") - pl.col("length_s"), place=pl.lit(-1, dtype=pl.Int64),
        **{name: pl.when(pl.col(name).is_not_null()).then(0).cast(each[name].dtype) for name in _COUNTERS.values()},
    )  # fmt: skip
    rows = pl.concat([first, each]).sort("workload", "replica", "place")
    limited = pl.col("limit").is_not_null()
    counters = [
        pl.when(limited | pl.lit(name in ("used_s", "served")))
        .then(pl.col(name).cum_sum().over("workload", "replica"))
        .cast(pl.Float64)
        .alias(metric)
        for metric, name in _COUNTERS.items()
    ]
    nodes = (
        fleet.workloads.select("workload", "reserved", "nodes")
        .explode("nodes")
        .with_columns(number=pl.int_range(pl.len()).over("workload"))
    )
    number = (pl.col("replica").rank("dense").over("workload") - 1).cast(pl.Int64)
    parts = pl.col("workload").str.split("/").list
    rows = rows.with_columns(number=number).join(nodes, on=["workload", "number"], how="left")
    return rows.select(
        (pl.col("at_s") * 1000).cast(pl.Int64).cast(pl.Datetime("ms")).alias("time"),
        parts.get(0).alias("namespace"), pl.col("replica").alias("pod"), parts.get(2).alias("container"),
        pl.col("nodes").alias("node"), *counters,
        pl.col("limit").alias("kube_pod_container_resource_limits"),
        pl.col("reserved").alias("kube_pod_container_resource_requests"),
    )  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Write a simulated fleet; the exit status is 2 where the arguments are none."""
    numbers = [int(text) if text.isdigit() else 0 for text in arguments[1:]]
    if not arguments or len(numbers) > 2 or not all(0 < number <= 100_000 for number in numbers):
        print(_USAGE, file=sys.stderr)
        return 2
    count, minutes = (*numbers, *(_CONTAINERS, _MINUTES)[len(numbers) :])
    found = workloads(count)
    fleet = simulated(found, Watch(60.0 * minutes))
    samples(fleet).write_parquet(Path(arguments[0]))
    replicas = sum(workload.replicas for workload in found)
    print(
        f"{arguments[0]}: {plural(replicas, 'container')} of {plural(len(found), 'workload')}, {minutes} min of samples"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
