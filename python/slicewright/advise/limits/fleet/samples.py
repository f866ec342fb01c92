"""A fleet written as samples of counters, as a cluster keeps them: a table with a row per container and instant.

    python -m slicewright.advise.limits.fleet.samples FILE.parquet [CONTAINERS [MINUTES]]

writes those of a simulated fleet.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.fleet.simulated import Watch, simulated, workloads

if TYPE_CHECKING:
    import polars as pl

COUNTERS = {
    "container_cpu_usage_seconds_total": "used_s",
    "container_cpu_cfs_periods_total": "periods",
    "container_cpu_cfs_throttled_periods_total": "throttled",
    "container_cpu_cfs_throttled_seconds_total": "stopped_s",
    "http_server_request_duration_seconds_count": "served",
}
"""Names of the counters, and of the totals that they count."""
CONTAINERS, MINUTES = 1000, 5
USAGE = "usage: python -m slicewright.advise.limits.fleet.samples FILE.parquet [CONTAINERS [MINUTES]]"


def samples(fleet: Fleet) -> pl.DataFrame:
    """The counters of every container at the start and at the end of each interval, with its limit and request.

    >>> from slicewright.advise.limits.fleet.example import fleet
    >>> samples(fleet()).columns[:4]
    ['time', 'namespace', 'pod', 'container']
    """
    import polars as pl

    each = fleet.intervals.with_columns(
        served=pl.col("requests_per_s") * pl.col("length_s"), place=pl.int_range(pl.len()).over("workload", "replica")
    )
    first = each.filter(pl.col("place") == 0).with_columns(
        at_s=pl.col("at_s") - pl.col("length_s"), place=pl.lit(-1, dtype=pl.Int64),
        **{name: pl.when(pl.col(name).is_not_null()).then(0).cast(each[name].dtype) for name in COUNTERS.values()},
    )  # fmt: skip
    rows = pl.concat([first, each]).sort("workload", "replica", "place")
    limited = pl.col("limit").is_not_null()
    counters = [
        pl.when(limited | pl.lit(name in ("used_s", "served")))
        .then(pl.col(name).cum_sum().over("workload", "replica"))
        .cast(pl.Float64)
        .alias(metric)
        for metric, name in COUNTERS.items()
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
        print(USAGE, file=sys.stderr)
        return 2
    count, minutes = (*numbers, *(CONTAINERS, MINUTES)[len(numbers) :])
    found = workloads(count)
    fleet = simulated(found, Watch(60.0 * minutes))
    samples(fleet).write_parquet(Path(arguments[0]))
    replicas = sum(workload.replicas for workload in found)
    print(f"{arguments[0]}: {replicas:,} containers of {len(found):,} workloads, {minutes} min of samples")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
