"""The ensembles of fitted constants of the DIAGNOSE X'9C' study, one a form, and the file that `calibrate` writes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from slicewright.study.constants_file import cells, head, origin
from slicewright.study.diag9c.published import study_folder

Form = Literal["first", "intercepts"]
"""The study's own form, and the variant with intercepts inside sections, which was left out (decision 0019)."""

FORMS: tuple[Form, ...] = ("first", "intercepts")

BOUNDS = {
    "piece": (100.0, 2000.0),
    "client_share": (20.0, 80.0),
    "client_held": (0.5, 40.0),
    "server_held": (0.5, 40.0),
    "hold": (0.5, 10.0),
    "one_try": (4.0, 10.0),
    "latency": (20.0, 1000.0),
    "touched_in": (36.0, 72.0),
}
"""The constants of the first form and what physics bounds them by, in their units."""

INTERCEPTED = "intercepted"
"""The constant that the variant has beside them."""

INTERCEPTED_BOUNDS = (0.05, 5.0)
"""Its bounds, in percent of sections."""

UNITS = {
    "piece": "us",
    "client_share": "%",
    "client_held": "%",
    "server_held": "%",
    "hold": "us",
    "one_try": "ns",
    "latency": "us",
    "touched_in": "us",
    INTERCEPTED: "%",
}
"""Their units."""

MEANINGS = {
    "piece": "what client and server together compute for a piece of 64 KiB, in warm caches",
    "client_share": "which part of that the client computes",
    "client_held": "which part of its computing a client does under its lock",
    "server_held": "the same of a server",
    "hold": "how long a section under a lock is",
    "one_try": "what one try to take a lock takes",
    "latency": "how long the network takes, each way",
    "touched_in": "how long a virtual processor runs until it has touched all but 1/e of what it has in the caches",
    INTERCEPTED: "in how many of its sections under a lock a virtual processor is intercepted",
}
"""What each constant is."""

Constants = Mapping[str, float]
"""One set: a value by each name."""


def bounds(form: Form = "first") -> dict[str, tuple[float, float]]:
    """The constants of a form and their bounds.

    >>> list(bounds("intercepts"))[-1], len(bounds())
    ('intercepted', 8)
    """
    return BOUNDS if form == "first" else BOUNDS | {INTERCEPTED: INTERCEPTED_BOUNDS}


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration cell: published, the scale of its residual, and its mean over the ensemble.

    >>> Fitted("run.A", "diag44.fast_path_percent", 87.0, 8.0, 89.0).off
    2.0
    """

    table: str
    row: str
    published: float
    scale: float
    simulated: float

    @property
    def off(self) -> float:
        """Simulated less published, in the unit of the row."""
        return self.simulated - self.published


@dataclass(frozen=True, slots=True)
class Member:
    """One set of the ensemble, its misfit (the sum of squared residuals), and the calibration cells that it gives.

    >>> committed().members[0].misfit > 0
    True
    """

    constants: Constants
    misfit: float
    simulated: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The fit: the ensemble, best first, the cells it saw, and what produced it.

    >>> committed().provenance["study"]
    'diag9c'
    """

    members: tuple[Member, ...]
    cells: tuple[Fitted, ...]
    provenance: dict[str, Any] = field(default_factory=dict)
    form: Form = "first"

    def simulated(self, *key: str) -> float | None:
        """The mean over the ensemble of a calibration cell; None where there is no such cell."""
        return next((one.simulated for one in self.cells if (one.table, one.row) == key), None)


def constants_file() -> Path:
    """The committed output of `slicewright calibrate diag9c`.

    >>> constants_file().name
    'calibrated.toml'
    """
    return study_folder() / "calibrated.toml"


@cache
def committed(form: Form = "first") -> Calibration:
    """The committed calibration of a form: the only source of constants for every other command.

    >>> set(committed().members[0].constants) == set(BOUNDS)
    True
    """
    return parse(constants_file().read_text("utf-8"), form)


def ensemble(form: Form = "first") -> tuple[Constants, ...]:
    """The sets of the committed ensemble of a form, best first.

    >>> len(ensemble())
    8
    """
    return tuple(one.constants for one in committed(form).members)


def parse(text: str, form: Form = "first") -> Calibration:
    """One form's part of a calibration file; raises KeyError when the text has none.

    >>> parse(constants_file().read_text("utf-8")).provenance["seed"]
    1
    """
    document = tomllib.loads(text)
    found = document if form == "first" else document[form]
    members = tuple(
        Member({name: float(own[name]) for name in bounds(form)}, own["misfit"], tuple(map(float, own["simulated"])))
        for own in found["set"]
    )
    seen = tuple(Fitted(**{key: row[key] for key in Fitted.__slots__}) for row in found["cell"])
    return Calibration(members, seen, origin(document), form)


def written(calibrations: Sequence[Calibration]) -> str:
    """The calibration file: provenance, and of each form, the first one first, the cells seen and each set.

    >>> parse(written([committed(form) for form in FORMS]), "intercepts") == committed("intercepts")
    True
    """
    said = [
        "The ensemble of constants of the study as `slicewright calibrate diag9c` prints it; not edited.",
        "It leaves out every cell that is to be predicted: only those listed were read.",
        "Misfit: the sum of squared residuals; `simulated` of a cell: the mean over sets, of a set: a value per cell.",
        *(f"{name}: {UNITS[name]}, {MEANINGS[name]}." for name in BOUNDS),
    ]
    lines = head(said, calibrations[0].provenance)
    for calibration in calibrations:
        lines += _form_lines(calibration)
    return "\n".join(lines) + "\n"


def spans(members: Sequence[Constants]) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each constant over some sets.

    >>> spans([{"hold": 2.0}, {"hold": 1.0}])
    {'hold': (1.0, 2.0)}
    """
    names = members[0] if members else {}
    return {name: (min(one[name] for one in members), max(one[name] for one in members)) for name in names}


def shown(members: Sequence[Constants]) -> str:
    """The spans of constants in words, with their units.

    >>> shown([{"hold": 2.5}, {"hold": 1.0}])
    'hold 1 to 2.5 us'
    """
    return ", ".join(f"{name} {low:.4g} to {high:.4g} {UNITS[name]}" for name, (low, high) in spans(members).items())


def _form_lines(calibration: Calibration) -> list[str]:
    """A form's cells and sets; those of the variant stand in a table of its name."""
    form = calibration.form
    within, lines = "", []
    if form != "first":
        unit, meaning = UNITS[INTERCEPTED], MEANINGS[INTERCEPTED]
        within = f"{form}."
        lines = ["", f"# The variant with intercepts inside sections; {INTERCEPTED}: {unit}, {meaning}.", f"[{form}]"]
    lines += cells(calibration.cells, tuple(Fitted.__slots__))
    for member in calibration.members:
        lines += ["", f"[[{within}set]]", f"misfit = {member.misfit:.6g}"]
        lines += [f"{name} = {member.constants[name]!r}" for name in bounds(form)]
        lines.append(f"simulated = [{', '.join(f'{value:.7g}' for value in member.simulated)}]")
    return lines
