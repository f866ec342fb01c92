"""The 580/MDF study as one of the studies: where each thing that a study can do stands."""

from __future__ import annotations

from slicewright import html
from slicewright.study.fit import Tell
from slicewright.study.mdf.calibrate import calibrate
from slicewright.study.mdf.constants import committed_constants, written
from slicewright.study.mdf.kept import fingerprint
from slicewright.study.mdf.page import heading, summary, table
from slicewright.study.mdf.points import Point
from slicewright.study.mdf.published import COLUMNS
from slicewright.study.mdf.report import SHIPPED, lines, page
from slicewright.study.mdf.reproduce import reproduce
from slicewright.study.mdf.scenario import scenario
from slicewright.study.mdf.validation import markdown
from slicewright.study.points import Progress
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.studies import Study


def _drawn(result: Reproduction[Point], wish: Wish, progress: Progress) -> html.Page:
    return page(result, wish, lines(progress=progress))


def _calibrated(tell: Tell) -> str:
    return written(calibrate(tell=tell))


def _scenarios() -> dict[str, str]:
    return {
        f"{name}-{column}.toml": scenario(parameter, committed_constants(form))
        for form, name in SHIPPED.items()
        for column, parameter in COLUMNS.items()
    }


STUDY = Study(
    name="mdf",
    reproduce=reproduce,
    heading=heading,
    table=table,
    summary=summary,
    page=_drawn,
    calibrate=_calibrated,
    scenarios=_scenarios,
    markdown=markdown,
    fingerprint=fingerprint,
)
"""The study."""
