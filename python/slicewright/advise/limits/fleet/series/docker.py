"""Snapshots of Docker's API (/containers/NAME/stats) and of the metadata of ECS tasks (/task/stats), and their limits.

One snapshot a line or a file.  Stats have no limits: `docker inspect` has, whose output is read beside them.
Sources: Docker Engine API, ContainerStats and ContainerInspect; Amazon ECS, task metadata endpoint version 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import IO, Any

import polars as pl

from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.documents import documents
from slicewright.advise.limits.fleet.series.names import Role
from slicewright.errors import problem, refusal

MOST_BYTES = 1 << 30
PERIOD_US = 100_000
"""Of a limit that is given as NanoCpus (moby, daemon/daemon_unix.go)."""
ALLOWED = "snapshots of /containers/NAME/stats?stream=false, of ECS /task/stats, or docker inspect NAME..."
_OF_ECS = re.compile(r"ecs-(?P<family>.+)-(?P<revision>\d+)-(?P<container>.+)-(?P<hash>[0-9a-f]{16,})")
_ROLES = {
    Role.USED: ("container_cpu_usage_seconds_total", 1e9),
    Role.PERIODS: ("container_cpu_cfs_periods_total", 1.0),
    Role.THROTTLED: ("container_cpu_cfs_throttled_periods_total", 1.0),
    Role.STOPPED: ("container_cpu_cfs_throttled_seconds_total", 1e9),
}


class Snapshots:
    """Snapshots of some files: handed over together, because names and limits are in files of their own."""

    def __init__(self, data: Collected) -> None:
        """Begin without any."""
        self._data = data
        self._samples: dict[str, list[tuple[int, float, float, float, float]]] = {}
        self._names: dict[str, dict[str, str]] = {}
        self._limits: dict[str, tuple[float, float]] = {}

    def take(self, stream: IO[bytes], name: str) -> None:
        """Take the snapshots of a file; raises InputError for what is none, or is cut."""
        text = stream.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise refusal(problem("is larger than 1 GiB", file=name, allowed="a file for each hour"))
        for document, line in documents(text, name, ("a snapshot of a container", ALLOWED)):
            self._document(document, (name, line))

    def _document(self, document: Any, place: tuple[str, int]) -> None:
        if isinstance(document, list):
            for part in document:
                self._document(part, place)
        elif not isinstance(document, Mapping):
            self._refuse(place, "not an object")
        elif "cpu_stats" in document:
            self._stats(document, str(document.get("id") or document.get("name") or place[0]), place)
        elif isinstance(document.get("HostConfig"), Mapping):
            self._inspected(document, document["HostConfig"])
        elif isinstance(document.get("Containers"), list):
            self._task(document)
        elif "CPUPerc" in document:
            remedy = "curl --unix-socket /var/run/docker.sock http://localhost/containers/NAME/stats?stream=false"
            self._refuse(place, "percentages of docker stats", "they have no counters of throttling", remedy)
        else:
            stats = {str(key): part for key, part in document.items() if isinstance(part, Mapping | None)}
            if not any(isinstance(part, Mapping) and "cpu_stats" in part for part in stats.values()):
                self._refuse(place, "no stats of a container")
            for key, part in stats.items():
                if part is not None and "cpu_stats" in part:
                    self._stats(part, key, place)

    def _refuse(self, place: tuple[str, int], what: str, why: str = "", remedy: str = "") -> None:
        raise refusal(problem(what, file=place[0], line=place[1], why=why, allowed=ALLOWED, remedy=remedy))

    def _stats(self, stats: Mapping[str, Any], key: str, place: tuple[str, int]) -> None:
        """Take one snapshot; one of a container that does not run has no time, and is skipped."""
        at_ms = _milliseconds(stats.get("read"))
        cpu = stats.get("cpu_stats")
        if at_ms is None:
            self._refuse(place, f"not a time: {str(stats.get('read'))[:40]}")
        if at_ms is None or at_ms <= 0 or not isinstance(cpu, Mapping):
            self._data.notes.count("snapshot{s} of a container that does not run", [key[:12]], "excluded")
            return
        usage, throttling = cpu.get("cpu_usage"), cpu.get("throttling_data")
        throttling = throttling if isinstance(throttling, Mapping) else {}
        total = usage.get("total_usage") if isinstance(usage, Mapping) else None
        numbers = [total, *(throttling.get(name, 0) for name in ("periods", "throttled_periods", "throttled_time"))]
        if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers):
            self._refuse(place, f"not counters: {str(numbers)[:60]}")
        self._samples.setdefault(key, []).append((at_ms, *(float(number) for number in numbers)))  # type: ignore[arg-type]
        if stats.get("name"):
            self._names.setdefault(key, {}).setdefault("name", str(stats["name"]).strip("/"))

    def _inspected(self, document: Mapping[str, Any], host: Mapping[str, Any]) -> None:
        """The limit and the names of a container by `docker inspect`."""
        key = str(document.get("Id", ""))
        nano, quota, period = (_number(host.get(name)) for name in ("NanoCpus", "CpuQuota", "CpuPeriod"))
        period = period or PERIOD_US
        self._limits[key] = (nano / 1e9 * PERIOD_US, PERIOD_US) if nano else (quota, period)
        config = document.get("Config")
        labels = config.get("Labels") if isinstance(config, Mapping) else None
        named = self._names.setdefault(key, {})
        named.setdefault("name", str(document.get("Name", key)).strip("/"))
        for label, to in (("com.docker.compose.project", "namespace"), ("com.docker.compose.service", "workload")):
            if isinstance(labels, Mapping) and labels.get(label):
                named[to] = str(labels[label])
                named.setdefault("container", named[to]) if to == "workload" else None

    def _task(self, document: Mapping[str, Any]) -> None:
        """The names of the containers of an ECS task by /task."""
        family = str(document.get("Family", ""))
        for container in document["Containers"]:
            if isinstance(container, Mapping) and container.get("DockerId"):
                self._names.setdefault(str(container["DockerId"]), {}).update(
                    namespace="ecs", workload=family, container=str(container.get("Name", ""))
                )
        if isinstance(document.get("Limits"), Mapping) and document["Limits"].get("CPU"):
            then = "a task's limit is over all its containers, whose own counters do not show it"
            self._data.notes.count("ECS task{s} with a limit", [family], then)

    def done(self) -> None:
        """Hand over all snapshots."""
        for key, samples in self._samples.items():
            labels = self._labels(key)
            times = [sample[0] for sample in samples]
            for at, (metric, unit) in enumerate(_ROLES.values(), 1):
                self._add(metric, labels, times, [sample[at] / unit for sample in samples])
            if key in self._limits:
                quota, period = self._limits[key]
                self._add("container_spec_cpu_period", labels, times[:1], [period])
                self._add("container_spec_cpu_quota", labels, times[:1], [quota])
        self._samples = {}

    def _labels(self, key: str) -> dict[str, str]:
        named = self._names.get(key, {})
        name = named.get("name") or key
        labels = {"id": key, "name": name, **{key: value for key, value in named.items() if key != "name"}}
        found = _OF_ECS.fullmatch(name)
        if found and "container" not in labels:
            labels |= {"namespace": "ecs", "workload": found["family"], "container": found["container"]}
        return labels if "container" not in labels else {**labels, "pod": name}

    def _add(self, metric: str, labels: Mapping[str, str], times: list[int], values: list[float]) -> None:
        series = self._data.number(metric, labels)
        if series is not None:
            number = pl.repeat(series[1], len(times), dtype=pl.UInt32, eager=True)
            points = {"series": number, "t": pl.Series(times, dtype=pl.Int64), "value": pl.Series(values)}
            self._data.add(series[0], pl.DataFrame(points))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else 0.0


def _milliseconds(text: Any) -> int | None:
    """Milliseconds since 1970 of a time of Docker; 0 of a container that does not run, None where it is no time."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return round(1000 * found.timestamp()) if found.year > 1970 and found.tzinfo else 0
