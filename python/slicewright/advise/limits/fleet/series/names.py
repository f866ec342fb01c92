"""The names of series and labels that are read, as cAdvisor, kube-state-metrics, Istio and OpenTelemetry write them.

Sources: cAdvisor, docs/storage/prometheus.md; kube-state-metrics, docs/metrics/workload; Istio, Standard Metrics;
OpenTelemetry, Semantic conventions for HTTP metrics.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum


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

Labels = Mapping[str, str]
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
SCRAPERS = frozenset(
    {"job", "instance", "prometheus", "prometheus_replica", "__replica__", "endpoint", "service", "monitor",
     "metrics_path", "receive", "tenant_id"}
)  # fmt: skip
"""Labels that a scraper adds: series that differ in nothing else are one series, read twice."""
CLUSTER = "cluster"


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


def family_of(metric: str) -> str:
    """The family of a counter of requests or a histogram.

    >>> family_of("http_server_request_duration_seconds_bucket"), family_of("istio_requests_total")
    ('http_server_request_duration_seconds', 'istio_requests_total')
    """
    return metric if metric in COUNTS else metric.rpartition("_")[0]


def rank_of(family: str) -> int:
    """Which of several families of the same requests is used: the least.

    >>> rank_of("http_server_request_duration_seconds") < rank_of("istio_requests_total") < rank_of("my_request_ms")
    True
    """
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


def label(labels: Labels, what: str) -> str:
    """The first label of a meaning that has a value; empty without one.

    >>> label({"namespace": "monitoring", "exported_namespace": "shop"}, "namespace")
    'shop'
    """
    for name in _SYNONYMS[what]:
        if value := labels.get(name):
            return value
    return ""


def has(labels: Labels, what: str) -> bool:
    """Whether a label of a meaning is there, with a value or without."""
    return any(name in labels for name in _SYNONYMS[what])


def known_label(name: str) -> bool:
    """Whether a column of a table is a label that is read.

    >>> known_label("pod"), known_label("value")
    (True, False)
    """
    return name in KNOWN_LABELS


KNOWN_LABELS = frozenset(
    {name for names in _SYNONYMS.values() for name in names}
    | {"id", "name", "image", "cpu", "resource", "unit", "le", "owner_kind", "owner_name", "replicaset", "reporter"}
    | {CLUSTER} | SCRAPERS
)  # fmt: skip
