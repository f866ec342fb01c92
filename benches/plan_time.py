"""`make bench`: the processor time of a plan for a machine of 12 volumes, 2 pools, 4 partitions and 8 purchases.

Some thousand sets of purchases are in question.  The time until the first list is shown beside the time of the whole
plan.  No number fails the run: a busy machine is no fault.  `python -m benches.plan_time profile` prints where the time
goes.
"""

import cProfile
import pstats
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table
from slicewright.explore.plan import Plan, plan

from benches import machine

PARTITIONS, VOLUMES = 4, 12
TARGET_FIRST_S, TARGET_S = 5, 30
"""Seconds on two quiet cores until the first list, and until the plan."""
GROWTH = "*=30%"
REQUIRE = ("max(guests.*.transaction_ms) <= 20", "max(volumes.*.response_ms) <= 4.8")
BUY = (
    "alias_pool.LSS60.aliases=+1..6 at 5 each", "alias_pool.LSS61.aliases=+1..6 at 5 each",
    "channel.*.type=FICON Express8S at 100", "channel.*.type=zHPF Express8S at 120", "cec.processors=+1..2 at 200 each",
    "cec.slice=2 ms at 10", "partition.P0.logical_processors=3 at 20", "partition.P1.logical_processors=3 at 20",
    "partition.*.slih=0.1 ms at 30", "partition.*.slih=0.05 ms at 60",
)  # fmt: skip

_PARTITION = """
[[partition]]
name = "P{at}"
logical_processors = 2
target = "25 %"
maximum = "50 %"
slih = "0.15 ms"

[[guest]]
name = "ORDERS{at}"
partition = "P{at}"
arrivals = "{rate}/s"
program = [
  {{ compute = {{ exponential = "1 ms" }} }},
  {{ repeat = 3, steps = [ {{ io = {{ uniform = [{names}], bytes = "8 KiB", reads = "75 %" }} }} ] }},
]
"""
_VOLUME = """
[[volume]]
name = "VOL{at:02}"
device = "{device:04X}"
partition = "P{partition}"
control_unit = "CU"
alias_pool = "LSS6{pool}"
service = {{ pend = "0.15 ms", connect = {{ exponential = "1.2 ms" }} }}
"""


def text() -> str:
    """The machine as a scenario: each partition has three volumes, and pools and channels are shared."""
    own = VOLUMES // PARTITIONS
    names = [", ".join(f'"VOL{at * own + more:02}"' for more in range(own)) for at in range(PARTITIONS)]
    tables = [
        'name = "Four partitions, two pools"', 'assume = "a machine for measuring"',
        '[cec]\nprocessors = 4\nslice = "5 ms"',
        *(f'[[channel]]\nname = "4{at}"\ntype = "FICON"' for at in range(2)),
        '[[control_unit]]\nname = "CU"\nchannels = ["40", "41"]',
        *(f'[[alias_pool]]\nname = "LSS6{at}"\naliases = 1' for at in range(2)),
        *(_PARTITION.format(at=at, rate=90 + 10 * at, names=names[at]) for at in range(PARTITIONS)),
        *(_VOLUME.format(at=at, device=0x6000 + at, partition=at // own, pool=at % 2) for at in range(VOLUMES)),
        '[measure]\ninterval = "60 s"\nwarm_up = "1 s"',
    ]  # fmt: skip
    return "\n".join(tables)


def planned(first: list[tuple[float, str]]) -> Plan:
    """The plan; `first` takes the processor time and the words of its first lists."""

    def told(found: dict[str, Any]) -> None:
        first.append((time.process_time(), f"cost {found['cost']:g}"))

    return plan(text(), BUY, REQUIRE, growth=GROWTH, first=told)


def main() -> int:
    """Measure and print."""
    console = Console()
    console.print(machine.description())
    first: list[tuple[float, str]] = []
    profile = cProfile.Profile() if sys.argv[1:] == ["profile"] else None
    started, clock = time.process_time(), time.perf_counter()
    found = profile.runcall(planned, first) if profile else planned(first)
    spent, passed = time.process_time() - started, time.perf_counter() - clock
    counts = found.answer.counts
    table = Table(title=f"{len(found.answer.purchases)} purchases, {counts['settings']:,} sets", title_justify="left")
    for heading in ("", "processor time, s", "wanted on 2 quiet cores, s"):
        table.add_column(heading, justify="right" if heading else "left")
    for when, words in first:
        table.add_row(f"so far: {words}", f"{when - started:.1f}", f"{TARGET_FIRST_S} (a clock)")
    cost = "none" if found.answer.chosen is None else f"cost {found.answer.chosen.cost:g}"
    table.add_row(f"the plan: {cost}", f"{spent:.1f}", f"{TARGET_S} (a clock)")
    console.print(table)
    console.print(f"{counts['simulated']:,} sets simulated in {counts['batches']:,} batches; {passed:.1f} s on a clock")
    if profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
