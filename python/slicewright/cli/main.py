"""The command `slicewright`: its commands by name, and what ends it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from slicewright import __version__
from slicewright.cli import (
    advise,
    compare,
    enq,
    entitlement,
    explain,
    export,
    fit,
    live,
    new,
    read,
    report,
    run,
    schema,
    serve,
    sweep,
    trace,
)
from slicewright.cli.guard import guarded
from slicewright.interrupts import INTERRUPTED
from slicewright.study import command as study

app = typer.Typer(
    name="slicewright",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
_COMMANDS: tuple[tuple[str, Callable[..., Any], str], ...] = (
    ("run", run.run, "Simulate a scenario."),
    ("sweep", sweep.sweep, "Simulate a scenario at many values of its keys."),
    ("new", new.new, "Print a commented starter scenario."),
    ("explain", explain.explain, "List every number of a scenario with its origin."),
    ("schema", schema.schema, "Print the JSON Schema of scenario files."),
    ("reproduce", study.reproduce, "Compare published measurements with simulated ones."),
    ("calibrate", study.calibrate, "Recompute the constants of a study."),
    ("read", read.read, "List the contents of monitor data."),
    ("fit", fit.fit, "Fit a scenario to measured intervals and judge its predictions."),
    ("report", report.report, "Print a run in the form that analysts know."),
    ("export", export.export, "Write a run as monitor data."),
    ("compare", compare.compare, "Compare two runs."),
    ("trace", trace.trace, "Show holders and waits, instant by instant."),
    ("serve", serve.serve, "Open slicewright as a page on this machine."),
    ("entitlement", entitlement.entitlement, "Print the entitlements of partitions."),
)
for _name, _command, _what in _COMMANDS:
    app.command(_name, short_help=_what)(_command)
app.add_typer(advise.app, short_help="Recommend aliases, slices, polarization, yields, exits, limits.")
app.add_typer(live.app, short_help="Measure slices on this Linux machine.")
app.add_typer(enq.app, short_help="Explain how name lists change ENQ, DEQ and RESERVE.")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"slicewright {__version__}")
        raise typer.Exit


@app.callback()
def slicewright(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Measure, model and advise on partitioned and virtualised mainframes.

    \b
    Example:
      slicewright new pool > pool.toml
      slicewright run pool.toml
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status: 0 done, 1 the run failed, 2 the input was wrong.

    >>> main(["schema", "--no-such-option"])
    2
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    status = guarded(lambda: app(words, prog_name="slicewright", standalone_mode=False), words)
    if arguments is None:
        _leave(status)
    return status


def _leave(status: int) -> None:
    """Let nothing that comes after the last word change the exit status: signals, or threads of libraries at work."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if status >= INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)  # the interpreter would wait for its libraries, and one that was cut short may bring it down
