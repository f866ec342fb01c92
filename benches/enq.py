"""`make bench`: uncontended pairs of an ENQ and a DEQ beside `BEGIN IMMEDIATE; COMMIT` on SQLite in memory.

Each side runs twice: with as little Python as possible (a loop in the engine, a script of statements), and with a call
from Python per request. The engine also takes the requests as the rows of a frame, in one call. `cargo bench --package
serialization --bench pairs` times a plain lock table. There is no contention, and no number fails the run, as a machine
may be busy.
"""

import sqlite3
import sys
import time
from collections.abc import Callable
from statistics import median

import polars as pl
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from slicewright._core import Serialization, enq_pairs
from slicewright.serialization.enq import AUTHORIZED, UNAUTHORIZED, Resource, Service

from benches import machine

ROUNDS = 7
ENGINE_PAIRS = 2_000_000
CALLED_PAIRS = 100_000
SQLITE_PAIRS = 40_000
NAMES = 1_000
TARGET = 10.0
"""The wanted factor over the rate of SQLite."""
WANTED_NS = 150.0
"""The wanted time of a pair in the engine."""

BATCHED_PAIRS = 500_000
RESOURCES = [Resource("PAIRS", f"RESOURCE.{k}") for k in range(NAMES)]
REQUESTS = pl.select(pair=pl.int_range(2 * BATCHED_PAIRS) // 2).select(
    verb=pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("ENQ")).otherwise(pl.lit("DEQ")),
    resource=pl.col("pair") % NAMES,
    task=pl.lit(1),
)
BY = (1, 1, 1)
CALLER = ("SVC", False, False, False)


def engine(pairs: int = ENGINE_PAIRS) -> int:
    """Pairs in a loop of the engine, over a thousand names."""
    enq_pairs(pairs, NAMES)
    return pairs


def engine_called(pairs: int = CALLED_PAIRS) -> int:
    """The same, each request a call from Python with its name in it."""
    service = Serialization(UNAUTHORIZED, AUTHORIZED)
    names = [(b"PAIRS", f"RESOURCE.{k}".encode(), "SYSTEMS") for k in range(NAMES)]
    for k in range(pairs):
        name = names[k % NAMES]
        service.enq((BY, CALLER), name, ("EXCLUSIVE", "NONE", None))
        service.deq((BY, CALLER), name, "NONE")
    return pairs


def engine_batched(pairs: int = BATCHED_PAIRS) -> int:
    """The same, all requests in one call as the rows of a frame; making the frame is not timed."""
    Service(UNAUTHORIZED, AUTHORIZED).batch(RESOURCES, REQUESTS[: 2 * pairs])
    return pairs


def sqlite(pairs: int = SQLITE_PAIRS) -> int:
    """Pairs of statements in a script."""
    with _database() as connection:
        connection.executescript("BEGIN IMMEDIATE; COMMIT;" * pairs)
    return pairs


def sqlite_called(pairs: int = SQLITE_PAIRS) -> int:
    """The same, each statement a call from Python."""
    with _database() as connection:
        for _ in range(pairs):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("COMMIT")
    return pairs


SIDES: dict[str, Callable[[], int]] = {
    "engine": engine,
    "engine, called": engine_called,
    "engine, batched": engine_batched,
    "sqlite": sqlite,
    "sqlite, called": sqlite_called,
}


def ns_per_pair(side: Callable[[], int]) -> float:
    """One run of a side: processor time per pair, ns.

    >>> 0 < ns_per_pair(lambda: engine(1_000)) < 1e6
    True
    """
    busy = time.process_time()
    pairs = side()
    return 1e9 * (time.process_time() - busy) / pairs


def measure(advance: Callable[[], None]) -> dict[str, list[float]]:
    """All rounds, sides by turns so that a busy moment hits every one."""
    taken: dict[str, list[float]] = {name: [] for name in SIDES}
    for _ in range(ROUNDS):
        for name, side in SIDES.items():
            taken[name].append(ns_per_pair(side))
            advance()
    return taken


def report(taken: dict[str, list[float]]) -> Table:
    """A row per side: the median, the best and the worst, and pairs per second."""
    table = Table(title=f"Uncontended pairs, one core, {ROUNDS} rounds, ns a pair", title_justify="left")
    table.add_column("side")
    for heading in ("median", "best", "worst", "pairs per s"):
        table.add_column(heading, justify="right")
    for name, rounds in taken.items():
        numbers = (median(rounds), min(rounds), max(rounds))
        table.add_row(name, *(f"{number:,.0f}" for number in numbers), f"{1e9 / median(rounds):,.0f}")
    return table


def main() -> int:
    """Measure and print."""
    console, errors = Console(), Console(stderr=True)
    console.print(f"{machine.description()}, SQLite {sqlite3.sqlite_version}")
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("running", total=ROUNDS * len(SIDES))
        taken = measure(lambda: progress.advance(task))
    console.print(report(taken))
    typical = {name: median(rounds) for name, rounds in taken.items()}
    console.print(f"{typical['engine']:.0f} ns a pair in the engine; under {WANTED_NS:.0f} is wanted")
    for ours, theirs in (
        ("engine", "sqlite"),
        ("engine, called", "sqlite, called"),
        ("engine, batched", "sqlite, called"),
    ):
        wanted = f"; {TARGET:.0f} is wanted" if ours != "engine, called" else ""
        console.print(f"{ours}: {typical[theirs] / typical[ours]:.1f} times the rate of {theirs}{wanted}")
    return 0


def _database() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


if __name__ == "__main__":
    sys.exit(main())
