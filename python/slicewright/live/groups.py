"""Control groups: their files, the hierarchy that has a controller, and a group with a limit for one measurement.

The name of a group says whose it is, and it goes when the measurement ends.  That ends no process: workers end with the
process that started them (`workers`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from slicewright._core import InputError, live_control_group_version
from slicewright.live.machine import text_of
from slicewright.statistics import plural
from slicewright.values.errors import problem, refusal


class ControlFiles:
    """Control groups as the kernel shows them; tests put another tree in place of this one."""

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
        return text_of(file).split()

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


@dataclass(frozen=True)
class _Controller:
    """A controller of control groups: its name in the two versions, and the words of a machine without it."""

    names: tuple[str, str]
    limits: str
    missing: str
    allowed: str

    def name(self, version: int) -> str:
        """Its name in a version."""
        return self.names[version - 1]


CPU = _Controller(
    ("cpu", "cpu"), "limits on processor time", "the machine has no cpu controller",
    "Linux with CONFIG_CFS_BANDWIDTH and the cpu controller of control groups, version 1 or 2",
)  # fmt: skip
BLOCK = _Controller(
    ("blkio", "io"), "limits on I/O", "the machine has no controller of block devices",
    "Linux with CONFIG_BLK_DEV_THROTTLING and the controller blkio (version 1) or io (version 2)",
)  # fmt: skip


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy of control groups with a controller: version 1 or 2, its root, and this process's own group.

    `chosen` is the group to make ours in, where one was named.
    """

    version: int
    root: Path
    own: Path
    chosen: Path | None = None
    controller: str = "cpu"

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


def hierarchy(
    files: ControlFiles, proc: Path = Path("/proc"), chosen: Path | None = None, controller: _Controller = CPU
) -> Hierarchy:
    """The hierarchy that has a controller on this machine: version 2 if it is there, else 1.

    The file system says what is a control group: the list of mounts names places that a later mount may hide.
    `chosen` is a group to make ours in; the hierarchy is then the one that it is in.  Raises InputError where there is
    none, for a folder that is no control group with that controller, and on systems other than Linux.
    """
    why = f"{controller.limits} are those of Linux control groups"
    if not sys.platform.startswith("linux"):
        raise refusal(problem(f"there is no live measurement on {sys.platform}", why=why, allowed="Linux"))
    every = _mounts(proc)
    mounts = [mount for mount in every if mount.version and files.version_of(mount.place) == mount.version]
    fitting = [mount for mount in mounts if controller.name(mount.version) in mount.controllers(files)]
    if not fitting:
        why = "no mounted hierarchy of control groups has it" if mounts else "no control groups are mounted"
        raise refusal(problem(controller.missing, why=why, allowed=controller.allowed))
    fitting.sort(key=lambda mount: -mount.version)
    named = controller.name(fitting[0].version)
    mount = fitting[0] if chosen is None else _around(files, chosen, every, (fitting, named))
    name = controller.name(mount.version)
    own = _own(mount, name, proc)
    own = own if files.version_of(own) == mount.version else mount.place
    return Hierarchy(mount.version, mount.place, own, None if chosen is None else chosen.resolve(), name)


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
    return [
        _Mount(
            Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1])),
            fields[2],
            fields[3].split(","),
        )
        for fields in (line.split() for line in text_of(proc / "self" / "mounts", "surrogateescape").splitlines())
        if len(fields) >= 4
    ]


def _own(mount: _Mount, controller: str, proc: Path) -> Path:
    lines = text_of(proc / "self" / "cgroup", "surrogateescape").splitlines()
    for _, controllers, path in (line.split(":", 2) for line in lines if line.count(":") >= 2):
        mine = controllers == "" if mount.version == 2 else controller in controllers.split(",")
        place = mount.place / path.lstrip("/")
        if mine and ".." not in place.parts and place.is_dir():
            return place
    return mount.place


LIVE, HOME = "slicewright-live-", "slicewright-home-"
"""How the names of groups begin: the limited one, and the one for this process if it has to make room."""

_PATIENCE_S = 3.0
"""How long a worker that has ended may take to be gone from its group."""

_HEAVIEST = {1: 262144, 2: 10000}
"""The highest weight of a group, so that others on its processor cannot make its slices longer."""

