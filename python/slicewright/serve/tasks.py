"""A task of the page: a function that a worker process calls, and how it reports its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

_SPARSE = 0.002
"""Share of a task between two lines of progress."""


class Reporter:
    """Reports the share done and partial results of one task to the server."""

    def __init__(self, job: int, write: Callable[[int, str, Any], None]) -> None:
        self._job = job
        self._write = write
        self._share = 0.0

    def progress(self, share: float) -> None:
        """Report the share done, 0 to 1."""
        if share - self._share >= _SPARSE:
            self._share = share
            self._write(self._job, "progress", round(share, 4))

    def part(self, value: Any) -> None:
        """Report a partial result, which replaces the one before."""
        self._write(self._job, "part", value)


@dataclass(frozen=True, slots=True)
class Task:
    """A task: its function, the worker that does it, and what the server puts in the place of what the page names."""

    work: Callable[..., Any]
    """Takes a `Reporter` and its arguments, and returns what JSON can hold."""
    lane: Literal["quick", "long"] = "quick"
    """Short work does not wait for long work."""
    reads: Literal["", "drop", "timeline", "text"] = ""
    """A drop becomes a folder and names; a timeline the folder of its recording; a text has the files beside it."""
