"""Settings worth a look: limits from what is used to where a limit stops no thread, threads, periods, bursts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slicewright.advise.limits.model import NO_LIMIT, Group, Load, Setting
from slicewright.advise.limits.quantity import limit, span
from slicewright.advise.limits.request import Asked

LEAST_ROOM = 1.05
"""The least ratio of a limit to what is used: below it requests pile up without end."""
POINTS = 8
"""Limits between the least and the most."""
PERIODS_MS = (100.0, 50.0, 20.0, 10.0, 5.0)
SHORTEST_QUOTA_MS = 1.0
BURSTS = (0.5, 1.0)
"""Of the quota; the kernel takes no more (sched-bwc.rst, Burst feature)."""
MOST_THREADS = 64


def nice(value: float) -> float:
    """The next limit up that people would write: in steps of 10m, 50m, 100m or 250m, by its size.

    >>> nice(0.512), nice(1.03), nice(3.3)
    (0.55, 1.1, 3.5)
    """
    for most, step in ((0.2, 0.01), (1.0, 0.05), (2.0, 0.1), (5.0, 0.25), (math.inf, 0.5)):
        if value <= most + 1e-9:
            return round(math.ceil(value / step - 1e-9) * step, 6)
    return value


def limits(group: Group, loads: Sequence[Load], asked: Sequence[float]) -> list[float]:
    """Limits, least first, no limit last: that of now, those asked for, and some between; none below what is used.

    >>> limits(Group(0.5, 100.0), [Load(40.0, 8.0, 1.0, 3.0, 4)], [])
    [0.35, 0.5, 0.65, 0.9, 1.2, 1.6, 2.25, 3.0, inf]
    """
    least = LEAST_ROOM * max(load.used for load in loads)
    threads = max(load.threads for load in loads)
    most = max(min(threads, group.processors or threads), group.limit)
    low, high = math.log(least), math.log(max(most, least * 1.5))
    steps = {nice(math.exp(low + at * (high - low) / POINTS)) for at in range(POINTS)}
    steps |= {group.limit, *(value for value in asked if math.isfinite(value))}
    steps = {step for step in steps if step * group.period_ms >= SHORTEST_QUOTA_MS}
    if group.processors is not None:
        steps = {step for step in steps if step <= group.processors}
    kept = sorted(step for step in steps if step >= least or (step == group.limit and holds(group, loads)))
    return [*kept, NO_LIMIT]


def holds(group: Group, loads: Sequence[Load]) -> bool:
    """Whether the limit of now is enough for what is used: else requests pile up, and every latency is one of a moment.

    >>> [holds(Group(one, 100.0), [Load(40.0, 8.0, 1.0, 3.0, 4)]) for one in (0.5, 0.3)]
    [True, False]
    """
    return all(load.used < group.limit for load in loads)


def left_out(group: Group, load: Load, asked: Sequence[Asked]) -> list[str]:
    """Settings that are asked for and cannot be looked at, each with the reason.

    >>> left_out(Group(0.5, 100.0), Load(40.0, 8.0, 1.0, 3.0, 4), [Asked(limit=0.25), Asked(burst_ms=80.0)])
    ['a limit of 250m: the load uses 320m', 'a burst of 80 ms: the quota is 50 ms']
    """
    found = []
    used = f"the load uses {limit(round(load.used, 3))}"
    for setting in asked:
        if setting.limit is not None and setting.limit < LEAST_ROOM * load.used:
            found.append(f"a limit of {limit(setting.limit)}: {used}")
        elif (
            setting.limit is not None
            and math.isfinite(setting.limit)
            and setting.limit * group.period_ms < SHORTEST_QUOTA_MS
        ):
            found.append(f"a limit of {limit(setting.limit)}: the kernel's least quota is 1 ms")
        elif (
            setting.limit is not None
            and group.processors
            and math.isfinite(setting.limit)
            and setting.limit > group.processors
        ):
            found.append(f"a limit of {limit(setting.limit)}: the node has {group.processors}")
        elif setting.threads is not None and setting.threads < LEAST_ROOM * load.used:
            found.append(f"{setting.threads} threads: {used}")
        elif setting.period_ms is not None and setting.period_ms * group.limit < SHORTEST_QUOTA_MS:
            found.append(f"a period of {span(setting.period_ms)}: the kernel's least quota is 1 ms")
        elif setting.burst_ms is not None and setting.burst_ms > group.quota_ms * (1 + 1e-9):
            found.append(f"a burst of {span(setting.burst_ms)}: the quota is {span(group.quota_ms)}")
    return found


def threads(now: Setting, load: Load, asked: Sequence[int]) -> list[Setting]:
    """Other numbers of threads with the limit of now: fewer and more by halves and doubles.

    >>> [one.threads for one in threads(Setting(0.5, 4, 100.0, 0.0), Load(40.0, 8.0, 1.0, 3.0, 4), [])]
    [1, 2, 4, 8]
    """
    counts = {1, max(1, now.threads // 2), now.threads, min(2 * now.threads, MOST_THREADS), *asked}
    # Fewer threads than what is used, in processors' worth, never catch up.
    return [_changed(now, threads=count) for count in sorted(counts) if count >= LEAST_ROOM * load.used]


def periods(now: Setting, asked: Sequence[float]) -> list[Setting]:
    """Other periods with the same limit.

    >>> [one.period_ms for one in periods(Setting(0.1, 4, 100.0, 0.0), [])]
    [100.0, 50.0, 20.0, 10.0]
    """
    found = {now.period_ms, *(period for period in PERIODS_MS if period < now.period_ms), *asked}
    able = sorted((period for period in found if period * now.limit >= SHORTEST_QUOTA_MS), reverse=True)
    return [_changed(now, period_ms=period) for period in able]


def bursts(now: Setting, asked: Sequence[float]) -> list[Setting]:
    """Bursts with the same limit and period, up to the quota.

    >>> [one.burst_ms for one in bursts(Setting(0.5, 4, 100.0, 0.0), [])]
    [0.0, 25.0, 50.0]
    """
    found = {now.burst_ms, *(share * now.quota_ms for share in BURSTS), *asked}
    return [_changed(now, burst_ms=burst) for burst in sorted(found) if burst <= now.quota_ms * (1 + 1e-9)]


def _changed(now: Setting, *, threads: int = 0, period_ms: float = 0.0, burst_ms: float | None = None) -> Setting:
    burst = now.burst_ms if burst_ms is None else burst_ms
    # A shorter period has a smaller quota, and a burst is at most that.
    period = period_ms or now.period_ms
    return Setting(now.limit, threads or now.threads, period, min(burst, now.limit * period))