_NAME = re.compile(f"({LIVE}|{HOME})([0-9]+)-([0-9]+)")


@dataclass(frozen=True)
class Limit:
    """A quota of processor time per period, and the burst that may be saved up, in us."""

    quota_us: int
    period_us: int
    burst_us: int = 0


@dataclass(frozen=True)
class Group:
    """A group that was made here."""

    files: ControlFiles
    version: int
    path: Path

    @property
    def procs(self) -> Path:
        """The file to which a process writes its number to come in."""
        return self.path / "cgroup.procs"

    def limit(self, limit: Limit | None) -> None:
        """Set the limit, or take it away; raises InputError when the kernel refuses it."""
        try:
            for name, value in _settings(self.version, limit):
                self.files.write(self.path / name, value)
        except OSError as error:
            asked = "no limit" if limit is None else f"{limit.quota_us} us of {limit.period_us} us"
            why = f"{error.strerror or error}; a group that holds this one may be limited itself"
            raise refusal(problem(f"the kernel refuses a limit of {asked}", file=str(self.path), why=why)) from None

    def weigh(self, weight: int = 0) -> None:
        """Set the weight against others on the same processor, the heaviest without one; or leave it as it is."""
        with contextlib.suppress(OSError):
            file = self.path / ("cpu.shares" if self.version == 1 else "cpu.weight")
            self.files.write(file, str(weight or _HEAVIEST[self.version]))

    def stat(self) -> dict[str, int]:
        """cpu.stat under the names of version 2: nr_periods, nr_throttled, throttled_usec, nr_bursts, burst_usec."""
        found = self.files.numbers(self.path / "cpu.stat")
        for old, new in (("throttled_time", "throttled_usec"), ("burst_time", "burst_usec")):
            if old in found:
                found[new] = found.pop(old) // 1000
        return found


@contextlib.contextmanager
def limited_group(files: ControlFiles, hierarchy: Hierarchy, proc: Path = Path("/proc")) -> Iterator[Group]:
    """A new group without a limit, removed at the end; those of killed runs go first.

    It is made in the group that was chosen; without one, in the nearest around this process where that is possible.
    Raises InputError when there is no right to make one, and says which is missing and how to get it.
    """
    sign = f"{os.getpid()}-{_started(os.getpid(), proc)}"
    with contextlib.ExitStack() as undo:
        place = _place(files, hierarchy, sign, undo)
        _remove_stale(files, place, proc)
        path = place / (LIVE + sign)
        undo.callback(_leave, files, hierarchy.version, path)
        try:
            files.make(path)
        except FileExistsError:
            if not files.owned(path):
                raise _no_right(
                    path.parent, f"{path.name} is there and belongs to another user", hierarchy.version
                ) from None
        except OSError as error:
            raise _no_right(path.parent, error.strerror or str(error), hierarchy.version) from None
        yield Group(files, hierarchy.version, path)


def _remove_stale(files: ControlFiles, place: Path, proc: Path = Path("/proc")) -> list[Path]:
    """Remove the groups in `place` that runs left which are no longer there; those of living runs stay.

    Those of other users stay, and so does one with a process in it: our workers end with their run, so that it is none
    of ours.
    """
    gone = []
    for path in files.folders(place):
        named = _NAME.fullmatch(path.name)
        if named and files.owned(path) and _started(int(named[2]), proc) != named[3]:
            with contextlib.suppress(OSError):
                files.remove(path)
                gone.append(path)
    return gone


def enclosing_limits(files: ControlFiles, hierarchy: Hierarchy, group: Path) -> list[str]:
    """Limits of the groups around one, which hold for it too, as text; none is what a measurement needs."""
    found = []
    for above in group.parents:
        words = files.words(above / "cpu.max") or [*files.words(above / "cpu.cfs_quota_us"), ""]
        if words[0] not in ("", "max", "-1"):
            found.append(f"{above} is limited to {words[0]} us of each period")
        if above == hierarchy.root:
            break
    return found


