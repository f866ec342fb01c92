"""The plan of a sweep: every point resolved once for its name and its work, then taken cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright._core import InputError, Scenario
from slicewright.errors import sentence
from slicewright.parameters import brief
from slicewright.sweep.axes import Axis, Value
from slicewright.sweep.design import Design, Settings
from slicewright.sweep.row import REFUSED, absent, identity, placed, values_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars

_Resolved = tuple[str, float, str, InputError | None]
"""Checksum, work and text of a setting, or why it is none."""
_DIGEST = 32
"""Bytes of a name in memory; a store has it in hex."""


@dataclass(frozen=True)
class Terms:
    """What all points of a sweep share: the scenario, the seed (common random numbers), the precision asked for.

    >>> from slicewright.scenario.starters import read_starter
    >>> Terms(read_starter("mm1"), 1, None).scenario.name
    'M/M/1 at 50 %'
    """

    scenario: Scenario
    seed: int
    precision: str | None
    batches: int = 1
    """How many times each setting is a point: with this seed, with the next, and so on."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point to simulate: its name, its work, its values, and its complete scenario as text, or why there is none.

    >>> Point("a", 0.0, (), 1, "", "unknown key").refused
    'unknown key'
    """

    id: str
    work: float
    values: tuple[Value, ...]
    seed: int
    text: str
    refused: str = ""

    def refusal(self) -> polars.DataFrame:
        """The measured columns of a point that is no scenario."""
        return absent(REFUSED, self.refused)


class Plan:
    """The points of a design by number: 40 bytes are kept of each, and each scenario is resolved again in its turn.

    >>> from slicewright.scenario.starters import read_starter
    >>> from slicewright.sweep.axes import axis
    >>> terms = Terms(read_starter("mm1"), 1, None)
    >>> plan = Plan(terms, Design((axis("measure.replications", "4,2"),)))
    >>> [point.values for point in plan.points(set())]
    [(2,), (4,)]
    """

    def __init__(
        self, terms: Terms, design: Design | Settings, progress: Callable[[float], None] = lambda share: None
    ) -> None:
        import numpy as np

        self.terms = terms
        self.design = design
        self._settings: dict[int, _Resolved] = {}
        """Of several batches, each setting is resolved once."""
        points = design.count * terms.batches
        ids = np.zeros(points, dtype=f"S{_DIGEST}")
        work = np.zeros(points)
        first: InputError | None = None
        refused = 0
        for number in range(points):
            progress(number / points)
            point, error = self._resolved(number)
            ids[number], work[number] = bytes.fromhex(point.id), point.work
            first, refused = first or error, refused + (error is not None)
        self.hopeless = first if refused == points else None
        """The problems of the first point where no point at all is a scenario."""
        self._ids = ids
        self._work = work
        # Settings may agree after rounding: the first of them is the point.
        self._own = np.sort(np.unique(ids, return_index=True)[1])
        self._order = self._own[np.argsort(work[self._own], kind="stable")]

    @property
    def count(self) -> int:
        """How many points there are."""
        return len(self._own)

    @property
    def names(self) -> list[str]:
        """The name of the point of each setting, by the number of the setting; settings that agree have one name."""
        return [_hex(name) for name in self._ids]

    @property
    def ids(self) -> set[str]:
        """The names of all points."""
        return set(self.named)

    @property
    def named(self) -> list[str]:
        """The name of each point by its number: all settings of the first batch, then those of the next."""
        return [_hex(digest) for digest in self._ids]

    def left(self, done: set[str]) -> tuple[int, float]:
        """How many scenarios are not simulated, and their work; points that are refused take none."""
        work = self._work[self._left(done)]
        return int((work > 0).sum()), float(work.sum())

    def points(self, done: set[str]) -> Iterator[Point]:
        """The points that are not done, those with least work first."""
        for number in self._left(done):
            yield self._resolved(int(number))[0]

    def row(self, point: Point, measured: polars.DataFrame, axes: Sequence[Axis]) -> polars.DataFrame:
        """The whole row of a point, for a store with these axes, which may have another order."""
        first = {"id": point.id, "work": point.work, "seed": point.seed, "precision": self.terms.precision}
        return placed(measured, first | values_of(self.design.axes, point.values), axes)

    def _left(self, done: set[str]) -> npt.NDArray[np.intp]:
        import numpy as np

        wanted = [_hex(self._ids[number]) not in done for number in self._order]
        return np.asarray(self._order[np.asarray(wanted, dtype=bool)])

    def _resolved(self, number: int) -> tuple[Point, InputError | None]:
        batch, setting = divmod(number, self.design.count)
        seed = (self.terms.seed + batch) % 2**64
        checksum, work, text, error = self._settings.get(setting) or self._setting(setting)
        if self.terms.batches > 1:
            self._settings[setting] = (checksum, work, text, error)
        name = identity(checksum, seed, self.terms.precision)
        return Point(name, work, self.design.at(setting), seed, text, reason_of(error) if error else ""), error

    def _setting(self, number: int) -> _Resolved:
        values = self.design.at(number)
        changes = [axis.changes(value) for axis, value in zip(self.design.axes, values, strict=True)]
        try:
            scenario = self.terms.scenario.with_(changes)
        except InputError as error:
            return "\n".join([self.terms.scenario.checksum, *sorted(changes)]), 0.0, "", error
        return scenario.checksum, work_of(scenario), scenario.resolved, None


def work_of(scenario: Scenario) -> float:
    """Guests (of open ones, arrivals in a second) times measured seconds times replications: an estimate of its work.

    >>> from slicewright.scenario.starters import read_starter
    >>> work_of(read_starter("container-limits"))
    2000.0
    """
    view = scenario.view
    guests = sum((guest.count or 0) + (guest.arrivals_per_s or 0) for guest in view.guests)
    return max(guests, 1.0) * view.measure.measured_s * view.measure.replications


def reason_of(error: InputError) -> str:
    """Why a scenario was refused, in one line.

    >>> reason_of(InputError("unknown key"))
    'unknown key'
    """
    problems = getattr(error, "problems", [])
    return "; ".join(dict.fromkeys(map(sentence, problems))) or brief(error)


def _hex(digest: bytes) -> str:
    return digest.ljust(_DIGEST, b"\0").hex()
