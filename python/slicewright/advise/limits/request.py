"""What is asked about limits: the options of `advise` as typed, and as checked, with every problem found at once."""

from __future__ import annotations

import re
from dataclasses import dataclass

from slicewright.advise.assumptions import Assumptions, assumed_of, without_effect
from slicewright.advise.limits.model import Group
from slicewright.advise.limits.quantity import pair, processors, rates, span, span_ms
from slicewright.advise.options import AdviceOptions, growth_factor
from slicewright.advise.target import Target, parse_target
from slicewright.values.errors import Problem, problem, refusal

PERIOD_MS = 100.0
"""cpu.max: the period is 100 ms unless it is said otherwise, and Kubernetes does not."""
_SHORTEST_MS, _LONGEST_MS = 1.0, 1000.0
"""sched-bwc.rst, Limitations: quota and period are 1 ms at least, the period 1 s at most."""
_MOST_PROCESSORS, _MOST_THREADS = 256, 1000
TICK_MS = 4.0
"""ASSUME: the kernel was built with CONFIG_HZ=250, its own default, and sees at ticks that a quota is used up;
`--assume tick=1ms` where it is 1000."""
MARGIN_PERCENT = 15.0
"""ASSUME: how far what is predicted of the last interval may be off, beyond noise; `--assume margin=15%`."""
KNEE_PERCENT = 20.0
"""ASSUME: how near to that without a limit the percentile must be where no target is given; `--assume knee=20%`."""
TARGETS = ("p50_ms", "p90_ms", "p95_ms", "p99_ms", "mean_ms", "throttled_percent")
"""The measures that a condition can name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What `--at` asks for: exactly one of a limit (inf: none), threads, a period or a burst (ms) is there."""

    limit: float | None = None
    threads: int | None = None
    period_ms: float | None = None
    burst_ms: float | None = None


