"""Virtual machines of a kind taken together: what they have in all, and means over their dispatches.

It leaves out the machines one by one, which `Run.virtual_machines` has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.statistics import over_replications
from slicewright.tables import counters, per_replication

if TYPE_CHECKING:
    import polars

    from slicewright.run import Run

_KIND = ("partition", "virtual_machine")
_PER_DISPATCH = frozenset({"moved_percent", "resident"})


def by_kind(run: Run) -> polars.DataFrame:
    """A row per kind of virtual machines: partition, virtual_machine, machines (how many), then the counters.

    Counters of `Run.virtual_machines` are added up over the machines in each replication; `moved_percent` and
    `resident` are means over their dispatches.  Each is the mean over replications, with its 95 % half-width.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> by_kind(slicewright.run(starter("mm1"), replications=2)).height
    0
    """
    import polars as pl

    frame = per_replication(run.raw["virtual_machines"])
    if frame.is_empty():
        return frame
    names = counters(frame)
    grouped = frame.group_by(["replication", *_KIND], maintain_order=True)
    together = grouped.agg(pl.len().alias("machines"), *(_together(name) for name in names))
    return over_replications(together, [*_KIND, "machines"], names)


def _together(name: str) -> polars.Expr:
    import polars as pl

    if name not in _PER_DISPATCH:
        return pl.col(name).sum()
    dispatches = pl.col("dispatches_per_s")
    return pl.when(dispatches.sum() > 0).then((pl.col(name) * dispatches).sum() / dispatches.sum()).alias(name)
