"""What a load does with each number of aliases: simulated points, all under the same random numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from slicewright.advise.aliases.sample import Sample
from slicewright.advise.target import NAMES
from slicewright.experiment.outcome import Array
from slicewright.io.numerals import in_json
from slicewright.statistics import Estimate, estimate

MOST_POINTS = 33


@dataclass
class Curve:
    """The points of one load, simulated when first asked for.

    `run` simulates a number of aliases; `unlimited` is a count beyond which more change nothing.

    >>> from slicewright.advise.aliases.example import curves
    >>> [round(curves()[0].mean(aliases, "response_ms"), 1) for aliases in (0, 1, 2)]
    [3.7, 2.0, 1.4]
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
    """One number of aliases: each column's estimate under the main reading, and its range over all readings.

    >>> from slicewright.advise.aliases.example import basis
    >>> point = basis().found.points[1]
    >>> point.aliases, round(point.estimates["response_ms"].mean, 1), point.low["response_ms"] < 2
    (1, 2.0, True)
    """

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


TIMES_AND_RATES = ("io_per_s", "response_ms")
"""The columns whose error has been published."""


def band(main: Curve, curves: Sequence[Curve], aliases: int, error: float = 0.0) -> Point:
    """A point of the main curve with the smallest and largest mean over all curves (the main one among them).

    Where only bursts explain the evidence, it does not show how long they last. One alias may carry a long burst, so
    the range then goes down to unlimited aliases.

    `error`: the share by which the model itself may miss a rate or a time, beyond the curves.

    >>> from slicewright.advise.aliases.example import curves
    >>> point = band(curves()[0], curves(), 1)
    >>> point.low["io_per_s"] < point.high["io_per_s"]
    True
    """
    means = [curve.means(aliases) for curve in (main, *curves)]
    if aliases and all(curve.smoother for curve in curves):
        means += [curve.means(curve.unlimited) for curve in curves]
    off = {name: error if name in TIMES_AND_RATES else 0.0 for name in NAMES}
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
    step = max(1, math.ceil(most / MOST_POINTS))
    return sorted({*range(0, most + 1, step), most, *wanted})
