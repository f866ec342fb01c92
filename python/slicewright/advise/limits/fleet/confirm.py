"""Limits that the surrogate would lower, or whose work is steadier than its loads: the engine's own simulations decide.

Nothing is lowered on the word of the surrogate alone: it was fitted to random arrivals at a steady rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from slicewright._core import InputError
from slicewright.advise.limits.answer import LimitAnswer
from slicewright.advise.limits.fleet.deep import simulated
from slicewright.advise.limits.fleet.fleet import Fleet
from slicewright.advise.limits.fleet.ladder import FULL
from slicewright.advise.limits.fleet.lines import Line, Verdict
from slicewright.advise.limits.fleet.request import FleetRequest
from slicewright.advise.limits.grid import nice
from slicewright.advise.limits.quantity import limit as milli
from slicewright.experiment.progress import Progress, silent
from slicewright.report.forms import Span
from slicewright.statistics import fixed

MOST_SIMULATED = 8
"""Workloads that are simulated for one answer, those that would free most processors first."""
CONTAINED = "the range of limits that the counters allow contains that of now: nothing shows that less would do"
SURGES = "work varies more from interval to interval than any load that fits: peaks may need the limit of now"
MANY = f"not simulated: more than {MOST_SIMULATED} limits would be lowered"
EVEN = "work is steadier from interval to interval than random arrivals, which the surrogate is fitted to"
ONE = "the engine's own simulations, by --workload"


def confirmed(lines: Sequence[Line], fleet: Fleet, request: FleetRequest, progress: Progress = silent) -> list[Line]:
    """The lines, with `lower` only where the whole range is below the limit of now and the engine agrees.

    >>> from slicewright.advise.limits.fleet.example import answer, fleet
    >>> confirmed(answer().lines, fleet(), FleetRequest()) == list(answer().lines)
    True
    """
    found = [_identified(line) for line in lines]
    doubtful = sorted((line for line in found if _is_doubtful(line)), key=lambda line: (line.change, line.workload))
    chosen = {line.workload for line in doubtful[:MOST_SIMULATED]}
    settled: dict[str, Line] = {}
    for at, line in enumerate(doubtful):
        settled[line.workload] = _settled(line, fleet, request) if line.workload in chosen else _left(line)
        progress((at + 1) / len(doubtful))
    return [settled.get(line.workload, line) for line in found]


def _is_doubtful(line: Line) -> bool:
    return line.verdict is Verdict.LOWER or (
        line.varies > 0 and line.verdict in (Verdict.RAISE, Verdict.NO_LIMIT_DOES)
    )  # fmt: skip


def _identified(line: Line) -> Line:
    """A line whose counters show that less would do: all of its range, and the highest use, are below the limit."""
    if line.verdict is not Verdict.LOWER or line.limit is None:
        return line
    if line.varies < 0:
        return _kept(line, SURGES)
    high, peak = math.inf if line.high is None else line.high, nice(line.peak / FULL)
    if high >= line.limit:
        return _kept(line, CONTAINED)
    if peak >= line.limit:
        return _kept(
            line, f"one interval used {fixed(line.peak, 2)} processors: less than the limit of now has no room"
        )
    return replace(line, then=max(high, peak))


def _settled(line: Line, fleet: Fleet, request: FleetRequest) -> Line:
    """The line after the engine's own simulations of the workload."""
    try:
        deep = simulated(fleet, request.of_one(line.workload))
    except InputError as error:
        return _refused(line, str(error).partition("\n")[0])
    if deep.recommendation is None:
        return _refused(line, deep.reason)
    return _lowered(line, deep) if line.verdict is Verdict.LOWER else _simulated(line, deep)


def _lowered(line: Line, deep: LimitAnswer) -> Line:
    """The higher of what the counters and the engine ask for, where that is still lower."""
    chosen = deep.recommendation
    assert chosen is not None
    assert line.then is not None
    assert line.limit is not None
    then = max(line.then, chosen.high)
    low = min(chosen.low, chosen.low if line.low is None else line.low)
    if then < line.limit:
        return replace(line, then=then, low=low, high=then)
    asks = f"the engine's own simulations ask for {_limit(chosen.low)} to {_limit(chosen.high)}"
    return replace(_kept(line, asks), low=low, high=then)


def _simulated(line: Line, deep: LimitAnswer) -> Line:
    """The line with the limit, and the latency, of the engine's own simulations."""
    chosen, now = deep.recommendation, deep.now
    assert chosen is not None
    assert line.limit is not None
    found = replace(line, low=chosen.low, high=chosen.high, reading=None, why=EVEN, settles="")
    if now is not None:
        cost = now.throttling["p99_ms"].mean
        found = replace(
            found, cost_p99_ms=cost, cost_mean_ms=now.throttling["mean_ms"].mean, p99_ms=now.columns["p99_ms"].mean,
            cost_p99_range=Span(None, None), p99_then_ms=None, throttled_then_percent=None,
        )  # fmt: skip
    if chosen.limit <= line.limit:
        return _kept(found, EVEN)
    if not math.isfinite(chosen.limit):
        return replace(found, verdict=Verdict.NO_LIMIT_DOES, then=None)
    return replace(found, verdict=Verdict.RAISE, then=chosen.limit)


def _refused(line: Line, reason: str) -> Line:
    if line.verdict is Verdict.LOWER:
        return _kept(line, f"the engine's own simulations do not confirm less: {reason}")
    return replace(
        line, verdict=Verdict.UNEXPLAINED, then=None, low=None, high=None, why=f"{EVEN}: {reason}", settles=ONE
    )


def _left(line: Line) -> Line:
    if line.verdict is Verdict.LOWER:
        return replace(_kept(line, MANY), settles=ONE)
    return replace(line, verdict=Verdict.UNEXPLAINED, then=None, low=None, high=None, why=EVEN, settles=ONE)


def _kept(line: Line, why: str) -> Line:
    return replace(
        line, verdict=Verdict.KEEP, then=line.limit, p99_then_ms=line.p99_ms, throttled_then_percent=None, why=why
    )


def _limit(value: float) -> str:
    return "none" if math.isinf(value) else milli(value)
