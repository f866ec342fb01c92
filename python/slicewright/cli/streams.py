"""Standard output and error as a command prints on them: whatever text it was fed is shown, and never obeyed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

from slicewright.errors import visible_lines


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


def as_it_is(stream: TextIO) -> TextIO:
    """The stream behind one that shows all text: for a progress bar, which moves the cursor.

    >>> as_it_is(cast("TextIO", Visible(sys.stdout))) is sys.stdout
    True
    """
    return getattr(stream, "as_it_is", stream)


@contextlib.contextmanager
def visible_streams() -> Iterator[None]:
    """Standard output and error through `Visible`, for as long as a command runs.

    >>> with visible_streams():
    ...     print("\\u202e")
    \\u202e
    """
    out, err = (cast("TextIO", Visible(as_it_is(stream))) for stream in (sys.stdout, sys.stderr))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield
