"""What is asked: the options of `advise` as typed, and as checked, with every problem found at once.

It leaves out the files and the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slicewright._core import redispatch_policies
from slicewright.advise.target import Target, parse_target
from slicewright.problems import Problem, nearest, problem, refusal

QUESTIONS = ("aliases", "slices", "polarization", "yields", "exits", "limits")
"""All questions of the command."""
OF_LIMITS = ("limit", "requests", "threads", "period", "burst", "processors", "every")
"""Options that only say something about limits."""
FORMATS = ("text", "json")
"""How an answer is printed."""

REDISPATCH = tuple(redispatch_policies())
"""What happens to an alias that ends an I/O: not documented, so each is a reading."""

MARGIN_PERCENT = 2.0
"""ASSUME: how far a reading may miss a printed number beyond its rounding (docs/decisions/0004-readings.md)."""

KNEE_PERCENT = 5.0
"""How near to unlimited aliases the response must be at the knee."""

MOST_ALIASES = 4096


@dataclass(frozen=True, slots=True)
class AdviceOptions:
    """The options as typed: counts, percentages, a condition, pools, assumptions; `format` is text or json.

    >>> AdviceOptions(at=["8"]).format
    'text'
    """

    at: Sequence[str | int] = ()
    growth: str | None = None
    target: str | None = None
    pool: Sequence[str] = ()
    pool_listing: str | None = None
    assume: Sequence[str] = ()
    out: Path | None = None
    format: str = "text"
    slices: str | None = None
    share: Sequence[str] = ()
    knee_percent: float = KNEE_PERCENT
    limit: str | None = None
    requests: str | None = None
    threads: str | None = None
    period: str | None = None
    burst: str | None = None
    processors: str | None = None
    every: str | None = None


@dataclass(frozen=True, slots=True)
class Assumed:
    """What the asker knows and the report does not say; None is not known.  Times in ms, shares in percent.

    >>> check(AdviceOptions(assume=["gap=50 us", "population=3"])).assumed.gap_ms
    0.05
    """

    gap_ms: float | None = None
    think_ms: float | None = None
    sharing_percent: float | None = None
    population: int | None = None
    redispatch: str | None = None
    arrivals: str | None = None
    margin_percent: float = MARGIN_PERCENT
    knee_percent: float | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A range of device numbers, both ends in it.

    >>> "5230" in Span(0x522A, 0x5231), "5249" in Span(0x522A, 0x5231)
    (True, False)
    """

    first: int
    last: int

    def __contains__(self, device: str) -> bool:
        """Whether a device number (four hex digits) lies in the range."""
        return self.first <= int(device, 16) <= self.last


