"""The guard around every command: each way in which one can end, as one exit status and at most a few lines."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, TextIO

import typer

from slicewright._core import InputError, RunError, __version__
from slicewright.interrupts import INTERRUPTED, raise_once_loaded
from slicewright.run.room import require_room
from slicewright.values.console import visible_streams
from slicewright.values.errors import nearest, printed, problem, visible

_NEED_LIBRARIES = frozenset(
    {
        "run",
        "sweep",
        "choose",
        "plan",
        "sensitivity",
        "advise",
        "report",
        "compare",
        "trace",
        "reproduce",
        "live",
        "fit",
    }
)
"""Commands that load numpy or polars, which end the process when they cannot have memory."""

EARLIER = {
    "calibrate": ["reproduce", "--calibrate"],
    "schema": ["explain", "--schema"],
    "entitlement": ["explain"],
    "enq explain": ["explain"],
    "enq": ["explain"],
    "export": ["report"],
}
"""Earlier spellings of commands, which go on working for a version, and those of today."""

DONE, FAILED, WRONG_INPUT, NOBODY_READS = 0, 1, 2, 141


def guarded(command: Callable[[], Any], words: Sequence[str]) -> int:
    """Call a command and say how it ended: its own status, or the one that belongs to what it raised."""
    os.environ["RUST_BACKTRACE"] = "1" if _debugging() else "0"
    _prepare_streams()
    _end_cleanly_when_told_to()
    with visible_streams():
        return _ended_well_or_not(command, words)


def _ended_well_or_not(command: Callable[[], Any], words: Sequence[str]) -> int:
    try:
        raise_once_loaded()
        if words and words[0] in _NEED_LIBRARIES:
            require_room()
        status = command()
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        return _ended(error, words)
    except BaseException as error:  # a panic of the engine is no Exception
        return _bug(error, words)
    if status == INTERRUPTED:
        _say("interrupted; nothing was left half-written")
    return status if isinstance(status, int) else DONE


def _ended(error: BaseException, words: Sequence[str]) -> int:
    if _debugging():
        traceback.print_exception(error)
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        _forget(sys.stdout)
        return NOBODY_READS
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else FAILED
    if _interrupted(error):
        _say("interrupted; nothing was left half-written")
        return INTERRUPTED
    if isinstance(error, InputError):
        _print(printed(getattr(error, "problems", None) or [problem(str(error))]))
        return WRONG_INPUT
    if isinstance(error, RunError):
        _print(f"error: the run failed: {error}")
        return FAILED
    if isinstance(error, typer.TyperException):
        return _usage(error)
    if isinstance(error, UnicodeEncodeError):  # all that is read from files is decoded, and fails there
        _print(printed([problem("not text in UTF-8", key=error.object)]))
        return WRONG_INPUT
    if isinstance(error, MemoryError):
        _print("error: there is not enough memory for this run")
        if str(error):
            _print(f"  why: {error}")
        _print("  help: fewer intervals or fewer volumes need less")
        return FAILED
    if isinstance(error, OSError):
        # A write to a file names it; only the stream of the output has no name.
        if not error.filename:
            _forget(sys.stdout)
        where = visible(str(error.filename or "standard output"))
        _print(f"error: {where}: the system refused: {error.strerror or error}")
        return FAILED
    return _bug(error, words)


def _interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt is behind an error: a library that is being loaded then makes its own of it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _debugging() -> bool:
    return os.environ.get("SLICEWRIGHT_DEBUG") == "1"


def _usage(error: typer.TyperException) -> int:
    from slicewright.values.settings import hint

    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        _print(error.format_message())
        return WRONG_INPUT
    possibilities = getattr(error, "possibilities", None)
    command = context.command_path if context is not None else "slicewright"
    what = str(error.message) if possibilities is not None else error.format_message()
    allowed, near = hint(getattr(error, "option_name", "")), ", ".join(possibilities or [])
    unknown = re.match(r"No such command '(.*?)'", what)
    if unknown is not None:
        names = context.command.list_commands(context)
        earlier = EARLIER if context.parent is None else {}
        close = nearest(unknown[1], [*names, *earlier])
        what, near, allowed = f"no such command: {unknown[1]}", " ".join(earlier.get(close, [close])), ", ".join(names)
    wrong = problem(what.rstrip("."), allowed=allowed, nearest=near)
    _print(f"{printed([wrong])}\n  help: {command} --help")
    return WRONG_INPUT


def _bug(error: BaseException, words: Sequence[str]) -> int:
    _print(f"error: this is a bug: {type(error).__name__}: {error}")
    for line in (f"version: {__version__}", f"command: slicewright {shlex.join(words)}", *_READ):
        _print(f"  {line}")
    _print("  help: SLICEWRIGHT_DEBUG=1 shows where")
    return FAILED


_READ: list[str] = []


def simulating(scenario: str, seed: int) -> None:
    """Remember what is being simulated, for the report of a bug."""
    _READ[:] = [f"scenario: {scenario}", f"seed: {seed}"]


def _say(text: str) -> None:
    _print(f"slicewright: {text}")


def _print(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # where nothing can be said the exit status still can
        _forget(sys.stderr)


def _prepare_streams() -> None:
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:  # or the next file that is opened would be taken for a stream and printed into
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _end_cleanly_when_told_to() -> None:
    def end(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup means it
                signal.signal(number, end)
    except ValueError:  # not the main thread: the caller handles signals
        return


def _forget(stream: TextIO) -> None:
    """Let the interpreter's last flush go nowhere, so that it has nothing to complain about."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
