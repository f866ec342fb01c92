"""A fleet: the measured intervals of many containers, and what is set for them, whatever form they were read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
