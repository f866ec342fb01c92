"""What is asked about slices: the options of `advise` as typed, and as checked, with every problem found at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from slicewright.advise.assumptions import Assumptions, assumed_of, count, milliseconds, word
from slicewright.advise.options import AdviceOptions, growth_factor
from slicewright.advise.target import Target, parse_target
from slicewright.reading.accept import AIMED
from slicewright.scenario.sharing import PARAMETERS, parameter_slice_ms
from slicewright.values.errors import Problem, problem, refusal

SWITCH_MS = 0.1
"""ASSUME: the time of a switch if not given: a few thousand instructions of a processor of the study's years."""
SWITCHES_MS = (0.02, 0.5)
"""ASSUME: the least and the most that it may be; each is a reading."""
MARGIN_PERCENT = 100 * AIMED
"""How far the search lets a load miss a printed number; a reading may be off by the error of the model too."""

_SHORTEST_MS, _LONGEST_MS = 0.1, 1000.0
_TARGETS = ("hold_ms", "switch_percent", "cost")
"""What a condition can be put on: columns of the curve."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """Facts that the asker knows and the files do not have; None is not known.  Times in ms, shares 0 to 1."""

    switch_ms: float | None = None
    processor: float | None = None
    """How many waiting I/Os cost as much as a processor that is lost to switches."""
    partitions: int | None = None
    processors: int | None = None
    busy: tuple[float, ...] = ()
    slih_ms: float | None = None
    service: str | None = None
    arrivals: str | None = None
    margin_percent: float = MARGIN_PERCENT


@dataclass(frozen=True, slots=True)
class SliceRequest:
    """The options after checking: slices in ms, shares 0 to 1 as the files stand, `growth` a factor (1 is none)."""

    at: tuple[float, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    slice_ms: float | None = None
    shares: tuple[float, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    """PR/SM weights by partition, where measured intervals do not have them; 0 is dedicated."""
    partition: str | None = None
    """The partition of the system that measured the intervals."""
    assumed: Assumed = field(default_factory=Assumed)


def check(options: AdviceOptions) -> SliceRequest:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions.of(at=["20 ms", "5"])).at
    (20.0, 10.0)
    """
    problems: list[Problem] = []
    at = tuple(found for text in options.at if (found := _slice(str(text), "at", problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems, _TARGETS) if options.target is not None else None
    text = options.own.get("slices")
    slice_ms = _slice(text, "slices", problems) if text is not None else None
    shares = _shares(options.own.get("share", ()), problems)
    weights = _weights(options.own.get("weight", ()), problems)
    assumed = Assumed(**assumed_of(options.assume, _ASSUMPTIONS, problems))
    if problems:
        raise refusal(*problems)
    return SliceRequest(at, growth, target, slice_ms, shares, weights, options.own.get("partition"), assumed)


def _weights(texts: Sequence[str], problems: list[Problem]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in (part.strip() for given in texts for part in given.split(",")):
        parts = re.fullmatch(r"(\S+?)\s*=\s*([1-9][0-9]{0,2}|DED)", text, re.IGNORECASE)
        if parts is None:
            allowed = "NAME=N, N from 1 to 999, or NAME=DED for dedicated processors"
            problems.append(problem(f"not a weight: {text}", key="weight", allowed=allowed))
        else:
            found[parts[1].upper()] = 0.0 if parts[2].upper() == "DED" else float(parts[2])
    return found


def _slice(text: str, key: str, problems: list[Problem]) -> float | None:
    """A span, or a scheduling parameter."""
    if re.fullmatch(r"\s*[0-9]+\s*", text) and int(text) in PARAMETERS:
        return parameter_slice_ms(int(text))
    found = milliseconds(text.strip())
    if found is not None and _SHORTEST_MS <= found <= _LONGEST_MS:
        return found
    why = "a slice is a time with its unit; a bare number is a scheduling parameter"
    problems.append(
        problem(f"not a slice: {text}", key=key, why=why, allowed="0.1 ms to 1 s, or a scheduling parameter 1 to 5")
    )
    return None


def _shares(texts: Sequence[str], problems: list[Problem]) -> tuple[float, ...]:
    found: list[float] = []
    wrong = False
    for text in (part for given in texts for part in given.split(",")):
        share = _share(text.strip())
        if share is None or share == 0:
            wrong = True
            problems.append(
                problem(f"not a share: {text.strip()}", key="share", allowed="over 0 % to 100 %, as in 50%")
            )
        else:
            found.append(share)
    if not wrong and sum(found) > 1 + 1e-9:
        total = f"{100 * sum(found):g} %"
        problems.append(problem(f"the shares add up to {total}", key="share", allowed="together at most 100 %"))
    return tuple(found)


def _share(text: str) -> float | None:
    found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]*)?|\.[0-9]+)\s*%", text)
    return float(found[1]) / 100 if found and float(found[1]) <= 100 else None


def _busy(text: str) -> tuple[float, ...] | None:
    found = [_share(part.strip()) for part in text.split(",")]
    return None if any(share is None for share in found) else tuple(share for share in found if share is not None)


def _short(text: str) -> float | None:
    found = milliseconds(text)
    return found if found is not None and found <= 100 else None


def _weight(text: str) -> float | None:
    found = re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", text)
    return float(text) if found else None


def _points(text: str) -> float | None:
    share = _share(text)
    return None if share is None else 100 * share


_ASSUMPTIONS: Assumptions = {
    "switch": ("switch_ms", _short, "a time up to 100 ms: 0.1 ms"),
    "processor": ("processor", _weight, "the number of waiting I/Os that cost as much as a lost processor: 0 to 9999"),
    "partitions": ("partitions", count(2, 99), "the number of partitions that share the processors, 2 to 99"),
    "processors": ("processors", count(1, 256), "the number of shared processors, 1 to 256"),
    "busy": ("busy", _busy, "the part of its share of the processors that each partition uses: 82%, or 82%,60%"),
    "slih": ("slih_ms", _short, "a time up to 100 ms: 0.15 ms"),
    "service": ("service", word("rotating", "constant", "exponential"), "rotating, constant, exponential"),
    "arrivals": ("arrivals", word("closed", "open"), "closed, open"),
    "margin": ("margin_percent", _points, "a share, 0 % to 100 %: 2 %"),
}
