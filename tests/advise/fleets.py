"""A simulated fleet: counters of containers that grow with a random load, written as each tool exports them.

`python -m tests.advise.fleets FOLDER [CONTAINERS [SAMPLES]]` writes every form of one fleet.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics
from prometheus_client.registry import Collector
from slicewright.advise.limits.fleet.cluster import Cluster, Fleet
from slicewright.advise.limits.fleet.series.read import read_cluster

START_S = 1_700_000_000
PERIOD_S = 0.1
BOUNDS = ("5.0", "10.0", "25.0", "50.0", "100.0", "250.0", "500.0", "1000.0", "+Inf")
COUNTERS = {
    "container_cpu_usage_seconds_total": "used",
    "container_cpu_cfs_periods_total": "periods",
    "container_cpu_cfs_throttled_periods_total": "throttled",
    "container_cpu_cfs_throttled_seconds_total": "stopped",
    "container_pressure_cpu_waiting_seconds_total": "pressure",
}
LETTERS = "bcdfghjklmnpqrstvwxz2456789"
Labels = dict[str, str]


@dataclass(frozen=True)
class Line:
    """One series: its name, labels and values, one for each sample; None where it has no sample."""

    metric: str
    labels: Labels
    values: Sequence[float | None]

    @property
    def text(self) -> str:
        """As a selector."""
        listed = ",".join(f'{key}="{value}"' for key, value in self.labels.items())
        return f"{self.metric}{{{listed}}}"


@dataclass(frozen=True)
class Simulated:
    """The counters of a fleet: arrays of a row per container and a column per sample.

    Every `replicas` containers are of one Deployment.  `limit` is in processors; every tenth Deployment has none.
    """

    containers: int = 6
    samples: int = 9
    step_s: int = 30
    replicas: int = 2
    seed: int = 1
    requests: bool = True
    owners: bool = False
    extra: Sequence[Line] = field(default_factory=tuple)

    @cached_property
    def times(self) -> np.ndarray:
        """Seconds since 1970."""
        return START_S + self.step_s * np.arange(self.samples)

    @cached_property
    def limit(self) -> np.ndarray:
        """By container; not a number: none."""
        deployment = np.arange(self.containers) // self.replicas
        return np.where(deployment % 10 == 9, np.nan, 0.5 + 0.5 * (deployment % 4))

    @cached_property
    def counters(self) -> Mapping[str, np.ndarray]:
        """By name, as in `COUNTERS`, and `served` requests."""
        draw = np.random.default_rng(self.seed)
        shape = (self.containers, self.samples)
        limit = np.where(np.isnan(self.limit), 1.0, self.limit)[:, None]
        load = draw.uniform(0.2, 0.8, (self.containers, 1)) * draw.uniform(0.8, 1.2, shape)
        periods = draw.integers(int(0.9 * self.step_s / PERIOD_S), int(self.step_s / PERIOD_S) + 1, shape)
        throttled = draw.binomial(periods, np.clip(load - 0.3, 0, 1))
        grown = {
            "used": load * limit * self.step_s,
            "periods": periods,
            "throttled": throttled,
            "stopped": 0.03 * throttled,
            "pressure": 0.02 * throttled,
            "served": draw.poisson(load * limit * self.step_s / 0.008),
        }
        return {name: np.cumsum(values, axis=1).astype(float) for name, values in grown.items()}

    def pod(self, at: int) -> str:
        """The name of a pod."""
        deployment = at // self.replicas
        suffix = "".join(LETTERS[(at // 27**place + 7 * place) % 27] for place in range(5))
        return f"web{deployment}-5d8c7f9b6d-{suffix}"

    def labels(self, at: int) -> Labels:
        """The labels of a container that Kubernetes knows."""
        return {"namespace": "shop", "pod": self.pod(at), "container": "app"}

    def scraped(self, at: int) -> Labels:
        """The labels of a container that cAdvisor knows, on one of a node for 40."""
        own = {"id": f"/kubepods/{at:06}", "image": "shop:1", "name": f"{at:064x}", "node": f"node-{at // 40}"}
        return {**self.labels(at), **own}

    def lines(self) -> Iterator[Line]:
        """Every series, metric by metric."""
        for metric, name in COUNTERS.items():
            of_limits = name in ("periods", "throttled", "stopped")
            for at in range(self.containers):
                if not (of_limits and np.isnan(self.limit[at])):
                    cpu = {"cpu": "total"} if name == "used" else {}
                    yield Line(metric, {**self.scraped(at), **cpu}, self.counters[name][at].tolist())
        yield from self._settings()
        if self.requests:
            yield from self._served()
        if self.owners:
            yield from self._owned()
        yield from self.extra

    def _settings(self) -> Iterator[Line]:
        of_state = {"resource": "cpu", "unit": "core", "job": "kube-state-metrics"}
        for kind, share in (("limits", 1.0), ("requests", 0.5)):
            for at in range(self.containers):
                if not np.isnan(self.limit[at]):
                    values = [float(share * self.limit[at])] * self.samples
                    yield Line(f"kube_pod_container_resource_{kind}", {**self.labels(at), **of_state}, values)

    def _served(self) -> Iterator[Line]:
        """A histogram of a mesh: a tenth of the requests in each of the first buckets, the rest in the next to last."""
        for bucket, bound in enumerate(BOUNDS):
            for at in range(self.containers):
                share = min(1.0, 0.125 * (bucket + 1))
                values = np.floor(share * self.counters["served"][at]).tolist()
                labels = {**self._of_mesh(at), "le": bound}
                yield Line("istio_request_duration_milliseconds_bucket", labels, values)
        for at in range(self.containers):
            yield Line("istio_requests_total", self._of_mesh(at), self.counters["served"][at].tolist())

    def _of_mesh(self, at: int) -> Labels:
        return {**self.labels(at), "container": "istio-proxy", "reporter": "destination", "response_code": "200"}

    def _owned(self) -> Iterator[Line]:
        ones = [1.0] * self.samples
        for at in range(self.containers):
            owner = self.pod(at).rpartition("-")[0]
            pod = {"namespace": "shop", "pod": self.pod(at), "owner_kind": "ReplicaSet", "owner_name": owner}
            yield Line("kube_pod_owner", pod, ones)
            if at % self.replicas == 0:
                name = f"web{at // self.replicas}"
                replicas = {"namespace": "shop", "replicaset": owner, "owner_kind": "Deployment", "owner_name": name}
                yield Line("kube_replicaset_owner", replicas, ones)


def range_query(lines: Sequence[Line], times: np.ndarray) -> bytes:
    """The answer of /api/v1/query_range, as Prometheus writes it: values as text."""
    result: list[dict[str, object]] = [
        {
            "metric": {"__name__": line.metric, **line.labels},
            "values": [
                [int(t), f"{value:.17g}"] for t, value in zip(times, line.values, strict=True) if value is not None
            ],
        }
        for line in lines
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(answer, separators=(",", ":")).encode()


class _Scrape(Collector):
    """One scrape as prometheus-client takes it."""

    def __init__(self, lines: Sequence[Line], at: int, time: float | None) -> None:
        self.lines, self.at, self.time = lines, at, time

    def collect(self) -> Iterator[Metric]:
        """Families in the order of the lines."""
        families: dict[str, list[Line]] = {}
        for line in self.lines:
            if line.values[self.at] is not None:
                families.setdefault(line.metric, []).append(line)
        for metric, lines in families.items():
            if metric.endswith("_bucket"):
                yield self._histogram(metric.removesuffix("_bucket"), lines)
                continue
            kind = CounterMetricFamily if metric.endswith("_total") else GaugeMetricFamily
            family = kind(metric, "Simulated.", labels=list(lines[0].labels))
            for line in lines:
                family.add_metric(list(line.labels.values()), line.values[self.at] or 0.0, timestamp=self.time)
            yield family

    def _histogram(self, name: str, lines: Sequence[Line]) -> Metric:
        names = [key for key in lines[0].labels if key != "le"]
        family = HistogramMetricFamily(name, "Simulated.", labels=names)
        series: dict[tuple[str, ...], list[tuple[str, float]]] = {}
        for line in lines:
            key = tuple(line.labels[name] for name in names)
            series.setdefault(key, []).append((line.labels["le"], line.values[self.at] or 0.0))
        for key, buckets in series.items():
            family.add_metric(list(key), buckets, sum_value=None, timestamp=self.time)
        return family


def exposition(lines: Sequence[Line], times: np.ndarray, *, stamped: bool, openmetrics: bool = False) -> list[bytes]:
    """A scrape for each sample, as prometheus-client writes it."""
    scrapes = []
    for at, time in enumerate(times):
        registry = CollectorRegistry()
        registry.register(_Scrape(lines, at, float(time) if stamped else None))
        scrapes.append((generate_openmetrics if openmetrics else generate_latest)(registry))
    return scrapes


def long_table(lines: Sequence[Line], times: np.ndarray) -> pl.DataFrame:
    """A row for each sample: time, metric, labels as columns, value."""
    keys = list(dict.fromkeys(key for line in lines for key in line.labels))
    rows = [
        (int(t), line.metric, *(line.labels.get(key) for key in keys), value)
        for line in lines
        for t, value in zip(times, line.values, strict=True)
        if value is not None
    ]
    schema = {"time": pl.Int64, "metric": pl.String, **dict.fromkeys(keys, pl.String), "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def wide_table(lines: Sequence[Line], times: np.ndarray) -> pl.DataFrame:
    """A column for each series, named as a selector, as Grafana exports series joined by time."""
    columns = {line.text: pl.Series(line.values, dtype=pl.Float64) for line in lines}
    return pl.DataFrame({"Time": [int(1000 * t) for t in times], **columns})


def metric_table(lines: Sequence[Line], times: np.ndarray) -> pl.DataFrame:
    """A row for each container and instant with a column for each metric, as a pivot of pandas or polars."""
    keys = ("namespace", "pod", "container")
    chosen = [line for line in lines if set(keys) <= set(line.labels) and "le" not in line.labels]
    rows = long_table(chosen, times).select("time", *keys, "metric", "value")
    return rows.pivot("metric", index=["time", *keys], values="value", aggregate_function="first")


def docker_stats(fleet: Simulated) -> list[str]:
    """A line for each container and sample, as Docker's API answers /containers/NAME/stats?one-shot=1."""
    lines = []
    for sample, time in enumerate(fleet.times):
        read = datetime.fromtimestamp(int(time), UTC).strftime("%Y-%m-%dT%H:%M:%S.000000000Z")
        lines += [json.dumps(_stats(fleet, at, sample, read)) for at in range(fleet.containers)]
    return lines


