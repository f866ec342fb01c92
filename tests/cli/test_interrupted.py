"""Does Ctrl-C end a command with status 130 and without a traceback, at whatever instant it comes?"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

INTERRUPTED_AT = """
import os, signal, sys

sys.argv = sys.orig_argv = ["/usr/bin/slicewright", "explain", "--schema"]

def interrupt(event, words):
    if event == "import" and words[0] == "{module}":
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
from slicewright.cli import main
sys.exit(main())
"""
IMPORTED = ("slicewright._core", "slicewright.asking", "typer", "slicewright.cli.main", "slicewright.cli.guard")
COMMANDS = (
    [str(Path(sys.executable).with_name("slicewright"))],
    [sys.executable, "-P", "-m", "slicewright"],
)


@pytest.mark.parametrize("module", IMPORTED)
def test_an_interrupt_of_an_import_ends_the_command_in_silence(module: str) -> None:
    words = [sys.executable, "-c", INTERRUPTED_AT.format(module=module)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("command", COMMANDS, ids=["script", "module"])
@pytest.mark.parametrize("after_s", [0.1, 0.15, 0.2, 0.3, 0.5, 0.8])
def test_an_interrupt_at_any_instant_prints_one_line_at_most(command: list[str], after_s: float, small: Path) -> None:
    """Until Python has read the command's first line, Python itself answers: by the signal, or in words of its own."""
    words = [*command, "run", str(small), "--quiet", "--set", "measure.interval=30 d"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(after_s)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode in (130, -signal.SIGINT)
    if process.returncode == 130:
        assert said in ("", "slicewright: interrupted; nothing was left half-written\n")
    assert f"{Path('slicewright') / 'cli'}" not in said


def test_a_program_that_imports_the_package_keeps_its_interrupts() -> None:
    script = "import signal, slicewright; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
