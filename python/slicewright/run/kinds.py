"""Virtual machines of a kind together, their spin locks, and guests of a class: sums, and means over what they did.

`Run.virtual_machines`, `Run.spin_locks` and `Run.guests` have each alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slicewright.run.tables import counters, weighted_mean, weights
from slicewright.statistics import over_replications

if TYPE_CHECKING:
    import polars

    from slicewright.run.tabulated import Tabulated
    from slicewright.scenario.view import View

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


CLASS = "class"
"""The column that names a class of business: as `--growth` and `--require` name it, `@orders`."""


def pooled_classes(run: Tabulated) -> polars.DataFrame:
    """A row per replication and class of the run's scenario, as `of_classes` makes them; none without classes."""
    text = getattr(run, "scenario", "")
    if "[[class]]" not in text:  # a scenario takes some ms to be read
        return run.pooled["guests"].head(0)
    from slicewright._core import Scenario

    return of_classes(run.pooled["guests"], Scenario.read(text.encode(), "scenario.toml").view)


def of_classes(frame: polars.DataFrame, view: View) -> polars.DataFrame:
    """A row per replication and class of a table of guests: class, guests (how many rows), and their counters.

    Rates and populations are added up over its guests, times are means over what they count.  Paging of a class is
    no part of it: its cycles are no transactions.  A percentile
    of several guests is not made of theirs: it is null unless the class has one.
    """
    import polars as pl

    classes = {each.name: f"@{each.of_class}" for each in view.guests if each.of_class}
    if not classes:
        return frame.head(0)
    of = pl.col("guest").replace_strict(classes, default=None, return_dtype=pl.String)
    own = frame.with_columns(of.alias(CLASS)).filter(pl.col(CLASS).is_not_null())
    grouped = own.group_by(["replication", CLASS], maintain_order=True)
    return grouped.agg(pl.len().alias("guests"), *(_of_class(name) for name in counters(frame)))


def by_class(run: Tabulated) -> polars.DataFrame:
    """A row per class of the scenario, estimated over replications; none where guests have no classes.

    >>> import slicewright
    >>> site = slicewright.starter("site-zvm")
    >>> found = by_class(slicewright.run(site, replications=1, set={"measure.interval": "1 s"}))
    >>> found["class"].to_list()
    ['@orders', '@reports', '@office']
    """
    together = pooled_classes(run)
    if together.is_empty():
        return together
    return over_replications(together, [CLASS, "guests"], counters(run.pooled["guests"]))


def _of_class(name: str) -> polars.Expr:
    import polars as pl

    if name in _PERCENTILES:
        return pl.when(pl.len() == 1).then(pl.col(name).first()).alias(name)
    return _together("guests", name)


_PERCENTILES = frozenset({"cycle_p50_ms", "cycle_p90_ms", "cycle_p95_ms", "cycle_p99_ms"})


def _together(table: str, name: str) -> polars.Expr:
    import polars as pl

    value = pl.col(name)
    if name == "longest_wait_ms":
        return value.max()
    if name == "held_percent":
        return value.mean()
    by = weights(table, name)
    return weighted_mean(name, by) if by else value.sum()
