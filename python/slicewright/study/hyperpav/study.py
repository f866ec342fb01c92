"""The HyperPAV study as one of the studies: where each thing that a study can do stands."""

from __future__ import annotations

from slicewright import html
from slicewright.study.fit import Tell
from slicewright.study.hyperpav.calibrate import calibrate
from slicewright.study.hyperpav.constants import committed, written
from slicewright.study.hyperpav.kept import fingerprint
from slicewright.study.hyperpav.page import heading, summary, table
from slicewright.study.hyperpav.points import Point
from slicewright.study.hyperpav.published import reports
from slicewright.study.hyperpav.report import lines, page
from slicewright.study.hyperpav.reproduce import reproduce
from slicewright.study.hyperpav.scenario import scenario
from slicewright.study.hyperpav.validation import markdown
from slicewright.study.points import Progress
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.studies import Study


def _drawn(result: Reproduction[Point], wish: Wish, progress: Progress) -> html.Page:
    return page(result, wish, lines(progress=progress))


def _calibrated(tell: Tell) -> str:
    return written(calibrate(tell=tell))


def _scenarios() -> dict[str, str]:
    return {f"{report.table}.toml": scenario(report, committed().constants) for report in reports()}


STUDY = Study(
    name="hyperpav",
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
