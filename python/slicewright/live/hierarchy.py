"""Where this process stands among the machine's control groups, and which version of them limits processor time here.

It leaves out making groups (`slicewright.live.group`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from slicewright.live.control_files import ControlFiles
from slicewright.problems import problem, refusal

CONTROLLER = "cpu"


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy of control groups with the cpu controller: version 1 or 2, its root, and this process's own group.

    >>> Hierarchy(2, Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/user.slice")).upwards()[-1].as_posix()
    '/sys/fs/cgroup'
    """

    version: int
    root: Path
    own: Path

    def upwards(self) -> list[Path]:
        """The own group, the one that holds it, and so on up to the root."""
        below = [self.own, *self.own.parents]
        return below[: below.index(self.root) + 1]


def hierarchy(files: ControlFiles, proc: Path = Path("/proc")) -> Hierarchy:
    """The hierarchy that has the cpu controller on this machine: version 2 if it is there, else 1.

    Raises InputError where there is none, and on systems other than Linux.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +IGNORE_EXCEPTION_DETAIL
    ...     hierarchy(ControlFiles(), Path(folder))
    Traceback (most recent call last):
    slicewright._core.InputError: the machine has no cpu controller
    """
    if not sys.platform.startswith("linux"):
        why = "limits on processor time are those of Linux control groups"
        raise refusal(problem(f"there is no live measurement on {sys.platform}", why=why, allowed="Linux"))
    mounts = list(_mounts(proc))
    for version, root, options in sorted(mounts, key=lambda mount: -mount[0]):
        controllers = files.words(root / "cgroup.controllers") if version == 2 else options
        if CONTROLLER in controllers:
            return Hierarchy(version, root, _own(root, version, proc))
    why = "no mounted hierarchy of control groups has it" if mounts else "no control groups are mounted"
    allowed = "Linux with CONFIG_CFS_BANDWIDTH and the cpu controller of control groups, version 1 or 2"
    raise refusal(problem("the machine has no cpu controller", why=why, allowed=allowed))


def _mounts(proc: Path) -> Iterator[tuple[int, Path, list[str]]]:
    try:
        lines = (proc / "self" / "mounts").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return
    for fields in (line.split() for line in lines):
        if len(fields) >= 4 and fields[2] in ("cgroup", "cgroup2"):
            place = Path(fields[1].encode(errors="surrogateescape").decode("unicode_escape"))
            yield (2 if fields[2] == "cgroup2" else 1), place, fields[3].split(",")


def _own(root: Path, version: int, proc: Path) -> Path:
    try:
        lines = (proc / "self" / "cgroup").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return root
    for _, controllers, path in (line.split(":", 2) for line in lines if line.count(":") >= 2):
        mine = controllers == "" if version == 2 else CONTROLLER in controllers.split(",")
        place = root / path.lstrip("/")
        if mine and ".." not in place.parts and place.is_dir():
            return place
    return root
