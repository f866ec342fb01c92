"""Ctrl-C while the command line is being loaded: it ends the process with its exit status, without a traceback."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C has ended: 128 and the number of the signal."""


def end_while_loading() -> None:
    """Have Ctrl-C end this process at once, if it is the command line; a program that imports the package decides.

    >>> end_while_loading()
    >>> signal.getsignal(signal.SIGINT) is _end
    False
    """
    if _is_command(sys.orig_argv, sys.argv[:1]) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_once_loaded() -> None:
    """Have Ctrl-C raise KeyboardInterrupt again, as commands expect it.

    >>> raise_once_loaded()
    """
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_command(original: list[str], program: list[str]) -> bool:
    """Whether a process was started as `slicewright` or as `python -m slicewright`; while that loads, `-m` is its name.

    >>> _is_command(["python", "/usr/bin/slicewright", "run"], ["/usr/bin/slicewright"])
    True
    >>> _is_command(["python", "-P", "-m", "slicewright", "run"], ["-m"])
    True
    >>> _is_command(["python", "notebook.py"], ["notebook.py"])
    False
    """
    if program == ["-m"]:
        return original[original.index("-m") + 1 :][:1] == ["slicewright"]
    return [os.path.basename(name) for name in program] == ["slicewright"]  # noqa: PTH119  pathlib takes 10 ms


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)  # nothing was begun that would have to be ended
