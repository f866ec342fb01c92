"""The place of this process among the machine's control groups, and the version of them that has a controller."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import problem, refusal
from slicewright.live.control_files import ControlFiles

CONTROLLER = "cpu"

BLOCK = {1: "blkio", 2: "io"}
"""The controller of block devices, as the two versions call it."""


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy of control groups with a controller: version 1 or 2, its root, and this process's own group.

    `chosen` is the group to make ours in, where one was named.

    >>> Hierarchy(2, Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/user.slice")).upwards()[-1].as_posix()
    '/sys/fs/cgroup'
    """

    version: int
    root: Path
    own: Path
    chosen: Path | None = None
    controller: str = CONTROLLER

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
    why = "limits on processor time are those of Linux control groups"
    mounts = _control_groups(files, proc, why)
    fitting = [mount for mount in mounts if CONTROLLER in mount.controllers(files)]
    if fitting:
        fitting.sort(key=lambda mount: -mount.version)
        mount = fitting[0] if chosen is None else _around(files, chosen, _mounts(proc), (fitting, CONTROLLER))
        return _standing(files, (mount, CONTROLLER), proc, chosen)
    why = "no mounted hierarchy of control groups has it" if mounts else "no control groups are mounted"
    allowed = "Linux with CONFIG_CFS_BANDWIDTH and the cpu controller of control groups, version 1 or 2"
    raise refusal(problem("the machine has no cpu controller", why=why, allowed=allowed))


def block_hierarchy(files: ControlFiles, proc: Path = Path("/proc"), chosen: Path | None = None) -> Hierarchy:
    """The hierarchy that has the controller of block devices: io in version 2, else blkio in version 1.

    `chosen` is a group to make ours in.  Raises InputError where there is none, and for a folder that is no such group.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +IGNORE_EXCEPTION_DETAIL
    ...     block_hierarchy(ControlFiles(), Path(folder))
    Traceback (most recent call last):
    slicewright._core.InputError: the machine has no controller of block devices
    """
    why = "limits on I/O are those of Linux control groups"
    mounts = _control_groups(files, proc, why)
    fitting = [mount for mount in mounts if BLOCK[mount.version] in mount.controllers(files)]
    if fitting:
        fitting.sort(key=lambda mount: -mount.version)
        named = BLOCK[fitting[0].version]
        mount = fitting[0] if chosen is None else _around(files, chosen, _mounts(proc), (fitting, named))
        return _standing(files, (mount, BLOCK[mount.version]), proc, chosen)
    why = "no mounted hierarchy of control groups has it" if mounts else "no control groups are mounted"
    allowed = "Linux with CONFIG_BLK_DEV_THROTTLING and the controller blkio (version 1) or io (version 2)"
    raise refusal(problem("the machine has no controller of block devices", why=why, allowed=allowed))


def _control_groups(files: ControlFiles, proc: Path, why: str) -> list[_Mount]:
    """The mounted hierarchies of control groups; raises InputError on systems other than Linux."""
    if not sys.platform.startswith("linux"):
        raise refusal(problem(f"there is no live measurement on {sys.platform}", why=why, allowed="Linux"))
    return [mount for mount in _mounts(proc) if mount.version and files.version_of(mount.place) == mount.version]


def _standing(files: ControlFiles, found: tuple[_Mount, str], proc: Path, chosen: Path | None) -> Hierarchy:
    mount, controller = found
    own = _own(mount, controller, proc)
    own = own if files.version_of(own) == mount.version else mount.place
    return Hierarchy(mount.version, mount.place, own, None if chosen is None else chosen.resolve(), controller)


def _around(files: ControlFiles, chosen: Path, every: list[_Mount], wanted: tuple[list[_Mount], str]) -> _Mount:
    """The mount that a folder is in, the last and innermost; raises InputError unless its groups can be limited."""
    fitting, controller = wanted
    group = chosen.resolve()
    mount = _Mount(Path("/"), "no known file system", [])
    for other in every:
        if group.is_relative_to(other.place) and other.place.is_relative_to(mount.place):
            mount = other
    version = files.version_of(group)
    if mount in fitting and version == mount.version:
        return mount
    what = f"has no {controller} controller" if mount.version and version else "is no control group"
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


def _own(mount: _Mount, controller: str, proc: Path) -> Path:
    try:
        lines = (proc / "self" / "cgroup").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return mount.place
    for _, controllers, path in (line.split(":", 2) for line in lines if line.count(":") >= 2):
        mine = controllers == "" if mount.version == 2 else controller in controllers.split(",")
        place = mount.place / path.lstrip("/")
        if mine and ".." not in place.parts and place.is_dir():
            return place
    return mount.place
