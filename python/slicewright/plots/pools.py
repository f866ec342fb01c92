"""Alias pools: how many aliases were free, from the fewest to the most, and how many tries found none.

It leaves out which volume asked: the counters do not tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.plots.drawing import INK, PAPER, SERIES, figure_of, ink, legend, numbers, svg_of

if TYPE_CHECKING:
    import polars

MOST = 40
"""Pools drawn; of more, those that failed most."""


def pools_free(pools: polars.DataFrame) -> str:
    """Free aliases of every pool (low water, mean, high water, beside how many it has) and fails per try; SVG text.

    `pools` is `Run.pools`, or any frame with pool, aliases, low_water, high_water, free_mean and fails_per_try; its
    half-width is drawn where it is there.

    >>> import polars
    >>> row = {"pool": ["A"], "aliases": [8.0], "low_water": [0.0], "high_water": [7.0], "free_mean": [1.2]}
    >>> "aliases" in pools_free(polars.DataFrame(row | {"fails_per_try": [0.44]}))
    True
    """
    shown = pools if pools.height <= MOST else pools.sort("fails_per_try", descending=True, nulls_last=True).head(MOST)
    names = [str(name) for name in shown["pool"]]
    with ink():
        figure = figure_of(9.4, 1.35 + 0.34 * len(names))
        free, fails = figure.subplots(1, 2, sharey=True, width_ratios=[2, 1])
        low, high = numbers(shown["low_water"]), numbers(shown["high_water"])
        free.hlines(names, low, high, color=SERIES[0], alpha=0.35, linewidth=7, label="low to high water")
        free.plot(numbers(shown["free_mean"]), names, "o", color=SERIES[0], markersize=5, label="free, mean")
        online = numbers(shown["aliases"])
        free.plot(online, names, "|", color=INK, markersize=14, markeredgewidth=1.6, label="aliases online")
        free.set_xlim(left=-0.03 * max([*online, 1.0]))
        free.set_xlabel("Free aliases")
        share = [100 * value for value in numbers(shown["fails_per_try"])]
        fails.barh(names, share, height=0.45, color=SERIES[1], hatch="////", edgecolor=PAPER, label="tries that failed")
        if "fails_per_try_half_width" in shown.columns:
            width = [100 * value for value in numbers(shown["fails_per_try_half_width"])]
            fails.errorbar(share, names, xerr=width, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
        fails.set_xlim(0, max(1.0, min(100.0, 1.2 * max([*share, 0.0]))))
        fails.set_xlabel("Fails per try, %")
        for axis in (free, fails):
            axis.grid(visible=False, axis="y")
        free.set_ylim(len(names) - 0.4, -0.6)
        legend(figure, (free, fails))
        return svg_of(figure, "pools")