def _settings(version: int, limit: Limit | None) -> list[tuple[str, str]]:
    if version == 2:
        if limit is None:
            return [("cpu.max", "max")]
        burst = [("cpu.max.burst", str(limit.burst_us))] if limit.burst_us else []
        return [("cpu.max", f"{limit.quota_us} {limit.period_us}"), *burst]
    unlimited = [("cpu.cfs_quota_us", "-1")]
    if limit is None:
        return unlimited
    burst = [("cpu.cfs_burst_us", str(limit.burst_us))] if limit.burst_us else []
    return [*unlimited, ("cpu.cfs_period_us", str(limit.period_us)), ("cpu.cfs_quota_us", str(limit.quota_us)), *burst]


def _place(files: ControlFiles, hierarchy: Hierarchy, sign: str, undo: contextlib.ExitStack) -> Path:
    """The group in which to make ours; in version 2 it has to hand the controller on to those in it."""
    chosen = hierarchy.chosen
    if hierarchy.version == 1:
        return chosen or hierarchy.own
    handing_on = [
        above
        for above in ([chosen] if chosen else hierarchy.upwards())
        if hierarchy.controller in files.words(above / "cgroup.subtree_control")
    ]
    for above in handing_on:
        if os.access(above, os.W_OK):
            return above
    place = chosen or hierarchy.own
    if hierarchy.controller not in files.words(place / "cgroup.controllers"):
        why = f"the {hierarchy.controller} controller is not handed on to it"
        raise _no_right(handing_on[0] if handing_on else place, why)
    others = [pid for pid in files.words(place / "cgroup.procs") if pid != str(os.getpid())]
    if others and place != hierarchy.root:
        inside = plural(len(others), "other process is", "other processes are")
        why = f"{inside} in it, and a group that holds processes hands on no controller"
        raise _no_right(place, why)
    _make_room(files, hierarchy, place, sign, undo)
    return place


def _make_room(files: ControlFiles, hierarchy: Hierarchy, place: Path, sign: str, undo: contextlib.ExitStack) -> None:
    """Hand the controller on; in a group of our own this process first moves into a group beside the one to come."""
    try:
        if place != hierarchy.root and files.words(place / "cgroup.procs"):
            home = place / (HOME + sign)
            undo.callback(_quietly, files.remove, home)
            files.make(home)
            undo.callback(_quietly, files.write, place / "cgroup.procs", str(os.getpid()))
            files.write(home / "cgroup.procs", str(os.getpid()))
        undo.callback(_quietly, files.write, place / "cgroup.subtree_control", f"-{hierarchy.controller}")
        files.write(place / "cgroup.subtree_control", f"+{hierarchy.controller}")
    except OSError as error:
        raise _no_right(place, error.strerror or str(error)) from None


def _no_right(place: Path, why: str, version: int = 2) -> Exception:
    scope = "a delegated scope (systemd-run --user --scope --property=Delegate=yes slicewright live ...), "
    own = "a group that belongs to you and has the controller (--group DIR)"
    return refusal(
        problem(
            "no right to make a control group with a limit here", file=str(place), why=why,
            allowed="root (sudo slicewright live ...), " + scope * (version == 2) + "or " + own,
        )
    )  # fmt: skip


def _leave(files: ControlFiles, version: int, path: Path) -> None:
    """Remove a group; without a limit a worker that has ended is gone at once, not in the next slice."""
    group = Group(files, version, path)
    _quietly(lambda: group.limit(None))
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            files.remove(path)
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > until:
                return  # the next measurement finds it by its name
            time.sleep(0.01)
        else:
            return


def _quietly(call: object, *arguments: object) -> None:
    with contextlib.suppress(OSError, ValueError):
        call(*arguments)  # type: ignore[operator]


def _started(pid: int, proc: Path) -> str:
    """When a process was started, in ticks since the machine was, so that a later one of its number is another."""
    return "".join(text_of(proc / str(pid) / "stat").rpartition(")")[2].split()[19:20]) or "0"


@contextlib.contextmanager
def heavy_group(chosen: Path | None = None) -> Iterator[Group | None]:
    """A group that outweighs others on its processors; none where that is not possible and no place was chosen."""
    files = ControlFiles()
    with contextlib.ExitStack() as undo:
        try:
            made = undo.enter_context(limited_group(files, hierarchy(files, chosen=chosen)))
        except InputError:
            if chosen is not None:
                raise
            yield None
            return
        made.weigh()
        yield made
