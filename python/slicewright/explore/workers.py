"""The points of a sweep on workers of Dask, in batches that take at least a second each."""

from __future__ import annotations

import contextlib
import io
import logging
import math
import tempfile
import threading
import time
import warnings
import zlib
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dask
import distributed
import polars as pl

from slicewright._core import InputError, RunError, Scenario, __version__
from slicewright.experiment.store import Part, Tables, opened, simulated_tables
from slicewright.explore.points import GLANCE_S, OTHER_VERSION, Finished, LostError, Point, batch, tables_there
from slicewright.scenario.replay import Recording
from slicewright.statistics import plural
from slicewright.values.errors import extra, problem, refusal

_LEAST_S = 1.5
"""Seconds that a batch is meant to take, so that the scheduler has little to do."""
_OF_THREAD_S = 0.01
"""The same for each thread of a worker: twice what a batch takes of the scheduler and of the driver."""
_MOST_POINTS = 500
_AHEAD = 2
"""Batches for each thread of a worker: one that runs and one that waits there."""
ANSWER_S = 10
"""Seconds within which a scheduler has to answer."""
_LOOPBACK = "127.0.0.1"
_DEATHS = 10
"""Workers that may die with a point in their hands before the sweep ends."""
_STARTS = 3
"""Times that the processes of this machine are started, where one of them dies before all are ready."""
_PATIENCE_S = 30.0
"""Seconds within which a process of this machine that died is back, unless it died again while it started."""
_TLS = "name its certificates in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, __TLS__CLIENT__CERT and __TLS__CLIENT__KEY"
_GREETING_S = 2.0
_CLOSING_S = 30.0
"""Seconds within which a cluster is closed; Dask itself would wait without end for one that does not close."""
_BRIEF = 200
"""Characters of an error of Dask that are shown: some hold the whole state of a connection."""


@dataclass
class OnDask:
    """A client of Dask as a place to simulate points.

    >>> OnDask(None).under_way
    {}
    """

    client: Any
    patience_s: float = math.inf
    """Seconds without any worker after which the sweep ends: elsewhere a queue may start workers much later."""
    store: Path | None = None
    """The store of simulations, where all workers are on this machine."""
    under_way: dict[str, float] = field(default_factory=dict)
    seconds_per_work: float = 0.0
    """The time of a unit of work in the last batch; 0 before the first."""

    def workers(self) -> int:
        """How many simulations its workers take at once."""
        return _AHEAD * self._threads()

    def tables(self, scenario: Scenario, part: Part) -> Tables:
        """The tables of some replications; those of a scenario that replays recordings are simulated here."""
        if scenario.replays:
            return simulated_tables(scenario, part)
        try:
            found = self.client.submit(tables_there, scenario.resolved, part, __version__, pure=False).result()
        except Exception as error:  # of many types: the scheduler may be gone, or workers die
            raise LostError(f"the scheduler or a worker of Dask is gone ({_brief(error)})") from error
        if isinstance(found, str):
            raise RunError(found)
        return dict(found)

    def simulated(
        self, points: Iterator[Point], count: int, recordings: Sequence[Recording]
    ) -> Generator[list[Finished]]:
        """The points as they finish, and an empty list now and then."""
        waiting: dict[Any, list[Point]] = {}
        self._last_worker = time.monotonic()
        try:
            with _scheduler_may_go():
                shared = self._shared(recordings)
            while True:
                threads = self._threads()
                while len(waiting) < _AHEAD * threads:
                    taken = list(self._next(points, max(_LEAST_S, _OF_THREAD_S * threads)))
                    if not taken:
                        break
                    with _scheduler_may_go():
                        # Pure tasks with one name would be one task, also after a sweep that was cut short.
                        waiting[self.client.submit(batch, taken, shared, (__version__, self.store), pure=False)] = taken
                if not waiting:
                    return
                yield [pair for future in self._ended(list(waiting)) for pair in self._taken(future, waiting)]
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self.client.cancel(list(waiting))

    def _threads(self) -> int:
        """Threads of all workers, at least one; raises RunError where there has been no worker for too long."""
        with _scheduler_may_go():
            threads = int(sum(self.client.nthreads().values()))
        now = time.monotonic()
        if threads:
            self._last_worker = now
        elif now - self._last_worker > self.patience_s:
            raise RunError(f"all workers of Dask died, and for {self.patience_s:g} s none has come back")
        return max(1, threads)

    def _ended(self, futures: Sequence[Any]) -> list[Any]:
        with _scheduler_may_go(), contextlib.suppress(TimeoutError, distributed.TimeoutError):
            distributed.wait(futures, timeout=GLANCE_S, return_when="FIRST_COMPLETED")
        if self.client.status not in ("running", "connecting"):
            raise RunError(f"the scheduler of Dask is gone ({self.client.status})")
        return [future for future in futures if future.done()]

    def _taken(self, future: Any, waiting: dict[Any, list[Point]]) -> list[Finished]:
        points = waiting.pop(future)
        if future.status == "error":
            raise _why_failed(future.exception(), points[0])
        with _scheduler_may_go():
            data, seconds = future.result()
        self.seconds_per_work = seconds / max(sum(point.work for point in points), 1e-9)
        rows = pl.read_ipc_stream(io.BytesIO(zlib.decompress(data)))
        return [(point, rows[at]) for at, point in enumerate(points)]

    def _next(self, points: Iterator[Point], least_s: float) -> Iterator[Point]:
        """As many points as take `least_s`; one alone until it is known how long they take."""
        expected_s = 0.0
        for taken, point in enumerate(points, start=1):
            yield point
            expected_s += self.seconds_per_work * point.work
            if not self.seconds_per_work or expected_s >= least_s or taken >= _MOST_POINTS:
                return

    def _shared(self, recordings: Sequence[Recording]) -> Any:
        """The recordings as a task of their own: each worker fetches them once, and they are made again if it dies."""
        if not recordings:
            return ()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of their size
            return self.client.submit(tuple, recordings, pure=False)


