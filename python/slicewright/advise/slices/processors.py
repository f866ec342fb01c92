"""The general processors that partitions share: as PARTITION DATA prints them, or as its times and percentages imply.

PHYSICAL PROCESSORS TOTAL is dispatched time in percent of the time of all processors of the type (z/OS RMF Report
Analysis, Partition Data Report).  So each row implies their number: time / (interval x percent).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from slicewright._core import PartitionReport
from slicewright.errors import Problem, problem, refusal

GENERAL = "CP"
CLOCKS = 0.01
"""ASSUME: dispatch times and the interval are read at instants that differ by up to 1 % of the interval."""

PERCENTAGES = (
    "LOGICAL PROCESSORS EFFECTIVE", "LOGICAL PROCESSORS TOTAL",
    "PHYSICAL PROCESSORS LPAR MGMT", "PHYSICAL PROCESSORS EFFECTIVE", "PHYSICAL PROCESSORS TOTAL",
)  # fmt: skip
"""Columns of PARTITION DATA that are parts of a whole."""

_ALL_TYPES = ("PHYSICAL PROCESSORS", "NUMBER OF PHYSICAL PROCESSORS", "PHYS PROC NUM")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
_CLOCK = re.compile(r"(?:([0-9]+)\.)?([0-9]+)\.([0-9]{2})\.([0-9]{3})")


def processors_of(page: PartitionReport, rows: Sequence[dict[str, str]], file: str) -> int | None:
    """The general physical processors of a page; None where it neither prints nor implies one number.

    Raises InputError where the rows contradict themselves, each other or the printed number.
    """
    broken = [*page.disagreements, *over_the_whole(_percentages(rows), file)]
    if broken:
        raise refusal(*broken)
    printed = whole(page.fact(GENERAL))
    general = [row for row in rows if row.get("PROCESSOR TYPE", GENERAL) in (GENERAL, "")]
    if printed is None and len(general) == len(rows):
        printed = next((count for label in _ALL_TYPES if (count := whole(page.fact(label))) is not None), None)
    low, high = implied(general, page.interval_s)
    if printed is not None and low <= high and not low <= printed <= high:
        why = f"the dispatch times and percentages of the rows imply {between(low, high)}"
        allowed = "the page as RMF printed it, with all its rows of one interval"
        raise refusal(problem(f"{printed} physical processors", file=file, key="PHYS PROC NUM", why=why,
                              allowed=allowed))  # fmt: skip
    if printed is not None:
        return printed
    candidates = range(math.ceil(low), math.floor(high) + 1) if low <= high < math.inf else ()
    return candidates[0] if len(candidates) == 1 else None


def implied(rows: Sequence[dict[str, str]], interval_s: float) -> tuple[float, float]:
    """The least and the most processors that the times of the rows allow; least above most where rows disagree.

    >>> row = {"DISPATCH TIME TOTAL": "00.33.45.000", "PHYSICAL PROCESSORS TOTAL": "37.50"}
    >>> [round(bound, 2) for bound in implied([row], 900.0)]
    [5.94, 6.06]
    """
    low, high = 0.0, math.inf
    for row in rows:
        used_s, percent = seconds(row.get("DISPATCH TIME TOTAL", "")), row.get("PHYSICAL PROCESSORS TOTAL", "")
        if not used_s or not interval_s or not _NUMBER.fullmatch(percent):
            continue
        rounding = 0.5 * 10.0 ** -len(percent.partition(".")[2])
        low = max(low, (1 - CLOCKS) * 100 * used_s / (interval_s * (float(percent) + rounding)))
        if float(percent) > rounding:
            high = min(high, (1 + CLOCKS) * 100 * used_s / (interval_s * (float(percent) - rounding)))
    return low, high


def over_the_whole(shares: Iterable[tuple[str, float]], file: str) -> list[Problem]:
    """A problem for each percentage, with its place on the page, that is more than a whole.

    >>> [found["key"] for found in over_the_whole([("0 MVS BUSY", 62.5), ("1 MVS BUSY", 625.0)], "cpu.txt")]
    ['1 MVS BUSY']
    """
    why, allowed = "no processor is busy for longer than the interval", "0 to 100"
    return [
        problem(f"{percent:g} % of its time", file=file, key=place, why=why, allowed=allowed)
        for place, percent in shares
        if percent > 100 * (1 + CLOCKS)
    ]


def _percentages(rows: Sequence[dict[str, str]]) -> Iterator[tuple[str, float]]:
    """Every percentage of the rows, and the sum of those of the general processors, with their places."""
    total = 0.0
    for row in rows:
        found = {column: float(row[column]) for column in PERCENTAGES if _NUMBER.fullmatch(row.get(column, ""))}
        yield from ((f"{row['NAME']} {column}", percent) for column, percent in found.items())
        if row.get("PROCESSOR TYPE", GENERAL) in (GENERAL, ""):
            total += found.get("PHYSICAL PROCESSORS TOTAL", 0.0)
    yield "sum of PHYSICAL PROCESSORS TOTAL", total


def whole(text: str) -> int | None:
    """A whole number, which may have a fraction of zero; None for anything else.

    >>> whole("8"), whole("2.0"), whole("3.2"), whole("")
    (8, 2, None, None)
    """
    found = re.fullmatch(r"([0-9]{1,4})(?:\.0*)?", text.strip())
    return int(found[1]) if found else None


def seconds(text: str) -> float | None:
    """A dispatch time of a page in seconds: hours, minutes, seconds and thousandths.

    >>> seconds("00.33.45.000"), seconds("33.45.000"), seconds("")
    (2025.0, 2025.0, None)
    """
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, whole_s, thousandths = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + whole_s + thousandths / 1000


def between(low: float, high: float) -> str:
    """A range of processors in words; one number where its ends are close."""
    return f"{low:.1f} or more" if math.isinf(high) else f"{low:.1f} to {high:.1f}"
