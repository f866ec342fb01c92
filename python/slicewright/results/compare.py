"""The comparison of two runs: its differences as a frame, as text, and as a page."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from slicewright.measured.loading import load
from slicewright.report import text
from slicewright.report.html import render
from slicewright.report.model import Report
from slicewright.report.shown import Shown
from slicewright.results.differences import COLUMNS, Differences
from slicewright.results.page import comparison_report, glance
from slicewright.run.tabulated import Tabulated
from slicewright.values.parameters import check, path_problem

if TYPE_CHECKING:
    import polars

_SIDE = "a Run, or the name of a directory that run --out or read --out has written"


class Comparison(Shown, Differences):
    """Two runs and their differences, as `compare` returns them.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "5 s"})
    >>> slicewright.compare(run, run)
    before  M/M/1 at 50 %  2 replications, seed 1
    ...
    """

    @functools.cached_property
    def frame(self) -> polars.DataFrame:
        """A row per table, entity and counter: before, after, change_percent, difference, half_width, and how taken."""
        import polars as pl

        numbers = dict.fromkeys(("before", "after", "change_percent", "difference", "half_width"), pl.Float64)
        kinds = {name: numbers.get(name, pl.Int64 if name == "replications" else pl.String) for name in COLUMNS}
        return pl.DataFrame(self.rows, schema=kinds, orient="row")

    def report(self) -> Report:
        """The comparison as a report."""
        return comparison_report(self)

    def html(self) -> str:
        """The comparison as a page: what differed in the scenarios, what changed, what is uncertain."""
        return render(self.report())

    def __str__(self) -> str:
        """The comparison as text."""
        return text.render(self.report())

    def glances(self) -> list[Report]:
        """The figure and the table of what changed."""
        return [glance(self)]


def compare(a: Tabulated | str | os.PathLike[str], b: Tabulated | str | os.PathLike[str]) -> Comparison:
    """Compare two runs, or two run directories: of each counter b less a, with its 95 % half-width.

    `streams` of a row is `paired` when both runs have one seed and at least two replications in common: then the
    differences are taken replication by replication (Law, Simulation Modeling and Analysis, section 10.2.1) over those
    they share.  Otherwise it is `unpaired`, and the interval is Welch's.  An entity that only one run has is
    `only before` or `only after`.  Units are those of the counters; `half_width` is null where it cannot be known.

    Raises InputError when a directory is not a run directory.

    >>> import slicewright
    >>> run = slicewright.run(slicewright.starter("mm1"), replications=2, set={"measure.interval": "20 s"})
    >>> compare(run, run).frame["difference"].abs().max()
    0.0
    """
    sides = (("a", a), ("b", b))
    check(*(None if isinstance(side, Tabulated) else path_problem(key, side, _SIDE) for key, side in sides))
    before, after = (side if isinstance(side, Tabulated) else load(Path(side)) for side in (a, b))
    return Comparison.of_runs(before, after)
