"""The container that a seccomp profile is loaded for: its capabilities, its architecture, its kernel.

Rules of a profile of Docker or Podman count only where their `includes` hold and none of their `excludes` does.
Source: documentation of Docker, "Seccomp security profiles"; the loader of moby, profiles/seccomp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from slicewright.advise.assumptions import Assumptions, assumed_of
from slicewright.errors import Problem

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
ARCHES = {
    "amd64": "SCMP_ARCH_X86_64", "x86": "SCMP_ARCH_X86", "x32": "SCMP_ARCH_X32", "arm": "SCMP_ARCH_ARM",
    "arm64": "SCMP_ARCH_AARCH64", "s390": "SCMP_ARCH_S390", "s390x": "SCMP_ARCH_S390X", "ppc": "SCMP_ARCH_PPC",
    "ppc64": "SCMP_ARCH_PPC64", "ppc64le": "SCMP_ARCH_PPC64LE", "riscv64": "SCMP_ARCH_RISCV64",
    "mips": "SCMP_ARCH_MIPS", "mips64": "SCMP_ARCH_MIPS64", "mips64n32": "SCMP_ARCH_MIPS64N32",
    "mipsel": "SCMP_ARCH_MIPSEL", "mipsel64": "SCMP_ARCH_MIPSEL64", "mipsel64n32": "SCMP_ARCH_MIPSEL64N32",
    "loongarch64": "SCMP_ARCH_LOONGARCH64",
}  # fmt: skip
"""Architectures by the name that profiles have in `arches`, and in `architectures`."""
_OTHER_NAMES = {"x86_64": "amd64", "aarch64": "arm64", "i386": "x86", "386": "x86"}


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
    name = _OTHER_NAMES.get(text.lower(), text.lower())
    return name if name in ARCHES else None


def kernel_of(text: str) -> tuple[int, int] | None:
    """A version of a kernel as its first two numbers; None is none.

    >>> kernel_of("5.10.0-28-amd64"), kernel_of("6"), kernel_of("new")
    ((5, 10), (6, 0), None)
    """
    found = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,4}))?(?:[.+_-].*)?", text.strip())
    return (int(found[1]), int(found[2] or 0)) if found else None


_ASSUMPTIONS: Assumptions = {
    "caps": ("caps", _caps, "Docker's default ones with more or less: SYS_ADMIN,-NET_RAW; or none, all"),
    "arch": ("arch", _arch, ", ".join(ARCHES)),
    "kernel": ("kernel", kernel_of, "a version: 6.8"),
}
