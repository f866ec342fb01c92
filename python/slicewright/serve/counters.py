"""Counters of a scenario that can be bounded or made least, as rows and columns in words of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from slicewright.run.tables import ENTITY
from slicewright.serve.glance import page_words
from slicewright.values.numerals import finite

if TYPE_CHECKING:
    from slicewright.run.run import Run
    from slicewright.scenario.view import View


class _Counter(NamedTuple):
    """A counter of the rows of a table, and the bound that people set on it."""

    table: str
    row: str
    """The words before the name of a row."""
    name: str
    words: str
    unit: str
    bound: str = "<="


_COUNTERS = (
    _Counter("system", "all I/O", "response_ms", "mean response", "ms"),
    _Counter("system", "all I/O", "io_per_s", "I/O rate", "per s", ">="),
    _Counter("guests", "", "transaction_ms", "mean response", "ms"),
    _Counter("guests", "", "cycle_p95_ms", "response of 95 %", "ms"),
    _Counter("guests", "", "cycles_per_s", "transaction rate", "per s", ">="),
    _Counter("volumes", "volume ", "response_ms", "mean response", "ms"),
    _Counter("volumes", "volume ", "response_p95_ms", "response of 95 %", "ms"),
    _Counter("volumes", "volume ", "io_per_s", "I/O rate", "per s", ">="),
    _Counter("channels", "channel ", "busy_percent", "utilization", "%"),
    _Counter("partitions", "partition ", "pending_percent", "wait for a processor", "%"),
    _Counter("cgroups", "control group ", "throttled_percent", "throttled periods", "%"),
)
_MOST_ROWS = 60
"""Rows of a table that can be chosen."""
_SIGNS = {"<=": "at most", ">=": "at least"}
_UNNAMED = re.compile(r"[\s<>=()+/]")
"""Characters that a name in a requirement cannot have."""


def bounded(run: Run, view: View) -> list[dict[str, Any]]:
    """What can be bounded: each counter that has a value in a short run, with this value and the words of the page.

    `left` is the left side of a bound as an expression, and `required` as a plan takes it: by name, where it has one.
    """
    found = [each for counter in _COUNTERS for each in _rows(counter, run, view)]
    places = {part: at for at, part in enumerate(dict.fromkeys(each["part"] for each in found))}
    return sorted(found, key=lambda each: places[each["part"]])


def _rows(counter: _Counter, run: Run, view: View) -> Iterator[dict[str, Any]]:
    """The rows that have a value; a cycle with thinking in it is no response."""
    named = {table: [each.name for each in getattr(view, table, ())] for table in {each.table for each in _COUNTERS}}
    known = [name for names in named.values() for name in names]
    think = [guest.name for guest in view.guests if any(step.think is not None for step in guest.every_step)]
    for row in run[counter.table].to_dicts()[:_MOST_ROWS]:
        name = " ".join(str(row[key]) for key in ENTITY[counter.table].split())
        today = finite(row.get(counter.name))
        absent = today is None or (today == 0 and counter.bound == ">=")
        if absent or "`" in name or (counter.name == "cycle_p95_ms" and name in think):
            continue
        left = f"`{counter.table}.{name}.{counter.name}`" if name else counter.name
        by_name = known.count(name) == 1 and name in named[counter.table] and not _UNNAMED.search(name)
        yield {
            "part": f"{counter.row}{name}", "what": counter.words, "unit": counter.unit, "today": today,
            "bound": counter.bound, "left": left,
            "required": f"{name or 'system'} {counter.name}" if by_name or not name else left,
        }  # fmt: skip


def worded(value: Any) -> Any:
    """Every sentence with counters and options as the page calls them.

    >>> worded("JOBS0 transaction_ms <= 3"), worded("`volumes.DISK.io_per_s` >= 900")
    ('JOBS0 mean response at most 3 ms', 'volume DISK I/O rate at least 900 per s')
    """
    if isinstance(value, dict):
        return {key: worded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [worded(each) for each in value]
    if not isinstance(value, str):
        return value
    text = value
    for counter in _COUNTERS:  # whole names first: tables share their columns
        text = re.sub(rf"`{counter.table}\.([^`]+)\.{counter.name}`", rf"{counter.row}\1 {counter.name}", text)
    for counter in _COUNTERS:
        for sign, words in _SIGNS.items():
            text = re.sub(rf"\b{counter.name} {sign} (\S+)", rf"{counter.words} {words} \1 {counter.unit}", text)
        text = re.sub(rf"\b{counter.name}\b", counter.words, text)
    return page_words(text)
