"""A pair of slice and wait: how late its ends were seen live and simulated, with intervals, and by the formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal, TypedDict

from slicewright.live.environment import BUSY_PERCENT
from slicewright.live.threads import Case, Wait
from slicewright.statistics import Estimate, estimate

Verdict = Literal["agrees", "differs", "too noisy"]

RELATIVE, ABSOLUTE_MS = 0.15, 1.0
"""Live and simulated agree when they differ by at most this share of the simulated, or by at most this many ms."""


class KeptCell(TypedDict):
    """A pair as it is kept; null is a number that is not known.

    >>> "live_ms" in KeptCell.__required_keys__
    True
    """

    case: Case
    slice_ms: float
    wait_ms: float
    waits: int
    live_ms: float | None
    live_ms_half_width: float | None
    runs: int
    live_median_ms: float | None
    live_worst_ms: float | None
    simulated_ms: float | None
    simulated_ms_half_width: float | None
    replications: int
    formula_ms: float | None
    difference_ms: float | None
    agrees: bool
    verdict: Verdict
    live_runs_ms: list[float | None]
    simulated_runs_ms: list[float | None]


class KeptEstimate(TypedDict):
    """An estimate as it is kept; null is a number that is not known.

    >>> "mean" in KeptEstimate.__required_keys__
    True
    """

    mean: float | None
    half_width: float | None
    replications: int


def kept_estimate(kept: KeptEstimate) -> Estimate:
    """Read an estimate back.

    >>> kept_estimate({"mean": 1, "half_width": None, "replications": 1}).mean
    1.0
    """
    return Estimate(or_nan(kept["mean"]), or_nan(kept["half_width"]), kept["replications"])


def verdict(live: Estimate, simulated: Estimate, absolute: float, others_percent: float) -> Verdict:
    """Agrees within 15 % or `absolute`; too noisy where the intervals leave it open or others had much of the time.

    >>> verdict(Estimate(9.0, 0.1, 5), Estimate(5.0, 0.1, 20), 1.0, 0.0)
    'differs'
    """
    apart = abs(live.mean - simulated.mean)
    if apart <= max(absolute, RELATIVE * abs(simulated.mean)):
        return "agrees"
    noise = math.hypot(live.half_width, simulated.half_width)
    return "too noisy" if others_percent > BUSY_PERCENT or apart <= noise or math.isnan(apart) else "differs"


@dataclass(frozen=True)
class Cell:
    """One pair; spans in ms.  `formula_ms` is None where it does not apply.

    >>> cell = Cell("uniform", 30.0, 18.0, 900, Estimate(12.4, 0.5, 10), (15.0, 30.2), Estimate(12.6, 0.1, 10), 12.6)
    >>> cell.agrees, round(cell.difference_ms, 2)
    (True, -0.2)
    """

    case: Case
    slice_ms: float
    wait_ms: float
    waits: int
    live: Estimate
    median_worst_ms: tuple[float, float]
    simulated: Estimate
    formula_ms: float | None = None
    runs_ms: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """The mean of each run, live and simulated: each is a group of its own."""

    @property
    def difference_ms(self) -> float:
        """Live less simulated."""
        return self.live.mean - self.simulated.mean

    @property
    def relative(self) -> float:
        """The difference as a share of the simulated."""
        return self.difference_ms / self.simulated.mean if self.simulated.mean else math.inf

    @property
    def agrees(self) -> bool:
        """Whether live and simulated are within a share, or within this many ms, of each other."""
        return abs(self.difference_ms) <= max(ABSOLUTE_MS, RELATIVE * abs(self.simulated.mean))

    @property
    def verdict(self) -> Verdict:
        """Agrees, differs, or too noisy to tell: outside the band, and within what both intervals leave open.

        >>> Cell("locked", 20.0, 18.0, 99, Estimate(6.6, 4.3, 5), (1.0, 9.0), Estimate(8.0, 2.5, 20)).verdict
        'too noisy'
        """
        if self.agrees:
            return "agrees"
        noise = math.hypot(self.live.half_width, self.simulated.half_width)
        return "differs" if abs(self.difference_ms) > noise or math.isnan(noise) else "too noisy"

    def as_json(self) -> dict[str, Any]:
        """The cell as one flat object.

        >>> cell = Cell("locked", 30.0, 18.0, 9, Estimate(12.4, 0.5, 10), (15.0, 30.2), Estimate(12.6, 0.1, 10))
        >>> Cell.of_json(cell.as_json()) == cell
        True
        """
        return {
            "case": self.case, "slice_ms": self.slice_ms, "wait_ms": self.wait_ms, "waits": self.waits,
            "live_ms": self.live.mean, "live_ms_half_width": self.live.half_width, "runs": self.live.replications,
            "live_median_ms": self.median_worst_ms[0], "live_worst_ms": self.median_worst_ms[1],
            "simulated_ms": self.simulated.mean, "simulated_ms_half_width": self.simulated.half_width,
            "replications": self.simulated.replications, "formula_ms": self.formula_ms,
            "difference_ms": self.difference_ms, "agrees": self.agrees, "verdict": self.verdict,
            "live_runs_ms": list(self.runs_ms[0]), "simulated_runs_ms": list(self.runs_ms[1]),
        }  # fmt: skip

    @staticmethod
    def of_json(value: KeptCell) -> Cell:
        """Read back what `as_json` gave."""
        return Cell(
            value["case"], value["slice_ms"], value["wait_ms"], value["waits"],
            Estimate(or_nan(value["live_ms"]), or_nan(value["live_ms_half_width"]), value["runs"]),
            (or_nan(value["live_median_ms"]), or_nan(value["live_worst_ms"])),
            Estimate(or_nan(value["simulated_ms"]), or_nan(value["simulated_ms_half_width"]), value["replications"]),
            value["formula_ms"],
            (tuple(map(or_nan, value["live_runs_ms"])), tuple(map(or_nan, value["simulated_runs_ms"]))),
        )  # fmt: skip


def or_nan(value: float | None) -> float:
    """A number that was kept; what is not known is kept as null.

    >>> or_nan(1), or_nan(None)
    (1.0, nan)
    """
    return math.nan if value is None else float(value)


def means(runs: Sequence[Sequence[Wait]], taken_ms: float = 0.0) -> tuple[float, ...]:
    """How late the waits of each run were seen to be over, on average, in ms; a run without waits has no mean.

    >>> means([[Wait(0.0, 0.0, 9.0, 11.0), Wait(0.0, 0.0, 9.0, 12.0)], []])
    (2.5,)
    """
    return tuple(math.fsum(wait.late_ms - taken_ms for wait in waits) / len(waits) for waits in runs if waits)


def lateness(runs: Sequence[Sequence[Wait]], taken_ms: float = 0.0) -> tuple[Estimate, tuple[float, float]]:
    """How late waits were seen to be over: mean with its interval, then median and worst, in ms.

    The interval is from the means of the runs. `taken_ms` is the time of a read without a limit, which is not
    lateness.

    >>> lateness([[Wait(0.0, 0.0, 9.0, 10.0)], [Wait(0.0, 0.0, 9.0, 11.0), Wait(0.0, 0.0, 9.0, 12.0)]])[0].mean
    2.0
    """
    every = [wait.late_ms - taken_ms for waits in runs for wait in waits]
    if not every:
        return Estimate(math.nan, math.nan, 0), (math.nan, math.nan)
    between = estimate(means(runs, taken_ms))
    mean = math.fsum(every) / len(every)
    return Estimate(mean, between.half_width, between.replications), (median(every), max(every))


def agreement(cells: Sequence[Cell]) -> tuple[int, float]:
    """How many pairs agree, and the median of the differences as shares of what was simulated, without their signs.

    >>> agreement([])
    (0, nan)
    """
    shares = [abs(cell.relative) for cell in cells if math.isfinite(cell.relative)]
    return sum(cell.agrees for cell in cells), median(shares) if shares else math.nan
