"""Least squares for the constants of the HiperDispatch study, from its calibration cells alone.

What is fitted to what was declared before any run to be predicted (docs/decisions/0012-hiperdispatch-study.md); in the
adopted form to the same cells by the same procedure (0014-hiperdispatch-free-wake-ups.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.study.fit import DIGITS, Search, Tell, least_squares
from slicewright.study.hiperdispatch.cases import Case
from slicewright.study.hiperdispatch.constants import Calibration, Constants, Fitted, Form
from slicewright.study.hiperdispatch.judge import Judge, cases_of, estimated
from slicewright.study.hiperdispatch.points import Point, simulate
from slicewright.study.hiperdispatch.published import Number, study_folder
from slicewright.study.points import Budget

TRIAL = Budget(replications=2, most=2, interval_s=2, warm_up_s=0.5)
"""What one trial of a run of Table 1 costs: hundreds of thousands of dispatches a second settle soon."""

LOW_TV = 6
"""How many times as long a trial of a low-T/V run is: there a second has a hundredth of the dispatches."""

USED = (
    "gain_percent",
    "guests_percent",
    "nonchargeable_cp_percent",
    "srmslock_collisions_per_s",
    "srmslock_spin_s_per_s",
    "transactions_per_s",
)
"""Rows that are fitted to, where they are calibration cells: those that do not follow from others."""

START = {
    "hold": 1.0,
    "per_waiter": 0.4,
    "path": 0.5,
    "simulate": 4.0,
    "look": 0.06,
    "entry": 4.0,
    "sleep_high": 70.0,
    "sleep_low": 9.0,
    "touched_in": 1000.0,
}
"""Where the search starts: numbers of one digit, from coarser searches of the same cells."""

SEARCH = Search(START, dict.fromkeys(START, 0.1), ratio=True)
"""The search: by ratios, as no constant is below nothing, with differences coarse beside noise."""


@dataclass(frozen=True, slots=True)
class Target:
    """A published calibration cell and the scale of its residual: the band that its row has where it is judged.

    >>> [one.scale for one in targets() if one.number.place.row == "tv_ratio"][:1]
    [0.1]
    """

    number: Number
    scale: float

    @property
    def used(self) -> bool:
        """Whether it is fitted to."""
        return self.number.place.row in USED


def calibrate(
    folder: Path | None = None, budget: Budget = TRIAL, tell: Tell = lambda line: None, form: Form = "first"
) -> Calibration:
    """The constants of a form, fitted to the calibration cells of the study in `folder`; `tell` hears each iteration.

    >>> from slicewright.study.hiperdispatch.constants import UNITS
    >>> list(UNITS) == list(SEARCH.start)
    True
    """
    wanted = targets(folder)
    used = [one for one in wanted if one.used]

    def residuals(trial: dict[str, float]) -> list[float]:
        simulated, _ = evaluate(used, trial, budget, form)
        return [(simulated[one.number] - one.number.value) / one.scale for one in used]

    found = least_squares(SEARCH, residuals, tell)
    return calibration(found, wanted, budget, form)


def targets(folder: Path | None = None) -> list[Target]:
    """The calibration cells; no other number is looked at.

    >>> sorted({one.number.place.table for one in targets() if one.used})
    ['figure2', 'figure3', 'table1.n16', 'table1.n8']
    """
    judge = Judge(folder or study_folder())
    own = [one for one in judge.published if judge.ruling(one).role == "calibrated"]
    return [Target(one, _width(judge, one)) for one in own]


def evaluate(
    wanted: Iterable[Target], trial: Mapping[str, float], budget: Budget, form: Form = "first"
) -> tuple[dict[Number, float], Constants]:
    """Each target as simulated with these constants, ETR by the scales that fit best, and those scales.

    >>> short = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)
    >>> gains = [one for one in targets() if one.number.place.key == ("figure3", "gain_percent", "n=16")]
    >>> len(evaluate(gains, SEARCH.start, short)[0])
    1
    """
    wanted = list(wanted)
    points: dict[Case, Point] = {}
    for one in wanted:
        for case in cases_of(_stand_in(one.number)):
            if case not in points:
                longer = budget if case.high_tv else replace(budget, interval_s=LOW_TV * budget.interval_s)
                points[case] = simulate(case, Constants(trial, form=form), longer)
    simulated = {one.number: estimated(_stand_in(one.number), points).mean for one in wanted}
    scales = _scales(wanted, simulated)
    constants = Constants(dict(trial), scales, form)
    for one in wanted:
        if one.number.place.row in ("etr", "transactions_per_s"):
            simulated[one.number] *= constants.scale(one.number.place.table)
        elif one.number.place.row.endswith("_per_tx"):
            simulated[one.number] /= constants.scale(one.number.place.table)
    return simulated, constants


def calibration(trial: Mapping[str, float], wanted: list[Target], budget: Budget, form: Form = "first") -> Calibration:
    """What all calibration cells are at these constants, with where that comes from.

    >>> short = Budget(replications=1, most=1, interval_s=1, warm_up_s=0.0)
    >>> gains = [one for one in targets() if one.number.place.key == ("figure3", "gain_percent", "n=16")]
    >>> calibration(SEARCH.start, gains, short).provenance["simulated"]
    '1 replications of 1 s after 0 s; low T/V 6 times as long'
    """
    from slicewright._core import __version__

    simulated, constants = evaluate(wanted, trial, budget, form)
    seen = tuple(_fitted(one, simulated[one.number]) for one in wanted)
    provenance = {
        "study": "hiperdispatch",
        "version": __version__,
        "seed": budget.seed,
        "simulated": f"{budget.simulated} after {budget.warm_up_s:g} s; low T/V {LOW_TV} times as long",
    }
    return Calibration(constants, seen, provenance)


def _fitted(target: Target, simulated: float) -> Fitted:
    place, value = target.number.place, target.number.value
    return Fitted(place.table, place.row, place.column, value, target.scale, simulated, target.used)


def _width(judge: Judge, number: Number) -> float:
    """The band that the row has where it is judged: in Table 1's columns that park, or in the figures."""
    place = number.place
    table, column = ("table1.n16", "judged") if place.table.startswith("table1") else ("figure1", "judged")
    if place.row == "etr":
        table, column = "table1.n16", "judged"
    row = "transactions_per_s" if place.row == "etr" else place.row
    band = judge.bands.ruling(table, row, column).band
    return band.width(number.value) or 0.05 * abs(number.value)


def _stand_in(number: Number) -> Number:
    """The number whose run stands for this one's while constants are searched.

    At N = 8 all columns of 6.3 are one run: with T/V below the threshold CPUPAD changes nothing.
    """
    place = number.place
    if place.table == "table1.n8" and place.column != "6.2":
        return replace(number, place=replace(place, column="6.3 CPUPAD 6400%"))
    return number


def _scales(wanted: list[Target], simulated: Mapping[Number, float]) -> dict[str, float]:
    """By table or figure, the scale that brings work nearest to ETR: least squares of relative differences."""
    ratios: dict[str, list[float]] = {}
    for one in wanted:
        if one.number.place.row in ("etr", "transactions_per_s"):
            name = one.number.place.table.partition(".")[0]
            ratios.setdefault(name, []).append(simulated[one.number] / one.number.value)
    found = {name: math.fsum(own) / math.fsum(ratio * ratio for ratio in own) for name, own in ratios.items()}
    return {name: float(f"{scale:.{DIGITS}g}") for name, scale in sorted(found.items())}
