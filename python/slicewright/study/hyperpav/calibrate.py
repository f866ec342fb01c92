"""Least squares for the constants of the HyperPAV study, from its calibration cells alone.

What is fitted to what was declared before any run (docs/decisions/0003-hyperpav-study.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from slicewright.study.bands import Bands
from slicewright.study.fit import Search, Tell, least_squares, squares
from slicewright.study.hyperpav.constants import FORMS, Calibration, Constants, Fitted, Form
from slicewright.study.hyperpav.points import Point, simulate
from slicewright.study.hyperpav.published import Report, Value, reports, study_folder, values
from slicewright.study.points import Budget

FITTED_ROWS = ("volume_io_per_s", "service_ms", "queue_depth")
"""Response follows from these three; the ratio of base to alias rates is the redispatch policy's."""

BUDGET = Budget(replications=10, most=10, interval_s=30, warm_up_s=2.0)
START = {"think": 0.2, "connect": 0.8, "gap": 0.05, "sharing": 3.0, "per_concurrent": 0.1}
"""Where the search starts, in the units of the constants."""

STEP = {"think": 0.02, "connect": 0.02, "gap": 0.01, "sharing": 0.4, "per_concurrent": 0.02}
"""The steps of its differences: coarse beside simulation noise, fine beside the curvature."""


@dataclass(frozen=True, slots=True)
class Target:
    """A calibration run and its published values.

    >>> targets()[0].published["queue_depth"].rounding
    0.4
    """

    report: Report
    published: dict[str, Value]


def calibrate(folder: Path | None = None, budget: Budget = BUDGET, tell: Tell = lambda line: None) -> list[Calibration]:
    """Both forms of service fitted to the calibration cells of the study in `folder`; the study's own form first.

    `tell` hears one line per iteration.  Raises InputError when a calibration report cannot be read.

    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
    >>> [one.constants.form for one in calibrate(budget=short)]
    ['sharing', 'per_concurrent']
    """
    seen = targets(folder)
    return [_fit(form, seen, budget, tell) for form in FORMS]


def targets(folder: Path | None = None) -> list[Target]:
    """The runs all of whose cells may be fitted; no other page is opened.

    >>> [target.report.table for target in targets()]
    ['Y032180H', 'Y032182H']
    """
    folder = folder or study_folder()
    bands = Bands.read("hyperpav", folder.parent)
    return [
        Target(report, values(report))
        for report in reports(folder)
        if all(bands.ruling(report.table, row).role == "calibrated" for row in report.rows)
    ]


def evaluate(constants: Constants, seen: list[Target], budget: Budget) -> list[Point]:
    """The calibration runs simulated at these constants, with the random numbers of every other trial.

    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
    >>> [point.report.table for point in evaluate(Constants("sharing", 0.2, 0.8, 0.0, 3.0), targets(), short)]
    ['Y032180H', 'Y032182H']
    """
    return [simulate(target.report, constants, budget) for target in seen]


def calibration(constants: Constants, seen: list[Target], budget: Budget) -> Calibration:
    """What the calibration cells are at these constants, with where that comes from.

    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
    >>> calibration(Constants("sharing", 0.2, 0.8, 0.0, 3.0), targets(), short).provenance["simulated"]
    '2 replications of 2 s after 0.5 s'
    """
    from slicewright._core import __version__

    points = evaluate(constants, seen, budget)
    cells = tuple(
        Fitted(point.report.table, row, value.value, value.rounding, point.estimate(row).mean, row in FITTED_ROWS)
        for target, point in zip(seen, points, strict=True)
        for row, value in target.published.items()
    )
    provenance = {
        "study": "hyperpav",
        "version": __version__,
        "seed": budget.seed,
        "simulated": f"{budget.simulated} after {budget.warm_up_s:g} s",
        "scenarios": {point.report.table: point.checksum for point in points},
    }
    return Calibration(constants, cells, provenance)


def misfit(constants: Constants, seen: list[Target], budget: Budget) -> float:
    """The sum of squared residuals at these constants: what the fit makes as small as it can.

    >>> short = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
    >>> misfit(Constants("sharing", 0.2, 0.8, 0.0, 3.0), targets(), short) > 0
    True
    """
    return squares(_residuals(seen, evaluate(constants, seen, budget)))


def _fit(form: Form, seen: list[Target], budget: Budget, tell: Tell) -> Calibration:
    names = ("think", "connect", "gap", form)

    def residuals(trial: dict[str, float]) -> list[float]:
        return _residuals(seen, evaluate(Constants(form, *trial.values()), seen, budget))

    search = Search({name: START[name] for name in names}, {name: STEP[name] for name in names})
    found = least_squares(search, residuals, lambda line: tell(f"{form}: {line}"))
    return calibration(Constants(form, *found.values()), seen, budget)


def _residuals(seen: list[Target], points: list[Point]) -> list[float]:
    """(simulated - published) / rounding for each fitted number."""
    return [
        (point.estimate(row).mean - target.published[row].value) / target.published[row].rounding
        for target, point in zip(seen, points, strict=True)
        for row in FITTED_ROWS
    ]
