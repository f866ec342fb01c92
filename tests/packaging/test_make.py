"""What `make setup` says where something is missing: one sentence, before anything is downloaded.

It leaves out a set-up that works; every other test runs in one.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


def test_help_is_what_make_alone_prints() -> None:
    printed = subprocess.run(["make"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for target in ("setup", "run", "test", "check", "bench", "audit", "docs", "clean"):
        assert f"  {target} " in printed
