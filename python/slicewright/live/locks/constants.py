"""The constants of a machine that a simulation of locks needs, each measured apart from the locks under test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

YieldRule = Literal["forfeit", "deadline"]
"""What sched_yield takes from its caller: the rest of its virtual slice, or only its place by deadline."""

HALF = 0.25
"""A thread that yields beside one that computes has half of the processor, or next to nothing: the border."""

KERNEL_SLICE_MS, MOST_COUNTED = 0.7, 8
"""The kernel's base slice: .7 ms x (1 + log2 of its processors, 8 at most), since 6.16."""


@dataclass(frozen=True)
class Constants:
    """Spans in ns: a turn of work, a try, the calls that yield, sleep and wake, a switch; then the scheduler's.

    >>> constants = Constants.of({"yields_per_s": 1000.0, "yielder_share": 0.01, "turn_ns": 0.2}, 4.0, 2)
    >>> constants.base_slice_ms, constants.sched_yield
    (1.0, 'forfeit')
    """

    turn_ns: float = 1.0
    attempt_ns: float = 10.0
    yield_ns: float = 300.0
    switch_ns: float = 1000.0
    sleep_ns: float = 300.0
    wake_ns: float = 1000.0
    yields_per_s: float = 0.0
    yielder_share: float = 0.0
    tick_ms: float = 4.0
    base_slice_ms: float = 3.0
    sched_yield: YieldRule = "forfeit"

    @staticmethod
    def of(costs: Mapping[str, float], tick_ms: float, processors: int) -> Constants:
        """The constants from what was measured on a processor.

        A kernel whose yields forfeit a slice says by their rate how long a slice is: beside a thread that computes, a
        yield costs one.  Another one shows it in /proc/self/sched, or has the usual one.
        """
        rule: YieldRule = "deadline" if costs["yielder_share"] > HALF else "forfeit"
        measured = 1000.0 / costs["yields_per_s"] if costs["yields_per_s"] > 0 else math.nan
        slice_ms = measured if rule == "forfeit" else shown_slice_ms()
        if not 0.1 <= slice_ms <= 1000.0:
            slice_ms = KERNEL_SLICE_MS * (1 + math.floor(math.log2(min(processors, MOST_COUNTED))))
        return Constants(**dict(costs), tick_ms=tick_ms, base_slice_ms=slice_ms, sched_yield=rule)

    def turns(self, us: float) -> int:
        """Turns of the loop that take so long.

        >>> Constants(turn_ns=0.5).turns(10.0)
        20000
        """
        return round(us * 1000 / self.turn_ns)

    def as_json(self) -> dict[str, Any]:
        """The same as one flat object."""
        return asdict(self)


def shown_slice_ms(file: Path = Path("/proc/self/sched")) -> float:
    """The base slice that the kernel shows, in ms; not a number where it shows none.

    >>> shown_slice_ms(Path("/no/such"))
    nan
    """
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return math.nan
    found = [line.split(":")[1] for line in lines if line.startswith("se.slice")]
    return int(found[0]) / 1e6 if found and found[0].strip().isdigit() else math.nan


@dataclass(frozen=True)
class Alone:
    """The times of one thread alone, in us: work outside, the way to the lock, the time under it.

    >>> Alone(100.0, 0.25, 2.0).turn_us
    102.25
    """

    outside_us: float
    take_us: float
    hold_us: float

    @property
    def turn_us(self) -> float:
        """Processor time of a turn."""
        return self.outside_us + self.take_us + self.hold_us
