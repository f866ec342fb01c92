"""Does a long step of the set-up say what it is working on, and everything only if it fails?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tidy.tree import ROOT

BUILD = r"""
printf 'Collecting libm==1.0 (from -r some.lock)\n  Downloading libm\n'
echo '   Compiling libm v0.2.16' >&2
printf 'a warning'
"""


def step(log: Path, text: str) -> subprocess.CompletedProcess[str]:
    """A shell text run as a step."""
    command = [sys.executable, str(ROOT / "packaging" / "steps.py"), str(log), "sh", "-c", text]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_step_names_what_it_works_on(tmp_path: Path) -> None:
    done = step(tmp_path / "log", BUILD)
    assert done.returncode == 0
    told = [line.split(maxsplit=2)[2] for line in done.stdout.splitlines()]
    assert told == ["1 fetching libm==1.0", "2 compiling libm"]
    assert done.stderr == ""


def test_all_that_a_step_printed_is_kept(tmp_path: Path) -> None:
    step(tmp_path / "log", BUILD)
    kept = (tmp_path / "log").read_text("utf-8").splitlines()
    first = ["Collecting libm==1.0 (from -r some.lock)", "  Downloading libm"]
    assert kept == [*first, "   Compiling libm v0.2.16", "a warning"]


@pytest.mark.parametrize("status", [1, 101])
def test_a_step_that_fails_prints_everything_and_fails(tmp_path: Path, status: int) -> None:
    done = step(tmp_path / "log", f"echo why; exit {status}")
    assert done.returncode == status
    assert done.stderr == "why\n"


def test_silence_is_broken(tmp_path: Path) -> None:
    """The step is silent until that was said, however slow the machine is."""
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'packaging')!r}); import steps; from pathlib import Path\n"
    program += "def tell(line):\n    if line.endswith('still compiling a'): Path(sys.argv[2]).touch()\n"
    program += "silent = ['sh', '-c', 'echo Compiling a; until [ -e \"$0\" ]; do sleep 0.02; done', sys.argv[2]]\n"
    program += "steps.run(silent, Path(sys.argv[1]), tell, silence_s=0.1)"
    said = tmp_path / "said"
    subprocess.run([sys.executable, "-c", program, tmp_path / "log", said], check=True, timeout=120)
    assert said.exists()
