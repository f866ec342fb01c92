"""Pictures of spin locks: what yields do, and what turns do, the more other machines want the processors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from slicewright import Run, run
from slicewright.report.figure import Figure, Panel, Series
from slicewright.statistics import estimate

ORDERS = ("unordered", "ticket", "queued")
YIELDS = {"never": "never", "x44": "X'44'", "x9c": "X'9C'", "sense-running": "sense-running"}
OTHERS = (0, 1, 2, 3, 4, 6, 8, 10, 12)
"""How many other machines there are, each of which wants half a processor."""
PROCESSORS = 4
LENGTH = {"measure.interval": "0.4 s", "measure.warm_up": "0.1 s"}


def yields() -> Figure:
    """The fast path over empty vectors, how long locks are held, and how often they are taken."""
    x44 = [_spinning(others, "x44", "unordered") for others in OTHERS]
    fast = [
        _curve(x44, ("control_programs", "fast_x44_percent"), "X'44' on the fast path"),
        _curve(x44, ("control_programs", "vector_empty_percent"), "vector empty"),
    ]
    ways = {words: [_spinning(others, how, "unordered") for others in OTHERS] for how, words in YIELDS.items()}
    held = [_curve(runs, ("spin_locks", "held_us"), words) for words, runs in ways.items()]
    taken = [_per_ms(runs, words) for words, runs in ways.items()]
    panels = [Panel("%", fast), Panel("Lock held, us", held), Panel("Lock taken, per ms", taken)]
    return Figure(panels, "Other machines")


def lock_orders() -> Figure:
    """Acquisitions of the lock by its next holder, a panel for each way to yield."""
    panels = []
    for how in ("never", "x44", "x9c"):
        curves = [_per_ms([_spinning(others, how, order) for others in OTHERS], order) for order in ORDERS]
        panels.append(Panel(f"Taken per ms, {YIELDS[how]}", curves))
    return Figure(panels, "Other machines")


def _per_ms(runs: Sequence[Run], label: str) -> Series:
    return _curve(runs, ("spin_locks", "taken_per_s"), label, 1000)


def _curve(runs: Sequence[Run], counter: tuple[str, str], label: str, divisor: float = 1) -> Series:
    """A counter of the only row of a table."""
    table, name = counter
    found = [estimate((run.raw[table][name] / divisor).to_list()) for run in runs]
    noise = [point.half_width for point in found]
    return Series(OTHERS, [point.mean for point in found], half_width=noise, label=label)


@cache
def _spinning(others: int, yields: str, order: str) -> Run:
    return run(_text(yields, order) + (_others(others) if others else ""), replications=5, set=LENGTH)


def _others(count: int) -> str:
    return f"""
[[virtual_machine]]
name = "OTHER"
partition = "ZVM"
count = {count}

[[guest]]
name = "OTHERS"
virtual_machine = "OTHER"
count = {count}
program = [ {{ think = {{ exponential = "2 ms" }} }}, {{ compute = {{ exponential = "2 ms" }} }} ]
"""


def _text(yields: str, order: str) -> str:
    return f"""
name = "a machine that spins"
assume = "an example"

[cec]
processors = {PROCESSORS}
dispatcher = "prsm"

[[partition]]
name = "ZVM"
logical_processors = {PROCESSORS}
mode = "UP"
control_program = {{ polarization = "horizontal", horizontal_stealing = "eager", homes = "drawn" }}

[[virtual_machine]]
name = "V"
partition = "ZVM"
virtual_processors = 4
yields = "{yields}"

[[spin_lock]]
name = "LOCK"
virtual_machine = "V"
order = "{order}"

[[guest]]
name = "TASKS"
virtual_machine = "V"
count = 4
program = [
  {{ compute = {{ exponential = "60 us" }} }},
  {{ lock = "LOCK", steps = [ {{ compute = {{ exponential = "10 us" }} }} ] }},
]
"""
