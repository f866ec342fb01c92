"""The series of some files: names that are read, labels once, points role by role, made ready and counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import polars as pl

from slicewright.values.errors import problem, refusal


class Role(Enum):
    """The use of a series."""

    USED = "used_s"
    PERIODS = "periods"
    THROTTLED = "throttled"
    STOPPED = "stopped_s"
    PRESSURE = "pressure_s"
    QUOTA = "quota"
    PERIOD = "period"
    LIMIT = "limit"
    RESERVED = "reserved"
    POD_OWNER = "pod_owner"
    SET_OWNER = "set_owner"
    POD_NODE = "pod_node"
    REQUESTS = "requests"
    BUCKET = "bucket"


METRICS: Mapping[str, Role] = {
    "container_cpu_usage_seconds_total": Role.USED,
    "container_cpu_cfs_periods_total": Role.PERIODS,
    "container_cpu_cfs_throttled_periods_total": Role.THROTTLED,
    "container_cpu_cfs_throttled_seconds_total": Role.STOPPED,
    "container_pressure_cpu_waiting_seconds_total": Role.PRESSURE,
    "container_spec_cpu_quota": Role.QUOTA,
    "container_spec_cpu_period": Role.PERIOD,
    "kube_pod_container_resource_limits": Role.LIMIT,
    "kube_pod_container_resource_limits_cpu_cores": Role.LIMIT,
    "kube_pod_container_resource_requests": Role.RESERVED,
    "kube_pod_container_resource_requests_cpu_cores": Role.RESERVED,
    "kube_pod_owner": Role.POD_OWNER,
    "kube_replicaset_owner": Role.SET_OWNER,
    "kube_pod_info": Role.POD_NODE,
}
"""By name; names of requests and latency are rules, in `FAMILIES` and `_GENERIC`."""
COUNTERS = (Role.USED, Role.PERIODS, Role.THROTTLED, Role.STOPPED, Role.PRESSURE)
"""Counters of a container, which only grow."""
NEEDED = ("container_cpu_usage_seconds_total", "container_cpu_cfs_periods_total",
          "container_cpu_cfs_throttled_periods_total")  # fmt: skip
"""Without the first nothing is known; without the others a limited container cannot be judged."""
FAMILIES: Mapping[str, float] = {
    "http_server_request_duration_seconds": 1000.0,
    "http_server_duration_milliseconds": 1.0,
    "istio_request_duration_milliseconds": 1.0,
}
"""Histograms of requests served, the first first, with the milliseconds of their unit."""
COUNTS = ("istio_requests_total",)
"""Counters of requests that have no histogram."""
_UNITS = {"_seconds": 1000.0, "_milliseconds": 1.0, "_ms": 1.0}
_GENERIC = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*(request|server|handl|latency|response)[a-zA-Z0-9_:]*")
_OTHERS = re.compile(r"client|apiserver|etcd|kubelet|workqueue|scrape|scheduler|rest_")
"""Histograms of calls that a program makes, and of Kubernetes itself."""

_Labels = Mapping[str, str]
_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "namespace": (
        "exported_namespace", "namespace", "kubernetes_namespace", "k8s_namespace_name",
        "container_label_io_kubernetes_pod_namespace", "container_label_com_docker_compose_project",
        "destination_workload_namespace",
    ),
    "pod": (
        "exported_pod", "pod", "pod_name", "kubernetes_pod_name", "k8s_pod_name",
        "container_label_io_kubernetes_pod_name",
    ),
    "container": (
        "exported_container", "container", "container_name", "k8s_container_name",
        "container_label_io_kubernetes_container_name", "container_label_com_docker_compose_service",
    ),
    "node": ("node", "kubernetes_node", "k8s_node_name", "kubernetes_io_hostname", "nodename", "instance"),
    "workload": (
        "destination_workload", "k8s_deployment_name", "k8s_statefulset_name", "deployment", "statefulset", "workload",
    ),
}  # fmt: skip
"""Labels that mean the same, the most certain first."""
_SCRAPERS = frozenset(
    {"job", "instance", "prometheus", "prometheus_replica", "__replica__", "endpoint", "service", "monitor",
     "metrics_path", "receive", "tenant_id"}
)  # fmt: skip
"""Labels that a scraper adds: series that differ in nothing else are one series, read twice."""
_CLUSTER = "cluster"


def role_of(metric: str) -> Role | None:
    """The role of a series by its name; None where it has none here.

    >>> role_of("container_cpu_usage_seconds_total").value, role_of("grpc_server_handling_seconds_bucket").value
    ('used_s', 'bucket')
    >>> role_of("go_gc_duration_seconds_count"), role_of("rest_client_request_duration_seconds_bucket")
    (None, None)
    """
    if metric in METRICS:
        return METRICS[metric]
    if metric in COUNTS:
        return Role.REQUESTS
    family, _, kind = metric.rpartition("_")
    if kind not in ("bucket", "count") or unit_ms(family) is None:
        return None
    if family not in FAMILIES and (_GENERIC.fullmatch(family) is None or _OTHERS.search(family)):
        return None
    return Role.BUCKET if kind == "bucket" else Role.REQUESTS


def _family_of(metric: str) -> str:
    """The family of a counter of requests or a histogram.

    >>> _family_of("http_server_request_duration_seconds_bucket"), _family_of("istio_requests_total")
    ('http_server_request_duration_seconds', 'istio_requests_total')
    """
    return metric if metric in COUNTS else metric.rpartition("_")[0]


def rank_of(family: str) -> int:
    """Which of several families of the same requests is used: the least."""
    known = [*FAMILIES, *COUNTS]
    return known.index(family) if family in known else len(known)


def unit_ms(family: str) -> float | None:
    """Milliseconds of the unit of a histogram; None without a unit that is known.

    >>> unit_ms("my_request_seconds"), unit_ms("my_request_bytes")
    (1000.0, None)
    """
    if family in FAMILIES:
        return FAMILIES[family]
    return next((ms for suffix, ms in _UNITS.items() if family.endswith(suffix)), None)


def _label(labels: _Labels, what: str) -> str:
    """The first label of a meaning that has a value; empty without one.

    >>> _label({"namespace": "monitoring", "exported_namespace": "shop"}, "namespace")
    'shop'
    """
    for name in _SYNONYMS[what]:
        if value := labels.get(name):
            return value
    return ""


def _has(labels: _Labels, what: str) -> bool:
    """Whether a label of a meaning is there, with a value or without."""
    return any(name in labels for name in _SYNONYMS[what])


KNOWN_LABELS = frozenset(
    {name for names in _SYNONYMS.values() for name in names}
    | {"id", "name", "image", "cpu", "resource", "unit", "le", "owner_kind", "owner_name", "replicaset", "reporter"}
    | {_CLUSTER} | _SCRAPERS
)  # fmt: skip


_MOST_NAMED = 3
"""Names of series, pods or files that a note lists."""


class Notes:
    """Notes in the order in which their kinds appear first; a kind is a sentence with a place for its count.

    >>> notes = Notes()
    >>> notes.count("counter reset{s}", ["shop/web-1/app"], "excluded", 2)
    >>> notes.say("no series of pressure")
    >>> notes.sentences
    ('2 counter resets (shop/web-1/app): excluded', 'no series of pressure')
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._counted: dict[tuple[str, str], tuple[int, dict[str, None]]] = {}

    def say(self, sentence: str) -> None:
        """Add a sentence; the same one is kept once."""
        self._counted.setdefault((sentence, ""), (0, {}))

    def count(self, what: str, names: Iterable[str], then: str, count: int | None = None) -> None:
        """Count accidents of a kind (a noun, {s} its plural): where they were, and what became of them."""
        listed = list(names)
        before, known = self._counted.get((what, then), (0, {}))
        after = before + (len(listed) if count is None else count)
        if after:
            self._counted[what, then] = after, dict.fromkeys([*known, *listed])

    @property
    def sentences(self) -> tuple[str, ...]:
        """One for each kind."""
        return tuple(
            _sentence(what, count, list(names), then) if count else what
            for (what, then), (count, names) in self._counted.items()
        )


