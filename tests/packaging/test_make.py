"""The messages of `make setup` where something is missing, and the steps of each target of the Makefile."""

import re
import shlex
import shutil
import subprocess
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
    assert "-r requirements.lock -r requirements-build.lock" in commands
    assert "requirements-dev.lock" not in commands


@pytest.mark.parametrize("target", ["check", "test", "test-all", "bench", "docs"])
def test_what_checks_and_tests_installs_its_tools(tmp_path: Path, target: str) -> None:
    commands = planned(tmp_path, target)
    assert "-r requirements-dev.lock" in commands


def test_each_test_is_run_by_one_target(tmp_path: Path) -> None:
    quick, slow = (planned(tmp_path, target) for target in ("test", "test-all"))
    assert "-m 'not slow'" in quick
    assert "ignored" not in quick
    assert "-m slow" in slow
    assert "-- --ignored" in slow
    assert "clippy" not in slow


def test_the_build_machine_checks_and_runs_every_test(tmp_path: Path) -> None:
    (words,) = re.findall(r"^make (test .*?) <", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    commands = planned(tmp_path, *shlex.split(words)).splitlines()
    (tests,) = (line for line in commands if "pytest" in line)
    assert tests.strip() == ".venv/bin/python -m pytest -q -n 2 --dist worksteal --ignore tests/timing"
    checks = ("cargo fmt", "cargo clippy", "ruff format --check", "ruff check", "mypy", "--include-ignored", "--doc")
    assert [check for check in checks if not any(check in line for line in commands)] == []


def test_two_programs_of_pip_never_run_at_once(tmp_path: Path) -> None:
    commands = planned(tmp_path, "setup", "check")
    assert commands.index("requirements-optuna.lock") < commands.index("maturin develop")
