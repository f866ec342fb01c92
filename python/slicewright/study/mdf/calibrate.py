"""Least squares for the constants of the 580/MDF study, from the cells of scheduling parameter 1 alone.

What is fitted to what was declared before any run to be predicted (docs/decisions/0010-mdf-study.md and
0011-mdf-adopted.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from slicewright.study.bands import Bands
from slicewright.study.fit import Search, Tell, least_squares
from slicewright.study.mdf.constants import PARTS, WHOLE, Calibration, Constants, Fitted, Form, Part, parts
from slicewright.study.mdf.derived import SEEN, Derived, derived
from slicewright.study.mdf.points import Case, Point, Value, simulate
from slicewright.study.mdf.published import numbers, study_folder
from slicewright.study.mdf.scenario import IMS, TSO
from slicewright.study.points import Budget

BUDGET = Budget(replications=10, most=10, interval_s=1200, warm_up_s=600)
"""What one trial of IMS costs: the number of busy terminals settles in minutes, and nothing slower is fitted."""

LONGER = 6
"""How many times as long a trial of TSO is: commands are few and of very different size."""

USED: dict[Part, tuple[Value, ...]] = {
    "ims": (
        ("table3.ims", "front_end_4705_rate_per_s"),
        ("table3.ims", "external_transactions_per_s"),
        ("table1.ims", "iosq_ms"),
    ),
    "tso": (
        ("table4.tso", "response_s"),
        ("table1.tso", "iosq_ms"),
        ("table2.TSO-CC1", "iosq_ms"),
        ("table2.TSO-CC2", "iosq_ms"),
    ),
}
USED["ims_adopted"] = (*USED["ims"], ("table2.IMS-C23", "iosq_ms"), ("table2.IMS-8C2", "iosq_ms"))
USED["tso_adopted"] = USED["tso"]

_TSO = Search(
    {"cpu": 51.0, "volumes": 40.0, "pairs": 15.0},
    {"cpu": 1.0, "volumes": 8.0, "pairs": 10.0},
    {"pairs": 100.0},
    once=True,
)
SEARCH: dict[Part, Search] = {
    "ims": Search(
        {"front_end": 11.0, "messages": 1.56, "volumes": 80.0},
        {"front_end": 0.25, "messages": 0.03, "volumes": 8.0},
        once=True,
    ),
    "tso": _TSO,
    "ims_adopted": Search(
        {"front_end": 11.0, "messages": 1.4, "volumes": 70.0, "own": 50.0},
        {"front_end": 0.25, "messages": 0.03, "volumes": 8.0, "own": 10.0},
        {"own": 100.0},
        once=True,
    ),
    "tso_adopted": _TSO,
}
"""Where each search starts, with round numbers, and its steps."""


@dataclass(frozen=True, slots=True)
class Target:
    """A published number of scheduling parameter 1 and the scale of its residual: the band of its row elsewhere.

    >>> targets("ims")[1]
    Target(value=('table1.ims', 'iosq_ms'), published=7.0, scale=1.4000000000000001)
    """

    value: Value
    published: float
    scale: float


def calibrate(folder: Path | None = None, budget: Budget = BUDGET, tell: Tell = lambda line: None) -> list[Calibration]:
    """Both domains in both forms fitted to scheduling parameter 1 of the study in `folder`.

    `tell` hears one line per iteration.

    >>> short = Budget(replications=1, most=1, interval_s=20, warm_up_s=10)
    >>> [one.part for one in calibrate(budget=short)]
    ['ims', 'tso', 'ims_adopted', 'tso_adopted']
    """
    return [_fit(part, folder or study_folder(), budget, tell) for part in PARTS]


def targets(part: Part, folder: Path | None = None) -> list[Target]:
    """The numbers of the part's domain at scheduling parameter 1; no other column is looked at.

    >>> {one.value[0] for one in targets("tso")} == {"table1.tso", "table2.TSO-CC1", "table2.TSO-CC2", "table4.tso"}
    True
    """
    folder = folder or study_folder()
    bands = Bands.read("mdf", folder.parent)
    own = part.removesuffix("_adopted")
    found = []
    for number in numbers(folder):
        table, row = number.place.table, number.place.row
        if number.place.column == SEEN and own in table.lower():
            width = bands.ruling(table, row, "elsewhere").band.width(number.value)
            found.append(Target((table, row), number.value, width))
    return found


def evaluate(part: Part, constants: dict[str, float], inputs: Derived, budget: Budget) -> Point:
    """The part's domain at scheduling parameter 1 with these constants, the other one idle.

    >>> short = Budget(replications=1, most=1, interval_s=20, warm_up_s=10)
    >>> trial = {"front_end": 11.0, "messages": 1.56, "volumes": 80.5}
    >>> 30 < evaluate("ims", trial, derived(), short).estimate(("table3.ims", "external_transactions_per_s")).mean < 63
    True
    """
    form: Form = "adopted" if part in parts("adopted") else "first"
    if part == parts(form)[0]:
        return simulate(Case(1, Constants(constants, {}, form), inputs, (IMS,)), budget)
    longer = replace(budget, interval_s=LONGER * budget.interval_s)
    return simulate(Case(1, Constants({}, constants, form), inputs, (TSO,)), longer)


def calibration(part: Part, constants: dict[str, float], folder: Path, budget: Budget) -> Calibration:
    """What the calibration cells are at these constants, with where that comes from.

    >>> short = Budget(replications=1, most=1, interval_s=20, warm_up_s=10)
    >>> trial = {"front_end": 11.0, "messages": 1.56, "volumes": 80.0}
    >>> calibration("ims", trial, study_folder(), short).provenance["simulated"]
    '1 replications of 20 s after 10 s; TSO 6 times as long'
    """
    from slicewright._core import __version__

    point = evaluate(part, constants, derived(folder), budget)
    cells = tuple(
        Fitted(*one.value, one.published, one.scale, point.estimate(one.value).mean, one.value in USED[part])
        for one in targets(part, folder)
    )
    provenance = {
        "study": "mdf",
        "version": __version__,
        "seed": budget.seed,
        "simulated": f"{budget.simulated} after {budget.warm_up_s:g} s; TSO {LONGER} times as long",
    }
    return Calibration(part, constants, cells, provenance)


def _fit(part: Part, folder: Path, budget: Budget, tell: Tell) -> Calibration:
    inputs, wanted = derived(folder), [one for one in targets(part, folder) if one.value in USED[part]]

    def residuals(trial: dict[str, float]) -> list[float]:
        point = evaluate(part, trial, inputs, budget)
        return [(point.estimate(one.value).mean - one.published) / one.scale for one in wanted]

    found = least_squares(SEARCH[part], residuals, lambda line: tell(f"{part}: {line}"))
    whole = {name: float(round(value)) if name in WHOLE else value for name, value in found.items()}
    return calibration(part, whole, folder, budget)
