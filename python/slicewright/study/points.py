"""How much of a published run is simulated, and in which batches, whatever is made of the tables that come back."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, structs

from slicewright.experiment.store import Part, tables_of, warm_up_of
from slicewright.statistics import Estimate, estimate, plural

if TYPE_CHECKING:
    from slicewright._core import Scenario
    from slicewright.results.judge import Place

LONG_S = 600.0
"""What an interval counts as that only the scenario states: ten minutes, as in most of them."""

Columns = dict[str, list[Any]]
Progress = Callable[[float], None]


class Budget(Struct, frozen=True):
    """The amount of simulation: a number of replications from `seed`, and `more` at a time, up to `most`, on request.

    Each lasts `interval_s` (0: the scenario's own interval) after `warm_up_s` (None: automatic).  Without `most` or
    `more` the first batch is all, and each further one is as large.

    >>> Budget(replications=10, interval_s=20).simulated
    '10 replications of 20 s'
    """

    replications: int = 10
    most: int = 0
    interval_s: int | float = 0
    warm_up_s: float | None = None
    seed: int = 1
    more: int = 0

    def __post_init__(self) -> None:
        structs.force_setattr(self, "most", self.most or self.replications)

    @property
    def simulated(self) -> str:
        """The budget in words."""
        length = f"{self.interval_s} s" if self.interval_s else "the scenario's interval"
        return f"{plural(self.replications, 'replication')} of {length}"

    @property
    def seconds(self) -> float:
        """The simulated seconds of the first batch; an interval that only the scenario states counts as `LONG_S`.

        >>> Budget(replications=2, interval_s=0.5, warm_up_s=1.0).seconds
        3.0
        """
        return self.replications * ((self.interval_s or LONG_S) + (self.warm_up_s or 0.0))

    def after(self, replications: int) -> int:
        """How many replications there are after the next batch.

        >>> budget = Budget(replications=4, more=2, most=5)
        >>> budget.after(0), budget.after(4)
        (4, 5)
        """
        return min(self.most, replications + ((replications and self.more) or self.replications))


Key = str | tuple[str, str]
"""A value of a run: its row, or its table and its row where one run gives those of several tables."""

Tables = dict[str, Columns]
"""The tables of a run that a study reads, of one replication."""


@dataclass(slots=True)
class Point:
    """A simulated run: per value one number per replication, in the published unit.

    >>> Point(None, samples={"service_ms": [1.4, 1.5]}).estimate("service_ms").replications
    2
    """

    case: Any
    checksum: str = ""
    warm_up_s: float = 0.0
    events: int = 0
    samples: dict[Key, list[float]] = field(default_factory=dict)

    @property
    def replications(self) -> int:
        """How many replications there are so far."""
        return len(next(iter(self.samples.values()), []))

    def estimate(self, value: Key) -> Estimate:
        """A value with its 95 % half-width; raises KeyError when the run has no such value."""
        return estimate(self.samples[value])

    def of(self, place: Place) -> list[float]:
        """The simulated values of a published place, one number per replication; raises KeyError without it."""
        return self.samples[place.row] if place.row in self.samples else self.samples[place.table, place.row]


def split(tables: dict[str, Columns], names: Sequence[str]) -> Iterable[Tables]:
    """The named tables of each replication, in order; a table without rows in one of them is empty there.

    >>> both = {"a": {"replication": [0, 1], "x": [1, 2]}, "b": {"replication": [1], "y": [3]}}
    >>> [own["b"] for own in split(both, ["a", "b"])]
    [{}, {'replication': [1], 'y': [3]}]
    """
    found = {name: dict(_by_replication(tables[name])) for name in names}
    for number in found[names[0]]:
        yield {name: found[name].get(number, {}) for name in names}


T = TypeVar("T")


def warm_up(engine: Scenario, budget: Budget, progress: Progress | None = None) -> float:
    """The seconds to be cut: the budget's, or what the engine finds.

    >>> from slicewright._core import Scenario, starter
    >>> warm_up(Scenario.read(starter("mm1").encode(), "mm1.toml"), Budget(warm_up_s=2.0))
    2.0
    """
    if budget.warm_up_s is not None:
        return budget.warm_up_s
    found, _ = warm_up_of(engine, budget.seed, None if progress is None else lambda share: progress(0.0))
    return found


def replicate(
    engine: Scenario, budget: Budget, point: Point, needed: Sequence[str] = (), progress: Progress | None = None
) -> dict[str, Columns]:
    """The tables of the replications from those that a point has up to `budget.most`, NaN where nothing was measured.

    Raises RunError when the simulation cannot go on.
    """
    part = Part(budget.seed, (point.replications, budget.most), point.warm_up_s, dict.fromkeys(needed, ()))
    return {
        table: {name: [math.nan if value is None else value for value in column] for name, column in columns.items()}
        for table, columns in tables_of(engine, part, progress).items()
    }


def in_turn(
    simulations: Sequence[Callable[[Progress], T]],
    progress: Progress = lambda share: None,
    weights: Sequence[float] = (),
) -> Iterator[T]:
    """Each result in order, as soon as it is there; later simulations run on: a thread each, one per processor.

    With `weights` the heaviest start first, so that no processor is idle for long at the end.  Each is called with a
    progress to hand to the engine, by which all of them end after Ctrl-C, or an error of one.
    `progress` hears the sum of their shares, from one thread at a time.

    >>> next(in_turn([lambda progress: 1, lambda progress: 2]))
    1
    """
    ended, held = threading.Event(), threading.Lock()
    shares = [0.0] * len(simulations)

    def go_on(at: int, share: float) -> None:
        if ended.is_set():
            raise KeyboardInterrupt
        with held:
            shares[at] = share
            progress(sum(shares))

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = {at: pool.submit(simulations[at], partial(go_on, at)) for at in heaviest_first(len(shares), weights)}
        try:
            for at in range(len(shares)):
                yield found[at].result()
        except BaseException:
            ended.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def heaviest_first(count: int, weights: Sequence[float] = ()) -> list[int]:
    """The order in which simulations start: by falling weight, as listed where weights are equal or absent.

    >>> heaviest_first(3, [1.0, 5.0, 1.0]), heaviest_first(2)
    ([1, 0, 2], [0, 1])
    """
    return sorted(range(count), key=lambda at: -weights[at] if weights else 0.0)


def _by_replication(table: Columns) -> Iterable[tuple[int, Columns]]:
    """The rows of a table, one replication after the other.

    >>> [rows["x"] for _, rows in _by_replication({"replication": [0, 0, 1], "x": [1, 2, 3]})]
    [[1, 2], [3]]
    """
    numbers = table["replication"]
    for replication in dict.fromkeys(numbers):
        rows = [i for i, number in enumerate(numbers) if number == replication]
        yield replication, {name: [column[i] for i in rows] for name, column in table.items()}
