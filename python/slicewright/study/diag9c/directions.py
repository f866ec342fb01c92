"""The directions that the document states and the study is judged by beside its cells: which way gains go, and why."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from slicewright.statistics import Estimate, fixed
from slicewright.study.cells import Cell
from slicewright.study.diag9c.cases import ROOMY, RUNS

FAR_LOWER = 0.8
"""Throughput with spin_retry 0 over that with 1000 below which it is “much lower”."""

NO_GAIN = 1.0
"""Gain in percent below which none is had."""

Found = Mapping[tuple[str, ...], Estimate]

GAIN = "throughput_gain_percent"


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction: whether it holds of the means over the ensemble, what was found, and of how many sets it holds.

    >>> Direction("gains grow", True, "1 to 2 %", 7, 8).said
    'holds (in 7 of 8 sets): gains grow: 1 to 2 %'
    """

    what: str
    holds: bool
    found: str
    sets: int
    of: int

    @property
    def said(self) -> str:
        """The direction in one line."""
        verdict = "holds" if self.holds else "does not hold"
        does = "" if self.holds else "it does "
        among = f" ({does}in {self.sets} of {self.of} sets)" if self.of else ""
        return f"{verdict}{among}: {self.what}: {self.found}"


def directions(cells: Iterable[Cell]) -> list[Direction]:
    """Those directions of which everything needed is among the cells: judged ones, and those of sets beside them.

    >>> directions([])
    []
    """
    found = {cell.place.key: cell.estimate for cell in cells}
    made = (_of(found, what, keys, rule) for what, keys, rule in _RULES)
    return [direction for direction in [*made, _roomy(found)] if direction is not None]


Rule = Callable[[list[float]], bool]


def _growing(values: list[float]) -> bool:
    return all(value < other for value, other in itertools.pairwise(values))


def _grows_to_e(values: list[float]) -> bool:
    return _growing(values[:-1]) and values[-2] <= values[-1]


def _far_lower(values: list[float]) -> bool:
    return values[0] < FAR_LOWER * values[1] and values[2] < FAR_LOWER * values[3]


def _above(values: list[float]) -> bool:
    half = len(values) // 2
    return all(value > other for value, other in zip(values[:half], values[half:], strict=True))


def _gains(runs: str) -> list[tuple[str, str]]:
    return [(f"run.{run}", GAIN) for run in runs]


_RULES: tuple[tuple[str, list[tuple[str, str]], Rule], ...] = (
    ("gains grow with contention, A < B < C <= E", _gains("ABCE"), _grows_to_e),
    ("E gains less than H, with spin_retry 0", _gains("EH"), _growing),
    (
        f"throughput of both runs with spin_retry 0 is below {FAR_LOWER:g} of E's (H and E with X'44', then X'9C')",
        [(f"run.{run}", f"{part}.throughput") for part in ("diag44", "diag9c") for run in "HE"],
        _far_lower,
    ),
    ("X gains less than E, on the faster machine", _gains("XE"), _growing),
    (
        "the share of fast-path X'44' is above the share of empty vectors in every run",
        [(f"run.{run}", f"diag44.{row}_percent") for row in ("fast_path", "pldv_empty") for run in RUNS],
        _above,
    ),
)


def _of(found: Found, what: str, keys: list[tuple[str, str]], rule: Rule) -> Direction | None:
    """A direction of the means over sets, and set by set."""
    columns = sorted({key[2] for key in found if key[:2] == keys[0] and key[2:] and key[2].startswith("set ")})
    by_set = [
        [found[*key, column].mean for key in keys] for column in columns if all((*k, column) in found for k in keys)
    ]
    if not by_set:
        return None
    means = [sum(values) / len(values) for values in zip(*by_set, strict=True)]
    shown = ", ".join(fixed(mean, 0 if mean >= 1000 else 1) for mean in means)
    return Direction(what, rule(means), shown, sum(map(rule, by_set)), len(by_set))


def _roomy(found: Found) -> Direction | None:
    """None without contention: under one percent, or within noise."""
    own = found.get((f"run.{ROOMY}", GAIN))
    if own is None:
        return None
    holds = abs(own.mean) < NO_GAIN or abs(own.mean) <= own.half_width
    what = "nothing is gained without contention (A with a processor for each virtual one)"
    return Direction(what, holds, f"{own.mean:.2f} ± {own.half_width:.2f} %", 0, 0)