def _sentence(what: str, count: int, names: list[str], then: str) -> str:
    more = len(names) - _MOST_NAMED
    where = ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    noun = what.replace("{s}", "s" if count != 1 else "")
    return f"{count:,} {noun}{f' ({where})' if where else ''}: {then}"


_MOST_SAMPLES = 200_000_000
"""About 14 GB: a day of ten thousand containers at 30 s."""
_PAUSE = "POD"
"""What cAdvisor calls the container that holds a pod's network: it does no work."""
_OF_CONTAINERS = {*COUNTERS, Role.QUOTA, Role.PERIOD, Role.LIMIT, Role.RESERVED}


class Series(NamedTuple):
    """The labels of a series that are used; `identity` are all labels but those that a scraper adds."""

    number: int
    metric: str
    cluster: str
    namespace: str
    pod: str
    container: str
    node: str
    instance: str
    cpu: str
    le: str
    owner: str
    owned: str
    workload: str
    identity: str


@dataclass
class Collected:
    """Everything that was read: series by role, their points, and notes."""

    notes: Notes = field(default_factory=Notes)
    series: dict[Role, list[Series]] = field(default_factory=dict)
    points: dict[Role, list[pl.DataFrame]] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    """Names that have no role, with the number of their series."""
    aggregates: int = 0
    """Series over all containers of a pod, or of a node."""
    files: list[str] = field(default_factory=list)
    _count: int = 0
    _samples: int = 0

    def number(self, metric: str, labels: _Labels) -> tuple[Role, int] | None:
        """Take a series: its role and its number for `add`; None where it is not used."""
        role = role_of(metric)
        if role is None:
            self.unknown[metric] = self.unknown.get(metric, 0) + 1
            return None
        if not self._used(role, metric, labels):
            return None
        number = self._count
        self._count += 1
        self.series.setdefault(role, []).append(_series(number, metric, role, labels))
        return role, number

    def add(self, role: Role, points: pl.DataFrame) -> None:
        """Take points: columns series (the number), t (ms since 1970) and value."""
        self._samples += points.height
        if self._samples > _MOST_SAMPLES:
            why = f"they would take more memory than most machines have: over {_MOST_SAMPLES:,} samples"
            file = self.files[0] if self.files else ""
            remedy = "a longer step, a shorter range of time, or one namespace after the other"
            raise refusal(problem("too many samples", file=file, why=why, remedy=remedy))
        if not points.is_empty():
            self.points.setdefault(role, []).append(points)

    def _used(self, role: Role, metric: str, labels: _Labels) -> bool:
        if role in (Role.LIMIT, Role.RESERVED) and labels.get("resource", "cpu") != "cpu":
            return False
        if role in (Role.REQUESTS, Role.BUCKET):
            # Istio counts a request at its client and at its server; only the server's is this pod's.
            return labels.get("reporter", "destination") == "destination"
        if (role in COUNTERS or role in (Role.QUOTA, Role.PERIOD)) and _is_aggregate(labels):
            self.aggregates += 1
            return False
        return metric in METRICS


