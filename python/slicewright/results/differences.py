"""Two runs side by side: the difference of every counter with its 95 % interval, paired where streams are common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from slicewright._core import Scenario
from slicewright.run.results import Results
from slicewright.run.tables import ENTITY, counters
from slicewright.run.tabulated import Tabulated
from slicewright.statistics import Estimate, estimate, paired, unpaired

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]

_Values = dict[str, dict[int, dict[str, float | None]]]
"""By entity, then by replication: the counters."""

COLUMNS = (
    "table", "entity", "counter", "before", "after", "change_percent", "difference", "half_width", "replications",
    "streams",
)  # fmt: skip
"""Of a row: `change_percent` is the difference over before; `streams` is paired, unpaired, only before, only after or
neither."""

SHOWN = {
    "system": ("io_per_s", "response_ms", "service_ms", "queue_depth"),
    "volumes": ("io_per_s", "response_ms", "queue_depth"),
    "pools": ("fails_per_try", "free_mean"),
    "control_programs": ("work_percent", "tv_ratio", "spinning_percent", "diagnoses_per_s"),
    "guests": ("cycles_per_s", "cycle_ms", "exchanges_per_s", "exchange_ms"),
}
"""The counters that analysts look at first; the page folds the others away."""

IO = ("system", "volumes", "pools")
"""Tables that say nothing where neither run has I/O; where one has, guests are what the system and its volumes say."""

ROUNDING = 1e-12
"""The share of a value below which a difference is what adding in another order makes."""


@dataclass(frozen=True)
class Differences:
    """Two runs, and the difference of every counter of every entity, as rows.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> differences = Differences.of_runs(run, run)
    >>> differences.streams, differences.of("system", ["response_ms"])[0]["difference"]
    (['paired'], 0.0)
    """

    before: Tabulated
    after: Tabulated
    rows: Sequence[Row]

    @classmethod
    def of_runs(cls, before: Tabulated, after: Tabulated) -> Self:
        """Compare two runs: of each counter after less before, paired where their random streams are common."""
        rows = [row for table in ENTITY for row in _of_table(table, before, after)]
        return cls(before, after, [dict(zip(COLUMNS, map(_known, row), strict=True)) for row in rows])

    @property
    def streams(self) -> list[str]:
        """How differences were taken, each way once: paired, unpaired, only before, only after.

        A counter that neither run knows of any entity has no difference.
        """
        return list(dict.fromkeys(row["streams"] for row in self.rows if row["streams"] != "neither"))

    @property
    def shown(self) -> dict[str, tuple[str, ...]]:
        """Of `SHOWN` the tables and counters that say something about these two runs.

        Without I/O in either that is what control programs and guests did, where the other counters are 0 for ever.
        """
        io = any(row["before"] or row["after"] for row in self.of("system", ["io_per_s"]))
        tables = [table for table in SHOWN if (table != "guests" if io else table not in IO)]
        some = {table: self._that_count(table) for table in tables}
        return {table: counters for table, counters in some.items() if counters}

    def _that_count(self, table: str) -> tuple[str, ...]:
        rows = self.of(table, SHOWN[table])
        present = {row["counter"] for row in rows if table in IO or row["before"] or row["after"]}
        return tuple(counter for counter in SHOWN[table] if counter in present)

    def of(self, table: str, counters: Sequence[str] = ()) -> list[Row]:
        """The differences of a table, of some counters or of all; what is but rounding of sums is none."""
        rows = [row for row in self.rows if row["table"] == table and (not counters or row["counter"] in counters)]
        same = {"change_percent": 0.0, "difference": 0.0, "half_width": 0.0}
        return [{**row, **same} if _rounding(row) else row for row in rows]


def _known(value: Any) -> Any:
    """None for a number that is not known."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _rounding(row: Row) -> bool:
    """Whether a difference is smaller than the last digits that sums of this size have."""
    if row["half_width"] is None or row["before"] is None or row["after"] is None:
        return False
    size: float = max(abs(row["before"]), abs(row["after"]))
    return bool(abs(row["difference"]) + row["half_width"] <= ROUNDING * size)


def is_one_seed(a: Tabulated, b: Tabulated) -> bool:
    """Whether both were simulated under one seed."""
    return isinstance(a, Results) and isinstance(b, Results) and a.seed == b.seed


def changed(a: Tabulated, b: Tabulated) -> list[tuple[str, str, str]]:
    """Numbers that the two scenarios do not share: key, before, after; `-` where one has no such number.

    Measured intervals have no scenario, and so no such numbers.

    >>> import slicewright
    >>> from slicewright._core import starter
    >>> runs = [slicewright.run(starter("mm1"), replications=2, set=[f"measure.interval={n} s"]) for n in (5, 6)]
    >>> changed(*runs)
    [('measure.interval', '5 s', '6 s')]
    """
    if not (isinstance(a, Results) and isinstance(b, Results)):
        return []
    before, after = (
        {row["key"]: row["value"] for row in Scenario.read(run.scenario.encode(), "scenario.toml").explain()}
        for run in (a, b)
    )
    keys = [*before, *(key for key in after if key not in before)]
    pairs = ((key, before.get(key, "-"), after.get(key, "-")) for key in keys)
    return [(key, old, new) for key, old, new in pairs if old != new]


def _of_table(table: str, before: Tabulated, after: Tabulated) -> list[tuple[Any, ...]]:
    first, second = (_values(results.pooled[table], table) for results in (before, after))
    names = [name for name in counters(before.raw[table]) if name in after.raw[table].columns]
    names = names or counters(after.raw[table])
    same_seed = is_one_seed(before, after)
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
    start = estimate(before).mean
    # Of 0 there is no percentage.
    percent = 100 * difference.mean / abs(start) if start else math.nan
    return (
        start, estimate(after).mean, percent, difference.mean, difference.half_width, difference.replications, streams,
    )  # fmt: skip


def _values(frame: polars.DataFrame, table: str) -> _Values:
    values: _Values = {}
    if frame.is_empty():
        return values
    for row in frame.iter_rows(named=True):
        values.setdefault(" ".join(str(row[column]) for column in ENTITY[table].split()), {})[row["replication"]] = row
    return values


def _of_counter(rows: dict[int, dict[str, float | None]], name: str) -> dict[int, float]:
    return {at: float(value) for at, row in rows.items() if (value := row.get(name)) is not None and value == value}
