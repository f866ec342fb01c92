"""The picture of a scheduler lock whose holder PR/SM may take off its processor, for three ways to yield."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import estimate

YIELDS = {"never": "never", "x44": "X'44'", "x9c": "X'9C'"}
"""SIGP Sense Running Status would change nothing: PR/SM takes no time."""
PROCESSORS = 4
OTHERS = (0, 1, 2, 3, 4, 6)
"""How many logical processors the other partition has."""
LENGTH = {"measure.interval": "1.5 s", "measure.warm_up": "0.1 s"}


def held_up() -> Figure:
    """Cost of spinning for it, and work of the guests, over the size of another partition."""
    runs = {words: [_above(others, yields) for others in OTHERS] for yields, words in YIELDS.items()}
    panels = []
    for counter, divisor, label in (
        ("spin_percent", 1, "Spinning, % of a processor"),
        ("taken_per_s", 1000, "List operations per ms"),
    ):
        panels.append(
            Panel(label, [_curve(partitions, (counter, divisor), words) for words, partitions in runs.items()])
        )
    return Figure(panels, "Logical processors of the other partition")


def _curve(runs: Sequence[Run], counter: tuple[str, float], label: str) -> Series:
    """A counter of the only lock, divided by a factor."""
    name, divisor = counter
    found = [estimate((run.raw["locks"][name] / divisor).to_list()) for run in runs]
    return Series(
        OTHERS, [point.mean for point in found], half_width=[point.half_width for point in found], label=label
    )


@cache
def _above(others: int, yields: str) -> Run:
    other = f"""
[[partition]]
name = "OTHER"
logical_processors = {others}
weight = 500

[[guest]]
name = "BATCH"
partition = "OTHER"
count = {others}
program = [ {{ compute = {{ exponential = "20 ms" }} }}, {{ think = {{ exponential = "5 ms" }} }} ]
"""
    text = f"""
name = "a lock above PR/SM"
assume = "an example"

[cec]
processors = {PROCESSORS}
dispatcher = "prsm"

[[partition]]
name = "ZVM"
logical_processors = {PROCESSORS}
weight = 500
control_program = {{ polarization = "horizontal", lock = {{ hold = "2 us", handover = "fifo", yields = "{yields}" }} }}

[[virtual_machine]]
name = "V"
partition = "ZVM"
count = 24

[[guest]]
name = "TASKS"
virtual_machine = "V"
count = 24
program = [ {{ think = {{ exponential = "300 us" }} }}, {{ compute = {{ exponential = "40 us" }} }} ]
"""
    return run(text + (other if others else ""), replications=6, set=LENGTH)
