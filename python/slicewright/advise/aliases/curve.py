"""What a load does with each number of aliases: curves, their knee, and each volume."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.target import NAMES
from slicewright.experiment.outcome import Array
from slicewright.reading.pool import Sample
from slicewright.report.figure import Figure, Panel, dots
from slicewright.report.forms import Span
from slicewright.report.json import values
from slicewright.report.model import Face, Table
from slicewright.report.spec import columns, series
from slicewright.statistics import Estimate, estimate, plural

_MOST_POINTS = 33


@dataclass
class Curve:
    """The points of one load, simulated when first asked for.

    `run` simulates a number of aliases; `unlimited` is a count beyond which more change nothing.
    """

    name: str
    run: Callable[[int], Sample]
    unlimited: int
    ceiling: float = math.inf
    """I/Os per second that its channels carry at most."""
    smoother: bool = False
    """Whether its bursts may be spread over some time, so that any alias may do as much as all of them."""
    points: dict[int, Sample] = field(default_factory=dict)
    pooled: dict[int, Mapping[str, Array]] = field(default_factory=dict)

    def at(self, aliases: int) -> Sample:
        """The sample with this number of aliases."""
        count = min(aliases, self.unlimited)
        if count not in self.points:
            self.points[count] = self.run(count)
        return self.points[count]

    def values(self, aliases: int) -> Mapping[str, Array]:
        """The columns of one point, a value per replication."""
        count = min(aliases, self.unlimited)
        if count not in self.pooled:
            self.pooled[count] = self.at(count).columns(NAMES)
        return self.pooled[count]

    def means(self, aliases: int) -> dict[str, float]:
        """The means of its columns over replications; NaN where there is none."""
        return {name: float(values.mean()) for name, values in self.values(aliases).items()}


@dataclass(frozen=True, slots=True)
class Point:
    """One number of aliases: each column's estimate under the main reading, and its range over all readings."""

    aliases: int
    estimates: Mapping[str, Estimate]
    low: Mapping[str, float]
    high: Mapping[str, float]

    def as_json(self) -> dict[str, float | int | None]:
        """The point as the contract has it; a column without a value is null."""
        row: dict[str, float | int | None] = {"aliases": self.aliases}
        for name in NAMES:
            row |= values(name, self.estimates[name]) | values(name, Span(self.low[name], self.high[name]))
        return row


_TIMES_AND_RATES = ("io_per_s", "response_ms")
"""The columns whose error has been published."""


def band(main: Curve, curves: Sequence[Curve], aliases: int, error: float = 0.0) -> Point:
    """A point of the main curve with the smallest and largest mean over all curves (the main one among them).

    Where bursts explain the evidence, it does not show how long they last. One alias may carry a long burst, so the
    range of such a reading goes down to unlimited aliases.

    `error`: the share by which the model itself may miss a rate or a time, beyond the curves.
    """
    means = [curve.means(aliases) for curve in (main, *curves)]
    if aliases:
        means += [curve.means(curve.unlimited) for curve in curves if curve.smoother]
    off = {name: error if name in _TIMES_AND_RATES else 0.0 for name in NAMES}
    low = {name: (1 - off[name]) * min(mean[name] for mean in means) for name in NAMES}
    high = {name: (1 + off[name]) * max(mean[name] for mean in means) for name in NAMES}
    # The model's error does not take a rate beyond what channels carry.
    carried = [min((1 + error) * curve.means(aliases)["io_per_s"], curve.ceiling) for curve in (main, *curves)]
    high["io_per_s"] = max(carried)
    return Point(aliases, {name: estimate(each.tolist()) for name, each in main.values(aliases).items()}, low, high)


def counts_to_show(most: int, wanted: Iterable[int]) -> list[int]:
    """Alias counts from 0 to `most`, thinned to about a page when there are many, with all that are wanted.

    >>> counts_to_show(4, [2, 7])
    [0, 1, 2, 3, 4, 7]
    >>> counts_to_show(100, [5])[:5]
    [0, 4, 5, 8, 12]
    """
    step = max(1, math.ceil(most / _MOST_POINTS))
    return sorted({*range(0, most + 1, step), most, *wanted})


@dataclass(frozen=True, slots=True)
class Knee:
    """The knee and how much slower than with unlimited aliases it is there, as a share, paired.

    `clear` is whether the interval of that share, there and one alias before, stays on its side of the limit.
    """

    aliases: int
    excess: Estimate
    clear: bool


def knee(curve: Curve, percent: float) -> Knee:
    """The fewest aliases whose mean response is within `percent` of that with unlimited aliases.

    Paired by common random numbers: the ratio is taken replication by replication.  Found by halving, as the
    response does not rise with more aliases but by noise.
    """
    limit = percent / 100
    low, high = 0, curve.unlimited
    while low < high:
        middle = (low + high) // 2
        if _excess(curve, middle).mean <= limit:
            high = middle
        else:
            low = middle + 1
    there = _excess(curve, low)
    before = _excess(curve, low - 1) if low else None
    clear = there.high <= limit and (before is None or before.low > limit)
    return Knee(low, there, clear)


