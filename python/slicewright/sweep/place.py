"""Where a sweep runs: threads of this process, or workers of Dask, as `--on` names them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from slicewright.errors import problem, refusal
from slicewright.parameters import brief
from slicewright.replay.replay import Recording
from slicewright.sweep.plan import Point
from slicewright.sweep.point import Task
from slicewright.sweep.threads import Finished, Threads

if TYPE_CHECKING:
    from collections.abc import Callable

ALLOWED = "threads:N, local:N (processes of Dask), or the address of a scheduler such as tcp://host:8786"
MOST = 1024
"""Threads or processes that a sweep starts on one machine."""


class Place(Protocol):
    """Something that simulates points, several at once."""

    under_way: dict[str, float]

    def simulated(
        self, points: Iterator[Point], count: int, terms: Callable[[Point], Task], recordings: Sequence[Recording]
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
        yield Threads(len(os.sched_getaffinity(0)))
    elif match and 1 <= int(match[2]) <= MOST:
        if match[1] == "threads":
            yield Threads(int(match[2]))
        else:
            with _dask().local(int(match[2])) as made:
                yield made
    elif isinstance(on, str) and re.fullmatch(r"(tcp|tls|ucx|ws|wss)://\S+", on):
        with _dask().remote(on) as made:
            yield made
    elif hasattr(on, "scheduler_info") and hasattr(on, "submit"):
        yield _dask().OnDask(on)
    else:
        raise refusal(problem(f"no such place: {brief(on)}", key="on", allowed=ALLOWED))


def _dask() -> Any:
    """The module that speaks with Dask, an optional extra."""
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        remedy = "pip install 'slicewright[dask]'"
        raise refusal(problem("Dask is not installed", key="on", remedy=remedy)) from None
    from slicewright.sweep import workers

    return workers
