"""The HiperDispatch study as one of the studies: where each thing that a study can do stands."""

from __future__ import annotations

from slicewright import html
from slicewright.study.fit import Tell
from slicewright.study.hiperdispatch.calibrate import calibrate
from slicewright.study.hiperdispatch.cases import ABLATIONS, MODES, Case, column_case
from slicewright.study.hiperdispatch.constants import FORMS, committed_constants, written
from slicewright.study.hiperdispatch.kept import fingerprint
from slicewright.study.hiperdispatch.page import heading, summary, table
from slicewright.study.hiperdispatch.points import Point
from slicewright.study.hiperdispatch.report import lines, page
from slicewright.study.hiperdispatch.reproduce import reproduce
from slicewright.study.hiperdispatch.scenario import scenario
from slicewright.study.hiperdispatch.validation import markdown
from slicewright.study.points import Budget, Progress
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.studies import Study

SHIPPED = (
    column_case(16, "6.2"),
    column_case(16, "6.3 CPUPAD 100%"),
    Case("figure1", 8, "V B"),
    *(Case(figure, n, mode) for figure, n in (("figure2", 24), ("figure3", 16), ("figure4", 32)) for mode in MODES),
)
"""Whose scenarios are shipped: a family of tiles each; any other N, mode or CPUPAD by `--set`."""

SHORT = Budget(replications=4, most=4, interval_s=10, warm_up_s=2.0)
"""How long they run as shipped; the study cuts more, most of all where processors are parked (`reproduce.py`)."""


def _drawn(result: Reproduction[Point], wish: Wish, progress: Progress) -> html.Page:
    return page(result, wish, lines(progress))


def _calibrated(tell: Tell) -> str:
    return written([calibrate(tell=tell, form=form) for form in FORMS])


def _scenarios() -> dict[str, str]:
    return {f"{case.name}.toml": scenario(case, committed_constants(), SHORT) for case in SHIPPED}


STUDY = Study(
    name="hiperdispatch",
    reproduce=reproduce,
    heading=heading,
    table=table,
    summary=summary,
    page=_drawn,
    calibrate=_calibrated,
    scenarios=_scenarios,
    markdown=markdown,
    fingerprint=fingerprint,
    ablations=ABLATIONS,
)
"""The study."""
