"""The directions of the document that the hardware form is judged by, set by set, beside its cells."""

from __future__ import annotations

from collections.abc import Iterable

from slicewright.study.ensemble.directions import Direction, Found, Key, Rule, direction, growing

GAIN = "gain_percent"

LITTLE = 3.0
"""Gain in percent below which the document reports little effect: the band of those cells."""

WITHOUT_EFFECT = {"figure1": (1, 4), "figure2": (1, 4, 8), "figure3": (1, 4), "figure4": (1, 4, 8)}

PARKED = ("6.3 CPUPAD 6400%", "6.3 CPUPAD 300%", "6.3 CPUPAD 100%")
"""Columns of Table 1 at N = 16, from no parking to the strongest."""


def _gains(figure: str, n_way: Iterable[int]) -> list[Key]:
    return [(figure, GAIN, f"n={n}") for n in n_way]


def _parked(row: str) -> list[Key]:
    return [("table1.n16", row, column) for column in PARKED]


def _little(values: list[float]) -> bool:
    return all(abs(value) < LITTLE for value in values)


def _falling(values: list[float]) -> bool:
    return growing(values[::-1])


_RULES: tuple[tuple[str, list[Key], Rule], ...] = (
    ("figure 4 gains more with every N (8, 16, 24, 32), %", _gains("figure4", (8, 16, 24, 32)), growing),
    ("figure 2 gains more at N = 24 than at 16, %", _gains("figure2", (16, 24)), growing),
    (
        f"the ten points without effect gain less than {LITTLE:g} %",
        [key for figure, n_way in WITHOUT_EFFECT.items() for key in _gains(figure, n_way)],
        _little,
    ),
    ("fewer processors are unparked at CPUPAD 6400, 300 and 100 %", _parked("unparked_lpus"), _falling),
    (
        "parking cuts non-chargeable time (CPUPAD 6400, 300, 100 %), % of a processor",
        _parked("nonchargeable_cp_percent"),
        _falling,
    ),
    ("parking cuts spin (CPUPAD 6400, 300, 100 %), s/s", _parked("srmslock_spin_s_per_s"), _falling),
    ("parking cuts throughput (CPUPAD 6400, 300, 100 %), tx/s", _parked("transactions_per_s"), _falling),
)


def directions(found: Found) -> list[Direction]:
    """Those directions of which every set has all values.

    >>> directions({})
    []
    """
    made = (direction(found, what, keys, rule) for what, keys, rule in _RULES)
    return [each for each in made if each is not None]
