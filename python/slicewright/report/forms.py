"""How the values of a column are printed: one number format for text and HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from slicewright.statistics import Estimate, count, fixed, milliseconds, plus_minus_column, significant

Form = Callable[[Sequence[Any]], list[str]]
"""The values of one column as text; a form sees the whole column, so that all of it has the same decimals."""


@dataclass(frozen=True, slots=True)
class Span:
    """The smallest and the largest value over several cases, such as the readings of one report."""

    low: float | None
    high: float | None


def words(values: Sequence[Any]) -> list[str]:
    """Text as it is; empty where there is none.

    >>> words(["BWPVS0", None, 8])
    ['BWPVS0', '', '8']
    """
    return ["" if value is None else str(value) for value in values]


def decimals(places: int) -> Form:
    """Numbers, and means of estimates, with this many decimals.

    >>> decimals(1)([0.25, Estimate(11.0, 0.5, 10), None])
    ['.2', '11.0', '']
    """
    return _each(lambda value: fixed(value, places))


def estimates(values: Sequence[Estimate | str | None]) -> list[str]:
    """Means with their half-widths, all with the same number of decimals; text stays as it is.

    >>> estimates([Estimate(1283.2, 2.1, 10), Estimate(1284.1, 0.5, 10)])
    ['1,283.2 ± 2.1', '1,284.1 ± .5']
    """
    known = [value for value in values if isinstance(value, Estimate)]
    printed = iter(plus_minus_column([(value.mean, value.half_width) for value in known]))
    return [next(printed) if isinstance(value, Estimate) else value or "" for value in values]


def estimates_apart(values: Sequence[Estimate]) -> list[str]:
    """Means with their half-widths, each with the decimals that it needs by itself.

    >>> estimates_apart([Estimate(1283.2, 2.1, 10), Estimate(1.5, 0.01, 10)])
    ['1,283 ± 2', '1.50 ± .01']
    """
    return [str(value) for value in values]


def words_right(values: Sequence[Any]) -> list[str]:
    """Text that is aligned to the right, as numbers are."""
    return words(values)


def spans(places: int) -> Form:
    """Ranges with this many decimals.

    >>> spans(1)([Span(1.24, 1.7), None, Span(None, None)])
    ['1.2 - 1.7', '', '']
    """

    def show(values: Sequence[Span | None]) -> list[str]:
        return [
            "" if value is None or value.low is None else f"{fixed(value.low, places)} - {fixed(value.high, places)}"
            for value in values
        ]

    return show


def counts(values: Sequence[Any]) -> list[str]:
    """Counts: whole where they are whole, else with three significant digits."""
    return _each(count)(values)


def digits(values: Sequence[Any]) -> list[str]:
    """Numbers with three significant digits."""
    return _each(significant)(values)


def times(values: Sequence[Any]) -> list[str]:
    """Times in ms, with two decimals, fewer from 100 ms up."""
    return _each(milliseconds)(values)


def number(value: Any) -> float | None:
    """The number behind a value: the mean of an estimate; None where there is none."""
    found = value.mean if isinstance(value, Estimate) else value
    return None if found is None or not math.isfinite(found) else float(found)


def _each(show: Callable[[float | None], str]) -> Form:
    def column(values: Sequence[Any]) -> list[str]:
        return ["" if value is None else value if isinstance(value, str) else show(number(value)) for value in values]

    return column
