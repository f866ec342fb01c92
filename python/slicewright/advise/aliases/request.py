"""What is asked about aliases: the options of `advise` as typed, and as checked, with every problem found at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from slicewright._core import channel_types, redispatch_policies
from slicewright.advise.assumptions import Assumptions, assumed_of, count, milliseconds, word
from slicewright.advise.options import AdviceOptions, growth_factor, share_of
from slicewright.advise.target import Target, parse_target
from slicewright.reading.accept import AIMED
from slicewright.values.errors import Problem, problem, refusal

REDISPATCH = tuple(redispatch_policies())
"""What happens to an alias that ends an I/O: not documented, so each is a reading."""

CHANNELS = {name: (per_io_ms, per_kib_ms) for name, per_io_ms, per_kib_ms in channel_types()}
"""The serial times of published channels, per I/O and per KiB."""

_KNEE_PERCENT = 5.0
"""How near to unlimited aliases the response must be at the knee."""

_MOST_ALIASES = 4096


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions beyond the report; None is not known.  Times in ms, shares in percent."""

    gap_ms: float | None = None
    think_ms: float | None = None
    sharing_percent: float | None = None
    population: int | None = None
    redispatch: str | None = None
    arrivals: str | None = None
    margin_percent: float = 100 * AIMED
    channel_busy_percent: float | None = None
    channel: str | None = None
    io_kib: float | None = None
    knee_percent: float = _KNEE_PERCENT


@dataclass(frozen=True, slots=True)
class DeviceRange:
    """A range of device numbers, both ends in it.

    >>> "5230" in DeviceRange(0x522A, 0x5231), "5249" in DeviceRange(0x522A, 0x5231)
    (True, False)
    """

    first: int
    last: int

    def __contains__(self, device: str) -> bool:
        """Whether a device number (four hex digits) lies in the range."""
        return self.first <= int(device, 16) <= self.last


@dataclass(frozen=True, slots=True)
class AliasRequest:
    """The options after checking: `growth` is a factor (1 is none), `pools` the ranges of each pool named,
    `pool_listing` the file with the members of each pool.
    """

    at: tuple[int, ...] = ()
    growth: float = 1.0
    target: Target | None = None
    pools: tuple[tuple[DeviceRange, ...], ...] = ()
    assumed: Assumed = field(default_factory=Assumed)
    pool_listing: str | None = None
    aliases: Mapping[str, int] = field(default_factory=dict)
    """HyperPAV aliases by LCU, which an RMF page does not give; "" is every LCU."""
    paths: int | None = None
    """Channel paths of the volumes, where a page beside that of devices gives them."""
    channels: str = ""
    """The page that gives the utilization of the channels; empty where it is assumed."""
    beside: tuple[str, ...] = ()
    """Facts of files beside the page of devices, in words."""


def check(options: AdviceOptions) -> AliasRequest:
    """The options checked; raises InputError with every problem in them.

    >>> check(AdviceOptions.of(at=["8"], growth="20%", pool=["522A-5231"])).growth
    1.2
    """
    problems: list[Problem] = []
    at = tuple(count for text in options.at if (count := _count(text, problems)) is not None)
    growth = growth_factor(options.growth, problems)
    target = parse_target(options.target, problems) if options.target is not None else None
    own = options.own
    pools = tuple(_pool(text, problems) for text in own.get("pool", ()))
    aliases = _aliases(own.get("aliases", ()), problems)
    assumed = Assumed(**assumed_of(options.assume, _ASSUMPTIONS, problems))
    if own.get("pool") and own.get("pool_listing") is not None:
        problems.append(problem("both give the members of pools", key="pool, pool-listing", allowed="one of them"))
    if problems:
        raise refusal(*problems)
    return AliasRequest(at, growth, target, pools, assumed, own.get("pool_listing"), aliases)


def _count(text: str | int, problems: list[Problem]) -> int | None:
    if re.fullmatch(r"\d{1,4}", str(text).strip()) and int(text) <= _MOST_ALIASES:
        return int(text)
    problems.append(problem(f"not a number of aliases: {text}", key="at", allowed=f"0 to {_MOST_ALIASES:,}"))
    return None


def _aliases(texts: Sequence[str], problems: list[Problem]) -> dict[str, int]:
    """HyperPAV aliases by LCU; a number alone is for every LCU."""
    found: dict[str, int] = {}
    for text in (part.strip() for given in texts for part in given.split(",")):
        parts = re.fullmatch(r"(?:([0-9A-Fa-f]{2,4})\s*=\s*)?([0-9]{1,4})", text)
        if parts is None or int(parts[2]) > _MOST_ALIASES:
            allowed = f"LCU=N, as in 0016=8, N from 0 to {_MOST_ALIASES:,}; N alone is for every LCU"
            problems.append(problem(f"not a number of aliases: {text}", key="aliases", allowed=allowed))
        else:
            found[(parts[1] or "").upper()] = int(parts[2])
    return found


def _pool(text: str, problems: list[Problem]) -> tuple[DeviceRange, ...]:
    spans = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9A-Fa-f]{4})(?:\s*-\s*([0-9A-Fa-f]{4}))?\s*", part)
        span = DeviceRange(int(found[1], 16), int(found[2] or found[1], 16)) if found else None
        if span is None or span.first > span.last:
            why = "device numbers are four hexadecimal digits, lower one first"
            problems.append(problem(f"not a range: {part.strip()}", key="pool", why=why, allowed="522A-5231"))
        else:
            spans.append(span)
    return tuple(spans)


def _kib(text: str) -> float | None:
    found = re.fullmatch(r"(\d{1,5}(?:\.\d+)?|\.\d+) ?KiB", text)
    return float(found[1]) if found and float(found[1]) <= 65_536 else None


_ASSUMPTIONS: Assumptions = {
    "gap": ("gap_ms", milliseconds, "a time: 0.05 ms"),
    "think": ("think_ms", milliseconds, "a time: 0.3 ms"),
    "sharing": ("sharing_percent", share_of, "a share, 0 % to 100 %: 2.1 %"),
    "population": ("population", count(1, 999), "requests per volume, 1 to 999"),
    "redispatch": ("redispatch", word(*REDISPATCH), ", ".join(REDISPATCH)),
    "arrivals": ("arrivals", word("closed", "open"), "closed, open"),
    "margin": ("margin_percent", share_of, "a share, 0 % to 100 %: 2 %"),
    "channel_busy": ("channel_busy_percent", share_of, "a share, 0 % to 100 %: 40 %"),
    "channel": ("channel", word(*CHANNELS), ", ".join(CHANNELS)),
    "io_size": ("io_kib", _kib, "an amount of data, 0 to 65,536 KiB: 24 KiB"),
    "knee": ("knee_percent", share_of, "a share, 0 % to 100 %: 5 %"),
}
