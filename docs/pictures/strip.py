"""The picture of who runs where: eight logical processors for forty milliseconds, in horizontal and in vertical mode.

It leaves out the control program's own path, which is too short to be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright import Timeline, trace
from slicewright.plots.drawing import INK, PAPER, SERIES, figure_of, ink, svg_of

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes

MACHINES = "ABCD"
PROCESSORS, OF_A_CHIP = 8, 4
FROM_S, FOR_S = 0.0, 0.04
STRENGTHS = (1.0, 0.72, 0.45)
"""How strong the colour of a machine is, by the number of the virtual processor."""


def strip() -> str:
    """A strip for each logical processor, in which boxes are virtual processors, coloured by machine and named."""
    with ink():
        figure = figure_of(9.8, 3.4)
        axes = figure.subplots(1, 2, sharey=True)
        for axis, mode in zip(axes, ("horizontal", "vertical"), strict=True):
            timeline = trace(_scenario(mode), from_s=FROM_S, for_s=FOR_S)
            rows = _runs(timeline)
            moved = _moved(rows)
            _lanes(axis, rows, timeline.from_us)
            axis.set_title(f"{mode.capitalize()}: {moved} moves, {_moved(rows, OF_A_CHIP)} to another chip", loc="left")
        axes[0].set_ylabel("Logical processor")
        return svg_of(figure, "who runs where")


def _runs(timeline: Timeline) -> list[dict[str, float | str]]:
    """Runs of virtual processors on logical ones, by time; one that is interrupted goes on as the same run."""
    import polars as pl

    spans: polars.DataFrame = timeline.spans
    own = spans.filter((pl.col("kind") == "logical-processor") & pl.col("holder").is_not_null())
    own = own.with_columns(pl.col("to_us").fill_null(timeline.to_us), pl.col("from_us").clip(timeline.from_us))
    return own.sort("from_us").to_dicts()


def _moved(rows: list[dict[str, float | str]], cores: int = 1) -> int:
    """How often a virtual processor ran on another group of so many processors than before."""
    last: dict[str, int] = {}
    moves = 0
    for row in rows:
        who, place = str(row["holder"]), _number(row) // cores
        moves += last.get(who, place) != place
        last[who] = place
    return moves


def _lanes(axis: Axes, rows: list[dict[str, float | str]], from_us: float) -> None:
    for row in rows:
        machine, number = _who(str(row["holder"]))
        start, end = ((float(row[side]) - from_us) / 1000 for side in ("from_us", "to_us"))
        axis.barh(
            _number(row), end - start, left=start, height=0.84, color=SERIES[machine], alpha=STRENGTHS[number],
            edgecolor=PAPER, linewidth=0.6,
        )  # fmt: skip
        if end - start > 1.6:
            name, colour = f"{MACHINES[machine]}{number + 1}", INK if number else PAPER
            axis.text((start + end) / 2, _number(row), name, ha="center", va="center", fontsize=6, color=colour)
    axis.axhline(OF_A_CHIP - 0.5, color=INK, linewidth=1.0, linestyle=(0, (3, 2)))
    axis.set_ylim(PROCESSORS - 0.4, -0.6)
    axis.set_xlim(0, 1000 * FOR_S)
    axis.grid(visible=False, axis="y")
    axis.set_yticks(range(PROCESSORS))
    axis.set_xlabel("Simulated time, ms")


def _number(row: dict[str, float | str]) -> int:
    return int(str(row["lane"]).rsplit(" ", 1)[1])


def _who(holder: str) -> tuple[int, int]:
    """The machine and the number of a virtual processor.

    >>> _who("TEAM 3 VP 2")
    (3, 2)
    """
    words = holder.split()
    return int(words[-3]), int(words[-1])


def _scenario(mode: str) -> str:
    return f"""
name = "who runs where"
assume = "an example"

[cec]
processors = {PROCESSORS}
machine = "z10"
dispatcher = "prsm"

[[partition]]
name = "ZVM"
logical_processors = {PROCESSORS}
mode = "UP"
control_program = {{ polarization = "{mode}", method = "rebalance" }}

[[virtual_machine]]
name = "TEAM"
partition = "ZVM"
count = {len(MACHINES)}
virtual_processors = {len(STRENGTHS)}
footprint = "2 MiB"
touched_in = "1 ms"

[[guest]]
name = "TASKS"
virtual_machine = "TEAM"
count = {len(MACHINES) * len(STRENGTHS)}
program = [ {{ think = {{ exponential = "2 ms" }} }}, {{ compute = {{ exponential = "2 ms" }} }} ]

[measure]
interval = "1 s"
warm_up = "7 s"
"""
