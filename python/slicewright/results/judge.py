"""The judge: a simulated value beside a published, a measured or an earlier one.

Six rules of verdicts are one `Rule` with different words: studies and `fit` have a band and no excuse in noise.
`live` has noise and the load of other processes, `compare` has noise alone. A second measurement has a range.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, Literal, TypeVar

from slicewright.results.frame import Row
from slicewright.statistics import Estimate

V = TypeVar("V", bound=str)
"""The words of a verdict."""


@dataclass(frozen=True, slots=True)
class Band:
    """How far a value may lie from the one beside it: rel x |that value| or abs, whichever is more.

    >>> Band(rel=0.04).width(1250.0), Band(abs=0.6).width(7.39)
    (50.0, 0.6)
    """

    rel: float = 0.0
    abs: float = 0.0

    def width(self, beside: float) -> float:
        """The largest difference that is still inside, in the unit of the value."""
        return max(self.rel * abs(beside), self.abs)


@dataclass(frozen=True, slots=True)
class _Rule(Generic[V]):
    """How two values are judged, and in which words.

    Without `noisy` noise is no excuse: it must not turn a miss into a match.
    """

    inside: V
    outside: V
    followed: V | None = None
    """Outside of the band, where the value followed its neighbour all the same."""
    noisy: V | None = None
    """Outside of the band, where noise leaves it open or other processes had much of the processor."""
    alone: V | None = None
    """Outside of the band, where a single replication leaves the noise unknown; None: as `outside`."""
    unknown: V | None = None
    """Where there is no difference because one side has no value; None: as `outside`."""
    busy_percent: float = math.inf
    """The share of other processes in the processor above which nothing outside of the band is certain."""

    def verdict(
        self, apart: float, width: float, noise: float = 0.0, *, followed: bool = False, others_percent: float = 0.0
    ) -> V:
        """The verdict on a difference, by the width of its band (NaN: none) and the half-width of its noise.

        >>> LIVE.verdict(4.0, 1.0, 0.2), LIVE.verdict(4.0, 1.0, 5.0), LIVE.verdict(4.0, 1.0, 0.2, others_percent=40.0)
        ('differs', 'too noisy', 'too noisy')
        >>> CHANGES.verdict(-0.3, math.nan, 0.1), CHANGES.verdict(-0.3, math.nan, math.nan)
        ('interval excludes 0', 'no interval')
        """
        if abs(apart) <= width:
            return self.inside
        if followed and self.followed is not None:
            return self.followed
        if self.noisy is None:
            return self.outside
        if math.isnan(apart):
            return self.unknown or self.outside
        if others_percent > self.busy_percent:
            return self.noisy
        if math.isnan(noise):
            return self.alone or self.outside
        return self.noisy if abs(apart) <= noise else self.outside

    def beside(self, value: Estimate, other: Estimate, band: Band, others_percent: float = 0.0) -> V:
        """The verdict on a value beside another one whose share the band is, both with noise of their own.

        >>> LIVE.beside(Estimate(9.0, 0.1, 5), Estimate(5.0, 0.1, 20), Band(rel=0.15, abs=1.0))
        'differs'
        """
        noise = math.hypot(value.half_width, other.half_width)
        apart = value.mean - other.mean
        return self.verdict(apart, band.width(other.mean), noise, others_percent=others_percent)


Verdict = Literal["matches", "trend", "misses", "input", "calibrated", "excluded"]
PUBLISHED: _Rule[Verdict] = _Rule("matches", "misses", followed="trend")
"""Of studies and of `fit`: the value beside it is the published or the measured one, and so the band is its share.

`fit` has no neighbours, so nothing is in trend.  It predicts where its `Tally` over all held-out cells matches in .9 of
the scored ones.  The `Tally` of each interval has to match in half of them too.
"""

Agreement = Literal["agrees", "differs", "too noisy"]
LIVE: _Rule[Agreement] = _Rule("agrees", "differs", noisy="too noisy", unknown="too noisy", busy_percent=3.0)
"""Of `live`: the value beside it is the simulated one; above `busy_percent` others are outweighed, not stopped at once.

Its bands are 15 % of the simulated value, or as much as an absolute allowance of each experiment.
"""

SLICES: _Rule[Agreement] = _Rule("agrees", "differs", noisy="too noisy")
"""Of `live slices`: the load of others is a warning there, and where nothing was seen both sides differ."""

Kept = Literal["held", "missed"]
FORETOLD: _Rule[Kept] = _Rule("held", "missed")
"""Of a second measurement: how far it lies outside of a prediction, by what print, samples and model leave open.

