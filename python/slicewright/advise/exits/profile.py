"""Seccomp profiles of containers: the rules that count for a container, and how each call is answered.

Rules of a profile of Docker or Podman count only where their `includes` hold and none of their `excludes` does.
Sources: documentation of Docker, "Seccomp security profiles"; the loader of moby, profiles/seccomp.  Formats: OCI
Runtime Specification, config-linux.md, Seccomp; profiles of Docker and Podman, which add `includes`, `excludes` and
`archMap`.  The runtime omits a rule with the default action.  Of a call libseccomp keeps the first
rule without arguments, in place of all others (seccomp_rule_add(3), src/db.c).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from slicewright.advise.assumptions import Assumptions, assumed_of
from slicewright.measured.linux.text import Fields, decoded, json_of
from slicewright.values.errors import Problem, nearest, problem, refusal

BITMAP = (5, 11)
"""The kernel from which on calls that are always allowed do not run a filter."""
DOCKER = frozenset({
    "CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_MKNOD",
    "CAP_NET_BIND_SERVICE", "CAP_NET_RAW", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID", "CAP_SYS_CHROOT",
})  # fmt: skip
"""Capabilities of a container of Docker without --cap-add and --cap-drop (docker run, "Runtime privilege")."""
ALL = frozenset({
    *DOCKER, "CAP_AUDIT_CONTROL", "CAP_AUDIT_READ", "CAP_BLOCK_SUSPEND", "CAP_BPF", "CAP_CHECKPOINT_RESTORE",
    "CAP_DAC_READ_SEARCH", "CAP_IPC_LOCK", "CAP_IPC_OWNER", "CAP_LEASE", "CAP_LINUX_IMMUTABLE", "CAP_MAC_ADMIN",
    "CAP_MAC_OVERRIDE", "CAP_NET_ADMIN", "CAP_NET_BROADCAST", "CAP_PERFMON", "CAP_SYS_ADMIN", "CAP_SYS_BOOT",
    "CAP_SYS_MODULE", "CAP_SYS_NICE", "CAP_SYS_PACCT", "CAP_SYS_PTRACE", "CAP_SYS_RAWIO", "CAP_SYS_RESOURCE",
    "CAP_SYS_TIME", "CAP_SYS_TTY_CONFIG", "CAP_SYSLOG", "CAP_WAKE_ALARM",
})  # fmt: skip
"""capabilities(7)."""
_ARCHES = {
    "amd64": "SCMP_ARCH_X86_64", "x86": "SCMP_ARCH_X86", "x32": "SCMP_ARCH_X32", "arm": "SCMP_ARCH_ARM",
    "arm64": "SCMP_ARCH_AARCH64", "s390": "SCMP_ARCH_S390", "s390x": "SCMP_ARCH_S390X", "ppc": "SCMP_ARCH_PPC",
    "ppc64": "SCMP_ARCH_PPC64", "ppc64le": "SCMP_ARCH_PPC64LE", "riscv64": "SCMP_ARCH_RISCV64",
    "mips": "SCMP_ARCH_MIPS", "mips64": "SCMP_ARCH_MIPS64", "mips64n32": "SCMP_ARCH_MIPS64N32",
    "mipsel": "SCMP_ARCH_MIPSEL", "mipsel64": "SCMP_ARCH_MIPSEL64", "mipsel64n32": "SCMP_ARCH_MIPSEL64N32",
    "loongarch64": "SCMP_ARCH_LOONGARCH64",
}  # fmt: skip
"""Architectures by the name that profiles have in `arches`, and in `architectures`."""
_OTHER_ARCHES = {"x86_64": "amd64", "aarch64": "arm64", "i386": "x86", "386": "x86"}
_MOST_RULES = 100_000
ALLOW = "SCMP_ACT_ALLOW"
ANSWERS = {
    ALLOW: "allowed", "SCMP_ACT_LOG": "logged", "SCMP_ACT_NOTIFY": "by a supervisor", "SCMP_ACT_TRACE": "by a tracer",
    "SCMP_ACT_ERRNO": "refused", "SCMP_ACT_TRAP": "refused", "SCMP_ACT_KILL": "refused",
    "SCMP_ACT_KILL_THREAD": "refused", "SCMP_ACT_KILL_PROCESS": "refused",
}  # fmt: skip
"""Actions, and what they do with a call."""
_OPERATORS = frozenset(f"SCMP_CMP_{name}" for name in ("NE", "LT", "LE", "EQ", "GE", "GT", "MASKED_EQ"))
_EPERM = 1.0
"""The error of SCMP_ACT_ERRNO where none is given."""
_ROOT = frozenset({"defaultAction", "defaultErrnoRet", "defaultErrno", "architectures", "archMap", "flags", "syscalls",
                   "listenerPath", "listenerMetadata"})  # fmt: skip
_ENTRY = frozenset({"name", "names", "action", "errnoRet", "errno", "args", "comment"})
_CONDITIONS = frozenset({"includes", "excludes"})
_FILTER = frozenset({"caps", "arches", "minKernel"})
_NEWEST = (999, 0)
_Filter = dict[str, list[Any]]
"""Conditions by their key: capabilities, architectures, and at most one kernel."""
_PROFILE = re.compile(rb'"defaultAction"\s*:')


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions about the container; None is not given."""

    caps: frozenset[str] | None = None
    arch: str | None = None
    kernel: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Container:
    """The container that rules are counted for, with where each fact is from."""

    caps: frozenset[str] = DOCKER
    arch: str = "amd64"
    kernel: tuple[int, int] = BITMAP
    sources: dict[str, str] = field(default_factory=dict)
    """By the name that --assume takes: where it was given; "" by default."""

    @property
    def has_bitmap(self) -> bool:
        """Whether the kernel answers calls that are always allowed without the filter."""
        return self.kernel >= BITMAP

    def words(self) -> str:
        """The container in a sentence.

        >>> Container(sources={"arch": "--assume", "kernel": "--assume"}).words()
        "rules count for arch=amd64 (--assume), kernel=5.11 (--assume) and Docker's default capabilities (assumed)"
        """
        (major, minor), later = self.kernel, "" if "kernel" in self.sources else " or later"
        shown = {
            "arch": f"arch={self.arch}", "kernel": f"kernel={major}.{minor}{later}", "caps": _words_of(self.caps),
        }  # fmt: skip
        arch, kernel, caps = (f"{text} ({self.sources.get(key, 'assumed')})" for key, text in shown.items())
        return f"rules count for {arch}, {kernel} and {caps}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One call in a profile: its action, and how many comparisons of arguments it takes."""

    name: str
    action: str
    comparisons: int

    @property
    def allowed(self) -> bool:
        """Whether the call is allowed and nothing else happens."""
        return self.action == ALLOW


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules that a container's filter has, call by call, and the answer for calls without one."""

    file: str
    rules: tuple[Rule, ...]
    default: str
    container: Container = field(default_factory=Container)
    left_out: tuple[str, ...] = ()
    """Calls of rules whose conditions do not hold, in order of the file."""
    newer: tuple[str, ...] = ()
    """Calls of rules that count with a newer kernel, where none is given."""
    unknown: tuple[str, ...] = ()
    """Keys without a known meaning."""

    @property
    def default_allows(self) -> bool:
        """Whether calls without a rule are allowed."""
        return self.default == ALLOW

    def rules_of(self, name: str) -> list[Rule]:
        """The rules of a call."""
        return [rule for rule in self.rules if rule.name == name]

    def is_constant(self, name: str) -> bool:
        """Whether a call is allowed whatever its arguments: then the kernel's bitmap can answer it."""
        rules = self.rules_of(name)
        return self.default_allows if not rules else all(rule.allowed and not rule.comparisons for rule in rules)

    def answer(self, name: str) -> str:
        """How a call is answered, in a word or two.

        >>> profile = Profile("a", (Rule("read", ALLOW, 0), Rule("clone", ALLOW, 1)), "SCMP_ACT_ERRNO")
        >>> [profile.answer(name) for name in ("read", "clone", "mount")]
        ['bitmap', 'by arguments', 'refused']
        """
        if self.is_constant(name):
            return "bitmap" if self.container.has_bitmap else "allowed"
        rules = self.rules_of(name)
        answers = {ANSWERS[rule.action] for rule in rules}
        if not rules or any(rule.comparisons for rule in rules):
            answers.add(ANSWERS[self.default])
        return answers.pop() if len(answers) == 1 else "by arguments"


