"""The series of some files: their labels once, and their points role by role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from slicewright.advise.limits.fleet.series.names import (
    CLUSTER,
    COUNTERS,
    METRICS,
    SCRAPERS,
    Labels,
    Role,
    family_of,
    has,
    label,
    role_of,
)
from slicewright.advise.limits.fleet.series.notes import Notes
from slicewright.errors import problem, refusal

if TYPE_CHECKING:
    import polars as pl

MOST_SAMPLES = 200_000_000
"""About 14 GB: a day of ten thousand containers at 30 s."""
PAUSE = "POD"
"""What cAdvisor calls the container that holds a pod's network: it does no work."""
OF_CONTAINERS = {*COUNTERS, Role.QUOTA, Role.PERIOD, Role.LIMIT, Role.RESERVED}


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

    def number(self, metric: str, labels: Labels) -> tuple[Role, int] | None:
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
        if self._samples > MOST_SAMPLES:
            why = f"they would take more memory than most machines have: over {MOST_SAMPLES:,} samples"
            file = self.files[0] if self.files else ""
            remedy = "a longer step, a shorter range of time, or one namespace after the other"
            raise refusal(problem("too many samples", file=file, why=why, remedy=remedy))
        if not points.is_empty():
            self.points.setdefault(role, []).append(points)

    def _used(self, role: Role, metric: str, labels: Labels) -> bool:
        if role in (Role.LIMIT, Role.RESERVED) and labels.get("resource", "cpu") != "cpu":
            return False
        if role in (Role.REQUESTS, Role.BUCKET):
            # Istio counts a request at its client and at its server; only the server's is this pod's.
            return labels.get("reporter", "destination") == "destination"
        if (role in COUNTERS or role in (Role.QUOTA, Role.PERIOD)) and _is_aggregate(labels):
            self.aggregates += 1
            return False
        return metric in METRICS


def _is_aggregate(labels: Labels) -> bool:
    """Whether a series of cAdvisor is over a whole pod or node, or of the container that only holds a network."""
    container = label(labels, "container")
    if has(labels, "pod") or has(labels, "container"):
        return container in ("", PAUSE) or (not label(labels, "pod") and has(labels, "pod"))
    return not labels.get("name")


def _series(number: int, metric: str, role: Role, labels: Labels) -> Series:
    identity = _identity(labels) if role is not Role.POD_OWNER else ""
    owner, owned = "", ""
    if role in (Role.POD_OWNER, Role.SET_OWNER):
        owner = f"{labels.get('owner_kind', '')}/{labels.get('owner_name', '')}"
        owned = labels.get("replicaset", "") if role is Role.SET_OWNER else ""
    if role in (Role.REQUESTS, Role.BUCKET):
        identity, metric = f"{metric} {identity}", family_of(metric)
    pod, container = label(labels, "pod"), label(labels, "container")
    namespace, workload = label(labels, "namespace"), label(labels, "workload")
    if role in OF_CONTAINERS and not pod:
        # Outside Kubernetes a container has a name, and perhaps a project.
        pod = labels.get("name", "").strip("/") or container
        workload = workload or unnumbered(pod)
        namespace, container = namespace or "docker", container or workload
    return Series(
        number, metric, labels.get(CLUSTER, ""), namespace, pod, container, label(labels, "node"),
        labels.get("id") or labels.get("name", ""), labels.get("cpu", ""), labels.get("le", ""), owner, owned,
        workload, identity,
    )  # fmt: skip


def unnumbered(name: str) -> str:
    """The name of a container without the number of the replica that Docker's tools append.

    >>> unnumbered("shop-web-1"), unnumbered("shop_web_12"), unnumbered("db")
    ('shop-web', 'shop_web', 'db')
    """
    stem, separator, number = _last(name)
    return stem if separator and number.isdigit() and len(number) <= 4 else name


def _last(name: str) -> tuple[str, str, str]:
    at = max(name.rfind("-"), name.rfind("_"), name.rfind("."))
    return (name[:at], name[at], name[at + 1 :]) if at > 0 else (name, "", "")


def _identity(labels: Labels) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(labels.items()) if name not in SCRAPERS)


def frame(series: Sequence[Series]) -> pl.DataFrame:
    """Series as a table, a row each."""
    import polars as pl

    schema: Mapping[str, pl.DataType] = {
        name: pl.UInt32() if name == "number" else pl.String() for name in Series._fields
    }
    return pl.DataFrame(list(series), schema=schema, orient="row")
