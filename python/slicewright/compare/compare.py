"""Two runs held side by side: the difference of every counter with its 95 % interval, paired where streams are common.

It leaves out which difference matters: that depends on the question.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slicewright.parameters import check, path_problem
from slicewright.run.directory import load
from slicewright.run.run import Run
from slicewright.run.tables import ENTITY, counters, per_replication
from slicewright.statistics import Estimate, estimate, paired, unpaired

if TYPE_CHECKING:
    import polars

_Values = dict[str, dict[int, dict[str, float | None]]]
"""By entity, then by replication: the counters."""

_SIDE = "a Run, or the name of a directory that run --out has written"

_COLUMNS = ("table", "entity", "counter", "before", "after", "difference", "half_width", "replications", "streams")


def compare(a: Run | str | os.PathLike[str], b: Run | str | os.PathLike[str]) -> polars.DataFrame:
    """Differences b - a, one row per table, entity and counter: before, after, difference, half_width, streams.

    `streams` is `paired` when both runs have one seed and at least two replications in common: then the differences
    are taken replication by replication (Law, Simulation Modeling and Analysis, section 10.2.1) over those they share.
    Otherwise it is `unpaired`, and the interval is Welch's.  An entity that only one run has is `only before` or
    `only after`.  Units are those of the counters; `half_width` is null where it cannot be known.

    Raises InputError when a directory is not a run directory.

    >>> from slicewright import run
    >>> from slicewright._core import starter
    >>> one = run(starter("mm1"), replications=2, set={"measure.interval": "20 s"})
    >>> compare(one, one)["difference"].abs().max()
    0.0
    """
    import polars as pl

    check(*(None if isinstance(side, Run) else path_problem(key, side, _SIDE) for key, side in (("a", a), ("b", b))))
    before, after = (one if isinstance(one, Run) else load(Path(one)) for one in (a, b))
    rows: list[tuple[Any, ...]] = []
    for table in ENTITY:
        rows += _of_table(table, before, after)
    types = dict.fromkeys(("before", "after", "difference", "half_width"), pl.Float64)
    return pl.DataFrame(
        rows,
        schema={name: types.get(name, pl.Int64 if name == "replications" else pl.String) for name in _COLUMNS},
        orient="row",
    ).with_columns(pl.col(name).fill_nan(None) for name in types)


def changed(a: Run, b: Run) -> list[tuple[str, str, str]]:
    """Numbers that the two scenarios do not share: key, before, after; `-` where one has no such number.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> runs = [slicewright.run(starter("mm1"), replications=2, set=[f"measure.interval={n} s"]) for n in (5, 6)]
    >>> changed(*runs)
    [('measure.interval', '5 s', '6 s')]
    """
    from slicewright._core import Scenario

    before, after = (
        {row["key"]: row["value"] for row in Scenario.read(one.scenario.encode(), "scenario.toml").explain()}
        for one in (a, b)
    )
    keys = [*before, *(key for key in after if key not in before)]
    pairs = ((key, before.get(key, "-"), after.get(key, "-")) for key in keys)
    return [(key, old, new) for key, old, new in pairs if old != new]


def _of_table(table: str, before: Run, after: Run) -> list[tuple[Any, ...]]:
    first, second = (_values(one.raw[table], table) for one in (before, after))
    names = [name for name in counters(before.raw[table]) if name in after.raw[table].columns]
    names = names or counters(after.raw[table])
    same_seed = before.seed == after.seed
    rows: list[tuple[Any, ...]] = []
    for entity in [*first, *(name for name in second if name not in first)]:
        for name in names:
            sides = (_of_counter(first.get(entity, {}), name), _of_counter(second.get(entity, {}), name))
            rows.append((table, entity, name, *_difference(sides, same_seed)))
    return rows


def _difference(sides: tuple[dict[int, float], dict[int, float]], same_seed: bool) -> tuple[Any, ...]:
    before, after = (list(side.values()) for side in sides)
    common = sorted(sides[0].keys() & sides[1].keys()) if same_seed else []
    difference: Estimate | None
    if not before or not after:
        streams = "only before" if before else "only after" if after else "neither"
        difference = Estimate(float("nan"), float("nan"), 0)
    elif len(common) >= 2:
        streams = "paired"
        difference = paired([sides[0][at] for at in common], [sides[1][at] for at in common])
    else:
        streams = "unpaired"
        difference = unpaired(before, after)
    return (
        estimate(before).mean, estimate(after).mean, difference.mean, difference.half_width, difference.replications,
        streams,
    )  # fmt: skip


def _values(frame: polars.DataFrame, table: str) -> _Values:
    values: _Values = {}
    if frame.is_empty():
        return values
    for row in per_replication(frame, table).iter_rows(named=True):
        values.setdefault(" ".join(str(row[column]) for column in ENTITY[table].split()), {})[row["replication"]] = row
    return values


def _of_counter(rows: dict[int, dict[str, float | None]], name: str) -> dict[int, float]:
    return {at: float(value) for at, row in rows.items() if (value := row.get(name)) is not None and value == value}