def is_profile(data: bytes) -> bool:
    """Whether a file is a seccomp profile, a container's config.json with one, or a SeccompProfile of Kubernetes.

    >>> is_profile(b'{"defaultAction": "SCMP_ACT_ERRNO"}'), is_profile(b"[[volume]]")
    (True, False)
    """
    return data.lstrip()[:1] == b"{" and _PROFILE.search(data) is not None


def read_profile(data: bytes, file: str, assumed: Assumed | None = None) -> Profile:
    """A seccomp profile, alone or as linux.seccomp of a config.json, for a container.

    Raises InputError with every problem.

    >>> read_profile(b'{"defaultAction": "SCMP_ACT_ALLOW"}', "a.json").default_allows
    True
    """
    members, _ = json_of(decoded(data, file, "a seccomp profile"), file, "a seccomp profile")
    problems: list[Problem] = []
    whole = Fields(members, (file, ""), problems)
    resolved = not whole.has("defaultAction")  # what a runtime loads, without conditions
    in_cluster = whole.text("kind") == "SeccompProfile"
    root = whole.inside("spec") if in_cluster else whole.inside("linux").inside("seccomp") if resolved else whole
    container = _container(root, whole if resolved else None, assumed or Assumed())
    default = _action(root, "defaultAction", problems)
    reading = _Reading(root, container, (default, _error(root, "defaultErrnoRet")), resolved=resolved)
    reading.unknown |= {key for key in root.members if key not in _ROOT}
    for entry in root.objects("syscalls") if root.members.get("syscalls") is not None else ():
        reading.take(entry)
    if len(reading.rules) > _MOST_RULES:
        problems.append(problem(f"{len(reading.rules):,} rules", file=file, allowed=f"at most {_MOST_RULES:,}"))
    if root.members.get("architectures") and root.members.get("archMap"):
        why = "no loader takes both"
        problems.append(problem("architectures and archMap", file=file, key=root.path, why=why, allowed="one of them"))
    if problems:
        raise refusal(*problems)
    return Profile(
        file, _kept(reading.rules), default, container, tuple(dict.fromkeys(reading.left_out)),
        tuple(dict.fromkeys(reading.newer)), tuple(sorted(reading.unknown)),
    )  # fmt: skip


