"""A cluster as `advise` takes it, files with its series or a server to ask, and the fleet that is read from them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.advise.limits.fleet.series.forms import Server, form_of, head_of, server_of
from slicewright.advise.limits.quantity import pair, processors, span_ms
from slicewright.advise.options import AdviceOptions
from slicewright.values.errors import Problem, problem, refusal
from slicewright.values.files import shown

if TYPE_CHECKING:
    import polars as pl


INTERVALS: Mapping[str, str] = {
    "workload": "String", "replica": "String", "at_s": "Float64", "length_s": "Float64", "used_s": "Float64",
    "periods": "Int64", "throttled": "Int64", "stopped_s": "Float64", "limit": "Float64", "period_ms": "Float64",
    "requests_per_s": "Float64", "pressure_s": "Float64",
}  # fmt: skip
"""Columns of the intervals, and the type of each as polars names it."""
WORKLOADS: Mapping[str, str] = {
    "workload": "String", "replicas": "Int64", "limit": "Float64", "reserved": "Float64", "nodes": "List(String)",
    "measured_p50_ms": "Float64", "measured_p90_ms": "Float64", "measured_p95_ms": "Float64",
    "measured_p99_ms": "Float64",
}  # fmt: skip
"""Columns of the workloads, and the type of each as polars names it."""


@dataclass(frozen=True)
class Fleet:
    """The intervals of every replica of every container, a row per container, and notes on what was read.

    `intervals` has a row per replica of a container and interval with a constant limit, sorted by workload, replica and
    `at_s`.  Workload is "namespace/name/container", replica a pod.  `at_s` is the end, seconds since 1970, `length_s`
    its length.  Over it `used_s` of processor time were used, `periods` counted, `throttled` of them with throttling,
    and processors stopped for `stopped_s` (null without that series).  `periods` and `throttled` are 0 without a limit,
    null where a limited container lacks these series.  `limit` is in processors (null: none), `period_ms` the period of
    the limit.  `requests_per_s` and `pressure_s` are null where nothing measures them.

    `workloads` has a row per workload, sorted: `replicas` that ran at the end of its data, the `limit` of then
    (processors, null: none), `reserved` (requests.cpu of a replica in processors, null: none or not known), `nodes`
    (the node of each of these replicas whose node is known), and percentiles of latency from histograms, null without.

    `notes` are sentences: accidents in the data with their counts, and what was assumed for missing series.
    """

    intervals: pl.DataFrame
    workloads: pl.DataFrame
    notes: tuple[str, ...] = ()


FORMS = "range queries of Prometheus in JSON, OpenMetrics or Prometheus text, CSV, Parquet, or stats of Docker or ECS"


@dataclass(frozen=True)
class Cluster:
    """Where the series of a fleet are.

    `every_s` is the time between scrapes that have none, `limit` that of containers whose limit nothing gives.
    """

    name: str
    files: tuple[str | os.PathLike[str], ...] = ()
    server: Server | None = None
    every_s: float | None = None
    limit: float | None = None


def cluster_of(files: Sequence[str | os.PathLike[str]], options: AdviceOptions) -> Cluster | None:
    """The cluster that files or `--prometheus` name; None where they name none.

    Raises InputError for other files beside those of a cluster, and with every problem of its options.
    """
    problems: list[Problem] = []
    server = server_of(options.own, problems)
    forms = {file: form_of(head_of(file)) for file in files}
    if server is None and not problems and not any(forms.values()):
        return None
    if server is not None or problems:
        why = "the series come from --prometheus"
        problems += [problem("beside a server", file=shown(file), why=why, allowed="no file") for file in files]
    else:
        why = "series of a cluster give the load of every container by themselves"
        problems += [
            problem("beside series of a cluster", file=shown(file), why=why, allowed=FORMS)
            for file, form in forms.items()
            if form is None
        ]
    every_s, limit = _every(options.own.get("every"), problems), _limit(options.own.get("limit"), problems)
    if problems:
        raise refusal(*problems)
    name = server.url if server is not None else ", ".join(shown(file) for file in files[:3])
    more = f" and {len(files) - 3:,} more" if len(files) > 3 else ""
    return Cluster(name + more, tuple(files), server, every_s, limit)


def _every(text: str | None, problems: list[Problem]) -> float | None:
    found = span_ms(text) if text is not None else None
    if text is not None and (found is None or not 1e3 <= found <= 8.64e7):
        problems.append(problem(f"not a span: {text}", key="every", allowed="1 s to 1 d: 60 s"))
    return None if found is None else found / 1000


def _limit(text: str | None, problems: list[Problem]) -> float | None:
    if text is None:
        return None
    both = pair(text)
    found = both[0] / both[1] if both and both[1] else processors(text)
    if found is None or found <= 0:
        allowed = "processors: 500m, 0.5, 2; it is that of containers whose limit the series do not give"
        problems.append(problem(f"not a limit: {text}", key="limit", allowed=allowed))
    return found
