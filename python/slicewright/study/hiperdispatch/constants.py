"""The fitted constants of the HiperDispatch study and the file that `calibrate` writes and `reproduce` reads."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from slicewright.study.constants_file import cells, head, origin
from slicewright.study.hiperdispatch.published import study_folder

Form = Literal["first", "adopted"]
"""The study's own form, and the one in which any idle processor handles wake-ups in horizontal mode (decision 0014)."""

FORMS: tuple[Form, ...] = ("first", "adopted")

UNITS = {
    "hold": "us",
    "per_waiter": "us",
    "path": "us",
    "simulate": "us",
    "look": "us",
    "entry": "us",
    "sleep_high": "us",
    "sleep_low": "ms",
    "touched_in": "us",
}
"""The constants and their units."""

MEANINGS = {
    "hold": "how long a list operation holds the scheduler lock when nobody else wants it",
    "per_waiter": "how much longer for each who was there before",
    "path": "what each of wake-up, dispatch and wait takes, charged to nobody",
    "simulate": "what simulating a wait takes, charged",
    "look": "what looking at one vector takes",
    "entry": "what a virtual processor loses each time that it is entered",
    "sleep_high": "how long a virtual processor of a high-T/V tile sleeps",
    "sleep_low": "how long one of a low-T/V tile sleeps",
    "touched_in": "how long a virtual processor runs until it has touched all but 1/e of what it has in the caches",
}
"""What each constant is."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants, and the scale that turns work into ETR, by table or figure.

    >>> committed_constants().of["hold"] > 0
    True
    """

    of: Mapping[str, float]
    scales: Mapping[str, float] = field(default_factory=dict)
    form: Form = "first"

    def scale(self, table: str) -> float:
        """Transactions per second of one processor's work in warm caches; 1 where none was fitted.

        Figure 4 prints no ETR and has the tiles of figure 3.

        >>> Constants({}, {"figure3": 20.0}).scale("figure4")
        20.0
        """
        name = "figure3" if table == "figure4" else table.partition(".")[0]
        return self.scales.get(name, 1.0)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration cell at the fitted constants; `used` says whether it was fitted to.

    >>> Fitted("table1.n8", "guests_percent", "6.2", 549.6, 27.48, 563.34, True).residual
    0.5
    """

    table: str
    row: str
    column: str
    published: float
    scale: float
    simulated: float
    used: bool

    @property
    def residual(self) -> float:
        """How far off, in bands of the row."""
        return round((self.simulated - self.published) / self.scale, 9)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The fit: constants, the cells it saw, and what produced it.

    >>> committed().provenance["study"]
    'hiperdispatch'
    """

    constants: Constants
    cells: tuple[Fitted, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    def simulated(self, *key: str) -> float | None:
        """The simulated value of a calibration cell; None where there is no such cell."""
        return next((one.simulated for one in self.cells if (one.table, one.row, one.column) == key), None)


def constants_file() -> Path:
    """The committed output of `slicewright calibrate hiperdispatch`.

    >>> constants_file().name
    'calibrated.toml'
    """
    return study_folder() / "calibrated.toml"


@cache
def committed(form: Form = "first") -> Calibration:
    """The committed calibration of a form: the only source of constants for every other command.

    >>> len(committed().constants.of) == len(UNITS)
    True
    """
    return parse(constants_file().read_text("utf-8"), form)


def committed_constants(form: Form = "first") -> Constants:
    """The committed constants and scales of a form.

    >>> sorted(committed_constants().scales)
    ['figure1', 'figure2', 'figure3', 'table1']
    """
    return committed(form).constants


def parse(text: str, form: Form = "first") -> Calibration:
    """One form's part of a calibration file; raises KeyError when the text has none.

    >>> parse(constants_file().read_text("utf-8")).provenance["seed"]
    1
    """
    document = tomllib.loads(text)
    own = document if form == "first" else document[form]
    seen = tuple(Fitted(**{key: row[key] for key in Fitted.__slots__}) for row in own["cell"])
    return Calibration(Constants(own["constants"], own["scales"], form), seen, origin(document))


def written(calibrations: list[Calibration]) -> str:
    """The calibration file: provenance, and of each form, the first one first, every cell seen, constants and scales.

    >>> parse(written([committed(form) for form in FORMS]), "adopted") == committed("adopted")
    True
    """
    said = [
        "The constants of the HiperDispatch study as `slicewright calibrate hiperdispatch` prints them; not edited.",
        "They leave out every cell that is to be predicted: only those listed were read.",
        "Residuals are in bands of the row; scales are transactions per second of one processor's work in warm caches.",
    ]
    lines = head(said, calibrations[0].provenance)
    for calibration in calibrations:
        lines += _form_lines(calibration)
    return "\n".join(lines) + "\n"


def shown(constants: Mapping[str, float]) -> str:
    """Constants in words, with their units.

    >>> shown({"hold": 0.69, "sleep_low": 8.0})
    'hold .69 us, sleep_low 8 ms'
    """
    return ", ".join(
        f"{name} {value:g} {UNITS[name]}".rstrip().replace(" 0.", " .") for name, value in constants.items()
    )


def _form_lines(calibration: Calibration) -> list[str]:
    own = calibration.constants
    first = own.form == "first"
    within = "" if first else f"{own.form}."
    before = [] if first else ["", "# In horizontal mode any idle processor handles a wake-up.", f"[{own.form}]"]
    lines = [*before, *cells(calibration.cells, (*Fitted.__slots__, "residual")), "", f"[{within}constants]"]
    lines += [
        f"{name} = {value!r} # {f'{UNITS[name]}, ' * bool(UNITS[name])}{MEANINGS[name]}"
        for name, value in own.of.items()
    ]
    return [*lines, "", f"[{within}scales]", *(f"{name} = {value!r}" for name, value in own.scales.items())]
