"""The constants of a machine that a simulation of reads needs, each measured apart from the pairs under test."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median, pvariance
from typing import Any

from slicewright.live.reads.jobs import Seen

KEPT = 0.99
"""The share of the quickest reads that the spread is of: a read in a hundred meets other work."""

PROBE_PER_S, PROBE_S = 200, 0.75
"""The limit at which one thread finds out how long a slice is, and for how long."""

SLICE_MS = 100.0
"""Linux, block/blk-throttle.c: DFL_THROTL_SLICE, a tenth of a second."""

LEAST_US = 1.0
"""A simulated device takes some time: reads of memory alone are processor time."""

LONG_NS = 5_000_000
"""A read that takes longer under the limit of the probe has waited for tokens."""


@dataclass(frozen=True)
class Constants:
    """Of a read of one thread alone: its time in us and its squared coefficient of variation, and its processor time.

    Then the cost of handing a permit to another thread, a switch, processors, the kernel's tick, and a slice.

    >>> Constants(read_us=60.0, cpu_us=14.0).device_us
    46.0
    """

    read_us: float = 60.0
    spread: float = 0.1
    cpu_us: float = 14.0
    hand_over_us: float = 2.0
    switch_us: float = 1.0
    processors: int = 2
    tick_ms: float = 4.0
    slice_ms: float = SLICE_MS

    @property
    def device_us(self) -> float:
        """The part of a read in which its thread has no processor."""
        return max(LEAST_US, self.read_us - self.cpu_us)

    @property
    def device_spread(self) -> float:
        """The squared coefficient of variation of that part: all of the spread is its."""
        return min(1000.0, max(0.001, self.spread * (self.read_us / self.device_us) ** 2))

    def as_json(self) -> dict[str, Any]:
        """The same as one flat object."""
        return asdict(self)


def alone(runs: Sequence[Seen]) -> tuple[float, float, float]:
    """Time, spread and processor time of a read alone, in us: of the run with the quickest reads.

    >>> from slicewright.live.environment import Elsewhere
    >>> seen = Seen(1.0, 1.0, 1.0, 1.0, 1.0, 60.0, 14.0, 2.0, 1.0, 0.0, Elsewhere(), (50_000, 70_000))
    >>> [round(value, 3) for value in alone([seen])]
    [50.0, 0.0, 14.0]
    """
    best = min(runs, key=lambda run: median(run.spans_ns) if run.spans_ns else math.inf)
    spans = sorted(best.spans_ns)
    kept = [span / 1000 for span in spans[: max(1, math.floor(KEPT * len(spans)))]]
    mean = fmean(kept)
    return mean, pvariance(kept) / mean**2, min(best.cpu_us, 0.95 * mean)


def slice_ms(spans_ns: Sequence[int], tick_ms: float) -> float:
    """How long a slice is, in ms and whole ticks, from the reads of one thread that always asks: from burst to burst.

    >>> slice_ms([50_000] * 19 + [98_000_000] + [50_000] * 19 + [98_050_000], 4.0)
    100.0
    """
    ends, passed = [], 0
    for span in spans_ns:
        passed += span
        if span > LONG_NS:
            ends.append(passed)
    gaps = [(later - earlier) / 1e6 for earlier, later in itertools.pairwise(ends)]
    return tick_ms * max(1, round(median(gaps) / tick_ms)) if gaps and tick_ms > 0 else math.nan
