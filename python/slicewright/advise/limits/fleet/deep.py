"""One workload of a fleet in depth: its counters as copies of `cpu.stat`, answered with the engine's simulations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slicewright.advise.limits import request as alone
from slicewright.advise.limits.answer import LimitAnswer
from slicewright.advise.limits.cpu_stat import Copy, texts
from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.fleet.request import FleetRequest
from slicewright.advise.limits.from_copies import answer_copies
from slicewright.advise.limits.quantity import limit as milli
from slicewright.advise.limits.quantity import span
from slicewright.errors import problem, refusal
from slicewright.experiment.progress import Progress, silent

if TYPE_CHECKING:
    import polars as pl

PARTS = 6
"""Intervals that the counters are joined to: enough to see whether the load changes, each long enough to tell."""


def simulated(fleet: Fleet, request: FleetRequest, progress: Progress = silent) -> LimitAnswer:
    """The answer about the workload that is named; raises InputError where it has no limit or no counters."""
    import polars as pl

    name = request.workload
    rows = fleet.intervals.filter((pl.col("workload") == name) & pl.col("periods").is_not_null())
    if rows.is_empty() or rows["limit"][-1] is None:
        why = "it has no limit, or its periods are not counted: nothing can be read from it"
        raise refusal(problem(f"no counters to simulate: {name}", key="workload", why=why, allowed="another workload"))
    last = rows.sort("at_s").row(-1, named=True)
    rows = rows.filter((pl.col("limit") == last["limit"]) & (pl.col("period_ms") == last["period_ms"]))
    options = request.alone
    own = {key: value for key, value in options.own.items() if key not in ("workload", "patch", "top")}
    own.setdefault("limit", milli(last["limit"]))
    own.setdefault("period", span(last["period_ms"]))
    if not rows["requests_per_s"].has_nulls():
        served = float((rows["requests_per_s"] * rows["length_s"]).sum()) / float(rows["length_s"].sum())
        if served >= 1e-3:
            own.setdefault("requests", f"{served:.6g}/s")
    asked = alone.check(replace(options, own={key: value for key, value in own.items() if key in _KNOWN}))
    return answer_copies([(name, texts(_copies(rows)).encode())], asked, progress)


_KNOWN = ("limit", "requests", "threads", "period", "burst", "processors")


def _copies(rows: pl.DataFrame) -> list[Copy]:
    """Counters as if every replica had been one group, one after the other, at the ends of a few parts.

    Parts are of the time, with what all replicas used in it: an interval of one replica follows that of another.
    """
    import polars as pl

    rows = rows.sort("at_s", "replica")
    whole = float(rows["length_s"].sum())
    place = ((pl.col("length_s").cum_sum() / whole * PARTS).ceil().clip(1, PARTS)).alias("part")
    parts = (
        rows.with_columns(place)
        .group_by("part", maintain_order=True)
        .agg(pl.col("length_s", "used_s", "periods", "throttled").sum(), stopped_s=_stopped())
    )
    copy = Copy("fleet", 1, "v2", 0.0, 0, 0, 0.0, None, 0.0, {})
    known = not parts["stopped_s"].has_nulls()
    found = [copy if known else replace(copy, stopped_s=None)]
    for part in parts.iter_rows(named=True):
        before = found[-1]
        stopped = (before.stopped_s or 0.0) + (part["stopped_s"] or 0.0) if known else None
        found.append(
            replace(
                before, used_s=before.used_s + part["used_s"], periods=before.periods + part["periods"],
                throttled=before.throttled + part["throttled"], stopped_s=stopped,
                at_s=(before.at_s or 0.0) + part["length_s"],
            )
        )  # fmt: skip
    return found


def _stopped() -> pl.Expr:
    import polars as pl

    return pl.when(pl.col("stopped_s").is_null().any()).then(None).otherwise(pl.col("stopped_s").sum())