def _is_aggregate(labels: _Labels) -> bool:
    """Whether a series of cAdvisor is over a whole pod or node, or of the container that only holds a network."""
    container = _label(labels, "container")
    if _has(labels, "pod") or _has(labels, "container"):
        return container in ("", _PAUSE) or (not _label(labels, "pod") and _has(labels, "pod"))
    return not labels.get("name")


def _series(number: int, metric: str, role: Role, labels: _Labels) -> Series:
    identity = _identity(labels) if role is not Role.POD_OWNER else ""
    owner, owned = "", ""
    if role in (Role.POD_OWNER, Role.SET_OWNER):
        owner = f"{labels.get('owner_kind', '')}/{labels.get('owner_name', '')}"
        owned = labels.get("replicaset", "") if role is Role.SET_OWNER else ""
    if role in (Role.REQUESTS, Role.BUCKET):
        identity, metric = f"{metric} {identity}", _family_of(metric)
    pod, container = _label(labels, "pod"), _label(labels, "container")
    namespace, workload = _label(labels, "namespace"), _label(labels, "workload")
    if role in _OF_CONTAINERS and not pod:
        # Outside Kubernetes a container has a name, and perhaps a project.
        pod = labels.get("name", "").strip("/") or container
        workload = workload or _unnumbered(pod)
        namespace, container = namespace or "docker", container or workload
    return Series(
        number, metric, labels.get(_CLUSTER, ""), namespace, pod, container, _label(labels, "node"),
        labels.get("id") or labels.get("name", ""), labels.get("cpu", ""), labels.get("le", ""), owner, owned,
        workload, identity,
    )  # fmt: skip