Its noise is a part of that width, so that it excuses nothing again.
"""

Certainty = Literal["interval excludes 0", "interval contains 0", "no interval"]
CHANGES: _Rule[Certainty] = _Rule(
    "interval contains 0",
    "interval excludes 0",
    noisy="interval contains 0",
    alone="no interval",
    unknown="no interval",
)
"""Of `compare`: a difference without a band (NaN), by the half-width of the difference itself."""

Role = Literal["input", "calibrated", "informed", "predicted", "excluded"]

SCORED: tuple[Role, ...] = ("predicted", "informed")
"""The roles that are judged and counted."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The role and band of one cell; `must`: a miss there means that the mechanism is wrong."""

    role: Role
    band: Band
    must: bool = False
    note: str = ""

    @property
    def scored(self) -> bool:
        """Whether the cell is judged and counted."""
        return self.role in SCORED


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a published or measured number: table, row, column (empty where there is none) and unit."""

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

    @property
    def name(self) -> str:
        """The same in words."""
        return " ".join(self.key)


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
    """How far apart several readings lie that a value is the mean of, in its unit.

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


NO_INTERVAL = "a single replication has no interval"
TOO_WIDE = "interval too wide to judge"
ON_EDGE = "the edge of the band lies inside the interval"


@dataclass(frozen=True, slots=True)
class Cell:
    """A simulated value beside the published or measured one, with its role, its band and the verdict.

    `identity` says which neighbours the cell follows from, and is empty when it stands for itself.  `spread` is there
    where the value is the mean over several readings.

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
    def result(self) -> Row:
        """The simulated value as a row of the frame of results."""
        low, high = (self.spread.least, self.spread.largest) if self.spread else (math.nan, math.nan)
        place = self.place
        return Row(place.table, place.row, self.estimate, place.column, unit=place.unit, low=low, high=high)

    @property
    def width(self) -> float:
        """The width of the band, in the unit of the cell; 0 where nothing is judged."""
        return self.ruling.band.width(self.published) if self.ruling.scored else 0.0

    @property
    def difference(self) -> float:
        """Simulated less published, in the unit of the cell."""
        return self.estimate.mean - self.published

    @property
    def share(self) -> float:
        """The difference as a share of the band: 1 is its edge; 0 where nothing is judged."""
        return abs(self.difference) / self.width if self.ruling.scored else 0.0

    @property
    def settled(self) -> bool:
        """Whether the half-width is under a third of the band; always so where nothing is judged."""
        return not self.ruling.scored or self.estimate.half_width < self.width / 3

    @property
    def doubt(self) -> str:
        """Why simulation noise alone might have given another verdict; empty where it could not.

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
        return ON_EDGE if abs(self.width - abs(self.difference)) < self.estimate.half_width else ""

    @property
    def verdict(self) -> Verdict:
        """By `PUBLISHED` where the cell is scored, else its role.

        >>> place, tight = Place("T", "rate", "1/s"), Ruling("predicted", Band(rel=0.04))
        >>> Cell(place, 100.0, Estimate(104.1, 0.5, 10), tight, Change(50.0, 54.1)).verdict
        'trend'
        """
        role = self.ruling.role
        if role == "predicted" or role == "informed":
            followed = self.change is not None and self.change.followed
            return PUBLISHED.verdict(self.difference, self.width, followed=followed)
        return role

    @property
    def note(self) -> str:
        """The note on the cell for a reader, in one line."""
        return "; ".join(part for part in (self.ruling.note, self.identity, self.doubt) if part)

    def to_json(self) -> dict[str, Any]:
        """The cell as the contract of `reproduce --format json` has it."""
        document: dict[str, Any] = {
            "table": self.place.table, "row": self.place.row, "column": self.place.column, "unit": self.place.unit,
            "published": self.published, "simulated": self.estimate.mean, "half_width": self.estimate.half_width,
            "role": self.ruling.role, "band": asdict(self.ruling.band), "verdict": self.verdict, "note": self.note,
        }  # fmt: skip
        return document | ({"spread": asdict(self.spread)} if self.spread else {})


def ask_for_more(cells: Iterable[Cell], replications: int, most: int) -> bool:
    """Whether cells ask for another batch after some replications, of `most`: one of them is not settled.

    From half of `most` on, only cells count that `most` will settle, by their half-widths so far (decision 0044).

    >>> wide = Cell(Place("T", "rate", "1/s"), 100.0, Estimate(101.0, 3.0, 4), Ruling("predicted", Band(rel=0.04)))
    >>> ask_for_more([wide], 2, 8), ask_for_more([wide], 4, 8), ask_for_more([wide], 4, 40)
    (True, False, True)
    """
    unsettled = [cell for cell in cells if not cell.settled]
    if replications >= most or not unsettled:
        return False
    # The factor on replications that brings a half-width to a third of its band; NaN for a single replication.
    factors = ((3 * cell.estimate.half_width / cell.width) ** 2 for cell in unsettled)
    return 2 * replications < most or not all(factor * replications > most for factor in factors)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cells are scored and how they came out."""

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