def _words_of(caps: frozenset[str]) -> str:
    """Capabilities in words: by their difference from Docker's default ones.

    >>> _words_of(DOCKER), _words_of(DOCKER - {"CAP_KILL"} | {"CAP_BPF"}), _words_of(frozenset())
    ("Docker's default capabilities", "Docker's default capabilities and CAP_BPF, without CAP_KILL", 'no capabilities')
    """
    if not caps:
        return "no capabilities"
    if caps >= ALL:
        return "all capabilities"
    added, dropped = ", ".join(sorted(caps - DOCKER)), ", ".join(sorted(DOCKER - caps))
    return "Docker's default capabilities" + f" and {added}" * bool(added) + f", without {dropped}" * bool(dropped)


def assumed_container(texts: Sequence[str], problems: list[Problem]) -> Assumed:
    """The assumptions, as typed; any other text becomes a problem.

    >>> assumed_container(["caps=SYS_ADMIN,-NET_RAW", "arch=x86_64", "kernel=6.8"], []).kernel
    (6, 8)
    """
    return Assumed(**assumed_of(texts, _ASSUMPTIONS, problems))


def _caps(text: str) -> frozenset[str] | None:
    """Docker's default capabilities with some more or less, none, or all; None is no such list.

    >>> sorted(_caps("none,SYS_ADMIN")), _caps("all") == ALL, _caps("SYS_ADMIN") == DOCKER | {"CAP_SYS_ADMIN"}
    (['CAP_SYS_ADMIN'], True, True)
    """
    found = set(DOCKER)
    for part in (part.strip() for part in text.split(",")):
        if part.lower() in ("none", "default", "all"):
            found = set({"none": frozenset[str](), "default": DOCKER, "all": ALL}[part.lower()])
            continue
        name = part.lstrip("+-").upper()
        name = name if name.startswith("CAP_") else f"CAP_{name}"
        if name not in ALL:
            return None
        found = found - {name} if part.startswith("-") else found | {name}
    return frozenset(found)


