"""The constants of the HyperPAV study and the file that `calibrate` writes and `reproduce` reads."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from slicewright.io.numerals import in_scenario
from slicewright.study.constants_file import cells, head, origin
from slicewright.study.hyperpav.published import study_folder

Form = Literal["sharing", "per_concurrent"]

FORMS: dict[Form, str] = {
    "sharing": "a processor-sharing station per path group: of n connected I/Os each goes at 1 / (1 + sharing (n - 1))",
    "per_concurrent": "each I/O in service at the volume adds a fixed time to the mean connect (comparison only)",
}
"""The forms of service, the study's own first (docs/decisions/0003-hyperpav-study.md)."""

UNITS = {"think": "ms", "connect": "ms", "gap": "ms", "sharing": "%", "per_concurrent": "ms"}


@dataclass(frozen=True, slots=True)
class Constants:
    """Mean think and connect time, gap (ms) and what slows connected I/Os (% for sharing, ms for per_concurrent).

    >>> Constants("sharing", think=0.15, connect=0.7, gap=0.05, slowing=4.0).quantity("sharing")
    '4 %'
    """

    form: Form
    think: float
    connect: float
    gap: float
    slowing: float

    @property
    def named(self) -> dict[str, float]:
        """The constants by the name each has in a scenario, in the order in which they are fitted."""
        return {"think": self.think, "connect": self.connect, "gap": self.gap, self.form: self.slowing}

    def quantity(self, name: str) -> str:
        """A constant as a scenario has it, with its unit; raises KeyError for a constant of the other form."""
        return f"{in_scenario(self.named[name])} {UNITS[name]}"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration cell at the fitted constants; `used` says whether it was fitted to.

    >>> Fitted("Y032180H", "queue_depth", 14.4, 0.4, 14.8, True).used
    True
    """

    table: str
    row: str
    published: float
    rounding: float
    simulated: float
    used: bool

    @property
    def residual(self) -> float:
        """How far off, in units of what the print leaves open.

        >>> Fitted("Y032180H", "service_ms", 1.25, 0.05, 1.275, True).residual
        0.49999999999999...
        """
        return (self.simulated - self.published) / self.rounding


@dataclass(frozen=True, slots=True)
class Calibration:
    """One fit: its constants, the cells it saw, and what produced it.

    >>> committed().simulated("Y032181H", "service_ms") is None
    True
    """

    constants: Constants
    cells: tuple[Fitted, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    def simulated(self, table: str, row: str) -> float | None:
        """The simulated value of a calibration cell at these constants; None where the run has no such value."""
        return next((cell.simulated for cell in self.cells if (cell.table, cell.row) == (table, row)), None)


def constants_file() -> Path:
    """The committed output of `slicewright calibrate hyperpav`.

    >>> constants_file().name
    'calibrated.toml'
    """
    return study_folder() / "calibrated.toml"


@cache
def committed(form: Form = "sharing") -> Calibration:
    """The committed calibration of one form: the only source of constants for every other command.

    >>> committed().constants.form
    'sharing'
    """
    return parse(constants_file().read_text("utf-8"), form)


def parse(text: str, form: Form) -> Calibration:
    """One form of a calibration file; raises KeyError when the text has no such form.

    >>> parse(constants_file().read_text("utf-8"), "sharing").provenance["seed"]
    1
    """
    document = tomllib.loads(text)
    own = document[form]
    constants = Constants(form, own["think_ms"], own["connect_ms"], own["gap_ms"], own[f"{form}_{_suffix(form)}"])
    seen = tuple(Fitted(**{key: row[key] for key in Fitted.__slots__}) for row in own["cell"])
    return Calibration(constants, seen, origin(document) | {"scenarios": own["scenarios"]})


def written(calibrations: list[Calibration]) -> str:
    """The calibration file: provenance, then per form the constants, the scenarios' checksums and every cell seen.

    `parse` reads it back without loss.

    >>> parse(written([committed()]), "sharing") == committed()
    True
    """
    said = [
        "The constants of the HyperPAV study as `slicewright calibrate hyperpav` prints them; not edited by hand.",
        "They leave out every run that is to be predicted: only the tables named below were opened.",
    ]
    lines = head(said, calibrations[0].provenance)
    for calibration in calibrations:
        lines += ["", *_form_lines(calibration)]
    return "\n".join(lines) + "\n"


def _form_lines(calibration: Calibration) -> list[str]:
    constants = calibration.constants
    lines = [f"# {FORMS[constants.form]}", f"[{constants.form}]"]
    lines += [f"{name}_{_suffix(name)} = {value!r}" for name, value in constants.named.items()]
    checksums = calibration.provenance["scenarios"]
    lines.append("scenarios = { " + ", ".join(f'{table} = "{sha}"' for table, sha in checksums.items()) + " }")
    return [*lines, *cells(calibration.cells, (*Fitted.__slots__, "residual"))]


def _suffix(name: str) -> str:
    return "percent" if UNITS[name] == "%" else UNITS[name]
