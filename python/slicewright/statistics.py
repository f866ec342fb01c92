"""Estimates over replications with their 95 % intervals, and numbers as the trade prints them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from slicewright._core import student_t

if TYPE_CHECKING:
    import polars

NOTHING = "-"
"""Printed in place of a missing number."""

MOST_PLACES = 4
"""Decimal places beyond which a printed half-width says nothing to an analyst."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over independent replications with its 95 % half-width.

    `half_width` is NaN when fewer than two replications leave it unknown.  The unit is that of the values.

    >>> str(Estimate(12164.3, 7.2, 10))
    '12,164 ± 7'
    """

    mean: float
    half_width: float
    replications: int
    UNKNOWN: ClassVar = ("mean", "half_width")

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half_width

    @property
    def relative(self) -> float:
        """The half-width as a share of the mean; 0 when both are 0, infinite when it is unknown."""
        if self.half_width == 0:
            return 0.0
        if math.isnan(self.half_width) or self.mean == 0:
            return math.inf
        return self.half_width / abs(self.mean)

    def __str__(self) -> str:
        """The estimate as printed: mean, ±, half-width."""
        return plus_minus(self.mean, self.half_width)


def estimate(values: Sequence[float | None]) -> Estimate:
    """Mean and 95 % half-width of independent values, one per replication, by Student's t.

    Law, Simulation Modeling and Analysis, section 4.5: mean ± t(n - 1) s / sqrt(n).
    A replication that had nothing to measure (None, NaN) is omitted, and `replications` counts the others.
    Without values the mean is NaN; with one the half-width is NaN.

    >>> estimate([1.0, 2.0, 3.0])
    Estimate(mean=2.0, half_width=2.4841..., replications=3)
    >>> estimate([5.0, math.nan])
    Estimate(mean=5.0, half_width=nan, replications=1)
    """
    known = [value for value in values if value is not None and not math.isnan(value)]
    count = len(known)
    if count == 0:
        return Estimate(math.nan, math.nan, 0)
    mean = math.fsum(known) / count
    if count == 1:
        return Estimate(mean, math.nan, 1)
    variance = math.fsum((value - mean) ** 2 for value in known) / (count - 1)
    return Estimate(mean, student_t(count - 1) * math.sqrt(variance / count), count)


def paired(before: Sequence[float], after: Sequence[float]) -> Estimate:
    """The difference after - before, replication by replication, for runs with common random numbers.

    Law, Simulation Modeling and Analysis, section 10.2.1 (paired-t interval).  Raises ValueError when the
    lengths differ: then the replications are not common.  Replications that had nothing to measure in either run (NaN)
    are omitted.

    >>> paired([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])
    Estimate(mean=1.0, half_width=0.0, replications=3)
    """
    return estimate([b - a for a, b in zip(before, after, strict=True)])


def unpaired(before: Sequence[float], after: Sequence[float]) -> Estimate:
    """The difference after - before of independent runs; `replications` is the smaller of the two counts.

    Welch's interval (Law, section 10.2.2), degrees of freedom rounded down, which can only widen it.

    >>> str(unpaired([1.0, 2.0, 3.0], [11.0, 12.0, 13.0, 12.0]))
    '10.0 ± 2.3'
    """
    first, second = estimate(before), estimate(after)
    count = min(first.replications, second.replications)
    difference = second.mean - first.mean
    if count < 2:
        return Estimate(difference, math.nan, count)
    errors = [(operand.half_width / student_t(operand.replications - 1)) ** 2 for operand in (first, second)]
    total = errors[0] + errors[1]
    if total == 0:
        return Estimate(difference, 0.0, count)
    degrees = total**2 / (errors[0] ** 2 / (first.replications - 1) + errors[1] ** 2 / (second.replications - 1))
    return Estimate(difference, student_t(max(1, math.floor(degrees))) * math.sqrt(total), count)


def over_replications(table: polars.DataFrame, keys: Sequence[str], counters: Sequence[str]) -> polars.DataFrame:
    """One row per entity: each counter `x` as its mean over replications, `x_half_width` beside it.

    `table` has one row per replication and entity; `keys` name the entity (text columns, kept in order of first
    appearance).  Replications without a value (null) are omitted; a half-width is null with fewer than two values.

    >>> import polars
    >>> table = polars.DataFrame({"volume": ["A", "A", "A"], "io_per_s": [1.0, 2.0, 3.0]})
    >>> over_replications(table, ["volume"], ["io_per_s"]).row(0)
    ('A', 2.0, 2.4841...)
    """
    import polars as pl

    values = [pl.col(name).cast(pl.Float64).fill_nan(None) for name in counters]
    of_counter = [column.mean() for column in values]
    of_counter += [column.count().alias(_counted(name)) for name, column in zip(counters, values, strict=True)]
    of_counter += [column.std().alias(_half_width(name)) for name, column in zip(counters, values, strict=True)]
    entities = table.group_by(list(keys), maintain_order=True).agg(of_counter) if keys else table.select(of_counter)
    # After the groups are made: within, each group would have a table of quantiles of its own.
    most = max((int(entities[_counted(name)].to_numpy().max(initial=0)) for name in counters), default=0)
    quantiles = pl.Series([None, None] + [student_t(count - 1) for count in range(2, most + 1)], dtype=pl.Float64)
    columns: list[pl.Expr] = []
    for name in counters:
        counted, deviation = pl.col(_counted(name)), pl.col(_half_width(name))
        half_width = pl.lit(quantiles).gather(counted) * deviation / counted.sqrt()
        columns += [pl.col(name), half_width.alias(_half_width(name))]
    return entities.select(*keys, *columns)


def _half_width(counter: str) -> str:
    return f"{counter}_half_width"


def _counted(counter: str) -> str:
    """The column with the number of replications that have a value; for as long as estimates are made."""
    return f"{counter}_counted"


def fixed(value: float | None, places: int) -> str:
    """A number with this number of decimals, thousands separated, no zero before the point, as reports print it.

    >>> [fixed(0.2, 1), fixed(1.84, 2), fixed(12164.3, 0), fixed(-0.04, 1), fixed(None, 1)]
    ['.2', '1.84', '12,164', '.0', '-']
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    text = f"{value:,.{places}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    sign = "-" if text.startswith("-") else ""
    text = text.removeprefix("-")
    return sign + (text[1:] if text.startswith("0.") else text)