def _arch(text: str) -> str | None:
    name = _OTHER_ARCHES.get(text.lower(), text.lower())
    return name if name in _ARCHES else None


def _kernel_of(text: str) -> tuple[int, int] | None:
    """A version of a kernel as its first two numbers; None is none.

    >>> _kernel_of("5.10.0-28-amd64"), _kernel_of("6"), _kernel_of("new")
    ((5, 10), (6, 0), None)
    """
    found = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,4}))?(?:[.+_-].*)?", text.strip())
    return (int(found[1]), int(found[2] or 0)) if found else None


def _container(root: Fields, config: Fields | None, assumed: Assumed) -> Container:
    """The container as assumed, else as its config.json and its profile say, else by default."""
    container = Container()
    listed = root.members.get("architectures")
    own = [name for name, long in _ARCHES.items() if isinstance(listed, list) and listed[:1] == [long]]
    if own:
        container = replace(
            container, arch=own[0], sources={**container.sources, "arch": "architectures of the profile"}
        )
    if config is not None and config.has("process"):
        bounding = config.inside("process").members.get("capabilities")
        caps = bounding.get("bounding") if isinstance(bounding, dict) else None
        if isinstance(caps, list) and all(isinstance(name, str) for name in caps):
            sources = {**container.sources, "caps": "process of config.json"}
            container = replace(container, caps=frozenset(caps), sources=sources)
    for key in ("caps", "arch", "kernel"):
        value = getattr(assumed, key)
        if value is not None:
            container = replace(container, **{key: value, "sources": {**container.sources, key: "--assume"}})
    return container


