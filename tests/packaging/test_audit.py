"""`make audit` says which advisories apply, or that nothing was audited, and never takes the second for the first."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tidy.tree import ROOT

NO_CRATES = json.dumps({"vulnerabilities": {"list": []}})
A_CRATE = json.dumps(
    {
        "vulnerabilities": {
            "list": [{"package": {"name": "a", "version": "1.0.0"}, "advisory": {"id": "RUSTSEC-1", "title": "bad"}}]
        }
    }
)
NO_PACKAGES = json.dumps({"dependencies": [{"name": "b", "version": "2", "vulns": []}]})
A_PACKAGE = json.dumps({"dependencies": [{"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1"}]}]})
SKIPPED = json.dumps({"dependencies": [{"name": "b", "skip_reason": "not found"}]})
UNREACHED = "echo 'cannot reach the database' >&2; exit 1"


def audit(folder: Path, rust: str, python: str) -> subprocess.CompletedProcess[str]:
    """Run the audit with tools that are these shell texts."""
    for place, text in (("bin/cargo-audit", rust), ("python/bin/pip-audit", python)):
        tool = folder / "target/audit" / place
        tool.parent.mkdir(parents=True, exist_ok=True)
        tool.write_text(f"#!/bin/sh\n{text}\n")
        tool.chmod(0o755)
    return subprocess.run([sys.executable, ROOT / "packaging/audit.py"], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("rust", "python", "status", "said"),
    [
        (f"echo '{NO_CRATES}'", f"echo '{NO_PACKAGES}'", 0, "Rust: 0 advisories\nPython: 0 advisories\n"),
        (f"echo '{A_CRATE}'; exit 1", f"echo '{NO_PACKAGES}'", 1, "  a 1.0.0: RUSTSEC-1: bad\n"),
        (f"echo '{NO_CRATES}'", f"echo '{A_PACKAGE}'; exit 1", 1, "Python: 1 advisories\n  b 2: PYSEC-1\n"),
        (UNREACHED, f"echo '{NO_PACKAGES}'", 1, "Rust: not audited: cannot reach the database\n"),
        (f"echo '{NO_CRATES}'", UNREACHED, 1, "Python: not audited: cannot reach the database\n"),
        (f"echo '{NO_CRATES}'", f"echo '{SKIPPED}'", 1, "Python: not audited: 1 of 1 packages were skipped: not found"),
        ("echo '[]'", f"echo '{NO_PACKAGES}'", 1, "Rust: not audited: "),
    ],
    ids=[
        "clean",
        "a crate",
        "a package",
        "no Rust database",
        "no Python database",
        "skipped packages",
        "another format",
    ],
)
def test_what_was_audited_is_said(tmp_path: Path, rust: str, python: str, status: int, said: str) -> None:
    done = audit(tmp_path, rust, python)
    assert (done.returncode, done.stderr) == (status, "")
    assert said in done.stdout


def test_without_tools_nothing_was_audited(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path / "Makefile")
    (tmp_path / "Cargo.toml").touch()
    made = ["make", "audit", "PYTHON=false"]
    done = subprocess.run(made, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert done.returncode != 0
    assert "not audited: " in done.stderr
