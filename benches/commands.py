"""`make bench`: how long the short commands take: `--version`, `run` of M/M/1, and `advise` on one DEVICE page.

The simulations of `advise` are in a store of their own, made by a first call that is not counted. Each command is a new
process, with compiled modules. No number fails the run: a busy machine is no fault.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benches import machine

ROOT = Path(__file__).parents[1]
COMMAND = Path(sys.executable).with_name("slicewright")
ROUNDS = 11


@dataclass(frozen=True)
class Short:
    """A command and the seconds of a clock that it may take."""

    words: tuple[str, ...]
    wanted_s: float


@dataclass(frozen=True)
class Taken:
    """Seconds that one call took: by the clock, and of processors, in the user's part and the system's."""

    clock_s: float
    processor_s: float


COMMANDS = {
    "--version": Short(("--version",), 0.15),
    "run, mm1": Short(("run", str(ROOT / "scenarios" / "mm1.toml"), "--quiet"), 0.4),
    "advise, warm": Short(
        ("advise", str(ROOT / "published" / "hyperpav" / "device-reports" / "Y032180H.txt"), "--quiet"), 0.7
    ),
}


def call(words: Sequence[str], environment: Mapping[str, str]) -> Taken:
    """One call of the command; raises CalledProcessError when it fails."""
    started = time.monotonic()
    process = subprocess.Popen([COMMAND, *words], stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    taken = Taken(time.monotonic() - started, used.ru_utime + used.ru_stime)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, [str(COMMAND), *words])
    return taken


def measure(store: Path, advance: Callable[[], None], rounds: int = ROUNDS) -> dict[str, list[Taken]]:
    """All rounds, commands by turns so that a busy moment hits every one; `advance` is called after each."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "SLICEWRIGHT_STORE": str(store)}
    taken: dict[str, list[Taken]] = {name: [] for name in COMMANDS}
    for at in range(rounds + 1):
        for name, command in COMMANDS.items():
            once = call(command.words, environment)
            if at:  # the first call compiles modules and simulates
                taken[name].append(once)
            advance()
    return taken


def report(taken: Mapping[str, Sequence[Taken]]) -> Table:
    """A row per command: the clock at best and at the median, processor time at best, and the wanted time."""
    rounds = len(next(iter(taken.values())))
    table = Table(title=f"Short commands, {rounds} rounds, seconds", title_justify="left")
    table.add_column("command")
    for heading in ("best", "median", "processors, best", "wanted"):
        table.add_column(heading, justify="right")
    for name, calls in taken.items():
        clock = [once.clock_s for once in calls]
        numbers = (min(clock), median(clock), min(once.processor_s for once in calls), COMMANDS[name].wanted_s)
        table.add_row(name, *(f"{number:.2f}" for number in numbers))
    return table


def main() -> int:
    """Measure and print."""
    console, errors = Console(), Console(stderr=True)
    console.print(machine.description())
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress,
    ):
        task = progress.add_task("running", total=(ROUNDS + 1) * len(COMMANDS))
        taken = measure(Path(folder), lambda: progress.advance(task))
    console.print(report(taken))
    console.print("wanted: by the clock of a quiet machine, at best")
    return 0


if __name__ == "__main__":
    sys.exit(main())