def _unnumbered(name: str) -> str:
    """The name of a container without the number of the replica that Docker's tools append.

    >>> _unnumbered("shop-web-1"), _unnumbered("shop_web_12"), _unnumbered("db")
    ('shop-web', 'shop_web', 'db')
    """
    stem, separator, number = _last(name)
    return stem if separator and number.isdigit() and len(number) <= 4 else name


def _last(name: str) -> tuple[str, str, str]:
    at = max(name.rfind("-"), name.rfind("_"), name.rfind("."))
    return (name[:at], name[at], name[at + 1 :]) if at > 0 else (name, "", "")


def _identity(labels: _Labels) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(labels.items()) if name not in _SCRAPERS)


def _frame(series: Sequence[Series]) -> pl.DataFrame:
    """Series as a table, a row each."""
    import polars as pl

    schema: Mapping[str, pl.DataType] = {
        name: pl.UInt32() if name == "number" else pl.String() for name in Series._fields
    }
    return pl.DataFrame(list(series), schema=schema, orient="row")


CONTAINER = ("cluster", "namespace", "pod", "container", "instance")
"""What identifies a container: `instance` is another one after a restart."""


def cleaned(data: Collected, role: Role, keys: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Series of a role, and their points sorted by series and time; series with the same `keys` are one.

    Points that are no numbers, or that are there twice, are dropped and counted, and so are series that a second
    scraper has read.  Processor time by processor is added up.
    """
    series = _frame(data.series.get(role, []))
    frames = data.points.pop(role, [])
    if not frames:
        return series.clear(), _EMPTY.clone()
    points = pl.concat(frames)
    del frames
    points = _in_order(_numbers(points, data, role), data, role)
    series = _once(series, points, data, role)
    points = _of(points, series)
    if role in COUNTERS and series.get_column("cpu").n_unique() > 1:
        series, points = _over_processors(series, points, keys)
    return series, points


_EMPTY = pl.DataFrame(schema={"series": pl.UInt32, "t": pl.Int64, "value": pl.Float64})


def _numbers(points: pl.DataFrame, data: Collected, role: Role) -> pl.DataFrame:
    """The points whose value is a finite number; Prometheus marks the end of a series with a NaN of its own."""
    kept = points.filter(pl.col("value").is_finite())
    missing = points.height - kept.height
    data.notes.count(f"sample{{s}} of {role.value} without a number", [], "excluded", missing)
    return kept


def _in_order(points: pl.DataFrame, data: Collected, role: Role) -> pl.DataFrame:
    same = pl.col("series") == pl.col("series").shift()
    late = points.select((same & (pl.col("t") < pl.col("t").shift())).sum()).item() or 0
    data.notes.count(f"sample{{s}} of {role.value} out of order", [], "sorted by time", late)
    jumps = points.select((pl.col("series") < pl.col("series").shift()).sum()).item() or 0
    if late or jumps:
        points = points.sort("series", "t", maintain_order=True)
    following = (pl.col("series") == pl.col("series").shift(-1)) & (pl.col("t") == pl.col("t").shift(-1))
    kept = points.filter(~following.fill_null(False))
    data.notes.count(
        f"sample{{s}} of {role.value} at an instant that has one", [], "the last is used", points.height - kept.height
    )
    return kept


def _once(series: pl.DataFrame, points: pl.DataFrame, data: Collected, role: Role) -> pl.DataFrame:
    """The series that have points, of those that differ in the scraper alone the one with the most points."""
    counted = series.join(points.group_by("series").len("points"), left_on="number", right_on="series", how="inner")
    kept = (
        counted.sort("points", "number", descending=[True, False])
        .unique(["metric", "identity", "pod", "namespace"], keep="first", maintain_order=True)
        .sort("number")
    )
    dropped = counted.join(kept, on="number", how="anti")
    names = dropped.select(pl.concat_str("namespace", "pod", "container", separator="/")).to_series().to_list()
    data.notes.count(f"series of {role.value} read by a second scraper", names, "the one with the most samples is used")
    return kept.drop("points")


def _of(points: pl.DataFrame, series: pl.DataFrame) -> pl.DataFrame:
    """The points of these series alone."""
    if points.get_column("series").n_unique() == series.height:
        return points
    return points.join(series.select("number"), left_on="series", right_on="number", how="semi", maintain_order="left")


def _over_processors(
    series: pl.DataFrame, points: pl.DataFrame, keys: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One series per container: that of all processors, or the sum of those of each."""
    total = series.filter(pl.col("cpu").is_in(["", "total"])).unique(keys, keep="first", maintain_order=True)
    parts = series.join(total, on=list(keys), how="anti")
    first = parts.unique(keys, keep="first", maintain_order=True)
    to = parts.select(*keys, part="number").join(first.select(*keys, "number"), on=list(keys)).select("part", "number")
    added = (
        points.join(to, left_on="series", right_on="part")
        .group_by("number", "t")
        .agg(pl.col("value").sum(), pl.len().alias("processors"))
        .filter(pl.col("processors") == pl.col("processors").max().over("number"))
        .select(series="number", t="t", value="value")
    )
    whole = points.join(total.select("number"), left_on="series", right_on="number", how="semi")
    kept = pl.concat([total, first]).sort("number")
    return kept, pl.concat([whole, added]).sort("series", "t")


_ROLES = list(Role)
_SCHEMA = {"key": pl.String, "series": pl.UInt32, "role": pl.UInt8}


class Numbering:
    """The series of some files by a text each; `of` gives name and labels of a text.

    Rows whose series is not used are dropped.
    """

    def __init__(self, data: Collected, of: Callable[[str], tuple[str, _Labels]]) -> None:
        """Begin without any."""
        self._data, self._of = data, of
        self._known = pl.DataFrame(schema=_SCHEMA)

    def numbered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows with `series` and `role` (its place in ROLES) in place of `key`, in their order."""
        found = rows.drop("key").hstack(self.of_keys(rows.select("key")))
        return found.filter(pl.col("series").is_not_null())

    def of_keys(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The series and role of each key, null where it is not used."""
        new = rows.select(pl.col("key").unique(maintain_order=True)).join(self._known, on="key", how="anti",
                                                                          maintain_order="left")  # fmt: skip
        if not new.is_empty():
            self._known = pl.concat([self._known, self._taken(new.get_column("key").to_list())])
        return rows.join(self._known, on="key", how="left", maintain_order="left").drop("key")

    def _taken(self, keys: list[str]) -> pl.DataFrame:
        taken = [self._data.number(*self._of(key)) for key in keys]
        rows = [
            (key, None, None) if series is None else (key, series[1], _ROLES.index(series[0]))
            for key, series in zip(keys, taken, strict=True)
        ]
        return pl.DataFrame(rows, schema=_SCHEMA, orient="row")

    def add(self, rows: pl.DataFrame) -> None:
        """Take points: series, role, t and value."""
        for (role,), points in rows.partition_by("role", as_dict=True, maintain_order=True).items():
            self._data.add(_ROLES[int(role)], points.select("series", "t", "value"))
