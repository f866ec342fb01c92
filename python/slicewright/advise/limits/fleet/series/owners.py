"""The workload that a pod belongs to: by its owners where these are known, else by the pattern of its name.

Kubernetes names a pod of a Deployment NAME-HASH-SUFFIX, and of a StatefulSet NAME-NUMBER.  A pod of a DaemonSet or Job
is NAME-SUFFIX.  Hashes and suffixes have letters that make no words (apimachinery, util/rand).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from slicewright.advise.limits.fleet.series.collect import Collected, Series
from slicewright.advise.limits.fleet.series.names import Role

_LETTERS = "[bcdfghjklmnpqrstvwxz2456789]"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<name>.+)-{_LETTERS}{{6,10}}-{_LETTERS}{{5}}",
        # A CronJob's run has the minutes since 1970 in its name.
        rf"(?P<name>.+)-[0-9]{{8,10}}-{_LETTERS}{{5}}",
        rf"(?P<name>.+)-{_LETTERS}{{5}}",
        r"(?P<name>.+)-[0-9]{1,4}",
    )
)

Pod = tuple[str, str, str]
"""Cluster, namespace and name."""


def stripped(pod: str) -> str:
    """The name of a workload by that of its pod.

    >>> [stripped(pod) for pod in ("web-5d8c7f9b6d-x2v4k", "db-0", "agent-zx8kp", "backup-28514220-7bqxd", "lone")]
    ['web', 'db', 'agent', 'backup', 'lone']
    """
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(pod):
            return found["name"]
    return pod


class Owners:
    """Names of workloads by pod."""

    def __init__(self, data: Collected) -> None:
        """Take the series about owners; their values are all 1."""
        sets = {
            (series.cluster, series.namespace, series.owned): _owner(series)
            for series in data.series.get(Role.SET_OWNER, [])
        }
        self._known: dict[Pod, str] = {}
        for series in data.series.get(Role.POD_OWNER, []):
            kind, name = _owner(series)
            above_kind, above = sets.get((series.cluster, series.namespace, name), ("", ""))
            if kind == "ReplicaSet" and above and above_kind not in ("", "<none>"):
                name = above
            elif kind == "ReplicaSet":
                name = re.sub(rf"-{_LETTERS}{{6,10}}$", "", name)
            elif kind == "Job":
                name = re.sub(r"-[0-9]{8,10}$", "", name)
            if kind not in ("", "<none>", "Node") and name:
                self._known[series.cluster, series.namespace, series.pod] = name
        self.by_name: dict[str, None] = {}
        """Workloads whose pods are pooled by the pattern of their names."""

    def of(self, pod: Pod, workload: str = "") -> str:
        """The name of the workload of a pod; `workload` is what its own labels say."""
        name = self._known.get(pod) or workload
        if not name:
            name = stripped(pod[2])
            if name != pod[2]:
                self.by_name[f"{pod[1]}/{name}"] = None
        return name


def _owner(series: Series) -> tuple[str, str]:
    kind, _, name = series.owner.partition("/")
    return kind, name


def nodes(data: Collected) -> Mapping[Pod, str]:
    """The node of each pod that kube_pod_info names one for."""
    return {
        (series.cluster, series.namespace, series.pod): series.node
        for series in data.series.get(Role.POD_NODE, [])
        if series.node
    }
