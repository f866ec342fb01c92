"""The control group of a running container: found by its path or a part of its name, and read, never written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from slicewright.errors import nearest, problem, refusal
from slicewright.live.control_files import ControlFiles
from slicewright.live.hierarchy import Hierarchy

DEEPEST = 8
"""Groups within groups that are searched: kubepods, class, pod, container, and room for nested services."""
MOST_GROUPS = 20_000
SHOWN = 8


@dataclass(frozen=True)
class Watched:
    """A group and the hierarchy it is in.

    >>> Watched(ControlFiles(), Hierarchy(1, Path("/c"), Path("/c")), Path("/c/a")).name
    'a'
    """

    files: ControlFiles
    hierarchy: Hierarchy
    path: Path

    @property
    def name(self) -> str:
        """The path of the group below the root of its hierarchy."""
        return str(self.path.relative_to(self.hierarchy.root))

    def limit(self) -> tuple[int, int] | None:
        """Quota and period in us; None without a limit."""
        words = self.files.words(self.path / "cpu.max")
        if self.hierarchy.version == 1:
            names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
            words = [word for name in names for word in self.files.words(self.path / name)]
        if len(words) != 2 or not all(word.isdigit() for word in words):
            return None
        return int(words[0]), int(words[1])

    def weight(self) -> int | None:
        """Its weight against its siblings: cpu.weight, of version 1 cpu.shares."""
        words = self.files.words(self.path / ("cpu.shares" if self.hierarchy.version == 1 else "cpu.weight"))
        return int(words[0]) if len(words) == 1 and words[0].isdigit() else None

    def counters(self) -> dict[str, int]:
        """The counters of cpu.stat, and in version 1 `cpuacct.usage` under its name; empty where the group is gone."""
        found = self.files.numbers(self.path / "cpu.stat")
        if self.hierarchy.version == 1 and found:
            places = (self.path, self.hierarchy.root.parent / "cpuacct" / self.name)
            used = next((words for place in places if (words := self.files.words(place / "cpuacct.usage"))), [])
            if len(used) == 1 and used[0].isdigit():
                found["cpuacct.usage"] = int(used[0])
        return found

    def pressure_us(self) -> int | None:
        """Microseconds in which some task waited for a processor (cpu.pressure); None where the kernel lacks it."""
        words = self.files.words(self.path / "cpu.pressure")
        totals = [word.removeprefix("total=") for word in words if word.startswith("total=")]
        return int(totals[0]) if totals and totals[0].isdigit() else None

    def tasks(self, proc: Path = Path("/proc")) -> dict[int, tuple[int, int, int]]:
        """Of each of its threads the schedstat: ns on a processor, ns waiting for one, times dispatched."""
        name = "tasks" if self.hierarchy.version == 1 else "cgroup.threads"
        found = {}
        for thread in self.files.words(self.path / name):
            try:
                words = (proc / thread / "task" / thread / "schedstat").read_text(encoding="ascii").split()
            except OSError:
                words = self._of_thread(proc, thread)
            if len(words) == 3 and all(word.isdigit() for word in words):
                found[int(thread)] = (int(words[0]), int(words[1]), int(words[2]))
        return found

    @staticmethod
    def _of_thread(proc: Path, thread: str) -> list[str]:
        """The schedstat of a thread that is not the first of its process: /proc has it by its number too."""
        try:
            return (proc / thread / "schedstat").read_text(encoding="ascii").split()
        except OSError:  # it has ended
            return []


def find(files: ControlFiles, hierarchy: Hierarchy, name: str) -> Watched:
    """The group by its path, absolute or below the root, or by a part of its name that no other group has.

    Raises InputError where there is none, or more than one, and where it has no cpu controller.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     root = Path(folder)
    ...     (root / "kubepods" / "pod12-34").mkdir(parents=True)
    ...     _ = (root / "kubepods" / "pod12-34" / "cpu.stat").write_text("nr_periods 1\\n")
    ...     find(ControlFiles(), Hierarchy(2, root, root), "12-34").name
    'kubepods/pod12-34'
    """
    root = hierarchy.root
    given = Path(name)
    path = given if given.is_absolute() else root / name
    if name.strip("/.") and ".." not in given.parts and path.is_relative_to(root) and path.is_dir():
        return _readable(Watched(files, hierarchy, path))
    groups = _groups(files, root)
    # systemd writes the dashes of a pod's number as underscores.
    wanted = {name.lower(), name.lower().replace("-", "_")}
    fitting = [group for group in groups if any(want and want in group.name.lower() for want in wanted)]
    innermost = [group for group in fitting if not any(other != group and group in other.parents for other in fitting)]
    if len(innermost) == 1:
        return _readable(Watched(files, hierarchy, innermost[0]))
    names = [str(group.relative_to(root)) for group in innermost]
    if names:
        listed = ", ".join(names[:SHOWN]) + f" and {len(names) - SHOWN} more" * (len(names) > SHOWN)
        raise refusal(problem(f"{len(names)} groups have this in their names: {name}", key="GROUP", allowed=listed))
    why = f"none of {len(groups):,} groups below {root} has it in its name; a group has the pod's uid, not its name"
    allowed = "a path below it, or a part of a name; kubectl get pod NAME -o jsonpath={.metadata.uid} gives the uid"
    near = nearest(name, [group.name for group in groups])
    raise refusal(problem(f"no such group: {name}", key="GROUP", why=why, allowed=allowed, nearest=near))


def _readable(watched: Watched) -> Watched:
    if "nr_periods" in watched.counters():
        return watched
    why = "its cpu.stat has no nr_periods: it is the root, or the cpu controller is not enabled in it"
    allowed = "the container's own group"
    what = "no CPU limit can be counted here"
    raise refusal(problem(what, file=str(watched.path), key="GROUP", why=why, allowed=allowed))


def _groups(files: ControlFiles, root: Path) -> list[Path]:
    """Every group below the root, outermost first."""
    found: list[Path] = []
    level = [root]
    for _ in range(DEEPEST):
        level = [group for above in level for group in files.folders(above)]
        found += level
        if len(found) > MOST_GROUPS:
            break
    return found[:MOST_GROUPS]
