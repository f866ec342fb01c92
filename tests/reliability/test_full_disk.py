"""Is a full disk reported in one line, at whichever file it fills, and are finished files still there?"""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import slicewright as package
from slicewright.cli import main

from tests.conftest import CommandLine

pytestmark = pytest.mark.slow

FULL = Path("/dev/full")


def _may_mount() -> bool:
    try:
        words = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/tmp"]
        return subprocess.run(words, capture_output=True).returncode == 0
    except OSError:
        return False


def _check(ending: dict[str, Any]) -> None:
    said = ending["err"]
    if ending["status"] == 0:
        assert ending["after"] != ending["before"]
        assert not any(name.startswith(".") for name in ending["after"])
        return
    assert ending["status"] == 1
    assert ending["after"] == ending["before"], "what was finished is whole, and nothing is beside it"
    assert said.startswith("error: ")
    assert "/disk/out" in said
    assert said.endswith((": No space left on device\n", ": Read-only file system\n"))
    assert said.count("\n") == 1
    assert ending["out"] or "only read" in ending["what"], "what was worked out is printed though it cannot be kept"


def test_a_disk_that_fills_at_any_file_is_reported_and_loses_nothing(small: Path) -> None:
    if not _may_mount():
        pytest.skip("needs a name space in which it may mount")
    words = ["unshare", "-rm", sys.executable, "-m", "tests.reliability.full_disk", str(small)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    endings = json.loads(done.stdout)
    for ending in endings:
        _check(ending)
    by_status = {status: {e["what"].split()[0] for e in endings if e["status"] == status} for status in (0, 1)}
    assert by_status == {0: {"run", "reproduce"}, 1: {"run", "advise", "reproduce"}}


def test_a_file_that_may_not_grow_is_reported_and_loses_nothing(
    slicewright: CommandLine, small: Path, tmp_path: Path
) -> None:
    slicewright("run", small, "--out", tmp_path / "out")
    before = package.load(tmp_path / "out")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        said = slicewright("run", small, "--seed", "2", "--out", tmp_path / "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (said.status, said.err) == (1, f"error: {tmp_path}/out: the system refused: File too large\n")
    assert package.load(tmp_path / "out").checksum == before.checksum
    assert package.load(tmp_path / "out").seed == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "small.toml"]


def test_a_quota_that_is_noticed_late_is_reported(
    slicewright: CommandLine, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(handle: int) -> None:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    monkeypatch.setattr(os, "fsync", fsync)
    said = slicewright("run", small, "--out", tmp_path / "out")
    assert said.status == 1
    assert said.err.startswith(f"error: {tmp_path}/out/")
    assert said.err.endswith(": Disk quota exceeded\n")
    assert "GUEST" in said.out
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_what_cannot_be_printed_is_kept(small: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "slicewright", "run", str(small), "--out", str(tmp_path / "out")]
    with FULL.open("w") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 1
    assert "error: standard output: the system refused: No space left on device\n" in done.stderr
    assert package.load(tmp_path / "out").seed == 1


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_where_nothing_can_be_printed_the_status_still_reports(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "slicewright", "run", str(tmp_path / "none")]
    with FULL.open("w") as full:
        assert subprocess.run(words, stdout=full, stderr=full, timeout=300).returncode == 2


@pytest.mark.parametrize(("closed", "status"), [("<&-", 2), (">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 2)])
def test_streams_that_are_closed_are_no_bug(small: Path, closed: str, status: int) -> None:
    scenario = "-" if "<" in closed else str(small)
    words = ["sh", "-c", f'"$0" -m slicewright explain {scenario} {closed}', sys.executable]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == status
    assert "bug" not in done.stderr
    assert ("standard input: cannot be read\n  why: it is closed" in done.stderr) == (closed == "<&-")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("n" * 300, "File name too long"),
        ("x/" * 3000, "File name too long"),
        ("bare/out", "Permission denied"),
    ],
)
def test_a_place_that_cannot_be_is_refused_before_the_run(small: Path, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "bare").mkdir(mode=0o555)
    words = [sys.executable, "-m", "slicewright", "run", str(small), "--out", str(tmp_path / name)]
    if os.geteuid() == 0:  # no permission is refused to root
        words = ["setpriv", "--bounding-set=-all", *words]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    except FileNotFoundError:
        pytest.skip("needs setpriv to be refused as root")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f": {said}\n")
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bare", "small.toml"]


def test_a_name_as_long_as_the_system_allows_serves(slicewright: CommandLine, small: Path, tmp_path: Path) -> None:
    assert slicewright("run", small, "--out", tmp_path / ("n" * 255)).status == 0


@pytest.mark.parametrize("words", [["reproduce", "--quick", "--html"], ["advise", "--out"], ["run", "--out"]])
def test_a_directory_where_a_file_is_meant_or_the_reverse_is_refused(
    small: Path, tmp_path: Path, words: list[str]
) -> None:
    taken = tmp_path if "--html" in words else small
    files = [] if "--html" in words else [str(small)]
    assert main([words[0], *files, *words[1:], str(taken)]) == 2
