"""The answer for one pool, and the comparison of the curves behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slicewright.advise.aliases.curve import Curve, Knee, Point, VolumeLine, band, counts_to_show, knee
from slicewright.advise.aliases.request import AliasRequest
from slicewright.advise.answer import Advised
from slicewright.advise.target import Target, fewest
from slicewright.reading.pool import Load
from slicewright.results.busiest import Change
from slicewright.values.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A total of aliases: the knee of the saturated reading, and the smallest and largest knee over all readings."""

    aliases: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """The rule of thumb: aliases present and the queue summed over the bases, rounded up.

    Source: z/VM HyperPAV Support, DASD Tuning via Classic PAV and via HyperPAV.

    >>> RuleOfThumb(8, 7.39).aliases
    16
    """

    present: int
    queue_depth: float

    @property
    def aliases(self) -> int:
        """The total it gives; a queue that sums to a whole number but for floating point is that number."""
        return self.present + math.ceil(self.queue_depth - 1e-9)


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One reading as reported: its load, whether it fits, its knee if it does, why not if it does not."""

    name: str
    population: str
    arrivals: str
    think_ms: float | None
    load: Load | None
    saturated: bool
    miss: float | None
    found: tuple[tuple[float, float, float], ...] = ()
    knee: int | None = None
    target: int | None = None
    text: str = ""
    """The scenario as TOML, with the aliases that are there now; empty for a rejected reading."""
    why: str = ""

    @property
    def accepted(self) -> bool:
        """Whether it reproduces everything reported."""
        return not self.why


@dataclass(frozen=True, slots=True)
class TargetAnswer:
    """The fewest aliases that meet a condition: under the main reading, and over all; None where none do."""

    target: Target
    aliases: int | None
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Now:
    """The values read (or, of a scenario, simulated) at the aliases present."""

    aliases: int
    io_per_s: float
    response_ms: float
    service_ms: float
    queue_depth: float
    in_service: float


@dataclass(frozen=True, slots=True)
class Answer(Advised):
    """All of it, for one pool; it may have a `reason` though the curve has a knee."""

    pool: str
    single: bool
    """Whether it is one volume."""
    now: Now
    knee: Recommendation | None
    """The knee of the curve and its range, which is what is recommended unless there is a `reason` against it."""
    estimate: RuleOfThumb
    curve: tuple[Point, ...] = ()
    readings: tuple[ReadingLine, ...] = ()
    laws: tuple[Mapping[str, Any], ...] = ()
    warning: str = ""
    """Doubts that a reader needs before anything else, as a sentence."""
    at: tuple[int, ...] = ()
    target: TargetAnswer | None = None
    growth: float = 1.0
    knee_percent: float = 5.0
    margin_percent: float = 0.0
    chance: float = 0.0
    """The share by which the range goes beyond the readings for the chance of what was measured."""
    observed: tuple[Now, ...] = field(default=())
    """Every report's own numbers, fewest aliases first."""
    volumes: tuple[VolumeLine, ...] = field(default=())
    """Each volume under the main reading, in the order of the report."""
    excluded: frozenset[str] = frozenset()
    """Redispatch policies that the pool's tries and fails exclude."""
    date: str = ""
    """When the last report was made, as it has it."""
    machine: Change | None = None
    """Of a scenario: the whole machine as it is, and with the recommendation."""

    @property
    def recommendation(self) -> Recommendation | None:
        """The knee, unless there is a reason to recommend nothing."""
        return None if self.reason else self.knee

    @property
    def ranged(self) -> bool:
        """Whether several loads reproduce the evidence, or may, so that every number is a range."""
        return bool(self.observed) or sum(reading.accepted for reading in self.readings) > 1

    def point(self, aliases: int) -> Point | None:
        """The point of the curve with this number of aliases."""
        return next((point for point in self.curve if point.aliases == aliases), None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The main curve first in `knees`, in the order of the curves given."""

    knees: tuple[Knee, ...]
    recommendation: Recommendation
    points: tuple[Point, ...]
    target: TargetAnswer | None
    targets: tuple[int | None, ...]


def compare(
    curves: Sequence[Curve], question: AliasRequest, read: tuple[int, int], error: float, progress: Progress = silent
) -> Comparison:
    """Knees, band and target of some curves; the first is the main one, with the most I/Os behind it.

    `read`: the aliases present, and the estimate by rule of thumb.  `error`: the model's own, a share.
    """
    main = curves[0]
    present, estimate = read
    knees = tuple(knee(curve, question.assumed.knee_percent) for curve in curves)
    counts = [curve_knee.aliases for curve_knee in knees]
    least = [1] if all(curve.smoother for curve in curves) and min(counts) else []
    recommended = Recommendation(counts[0], min([*counts, *least]), max(counts))
    targets = tuple(_fewest(curve, question.target) for curve in curves) if question.target else ()
    answer = _target(question.target, targets) if question.target else None
    wanted = {
        present,
        estimate,
        recommended.aliases,
        recommended.low,
        recommended.high,
        max(0, recommended.aliases - 2),
        *question.at,
    }
    wanted |= {count for count in targets if count is not None}
    most = max(estimate, recommended.high, present, min(main.unlimited // 2, 2 * recommended.high)) + 1
    shown = counts_to_show(most, wanted)
    points = []
    for done, aliases in enumerate(shown, 1):
        points.append(band(main, curves, aliases, error))
        progress(done / len(shown))
    return Comparison(knees, recommended, tuple(points), answer, targets)


def _fewest(curve: Curve, target: Target | None) -> int | None:
    """Halving, as every column rises or falls with aliases, then a walk upward past noise."""
    if target is None:
        return None
    if target.met(curve.means(0)):
        return 0
    if not target.met(curve.means(curve.unlimited)):
        return None
    low, high = 0, curve.unlimited
    while low < high:
        middle = (low + high) // 2
        if target.met(curve.means(middle)):
            high = middle
        else:
            low = middle + 1
    return fewest(target, {count: curve.means(count) for count in {low, low + 1, curve.unlimited}})


def _target(target: Target, found: Sequence[int | None]) -> TargetAnswer:
    met = [count for count in found if count is not None]
    high = max(met) if met and len(met) == len(found) else None
    return TargetAnswer(target, found[0], min(met) if met else None, high)
