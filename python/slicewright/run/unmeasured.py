"""The note of a run on means that omit replications in which there was nothing to measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from slicewright.run.tables import ENTITY, counters, weights

if TYPE_CHECKING:
    import polars


def left_out(pooled: Mapping[str, polars.DataFrame]) -> list[str]:
    """A note that names the means and how many replications each omits; none where all replications count.

    A row without a value in any replication needs no note: its mean is shown as unknown.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> left_out(slicewright.run(starter("mm1"), replications=2).pooled)
    []
    """
    means = [mean for table, frame in pooled.items() for mean in _of_table(table, frame)]
    return [f"means omit replications without measurements: {', '.join(means)}"] if means else []


def _of_table(table: str, frame: polars.DataFrame) -> Iterator[str]:
    """Of each kind of mean that omits replications: its counters, and how many replications of how many."""
    import polars as pl

    means = sorted((name for name in counters(frame) if weights(table, name)), key=partial(weights, table))
    if not any(frame[name].null_count() for name in means):
        return
    total = frame["replication"].n_unique()
    if total < 2:  # a mean over one replication omits none
        return
    missing = frame.group_by(ENTITY[table].split() or [pl.lit(0)]).agg(pl.col(means).null_count())
    for _, listed in groupby(means, key=partial(weights, table)):
        names = [name for name in listed if missing[name].is_between(1, total - 1).any()]
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            counts = [count for name in names for count in missing[name]]
            some = max(count for count in counts if count < total)
            yield f"{table}.{names[0]}{more} ({'' if len(set(counts)) == 1 else 'up to '}{some} of {total})"
