"""A day of monitor data as the tests of its questions read it."""

from __future__ import annotations

from pathlib import Path

from slicewright.advise.day import Day, read_day


def day_of(path: Path) -> Day:
    """All intervals of a file."""
    day = read_day([path], None)
    assert day is not None
    return day
