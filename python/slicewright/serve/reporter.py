"""The reports of a task while it works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
