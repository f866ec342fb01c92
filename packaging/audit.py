"""Known vulnerabilities of the pinned crates and packages, or the plain answer that they were not audited."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

TOOLS = Path("target/audit")
PACKAGES = (
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-clients.lock",
    "requirements-dask.lock",
    "requirements-optuna.lock",
    "requirements-sensitivity.lock",
)


def rust() -> list[str]:
    """The advisories on `Cargo.lock`, a line each; raises OSError when they cannot be had."""
    database = str(TOOLS / "advisories")
    report = _report([str(TOOLS / "bin/cargo-audit"), "audit", "--json", "--db", database, "--file", "Cargo.lock"])
    return [
        f"{row['package']['name']} {row['package']['version']}: {row['advisory']['id']}: {row['advisory']['title']}"
        for row in report["vulnerabilities"]["list"]
    ]


def python() -> list[str]:
    """The advisories on the packages of the lock files, a line each; raises OSError when they cannot be had."""
    files = [word for file in PACKAGES for word in ("--requirement", file)]
    tool = str(TOOLS / "python/bin/pip-audit")
    report = _report([tool, "--format", "json", "--disable-pip", "--require-hashes", "--progress-spinner=off", *files])
    packages = report["dependencies"]
    skipped = [package["skip_reason"] for package in packages if "skip_reason" in package]
    if skipped or not packages:
        raise OSError(
            f"{len(skipped)} of {len(packages)} packages were skipped{''.join(f': {why}' for why in skipped[:1])}"
        )
    return [
        f"{package['name']} {package['version']}: {advisory['id']}"
        for package in packages
        for advisory in package.get("vulns", [])
    ]


def main() -> int:
    """Print what was found; 1 when there is an advisory or when something was not audited."""
    audits: dict[str, Callable[[], list[str]]] = {"Rust": rust, "Python": python}
    failed = False
    for name, audit in audits.items():
        try:
            advisories = audit()
        except (OSError, KeyError, TypeError) as error:
            print(f"{name}: not audited: {error}")
            failed = True
            continue
        print("\n".join([f"{name}: {len(advisories)} advisories", *(f"  {line}" for line in advisories)]))
        failed |= bool(advisories)
    return int(failed)


def _report(command: Sequence[str]) -> Any:
    """The JSON that a tool prints; it prints some only after it has reached its database of advisories."""
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        return json.loads(done.stdout)
    except ValueError:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise OSError(lines[-1] if lines else f"{command[0]} ended with status {done.returncode}") from None


if __name__ == "__main__":
    sys.exit(main())
