"""How long the series of 10,000 containers take to be read, and how much memory: `python -m benches.fleet_data`.

Hours of samples of the counters of throttling, of limits and of requests, as range queries of Prometheus and Parquet.
Of a tenth of the containers as CSV and as scrapes one after the other, which repeat the labels of every sample.  This
program writes all of them from a simulated load.  Each form is read in a process of its own.

    python -m benches.fleet_data [CONTAINERS [SAMPLES [STEP_S]]]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
from slicewright.advise.limits.fleet.cluster import Cluster
from slicewright.advise.limits.fleet.series.read import read_cluster

from tests.advise.fleets import COUNTERS, Simulated

METRICS = {**COUNTERS, "istio_requests_total": "served"}
SETTINGS = {"kube_pod_container_resource_limits": 1.0, "kube_pod_container_resource_requests": 0.5}


def labels_of(fleet: Simulated, metric: str, at: int) -> dict[str, str]:
    """The labels of one series."""
    if metric.startswith("container"):
        return fleet.scraped(at)
    more = {"reporter": "destination"} if metric.startswith("istio") else {"resource": "cpu", "unit": "core"}
    return {**fleet.labels(at), **more}


def tables(fleet: Simulated) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each metric with its samples: at (the container), t (seconds), value."""
    at = [container for container in range(fleet.containers) for _ in range(fleet.samples)]
    base = pl.DataFrame({"at": pl.Series(at, dtype=pl.UInt32)}).with_columns(
        pl.Series("t", fleet.times.tolist() * fleet.containers)
    )
    limit = pl.DataFrame({"limit": fleet.limit}).with_row_index("at").fill_nan(None)
    for metric, name in METRICS.items():
        table = base.with_columns(pl.Series("value", fleet.counters[name].ravel()))
        of_limits = name in ("periods", "throttled", "stopped")
        yield metric, table.join(limit.drop_nulls(), on="at", how="semi", maintain_order="left") if of_limits else table
    for metric, share in SETTINGS.items():
        values = base.join(limit, on="at", maintain_order="left").with_columns((share * pl.col("limit")).alias("value"))
        yield metric, values.drop("limit").drop_nulls()


def write_json(fleet: Simulated, folder: Path) -> list[Path]:
    """A range query a metric."""
    paths = []
    for metric, table in tables(fleet):
        samples = pl.format('[{},"{}"]', "t", "value").str.join(",").alias("samples")
        rows = table.group_by("at", maintain_order=True).agg(samples)
        paths.append(folder / f"{metric}.json")
        with paths[-1].open("w") as stream:
            stream.write('{"status":"success","data":{"resultType":"matrix","result":[')
            for number, (at, values) in enumerate(rows.iter_rows()):
                series = json.dumps({"__name__": metric, **labels_of(fleet, metric, at)}, separators=(",", ":"))
                stream.write(f'{"," if number else ""}{{"metric":{series},"values":[{values}]}}')
            stream.write("]}}")
    return paths


def write_tables(fleet: Simulated, folder: Path, form: str) -> list[Path]:
    """A long table a metric, as Parquet or CSV."""
    paths = []
    for metric, table in tables(fleet):
        labels = pl.DataFrame([labels_of(fleet, metric, at) for at in range(fleet.containers)])
        keyed = labels.with_row_index("at").with_columns(pl.lit(metric).alias("metric"))
        rows = table.join(keyed, on="at", maintain_order="left").drop("at").rename({"t": "time"})
        paths.append(folder / f"{metric}.{form}")
        rows.write_parquet(paths[-1]) if form == "parquet" else rows.write_csv(paths[-1])
    return paths


def write_scrapes(fleet: Simulated, folder: Path) -> list[Path]:
    """Scrapes one after the other, with times, in one file."""
    path = folder / "all.prom"
    lines = []
    for metric, table in tables(fleet):
        names = [
            f"{metric}{{{','.join(f'{key}={json.dumps(text)}' for key, text in labels_of(fleet, metric, at).items())}}}"
            for at in range(fleet.containers)
        ]
        text = pl.format("{} {} {}000", pl.Series(names).gather(table.get_column("at")), "value", "t")
        lines.append(table.select("t", text.alias("line")))
    path.write_text("\n".join(pl.concat(lines).sort("t", maintain_order=True).get_column("line").to_list()) + "\n")
    return [path]


def written(form: str, fleet: Simulated, folder: Path) -> list[Path]:
    """The files of one form."""
    if form == "json":
        return write_json(fleet, folder)
    return write_scrapes(fleet, folder) if form == "scrapes" else write_tables(fleet, folder, form)


def read(paths: list[str]) -> None:
    """Read files, and print how long it took and the most memory."""
    begin = time.perf_counter()
    fleet = read_cluster(Cluster("bench", tuple(paths)))
    seconds = time.perf_counter() - begin
    usage = resource.getrusage(resource.RUSAGE_SELF)
    memory = highest_mib()
    spent = usage.ru_utime + usage.ru_stime
    found = f"{fleet.workloads.height:,} workloads, {fleet.intervals.height:,} intervals"
    print(f"{found} in {seconds:.1f} s, {spent:.1f} s of processor time, {memory:,.0f} MiB at most")


def highest_mib() -> float:
    """The most memory of this program, MiB; ru_maxrss would count that of the program that started it."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def main(words: list[str]) -> None:
    """Write and read every form."""
    if words[:1] == ["--read"]:
        read(words[1:])
        return
    containers, samples, step_s = (int(word) for word in (*words, *("10000", "360", "30")[len(words) :]))
    fleet = Simulated(containers, samples, step_s)
    print(f"{fleet.containers:,} containers, {fleet.samples:,} samples at {fleet.step_s} s, {len(METRICS) + 2} metrics")
    few = replace(fleet, containers=max(1, fleet.containers // 10))
    for form in ("json", "parquet", "csv", "scrapes"):
        with tempfile.TemporaryDirectory() as folder:
            of = fleet if form in ("json", "parquet") else few
            paths = written(form, of, Path(folder))
            size = sum(path.stat().st_size for path in paths) / 2**20
            print(f"{form:8}{of.containers:7,}{size:8,.0f} MiB  ", end="", flush=True)
            subprocess.run([sys.executable, "-m", "benches.fleet_data", "--read", *map(str, paths)], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