@dataclass(frozen=True, slots=True)
class Question:
    """The options after checking: `growth` is a factor (1 is none), `pools` the ranges of each pool named.

    >>> asked = check(AdviceOptions(growth="20%", target="response_ms <= 2"))
    >>> asked.growth, str(asked.target), asked.knee_percent
    (1.2, 'response_ms <= 2', 5.0)
    """

    at: tuple[int, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    pools: tuple[tuple[Span, ...], ...] = ()
    assumed: Assumed = field(default_factory=Assumed)
    knee_percent: float = KNEE_PERCENT


def check(options: AdviceOptions) -> Question:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions(at=["8"], growth="20%", pool=["522A-5231"])).growth
    1.2
    """
    problems: list[Problem] = []
    at = tuple(count for text in options.at if (count := _count(text, problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems) if options.target is not None else None
    pools = tuple(_pool(text, problems) for text in options.pool)
    assumed = _assumed(options.assume, problems)
    if not 0 < options.knee_percent <= 100:
        problems.append(problem("not a share above 0 % and up to 100 %", key="knee", allowed="5 %"))
    check_format(options.format, problems)
    refuse_limit_options(options, "aliases", problems)
    for name, given in (("slices", options.slices is not None), ("share", bool(options.share))):
        if given:
            why = "it says how partitions share processors"
            problems.append(problem("says nothing about aliases", key=name, why=why, allowed="advise slices FILE"))
    if options.pool and options.pool_listing is not None:
        problems.append(problem("both say what belongs together", key="pool, pool-listing", allowed="one of them"))
    if problems:
        raise refusal(*problems)
    knee = options.knee_percent if assumed.knee_percent is None else assumed.knee_percent
    return Question(at, growth, target, pools, assumed, knee)


def check_format(name: str, problems: list[Problem]) -> None:
    """Whether an answer can be printed like that; a problem more where it cannot.

    >>> check_format("json", [])
    """
    if name not in FORMATS:
        near, allowed = nearest(name, FORMATS), ", ".join(FORMATS)
        problems.append(problem(f"no such format: {name}", key="format", allowed=allowed, nearest=near))


def refuse_limit_options(options: AdviceOptions, question: str, problems: list[Problem]) -> None:
    """A problem for each option that only says something about limits.

    >>> problems = []
    >>> refuse_limit_options(AdviceOptions(limit="500m"), "yields", problems)
    >>> problems[0]["what"]
    'says nothing about yields'
    """
    for key in OF_LIMITS:
        if getattr(options, key) is not None:
            why = "it is about a group that Linux limits"
            what, allowed = f"says nothing about {question}", "advise limits cpu.stat"
            problems.append(problem(what, key=key, why=why, allowed=allowed))


def growth_factor(text: str | None, problems: list[Problem]) -> float:
    """Demand as a factor of today's: 20 or 20% more, or 1.5 times (a factor has a decimal point, or an x).

    >>> growth_factor("20%", []), growth_factor("1.5", []), growth_factor("2x", [])
    (1.2, 1.5, 2.0)
    """
    if text is None:
        return 1.0
    times = re.fullmatch(r"\s*([0-9]{1,2}\.[0-9]{1,6}|[0-9]{1,2}(?:\.[0-9]{1,6})?(?=\s*x))\s*x?\s*", text)
    if times and 0.1 <= float(times[1]) <= 10:
        return float(times[1])
    share = None if times else _percent(text)
    if share is None or not -90 <= share <= 900:
        problems.append(problem(f"not a growth: {text}", key="growth", allowed="-90 % to 900 %, as in 20%; or 1.5x"))
        return 1.0
    return 1 + share / 100


def check_name(name: str | None) -> None:
    """Raise InputError unless there is such a question; None is inferred from the files.

    >>> check_name("aliases")
    >>> check_name(None)
    """
    if name is None or name in QUESTIONS:
        return
    near = nearest(name, QUESTIONS)
    raise refusal(problem(f"no such question: {name}", key="QUESTION", allowed=", ".join(QUESTIONS), nearest=near))


def _count(text: str | int, problems: list[Problem]) -> int | None:
    if re.fullmatch(r"\d{1,4}", str(text).strip()) and int(text) <= MOST_ALIASES:
        return int(text)
    problems.append(problem(f"not a number of aliases: {text}", key="at", allowed=f"0 to {MOST_ALIASES:,}"))
    return None


def _percent(text: str) -> float | None:
    found = re.fullmatch(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)\s*%?", text.strip())
    return float(found[1]) if found else None


def _pool(text: str, problems: list[Problem]) -> tuple[Span, ...]:
    spans = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9A-Fa-f]{4})(?:\s*-\s*([0-9A-Fa-f]{4}))?\s*", part)
        span = Span(int(found[1], 16), int(found[2] or found[1], 16)) if found else None
        if span is None or span.first > span.last:
            why = "device numbers are four hexadecimal digits, lower one first"
            problems.append(problem(f"not a range: {part.strip()}", key="pool", why=why, allowed="522A-5231"))
        else:
            spans.append(span)
    return tuple(spans)


def _milliseconds(text: str) -> float | None:
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(us|ms|s)", text)
    return float(found[1]) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[found[2]] if found else None


def _share(text: str) -> float | None:
    share = _percent(text) if text.endswith("%") else None
    return share if share is not None and 0 <= share <= 100 else None


def _population(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,3}", text) and int(text) > 0 else None


_ASSUMPTIONS: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "gap": ("gap_ms", _milliseconds, "a time: 0.05 ms"),
    "think": ("think_ms", _milliseconds, "a time: 0.3 ms"),
    "sharing": ("sharing_percent", _share, "a share, 0 % to 100 %: 2.1 %"),
    "population": ("population", _population, "requests per volume, 1 to 999"),
    "redispatch": ("redispatch", lambda text: text if text in REDISPATCH else None, ", ".join(REDISPATCH)),
    "arrivals": ("arrivals", lambda text: text if text in ("closed", "open") else None, "closed, open"),
    "margin": ("margin_percent", _share, "a share, 0 % to 100 %: 2 %"),
    "knee": ("knee_percent", _share, "a share, 0 % to 100 %: 5 %"),
}


def _assumed(texts: Sequence[str], problems: list[Problem]) -> Assumed:
    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if key not in _ASSUMPTIONS or not equals:
            near, allowed = nearest(key, _ASSUMPTIONS), ", ".join(f"{name}=..." for name in _ASSUMPTIONS)
            problems.append(problem(f"nothing to assume: {text}", key="assume", allowed=allowed, nearest=near))
            continue
        name, read, allowed = _ASSUMPTIONS[key]
        found[name] = read(value.strip('"'))
        if found[name] is None:
            problems.append(problem(f"not a value of {key}: {value}", key="assume", allowed=allowed))
    return Assumed(**{name: value for name, value in found.items() if value is not None})
