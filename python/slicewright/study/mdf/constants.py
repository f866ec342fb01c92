"""The fitted constants of the 580/MDF study and the file that `calibrate` writes and `reproduce` reads."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from slicewright.study.constants_file import cells, head, origin
from slicewright.study.mdf.published import study_folder
from slicewright.study.mdf.workload import FIRST_MESSAGES, RELOAD_MS

Part = Literal["ims", "tso", "ims_adopted", "tso_adopted"]
Form = Literal["first", "adopted"]
"""The study's own form, which adopts no variant, and the one that adopts three of them (decision 0011)."""

FORMS: tuple[Form, ...] = ("first", "adopted")

PARTS: dict[Part, str] = {
    "ims": "the IMS domain: front end, messages per I/O, number of volumes beside the two hot ones",
    "tso": "the TSO domain: CPU per command, number of volumes beside the two busy ones, requests in pairs",
    "ims_adopted": "IMS in the adopted form: the same, and how much of the I/O keeps to volumes of its own program",
    "tso_adopted": "TSO in the adopted form, where each of its slices begins with .3 ms of reload: the same three",
}
"""What is fitted; the domains have fixed slices and do not touch each other, so each is fitted by itself."""

UNITS = {"front_end": "ms", "messages": "", "volumes": "", "own": "%", "cpu": "ms", "pairs": "%"}

WHOLE = ("volumes",)
"""Constants that are counts: fitted as if they had fractions, then rounded."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of both domains: of IMS front_end, messages, volumes; of TSO cpu, volumes, pairs.

    In the adopted form IMS has own beside them, each slice of TSO begins with reload, and the first front-end I/O of a
    slice takes more messages.

    >>> committed_constants().tso["cpu"] > 0
    True
    """

    ims: dict[str, float]
    tso: dict[str, float]
    form: Form = "first"

    @property
    def reload_ms(self) -> float:
        """What each slice of TSO begins with."""
        return RELOAD_MS if self.form == "adopted" else 0.0

    @property
    def first_messages(self) -> float | None:
        """How many messages ride on the first front-end I/O of a slice on average; None: as many as on any other."""
        return FIRST_MESSAGES if self.form == "adopted" else None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A cell of scheduling parameter 1 at the fitted constants; `used` says whether it was fitted to.

    >>> Fitted("table1.ims", "iosq_ms", 7.0, 1.4, 7.7, True).residual
    0.5
    """

    table: str
    row: str
    published: float
    scale: float
    simulated: float
    used: bool

    @property
    def residual(self) -> float:
        """How far off, in units of the band that its row has at the other scheduling parameters."""
        return round((self.simulated - self.published) / self.scale, 9)


@dataclass(frozen=True, slots=True)
class Calibration:
    """One part's fit: its constants, the cells it saw, and what produced it.

    >>> committed("ims").constants["messages"] >= 1
    True
    """

    part: Part
    constants: dict[str, float]
    cells: tuple[Fitted, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    def simulated(self, table: str, row: str) -> float | None:
        """The simulated value of a calibration cell at these constants; None where it has no such cell."""
        return next((cell.simulated for cell in self.cells if (cell.table, cell.row) == (table, row)), None)


def constants_file() -> Path:
    """The committed output of `slicewright calibrate mdf`.

    >>> constants_file().name
    'calibrated.toml'
    """
    return study_folder() / "calibrated.toml"


@cache
def committed(part: Part) -> Calibration:
    """The committed calibration of one part: the only source of constants for every other command.

    >>> committed("tso").part
    'tso'
    """
    return parse(constants_file().read_text("utf-8"), part)


def committed_constants(form: Form = "first") -> Constants:
    """The committed constants of both domains in one of the forms.

    >>> committed_constants().reload_ms, committed_constants("adopted").reload_ms
    (0.0, 0.3)
    """
    ims, tso = parts(form)
    return Constants(committed(ims).constants, committed(tso).constants, form)


def parts(form: Form) -> tuple[Part, Part]:
    """What is fitted of a form: its IMS and its TSO domain.

    >>> parts("adopted")
    ('ims_adopted', 'tso_adopted')
    """
    return ("ims", "tso") if form == "first" else ("ims_adopted", "tso_adopted")


def parse(text: str, part: Part) -> Calibration:
    """One part of a calibration file; raises KeyError when the text has no such part.

    >>> parse(constants_file().read_text("utf-8"), "ims").provenance["seed"]
    1
    """
    document = tomllib.loads(text)
    own = document[part]
    seen = tuple(Fitted(**{key: row[key] for key in Fitted.__slots__}) for row in own["cell"])
    return Calibration(part, own["constants"], seen, origin(document))


def written(calibrations: list[Calibration]) -> str:
    """The calibration file: provenance, then per part the constants with their units and every cell seen.

    `parse` reads it back without loss.

    >>> parse(written([committed("ims")]), "ims") == committed("ims")
    True
    """
    said = [
        "The constants of the 580/MDF study as `slicewright calibrate mdf` prints them; not edited by hand.",
        "They leave out scheduling parameters 3 and 5, which are to be predicted: only the column sched1 was read.",
    ]
    lines = head(said, calibrations[0].provenance)
    for calibration in calibrations:
        lines += ["", *_part_lines(calibration)]
    return "\n".join(lines) + "\n"


def shown(constants: dict[str, float]) -> str:
    """Constants in words, with their units.

    >>> shown({"front_end": 10.9, "messages": 1.56})
    'front_end 10.9 ms, messages 1.56'
    """
    return ", ".join(f"{name} {value:g} {UNITS[name]}".rstrip() for name, value in constants.items())


def _part_lines(calibration: Calibration) -> list[str]:
    own = calibration.constants
    units = ", ".join(f"{name} in {UNITS[name]}" for name in own if UNITS[name])
    lines = [f"# {PARTS[calibration.part]}", f"# {units}; residuals in bands of the row", f"[{calibration.part}]"]
    lines.append("constants = { " + ", ".join(f"{name} = {value!r}" for name, value in own.items()) + " }")
    return [*lines, *cells(calibration.cells, (*Fitted.__slots__, "residual"))]
