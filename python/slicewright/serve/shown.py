"""The results of a look as small rows for the page: what a run is about, its tables, the differences of two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slicewright.compare.differences import Differences, Row
from slicewright.compare.page import HEADINGS, certainty, changed_by
from slicewright.pages.run import table_section
from slicewright.pages.run_columns import SHOWN
from slicewright.report.figure import Figure
from slicewright.report.model import Face, Table
from slicewright.run.headline import foremost
from slicewright.statistics import plus_minus, significant

if TYPE_CHECKING:
    from slicewright.run.results import Results

MOST_ROWS = 24
"""Rows of a table while one moves a slider; the report has them all."""


def measures(run: Results) -> list[dict[str, Any]]:
    """The counters that the headline of the run has, each as a number with its half-width, and as text."""
    return [
        {
            "name": _heading(counter), "of": entity, "mean": estimate.mean, "half_width": estimate.half_width,
            "text": plus_minus(estimate.mean, estimate.half_width),
        }
        for entity, counter, estimate in foremost(run.pooled)
    ]  # fmt: skip


def _heading(counter: str) -> str:
    """A counter as the pages head it.

    >>> _heading("response_ms"), _heading("throttled_percent")
    ('Response, ms', 'throttled, %')
    """
    headers = (column.header for _, columns in SHOWN.values() for column in columns if column.key == counter)
    return HEADINGS.get(counter) or next(headers, counter.replace("_", " "))


def tables(run: Results) -> list[dict[str, Any]]:
    """The tables of the run's report, as printed, without those of single processors."""
    found = []
    for name in SHOWN:
        if name in run.raw and run.raw[name].is_empty():
            continue
        for block in table_section(run, name).blocks:
            if isinstance(block, Table) and block.face & Face.TEXT:
                grid = block.grid(Face.HTML)
                head = [{"name": column.header, "left": column.is_left} for column in grid.columns]
                rows = [[cell.value for cell in row] for row in grid.rows[:MOST_ROWS]]
                found.append({"title": block.title, "head": head, "rows": rows, "more": len(grid.rows) - len(rows)})
    return found


def figure(run: Results) -> str:
    """The figure of the run's first table as a part of the page; empty where it has none."""
    from slicewright.figures import html

    blocks = (block for name in SHOWN for block in table_section(run, name).blocks)
    first = next((block for block in blocks if isinstance(block, Figure)), None)
    return html(first) if first is not None else ""


def differences(both: Differences) -> list[dict[str, Any]]:
    """The counters that analysts look at first, of both runs, with the paired difference."""
    rows = [row for table, counters in both.shown.items() for row in both.of(table, counters)]
    return [_difference(row) for row in rows if row["before"] or row["after"]]


def _difference(row: Row) -> dict[str, Any]:
    return {
        "of": row["entity"], "name": HEADINGS[row["counter"]], "before": significant(row["before"]),
        "after": significant(row["after"]), "change": changed_by(row),
        "difference": plus_minus(row["difference"], row["half_width"]), "streams": row["streams"],
        "sure": certainty(row) == "interval excludes 0",
    }  # fmt: skip
