"""The directions that the document states and the study is judged by beside its cells: which way gains go, and why."""

from __future__ import annotations

from collections.abc import Iterable

from slicewright.results.judge import Cell
from slicewright.study.diag9c.cases import ROOMY, RUNS
from slicewright.study.ensemble.directions import Direction, Found, Key, Rule, direction, growing

FAR_LOWER = 0.8
"""Throughput with spin_retry 0 over that with 1000 below which it is “much lower”."""

NO_GAIN = 1.0
"""Gain in percent below which none is had."""

GAIN = "throughput_gain_percent"


def directions(cells: Iterable[Cell]) -> list[Direction]:
    """Those directions of which everything needed is among the cells: judged ones, and those of sets beside them.

    >>> directions([])
    []
    """
    found = {cell.place.key: cell.estimate for cell in cells}
    made = (direction(found, what, keys, rule) for what, keys, rule in _RULES)
    return [each for each in [*made, _roomy(found)] if each is not None]


def _grows_to_e(values: list[float]) -> bool:
    return growing(values[:-1]) and values[-2] <= values[-1]


def _far_lower(values: list[float]) -> bool:
    return values[0] < FAR_LOWER * values[1] and values[2] < FAR_LOWER * values[3]


def _above(values: list[float]) -> bool:
    half = len(values) // 2
    return all(value > other for value, other in zip(values[:half], values[half:], strict=True))


def _gains(runs: str) -> list[Key]:
    return [(f"run.{run}", GAIN, "") for run in runs]


_RULES: tuple[tuple[str, list[Key], Rule], ...] = (
    ("gains grow with contention, A < B < C <= E", _gains("ABCE"), _grows_to_e),
    ("E gains less than H, with spin_retry 0", _gains("EH"), growing),
    (
        f"throughput of both runs with spin_retry 0 is below {FAR_LOWER:g} of E's (H and E with X'44', then X'9C')",
        [(f"run.{run}", f"{part}.throughput", "") for part in ("diag44", "diag9c") for run in "HE"],
        _far_lower,
    ),
    ("X gains less than E, on the faster machine", _gains("XE"), growing),
    (
        "the share of fast-path X'44' is above the share of empty vectors in every run",
        [(f"run.{run}", f"diag44.{row}_percent", "") for row in ("fast_path", "pldv_empty") for run in RUNS],
        _above,
    ),
)


def _roomy(found: Found) -> Direction | None:
    """None without contention: under one percent, or within noise."""
    own = found.get((f"run.{ROOMY}", GAIN))
    if own is None:
        return None
    holds = abs(own.mean) < NO_GAIN or abs(own.mean) <= own.half_width
    what = "nothing is gained without contention (A with a processor for each virtual one)"
    return Direction(what, holds, f"{own.mean:.2f} ± {own.half_width:.2f} %", 0, 0)