def _stats(fleet: Simulated, at: int, sample: int, read: str) -> dict[str, object]:
    value = {name: counters[at, sample] for name, counters in fleet.counters.items()}
    limited = not np.isnan(fleet.limit[at])
    throttling = {
        "periods": int(value["periods"]) if limited else 0,
        "throttled_periods": int(value["throttled"]) if limited else 0,
        "throttled_time": round(1e9 * value["stopped"]) if limited else 0,
    }
    usage = {"total_usage": round(1e9 * value["used"]), "usage_in_kernelmode": 0, "usage_in_usermode": 0}
    cpu = {"cpu_usage": usage, "system_cpu_usage": 0, "online_cpus": 4, "throttling_data": throttling}
    name = f"/shop-web{at // fleet.replicas}-{at % fleet.replicas + 1}"
    return {"name": name, "id": f"{at:064x}", "read": read, "preread": "0001-01-01T00:00:00Z", "cpu_stats": cpu,
            "precpu_stats": {}, "memory_stats": {}}  # fmt: skip


def docker_inspect(fleet: Simulated) -> bytes:
    """The limits in the output of `docker inspect NAME...`."""
    return json.dumps(
        [
            {
                "Id": f"{at:064x}",
                "Name": f"/shop-web{at // fleet.replicas}-{at % fleet.replicas + 1}",
                "HostConfig": {
                    "NanoCpus": 0 if np.isnan(fleet.limit[at]) else int(1e9 * fleet.limit[at]),
                    "CpuQuota": 0,
                    "CpuPeriod": 0,
                },
            }
            for at in range(fleet.containers)
        ]
    ).encode()