@dataclass(frozen=True, slots=True)
class LimitRequest:
    """The options after checking: the group as it is now, its load, and what is to be shown too.

    `requests_per_s` is 0 where it is not known: then what comes is bursts of work.  `scv`, the squared coefficient of
    variation of the CPU time of a request, is None where it is not known.
    """

    group: Group
    requests_per_s: float
    threads: int | None = None
    every_s: float | None = None
    at: tuple[Asked, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    scv: float | None = None
    lock: float | None = None
    """Which part of the CPU time of a request is under one lock; None where it is not known."""
    tick_ms: float = TICK_MS
    margin_percent: float = MARGIN_PERCENT
    knee_percent: float = KNEE_PERCENT
    between: tuple[float, float] | None = None
    """The least and the most requests that may have come, `requests_per_s` in the middle; None where it is known."""

    @property
    def bursts(self) -> bool:
        """Whether the rate of requests is not known."""
        return self.requests_per_s == 0


def check(options: AdviceOptions) -> LimitRequest:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions.of(limit="50000 100000", requests="40/s")).group.period_ms
    100.0
    """
    problems: list[Problem] = []
    group = _group(options, problems)
    requests = _requests(options, problems)
    threads = _count(options.own.get("threads"), ("threads", _MOST_THREADS), problems)
    every = _every(options, problems)
    at = tuple(found for text in options.at if (found := _asked(str(text), problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, TARGETS) if options.target is not None else None
    if target is not None and not target.sign.startswith("<"):
        why = "advise looks for short latency and rare throttling"
        problems.append(
            problem(f"asks for more latency or throttling: {target}", key="target", why=why, allowed="NAME <= NUMBER")
        )
    assumed = assumed_of(options.assume, _ASSUMPTIONS, problems)
    if target is not None and "knee_percent" in assumed:
        problems.append(without_effect("knee", f"the target decides: {target}"))
    if threads == 1 and "lock" in assumed:
        problems.append(without_effect("lock", "a single thread never waits for a lock"))
    if problems or group is None or requests is None:
        raise refusal(*problems)
    low, high = requests
    known = (low + high) / 2, (None if low == high else (low, high))
    return LimitRequest(group, known[0], threads, every, at, growth, target, between=known[1], **assumed)


def _group(options: AdviceOptions, problems: list[Problem]) -> Group | None:
    own = options.own
    limit_text, period_text = own.get("limit"), own.get("period")
    both = pair(limit_text) if limit_text is not None else None
    period = both[1] if both else PERIOD_MS
    if period_text is not None:
        said = span_ms(period_text)
        if said is None or not _SHORTEST_MS <= said <= _LONGEST_MS:
            problems.append(problem(f"not a period: {period_text}", key="period", allowed="1 ms to 1 s: 100 ms"))
        elif both and said != both[1]:
            problems.append(problem("both give the period", key="limit, period", allowed="one of them"))
        else:
            period = said
    elif both and not _SHORTEST_MS <= period <= _LONGEST_MS:
        allowed = "QUOTA PERIOD in us, the period from 1000 to 1000000"
        problems.append(problem(f"not a period: {limit_text}", key="limit", allowed=allowed))
        return None
    count = _count(own.get("processors"), ("processors", _MOST_PROCESSORS), problems)
    limit = _limit(limit_text, both, period, problems)
    if limit is None:
        return None
    if count is not None and limit > count:
        why = f"{span(limit * period)} in {span(period)} are more than {count} processors have"
        problems.append(problem("more than the processors allow", key="limit", why=why, allowed=f"at most {count}"))
    return Group(limit, period, _burst(own.get("burst"), limit * period, problems), count)


def _limit(
    text: str | None, both: tuple[float, float] | None, period_ms: float, problems: list[Problem]
) -> float | None:
    allowed = "the processors that the container may use: 500m, 0.5, 2, or both numbers of cpu.max: '50000 100000'"
    if text is None:
        why = "cpu.stat does not contain the limit"
        problems.append(problem("no limit", key="limit", why=why, allowed=allowed))
        return None
    if re.fullmatch(r"(?i)\s*(max|none|unlimited|max\s+[0-9]+)\s*", text):
        why = "without a limit the group is never throttled, so there is nothing to advise on"
        problems.append(problem(f"no limit: {text}", key="limit", why=why, allowed=allowed))
        return None
    found = both[0] / both[1] if both and both[1] > 0 else processors(text)
    if found is None:
        problems.append(problem(f"not a limit: {text}", key="limit", allowed=allowed))
        return None
    if found > _MOST_PROCESSORS or found * period_ms < _SHORTEST_MS * (1 - 1e-9):
        why = f"the quota would be {span(found * period_ms)} in {span(period_ms)}" if found else ""
        least = f"{_SHORTEST_MS / period_ms * 1000:g}m"
        within = f"{least} to {_MOST_PROCESSORS}, with a period of {span(period_ms)}"
        near = f"{text.strip()}m" if found > _MOST_PROCESSORS and re.fullmatch(r"\s*[0-9]+\s*", text) else ""
        what = f"outside the range that the kernel accepts: {text}"
        problems.append(problem(what, key="limit", why=why, allowed=within, nearest=near))
        return None
    return found


def _burst(text: str | None, quota_ms: float, problems: list[Problem]) -> float:
    if text is None:
        return 0.0
    found = span_ms(text) if text.strip() != "0" else 0.0
    if found is None:
        problems.append(problem(f"not a span: {text}", key="burst", allowed="20 ms"))
        return 0.0
    if found > quota_ms * (1 + 1e-9):
        why = "the kernel refuses a burst above the quota (sched-bwc.rst, Burst feature)"
        problems.append(problem(f"above the quota: {text}", key="burst", why=why, allowed=f"0 to {span(quota_ms)}"))
    return found


def _requests(options: AdviceOptions, problems: list[Problem]) -> tuple[float, float] | None:
    allowed = "requests served per second, minute or hour while the copies were made: 40/s, 2400/min, or about: 30-50/s"
    text = options.own.get("requests")
    if text is None:
        return 0.0, 0.0
    found = rates(text)
    if found is None or not 1e-3 <= found[0] <= found[1] <= 1e6:
        problems.append(problem(f"not a rate: {text}", key="requests", allowed=allowed))
        return None
    return found


def _every(options: AdviceOptions, problems: list[Problem]) -> float | None:
    text = options.own.get("every")
    if text is None:
        return None
    found = span_ms(text)
    if found is None or not 1e3 <= found <= 3.2e10:
        problems.append(problem(f"not a span: {text}", key="every", allowed="1 s to 365 d: 60 s"))
        return None
    return found / 1000


def _count(text: str | None, what: tuple[str, int], problems: list[Problem]) -> int | None:
    if text is None:
        return None
    key, most = what
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", text) or not 1 <= int(text) <= most:
        problems.append(problem(f"not a number of {key}: {text}", key=key, allowed=f"1 to {most:,}"))
        return None
    return int(text)


def _asked(text: str, problems: list[Problem]) -> Asked | None:
    found = _setting(text)
    if found is None:
        allowed = "a limit (750m, 2, none), '4 threads', 'period 20 ms' or 'burst 50 ms'"
        problems.append(problem(f"not a setting: {text}", key="at", allowed=allowed))
    return found


def _setting(text: str) -> Asked | None:
    text = text.strip()
    if re.fullmatch(r"(?i)(limit\s*=?\s*)?(max|none|unlimited|no limit)", text):
        return Asked(limit=float("inf"))
    threads = re.fullmatch(r"(?i)([0-9]{1,4})\s*threads?|threads?\s*=?\s*([0-9]{1,4})", text)
    if threads:
        count = int(threads[1] or threads[2])
        return Asked(threads=count) if 1 <= count <= _MOST_THREADS else None
    named = re.fullmatch(r"(?i)(period|burst)\s*=?\s*(.+)", text)
    if named:
        found = span_ms(named[2])
        if named[1].lower() == "period":
            return Asked(period_ms=found) if found is not None and _SHORTEST_MS <= found <= _LONGEST_MS else None
        return Asked(burst_ms=found) if found is not None else None
    limit = processors(re.sub(r"(?i)^limit\s*=?\s*", "", text))
    return Asked(limit=limit) if limit is not None and 0 < limit <= _MOST_PROCESSORS else None


def _share(text: str) -> float | None:
    found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]*)?|\.[0-9]+)\s*%", text)
    return float(found[1]) if found and 0 < float(found[1]) <= 100 else None


def _spread(text: str) -> float | None:
    found = re.fullmatch(r"[0-9]{1,2}(?:\.[0-9]*)?|\.[0-9]+", text)
    return float(text) if found and float(text) <= 50 else None


def _lock(text: str) -> float | None:
    found = _share(text)
    return found / 100 if found is not None else 0.0 if re.fullmatch(r"0\s*%?|none", text) else None


def _tick(text: str) -> float | None:
    found = span_ms(text)
    return found if found is not None and 1 <= found <= 10 else None


_ASSUMPTIONS: Assumptions = {
    "scv": ("scv", _spread, "0 (all requests alike) to 50: squared coefficient of variation of a request's CPU time"),
    "lock": ("lock", _lock, "the share of a request's CPU time under one common lock, 0 % to 100 %: 70 %"),
    "tick": ("tick_ms", _tick, "1 / CONFIG_HZ of the node's kernel, 1 ms to 10 ms: 4 ms"),
    "margin": ("margin_percent", _share, "a share, up to 100 %: 15 %"),
    "knee": ("knee_percent", _share, "a share, up to 100 %: 20 %"),
}
