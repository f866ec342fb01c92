"""The note of a run on means that omit replications in which there was nothing to measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from slicewright.run.tables import ENTITY, counters, per_replication, weights

if TYPE_CHECKING:
    import polars


def left_out(raw: Mapping[str, polars.DataFrame]) -> list[str]:
    """A note that names the means and how many replications each omits; none where all replications count.

    A row without a value in any replication needs no note: its mean is shown as unknown.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> left_out({"system": slicewright.run(starter("mm1"), replications=2).raw["system"]})
    []
    """
    means = [mean for table, frame in raw.items() if table in ENTITY for mean in _of_table(table, frame)]
    return [f"means omit replications without measurements: {', '.join(means)}"] if means else []


def _of_table(table: str, frame: polars.DataFrame) -> Iterator[str]:
    """Of each kind of mean that omits replications: its counters, and how many replications of how many."""
    import polars as pl

    total = 0 if frame.is_empty() else frame["replication"].n_unique()
    if total < 2:  # a mean over one replication omits none
        return
    single = per_replication(frame, table)
    means = sorted((name for name in counters(single) if weights(table, name)), key=partial(weights, table))
    for by, listed in groupby(means, key=partial(weights, table)):
        nothing = pl.sum_horizontal(by) == 0
        missing = single.group_by(ENTITY[table].split() or [pl.lit(0)]).agg(nothing.sum().alias("missing"))["missing"]
        some = missing.filter((missing > 0) & (missing < total)).to_list()
        if some:
            names = list(listed)
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            most = "" if len(set(missing)) == 1 else "up to "
            yield f"{table}.{names[0]}{more} ({most}{max(some)} of {total})"
