"""A cell: one published number beside the simulated one, with its role, its band and the verdict."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from slicewright.statistics import Estimate
from slicewright.study.bands import Ruling

Verdict = Literal["matches", "trend", "misses", "input", "calibrated", "excluded"]

NO_INTERVAL = "a single replication has no interval"
TOO_WIDE = "interval too wide to judge"
ON_EDGE = "the edge of the band lies inside the interval"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a published number: table, row, column (empty where there is none) and unit.

    >>> Place("Y032181H", "service_ms", "ms").column
    ''
    """

    table: str
    row: str
    unit: str
    column: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """Table, row and, where there is one, column.

        >>> Place("table1.ims", "iosq_ms", "ms", "sched3").key
        ('table1.ims', 'iosq_ms', 'sched3')
        """
        return (self.table, self.row, self.column) if self.column else (self.table, self.row)


@dataclass(frozen=True, slots=True)
class Change:
    """How a value moved from the nearest calibrated cell to this one, published and simulated, in its unit.

    >>> Change(published=500.0, simulated=600.0).followed, Change(500.0, -600.0).followed
    (True, False)
    """

    published: float
    simulated: float

    @property
    def followed(self) -> bool:
        """Whether the simulated change has the published sign and .5 to 2 times its size."""
        if self.published == 0:
            return self.simulated == 0
        return 0.5 <= self.simulated / self.published <= 2


@dataclass(frozen=True, slots=True)
class Spread:
    """How far apart several sets of constants lie that a value is the mean of, in its unit.

    >>> Spread.of([1.0, 3.0])
    Spread(deviation=1.4142135623730951, least=1.0, largest=3.0)
    """

    deviation: float
    least: float
    largest: float

    @staticmethod
    def of(means: Sequence[float]) -> Spread:
        """Standard deviation (0 where there is one), least and largest; raises ValueError where there is none."""
        deviation = statistics.stdev(means) if len(means) > 1 else 0.0
        return Spread(deviation, min(means), max(means))


@dataclass(frozen=True, slots=True)
class Cell:
    """One published number and what became of it.

    `identity` says which neighbours the cell follows from, and is empty when it stands for itself.  `spread` is there
    where the value is the mean over several sets of constants.

    >>> from slicewright.study.bands import Band
    >>> cell = Cell(Place("T", "rate", "1/s"), 100.0, Estimate(103.0, 0.5, 10), Ruling("predicted", Band(rel=0.04)))
    >>> cell.verdict, cell.share
    ('matches', 0.75)
    """

    place: Place
    published: float
    estimate: Estimate
    ruling: Ruling
    change: Change | None = None
    identity: str = ""
    spread: Spread | None = None

    @property
    def difference(self) -> float:
        """Simulated less published, in the unit of the cell."""
        return self.estimate.mean - self.published

    @property
    def share(self) -> float:
        """The difference as a share of the band: 1 is its edge; 0 where nothing is judged."""
        return abs(self.difference) / self.ruling.band.width(self.published) if self.ruling.scored else 0.0

    @property
    def settled(self) -> bool:
        """Whether the half-width is under a third of the band; always so where nothing is judged."""
        return not self.ruling.scored or self.estimate.half_width < self.ruling.band.width(self.published) / 3

    @property
    def shortfall(self) -> float:
        """The factor on replications that brings the half-width to a third of the band; NaN for a single one."""
        return (3 * self.estimate.half_width / self.ruling.band.width(self.published)) ** 2

    @property
    def doubt(self) -> str:
        """Why simulation noise alone might have given another verdict; empty where it could not.

        >>> from slicewright.study.bands import Band
        >>> place, tight = Place("T", "rate", "1/s"), Ruling("predicted", Band(rel=0.04))
        >>> [Cell(place, 100.0, Estimate(101.0, half, 4), tight).doubt for half in (0.5, 2.0, math.nan)]
        ['', 'interval too wide to judge', 'a single replication has no interval']
        """
        if not self.ruling.scored:
            return ""
        if math.isnan(self.estimate.half_width):
            return NO_INTERVAL
        if not self.settled:
            return TOO_WIDE
        room = abs(self.ruling.band.width(self.published) - abs(self.difference))
        return ON_EDGE if room < self.estimate.half_width else ""

    @property
    def verdict(self) -> Verdict:
        """The half-width is not added to the band: noise must not turn a miss into a match.

        >>> from slicewright.study.bands import Band
        >>> place, tight = Place("T", "rate", "1/s"), Ruling("predicted", Band(rel=0.04))
        >>> Cell(place, 100.0, Estimate(104.1, 0.5, 10), tight).verdict
        'misses'
        >>> Cell(place, 100.0, Estimate(104.1, 0.5, 10), tight, Change(50.0, 54.1)).verdict
        'trend'
        """
        role = self.ruling.role
        if role == "predicted" or role == "informed":
            if abs(self.difference) <= self.ruling.band.width(self.published):
                return "matches"
            return "trend" if self.change is not None and self.change.followed else "misses"
        return role

    @property
    def note(self) -> str:
        """The note on the cell for a reader, in one line."""
        parts = [self.ruling.note, self.identity, self.doubt]
        return "; ".join(part for part in parts if part)

    def to_json(self) -> dict[str, Any]:
        """The cell as the contract of `reproduce --format json` has it."""
        document: dict[str, Any] = {
            "table": self.place.table,
            "row": self.place.row,
            "column": self.place.column,
            "unit": self.place.unit,
            "published": self.published,
            "simulated": self.estimate.mean,
            "half_width": self.estimate.half_width,
            "role": self.ruling.role,
            "band": asdict(self.ruling.band),
            "verdict": self.verdict,
            "note": self.note,
        }
        return document | ({"spread": asdict(self.spread)} if self.spread else {})


def ask_for_more(cells: Iterable[Cell], replications: int, most: int) -> bool:
    """Whether cells ask for another batch after some replications, of `most`: one of them is not settled.

    From half of `most` on, only cells count that `most` will settle, by their half-widths so far (decision 0044).

    >>> from slicewright.study.bands import Band
    >>> wide = Cell(Place("T", "rate", "1/s"), 100.0, Estimate(101.0, 3.0, 4), Ruling("predicted", Band(rel=0.04)))
    >>> ask_for_more([wide], 2, 8), ask_for_more([wide], 4, 8), ask_for_more([wide], 4, 40)
    (True, False, True)
    """
    unsettled = [cell for cell in cells if not cell.settled]
    if replications >= most or not unsettled:
        return False
    return 2 * replications < most or not all(cell.shortfall * replications > most for cell in unsettled)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cells are scored and how they came out.

    >>> Tally(scored=13, matches=12, trend=0, misses=1).misses
    1
    """

    scored: int
    matches: int
    trend: int
    misses: int

    @staticmethod
    def of(cells: Iterable[Cell], *, independent: bool = False) -> Tally:
        """Count the scored cells; `independent` omits those that follow from others.

        >>> Tally.of([])
        Tally(scored=0, matches=0, trend=0, misses=0)
        """
        kept = [cell.verdict for cell in cells if cell.ruling.scored and not (independent and cell.identity)]
        return Tally(len(kept), kept.count("matches"), kept.count("trend"), kept.count("misses"))
