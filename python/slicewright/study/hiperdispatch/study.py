"""The HiperDispatch study as one of the studies: where each thing that a study can do stands.

It leaves out doing any of them.
"""

from __future__ import annotations

from slicewright import html
from slicewright.study.fit import Tell
from slicewright.study.hiperdispatch.calibrate import calibrate
from slicewright.study.hiperdispatch.cases import ABLATIONS, MODES, Case, column_case
from slicewright.study.hiperdispatch.constants import committed_constants, written
from slicewright.study.hiperdispatch.kept import fingerprint
from slicewright.study.hiperdispatch.page import heading, summary, table
from slicewright.study.hiperdispatch.points import Point
from slicewright.study.hiperdispatch.published import document
from slicewright.study.hiperdispatch.report import lines, page
from slicewright.study.hiperdispatch.reproduce import budget, reproduce
from slicewright.study.hiperdispatch.scenario import scenario
from slicewright.study.hiperdispatch.validation import markdown
from slicewright.study.points import Progress
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.studies import Study

SHOWN = {"figure1": 8, "figure2": 24, "figure3": 16, "figure4": 32}
"""At which N the scenarios of each figure are shipped; any other by `--set`."""


def _drawn(result: Reproduction[Point], wish: Wish, progress: Progress) -> html.Page:
    return page(result, wish, lines(progress))


def _calibrated(tell: Tell) -> str:
    return written(calibrate(tell=tell))


def _scenarios() -> dict[str, str]:
    cases = [column_case(n, column) for n in (8, 16) for column in document()["table1"]["columns"]]
    cases += [Case(figure, n, mode) for figure, n in SHOWN.items() for mode in MODES]
    return {f"{case.name}.toml": scenario(case, committed_constants(), budget(case, Wish())) for case in cases}


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
