"""The place of this process among the machine's control groups, and the version of them that limits processor time."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import problem, refusal
from slicewright.live.control_files import ControlFiles

CONTROLLER = "cpu"


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy of control groups with the cpu controller: version 1 or 2, its root, and this process's own group.

    `chosen` is the group to make ours in, where one was named.

    >>> Hierarchy(2, Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/user.slice")).upwards()[-1].as_posix()
    '/sys/fs/cgroup'
    """

    version: int
    root: Path
    own: Path
    chosen: Path | None = None

    def upwards(self) -> list[Path]:
        """The own group, the one that holds it, and so on up to the root."""
        below = [self.own, *self.own.parents]
        return below[: below.index(self.root) + 1]


@dataclass(frozen=True)
class _Mount:
    place: Path
    kind: str
    options: list[str]

    @property
    def version(self) -> int:
        """Of control groups; 0 for any other file system."""
        return {"cgroup": 1, "cgroup2": 2}.get(self.kind, 0)

    def controllers(self, files: ControlFiles) -> list[str]:
        """The controllers of the groups in it."""
        return files.words(self.place / "cgroup.controllers") if self.version == 2 else self.options


def hierarchy(files: ControlFiles, proc: Path = Path("/proc"), chosen: Path | None = None) -> Hierarchy:
    """The hierarchy that has the cpu controller on this machine: version 2 if it is there, else 1.

    The file system says what is a control group: the list of mounts names places that a later mount may hide.
    `chosen` is a group to make ours in; the hierarchy is then the one that it is in.  Raises InputError where there is
    none, for a folder that is no control group with that controller, and on systems other than Linux.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +IGNORE_EXCEPTION_DETAIL
    ...     hierarchy(ControlFiles(), Path(folder))
    Traceback (most recent call last):
    slicewright._core.InputError: the machine has no cpu controller
    """
    if not sys.platform.startswith("linux"):
        why = "limits on processor time are those of Linux control groups"
        raise refusal(problem(f"there is no live measurement on {sys.platform}", why=why, allowed="Linux"))
    every = _mounts(proc)
    mounts = [mount for mount in every if mount.version and files.version_of(mount.place) == mount.version]
    fitting = [mount for mount in mounts if CONTROLLER in mount.controllers(files)]
    if fitting:
        fitting.sort(key=lambda mount: -mount.version)
        mount = fitting[0] if chosen is None else _around(files, chosen, every, fitting)
        group = None if chosen is None else chosen.resolve()
        own = _own(mount.place, mount.version, proc)
        return Hierarchy(
            mount.version, mount.place, own if files.version_of(own) == mount.version else mount.place, group
        )
    why = "no mounted hierarchy of control groups has it" if mounts else "no control groups are mounted"
    allowed = "Linux with CONFIG_CFS_BANDWIDTH and the cpu controller of control groups, version 1 or 2"
    raise refusal(problem("the machine has no cpu controller", why=why, allowed=allowed))


def _around(files: ControlFiles, chosen: Path, every: list[_Mount], fitting: list[_Mount]) -> _Mount:
    """The mount that a folder is in, the last and innermost; raises InputError unless its groups can be limited."""
    group = chosen.resolve()
    mount = _Mount(Path("/"), "no known file system", [])
    for other in every:
        if group.is_relative_to(other.place) and other.place.is_relative_to(mount.place):
            mount = other
    version = files.version_of(group)
    if mount in fitting and version == mount.version:
        return mount
    what = "has no cpu controller" if mount.version and version else "is no control group"
    hidden = mount.version and not version
    why = "another file system hides its mount" if hidden else f"it is on {mount.kind}, mounted at {mount.place}"
    allowed = f"a group in {', '.join(str(mount.place) for mount in fitting)}"
    raise refusal(problem(what, file=str(chosen), key="group", why=why, allowed=allowed))


def _mounts(proc: Path) -> list[_Mount]:
    """Every file system that is mounted, in the order in which that was done."""
    try:
        lines = (proc / "self" / "mounts").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    return [
        _Mount(_unescaped(fields[1]), fields[2], fields[3].split(","))
        for fields in (line.split() for line in lines)
        if len(fields) >= 4
    ]


def _unescaped(place: str) -> Path:
    """A place of mounts(5): blanks and the like are written as octal numbers."""
    return Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), place))


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
