"""Standard output and error of a command: text that is shown and never obeyed, and progress.

Progress is a bar with the time left on a terminal; elsewhere it is a line every ten seconds.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO, cast

from slicewright._core import InputError
from slicewright.values.errors import visible_lines

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE_S = 1.0
"""Seconds after which a bar is drawn."""
EVERY_S = 10.0
"""How far apart lines are where there is no terminal; the first is as late."""


class Bar:
    """Call it with the share done, 0 to 1; short work shows nothing, and quiet work never does.

    >>> with Bar("simulating") as bar:
    ...     bar(0.5)
    """

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self._what = what
        self._quiet = quiet
        self._started = self._printed = time.monotonic()
        self._drawn: tuple[Progress, TaskID] | None = None
        self._found = ""

    def __enter__(self) -> Self:
        return self

    def __call__(self, share: float) -> None:
        """Show the share done."""
        if self._quiet:
            return
        now = time.monotonic()
        with contextlib.suppress(OSError):  # a run does not fail because its progress cannot be shown
            self._tell_found(now)
            if sys.stderr.isatty():
                if now - self._started >= PATIENCE_S:
                    self._draw(share)
            elif now - self._printed >= EVERY_S:
                self._printed = now
                print(f"slicewright: {self._what}: {_line(share, now - self._started)}", file=sys.stderr, flush=True)

    def found(self, words: str) -> None:
        """Show a first answer, which may be improved; where work takes less than half of `EVERY_S`, it is not shown."""
        self._found = words
        with contextlib.suppress(OSError):
            self._tell_found(time.monotonic())

    def _tell_found(self, now: float) -> None:
        if not self._found or self._quiet or now - self._started < EVERY_S / 2:
            return
        line, self._found = f"slicewright: {self._what}: so far {self._found}", ""
        if self._drawn is None:
            print(line, file=sys.stderr, flush=True)
        else:
            self._drawn[0].console.print(line, markup=False, highlight=False)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn is not None:
            self._drawn[0].stop()

    def _draw(self, share: float) -> None:
        if self._drawn is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            words = TextColumn("{task.description}", markup=False)
            columns = words, BarColumn(), TaskProgressColumn(), TimeRemainingColumn(elapsed_when_finished=True)
            progress = Progress(*columns, console=Console(file=_as_it_is(sys.stderr)), transient=True)
            progress.start()
            self._drawn = (progress, progress.add_task(self._what, total=1.0))
        progress, task = self._drawn
        progress.update(task, completed=share)


def _line(share: float, passed_s: float) -> str:
    line = f"{100 * share:.0f} % after {passed_s:.0f} s"
    return f"{line}, about {passed_s * (1 - share) / share:.0f} s left" if share > 0 else line


class Visible:
    """A text stream that writes what would move the cursor or hide itself as an escape; all else is the stream's own.

    >>> import io
    >>> stream = Visible(io.StringIO())
    >>> print("a\\x1b[2Jb ± 表", file=stream)
    >>> stream.getvalue()
    'a\\\\x1b[2Jb ± 表\\n'
    """

    def __init__(self, stream: TextIO) -> None:
        self.as_it_is = stream

    def write(self, text: str) -> int:
        """Write text; lines and tabs stay."""
        self.as_it_is.write(visible_lines(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.as_it_is, name)


def _as_it_is(stream: TextIO) -> TextIO:
    """The stream behind one that shows all text: for a progress bar, which moves the cursor."""
    return getattr(stream, "as_it_is", stream)


@contextlib.contextmanager
def visible_streams() -> Iterator[None]:
    """Standard output and error through `Visible`, for as long as a command runs."""
    out, err = (cast("TextIO", Visible(_as_it_is(stream))) for stream in (sys.stdout, sys.stderr))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


def print_json(value: Any) -> None:
    """Print a result as JSON; numbers that are not finite become null.

    >>> print_json({"half_width": float("nan")})
    {
     "half_width": null
    }
    """
    from slicewright.values.codec import written

    sys.stdout.write(written(value))


def tell(text: str) -> None:
    """Say something beside the result."""
    print(f"slicewright: {text}", file=sys.stderr)


@contextlib.contextmanager
def printing(show: Callable[[], None]) -> Iterator[None]:
    """Print a result when the block has saved it, and also when it could not: a result of minutes is not lost.

    >>> with printing(lambda: print("a result")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    OSError: [Errno 28] No space left on device
    """
    try:
        yield
    except (OSError, InputError):
        with contextlib.suppress(OSError):  # the first refusal is the one to tell
            show()
            sys.stdout.flush()
        raise
    show()
