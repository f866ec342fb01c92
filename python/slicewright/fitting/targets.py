"""What a fitted load has to reproduce: rate and queue of each volume in each period, with the noise of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slicewright._core import student_t
from slicewright.experiment.outcome import Array
from slicewright.fitting.evidence import FEWEST_IOS, Evidence, Group
from slicewright.fitting.periods import Period
from slicewright.reading.accept import LEAST_WAITING


@dataclass(frozen=True, slots=True)
class Copy:
    """One volume in one period: numbers of the period, the group and the volume in it."""

    period: int
    group: int
    volume: int


@dataclass(frozen=True, slots=True)
class Targets:
    """Arrays over copies: rate per second, wait in ms, each with the 95 % half-width of its mean (NaN: unknown)."""

    copies: tuple[Copy, ...]
    io_per_s: Array
    wait_ms: Array
    ios: Array
    """I/Os that were measured in the shown intervals."""
    conn_ms: Array
    io_half_width: Array
    wait_half_width: Array

    @property
    def queue_depth(self) -> Array:
        """Requests waiting, by Little's law."""
        return np.asarray(self.io_per_s * self.wait_ms / 1000)


def targets(evidence: Evidence, periods: Sequence[Period]) -> Targets:
    """The targets of all volumes that did at least 1,000 I/Os in the shown intervals of a period.

    The noise is that of the residuals of the shown intervals about the mean of their period, pooled over a group.  A
    rate's is relative; a queue's counts in the deviation of a geometric number of requests, which an M/M/1 queue has.
    """
    rows = []
    for number, group in enumerate(evidence.groups):
        noise = _Noise()
        for period in periods:
            noise = noise.with_(group.io_per_s[list(period.shown)], group.waiting[list(period.shown)])
        for at, period in enumerate(periods):
            for volume in range(len(group.volumes)):
                known = [interval for interval in period.shown if group.io_per_s[interval, volume] > 0]
                values = _target(evidence, group, (known, volume), noise)
                if values[2] >= FEWEST_IOS:
                    rows.append((Copy(at, number, volume), values))
    rows.sort(key=lambda row: (row[0].period, row[0].group, row[0].volume))
    arrays = np.array([values for _, values in rows], dtype=float).reshape(-1, 6).T
    return Targets(tuple(copy for copy, _ in rows), *arrays)


def _target(
    evidence: Evidence, group: Group, where: tuple[list[int], int], noise: _Noise
) -> tuple[float, float, float, float, float, float]:
    """Rate, wait, I/Os, connect time, and the half-widths of rate and wait, of a volume over some intervals."""
    known, volume = where
    lengths, rates = evidence.lengths_s[known], group.io_per_s[known, volume]
    total = float(lengths @ rates)
    if not total:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    rate, queue = total / float(lengths.sum()), float(lengths @ group.waiting[known, volume]) / float(lengths.sum())
    connect = float((lengths * rates) @ group.conn_ms[known, volume]) / total
    of_rate, of_queue = noise.half_widths(len(known), queue)
    return rate, 1000 * queue / rate, total, connect, of_rate * rate, 1000 * of_queue / rate


@dataclass(frozen=True, slots=True)
class _Noise:
    """Sums of squared residuals of rates and of queues, each with its degrees of freedom."""

    rates: float = 0.0
    of_rates: int = 0
    queues: float = 0.0
    of_queues: int = 0

    def with_(self, rates: Array, queues: Array) -> _Noise:
        """The noise with the residuals of one more period; volumes without a queue say nothing of the noise of one."""
        used = (rates > 0).all(axis=0)
        rates, queues = rates[:, used], queues[:, used]
        queues = queues[:, queues.mean(axis=0) > LEAST_WAITING]
        rate, queue, more = rates.mean(axis=0), queues.mean(axis=0), len(rates) - 1
        return _Noise(
            self.rates + float(((rates / rate - 1) ** 2).sum()), self.of_rates + more * len(rate),
            self.queues + float(((queues - queue) ** 2 / (queue * (1 + queue))).sum()),
            self.of_queues + more * len(queue),
        )  # fmt: skip

    def half_widths(self, intervals: int, queue: float) -> tuple[float, float]:
        """Half-widths of the mean over some intervals: of a rate as a share of it, and of a queue in requests."""
        of_queue = _half_width(self.queues, self.of_queues, intervals) if queue > LEAST_WAITING else 0.0
        return _half_width(self.rates, self.of_rates, intervals), of_queue * float(np.sqrt(queue * (1 + queue)))


def _half_width(squares: float, freedom: int, intervals: int) -> float:
    """Of a mean over some intervals, from the pooled squares of residuals; NaN without any."""
    return student_t(freedom) * float(np.sqrt(squares / freedom / intervals)) if freedom else float("nan")
