"""The DIAGNOSE X'9C' study as one of the studies: where each thing that a study can do stands."""

from __future__ import annotations

from slicewright import html
from slicewright.study.diag9c.calibrate import Plan, calibrate
from slicewright.study.diag9c.cases import ABLATIONS, RELEASES, ROOMY, pair
from slicewright.study.diag9c.constants import FORMS, ensemble, written
from slicewright.study.diag9c.kept import fingerprint
from slicewright.study.diag9c.page import heading, summary, table
from slicewright.study.diag9c.points import Point
from slicewright.study.diag9c.published import RUNS
from slicewright.study.diag9c.report import page
from slicewright.study.diag9c.reproduce import reproduce
from slicewright.study.diag9c.scenario import scenario
from slicewright.study.diag9c.validation import markdown
from slicewright.study.fit import Tell
from slicewright.study.points import Budget, Progress
from slicewright.study.reproduction import Reproduction, Wish
from slicewright.study.studies import Study

SHIPPED = (*(case for run in (*RUNS, ROOMY) for case in pair(run)), RELEASES[0])
"""Whose scenarios are shipped: both runs of every pair, without contention too, and z/VM 5.2."""

SHORT = Budget(replications=4, most=4, interval_s=2, warm_up_s=1.0)
"""How long they run as shipped."""


def _drawn(result: Reproduction[Point], wish: Wish, progress: Progress) -> html.Page:
    return page(result, wish)


def _calibrated(tell: Tell) -> str:
    return written([calibrate(tell=tell, plan=Plan(form=form)) for form in FORMS])


def _scenarios() -> dict[str, str]:
    return {f"{case.name}.toml": scenario(case, ensemble()[0], SHORT) for case in SHIPPED}


STUDY = Study(
    name="diag9c",
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
