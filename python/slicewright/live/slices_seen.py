"""The slices that a group really had, as its burner saw them: how long it ran, and how long it did not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, TypedDict

from slicewright.live.cells import or_nan
from slicewright.live.group import Limit
from slicewright.live.threads import Case


class KeptSlices(TypedDict):
    """The same as it is kept; null is a number that is not known.

    >>> "on_ms" in KeptSlices.__required_keys__
    True
    """

    case: Case
    slice_ms: float
    on_ms: float | None
    off_ms: float | None
    on_range_ms: tuple[float | None, float | None]
    periods: int
    throttled: int


@dataclass(frozen=True)
class SlicesSeen:
    """Means in ms of stretches on and off the processor, the shortest and longest stretch on, and two counters.

    >>> SlicesSeen("uniform", 30.0, 29.9, 30.1, (28.0, 32.0), 100, 99).throttled
    99
    """

    case: Case
    slice_ms: float
    on_ms: float
    off_ms: float
    on_range_ms: tuple[float, float]
    periods: int
    throttled: int

    def as_json(self) -> dict[str, Any]:
        """The same as one flat object."""
        return {**asdict(self), "on_range_ms": list(self.on_range_ms)}

    @staticmethod
    def of_json(value: KeptSlices) -> SlicesSeen:
        """Read back what `as_json` gave.

        >>> seen = SlicesSeen("uniform", 30.0, 29.9, 30.1, (28.0, 32.0), 100, 99)
        >>> SlicesSeen.of_json(seen.as_json()) == seen
        True
        """
        shortest, longest = map(or_nan, value["on_range_ms"])
        return SlicesSeen(
            value["case"], value["slice_ms"], or_nan(value["on_ms"]), or_nan(value["off_ms"]), (shortest, longest),
            value["periods"], value["throttled"],
        )  # fmt: skip


def stretches(gaps_ms: Sequence[tuple[float, float]], limit: Limit) -> tuple[list[float], list[float]]:
    """Lengths in ms of stretches on and off the processor; a gap is off when it has a third of what a limit leaves.

    >>> stretches([(30.0, 60.0), (70.0, 70.5), (90.0, 120.0)], Limit(30_000, 60_000))
    ([30.0], [30.0, 30.0])
    """
    least = (limit.period_us - limit.quota_us) / 3000
    off = [gap for gap in gaps_ms if gap[1] - gap[0] >= least]
    return [after[0] - before[1] for before, after in pairwise(off)], [end - begin for begin, end in off]


def slices_seen(
    case: Case, limit: Limit, seen: Sequence[tuple[Sequence[tuple[float, float]], Mapping[str, int]]]
) -> SlicesSeen:
    """The observations of the burners of one slice and case; each with its gaps in ms and the changes of cpu.stat.

    >>> slices_seen("uniform", Limit(30_000, 60_000), [([(30.0, 60.0), (90.0, 120.0)], {"nr_periods": 2})]).on_ms
    30.0
    """
    on: list[float] = []
    off: list[float] = []
    for gaps_ms, _ in seen:
        ran, stood = stretches(gaps_ms, limit)
        on += ran
        off += stood
    return SlicesSeen(
        case, limit.quota_us / 1000, _mean(on), _mean(off), (min(on, default=math.nan), max(on, default=math.nan)),
        sum(stat.get("nr_periods", 0) for _, stat in seen), sum(stat.get("nr_throttled", 0) for _, stat in seen),
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
