"""What a load does with each number of aliases: curves, their knee, and each volume."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.target import NAMES
from slicewright.experiment.outcome import Array
from slicewright.reading.pool import Sample
from slicewright.report.figure import Figure, Panel, Series, dots
from slicewright.report.forms import decimals, estimates
from slicewright.report.json import values
from slicewright.report.model import Column, Face, Table
from slicewright.statistics import Estimate, estimate, plural
from slicewright.values.numerals import finite, in_json

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

    def at(self, aliases: int) -> Sample:
        """The sample with this number of aliases."""
        count = min(aliases, self.unlimited)
        if count not in self.points:
            self.points[count] = self.run(count)
        return self.points[count]

    def values(self, aliases: int, name: str) -> Array:
        """One value per replication of a column of the curve."""
        return self.at(aliases).pooled(name)

    def mean(self, aliases: int, name: str) -> float:
        """The mean of a column over replications; NaN where there is none."""
        return float(self.values(aliases, name).mean())

    def means(self, aliases: int) -> dict[str, float]:
        """All columns of one point."""
        return {name: self.mean(aliases, name) for name in NAMES}


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
            row[name] = in_json(self.estimates[name].mean)
            row[f"{name}_half_width"] = in_json(self.estimates[name].half_width)
            row[f"{name}_low"] = in_json(self.low[name])
            row[f"{name}_high"] = in_json(self.high[name])
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
    carried = [min((1 + error) * curve.mean(aliases, "io_per_s"), curve.ceiling) for curve in (main, *curves)]
    high["io_per_s"] = max(carried)
    return Point(aliases, {name: estimate(main.values(aliases, name).tolist()) for name in NAMES}, low, high)


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
    unlimited = curve.values(curve.unlimited, "response_ms")
    return estimate([float(ratio) - 1 for ratio in curve.values(aliases, "response_ms") / unlimited])


_WORST = 5
"""Volumes that text shows: those that wait longest."""
_DRAWN = 24
"""Volumes that the figure shows."""


@dataclass(frozen=True, slots=True)
class VolumeLine:
    """One volume.  `read` are waiting requests and response in ms as they are; None where the page does not give it.

    `gain_ms` is the response that it saves against the aliases of now, simulated with the same random numbers.  Below
    zero it pays for the others.
    """

    name: str
    waiting: float | None
    response_ms: float | None
    io_per_s: Estimate
    response_then_ms: Estimate
    waiting_then: Estimate
    gain_ms: Estimate

    @property
    def document(self) -> dict[str, object]:
        """The line as an object."""
        made: dict[str, object] = {"volume": self.name}
        for name in ("waiting", "response_ms", "io_per_s", "response_then_ms", "waiting_then", "gain_ms"):
            made |= values(name, getattr(self, name))
        return made


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
    shown = {line.name for line in ordered[:_WORST]}
    then = f"with {plural(aliases, 'alias', 'aliases')}"
    rest = f" Text shows {_WORST} of {len(lines)} volumes, longest queue first." if len(lines) > _WORST else ""
    return Table(
        [
            Column("volume", "volume", lambda line: line.name),
            Column("waiting", "waiting now", lambda line: line.waiting, form=decimals(2)),
            Column("response_ms", "Resp now", lambda line: line.response_ms, "ms", decimals(2), optional=True),
            Column("io_per_s", "I/O per s then", lambda line: line.io_per_s, form=estimates),
            Column("response_then_ms", "Resp then", lambda line: line.response_then_ms, "ms", estimates),
            Column("waiting_then", "waiting then", lambda line: line.waiting_then, form=estimates),
            Column("gain_ms", "gain", lambda line: line.gain_ms, "ms", estimates),
        ],
        ordered,
        legend=f"Then: {then}. Gain: response that a volume saves, simulated; below 0 it gets slower.{rest}",
        marks=_marks, face=Face.PEOPLE, brief=lambda line: line.name in shown,
    )  # fmt: skip


def volumes_picture(lines: Sequence[VolumeLine], aliases: int) -> Figure:
    """Waiting and gain of the volumes that wait longest, a row each."""
    drawn = sorted(lines, key=lambda line: -(line.waiting or 0.0))[:_DRAWN]
    rows, names = [float(at) for at in range(len(drawn))], [line.name for line in drawn]
    then = Series(
        rows, [finite(line.waiting_then.mean) for line in drawn],
        half_width=[finite(line.waiting_then.half_width) for line in drawn],
        label=f"with {plural(aliases, 'alias', 'aliases')}", kind="points",
    )  # fmt: skip
    now = dots(rows, [line.waiting for line in drawn], label="now")
    gains = Series(
        rows, [finite(line.gain_ms.mean) for line in drawn],
        half_width=[finite(line.gain_ms.half_width) for line in drawn],
        label="gain of response", kind="crosses",
    )  # fmt: skip
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


def _marks(line: VolumeLine) -> list[str]:
    """Whether the response of a volume grows beyond noise."""
    return ["pays"] if line.gain_ms.high < 0 else []
