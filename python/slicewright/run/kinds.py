"""Virtual machines of a kind taken together, and their spin locks: what they have in all, and means over what they did.

`Run.virtual_machines` and `Run.spin_locks` have each machine alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.run.tables import counters, weighted_mean, weights
from slicewright.statistics import over_replications

if TYPE_CHECKING:
    import polars

    from slicewright.run.tabulated import Tabulated

_KIND = ("partition", "virtual_machine")
_LOCK = (*_KIND, "lock")


def by_kind(run: Tabulated) -> polars.DataFrame:
    """A row per kind of virtual machines: partition, virtual_machine, machines (how many), then the counters.

    Counters of `Run.virtual_machines` are added up over the machines in each replication; `moved_percent` and
    `resident` are means over their dispatches.  Each is the mean over replications, with its 95 % half-width.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> by_kind(slicewright.run(starter("mm1"), replications=2)).height
    0
    """

    return _of_kinds(run, "virtual_machines", _KIND)


def spin_locks_by_kind(run: Tabulated) -> polars.DataFrame:
    """A row per spin lock of a kind of machines: partition, virtual_machine, lock, machines, then the counters.

    Rates and processors that spin are added up over the machines in each replication.  `longest_wait_ms` is the longest
    of all, `held_percent` the mean over the machines; the others are means over what they count.  Each is the mean over
    replications, with its 95 % half-width.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> spin_locks_by_kind(slicewright.run(starter("mm1"), replications=2)).height
    0
    """
    return _of_kinds(run, "spin_locks", _LOCK)


def _of_kinds(run: Tabulated, table: str, kind: Sequence[str]) -> polars.DataFrame:
    import polars as pl

    frame = run.pooled[table]
    if frame.is_empty():
        return frame
    names = counters(frame)
    grouped = frame.group_by(["replication", *kind], maintain_order=True)
    together = grouped.agg(pl.len().alias("machines"), *(_together(table, name) for name in names))
    return over_replications(together, [*kind, "machines"], names)


def _together(table: str, name: str) -> polars.Expr:
    import polars as pl

    value = pl.col(name)
    if name == "longest_wait_ms":
        return value.max()
    if name == "held_percent":
        return value.mean()
    by = weights(table, name)
    return weighted_mean(name, by) if by else value.sum()