def signed(value: float, places: int) -> str:
    """A difference, with its sign.

    >>> signed(0.58, 2), signed(-0.58, 2)
    ('+.58', '-.58')
    """
    text = fixed(value, places)
    return text if text.startswith("-") else f"+{text}"


def significant(value: float | None, digits: int = 3) -> str:
    """A number with at least `digits` significant digits; whole digits are never rounded away.

    >>> [significant(12164.3), significant(1.8432), significant(0.01234), significant(0)]
    ['12,164', '1.84', '.0123', '0']
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    if value == 0:
        return "0"
    return fixed(value, max(0, digits - 1 - math.floor(math.log10(abs(value)))))


def count(value: float | None) -> str:
    """A count, or the mean of counts: whole when it is, to three significant digits otherwise.

    >>> [count(8.0), count(7.84), count(12164.3), count(None)]
    ['8', '7.84', '12,164', '-']
    """
    if value is not None and math.isfinite(value) and float(value).is_integer():
        return fixed(value, 0)
    return significant(value)


def milliseconds(value: float | None) -> str:
    """A time in ms: two decimals, fewer from 100 ms up.

    >>> [milliseconds(0.2), milliseconds(1.844), milliseconds(473.9), milliseconds(2193.86)]
    ['.20', '1.84', '474', '2,194']
    """
    return significant(value) if value is not None and abs(value) >= 100 else fixed(value, 2)


def plus_minus(mean: float | None, half_width: float | None) -> str:
    """Mean and half-width to one digit of the half-width, and to three digits of the mean where that is more.

    >>> [plus_minus(12164.3, 7.2), plus_minus(2.1503, 0.0021), plus_minus(3.58, 0.12), plus_minus(5889, float("nan"))]
    ['12,164 ± 7', '2.150 ± .002', '3.58 ± .12', '5,889']
    """
    return plus_minus_column([(mean, half_width)])[0]


def plus_minus_column(estimates: Sequence[tuple[float | None, float | None]]) -> list[str]:
    """A column of means and half-widths, to as many decimals as the one that needs most, within one of the middle.

    >>> plus_minus_column([(1283.2, 2.1), (1284.1, 0.5)])
    ['1,283.2 ± 2.1', '1,284.1 ± .5']
    """
    wanted = sorted(found for mean, half_width in estimates if (found := _places(mean, half_width)) is not None)
    places = min(wanted[-1], wanted[len(wanted) // 2] + 1) if wanted else 0
    column = []
    for mean, half_width in estimates:
        if _places(mean, half_width) is None:
            column.append(significant(mean))
        else:
            column.append(f"{fixed(mean, places)} ± {fixed(half_width, places)}")
    return column


def _places(mean: float | None, half_width: float | None) -> int | None:
    if mean is None or half_width is None or not math.isfinite(mean + half_width) or half_width <= 0:
        return None
    places = min(MOST_PLACES, max(0, -math.floor(math.log10(half_width))))
    if half_width < abs(mean):
        places = max(places, min(2, max(0, 2 - math.floor(math.log10(abs(mean))))))
    return places


def percent(share: float | None, places: int = 1) -> str:
    """A share of one as a percentage.

    >>> [percent(0.05), percent(0.0512, 2), percent(None)]
    ['5.0 %', '5.12 %', '-']
    """
    if share is None or not math.isfinite(share):
        return NOTHING
    return f"{fixed(share * 100, places)} %"


def seconds(length: float | None) -> str:
    """A length of time in seconds.

    >>> [seconds(600.0), seconds(2.25), seconds(0.0)]
    ['600 s', '2.25 s', '0 s']
    """
    if length is None or not math.isfinite(length):
        return NOTHING
    return f"{length:,.6g} s" if length < 1e6 else f"{length:,.0f} s"


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun.

    >>> [plural(1, "volume"), plural(1200, "volume"), plural(2, "guest", "guests in all")]
    ['1 volume', '1,200 volumes', '2 guests in all']
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def there_are(count: int, one: str, many: str = "") -> str:
    """The same as a statement.

    >>> there_are(1, "alias", "aliases")
    'there is 1 alias'
    """
    return f"there {'is' if count == 1 else 'are'} {plural(count, one, many)}"
