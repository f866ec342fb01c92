"""Types of the tables of the engine, their columns and their counters."""

from __future__ import annotations

from typing import Literal, TypedDict


class Counter(TypedDict):
    """A counter of a table or log.

    `header` is its name over a column for people, without the unit; `digits` how it is printed without a half-width:
    3 (significant), count, .1 (decimals), ms, or share, which is printed in percent.
    `over_intervals` says how the values of several intervals that were read become one: mean, sum, min, max, last,
    whole (not at all), instant in a log.  `by` are the counters of the same row whose sum says how much there was to
    measure: it is the weight of an interval in a mean, and where it is 0 the counter has no value.  Without `by`
    intervals weigh alike."""

    table: str
    name: str
    header: str
    unit: str
    digits: str
    how: Literal["measured", "sampled", "derived"]
    over_intervals: Literal["mean", "sum", "whole", "min", "max", "last", "instant"]
    by: list[str]
    formula: str
    source: str


class KeyColumn(TypedDict):
    """A column that says what a row is about; those that identify it are its name, others say more of it."""

    table: str
    name: str
    meaning: str
    identifies: bool


class Table(TypedDict):
    """A table or log, and what a row of it is."""

    name: str
    rows: str
    log: bool
