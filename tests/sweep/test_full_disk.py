"""Is a disk that fills, or that can only be read, reported in one line, and does the sweep go on once there is room?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweep.test_store import QUICK

pytestmark = pytest.mark.slow

SCRIPT = """
mount -t tmpfs -o size=600k none disk
sweep() { "$0" -m slicewright sweep "$1" $2 -q --on threads:1 --out disk/out > /dev/null; echo "status $?" >&2; }
sweep "$1" "$2"
mount -o remount,size=20m disk
sweep "$1" "$2"
mount -o remount,ro disk
sweep "$1" "$2"
sweep "$1" "$3"
"""


def test_a_disk_that_fills_is_reported_and_loses_nothing(small: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    quick = " ".join(f"--set {key}={value.replace(' ', '')}" for key, value in QUICK.items() if isinstance(value, str))
    # Points take longer than a part waits, so that each is a part of its own.
    long = f"{quick} --set measure.interval=2000s --set measure.replications=2 --set alias_pool.POOL.aliases"
    words = ["unshare", "-rm", "bash", "-c", SCRIPT, sys.executable, str(small), f"{long}=0..5", f"{long}=0..6"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    if "unshare" in done.stderr:
        pytest.skip("needs a name space in which it may mount")
    full, first, kept, again, _, same, only_read, last = done.stderr.splitlines()
    # Where the disk is full already when the part is begun, it is the directory that cannot grow.
    assert (full[:21], full[-24:]) == ("error: disk/out/parts", " No space left on device")
    assert "the store is in disk/out" in kept
    assert (first, again, same, last) == ("status 1", "status 0", "status 0", "status 1")
    assert only_read == "error: disk/out/manifest.json: the system refused: Read-only file system"
