"""A reproduced study in Python: its cells as a frame, as text, and as a page."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright.report.html import render
from slicewright.report.model import Report, Section
from slicewright.report.shown import Shown
from slicewright.results.judge import Cell
from slicewright.study import pages
from slicewright.study.judge import Reproduction, Request
from slicewright.study.studies import STUDIES, named
from slicewright.study.studies import check as known
from slicewright.study.study import Study
from slicewright.values.parameters import check, text_problem

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, repr=False)
class Reproduced(Shown):
    """A study reproduced: every published number beside the simulated one.

    >>> from slicewright.asking import study
    >>> reproduced = study("hyperpav", quick=True)
    >>> reproduced.cells.columns[:3], reproduced.cells.height
    (['table', 'row', 'column'], 13)
    """

    definition: Study
    result: Reproduction
    request: Request

    @functools.cached_property
    def cells(self) -> polars.DataFrame:
        """A row per cell: where the number is published, its role, published, simulated, and the verdict."""
        import polars as pl

        return pl.DataFrame([cell.to_json() for cell in self.result.cells], infer_schema_length=None)

    @functools.cached_property
    def report(self) -> Report:
        """The reproduction as a report; draws its curves, which takes a while for a full one."""
        return self.definition.page(self.result, self.request)

    def html(self) -> str:
        """The reproduction as a page."""
        return render(self.report)

    def __str__(self) -> str:
        """The reproduction as text, as `slicewright reproduce` prints it."""
        parts = [pages.heading(self.definition, self.request)]
        parts += [pages.printed(self.definition, run, cells) for run, cells in self._runs.items()]
        return "\n".join([*parts, self.definition.summary(self.result)])

    def __repr__(self) -> str:
        """The study, and the first lines of its summary: five lines at most."""
        heading = pages.heading(self.definition, self.request).strip().splitlines()[:1]
        summary = [line for line in self.definition.summary(self.result).splitlines() if line]
        return "\n".join([*heading, *summary][:5])

    def glances(self) -> list[Report]:
        """The tables of published and simulated numbers."""
        tables = [table for run, cells in self._runs.items() for table in pages.run_tables(self.definition, run, cells)]
        title = pages.heading(self.definition, self.request).strip().splitlines()[0]
        return [Report(title, sections=[Section("", tables)])]

    @property
    def _runs(self) -> dict[str, list[Cell]]:
        """The cells of each published run, in the order of publication."""
        runs: dict[str, list[Cell]] = {}
        for cell in self.result.cells:
            runs.setdefault(cell.place.table, []).append(cell)
        return runs


def reproduced(name: str, request: Request) -> Reproduced:
    """The reproduction of `slicewright.study`; raises InputError and RunError as it does.

    >>> reproduced("hiperpav", Request(quick=True))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: hiperpav: no such study
    """
    check(text_problem("name", name, ", ".join(STUDIES)))
    known([name])
    definition = named(name)
    return Reproduced(definition, definition.reproduce(request), request)
