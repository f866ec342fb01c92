"""The command `slicewright`: its commands by name, and what ends it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from slicewright._core import __version__
from slicewright.cli.command import Panelled, spare_typer
from slicewright.cli.guard import EARLIER, guarded
from slicewright.interrupts import INTERRUPTED
from slicewright.values.errors import visible

COMMANDS = {
    "run": "Simulate a scenario.",
    "sweep": "Simulate a scenario at many values of its keys.",
    "sensitivity": "Rank the guesses of a scenario by what they move.",
    "choose": "Choose the setting of least cost that keeps constraints.",
    "plan": "Find the cheapest purchases that hold requirements.",
    "new": "Print a commented starter scenario.",
    "explain": "Explain the numbers of a scenario, entitlements, name lists.",
    "reproduce": "Compare published measurements with simulated ones.",
    "read": "List the contents of monitor data.",
    "fit": "Fit a scenario to measured intervals and judge its predictions.",
    "report": "Print a run as analysts know it, or write it for other tools.",
    "compare": "Compare two runs.",
    "trace": "Show holders and waits, instant by instant.",
    "serve": "Open slicewright as a page on this machine.",
    "advise": "Recommend aliases, slices, polarization, yields, exits, limits.",
    "live": "Measure slices, limits, locks and I/O on this Linux machine.",
}
"""The commands by name, and what each does."""


class Commands(TyperGroup):
    """The commands; the module of each is imported when it is named, because all together take a third of a second."""

    def __init__(self, **settings: Any) -> None:
        """The group as typer makes it, with every name."""
        super().__init__(**settings)
        self.commands: dict[str, Any] = dict.fromkeys(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, name: str) -> Any:
        """The command of a name; None if there is none."""
        if name in COMMANDS and self.commands[name] is None:
            self.commands[name] = command_of(name)
        return self.commands.get(name)


def _module(name: str) -> ModuleType:
    """The module of a command: it has a function of that name or, with commands of its own, an `app`."""
    match name:
        case "run" | "new" | "explain" | "trace":
            from slicewright.cli import simulate

            return simulate
        case "sweep" | "sensitivity" | "choose" | "plan":
            from slicewright.cli import explore

            return explore
        case "reproduce":
            from slicewright.cli import study

            return study
        case "read" | "fit" | "compare":
            from slicewright.cli import data

            return data
        case "report":
            from slicewright.cli import report

            return report
        case "advise":
            from slicewright.cli import advise

            return advise
        case "live":
            from slicewright.cli import live

            return live
        case "serve":
            from slicewright.cli import serve

            return serve
        case _:
            raise KeyError(name)


def command_of(name: str) -> Any:
    """A command with its arguments and options, or a group of them.

    >>> [option.name for option in command_of("new").params]
    ['kind']
    """
    module = _module(name)
    app = getattr(module, "app", None)
    if app is None or app.info.name != name:
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(name, cls=Panelled)(getattr(module, name))
    command: Any = typer.main.get_command(app)
    command.name, command.short_help = name, COMMANDS[name]
    return command


spare_typer()
app = typer.Typer(
    name="slicewright",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


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

    >>> main(["new", "--no-such-option"])
    2
    """
    words = _respelt(list(sys.argv[1:] if arguments is None else arguments))
    status = guarded(lambda: app(words, prog_name="slicewright", standalone_mode=False), words)
    if arguments is None:
        _leave(status)
    return status


def _respelt(words: list[str]) -> list[str]:
    """The words of a command line, in the spelling of today; an earlier one is answered with that on standard error.

    >>> _respelt(["export", "runs/8", "--out", "8.monwrite"])
    ['report', 'runs/8', '--out', '8.monwrite', '--format', 'monwrite']
    """
    earlier = next((name for name in EARLIER if words[: len(name.split())] == name.split()), None)
    if earlier is None:
        return words
    rest = words[len(earlier.split()) :]
    if earlier == "export" and not any(word.startswith("--format") for word in rest):
        rest += ["--format", "monwrite"]
    now = [*EARLIER[earlier], *rest]
    with contextlib.suppress(OSError):
        print(f"slicewright: `{earlier}` is now `{visible(shlex.join(['slicewright', *now]))}`", file=sys.stderr)
    return now


def _leave(status: int) -> None:
    """Let nothing that comes after the last word change the exit status: signals, or threads of libraries at work."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if status >= INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)  # the interpreter would wait for its libraries, and one that was cut short may bring it down
