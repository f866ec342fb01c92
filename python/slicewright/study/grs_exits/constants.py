"""The prices of the installation-exit study and the file that `calibrate` writes and `reproduce` reads."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from slicewright.study.constants_file import cells, head, origin
from slicewright.study.grs_exits.published import study_folder

FAST_CALLS = 5
"""Fast calls of a local pair: NQXITFAST and PREBATCH on ENQ and DEQ, ENDOFLQCB at the end of the queue."""

SLOW_CALLS = 3
"""Slow calls of a pair without a filter: BATCH on ENQ and DEQ, QUEUED1 on ENQ."""

MEANINGS = {
    "base": ("row 1", "the service, its linkage, and the front end or the latch"),
    "fast": ("row 5 - row 1", "the calls of fast exits, with one area for parameters"),
    "pool": ("row 4 - row 5", "storage from a pool for the same calls"),
    "rest": ("row 2 - row 1", "ONE FREE PARAMETER: everything of row 2 beyond base"),
}
"""Where each price is from, and of what it is."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a pair of ENQ and DEQ costs, us: base, fast calls, pool for these, and everything else of row 2.

    >>> prices = Prices(19.0, 1.0, 13.0, 335.0)
    >>> round(prices.slow_call, 9), round(prices.status, 9), prices.fast_call, prices.pool_call
    (111.6, 111.4, 0.2, 2.6)
    """

    base: float
    fast: float
    pool: float
    rest: float

    @property
    def named(self) -> dict[str, float]:
        """The prices by name, us a pair."""
        return {name: getattr(self, name) for name in MEANINGS}

    @property
    def fast_call(self) -> float:
        """Of one fast call, us."""
        return self.fast / FAST_CALLS

    @property
    def pool_call(self) -> float:
        """Of storage from a pool for one fast call, us."""
        return self.pool / FAST_CALLS

    @property
    def slow_call(self) -> float:
        """Of one slow call, us: a third of the free parameter, less the one fast call that row 2 has."""
        return (self.rest - self.fast_call) / SLOW_CALLS

    @property
    def status(self) -> float:
        """Of one slow call beyond what a call costs by itself, us: storage, copy, faults, recovery, locks."""
        return self.slow_call - self.fast_call


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration cell, with what the simulation gives at the prices (s).

    >>> Fitted("elapsed", "wall_s", "4", 33.0, 0.5, 33.0).residual
    0.0
    """

    table: str
    row: str
    column: str
    published: float
    rounding: float
    simulated: float

    @property
    def residual(self) -> float:
        """How far off, in units of what the print leaves open."""
        return (self.simulated - self.published) / self.rounding


@dataclass(frozen=True, slots=True)
class Calibration:
    """The prices, the cells that they are from, and what produced it.

    >>> committed().simulated("3") is None
    True
    """

    prices: Prices
    open_us: float
    """What the print leaves open of a difference of two rows, us a pair; of a single row half of it."""
    cells: tuple[Fitted, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    def simulated(self, column: str) -> float | None:
        """The simulated time of a calibrated row at these prices, s; None for the row that is predicted."""
        return next((one.simulated for one in self.cells if one.column == column), None)


def constants_file() -> Path:
    """The committed output of `slicewright calibrate grs-exits`.

    >>> constants_file().name
    'calibrated.toml'
    """
    return study_folder() / "calibrated.toml"


@cache
def committed() -> Calibration:
    """The committed calibration: the only source of prices for every other command.

    >>> sorted(committed().prices.named)
    ['base', 'fast', 'pool', 'rest']
    """
    return parse(constants_file().read_text("utf-8"))


def parse(text: str) -> Calibration:
    """A calibration file; raises KeyError when something is missing.

    >>> parse(constants_file().read_text("utf-8")).provenance["study"]
    'grs-exits'
    """
    document = tomllib.loads(text)
    own = document["prices"]
    prices = Prices(*(own[f"{name}_us"] for name in MEANINGS))
    seen = tuple(Fitted(**{key: row[key] for key in Fitted.__slots__}) for row in own["cell"])
    return Calibration(prices, own["open_us"], seen, origin(document) | {"scenarios": own["scenarios"]})


def written(found: Calibration) -> str:
    """The calibration file: provenance, prices with where each is from, the scenarios' checksums, every cell seen.

    `parse` reads it back without loss.

    >>> parse(written(committed())) == committed()
    True
    """
    said = [
        "The prices of the installation-exit study as `slicewright calibrate grs-exits` prints; not edited by hand.",
        "They leave out row 3, which is to be predicted.  Microseconds of processor time a pair of ENQ and DEQ.",
    ]
    lines = [*head(said, found.provenance), "", "[prices]"]
    for name, (source, meaning) in MEANINGS.items():
        lines.append(f"{name}_us = {found.prices.named[name]!r}  # {source}: {meaning}")
    lines.append(f"open_us = {found.open_us!r}  # what the print leaves open of a difference of two rows")
    checksums = found.provenance["scenarios"]
    lines.append("scenarios = { " + ", ".join(f'"{run}" = "{sha}"' for run, sha in checksums.items()) + " }")
    return "\n".join([*lines, *cells(found.cells, (*Fitted.__slots__, "residual"))]) + "\n"
