"""The page of counters: every column that a run, a report or advice can have, from the engine's own table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from slicewright._core import counters, tables

from docs.generate.tables import table

_WORDS = {
    "mean": "mean",
    "sum": "sum",
    "whole": "not at all",
    "min": "least",
    "max": "greatest",
    "last": "last",
    "instant": "-",
}
"""How several intervals become one, as the page has it."""

_HEAD = ("counter", "header", "unit", "digits", "how", "intervals", "what it is", "source")
_BEFORE = """\
# Counters

Made from the engine's own table (`slicewright._core.counters()`); not edited by hand.

A counter has its unit in its name: `_ms`, `_us`, `_per_s`, `_percent`; without one it is a count or a mean number.
*Measured* counters are counted or timed at every event. *Sampled* ones are what the control program sees when it
samples from time to time. *Derived* ones follow from others of the same interval. The source names the document,
monitor record or law that defines the counter.

The *header* is the name of the column on pages, unless a page has another word for it. *Digits* apply to values without
a half-width. They are significant digits (3), decimals (.1), whole numbers where the value is whole (count), or two
decimals below 100 ms and none above (ms). A share of one is printed in percent (share).

A simulated run counts over all of its intervals, too: the same time gives the same numbers, in one interval or in many.
A mean is of what *ended*, each with its whole length, wherever it began. Where nothing ended it has no value.

The column *intervals* gives the rule that combines several intervals that were read: their mean, their sum, the least,
the greatest, or the last. *Mean by* names the weights of a mean: an interval weighs as much as the sum of these
counters in it. Where that is 0 the counter has no value. Other means are over time: all intervals are equally long. A
percentile over several intervals is not made of theirs (*not at all*).

The page of the [run directory](run-directory.md) describes the files of a run and the columns beside each counter."""


def page() -> str:
    """The page, in Markdown.

    >>> "| `fails_per_try` |" in page()
    True
    """
    parts = [_BEFORE]
    what = {row["name"]: row["rows"] for row in tables()}
    for name, rows in groupby(counters(), key=lambda row: row["table"]):
        parts.append(f"## {name}\n\n{what[name]}")
        parts.append(
            table(("counter", "header", "unit", "digits", "how", "intervals", "what it is", "source"), map(_row, rows))
        )
    return "\n\n".join(parts) + "\n"


def _row(counter: Mapping[str, Any]) -> tuple[str, ...]:
    name, unit = f"`{counter['name']}`", _unit(counter["unit"])
    shown = (name, counter["header"], unit, counter["digits"])
    return (*shown, counter["how"], _over_intervals(counter), counter["formula"], counter["source"])


def _over_intervals(counter: Mapping[str, Any]) -> str:
    """How the values of several intervals become one, in a few words."""
    by = " + ".join(f"`{name}`" for name in counter["by"])
    return f"mean by {by}" if counter["over_intervals"] == "mean" and by else _WORDS[counter["over_intervals"]]


def _unit(unit: str) -> str:
    """A unit as a reader expects it; 1 is that of a count."""
    return "" if unit == "1" else unit
