"""Results as rows of one frame: the value of a counter of a subject, in a variant, under a reading of its load."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.statistics import Estimate

if TYPE_CHECKING:
    import polars

COLUMNS = (
    "subject", "variant", "reading", "counter", "unit", "mean", "half_width", "replications", "low", "high",
)  # fmt: skip
"""`half_width` is simulation noise (95 %); `low` and `high` are the ends of a range that noise does not explain: over
readings, or over sets of constants.  A number that is not known is null."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    A published number has its table as subject and its column as variant.  A set of constants is a reading.
    """

    subject: str
    counter: str
    estimate: Estimate
    variant: str = ""
    reading: str = ""
    unit: str = ""
    low: float = math.nan
    high: float = math.nan


def frame(rows: Iterable[Row]) -> polars.DataFrame:
    """The rows as a frame, in their order.

    >>> frame([Row("C23", "response_ms", Estimate(24.7, 0.3, 10), "sched1", unit="ms")]).row(0)[3:]
    ('response_ms', 'ms', 24.7, 0.3, 10, None, None)
    """
    import polars as pl

    numbers = dict.fromkeys(("mean", "half_width", "low", "high"), pl.Float64)
    kinds = {name: numbers.get(name, pl.Int64 if name == "replications" else pl.String) for name in COLUMNS}
    found = [
        (
            row.subject, row.variant, row.reading, row.counter, row.unit,
            row.estimate.mean, row.estimate.half_width, row.estimate.replications, row.low, row.high,
        )
        for row in rows
    ]  # fmt: skip
    return pl.DataFrame(found, schema=kinds, orient="row").with_columns(pl.col(*numbers).fill_nan(None))


class Framed(ABC):
    """A result whose numbers are rows of the frame of results, as those of every other command."""

    @abstractmethod
    def framed(self) -> Iterable[Row]:
        """The rows."""

    @property
    def results(self) -> polars.DataFrame:
        """All numbers, a row for each: subject, variant, reading, counter, unit, mean, half-width, range."""
        return frame(self.framed())
