"""Where points are simulated: threads of this process, or workers of Dask, as `--on` names them."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from slicewright._core import Scenario
from slicewright.experiment.store import Part, Tables, simulated_tables
from slicewright.explore.points import GLANCE_S, Finished, Point, measured
from slicewright.scenario.replay import Recording
from slicewright.values.errors import extra, problem, refusal
from slicewright.values.parameters import brief

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars


_ALLOWED = "threads:N, local:N (processes of Dask), or the address of a scheduler such as tcp://host:8786"
MOST = 1024
"""Threads or processes that a sweep starts on one machine."""


class Place(Protocol):
    """Something that simulates points, several at once."""

    under_way: dict[str, float]

    def workers(self) -> int:
        """How many simulations it takes at once."""

    def tables(self, scenario: Scenario, part: Part) -> Tables:
        """The tables of some replications; raises RunError when the simulation cannot go on."""

    def simulated(
        self, points: Iterator[Point], count: int, recordings: Sequence[Recording]
    ) -> Generator[list[Finished]]:
        """The points as they finish, in any order, and an empty list now and then."""


@contextlib.contextmanager
def place(on: Any = None) -> Iterator[Place]:
    """The place that `--on` names, or a `dask.distributed.Client`; raises InputError.

    >>> with place("threads:2") as threads:
    ...     threads.workers()
    2
    """
    match = re.fullmatch(r"(threads|local):(\d{1,4})", on) if isinstance(on, str) else None
    if on is None:
        yield threads_here()
    elif match and 1 <= int(match[2]) <= MOST:
        if match[1] == "threads":
            yield _Threads(int(match[2]))
        else:
            with _dask().local(int(match[2])) as made:
                yield made
    elif isinstance(on, str) and re.fullmatch(r"(tcp|tls|ucx|ws|wss)://\S+", on):
        with _dask().remote(on) as made:
            yield made
    elif hasattr(on, "scheduler_info") and hasattr(on, "submit"):
        yield _dask().OnDask(on)
    else:
        raise refusal(problem(f"no such place: {brief(on)}", key="on", allowed=_ALLOWED))


def _dask() -> Any:
    """The module that speaks with Dask, an optional extra."""
    extra("distributed", "Dask", "on", "'slicewright[dask]'")
    from slicewright.explore import workers

    return workers


def threads_here() -> Place:
    """This process, with a thread per processor."""
    return _Threads(len(os.sched_getaffinity(0)))


class _StoppedError(Exception):
    """Raised in a thread whose sweep has ended."""


@dataclass
class _Threads:
    """This process as a place to simulate points, with a number of threads.

    >>> _Threads(2).workers()
    2
    """

    count: int
    under_way: dict[str, float] = field(default_factory=dict)
    """By name of a point that is being simulated: the work of it that is done."""

    def workers(self) -> int:
        """How many points are simulated at once."""
        return self.count

    def tables(self, scenario: Scenario, part: Part) -> Tables:
        """The tables of some replications, simulated here."""
        return simulated_tables(scenario, replace(part, threads=self.count))

    def simulated(
        self, points: Iterator[Point], count: int, recordings: Sequence[Recording]
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
                        waiting[pool.submit(measured, point, recordings, threads, report)] = point
                    if not waiting:
                        return
                    done, _ = wait(waiting, GLANCE_S, FIRST_COMPLETED)
                    yield [(waiting.pop(each), each.result()) for each in done]
            finally:
                stop.set()

    def _reporting(self, point: Point, stop: threading.Event) -> Callable[[float], None]:
        def report(share: float) -> None:
            if stop.is_set():
                raise _StoppedError
            self.under_way[point.id] = share * point.work

        return report
