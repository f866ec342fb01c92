"""Small live results for examples and tests: made up, none of these numbers was seen anywhere."""

from __future__ import annotations

from slicewright.live.cells import Cell
from slicewright.live.environment import Environment
from slicewright.live.grid import Grid
from slicewright.live.result import SlicesResult
from slicewright.live.slices_seen import SlicesSeen
from slicewright.live.throttling import Plan, ThrottlingResult, Worked
from slicewright.statistics import Estimate


def place(others_percent: float = 0.0) -> Environment:
    """An environment that was made up.

    >>> place(40.0).warnings() != []
    True
    """
    return Environment(
        "6.18.0", "x86_64", "tsc", 4.0, 2, 1, 1, 5.0, "2026-01-01T00:00:00+00:00", 0.1, 0.5, others_percent
    )


def slices_result(others_percent: float = 0.0) -> SlicesResult:
    """A result of two slices and two waits, both cases, in which one pair differs.

    >>> [cell.agrees for cell in slices_result().of("uniform")]
    [True, True, True, False]
    """
    values = {(30.0, 9.0): 7.65, (30.0, 18.0): 12.6, (10.0, 9.0): 4.95, (10.0, 18.0): 0.2}
    cells = [
        Cell(
            "uniform", *pair, 1000, Estimate(value + (2.5 if value < 1 else 0.1), 0.4, 10), (value, 2 * value + 3),
            Estimate(value, 0.05, 10), value,
        )
        for pair, value in values.items()
    ]  # fmt: skip
    cells += [
        Cell("locked", *pair, 200, Estimate(value / 2, 0.2, 10), (value / 2, value), Estimate(value / 2, 0.1, 10))
        for pair, value in values.items()
    ]
    slices = [
        SlicesSeen(case, slice_ms, slice_ms - 0.1, slice_ms + 0.1, (slice_ms - 2, slice_ms + 2), 100, 99)
        for case in ("uniform", "locked")
        for slice_ms in (30.0, 10.0)
    ]
    grid = Grid(slices_ms=(30.0, 10.0), waits_ms=(9.0, 18.0), processor=1)
    return SlicesResult(grid, place(others_percent), tuple(cells), tuple(slices))


def throttling_result() -> ThrottlingResult:
    """A result of two sleeps.

    >>> [one.agrees for one in throttling_result().worked]
    [True, True]
    """
    live = {"nr_periods": 100.0, "nr_throttled": 95.0, "throttled_ms": 4000.0, "work_ms": 20.0}
    rare = {"nr_periods": 20.0, "nr_throttled": 0.0, "throttled_ms": 0.0, "work_ms": 5.0}
    worked = [
        Worked(sleep_ms, seen, {name: Estimate(value, 0.5, 10) for name, value in seen.items()})
        for sleep_ms, seen in ((10.0, live), (1000.0, rare))
    ]
    return ThrottlingResult(Plan(sleeps_ms=(10.0, 1000.0), processor=1), place(), tuple(worked))
