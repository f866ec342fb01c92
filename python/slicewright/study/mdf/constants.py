"""The fitted constants of the 580/MDF study and the file that `calibrate` writes and `reproduce` reads.

It leaves out how they are found (`calibrate.py`) and where they stand in a scenario (`scenario.py`).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from slicewright.study.mdf.published import study_folder

Part = Literal["ims", "tso", "tso_reload"]

PARTS: dict[Part, str] = {
    "ims": "the IMS domain: front end, messages per I/O, number of volumes beside the two hot ones",
    "tso": "the TSO domain: CPU per command, number of volumes beside the two busy ones, requests in pairs",
    "tso_reload": "the same where each slice of TSO begins with .3 ms of reload (comparison only)",
}
"""What is fitted; the domains have fixed slices and do not touch each other, so each is fitted by itself."""

UNITS = {"front_end": "ms", "messages": "", "volumes": "", "cpu": "ms", "pairs": "%"}

WHOLE = ("volumes",)
"""Constants that are counts: fitted as if they had fractions, then rounded."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of both domains: of IMS front_end, messages, volumes; of TSO cpu, volumes, pairs.

    `reload_ms` is what each slice of TSO begins with: none in the study's own form.

    >>> committed_constants().tso["cpu"] > 0
    True
    """

    ims: dict[str, float]
    tso: dict[str, float]
    reload_ms: float = 0.0


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


def committed_constants(*, reload: bool = False) -> Constants:
    """The committed constants of both domains, of the study's own form or of the one with reload.

    >>> committed_constants().reload_ms
    0.0
    """
    from slicewright.study.mdf.workload import RELOAD_MS

    tso = committed("tso_reload" if reload else "tso").constants
    return Constants(committed("ims").constants, tso, RELOAD_MS if reload else 0.0)


def parse(text: str, part: Part) -> Calibration:
    """One part of a calibration file; raises KeyError when the text has no such part.

    >>> parse(constants_file().read_text("utf-8"), "ims").provenance["seed"]
    1
    """
    document = tomllib.loads(text)
    own = document[part]
    cells = tuple(Fitted(**{key: row[key] for key in Fitted.__slots__}) for row in own["cell"])
    provenance = {key: document[key] for key in ("study", "version", "seed", "simulated")}
    return Calibration(part, own["constants"], cells, provenance)


def written(calibrations: list[Calibration]) -> str:
    """The calibration file: provenance, then per part the constants with their units and every cell seen.

    `parse` reads it back without loss.

    >>> parse(written([committed("ims")]), "ims") == committed("ims")
    True
    """
    provenance = calibrations[0].provenance
    lines = [
        "# The constants of the 580/MDF study as `slicewright calibrate mdf` prints them; not edited by hand.",
        "# They leave out scheduling parameters 3 and 5, which are to be predicted: only the column sched1 was read.",
        "",
        *(f"{key} = {_toml(provenance[key])}" for key in ("study", "version", "seed", "simulated")),
    ]
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
    lines.append("cell = [")
    for cell in calibration.cells:
        row = {key: getattr(cell, key) for key in (*Fitted.__slots__, "residual")}
        lines.append("  { " + ", ".join(f"{key} = {_toml(value)}" for key, value in row.items()) + " },")
    return [*lines, "]"]


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.7g}"
    return str(value)
