"""Directories made to look like control groups: what the kernel shows, refuses, and does when a process comes in."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from slicewright.live.groups import ControlFiles

V1_FILES = {"cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000", "cpu.cfs_burst_us": "0", "cpu.shares": "1024"}
V2_FILES = {"cgroup.subtree_control": "", "cpu.max": "max 100000", "cpu.max.burst": "0", "cpu.weight": "100"}


class Tree(ControlFiles):
    """Groups of one version under a folder; making a group in one of the folders `refused` fails."""

    def __init__(self, version: int, refused: tuple[Path, ...] = ()) -> None:
        self.version = version
        self.refused = refused
        self.log: list[tuple[str, str]] = []

    def version_of(self, folder: Path) -> int:
        """The version of a folder in the trees of controllers; 0 of any other."""
        return self.version if {"root", "memory"} & set(folder.parts) and folder.is_dir() else 0

    def make(self, group: Path) -> None:
        """Make a group with its control files, unless that is refused here."""
        if group.parent in self.refused:
            raise PermissionError(errno.EACCES, "Permission denied", str(group))
        group.mkdir()
        self.fill(group)

    def fill(self, group: Path) -> None:
        """The control files that the kernel puts into a new group."""
        handed_on = self.words(group.parent / "cgroup.subtree_control")
        files = V1_FILES if self.version == 1 else V2_FILES | {"cgroup.controllers": " ".join(handed_on)}
        for name, value in {**files, "cgroup.procs": "", "cpu.stat": "nr_periods 5\nthrottled_time 7000\n"}.items():
            (group / name).write_text(value)

    def remove(self, group: Path) -> None:
        """Remove a group; refused while a process or a group is in it."""
        if self.words(group / "cgroup.procs") or self.folders(group):
            raise OSError(errno.EBUSY, "Device or resource busy", str(group))
        for file in group.iterdir():
            file.unlink()
        group.rmdir()

    def write(self, file: Path, value: str) -> None:
        """Write a control file that is there; a process that comes in leaves where it was."""
        if not file.exists():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(file))
        self.log.append((file.name, value))
        if file.name == "cgroup.procs":
            for other in file.parents[1].rglob("cgroup.procs"):
                self._set(other, " ".join(pid for pid in self.words(other) if pid != value))
            self._set(file, " ".join([*self.words(file), value]))
        elif file.name == "cgroup.subtree_control":
            if value[0] == "+" and self.words(file.parent / "cgroup.procs") and file.parent.name != "root":
                raise OSError(errno.EBUSY, "Device or resource busy", str(file))
            self._set(file, value[1:] if value[0] == "+" else "")
        else:
            self._set(file, value)

    def _set(self, file: Path, value: str) -> None:
        file.write_text(value)


def machine(folder: Path, version: int, own: str = "/", controllers: str = "cpu memory") -> Path:
    """A /proc that says that control groups of one version are mounted at `folder/root`, and where this process is."""
    root, proc = folder / "root", folder / "proc"
    (proc / "self").mkdir(parents=True)
    place = root / own.lstrip("/")
    place.mkdir(parents=True)
    kind = "cgroup2 cgroup2" if version == 2 else "cgroup cgroup"
    options = "rw,relatime" if version == 2 else f"rw,{','.join(controllers.split())}"
    (proc / "self" / "mounts").write_text(
        f"proc /proc proc rw 0 0\n{kind[:6]} {root} {kind.split()[1]} {options} 0 0\n"
    )
    (proc / "self" / "cgroup").write_text(f"0::{own}\n" if version == 2 else f"3:memory:/x\n1:cpu:{own}\n")
    if version == 2:
        (root / "cgroup.controllers").write_text(controllers)
    for pid, started in ((os.getpid(), "4711"), (1, "1")):
        (proc / str(pid)).mkdir()
        fields = " ".join(["S", *["0"] * 18, started, "0"])
        (proc / str(pid) / "stat").write_text(f"{pid} (a (name) x) {fields}\n")
    return proc
