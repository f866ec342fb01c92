"""Numbers for series whose labels are text in a table: each text is looked at once, however many rows have it."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from slicewright.advise.limits.fleet.series.collect import Collected
from slicewright.advise.limits.fleet.series.names import Labels, Role

ROLES = list(Role)
_SCHEMA = {"key": pl.String, "series": pl.UInt32, "role": pl.UInt8}


class Numbering:
    """The series of some files by a text each; `of` gives name and labels of a text.

    Rows whose series is not used are dropped.
    """

    def __init__(self, data: Collected, of: Callable[[str], tuple[str, Labels]]) -> None:
        """Begin without any."""
        self._data, self._of = data, of
        self._known = pl.DataFrame(schema=_SCHEMA)

    def numbered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows with `series` and `role` (its place in ROLES) in place of `key`, in their order."""
        found = rows.drop("key").hstack(self.of_keys(rows.select("key")))
        return found.filter(pl.col("series").is_not_null())

    def of_keys(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The series and role of each key, null where it is not used."""
        new = rows.select(pl.col("key").unique(maintain_order=True)).join(self._known, on="key", how="anti",
                                                                          maintain_order="left")  # fmt: skip
        if not new.is_empty():
            self._known = pl.concat([self._known, self._taken(new.get_column("key").to_list())])
        return rows.join(self._known, on="key", how="left", maintain_order="left").drop("key")

    def _taken(self, keys: list[str]) -> pl.DataFrame:
        taken = [self._data.number(*self._of(key)) for key in keys]
        rows = [
            (key, None, None) if series is None else (key, series[1], ROLES.index(series[0]))
            for key, series in zip(keys, taken, strict=True)
        ]
        return pl.DataFrame(rows, schema=_SCHEMA, orient="row")

    def add(self, rows: pl.DataFrame) -> None:
        """Take points: series, role, t and value."""
        for (role,), points in rows.partition_by("role", as_dict=True, maintain_order=True).items():
            self._data.add(ROLES[int(role)], points.select("series", "t", "value"))
