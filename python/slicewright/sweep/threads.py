"""The points of a sweep on the threads of this process: one point for each, and several for the last ones."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slicewright.replay.replay import Recording
from slicewright.sweep.plan import Point
from slicewright.sweep.point import Task, measured

if TYPE_CHECKING:
    import polars

Finished = tuple[Point, "polars.DataFrame"]
GLANCE_S = 0.1
"""How often Ctrl-C and progress are looked at."""


class StoppedError(Exception):
    """Raised in a thread whose sweep has ended."""


@dataclass
class Threads:
    """This process as a place to simulate points, with a number of threads.

    >>> Threads(2).workers()
    2
    """

    count: int
    under_way: dict[str, float] = field(default_factory=dict)
    """By name of a point that is being simulated: the work of it that is done."""

    def workers(self) -> int:
        """How many points are simulated at once."""
        return self.count

    def simulated(
        self, points: Iterator[Point], count: int, terms: Callable[[Point], Task], recordings: Sequence[Recording]
    ) -> Generator[list[Finished]]:
        """The points as they finish; an empty list now and then, so that the caller can look around."""
        stop = threading.Event()
        waiting: dict[Future[polars.DataFrame], Point] = {}
        with ThreadPoolExecutor(self.count) as pool:
            try:
                while True:
                    for point in itertools.islice(points, self.count - len(waiting)):
                        threads = max(1, self.count // max(1, count))
                        count -= 1
                        report = self._reporting(point, stop)
                        waiting[pool.submit(measured, terms(point), recordings, threads, report)] = point
                    if not waiting:
                        return
                    done, _ = wait(waiting, GLANCE_S, FIRST_COMPLETED)
                    yield [(waiting.pop(each), each.result()) for each in done]
            finally:
                stop.set()

    def _reporting(self, point: Point, stop: threading.Event) -> Callable[[float], None]:
        def report(share: float) -> None:
            if stop.is_set():
                raise StoppedError
            self.under_way[point.id] = share * point.work

        return report
