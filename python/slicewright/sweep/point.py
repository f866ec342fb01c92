"""One point simulated: from its scenario's text to its row, in a thread or on a worker of Dask."""

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slicewright._core import InputError, RunError, Scenario, __version__
from slicewright.replay.replay import Recording, resupplied
from slicewright.run.run import run
from slicewright.sweep.plan import reason_of
from slicewright.sweep.row import FAILED, REFUSED, absent, row

if TYPE_CHECKING:
    import polars

OTHER_VERSION = "the worker has slicewright"
"""How the error begins that a worker of another version raises."""


@dataclass(frozen=True, slots=True)
class Task:
    """What it takes to simulate a point anywhere: its scenario as text, seed, precision.

    >>> Task("", 1, None).seed
    1
    """

    text: str
    seed: int
    precision: str | None


def measured(
    task: Task, recordings: Sequence[Recording], threads: int, progress: Callable[[float], None] | None = None
) -> polars.DataFrame:
    """The measured columns of a point; a point that fails has its reason in them.

    >>> from slicewright.scenario.starters import read_starter
    >>> measured(Task(read_starter("mm1").resolved, 1, None), (), 1)["state"].item()
    'done'
    """
    try:
        scenario = resupplied(Scenario.read(task.text.encode(), "scenario"), recordings)
        return row(run(scenario, seed=task.seed, precision=task.precision, threads=threads, progress=progress))
    except InputError as error:
        return absent(REFUSED, reason_of(error))
    except RunError as error:
        return absent(FAILED, " ".join(str(error).split()))


def batch(tasks: Sequence[Task], recordings: Sequence[Recording], version: str) -> tuple[bytes, float]:
    """The measured columns of several points as Arrow bytes, compressed, and the seconds that they took.

    The names of some 700 columns are most of these bytes, and Arrow itself compresses values only.

    Raises RuntimeError where this process has another version of slicewright than the one that asks.

    >>> from slicewright.scenario.starters import read_starter
    >>> batch([Task(read_starter("mm1").resolved, 1, None)], (), "0.0")
    Traceback (most recent call last):
    RuntimeError: the worker has slicewright ..., the sweep 0.0
    """
    import polars as pl

    if version != __version__:
        raise RuntimeError(f"{OTHER_VERSION} {__version__}, the sweep {version}")
    started = time.monotonic()
    rows = pl.concat([measured(task, recordings, 1) for task in tasks])
    buffer = io.BytesIO()
    rows.write_ipc_stream(buffer)
    return zlib.compress(buffer.getvalue(), 1), time.monotonic() - started