def _why_failed(error: BaseException, point: Point) -> BaseException:
    """The error of a sweep whose batch failed: its own where a worker is to blame, else that of the batch."""
    if isinstance(error, distributed.KilledWorker):
        return RunError(f"workers of Dask died again and again with the point {point.values}")
    if isinstance(error, RuntimeError) and str(error).startswith(OTHER_VERSION):
        return refusal(problem(str(error), key="on", remedy="install the same version on all workers"))
    if isinstance(error, ModuleNotFoundError):
        return refusal(problem(f"a worker of Dask has no {error.name}", key="on"))
    if isinstance(error, MemoryError | OSError | ImportError | RuntimeError):
        return RunError(f"a worker of Dask failed with the point {point.values}: {_brief(error)}")
    return error


# Dask starts a loop under a lock. The garbage collector may end an earlier client then, in the same thread. That client
# takes the lock again and would wait for itself for ever, so this lock lets its own thread in.
distributed.utils.LoopRunner._lock = threading.RLock()  # type: ignore[assignment]


def _client(address: str) -> Any:
    """A client; raises TimeoutError where something else listens there, for whose greeting Dask waits without end."""
    made: Future[Any] = Future()

    def connect() -> None:
        try:
            made.set_result(distributed.Client(address, timeout=ANSWER_S))
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        return made.result(ANSWER_S + _GREETING_S)
    except TimeoutError:
        if made.done():
            raise
        raise TimeoutError("what listens there does not answer as a scheduler does") from None


_NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
"""Dask serves pages about tasks and logs even without a dashboard, and asks no reader for a certificate."""


@contextlib.contextmanager
def local(count: int) -> Iterator[OnDask]:
    """Processes on this machine, for as long as the block runs.

    A scheduler runs any code of its clients.  It listens on the loopback interface alone.  It answers only to holders
    of a certificate, which is made for this block and kept in memory.  Raises InputError where none can be made.
    """
    extra("cryptography", "cryptography", "on", "'slicewright[dask]'")
    settings = {"distributed.scheduler.allowed-failures": _DEATHS, "distributed.admin.log-format": "%(message)s"}
    with contextlib.ExitStack() as stack:
        # Workers read back what they put on the disk; a folder of that name in /tmp may be that of another account.
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="slicewright-", ignore_cleanup_errors=True))
        stack.enter_context(dask.config.set({**settings, **_NO_PAGES, "temporary-directory": folder}))
        cluster = _started(count, distributed.Security.temporary())
        stack.callback(_closed, cluster)
        with _scheduler_may_go():
            client = distributed.Client(cluster)
        stack.callback(_closed, client)
        store = opened()
        yield OnDask(client, _PATIENCE_S, None if store is None else store.root)


def _started(count: int, certificate: Any) -> Any:
    """A cluster; one of whose processes died before it was ready is started anew."""
    why: Exception | None = None
    for _ in range(_STARTS):
        try:
            return distributed.LocalCluster(
                n_workers=count, threads_per_worker=1, processes=True, host=_LOOPBACK, security=certificate,
                scheduler_kwargs={"dashboard": False, "dashboard_address": f"{_LOOPBACK}:0"},
                silence_logs=logging.CRITICAL,
            )  # fmt: skip
        except Exception as error:  # Dask raises what the process died of, in types of many libraries
            why = error
    raise RunError(f"Dask cannot start {plural(count, 'process', 'processes')} here: {_brief(why)}") from why


def _closed(what: Any) -> None:
    """End a cluster or its client; that one of its processes died before is no matter now."""
    with contextlib.suppress(Exception):
        what.close(timeout=_CLOSING_S)


def _brief(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")[:_BRIEF]


@contextlib.contextmanager
def _scheduler_may_go() -> Iterator[None]:
    """An error of Dask whose scheduler does not answer, of any type, is the end of the sweep and no bug."""
    try:
        yield
    except (RunError, InputError):
        raise
    except Exception as error:
        raise RunError(f"the scheduler of Dask is gone ({_brief(error)})") from error


@contextlib.contextmanager
def remote(address: str) -> Iterator[OnDask]:
    """The workers of a scheduler; raises InputError where none answers."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = _client(address)
    except Exception as error:  # each protocol of Dask has types of its own
        why = " ".join(str(error).split())[:_BRIEF]
        remedy = _TLS if address.startswith("tls:") else "start one with: dask scheduler"
        raise refusal(problem(f"no scheduler of Dask answers at {address}", key="on", why=why, remedy=remedy)) from None
    try:
        yield OnDask(client)
    finally:
        _closed(client)
