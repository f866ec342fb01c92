"""The files of control groups: how one is made, read, written and removed."""

from __future__ import annotations

import os
from pathlib import Path

from slicewright._core import live_control_group_version


class ControlFiles:
    """Control groups as the kernel shows them; tests put another tree in place of this one.

    >>> ControlFiles().words(Path("/no/such/group/cgroup.procs"))
    []
    """

    def version_of(self, folder: Path) -> int:
        """The version of control groups that a folder belongs to, by its file system; 0 for any other folder."""
        return live_control_group_version(folder)

    def owned(self, group: Path) -> bool:
        """Whether a group belongs to the user of this process."""
        try:
            return group.lstat().st_uid == os.geteuid()
        except OSError:
            return False

    def make(self, group: Path) -> None:
        """Make a group; raises OSError as the system gives it."""
        group.mkdir()

    def remove(self, group: Path) -> None:
        """Remove a group without processes; raises OSError as the system gives it."""
        group.rmdir()

    def write(self, file: Path, value: str) -> None:
        """Write a control file that is there; raises OSError as the system gives it."""
        control = os.open(file, os.O_WRONLY)
        try:
            os.write(control, value.encode("ascii"))
        finally:
            os.close(control)

    def words(self, file: Path) -> list[str]:
        """The words of a control file; none if there is no such file or it may not be read."""
        try:
            return file.read_text(encoding="ascii").split()
        except (OSError, UnicodeDecodeError):
            return []

    def numbers(self, file: Path) -> dict[str, int]:
        """A file of names and whole numbers, such as cpu.stat."""
        words = self.words(file)
        return {
            name: int(value)
            for name, value in zip(words[::2], words[1::2], strict=False)
            if value.lstrip("-").isdigit()
        }

    def folders(self, group: Path) -> list[Path]:
        """The groups inside a group, by name; none where it may not be read."""
        try:
            return sorted(entry for entry in group.iterdir() if entry.is_dir())
        except OSError:
            return []
