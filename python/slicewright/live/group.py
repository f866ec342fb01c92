"""A control group with a limit, made for one measurement: its name says whose it is, and it goes when that ends.

It ends no process: workers end with the process that started them (`launch`, `worker`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import problem, refusal
from slicewright.live.control_files import ControlFiles
from slicewright.live.hierarchy import Hierarchy

LIVE, HOME = "slicewright-live-", "slicewright-home-"
"""How the names of groups begin: the limited one, and the one for this process if it has to make room."""

PATIENCE_S = 3.0
"""How long a worker that has ended may take to be gone from its group."""

HEAVIEST = {1: 262144, 2: 10000}
"""The highest weight of a group, so that others on its processor cannot make its slices longer."""

_NAME = re.compile(f"({LIVE}|{HOME})([0-9]+)-([0-9]+)")


@dataclass(frozen=True)
class Limit:
    """A quota of processor time per period, and the burst that may be saved up, in us.

    >>> Limit(30_000, 60_000).of_period
    0.5
    """

    quota_us: int
    period_us: int
    burst_us: int = 0

    @property
    def of_period(self) -> float:
        """Processors' worth of time that the quota is."""
        return self.quota_us / self.period_us


@dataclass(frozen=True)
class Group:
    """A group that was made here.

    >>> Group(ControlFiles(), 2, Path("/sys/fs/cgroup/slicewright-live-1-2")).procs.name
    'cgroup.procs'
    """

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

    def weigh(self, weight: int) -> None:
        """Set the weight against others on the same processor; where that is refused, it stays as it is."""
        with contextlib.suppress(OSError):
            self.files.write(self.path / ("cpu.shares" if self.version == 1 else "cpu.weight"), str(weight))

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

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     root = Path(folder)
    ...     with limited_group(ControlFiles(), Hierarchy(1, root, root)) as group:
    ...         group.path.name.startswith(LIVE)
    True
    """
    sign = f"{os.getpid()}-{_started(os.getpid(), proc)}"
    with contextlib.ExitStack() as undo:
        place = _place(files, hierarchy, sign, undo)
        remove_stale(files, place, proc)
        path = place / (LIVE + sign)
        undo.callback(_leave, files, hierarchy.version, path)
        _make(files, path, hierarchy)
        yield Group(files, hierarchy.version, path)


def remove_stale(files: ControlFiles, place: Path, proc: Path = Path("/proc")) -> list[Path]:
    """Remove the groups in `place` that runs left which are no longer there; those of living runs stay.

    Those of other users stay, and so does one with a process in it: our workers end with their run, so that it is none
    of ours.

    >>> remove_stale(ControlFiles(), Path("/no/such/group"))
    []
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
    """Limits of the groups around one, which hold for it too, as text; none is what a measurement needs.

    >>> enclosing_limits(ControlFiles(), Hierarchy(2, Path("/x"), Path("/x")), Path("/x/a"))
    []
    """
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
        why = f"{len(others)} other processes stand in it, and a group that holds processes hands on no controller"
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


def _make(files: ControlFiles, path: Path, hierarchy: Hierarchy) -> None:
    try:
        files.make(path)
    except FileExistsError:
        if not files.owned(path):
            raise _no_right(
                path.parent, f"{path.name} is there and belongs to another user", hierarchy.version
            ) from None
    except OSError as error:
        raise _no_right(path.parent, error.strerror or str(error), hierarchy.version) from None


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
    until = time.monotonic() + PATIENCE_S
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
    try:
        return (proc / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "0"
