"""Groups of like intervals of a day: few enough to be simulated, each narrow enough to be taken as one load."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from slicewright.experiment.outcome import Array

ALIKE = 0.1
"""ASSUME: intervals are alike while no value of two differs by more than this share of the day's largest."""

MOST_GROUPS = 8
"""Groups over all pools of a day, which bounds what is simulated."""

LEAST_GROUPS = 2
"""Groups that each pool may have, however many pools there are."""


def alike(values: Array, kinds: Sequence[Hashable], most: int = MOST_GROUPS) -> list[list[int]]:
    """Groups of rows (rows x values, none negative) as lists of row numbers, in the order of their first rows.

    Rows of different kinds are never together.  Values are taken as shares of the largest; the last of a row says how
    much it matters.  Until all are alike, or there are `most` groups, one group is halved at the middle of the value
    with the widest range: the group in which that range, times the largest last value, is the largest.

    >>> alike(np.array([[100.0], [104.0], [300.0]]), "AAA"), alike(np.array([[1.0], [1.0]]), "AB")
    ([[0, 1], [2]], [[0], [1]])
    """
    shares = values / np.maximum(values.max(axis=0), np.finfo(float).tiny)
    groups: list[list[int]] = [[at for at, kind in enumerate(kinds) if kind == each] for each in dict.fromkeys(kinds)]
    while len(groups) < most:
        widths = np.array([np.ptp(shares[group], axis=0) for group in groups])
        weights = np.array([shares[group, -1].max() for group in groups])
        urgent = np.where(widths > ALIKE, widths * weights[:, None], 0.0)
        if not urgent.any():
            break
        place, value = np.unravel_index(int(urgent.argmax()), urgent.shape)
        group = groups.pop(int(place))
        column = shares[group, value]
        middle = (column.min() + column.max()) / 2
        groups.append([row for row in group if shares[row, value] <= middle])
        groups.append([row for row in group if shares[row, value] > middle])
    return sorted(groups)


def groups_each(pools: int) -> int:
    """The groups that each of several pools may have.

    >>> groups_each(1), groups_each(3), groups_each(20)
    (8, 2, 2)
    """
    return max(LEAST_GROUPS, MOST_GROUPS // max(1, pools))
