"""How many processors a control program used over time, and what it decided that from.

It leaves out which they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright.plots.drawing import INK, SERIES, STYLES, figure_of, ink, legend, numbers, svg_of, whole_numbers

if TYPE_CHECKING:
    import polars


def decisions_steps(decisions: polars.DataFrame) -> str:
    """Processors unparked from each decision on, with what was used, predicted and added before it; SVG text.

    `decisions` is `Run.decisions` of one partition, or any frame with at_s, used, predicted, cpupad, entitled, hoped
    and after, in the order of time.  Raises ValueError without rows.

    >>> import polars
    >>> row = {"at_s": [0.0, 2.0], "used": [7.0, 7.5], "predicted": [7.2, 7.6], "cpupad": [1.0, 1.0]}
    >>> row |= {"entitled": [16.0, 16.0], "hoped": [0.0, 0.0], "after": [9.0, 9.0]}
    >>> "unparked" in decisions_steps(polars.DataFrame(row))
    True
    """
    if decisions.is_empty():
        raise ValueError("nothing was decided")
    at = numbers(decisions["at_s"])
    used, predicted, pad = (numbers(decisions[name]) for name in ("used", "predicted", "cpupad"))
    promised, hoped = (numbers(decisions[name]) for name in ("entitled", "hoped"))
    need = [a + b for a, b in zip(predicted, pad, strict=True)]
    ceiling = [a + b for a, b in zip(promised, hoped, strict=True)]
    with ink():
        figure = figure_of(9.4, 2.9)
        axis = figure.subplots()
        axis.step(
            at, numbers(decisions["after"]), STYLES[0], where="post", color=SERIES[0], linewidth=2.2, label="unparked"
        )
        axis.step(at, used, STYLES[2], where="pre", color=SERIES[2], linewidth=1.4, label="used until then")
        axis.step(at, need, STYLES[1], where="post", color=SERIES[1], linewidth=1.4, label="predicted + CPUPAD")
        axis.step(at, ceiling, STYLES[3], where="post", color=INK, linewidth=1.2, label="entitled + hoped for")
        axis.set_ylim(0, 1.1 * max([*numbers(decisions["after"]), *used, *ceiling, 1.0]))
        axis.margins(x=0.01)
        axis.set_title("Processors", loc="left")
        axis.set_xlabel("Seconds from the start of the first interval")
        if at[0] < 0:
            axis.axvspan(at[0], 0, color=INK, alpha=0.05, linewidth=0, label="warm-up")
        whole_numbers(axis, [0.5])
        legend(figure, [axis])
        return svg_of(figure, "decisions")
