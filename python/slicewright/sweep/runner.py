"""Runs what is left of a sweep: points from the plan to a place, and finished ones into the store."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from slicewright.replay.replay import Recording
from slicewright.sweep.place import Place
from slicewright.sweep.plan import Plan, Point
from slicewright.sweep.point import Task
from slicewright.sweep.store import ROWS, Store

if TYPE_CHECKING:
    import polars

LEAST_S = 2.0
"""Seconds of work that wait for a part."""
_OF_ALL = 1000
"""A long sweep keeps a part for each such share of its time, so that its parts do not become very many."""


def run_left(
    plan: Plan, store: Store, where: tuple[Place, Sequence[Recording]], progress: Callable[[float], None]
) -> None:
    """Simulate the points that the store lacks; whatever ends this, finished points are in the store.

    Raises what a place raises, and OSError where the store cannot be written.
    """
    place, recordings = where
    axes = store.facts.axes
    count, whole = plan.left(store.done)
    batch = _Batch(store)
    done = 0.0

    def points() -> Iterator[Point]:
        for point in plan.points(store.done):
            if point.refused:
                batch.take(plan.row(point, point.refusal(), axes))
            else:
                yield point

    def task(point: Point) -> Task:
        return Task(point.text, point.seed, plan.terms.precision)

    with contextlib.closing(place.simulated(points(), count, task, recordings)) as finished:
        try:
            for some in finished:
                for point, measured in some:
                    batch.take(plan.row(point, measured, axes))
                    done += point.work
                    place.under_way.pop(point.id, None)
                batch.write_when_due()
                progress(min((done + sum(place.under_way.copy().values())) / max(whole, 1e-9), 1.0))
        finally:
            batch.write()


class _Batch:
    """Finished points that wait for their part."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: list[polars.DataFrame] = []
        self._started = self._written = time.monotonic()

    def take(self, row: polars.DataFrame) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS:
            self.write()

    def write_when_due(self) -> None:
        now = time.monotonic()
        if now - self._written >= max(LEAST_S, (now - self._started) / _OF_ALL):
            self.write()

    def write(self) -> None:
        rows, self._rows = self._rows, []
        self._store.add(rows)
        self._written = time.monotonic()