def write(fleet: Simulated, folder: Path) -> dict[str, list[Path]]:
    """Every form of a fleet in a folder: the files of each."""
    lines, times = list(fleet.lines()), fleet.times
    by_metric: dict[str, list[Line]] = {}
    for line in lines:
        by_metric.setdefault(line.metric, []).append(line)
    forms = {
        "one file of range queries": {"all.json": range_query(lines, times)},
        "a range query a file": {f"{metric}.json": range_query(some, times) for metric, some in by_metric.items()},
        "a range query, packed": {"all.json.gz": gzip.compress(range_query(lines, times), mtime=0)},
        "OpenMetrics, stamped": {"all.om": b"".join(exposition(lines, times, stamped=True, openmetrics=True))},
        "scrapes, stamped": {"all.prom": b"".join(exposition(lines, times, stamped=True))},
        "Parquet, long": {"all.parquet": _parquet(long_table(lines, times))},
        "CSV, long": {"all.csv": long_table(lines, times).write_csv().encode()},
        "CSV, wide": {"wide.csv": wide_table(lines, times).write_csv().encode()},
        "Parquet, wide": {"wide.parquet": _parquet(wide_table(lines, times))},
    }
    written: dict[str, list[Path]] = {}
    for at, (form, files) in enumerate(forms.items()):
        (folder / str(at)).mkdir()
        for name, data in files.items():
            path = folder / str(at) / name
            path.write_bytes(data)
            written.setdefault(form, []).append(path)
    return written


def fleet_of_lines(lines: Sequence[Line], times: np.ndarray, folder: Path, limit: float | None = None) -> Fleet:
    """The fleet that is read from one range query."""
    path = folder / "all.json"
    path.write_bytes(range_query(lines, times))
    return read_cluster(Cluster("all.json", (path,), limit=limit))


def _parquet(table: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


if __name__ == "__main__":
    containers, samples = (int(word) for word in (*sys.argv[2:4], *("6", "9")[len(sys.argv) - 2 :]))
    simulated = Simulated(containers, samples)
    Path(sys.argv[1]).mkdir(exist_ok=True)
    for form, paths in write(simulated, Path(sys.argv[1])).items():
        print(f"{form}: {' '.join(map(str, paths))}")
