"""The installation-exit study as one of the studies: where each thing that a study can do stands."""

from __future__ import annotations

from slicewright import html
from slicewright.study.fit import Tell
from slicewright.study.grs_exits.bench import bench
from slicewright.study.grs_exits.beside import beside
from slicewright.study.grs_exits.calibrate import calibrate
from slicewright.study.grs_exits.cases import BATCH, POOLED, SINGLE, UNLOCKED, Case
from slicewright.study.grs_exits.constants import committed, written
from slicewright.study.grs_exits.kept import fingerprint
from slicewright.study.grs_exits.page import heading, summary, table
from slicewright.study.grs_exits.points import Point
from slicewright.study.grs_exits.published import numbers
from slicewright.study.grs_exits.report import page
from slicewright.study.grs_exits.reproduce import reproduce
from slicewright.study.grs_exits.scenario import scenario
from slicewright.study.grs_exits.validation import markdown
from slicewright.study.points import Progress
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.studies import Study

SHIPPED = (Case(BATCH, share=20), Case(SINGLE, share=20), Case(POOLED, processors=8), Case(UNLOCKED, processors=8))
"""Whose scenarios are shipped beside the five rows: some of either sweep."""


def _drawn(result: Reproduction[Point], wish: Wish, progress: Progress) -> html.Page:
    return page(result, wish)


def _calibrated(tell: Tell) -> str:
    return written(calibrate(tell=tell))


def _scenarios() -> dict[str, str]:
    prices = committed().prices
    rows = {f"row-{one.row}.toml": scenario(Case(one.structure), prices, one.row) for one in numbers()}
    return rows | {f"{case.name}.toml": scenario(case, prices) for case in SHIPPED}


STUDY = Study(
    name="grs-exits",
    reproduce=reproduce,
    heading=heading,
    table=table,
    summary=summary,
    page=_drawn,
    calibrate=_calibrated,
    scenarios=_scenarios,
    markdown=markdown,
    fingerprint=fingerprint,
    bench=bench,
    beside=beside,
)
"""The study."""
