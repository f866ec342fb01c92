"""The points of a sweep on workers of Dask, in batches that take at least a second each."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import dask
import distributed
import polars as pl
from distributed.comm.core import CommClosedError

from slicewright._core import RunError, __version__
from slicewright.errors import problem, refusal
from slicewright.replay.replay import Recording
from slicewright.sweep.plan import Point
from slicewright.sweep.point import Task, batch
from slicewright.sweep.threads import GLANCE_S, Finished

LEAST_S = 1.5
"""Seconds that a batch is meant to take, so that the scheduler has little to do."""
OF_THREAD_S = 0.01
"""The same for each thread of a worker: twice what a batch takes of the scheduler and of the driver."""
MOST_POINTS = 500
AHEAD = 2
"""Batches for each thread of a worker: one that runs and one that waits there."""
ANSWER_S = 10
"""Seconds within which a scheduler has to answer."""
_DEATHS = 10
"""Workers that may die with a point in their hands before the sweep ends."""


@dataclass
class OnDask:
    """A client of Dask as a place to simulate points.

    >>> OnDask(None).under_way
    {}
    """

    client: Any
    under_way: dict[str, float] = field(default_factory=dict)
    seconds_per_work: float = 0.0
    """The time of a unit of work in the last batch; 0 before the first."""

    def simulated(
        self, points: Iterator[Point], count: int, terms: Callable[[Point], Task], recordings: Sequence[Recording]
    ) -> Generator[list[Finished]]:
        """The points as they finish, and an empty list now and then."""
        waiting: dict[Any, list[Point]] = {}
        try:
            shared = self._shared(recordings)
            while True:
                threads = max(1, sum(self.client.nthreads().values()))
                while len(waiting) < AHEAD * threads:
                    taken = list(self._next(points, max(LEAST_S, OF_THREAD_S * threads)))
                    if not taken:
                        break
                    tasks = [terms(point) for point in taken]
                    # Pure tasks with one name would be one task, also after a sweep that was cut short.
                    waiting[self.client.submit(batch, tasks, shared, __version__, pure=False)] = taken
                if not waiting:
                    return
                yield [pair for future in self._ended(list(waiting)) for pair in self._taken(future, waiting)]
        except (distributed.client.FutureCancelledError, OSError, CommClosedError) as error:
            raise RunError(f"the scheduler of Dask is gone ({type(error).__name__})") from error
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self.client.cancel(list(waiting))

    def _ended(self, futures: Sequence[Any]) -> list[Any]:
        with contextlib.suppress(TimeoutError, distributed.TimeoutError):
            distributed.wait(futures, timeout=GLANCE_S, return_when="FIRST_COMPLETED")
        if self.client.status not in ("running", "connecting"):
            raise RunError(f"the scheduler of Dask is gone ({self.client.status})")
        return [future for future in futures if future.done()]

    def _taken(self, future: Any, waiting: dict[Any, list[Point]]) -> list[Finished]:
        points = waiting.pop(future)
        try:
            data, seconds = future.result()
        except distributed.KilledWorker as error:
            raise RunError(f"workers of Dask died again and again with the point {points[0].values}") from error
        except RuntimeError as error:
            raise refusal(problem(str(error), key="on", remedy="install the same version on all workers")) from None
        except ModuleNotFoundError as error:
            raise refusal(problem(f"a worker of Dask has no {error.name}", key="on")) from None
        self.seconds_per_work = seconds / max(sum(point.work for point in points), 1e-9)
        rows = pl.read_ipc_stream(io.BytesIO(zlib.decompress(data)))
        return [(point, rows[at]) for at, point in enumerate(points)]

    def _next(self, points: Iterator[Point], least_s: float) -> Iterator[Point]:
        """As many points as take `least_s`; one alone until it is known how long they take."""
        expected_s = 0.0
        for taken, point in enumerate(points, start=1):
            yield point
            expected_s += self.seconds_per_work * point.work
            if not self.seconds_per_work or expected_s >= least_s or taken >= MOST_POINTS:
                return

    def _shared(self, recordings: Sequence[Recording]) -> Any:
        """The recordings as a task of their own: each worker fetches them once, and they are made again if it dies."""
        if not recordings:
            return ()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of their size
            return self.client.submit(tuple, recordings, pure=False)


@contextlib.contextmanager
def local(count: int) -> Iterator[OnDask]:
    """Processes on this machine, for as long as the block runs."""
    settings = {"distributed.scheduler.allowed-failures": _DEATHS, "distributed.admin.log-format": "%(message)s"}
    with dask.config.set(settings), contextlib.ExitStack() as stack:
        made = distributed.LocalCluster(
            n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )  # fmt: skip
        cluster = stack.enter_context(made)
        yield OnDask(stack.enter_context(distributed.Client(cluster)))


@contextlib.contextmanager
def remote(address: str) -> Iterator[OnDask]:
    """The workers of a scheduler; raises InputError where none answers."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=ANSWER_S)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())
        remedy = "start one with: dask scheduler"
        raise refusal(problem(f"no scheduler of Dask answers at {address}", key="on", why=why, remedy=remedy)) from None
    with client:
        yield OnDask(client)