class _Reading:
    """The rules of a profile that count for a container, as they are read."""

    def __init__(self, root: Fields, container: Container, default: tuple[str, float], *, resolved: bool) -> None:
        self.container, self.default, self.resolved = container, default, resolved
        self.file, self.problems = root.file, root.problems
        self.rules: list[Rule] = []
        self.left_out: list[str] = []
        self.newer: list[str] = []
        self.unknown: set[str] = set()

    def take(self, entry: Fields) -> None:
        """Take the rules of an entry where its conditions hold."""
        known = _ENTRY if self.resolved else _ENTRY | _CONDITIONS
        self.unknown |= {f"syscalls.{key}" for key in entry.members if key not in known}
        names, comparisons = self._names(entry), self._comparisons(entry)
        action = _action(entry, "action", self.problems)
        if not self.resolved and not self._holds(entry, names):
            self.left_out += names
        elif (action, _error(entry, "errnoRet")) != self.default:
            self.rules += [Rule(name, action, comparisons) for name in names]

    def _names(self, entry: Fields) -> list[str]:
        one, several = entry.members.get("name"), entry.members.get("names")
        if one and several:
            self._wrong("name and names", entry.path, "one of them")
            return []
        names = [one] if one else several
        if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
            self._wrong("not a list of names", f"{entry.path}.names", '["read", "write"]')
            return []
        return names

    def _comparisons(self, entry: Fields) -> int:
        if not entry.members.get("args"):
            return 0
        comparisons = entry.objects("args")
        for each in comparisons:
            self.unknown |= {f"args.{key}" for key in each.members if key not in ("index", "value", "valueTwo", "op")}
            index, operator = each.members.get("index"), each.text("op")
            if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index <= 5:
                self._wrong(f"no argument: {str(index)[:20]}", f"{each.path}.index", "0 to 5")
            if operator not in _OPERATORS:
                self._wrong(f"not a comparison: {operator[:40]}", f"{each.path}.op", ", ".join(sorted(_OPERATORS)))
        return len(comparisons)

    def _holds(self, entry: Fields, names: Sequence[str]) -> bool:
        """Whether the conditions of an entry hold; remembers those that a newer kernel would change."""
        wanted, unwanted = (self._filter(entry, key) for key in ("includes", "excludes"))
        now, later = (self._fits(wanted, unwanted, kernel) for kernel in (self.container.kernel, _NEWEST))
        if "kernel" not in self.container.sources and now != later:
            self.newer += names
        return now

    def _fits(self, wanted: _Filter, unwanted: _Filter, kernel: tuple[int, int]) -> bool:
        caps, arch = self.container.caps, self.container.arch
        if arch in unwanted["arches"] or caps & set(unwanted["caps"]):
            return False
        if unwanted["minKernel"] and kernel >= unwanted["minKernel"][0]:
            return False
        if (wanted["arches"] and arch not in wanted["arches"]) or not caps >= set(wanted["caps"]):
            return False
        return not wanted["minKernel"] or kernel >= wanted["minKernel"][0]

    def _filter(self, entry: Fields, key: str) -> _Filter:
        """The conditions of `includes` or `excludes`: each a list, empty where there is none."""
        found: _Filter = {name: [] for name in _FILTER}
        members = entry.members.get(key)
        if members is None:
            return found
        inside = entry.inside(key)
        self.unknown |= {f"{key}.{name}" for name in inside.members if name not in _FILTER}
        for name in ("caps", "arches"):
            values = inside.members.get(name) or []
            if isinstance(values, list) and all(isinstance(value, str) for value in values):
                found[name] = values
            else:
                self._wrong("not a list of names", f"{inside.path}.{name}", '["CAP_SYS_ADMIN"]')
        if text := inside.members.get("minKernel"):
            kernel = _kernel_of(str(text))
            if kernel is None:
                self._wrong(f"not a version: {str(text)[:40]}", f"{inside.path}.minKernel", "4.8")
            else:
                found["minKernel"] = [kernel]
        return found

    def _wrong(self, what: str, key: str, allowed: str) -> None:
        made = problem(what, file=self.file, key=key, allowed=allowed)
        if made not in self.problems:
            self.problems.append(made)


def _kept(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that libseccomp keeps, call by call: the first without arguments in place of all others of its call."""
    by_name: dict[str, list[Rule]] = {}
    for rule in rules:
        by_name.setdefault(rule.name, []).append(rule)
    kept: list[Rule] = []
    for of_call in by_name.values():
        first = next((rule for rule in of_call if not rule.comparisons), None)
        kept += of_call if first is None else [first]
    return tuple(kept)


def _error(fields: Fields, key: str) -> float:
    """The error that a call is refused with."""
    return fields.number(key) if fields.members.get(key) is not None else _EPERM


def _action(fields: Fields, key: str, problems: list[Problem]) -> str:
    action = fields.text(key)
    if action not in ANSWERS:
        path = f"{fields.path}.{key}".strip(".")
        near, allowed = nearest(action, ANSWERS), ", ".join(ANSWERS)
        what = f"not an action: {action[:40]}"
        problems.append(problem(what, file=fields.file, key=path, allowed=allowed, nearest=near))
        return "SCMP_ACT_ERRNO"
    return action


_ASSUMPTIONS: Assumptions = {
    "caps": ("caps", _caps, "Docker's default ones with more or less: SYS_ADMIN,-NET_RAW; or none, all"),
    "arch": ("arch", _arch, ", ".join(_ARCHES)),
    "kernel": ("kernel", _kernel_of, "a version: 6.8"),
}
