"""What a load must reproduce: a report's numbers as arrays over volumes, each with how far a load may miss it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from slicewright.advise.aliases.evidence import PoolReport
from slicewright.advise.aliases.sample import Sample
from slicewright.experiment.outcome import Array

NOISE = 0.002
"""The share of a value that a step of the fit leaves to chance; finer rounding than that has no more weight."""

LONGEST = 0.6
"""How far into its allowance the search moves service for a reading with the longest service that fits."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One report of a pool.  Arrays over volumes: rates per second, service in ms, queue in requests.

    `pooled`: aliases work for any volume, so the page gives sums over the pool and not a volume's own rate.  The
    allowances are the printed rounding plus the margin; a queue's margin is on all requests present, because that is
    what Little's law balances.  The weights are what the print itself leaves open, and rule the fit: a rate has three
    digits, a service time two, so it is the rate that comes out.

    >>> from slicewright.advise.aliases.example import report
    >>> seen = observe(report(), 0.02)
    >>> f"{seen.io_per_s[0]:.0f} within {seen.io_slack[0]:.1f}, {seen.present[0]:.2f} requests present"
    '755 within 15.6, 2.82 requests present'
    """

    aliases: int
    pooled: bool
    bound: Array
    io_per_s: Array
    queue_depth: Array
    service_ms: Array
    io_slack: Array
    queue_slack: Array
    service_slack: Array
    io_weight: Array
    queue_weight: Array
    service_weight: Array
    base_io_per_s: Array
    base_service_ms: Array
    alias_io_per_s: float
    alias_service_ms: float

    @property
    def present(self) -> Array:
        """Requests of each volume in the control program: waiting and in service."""
        return np.asarray(self.queue_depth + self.io_per_s * self.service_ms / 1000)

    def widened(self, margin: float) -> Observation:
        """The same with allowances that are wider by this share of each value."""
        return replace(
            self,
            io_slack=self.io_slack + margin * self.io_per_s,
            queue_slack=self.queue_slack + margin * self.present,
            service_slack=self.service_slack + margin * self.service_ms,
        )

    def with_longest_service(self) -> Observation:
        """The same with service aimed at the upper part of what its allowance leaves open."""
        aimed = self.service_ms + LONGEST * self.service_slack
        narrow = (1 - LONGEST) * self.service_slack
        return replace(
            self, service_ms=aimed, service_slack=narrow, service_weight=0.1 * narrow,
            base_service_ms=self.base_service_ms + LONGEST * self.service_slack,
            alias_service_ms=self.alias_service_ms + LONGEST * float(self.service_slack.mean()),
        )  # fmt: skip

    def shared_as(self, alias_share: Array) -> Observation:
        """The pool's alias I/O given to volumes in these shares (they sum to 1); nothing changes without a pool."""
        if not self.pooled:
            return self
        lent = self.alias_io_per_s * alias_share
        io = self.base_io_per_s + lent
        service = (self.base_io_per_s * self.base_service_ms + lent * self.alias_service_ms) / io
        return replace(self, io_per_s=io, service_ms=service)

    def misses(self, sample: Sample) -> Array:
        """How far a simulation misses each of rate, queue, service: (3, volumes), in allowances; above 1 does not fit.

        With a pool the sums are compared, and every volume has the pool's miss.
        """
        io, queue = sample.io_per_s.mean(axis=0), sample.queue_depth.mean(axis=0)
        service = sample.service_ms.mean(axis=0)
        if not self.pooled:
            parts = [
                _beyond(sample.io_per_s, self.io_per_s) / self.io_slack,
                _beyond(sample.queue_depth, self.queue_depth) / self.queue_slack,
                _beyond(sample.service_ms, self.service_ms) / self.service_slack,
            ]
            return np.stack(parts)
        mean = float((io * service).sum() / io.sum())
        printed = float((self.io_per_s * self.service_ms).sum() / self.io_per_s.sum())
        slack = float((self.io_per_s * self.service_slack).sum() / self.io_per_s.sum())
        whole = [
            (io.sum() - self.io_per_s.sum()) / self.io_slack.sum(),
            (queue.sum() - self.queue_depth.sum()) / self.queue_slack.sum(),
            (mean - printed) / slack,
        ]
        return np.repeat(np.array(whole)[:, None], len(io), axis=1)

    def cost(self, sample: Sample, tight: Array) -> float:
        """Squared misses in units of what the print leaves open, over the volumes that are searched."""
        misses = self.misses(sample)
        scale = [self.io_slack / self.io_weight, self.queue_slack / self.queue_weight]
        scale.append(self.service_slack / self.service_weight)
        if self.pooled:
            scale = [np.full_like(slack, float(slack.mean())) for slack in scale]
        squares = (misses * np.stack(scale)) ** 2 + 1e5 * np.maximum(np.abs(misses) - 0.8, 0) ** 2
        return float(squares[:, tight].sum())


def _beyond(values: Array, printed: Array) -> Array:
    """By how much means over replications are off, less the standard error that they have themselves."""
    off = values.mean(axis=0) - printed
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return np.asarray(np.sign(off) * np.maximum(np.abs(off) - error, 0.0))


def observe(pool: PoolReport, margin: float) -> Observation:
    """The observation that a report makes; `margin` is a share (.02).

    Where a pool lends aliases their I/O is first shared by what each base shows of load: its queue and the square of
    its own use, which is what overflows from a base without a queue.

    >>> from slicewright.advise.aliases.example import report
    >>> round(float(observe(report("Y032180H"), 0.02).queue_depth.sum()), 1)
    14.4
    """
    bases = [volume.base for volume in pool.volumes]
    pooled = bool(pool.aliases)
    io = np.array([volume.io_per_s for volume in pool.volumes])
    service = np.array([volume.service_ms for volume in pool.volumes])
    queue = np.array([base.queue_depth for base in bases])
    lent = sum(alias.io_per_s for alias in pool.aliases)
    lent_service = sum(alias.io_per_s * alias.service_ms for alias in pool.aliases) / lent if lent else 0.0
    use = io * service / 1000
    rows = [1 + len(volume.bound) for volume in pool.volumes]
    rounding = np.array([base.io_rounding for base in bases]) * rows
    if pooled:
        rounding = rounding + sum(alias.io_rounding for alias in pool.aliases) / len(bases)
    first = Observation(
        aliases=pool.aliases_present, pooled=pooled,
        bound=np.array([float(len(volume.bound)) for volume in pool.volumes]),
        io_per_s=io, queue_depth=queue, service_ms=service, io_slack=rounding, queue_slack=queue, service_slack=service,
        io_weight=io, queue_weight=queue, service_weight=service,
        base_io_per_s=io, base_service_ms=service, alias_io_per_s=lent, alias_service_ms=lent_service,
    )  # fmt: skip
    weight = queue + use**2
    shared = first.shared_as(weight / weight.sum()) if pooled else first
    waits, serves = (
        np.array([base.queue_rounding for base in bases]),
        np.array([base.service_rounding for base in bases]),
    )
    return replace(
        shared,
        io_slack=rounding + margin * shared.io_per_s,
        queue_slack=waits + margin * shared.present,
        service_slack=serves + margin * shared.service_ms,
        io_weight=rounding + NOISE * shared.io_per_s,
        queue_weight=waits + NOISE * shared.present,
        service_weight=serves + NOISE * shared.service_ms,
    )