def _excess(curve: Curve, aliases: int) -> Estimate:
    """By what share the response exceeds that with unlimited aliases, over pairs of replications."""
    there, unlimited = (curve.values(count)["response_ms"] for count in (aliases, curve.unlimited))
    return estimate([float(ratio) - 1 for ratio in there / unlimited])


_WORST = 5
"""Volumes that text shows: those that wait longest."""
_DRAWN = 24
"""Volumes that the figure shows."""
_VOLUMES = """
    volume
    waiting          | .2 | waiting now
    response_ms ?    | .2 | Resp now       | ms
    io_per_s         | ±  | I/O per s then
    response_then_ms | ±  | Resp then      | ms
    waiting_then     | ±  | waiting then
    gain_ms          | ±  | gain           | ms
"""


@dataclass(frozen=True, slots=True)
class VolumeLine:
    """One volume.  `read` are waiting requests and response in ms as they are; None where the page does not give it.

    `gain_ms` is the response that it saves against the aliases of now, simulated with the same random numbers.  Below
    zero it pays for the others.
    """

    volume: str
    waiting: float | None
    response_ms: float | None
    io_per_s: Estimate
    response_then_ms: Estimate
    waiting_then: Estimate
    gain_ms: Estimate


def read_lines(report: PoolReport, curve: Curve, aliases: int) -> tuple[VolumeLine, ...]:
    """The volumes of a report beside the curve of its main reading.

    A DEVICE page does not divide the I/O of a pool's aliases among volumes: their response is then not given.
    """
    known = not (report.is_device and report.aliases)
    now = []
    for volume in report.volumes:
        present = volume.base.queue_depth + volume.in_service
        now.append((volume.name, volume.base.queue_depth, 1000 * present / volume.io_per_s if known else None))
    return _lines(now, curve.at(report.aliases_present), curve.at(aliases))


def simulated_lines(names: Sequence[str], curve: Curve, present: int, aliases: int) -> tuple[VolumeLine, ...]:
    """The volumes of a scenario, as simulated with the aliases of now and with others."""
    before = curve.at(present)
    waits, responses = before.queue_depth.mean(axis=0), before.response_ms.mean(axis=0)
    now = [(name, float(waits[at]), float(responses[at])) for at, name in enumerate(names)]
    return _lines(now, before, curve.at(aliases))


def volumes_table(lines: Sequence[VolumeLine], aliases: int) -> Table[VolumeLine]:
    """The volumes, longest waiting first; text shows the first few."""
    ordered = sorted(lines, key=lambda line: -(line.waiting or 0.0))
    shown = {line.volume for line in ordered[:_WORST]}
    then = f"with {plural(aliases, 'alias', 'aliases')}"
    rest = f" Text shows {_WORST} of {len(lines)} volumes, longest queue first." if len(lines) > _WORST else ""
    return Table(
        columns(_VOLUMES), ordered,
        legend=f"Then: {then}. Gain: response that a volume saves, simulated; below 0 it gets slower.{rest}",
        # Beyond noise.
        marks=lambda line: ["pays"] if line.gain_ms.high < 0 else [],
        face=Face.PEOPLE, brief=lambda line: line.volume in shown,
    )  # fmt: skip


def volumes_picture(lines: Sequence[VolumeLine], aliases: int) -> Figure:
    """Waiting and gain of the volumes that wait longest, a row each."""
    drawn = sorted(lines, key=lambda line: -(line.waiting or 0.0))[:_DRAWN]
    rows, names = [float(at) for at in range(len(drawn))], [line.volume for line in drawn]
    label = f"with {plural(aliases, 'alias', 'aliases')}"
    then = series(rows, [line.waiting_then for line in drawn], label, "points")
    now = dots(rows, [line.waiting for line in drawn], label="now")
    gains = series(rows, [line.gain_ms for line in drawn], "gain of response", "crosses")
    panels = [
        Panel("Waiting requests", [now, then], names=names),
        Panel("Response saved, ms", [gains], origin="both sides", names=names),
    ]
    return Figure(panels, "Volume", layout="rows")


def _lines(now: Sequence[tuple[str, float, float | None]], before: Sample, after: Sample) -> tuple[VolumeLine, ...]:
    return tuple(
        VolumeLine(
            name, waiting, response,
            io_per_s=estimate(after.io_per_s[:, at].tolist()),
            response_then_ms=estimate(after.response_ms[:, at].tolist()),
            waiting_then=estimate(after.queue_depth[:, at].tolist()),
            gain_ms=estimate((before.response_ms[:, at] - after.response_ms[:, at]).tolist()),
        )
        for at, (name, waiting, response) in enumerate(now)
    )  # fmt: skip
