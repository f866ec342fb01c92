"""The tasks of studies: all in one table, one with its kept result, and one that is simulated again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slicewright.serve.tasks import Reporter, Task

if TYPE_CHECKING:
    from slicewright.results.judge import Cell
    from slicewright.study.study import Study


def _studies(reporter: Reporter, **about: Any) -> dict[str, Any]:
    """The table of all studies from kept results, and their names in the order of its rows."""
    from slicewright.report.html import embedded
    from slicewright.study.overview import overview
    from slicewright.study.studies import STUDIES, named

    return {"html": embedded(overview([named(name) for name in STUDIES])), "names": STUDIES}


def _study(reporter: Reporter, name: str, **about: Any) -> dict[str, Any]:
    """A study: its kept result as its page has it, empty where none is kept, and what can be simulated again."""
    from slicewright.report.html import embedded
    from slicewright.study.judge import Request

    own = _named(name)
    result = own.kept_result()
    return {
        "label": own.spec().label,
        "html": "" if result is None else embedded(own.page(result, Request(seed=result.seed, curves=False))),
        "ablations": [{"name": ablation, "what": what} for ablation, what in own.spec().ablations.items()],
        "has_curves": own.spec().curves and result is not None,
        "last": f"full, seed {result.seed}, kept with the validation page" if result is not None else "",
    }


def _reproduce(
    reporter: Reporter, name: str, quick: bool = True, ablation: str = "", curves: bool = False, **about: Any
) -> dict[str, Any]:
    """A study simulated again, run by run, as `slicewright reproduce` does it; with `curves` those of its kept result.

    Raises InputError for a name or an ablation that there is not, and RunError for a run that cannot go on.
    """
    from slicewright.report.html import embedded, render
    from slicewright.study.judge import Request
    from slicewright.study.studies import check_ablation

    own = _named(name)
    if ablation:
        check_ablation([name], ablation, strict=False)
    request = Request(quick=bool(quick), ablation=ablation, curves=bool(curves), progress=reporter.progress)
    result = own.kept_result() if curves else None
    if result is None:
        result = own.reproduce(replace(request, done=_Finished(own, reporter)))
    else:
        request = replace(request, quick=False)
    page = own.page(result, request, reporter.progress)
    return {"html": embedded(page), "page": render(page), "document": own.document(result)}


class _Finished:
    """Shows each run with its cells as soon as it is done, below those before."""

    def __init__(self, own: Study, reporter: Reporter) -> None:
        self._own = own
        self._reporter = reporter
        self._tables: list[Any] = []

    def __call__(self, run: str, cells: list[Cell]) -> None:
        from slicewright.report.html import embedded
        from slicewright.report.model import Report, Section
        from slicewright.study.pages import run_tables

        self._tables += run_tables(self._own, run, cells)
        self._reporter.part(embedded(Report("Done so far", sections=[Section("", self._tables)])))


def _named(name: str) -> Study:
    from slicewright.study.studies import check, named

    check([name])
    return named(name)


TASKS: dict[str, Task] = {"studies": Task(_studies), "study": Task(_study), "reproduce": Task(_reproduce, "long")}
