"""The picture of dispatching: eight logical processors for 40 ms, in horizontal and in vertical mode.

The control program's own path is too short to be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicewright import Timeline, trace
from slicewright.report.figure import Figure, Look, Panel, Series

if TYPE_CHECKING:
    import polars

MACHINES = "ABCD"
PROCESSORS, OF_A_CHIP = 8, 4
FROM_S, FOR_S = 0.0, 0.04
STRENGTHS = (0.85, 0.55, 0.3)
"""How strong the colour of a machine is, by the number of the virtual processor."""


def strip() -> Figure:
    """A strip for each logical processor, in which boxes are virtual processors, coloured by machine and named."""
    panels = []
    for mode in ("horizontal", "vertical"):
        timeline = trace(_scenario(mode), from_s=FROM_S, for_s=FOR_S)
        rows = _runs(timeline)
        title = f"{mode.capitalize()}: {_moved(rows)} moves, {_moved(rows, OF_A_CHIP)} to another chip"
        names = [f"{number}{'  (chip 2)' if number == OF_A_CHIP else ''}" for number in range(PROCESSORS)]
        panels.append(
            Panel("Simulated time, ms", [_boxes(rows, timeline.from_us)], title=title, names=names,
                  limits=(0, 1000 * FOR_S))
        )  # fmt: skip
    return Figure(panels, "Logical processor", layout="rows")


def _runs(timeline: Timeline) -> list[dict[str, float | str]]:
    """Runs of virtual processors on logical ones, by time; one that is interrupted goes on as the same run."""
    import polars as pl

    spans: polars.DataFrame = timeline.spans
    own = spans.filter((pl.col("kind") == "logical-processor") & pl.col("holder").is_not_null())
    own = own.with_columns(pl.col("to_us").fill_null(timeline.to_us), pl.col("from_us").clip(timeline.from_us))
    return own.sort("from_us").to_dicts()


def _moved(rows: list[dict[str, float | str]], cores: int = 1) -> int:
    """Number of moves of a virtual processor to another group of processors."""
    last: dict[str, int] = {}
    moves = 0
    for row in rows:
        who, place = str(row["holder"]), _number(row) // cores
        moves += last.get(who, place) != place
        last[who] = place
    return moves


def _boxes(rows: list[dict[str, float | str]], from_us: float) -> Series:
    low, high = ([(float(row[side]) - from_us) / 1000 for row in rows] for side in ("from_us", "to_us"))
    places = [_who(str(row["holder"])) for row in rows]
    return Series(
        [_number(row) for row in rows], [None] * len(rows), None, "", "spans", low, high,
        names=[f"{MACHINES[machine]}{number + 1}" for machine, number in places],
        look=[Look(1 + machine, STRENGTHS[number]) for machine, number in places],
        groups=[f"machine {MACHINES[machine]}" for machine, _ in places], thickness=0.84,
    )  # fmt: skip


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
