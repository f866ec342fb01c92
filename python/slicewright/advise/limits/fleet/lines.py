"""One line of the answer about a fleet: a workload, what throttling costs it, and the limit that would do."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum

from slicewright.report.forms import Span


class Verdict(Enum):
    """The verdict on a workload; for some the counters tell nothing.

    >>> Verdict.RAISE.tells, Verdict.FULL.tells
    (True, False)
    """

    RAISE = "raise"
    LOWER = "lower"
    KEEP = "keep"
    NO_LIMIT_DOES = "no limit does"
    NEVER = "never throttled"
    RARE = "hardly throttled"
    FULL = "limit used up"
    FEW = "too few periods"
    UNEXPLAINED = "not explained"
    UNCOUNTED = "not counted"
    UNLIMITED = "no limit"
    CONTRADICTED = "contradiction"

    @property
    def tells(self) -> bool:
        """Whether a limit is recommended."""
        return self in (Verdict.RAISE, Verdict.LOWER, Verdict.KEEP)


@dataclass(frozen=True, slots=True)
class Reading:
    """The main reading of a workload's counters, and how many fit beside it."""

    threads: int
    batch: float
    cpu_ms: float
    scv: float
    bursts: bool
    fits: int

    @property
    def words(self) -> str:
        """In words."""
        kind = {0.0: "all alike", 1.0: "exponential"}.get(self.scv, f"scv {self.scv:g}")
        more = f"; {self.fits} fit" if self.fits > 1 else ""
        if self.bursts:
            return f"{self.threads} at once, bursts of {self.batch * self.cpu_ms:.3g} ms, {kind}{more}"
        return f"{self.threads} at once, batches of {self.batch:.3g}, {kind}{more}"


@dataclass(frozen=True, slots=True)
class Line:
    """One workload.  Limits, reservations and use are of one replica, in processors; latency is of its busy time.

    `cost` is what throttling adds to latencies now, by name in ms, `cost_range` over readings; None where the counters
    do not tell.  `then` is the limit that would do.
    """

    workload: str
    nodes: tuple[str, ...]
    replicas: int
    verdict: Verdict
    limit: float | None
    reserved: float | None
    used: float
    busy: float
    requests_per_s: float | None
    periods: int
    throttled: int
    cost_mean_ms: float | None = None
    cost_p99_ms: float | None = None
    cost_p99_range: Span = field(default_factory=lambda: Span(None, None))
    p99_ms: float | None = None
    p99_then_ms: float | None = None
    measured_p99_ms: float | None = None
    throttled_then_percent: float | None = None
    then: float | None = None
    low: float | None = None
    high: float | None = None
    """Ends of the range of limits; inf is none."""
    reading: Reading | None = None
    why: str = ""
    settles: str = ""
    peak: float = 0.0
    """Processors in the interval of a replica that used most."""
    varies: int = 0
    """Whether all readings vary more (1) or less (-1) from interval to interval than was measured."""

    @property
    def throttled_percent(self) -> float:
        """Throttled periods, of those that were counted."""
        return 100 * self.throttled / self.periods if self.periods else 0.0

    @property
    def after(self) -> float | None:
        """The limit if the advice is followed: that of now where nothing is recommended."""
        return self.then if self.verdict.tells else self.limit

    @property
    def change(self) -> float:
        """Processors that all replicas get more, or less."""
        if self.limit is None or self.after is None or not math.isfinite(self.after):
            return 0.0
        return (self.after - self.limit) * self.replicas

    @property
    def reserves(self) -> float:
        """Processors that a replica reserves: its request, or its limit, which Kubernetes takes where it has none."""
        return self.reserved if self.reserved is not None else self.limit or 0.0

    @property
    def reserves_after(self) -> float:
        """The same if the advice is followed: a request above the limit is not allowed, one beside it stays."""
        if self.after is None:
            return self.reserves
        return min(self.reserved, self.after) if self.reserved is not None else self.after

    @property
    def rank(self) -> tuple[bool, float, float, float, str]:
        """The place in the order of costs, the dearest first: a limit that is used up leads."""
        full = self.verdict is Verdict.FULL
        return not full, -(self.cost_p99_ms or 0.0), -(self.cost_mean_ms or 0.0), -self.throttled_percent, self.workload
