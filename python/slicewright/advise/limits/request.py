"""Requests about limits, of one group or of a fleet: options as typed, and as checked, all problems at once."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from slicewright.advise.assumptions import Assumptions, assumed_of, without_effect
from slicewright.advise.limits.quantity import pair, processors, rates, span, span_ms
from slicewright.advise.options import AdviceOptions, growth_factor
from slicewright.advise.target import Target, parse_target
from slicewright.reading.cgroup import MARGIN_PERCENT, Group, Measured
from slicewright.reading.limits import Known
from slicewright.statistics import estimate, plural
from slicewright.values.errors import Problem, nearest, problem, refusal

PERIOD_MS = 100.0
"""cpu.max: the period is 100 ms unless it is said otherwise, and Kubernetes does not."""
_SHORTEST_MS, _LONGEST_MS = 1.0, 1000.0
"""sched-bwc.rst, Limitations: quota and period are 1 ms at least, the period 1 s at most."""
_MOST_PROCESSORS, _MOST_THREADS = 256, 1000
KNEE_PERCENT = 20.0
"""ASSUME: how near to that without a limit the percentile must be where no target is given; `--assume knee=20%`."""
TARGETS = ("p50_ms", "p90_ms", "p95_ms", "p99_ms", "mean_ms", "throttled_percent")
"""The measures that a condition can name."""


_USUAL = "p99_ms"
"""The measures that are to come near to those without a limit."""
_NAMES = {
    "mean_ms": "mean latency", "p50_ms": "median latency", "p90_ms": "90th percentile", "p95_ms": "95th percentile",
    "p99_ms": "99th percentile", "throttled_percent": "periods throttled",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aim:
    """A condition; without one `_USUAL` is to be within `knee_percent` of that without a limit.

    >>> Aim(Target("p99_ms", "<=", 200.0), 20.0).words, Aim(None, 20.0).words
    ('99th percentile <= 200 ms', '99th percentile within 20 % of that without a limit')
    """

    target: Target | None
    knee_percent: float

    @property
    def name(self) -> str:
        """The column that it is about."""
        return self.target.name if self.target else _USUAL

    @property
    def words(self) -> str:
        """In words."""
        if self.target is None:
            return f"{_NAMES[_USUAL]} within {self.knee_percent:g} % of that without a limit"
        unit = "%" if self.name == "throttled_percent" else "ms"
        return f"{_NAMES[self.name]} {self.target.sign} {self.target.value:g} {unit}"

    def met(self, trial: Measured, without: Measured, surely: bool) -> bool:
        """Whether a trial meets it, beside that without a limit; `surely`: with the upper end of its interval."""
        values = [float(column) for column in trial.columns[self.name]]
        if self.target is None:
            most = (1 + self.knee_percent / 100) * without.mean(_USUAL)
            return trial.mean(_USUAL) <= most
        found = estimate(values)
        high = found.high if surely and math.isfinite(found.half_width) else found.mean
        return self.target.met({self.name: high})


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    """The aim of a limit, of a container or of a fleet."""

    growth: float = 1.0
    target: Target | None = None
    margin_percent: float = MARGIN_PERCENT
    knee_percent: float = KNEE_PERCENT

    @property
    def aim(self) -> Aim:
        """The aim of every limit."""
        return Aim(self.target, self.knee_percent)


def _wanted(options: AdviceOptions, assumptions: Assumptions, problems: list[Problem]) -> dict[str, Any]:
    """Growth, target and assumptions, as arguments of a request."""
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, TARGETS) if options.target is not None else None
    if target is not None and not target.sign.startswith("<"):
        why = "advise looks for short latency and rare throttling"
        what = f"asks for more latency or throttling: {target}"
        problems.append(problem(what, key="target", why=why, allowed="NAME <= NUMBER"))
    assumed = assumed_of(options.assume, assumptions, problems)
    if target is not None and "knee_percent" in assumed:
        problems.append(without_effect("knee", f"the target decides: {target}"))
    return {"growth": growth, "target": target, **assumed}


@dataclass(frozen=True, slots=True)
class Asked:
    """What `--at` asks for: exactly one of a limit (inf: none), threads, a period or a burst (ms) is there."""

    limit: float | None = None
    threads: int | None = None
    period_ms: float | None = None
    burst_ms: float | None = None


@dataclass(frozen=True)
class LimitRequest(_Wanted, Known):
    """The options after checking: the group as it is now, its load, and what is to be shown too."""

    every_s: float | None = None
    at: tuple[Asked, ...] = ()


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
    wanted = _wanted(options, _ASSUMPTIONS, problems)
    if threads == 1 and "lock" in wanted:
        problems.append(without_effect("lock", "a single thread never waits for a lock"))
    if problems or group is None or requests is None:
        raise refusal(*problems)
    low, high = requests
    known = (low + high) / 2, (None if low == high else (low, high))
    return LimitRequest(group, known[0], threads, between=known[1], every_s=every, at=at, **wanted)


_TOP, _MOST_TOP = 20, 100_000
"""Workloads that text lists, and the most that can be asked for."""
_NAMED = 5
"""Workloads that are named where one is not known."""
_ALONE = ("requests", "threads", "period", "burst", "processors")
"""Options about one container: `--limit` is that of all whose limit the series do not give."""


@dataclass(frozen=True)
class FleetRequest(_Wanted):
    """The options after checking.  `workload` is the one to simulate with the engine, "" for none."""

    top: int = _TOP
    workload: str = ""
    patch: str = ""
    """The file for patches, "" for none."""
    alone: AdviceOptions = field(default_factory=AdviceOptions)
    """The options for the one workload that is simulated."""

    def of_one(self, workload: str) -> FleetRequest:
        """The same of one workload, of which nothing is known but its series."""
        return replace(self, workload=workload, alone=replace(self.alone, own={}, at=()))

    def refuse_unknown(self, workloads: Sequence[str]) -> None:
        """Raise InputError where the workload to simulate is none of those in the data."""
        if not self.workload or self.workload in workloads:
            return
        more = ", and so on" if len(workloads) > _NAMED else ""
        allowed = f"NAMESPACE/NAME/CONTAINER: {', '.join(sorted(workloads)[:_NAMED])}{more}"
        what = f"no such workload: {self.workload}"
        raise refusal(problem(what, key="workload", allowed=allowed, nearest=nearest(self.workload, workloads)))


def check_fleet(options: AdviceOptions) -> FleetRequest:
    """The options about a fleet checked; raises InputError with every problem.

    >>> check_fleet(AdviceOptions.of(growth="20%", top="5")).top
    5
    """
    problems: list[Problem] = []
    own = options.own
    wanted = _wanted(options, {key: _ASSUMPTIONS[key] for key in ("margin", "knee")}, problems)
    workload = str(own.get("workload", ""))
    if not workload:
        why = "it is about one container; the data of a fleet have many"
        allowed = "--workload NAMESPACE/NAME/CONTAINER beside it, or no such option"
        given = [key for key in _ALONE if key in own] + (["at"] if options.at else [])
        problems += [problem("applies to one container", key=key, why=why, allowed=allowed) for key in given]
    top = str(own.get("top", _TOP))
    if not re.fullmatch(r"\s*[0-9]{1,6}\s*", top) or not 1 <= int(top) <= _MOST_TOP:
        problems.append(problem(f"not a number of workloads: {top}", key="top", allowed=f"1 to {_MOST_TOP:,}"))
    if problems:
        raise refusal(*problems)
    return FleetRequest(top=int(top), workload=workload, patch=str(own.get("patch", "")), alone=options, **wanted)


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
        there = plural(count, "processor has", "processors have")
        why = f"{span(limit * period)} in {span(period)} are more than {there}"
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
