"""A progress bar on standard error, from the second second on, and only on a terminal.

It leaves out what is measured: whoever works calls it with the share done.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from slicewright.cli.streams import as_it_is

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE_S = 1.0


class Bar:
    """Call it with the share done, 0 to 1; it draws nothing before a second has passed.

    >>> with Bar("simulating") as bar:
    ...     bar(0.5)
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = time.monotonic()
        self._drawn: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, share: float) -> None:
        """Draw the share done."""
        if not sys.stderr.isatty() or time.monotonic() - self._started < PATIENCE_S:
            return
        if self._drawn is None:
            from rich.console import Console
            from rich.progress import Progress

            progress = Progress(console=Console(file=as_it_is(sys.stderr)), transient=True)
            progress.start()
            self._drawn = (progress, progress.add_task(self._what, total=1.0))
        progress, task = self._drawn
        progress.update(task, completed=share)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn is not None:
            self._drawn[0].stop()
