"""The messages of `make setup` where something is missing, and the steps of each target of the Makefile."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tidy.tree import ROOT

TOOLS = ["awk", "find", "make", "sed", "sh"]

OLD = """case "$*" in *version_info*3,*11*) exit 1;; --version) echo Python 3.9.18;; esac"""
WITHOUT_ENSUREPIP = """case "$*" in *ensurepip*) exit 1;; *venv*) echo python3.12-venv;; esac"""
FINE = "exit 0"


def setup(folder: Path, programs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `make setup` in a folder with the Makefile alone, where only `programs` (name, shell text) can be found."""
    for name in ("Makefile", "Cargo.toml"):
        shutil.copy(ROOT / name, folder / name)
    found = folder / "bin"
    found.mkdir()
    for tool in TOOLS:
        there = shutil.which(tool)
        assert there is not None, f"{tool} is needed to run this test"
        (found / tool).symlink_to(there)
    for name, text in programs.items():
        (found / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (found / name).chmod(0o755)
    return subprocess.run(["make", "setup"], cwd=folder, env={"PATH": str(found)}, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("programs", "sentence"),
    [
        ({}, "slicewright needs Python 3.11 or newer, and there is no python3 on the PATH"),
        ({"python3": OLD}, "slicewright needs Python 3.11 or newer, and python3 is Python 3.9.18"),
        ({"python3": WITHOUT_ENSUREPIP}, "this helps: apt-get install python3.12-venv"),
        ({"python3": FINE}, "slicewright needs cargo (Rust 1."),
        ({"python3": FINE, "cargo": FINE}, "slicewright needs a C linker"),
    ],
    ids=["no python", "old python", "no ensurepip", "no cargo", "no linker"],
)
def test_what_is_missing_is_said_in_one_sentence(tmp_path: Path, programs: dict[str, str], sentence: str) -> None:
    done = setup(tmp_path, programs)
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]
    assert len(said) == 1, said
    assert sentence in said[0]
    assert not (tmp_path / ".venv").exists()


def planned(folder: Path, *words: str) -> str:
    """The commands that make would run for these words in a folder where nothing was made yet."""
    shutil.copy(ROOT / "Makefile", folder)
    for name in (
        "requirements.lock",
        "requirements-build.lock",
        "requirements-dev.lock",
        "requirements-clients.lock",
        "requirements-dask.lock",
        "requirements-sensitivity.lock",
        "requirements-optuna.lock",
        "Cargo.toml",
    ):
        (folder / name).touch()
    # Under another make, this one would name its folder, which has the name of the test's program in it.
    command = ["make", "-n", "--no-print-directory", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_help_is_what_make_alone_prints() -> None:
    printed = subprocess.run(["make"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for target in ("setup", "run", "test", "test-all", "check", "bench", "audit", "docs", "clean"):
        assert f"  {target} " in printed


def test_run_installs_only_what_running_and_building_need(tmp_path: Path) -> None:
    commands = planned(tmp_path, "run")
    assert "-r requirements.lock" in commands
    assert "-r requirements-build.lock" in commands
    assert "requirements-dev.lock" not in commands


@pytest.mark.parametrize("target", ["check", "test", "test-all", "bench", "docs"])
def test_what_checks_and_tests_installs_its_tools(tmp_path: Path, target: str) -> None:
    commands = planned(tmp_path, target)
    assert "-r requirements-dev.lock" in commands


def test_each_test_is_run_by_one_target(tmp_path: Path) -> None:
    quick, slow = (planned(tmp_path, target) for target in ("test", "test-all"))
    assert "-m 'not slow and not long'" in quick
    assert "ignored" not in quick
    assert "-m 'slow or long'" in slow
    assert "-- --ignored" in slow
    assert "clippy" not in slow


def test_the_build_machine_checks_and_runs_every_test_that_is_not_long(tmp_path: Path) -> None:
    (words,) = re.findall(r'exec make (test .*?)"', (ROOT / ".ci" / "run").read_text("utf-8"))
    commands = planned(tmp_path, *shlex.split(words)).splitlines()
    (tests,) = (line for line in commands if "pytest" in line)
    assert tests.strip() == ".venv/bin/python -m pytest -q -n 2 --dist worksteal --ignore tests/timing -m 'not long'"
    checks = ("cargo fmt", "cargo clippy", "ruff format --check", "ruff check", "mypy", "--include-ignored", "--doc")
    assert [check for check in checks if not any(check in line for line in commands)] == []


def built(folder: Path, make: str) -> subprocess.CompletedProcess[str]:
    """How `.ci/run` ends in a folder of its own where make is this shell text and the limit is two seconds."""
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    for name, text in {"make": make, "chromium": FINE}.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    found = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LIMIT_S": "2"}
    return subprocess.run([folder / ".ci" / "run"], env=found, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("make", "status", "last"),
    [
        ("echo 7 passed in 0.1s", 0, "make test passed after "),
        ("echo FAILED that; exit 2", 2, "make test FAILED after "),
        ("echo begun; sleep 1000", 137, "make test FAILED: stopped after 2 s, the limit of .ci/run"),
        ("setsid sleep 50 & echo 7 passed in 0.1s", 0, "make test passed after "),
    ],
    ids=["passed", "failed", "hung", "left a program"],
)
def test_the_build_machine_always_ends(tmp_path: Path, make: str, status: int, last: str) -> None:
    done = built(tmp_path, make)
    assert done.returncode == status, done.stderr
    assert done.stdout.splitlines()[-1].startswith(last)
    shown = [word for word in ("7 passed", "FAILED that", "begun") if word in make]
    assert [word for word in shown if word in done.stdout] == shown


HANGING = """\
import time
from pathlib import Path

def test_that_hangs():
    Path("begun").touch()
    time.sleep(1000)

def test_that_follows():
    pass
"""


def _wait_until(happened: Callable[[], bool]) -> None:
    """Wait for something, a minute at most."""
    until = time.monotonic() + 60
    while not happened() and time.monotonic() < until:
        time.sleep(0.1)


@pytest.mark.parametrize("within", ["the limit of a test", "the limit of all"])
def test_a_test_that_hangs_fails_and_says_where(tmp_path: Path, within: str) -> None:
    limit_s = 1 if within == "the limit of a test" else 1000
    (tmp_path / "test_hanging.py").write_text(HANGING, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    words = ["-q", "-n", "1", "-p", "tests.conftest", "-o", f"faulthandler_timeout={limit_s}", "test_hanging.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    output = tmp_path / "output"
    with output.open("w") as file:
        running = subprocess.Popen(
            [sys.executable, "-m", "pytest", *words],
            cwd=tmp_path,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    if limit_s == 1000:
        _wait_until((tmp_path / "begun").exists)
        os.killpg(running.pid, signal.SIGUSR2)
        _wait_until(lambda: "in test_that_hangs" in output.read_text())
        os.killpg(running.pid, signal.SIGKILL)
    running.wait(timeout=100)
    said = output.read_text()
    assert "in test_that_hangs" in said
    assert ("1 failed, 1 passed" in said) == (limit_s == 1)
    assert running.returncode == (1 if limit_s == 1 else -signal.SIGKILL)


def test_two_programs_of_pip_never_run_at_once(tmp_path: Path) -> None:
    commands = planned(tmp_path, "setup", "check")
    assert commands.index("requirements-optuna.lock") < commands.index("maturin develop --release\n")
    assert "maturin develop --release --skip-install &" in commands, "what compiles beside pip installs nothing"
